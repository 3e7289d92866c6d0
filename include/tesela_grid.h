/** @file
 * tesela_grid.h - matrices distributed over a grid of processes: those of MPI (tesela_mpi.h),
 * joined by TCP, or threads of one program.
 *
 * A distributed matrix is a tsl_matrix like any other: views, partitionings and the operations on views of tesela.h work
 * on it. What changes is how it is made. Of an operation's operands either none or all are distributed, over the same
 * processes.
 *
 * Operations
 *  - Every operation has a form on grids. Cut over the processes, so that each works on its part: copy, convert, laset,
 *    geadd, random, scale, scal, axpy, dot, nrm2, asum, norm, gemv, symv, hemv, ger, syr, her, syr2, her2, gemm, gemmt,
 *    symm, hemm, syrk, herk, syr2k, her2k, trmm, trsm, potrf, trtri, lauum, potri, potrs, posv, getrf, laswp, getrs, gesv,
 *    getri, geqrf, ormqr, orgqr, gels, sy2sb, ormtr_sy2sb, stedc, sterf, stev, syev, sygst, sygv, ge2gb, gesvd, gelsd,
 *    polar, pinv, expm, sqrtm, logm, trsyl, sylvester, lyapunov, sytrd, ormtr, orgtr, gehrd, gebrd, orgbr, geqp3,
 *    geqp3_random, gelsy, sytrf, gecon, pocon, trcon, sycon, sytrs, sysv, sytri, solve, logdet; expand of a triangular
 *    matrix. All others, which nothing cuts, are gathered on one process, computed there and spread again: that process
 *    needs memory for all their operands. gesvx, posvx, orghr, ormhr and ormbr are such calls in a row.
 *  - On a grid of one process every operation is the ordinary one.
 *  - The factors of reflectors, tau, are a matrix of one column, in any layout. Pivots are one of TSL_INDEX; laswp takes
 *    them from one copy where there are several. A pivot that is no row of its matrix makes laswp, getrs and getri return
 *    TSL_ERR_PIVOT on all processes; what they were to write is then undefined.
 *  - Same grid, same layouts, same input: the same bits. Sums over processes have a fixed order.
 *
 * Collective calls
 *  - Calls with distributed operands are collective over the grid: every process makes them, in the same order, with the
 *    same arguments. They return when the local part of the work is in place.
 *  - All contexts of a grid compute on the same kind of device, by the same algorithms, where the steps of an operation
 *    depend on that. gemm, symm, hemm, trmm, trsm, potrf, trtri, lauum, potri, potrs, posv, getrf, getrs, gesv, getri,
 *    geqrf, ormqr, orgqr, gels, sy2sb, ormtr_sy2sb, stev, syev, sygst, sygv, ge2gb, gesvd, gelsd, polar, expm, sqrtm, logm,
 *    trsyl, sylvester, lyapunov, sytrd, ormtr, orgtr, gehrd, gebrd, orgbr, geqp3, geqp3_random, gelsy, sytrf, gecon, pocon,
 *    trcon, sycon, sytrs, sysv, sytri and solve are refused where some processes compute in host memory and others do not;
 *    and, except for the first three, where "variant" asks some processes for look-ahead in potrf or trsm, or for
 *    other pivots in getrf, and others not.
 *
 * Errors
 *  - Errors are agreed. Arguments, sizes and workspace are checked and obtained before anything is changed. If any process
 *    finds something wrong all return the same status, the largest; the same holds for what fails later. All that must be
 *    the same is compared: the call, its scalars and flags, blocks, matrices and their layouts, roots. TSL_ERR_SHAPE: it
 *    differs, and tsl_error names what does.
 *  - An invalid view has no matrix, hence no grid. A call of which no operand has a matrix is taken for a collective one on
 *    the grid of the latest distributed matrix of the context. Where there is none, and where a layout or grid is NULL, the
 *    process that erred returns alone.
 *  - If a call of MPI fails, or a thread has freed its grid while others wait for it, nobody hangs. All processes of the grid
 *    return TSL_ERR_MPI, at the latest in their next call, and so does every later call on that grid; its matrices are lost.
 *    A fresh grid works. What MPI may still write to is not freed.
 *  - A process that is dead, stopped or elsewhere is waited for, unless there is a deadline in seconds: option "deadline"
 *    of the context (tsl_set), or TESELA_DEADLINE for all contexts and for making grids. A longer wait ends the call with
 *    TSL_ERR_LATE on all processes of the grid that wait, a second later at most. tsl_error says from which others there
 *    was no answer; these hear of it in their next call. Then the grid is as after a failure of MPI. It can be freed, and
 *    so can its matrices: that waits for nobody. Choose the deadline longer than any call may take.
 *
 * The structs here keep their size within a soname, as tesela.h says of those that no size goes with.
 */
#ifndef TESELA_GRID_H
#define TESELA_GRID_H

#include "tesela.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- process grids ------------------------------------------------------------------------------------------------------ */

typedef struct tsl_grid tsl_grid;

/** Threads of this program as the processes of a grid, without MPI: grids[row * cols + col] := what the process at that place
 * computes by, rows * cols of them. Each is used by one thread at a time, with a context of its own, and is freed by
 * tsl_grid_free. Calls wait for each other as by MPI, so each needs a thread. Process i of such a grid is process i of every
 * other that is as large. On failure all are NULL. */
TSL_API tsl_status tsl_grid_create_local(int rows, int cols, tsl_grid **grids);
/** What a process of tsl_grid_threads does. The grid is freed after it. */
typedef tsl_status (*tsl_grid_body)(tsl_grid *grid, void *user);
/** Calls body(grid, user) on rows x cols threads at once, each with its place in one grid; the caller's own thread is the
 * first. Returns when all have returned: the status of the first one, by rank, that has failed. One that returns while
 * others wait for it makes their calls return TSL_ERR_MPI. */
TSL_API tsl_status tsl_grid_threads(int rows, int cols, tsl_grid_body body, void *user);
/** all := `bytes` bytes of every process, in the order of ranks; every process calls it. Returns 0, or anything else if it has
 * failed. torch.distributed, mpi4py and any key-value store have one. */
typedef int (*tsl_all_gatherer)(void *user, const void *mine, void *all, size_t bytes);
/** `size` processes, of which this is the one of that rank, as rows x cols, rank by rank along the rows. Both 0: as square as
 * can be; where they are on several machines, as many on each, those of a machine are a block of the grid, as high as can be,
 * and the grid has no more rows than a machine has processes, unless it were more than four times as wide as high then. Ranks
 * stay; tsl_grid_place tells where one is. They talk by TCP over IPv4, each with each, and must reach each other's ports.
 * Collective: `gather` is called once, so that each learns where the others listen, and not after that. A process that dies
 * has left the grid: calls that wait for it return TSL_ERR_MPI. */
TSL_API tsl_status tsl_grid_create_tcp(int rank, int size, tsl_all_gatherer gather, void *user, int rows, int cols,
                                       tsl_grid **grid);
/** Collective. Matrices on the grid that have not been freed can only be freed: operations on them return TSL_ERR_GRID. NULL
 * is allowed. */
TSL_API void tsl_grid_free(tsl_grid *grid);
TSL_API int tsl_grid_rows(const tsl_grid *grid); /**< how many process rows it has */
TSL_API int tsl_grid_cols(const tsl_grid *grid); /**< how many process columns it has */
TSL_API int tsl_grid_row(const tsl_grid *grid);  /**< the row this process is in */
TSL_API int tsl_grid_col(const tsl_grid *grid);  /**< the column this process is in */
/** Where the process of that rank is. Returns 1; or 0, and writes nothing, if there is none. */
TSL_API int tsl_grid_place(const tsl_grid *grid, int rank, int *row, int *col);

/* ---- layouts ------------------------------------------------------------------------------------------------------------ */

/** Which processes a dimension of a matrix is distributed over: none (each has all of it), the grid's rows, its columns, or
 * all processes, down the columns of the grid. */
typedef enum tsl_over { TSL_OVER_NONE = 0, TSL_OVER_ROWS = 1, TSL_OVER_COLS = 2, TSL_OVER_ALL = 3 } tsl_over;

/** Index g of the dimension, from 0, is number t = offset + g of an endless template. It lies in block t / nb, on process
 * (t / nb) mod p of the p that the dimension is distributed over. */
typedef struct tsl_axis {
    tsl_over over;
    int64_t nb, offset;
} tsl_axis;

/** Where a process keeps its part: in host memory, copied to the device for each local computation; or in the memory of its
 * context's first device, copied only to communicate. */
typedef enum tsl_scheme { TSL_IN_HOST, TSL_ON_DEVICE } tsl_scheme;

enum { TSL_EVERY = -1 };

/** How a matrix is distributed. Along a direction of the grid over which neither axis is distributed, row or col is the
 * process row or column that has the matrix, or TSL_EVERY if each has a copy. Otherwise row and col mean nothing. */
typedef struct tsl_layout {
    tsl_grid *grid;
    tsl_axis rows, cols;
    int row, col;
    tsl_scheme scheme;
} tsl_layout;

/** A matrix: rows over the grid's rows, columns over its columns */
TSL_API tsl_layout tsl_layout_matrix(tsl_grid *grid, int64_t nb);
/** A multivector: rows over all processes */
TSL_API tsl_layout tsl_layout_vector(tsl_grid *grid, int64_t nb);
/** Not distributed at all: on one process, or a copy on each (TSL_EVERY) */
TSL_API tsl_layout tsl_layout_whole(tsl_grid *grid, int row, int col);
/** A panel whose rows lie as the rows of A do, with a copy in every process column */
TSL_API tsl_layout tsl_layout_rows_of(tsl_view A);
/** A panel whose rows lie as the columns of A do: what A is multiplied with */
TSL_API tsl_layout tsl_layout_cols_of(tsl_view A);

/* ---- matrices ----------------------------------------------------------------------------------------------------------- */

/** m x n in that layout; contents undefined. Collective, as are the two below. */
TSL_API tsl_status tsl_matrix_create_on(tsl_context *ctx, const tsl_layout *layout, tsl_type type, int64_t m, int64_t n,
                                        tsl_matrix **A);
/** The caller's local arrays, each with this process's part, in place. The layout's scheme is where the array is. */
TSL_API tsl_status tsl_matrix_wrap_on(tsl_context *ctx, const tsl_layout *layout, tsl_type type, int64_t m, int64_t n,
                                      void *local, int64_t ld, tsl_matrix **A);
/** The same by ScaLAPACK's descriptor {1, context, m, n, mb, nb, rsrc, csrc, lld}; the grid stands for its context. */
TSL_API tsl_status tsl_matrix_wrap_desc(tsl_context *ctx, tsl_grid *grid, tsl_type type, const int desc[9], void *local,
                                        tsl_matrix **A);
/** How it is distributed; TSL_ERR_GRID: it is not, or its grid is gone. */
TSL_API tsl_status tsl_matrix_layout(const tsl_matrix *A, tsl_layout *layout);
/** The part of a block that this process has, as a view of an ordinary matrix; local work on it is ordinary work. The
 * invalid view if the matrix is not distributed. */
TSL_API tsl_view tsl_local(tsl_view A);
/** The place in tsl_local of this process's first row at or after row g of the block, both from 0; 0 if the matrix is not
 * distributed. */
TSL_API int64_t tsl_local_row(tsl_view A, int64_t g);
/** The same of columns. */
TSL_API int64_t tsl_local_col(tsl_view A, int64_t g);
/** And back: the row of the block that is row l of tsl_local. */
TSL_API int64_t tsl_global_row(tsl_view A, int64_t l);
/** The same of columns. */
TSL_API int64_t tsl_global_col(tsl_view A, int64_t l);

/* ---- communication ------------------------------------------------------------------------------------------------------ */

/* tsl_copy(ctx, A, B) between any two layouts, also on different grids of the same processes, is every redistribution:
 * spreading, gathering, transposing. */

/** B := beta B + the sum of A over the grid's directions along which A has copies, each holding a contribution of its own.
 * A and B must not share elements: TSL_ERR_OVERLAP. */
TSL_API tsl_status tsl_reduce(tsl_context *ctx, tsl_view A, tsl_scalar beta, tsl_view B);
/** The array of process `rank` of the grid := all of A. Other processes may pass NULL. */
TSL_API tsl_status tsl_gather(tsl_context *ctx, tsl_view A, int rank, void *data, int64_t ld);
/** The other way: A := the array of process `rank`. */
TSL_API tsl_status tsl_scatter(tsl_context *ctx, int rank, const void *data, int64_t ld, tsl_view A);

#ifdef __cplusplus
}
#endif
#endif
