/** @file
 * tesela.h - dense linear algebra on GPUs and hosts, in C.
 *
 * This header includes one header per family of routines. Each of them can be included alone.
 *
 *     tesela/types.h      statuses, element types, flags
 *     tesela/context.h    contexts: devices, options, waiting, progress, counters, traces
 *     tesela/matrix.h     matrices, batches, tiles, regions; views and partitionings
 *     tesela/elements.h   copies, sums, fillings, conversions, norms
 *     tesela/level1.h     vectors
 *     tesela/level2.h     matrix times vector; bands and packed triangles
 *     tesela/level3.h     matrix times matrix
 *     tesela/cholesky.h   Cholesky; triangles; rows added to a factor and taken from it
 *     tesela/lu.h         LU; determinants; incremental pivoting
 *     tesela/qr.h         QR and LQ, with column pivoting, incremental; least squares
 *     tesela/ldl.h        L D L^T and L D L^H
 *     tesela/eig.h        eigenproblems of symmetric and Hermitian matrices
 *     tesela/svd.h        singular values, bidiagonal forms, polar decomposition, rank
 *     tesela/schur.h      eigenproblems of general matrices; Sylvester's equation
 *     tesela/functions.h  exponential, square root, logarithm
 *     tesela/solve.h      mixed precision; conditions, scalings, error bounds, expert drivers
 *     tesela/batch.h      typed calls on many problems of one shape
 *
 * A family's header has, for each operation, its contract, the call on views (tsl_potrf) and the typed calls
 * (tsl_spotrf, tsl_dpotrf, tsl_cpotrf, tsl_zpotrf). What holds for all of them is said here, once.
 *
 * Storage
 *  - Matrices are stored by columns. Element (i,j) of an array with leading dimension ld is data[i + j*ld].
 *  - Sizes are int64_t. Element types are s, d, c, z as in BLAS.
 *  - Indices in contracts count from 1, as in LAPACK, unless it says "from 0".
 *
 * Calls on views
 *  - An operand is a tsl_view: a block of a matrix, seen through an op, and as a triangle or whole. "A as it is stored"
 *    means that A may not be seen through an op. Vectors are views with one row or one column. A column of the real
 *    type means TSL_S for TSL_S and TSL_C, TSL_D for TSL_D and TSL_Z.
 *  - An operand that is not wanted is a view without a matrix (mat is NULL), where the contract says that it may be
 *    missing.
 *  - Every operation takes flat matrices, tiled ones and, with tesela_grid.h, distributed ones. Operations that nothing
 *    cuts into tiles are computed in one place: their operands are gathered there, and need memory there. Exceptions
 *    say so.
 *  - Operations take batches too; matrix.h lists the exceptions, mostly those that make one number of a matrix.
 *
 * Typed calls
 *  - Arguments are those of BLAS and LAPACK, in their order, after the context. There is no workspace argument. Flags
 *    are letters, in upper or lower case. Pivots are int64_t.
 *  - Arrays may be in host or device memory, in any mix. Single numbers that a call returns (rank, rcond, m, sdim, ...)
 *    are in host memory, unless the contract says otherwise.
 *  - On a bad argument number i, counting the first after ctx as 1, the status says the kind, tsl_error() names the
 *    argument, and info, if the call has one, is -i.
 *
 * Statuses and info
 *  - Every function that can fail returns a tsl_status. TSL_OK is 0; each other value has one cause. A call that is
 *    refused for its arguments has changed nothing. tsl_error(ctx) describes the last failing call in one line.
 *  - info is the numerical outcome, with LAPACK's meaning; 0 is success. It is separate from the status: a call on a
 *    singular matrix returns TSL_OK and an info. If info is not NULL the call waits and stores its own outcome, in a
 *    region too. If it is NULL the outcome stays on the device until tsl_info() asks for it. If it is a place in the
 *    memory of the first device, of an operation on views outside of a region, nobody waits; tsl_info() is then 0 (expert
 *    drivers want a place of the host's). A call that returns an error has no outcome.
 *  - Functions that make an object store NULL where they fail. Operations on a NULL matrix return TSL_ERR_VIEW. An
 *    object that is destroyed or freed twice is left alone the second time, as long as nothing new has been made at its
 *    address.
 *  - The library never prints (unless TESELA_LOG or TESELA_TRACE ask for it), never aborts and never exits. One
 *    exception: a setting of the environment that cannot be followed (TESELA_TUNE names no table, TESELA_LOG no level)
 *    is reported on stderr, once; TESELA_LOG=none keeps that silent too.
 *
 * What may overlap
 *  - Operands that are only read may share memory. An operand that is written must not share an element with another
 *    operand: TSL_ERR_OVERLAP.
 *  - Elements count, not addresses. Blocks of one array whose columns lie between each other's, vectors whose elements
 *    lie between each other's, and the two triangles of a square are apart. Of a triangle only its own elements count,
 *    without a unit diagonal. (posv writes both operands; there all of A's square counts.)
 *  - copy, geadd, axpy and swap work element by element. Their operands may share elements that have the same place in
 *    both: all of them (x and y the same vector), or the diagonal: tsl_copy(ctx, tsl_lower(A), tsl_trans(tsl_upper(A)))
 *    mirrors a triangle. tsl_expand may fill the matrix that its triangle lies in.
 *  - An operand that cannot influence the result, because alpha or a size is zero, may be anywhere.
 *
 * Order
 *  - Calls on a context take effect in order. A call whose operands all live in matrices the context made, or in device
 *    memory, may return before the work is done: tsl_wait() waits. A call with an operand in the caller's host memory
 *    returns when the work is done. "The call waits" in a contract means that it always does.
 *
 * Threads
 *  - Calls from several threads on one context are serialised, except small ones on the host, which run side by side.
 *    Different contexts may be used from different threads at once. The info argument is the call's own outcome;
 *    tsl_info() and tsl_error() are about the last call, whichever thread made it.
 *  - Where a context is taken, NULL means the default context, made on first use.
 *
 * fork
 *  - A child process cannot use what its parent has made. Calls on the parent's contexts return TSL_ERR_PROCESS there;
 *    freeing its matrices or destroying its contexts does nothing. A child makes contexts of its own, a default one
 *    too; not on GPUs, if the parent has used any.
 *  - OpenBLAS must not be forked while it computes. So a fork waits for what the host's cores compute for the library
 *    at the moment, and what they are to compute next waits for the fork. The program's own calls of OpenBLAS are not
 *    waited for.
 *
 * End of the program, by exit() or a return from main
 *  - Submitted work is waited for, as by tsl_wait, unless the program ends inside a call or on a thread of the library.
 *    Contexts need not be destroyed.
 *  - Calls that other threads make meanwhile work until the program's own handlers (atexit) have run. Then what the
 *    host's cores compute at the moment is waited for, and later calls return TSL_ERR_CONTEXT. Calls on a GPU that are
 *    at work are waited for, and later ones refused, before its driver ends.
 *  - _exit() and quick_exit() wait for nothing. The library stays loaded after dlclose().
 *
 * Binary interface
 *  - A program compiled with one version runs with every later one of the same soname (libtesela.so.0). The soname is
 *    the major version. Functions, constants and the places of fields stay.
 *  - Five structs may get more fields, at their end: tsl_config, tsl_device_info, tsl_counters, tsl_solve_options,
 *    tsl_solution. The caller says how large its struct is: tsl_config has a field for that; for the others an inline
 *    function passes sizeof to the exported function, whose name ends in _sized, and which other languages call. The
 *    library reads and writes no more than that size. Fields of a result that it does not know become zero. Fields of
 *    an argument that it does not know must be zero, else TSL_ERR_SIZE. All other structs keep their size.
 */
#ifndef TESELA_H
#define TESELA_H

#define TSL_VERSION_MAJOR 0
#define TSL_VERSION_MINOR 1
#define TSL_VERSION_PATCH 0

#include "tesela/types.h"
#include "tesela/context.h"
#include "tesela/matrix.h"
#include "tesela/elements.h"
#include "tesela/level1.h"
#include "tesela/level2.h"
#include "tesela/level3.h"
#include "tesela/cholesky.h"
#include "tesela/lu.h"
#include "tesela/qr.h"
#include "tesela/ldl.h"
#include "tesela/eig.h"
#include "tesela/svd.h"
#include "tesela/schur.h"
#include "tesela/functions.h"
#include "tesela/solve.h"
#include "tesela/batch.h"

#endif
