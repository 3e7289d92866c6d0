/** @file
 * tesela.h - dense linear algebra on GPUs and hosts, in C.
 *
 * Conventions
 *  - Storage is column-major; element (i,j) of a matrix with leading dimension ld is data[i + j*ld].
 *  - Sizes are int64_t. Element types are s, d, c, z as in BLAS.
 *  - Every function that can fail returns a tsl_status: 0 is success, each other value has one cause. The numerical outcome
 *    (`info`, with LAPACK's meaning) is separate from it. A call that returns a status other than TSL_OK because of its arguments
 *    has touched nothing. tsl_error(ctx) says in one line what was wrong with the last failing call.
 *  - What makes something stores NULL where it fails, and operations on a NULL matrix return TSL_ERR_VIEW. What is destroyed or freed
 *    twice is left alone the second time, as long as nothing new has been made at its address.
 *  - The library never prints (unless TESELA_LOG or TESELA_TRACE ask for it), never aborts and never exits. One exception: a setting of
 *    the environment that cannot be followed (TESELA_TUNE names no table, TESELA_LOG no level) is told on stderr, once; TESELA_LOG=none
 *    keeps it silent.
 *  - A context is used by one thread at a time; calls from several threads on one context are serialised, but
 *    for small ones on the host, which run side by side. Different contexts may be used from different threads at once. Each call's own
 *    `info` argument is its own outcome; tsl_info() and tsl_error() speak of the last call, whichever thread made it.
 *    Where a context is taken, NULL means the default context, made on first use.
 *  - fork(): what the parent has made is of no use in a child. Calls on its contexts return TSL_ERR_PROCESS there, and freeing its
 *    matrices or destroying its contexts does nothing. A child makes contexts of its own, a default one too; not on GPUs, if the parent
 *    has used any. A fork waits for what the host's cores compute at the moment, since OpenBLAS must not be forked meanwhile, and what
 *    they are to compute next waits for the fork; calls of the program's own to OpenBLAS are not waited for.
 *  - The end of the program, by exit() or a return from main: work that has been submitted is waited for, as by tsl_wait, unless the program
 *    ends inside of a call, or on a thread of the library's. Contexts need not be destroyed. What other threads call meanwhile is good until the
 *    program's own handlers (atexit) have run; then what the host's cores compute at the moment is waited for, and calls fail: TSL_ERR_CONTEXT. Calls
 *    on a GPU that are at work are waited for, and later ones refused, before its driver ends. _exit() and quick_exit() wait for nothing.
 *    The library stays loaded after dlclose().
 *  - Calls are ordered. A call whose operands all live in matrices the context made (or in device memory) may return before the
 *    work is done: tsl_wait() waits. A call with an operand in the caller's host memory returns when the work is done.
 *  - The binary interface. Programs compiled with one version run with every later one of the same soname (libtesela.so.0); the soname
 *    is the major version. Functions, constants and the places of fields stay. Structs that may get more fields get them at their end:
 *    tsl_config, tsl_device_info, tsl_counters, tsl_solve_options, tsl_solution. The caller says how large the one is that it was
 *    compiled with: tsl_config has a field for that, and for the others an inline function below passes sizeof to the exported one,
 *    whose name ends in _sized and which other languages call. The library reads and writes no more than that size. Fields
 *    that it does not know yet become zero in a result; in an argument they must be zero, else TSL_ERR_SIZE. All other structs keep
 *    their size.
 *  - `info` arguments: if not NULL the call waits and stores its own outcome, in a region too; if NULL the outcome stays on the device
 *    until tsl_info() asks for it. A call that returns an error has no outcome, and leaves those of others alone.
 */
#ifndef TESELA_H
#define TESELA_H

#include <stddef.h>
#include <stdint.h>

#define TSL_VERSION_MAJOR 0
#define TSL_VERSION_MINOR 1
#define TSL_VERSION_PATCH 0

#ifdef __cplusplus
#include <complex>
typedef std::complex<float> tsl_cfloat;
typedef std::complex<double> tsl_cdouble;
extern "C" {
#else
typedef float _Complex tsl_cfloat;
typedef double _Complex tsl_cdouble;
#endif

#if defined(__GNUC__)
#define TSL_API __attribute__((visibility("default")))
#else
#define TSL_API
#endif

/** A scalar of any of the four types: they all embed in double complex. With real operands it must be real: TSL_ERR_TYPE. */
typedef tsl_cdouble tsl_scalar;

/* ---- status ------------------------------------------------------------------------------------------------------------- */

#define TSL_STATUS_LIST(X)                                                     \
    X(TSL_OK, 0, "success")                                                    \
    X(TSL_ERR_NULL, 1, "a required pointer is null")                           \
    X(TSL_ERR_FLAG, 2, "a flag (side, uplo, trans, diag, type) has no such value") \
    X(TSL_ERR_SIZE, 3, "a size is negative")                                   \
    X(TSL_ERR_LD, 4, "a leading dimension is smaller than the rows it must hold") \
    X(TSL_ERR_SHAPE, 5, "the operands' shapes do not fit together")            \
    X(TSL_ERR_TYPE, 6, "the operands' element types differ or do not suit the operation") \
    X(TSL_ERR_VIEW, 7, "a view lies outside its matrix or has no matrix")      \
    X(TSL_ERR_UPLO, 8, "an operand must be (or must not be) a triangle")       \
    X(TSL_ERR_OVERFLOW, 9, "a size does not fit the address space, or the host library's integers") \
    X(TSL_ERR_MEMORY, 10, "out of host memory")                                \
    X(TSL_ERR_DEVICE_MEMORY, 11, "out of device memory, or past the device's limit") \
    X(TSL_ERR_NO_DEVICE, 12, "no such device here")                            \
    X(TSL_ERR_DEVICE, 13, "a device or its library reported a failure")        \
    X(TSL_ERR_SPEC, 14, "a device specification cannot be read")               \
    X(TSL_ERR_OPTION, 15, "no such option, or no such value for it")           \
    X(TSL_ERR_CONTEXT, 16, "an operand belongs to another context, or its context has been destroyed") \
    X(TSL_ERR_LAYOUT, 17, "the operation has no form for matrices stored like this") \
    X(TSL_ERR_MPI, 18, "an MPI call failed, or MPI cannot be used")            \
    X(TSL_ERR_GRID, 19, "no such process grid, or operands on different ones") \
    X(TSL_ERR_PROCESS, 20, "made before this process was forked, and of no use in it") \
    X(TSL_ERR_FILE, 21, "a file cannot be written")                            \
    X(TSL_ERR_OVERLAP, 22, "an operand that is written shares memory with another") \
    X(TSL_ERR_PIVOT, 23, "a pivot is no row of the matrix")                      \
    X(TSL_ERR_CANCELLED, 24, "cancelled, by tsl_cancel or by the function of tsl_on_progress") \
    X(TSL_ERR_LATE, 25, "other processes did not come within the deadline")

typedef enum tsl_status {
#define TSL_STATUS_ENUM(name, value, text) name = value,
    TSL_STATUS_LIST(TSL_STATUS_ENUM)
#undef TSL_STATUS_ENUM
} tsl_status;

TSL_API const char *tsl_status_text(tsl_status st); /**< the text of the list; never NULL */
TSL_API const char *tsl_status_name(tsl_status st); /**< "TSL_ERR_LD" */
TSL_API const char *tsl_version(void);              /**< "0.1.0" */

/* ---- element types ------------------------------------------------------------------------------------------------------ */

typedef enum tsl_type {
    TSL_S, TSL_D, TSL_C, TSL_Z,
    TSL_INDEX /**< an int64_t: the pivots of an LU factorization. Only they, and tsl_copy, take a matrix of these. */
} tsl_type;

TSL_API size_t tsl_type_size(tsl_type t);     /**< bytes of one element; 0 for no such type */
TSL_API double tsl_type_eps(tsl_type t);      /**< unit roundoff: 2^-24 or 2^-53 */
TSL_API char tsl_type_letter(tsl_type t);     /**< 's' 'd' 'c' 'z' 'i' */

/* ---- context ------------------------------------------------------------------------------------------------------------ */

typedef struct tsl_context tsl_context;

/** Where the library's memory comes from. device is -1 for host memory, else the index of a device in the context.
 * alloc returns NULL when it has none. Both may be called from the library's own threads. */
typedef struct tsl_allocator {
    void *(*alloc)(void *user, int device, size_t bytes);
    void (*free)(void *user, int device, void *p, size_t bytes);
    void *user;
} tsl_allocator;

/** Start from tsl_config_default(); zero fields mean "as by default". */
typedef struct tsl_config {
    size_t size;                    /**< sizeof(tsl_config) of the caller */
    const char *devices;            /**< device specification; NULL: TESELA_DEVICES, else all GPUs, else the host */
    void *stream;                   /**< a cudaStream_t to adopt as the first device's queue; NULL: one of our own */
    size_t workspace_limit;         /**< bytes of workspace kept between calls per device; 0: 1 GiB */
    const tsl_allocator *allocator; /**< copied; NULL: malloc and the device's own memory pool */
} tsl_config;

/** zeros, and its size */
static inline tsl_config tsl_config_default(void)
{
    tsl_config cfg = {sizeof(tsl_config), NULL, NULL, 0, NULL};
    return cfg;
}

/** Device specifications: groups joined by '+', each `host` (the host's cores, sharing its memory), `host:N` (N virtual devices
 * with a memory of their own; not beside GPUs), `cuda` (all GPUs), `cuda:I` (GPU number I), `cuda:IxN` (N virtual devices on it),
 * with an optional `,mem=SIZE` (bytes, or with K, M, G, T: 64M, 1.5G) that limits the memory of each device of the group, beside
 * which cuBLAS has a workspace of 32 MB for each stream, whatever the limit. At most 63 devices in all.
 * Under a limit calls of level 3, Cholesky and its kin on host data complete down to what one task on tiles of 64 x 64 needs: at most
 * three such tiles, the workspace of its kernel, and the few bytes of the context. Below that, and where another call or a tile size the
 * caller has set does not fit, the call returns TSL_ERR_DEVICE_MEMORY before it has changed anything, and tsl_error says how many bytes
 * are needed and how many are free. LU needs by tiles at least two panels of 16 columns, as high as the matrix. */
TSL_API tsl_status tsl_context_create(const tsl_config *cfg, tsl_context **ctx);
/** Waits for its work, and for calls on it that other threads are in; calls they make later return TSL_ERR_CONTEXT, as long as no other context has
 * been made at its address. Matrices of it that have not been freed lose their storage, unless it is the caller's, and can only be freed:
 * operations on them return TSL_ERR_CONTEXT. NULL is allowed. A function the library calls, as an allocator's, cannot destroy the context of the call
 * it is called in: then nothing happens. */
TSL_API void tsl_context_destroy(tsl_context *ctx);
/** The library's own, which ends with the process: tsl_context_destroy of it only waits. */
TSL_API tsl_status tsl_default_context(tsl_context **ctx);

/** Waits for all submitted work, and ends a region (tsl_begin); returns the first error among that work, once. Of work that is not on
 * tiles another call that waits may have returned it before. */
TSL_API tsl_status tsl_wait(tsl_context *ctx);
/** Waits; the outcome of the last call that could have one, 0 if it failed on the way. Of a region, while it is open and after it, the
 * first outcome that is not 0 in the order of its calls. */
TSL_API tsl_status tsl_info(tsl_context *ctx, int64_t *info);
/** One line about the last failing call on the context; NULL: the last that this thread made, with any context or none, as one that
 * makes a context. "" if none. It is there until this thread asks again, or fails again. */
TSL_API const char *tsl_error(tsl_context *ctx);
TSL_API void *tsl_stream(tsl_context *ctx); /**< the first device's cudaStream_t; NULL on the host */
/** Order between calls and a cudaStream_t of the caller's on the first device, without waiting; NULL is CUDA's default stream. follow: calls
 * from now on run after what is on the stream now; one by tiles waits for that. precede: what is put on the stream from now on runs after the calls made so far, but
 * for those of an open region, which only tsl_wait ends. TSL_ERR_NO_DEVICE: the first device is the host, which has no streams. */
TSL_API tsl_status tsl_follow(tsl_context *ctx, void *stream);
/** The other order: what is put on the stream from now on runs after the calls made so far; see tsl_follow. */
TSL_API tsl_status tsl_precede(tsl_context *ctx, void *stream);

/** Options: "tile" block size of blocked algorithms (0: tuned), "variant" name of an algorithm variant ("auto": tuned, "leaf": the
 * device's own routine where it takes the whole problem, else as by "auto"), "shape" number of a shape in which the device's kernel of an
 * operation is compiled (0: tuned; see tsl_shape_count). They win over the tuning table. A shape holds for kernels that have several, in
 * calls of the caller's own and of the panels in them (getrf, geqrf), and one that such a kernel does not have is an error of that call, TSL_ERR_OPTION. A variant holds for all
 * calls that follow. One that the operation called does not have (composites as posv and gesv: neither they nor their parts), or not by tiles
 * or on a grid of processes, is an error of that call, TSL_ERR_OPTION; a part without it is computed as by "auto". Operations without
 * variants (levels 1 and 2, copies, norms) have nothing to choose. By "hybrid" (potrf, getrf, geqrf; by tiles potrf alone) the host's cores factor
 * diagonal blocks or panels on the caller's thread while the device updates: the call returns when the last of them has been.
 * By tiles there are potrf's but "rec", getrf's but "rec", "lazy", "apart" and "window",
 * "ahead" of trsm, "rows" of trtri, "sweep" of lauum, "right" and "late" of geqrf, "blocks" of ormqr and orgqr, "late" of orgqr, "solve" of getri, both of
 * getrf_incpiv and geqrf_inc, "pairs" of ormqr_inc. Of tiled calls: "policy" how tiles move
 * (basic, affinity, cache, write-back, auto), "dist" which device owns a tile (2d, rows, cols: cyclic), "diag-on" where diagonal blocks
 * are factored (device, host, or auto: whichever is faster by the rates in the tuning table, and the device where it has none), "path"
 * whether calls on flat matrices are computed on the first device (one), by tiles on all (tiles), or as size, place and memory suggest
 * (auto), "graph" a file for the tasks and their dependences as Graphviz (none: ""), complete whenever they have been waited for;
 * TSL_ERR_FILE from tsl_set, or from the call that waits, if it cannot be written: results are as ever. Setting one of these waits for
 * what was submitted; a region stays open. "watch" (on, off: by default) keeps an account for tsl_progress; then large calls that a few
 * cores of the host would compute by one routine of OpenBLAS or LAPACKE, which says nothing on its way, are computed by a blocked algorithm.
 * "deadline" (seconds, as 600 or 2.5; 0: none; by default TESELA_DEADLINE, else none) ends waits for other processes: see tesela_mpi.h. */
TSL_API tsl_status tsl_set(tsl_context *ctx, const char *option, const char *value);
/** How far the work of a context with option "watch" is: additions and multiplications, as tsl_flops counts them, of all calls made so far and
 * of what is done of them. From any thread, also while another is inside a call on the context; it waits for nobody. done <= total, and both
 * only grow but for this: total is what calls were expected to take until they are waited for, then what they took. Work that is put on a
 * GPU's queue counts when the GPU has done it. Calls on small matrices straight on the host do not count, nor do those made
 * while the option is off: both stay as they were. Of a call on distributed matrices its parts here count, each from when it begins. */
TSL_API tsl_status tsl_progress(tsl_context *ctx, double *done, double *total);
/** Ends the call that is in flight on the context, or the open region: from any thread, also while another is inside the call; it waits for nobody. That
 * call, of a region the calls that follow and tsl_wait, returns TSL_ERR_CANCELLED as soon as the tasks and routines at work have ended;
 * what it writes is undefined then, what it only reads is as it was, and the context can be used again. A call of which nothing is left to begin
 * ends as ever. Where no call is in flight nothing happens; a later one is not affected. What has been put on a GPU's queue is done all the
 * same, and so is one routine of the host's library: with option "watch" a large call is many of them. Small calls straight on the host
 * are not cancelled. On a grid of processes the process that is cancelled computes nothing more in the call, takes part in its messages to
 * the end, and then all processes return TSL_ERR_CANCELLED: it ends soon if every process is cancelled. */
TSL_API tsl_status tsl_cancel(tsl_context *ctx);
/** From now on a function is called during calls on the context, with `user` and what tsl_progress says; not 0, if it returns that, cancels the call, as
 * tsl_cancel does. NULL: none. It is called on the thread that made the call, which waits for it: at most about a hundred times in a call,
 * and when it has ended. While there is one the option "watch" counts as on. Small calls straight on the host do not call it, nor does
 * tsl_context_destroy; of a call on distributed matrices the total grows with its parts. In it calls on the same context are refused
 * (TSL_ERR_CONTEXT), but for tsl_progress and tsl_cancel; it must return, not jump or throw. */
TSL_API tsl_status tsl_on_progress(tsl_context *ctx, int (*tell)(void *user, double done, double total), void *user);
/** The name of variant i, from 0 on, of an operation ("potrf"); NULL: there is none. An operation that is a few others in a row, as posv
 * is, has one, "parts", and takes the names its parts have. */
TSL_API const char *tsl_variant_name(const char *operation, int i);
/** In how many shapes the first device's kernel of an operation ("symv"), or of its panels ("getrf"), is compiled, for elements of a type: these have the numbers from 1
 * on. 0: there is nothing to choose, as for all operations on the host. All compute the same, with sums in an order of their own. */
TSL_API int tsl_shape_count(tsl_context *ctx, const char *operation, tsl_type type);
/** The tuning table in force and where it is from, in one line. It is read when the context is made: the file TESELA_TUNE names
 * ("none": no file), else the user's file for the first device; what neither says, the table shipped with the library does. */
TSL_API const char *tsl_tuning(tsl_context *ctx);
TSL_API const char *tsl_tuning_file(tsl_context *ctx); /**< that file of the user, there or not; "" if there is no home for it */

/** Device time between two points of the context's queue; stop waits for it. */
TSL_API tsl_status tsl_timer_start(tsl_context *ctx);
/** Waits for the end of what was submitted since tsl_timer_start, and says how long the device took. */
TSL_API tsl_status tsl_timer_stop(tsl_context *ctx, double *seconds);

typedef struct tsl_device_info {
    char name[96];     /**< "NVIDIA H200", "aarch64 host" */
    char backend[16];  /**< "host", "cuda" */
    int ordinal;       /**< which real processor of the backend */
    int is_virtual;    /**< has a memory space of its own on a shared processor */
    size_t limit;      /**< bytes this device may hold; SIZE_MAX: whatever there is */
    size_t used, peak; /**< bytes the library holds and held at most */
    size_t total;      /**< bytes of the real processor's memory */
    double idle;       /**< seconds it had nothing to do while tasks on tiles were left, since the context was made */
} tsl_device_info;

TSL_API int tsl_device_count(tsl_context *ctx); /**< how many the context has */
/** What there is to know of device number 0 .. count - 1 of the context; TSL_ERR_NO_DEVICE: there is no such. size: sizeof *info. */
TSL_API tsl_status tsl_device_query_sized(tsl_context *ctx, int device, tsl_device_info *info, size_t size);
/** tsl_device_query_sized with the size */
static inline tsl_status tsl_device_query(tsl_context *ctx, int device, tsl_device_info *info)
{
    return tsl_device_query_sized(ctx, device, info, sizeof *info);
}

/** Versions of the libraries in use, one per line; says which were looked for and not found. */
TSL_API const char *tsl_libraries(void);

typedef struct tsl_counters {
    int64_t to_device, to_host, peer;                   /**< blocks moved */
    int64_t bytes_to_device, bytes_to_host, bytes_peer; /**< their bytes */
    int64_t launches;                                   /**< leaf computations */
    int64_t tasks, hits, evictions; /**< on tiles: tasks run, tiles found where they were needed, tiles that had to leave */
    double idle;                    /**< seconds devices had nothing to do while tasks were left; the sum over devices */
} tsl_counters;

/** What the context has done since it was made, or since the counters were reset. size: sizeof *out. */
TSL_API tsl_status tsl_counters_get_sized(tsl_context *ctx, tsl_counters *out, size_t size);
/** tsl_counters_get_sized with the size */
static inline tsl_status tsl_counters_get(tsl_context *ctx, tsl_counters *out)
{
    return tsl_counters_get_sized(ctx, out, sizeof *out);
}
TSL_API tsl_status tsl_counters_reset(tsl_context *ctx); /**< all are zero again */

/** TESELA_TRACE=FILE in the environment: Chrome trace events of all contexts of the process, devices and lanes by their names. %r in FILE
 * is the process's rank under mpirun or srun and %p its id; with neither, where there are ranks, FILE is trace.3.json for trace.json on
 * rank 3. The file is a JSON array after each write; this writes what was gathered meanwhile. All that a signal that ends the process
 * in the midst of a write can cost is the closing bracket, which the format lets be absent (viewers and tesela report do without).
 * TSL_ERR_FILE: it could not be opened, or not all of it be written (tsl_error(NULL) says why), and tracing has ended; what was written
 * before is whole. TSL_OK also where nothing is traced. */
TSL_API tsl_status tsl_trace_flush(void);

/* ---- matrices and views ------------------------------------------------------------------------------------------------- */

/** A matrix owns or wraps storage. A view is a small value: a block of a matrix, seen through an op and as a triangle or whole. */
typedef struct tsl_matrix tsl_matrix;

typedef enum tsl_op { TSL_NOTRANS = 0, TSL_TRANS = 1, TSL_CONJ = 2, TSL_HERM = 3 } tsl_op; /**< bit 0 transposes, bit 1 conjugates, which of real elements is nothing */
typedef enum tsl_uplo { TSL_GENERAL = 0, TSL_LOWER = 1, TSL_UPPER = 2 } tsl_uplo;
typedef enum tsl_diag { TSL_NONUNIT = 0, TSL_UNIT = 1 } tsl_diag;
typedef enum tsl_side { TSL_LEFT = 0, TSL_RIGHT = 1 } tsl_side;

typedef struct tsl_view {
    tsl_matrix *mat;    /**< NULL: an invalid view; operations on it return TSL_ERR_VIEW */
    int64_t i, j, m, n; /**< the block, in the coordinates of the storage (before op) */
    tsl_op op;
    tsl_uplo uplo;      /**< the triangle, in the storage (before op) */
    tsl_diag diag;
    int32_t problem;    /**< of a batch: 1 + the one that is meant; 0: all of them */
} tsl_view;

/** m x n on the context's first device, in columns of tsl_matrix_ld elements, the last one too; contents undefined. */
TSL_API tsl_status tsl_matrix_create(tsl_context *ctx, tsl_type type, int64_t m, int64_t n, tsl_matrix **A);
/** The caller's array, host or device memory, recognised; not copied, not freed by us. */
TSL_API tsl_status tsl_matrix_wrap(tsl_context *ctx, tsl_type type, int64_t m, int64_t n, void *data, int64_t ld,
                                   tsl_matrix **A);
/** A batch: `count` problems of m x n on the context's first device, one after the other; contents undefined. */
TSL_API tsl_status tsl_batch_create(tsl_context *ctx, tsl_type type, int64_t m, int64_t n, int64_t count, tsl_matrix **A);
/** A batch in the caller's memory: problem k is at data + k * stride elements. A stride of 0: the same matrix each time, to be read. */
TSL_API tsl_status tsl_batch_wrap(tsl_context *ctx, tsl_type type, int64_t m, int64_t n, void *data, int64_t ld, int64_t stride, int64_t count,
                                  tsl_matrix **A);
/** The same with problem k at each[k], all in the memory of one place. The array of pointers is in host memory, or where the problems are; it is
 * the caller's, and is read by every call, which checks it as the typed calls on batches do. */
TSL_API tsl_status tsl_batch_wrap_pointers(tsl_context *ctx, tsl_type type, int64_t m, int64_t n, void *const *each, int64_t ld, int64_t count,
                                           tsl_matrix **A);
TSL_API int64_t tsl_batch_count(const tsl_matrix *A); /**< how many problems; of a matrix that is no batch 1 */
TSL_API void tsl_matrix_free(tsl_matrix *A); /**< waits for the work that uses it, and for calls of other threads; NULL is allowed; the context may be gone */
TSL_API void *tsl_matrix_data(const tsl_matrix *A); /**< of a flat matrix: its first element, where it lives */
TSL_API int64_t tsl_matrix_ld(const tsl_matrix *A); /**< its leading dimension */
TSL_API tsl_type tsl_matrix_type(const tsl_matrix *A); /**< of its elements */

TSL_API tsl_view tsl_whole(tsl_matrix *A);                   /**< all of it */
TSL_API tsl_view tsl_problem(tsl_view v, int64_t k); /**< of a batch problem k alone, 0 .. count - 1; invalid if there is none such */
TSL_API int64_t tsl_rows(tsl_view v);                        /**< sizes as seen through op */
TSL_API int64_t tsl_cols(tsl_view v); /**< the same of columns */
TSL_API tsl_view tsl_sub(tsl_view v, int64_t i, int64_t j, int64_t m, int64_t n); /**< a block, whole; invalid if outside */
TSL_API tsl_view tsl_trans(tsl_view v); /**< its transpose; nothing moves */
TSL_API tsl_view tsl_conj(tsl_view v); /**< its conjugate */
TSL_API tsl_view tsl_herm(tsl_view v);  /**< conjugate transpose */
TSL_API tsl_view tsl_lower(tsl_view v); /**< the lower triangle of v as seen */
TSL_API tsl_view tsl_upper(tsl_view v); /**< the upper one */
TSL_API tsl_view tsl_general(tsl_view v); /**< no triangle */
TSL_API tsl_view tsl_unit(tsl_view v);  /**< ones on the diagonal, not read */
TSL_API tsl_uplo tsl_triangle(tsl_view v); /**< which triangle, as seen */

/** Partitionings, as in the textbook. A piece that would lie past the edge has size 0. Diagonal blocks keep the triangle. */
typedef struct tsl_part2 { tsl_view TL, TR, BL, BR; } tsl_part2;
typedef struct tsl_part3 { tsl_view A00, A01, A02, A10, A11, A12, A20, A21, A22; } tsl_part3;
typedef struct tsl_strips { tsl_view A0, A1, A2; } tsl_strips;

TSL_API tsl_part2 tsl_partition2(tsl_view A, int64_t i, int64_t j);       /**< TL is i x j */
TSL_API tsl_part3 tsl_partition(tsl_view A, int64_t k, int64_t nb);       /**< A00 is k x k, A11 is nb x nb or what is left */
TSL_API tsl_part3 tsl_partition_back(tsl_view A, int64_t k, int64_t nb);  /**< A22 is k x k when A is square, A11 nb x nb before it */
TSL_API tsl_strips tsl_block_rows(tsl_view A, int64_t k, int64_t nb);     /**< A0 has k rows, A1 nb, A2 the rest */
/** The same from the end: A2 has k rows, A1 nb before it, A0 the rest. */
TSL_API tsl_strips tsl_block_rows_back(tsl_view A, int64_t k, int64_t nb);
TSL_API tsl_strips tsl_block_cols(tsl_view A, int64_t k, int64_t nb); /**< A0 has k columns, A1 nb, A2 the rest */
/** The same from the end: A2 has k columns, A1 nb before it, A0 the rest. */
TSL_API tsl_strips tsl_block_cols_back(tsl_view A, int64_t k, int64_t nb);

/** What a typed call ("dgemm", "zpotrf", ...) on arrays in host memory will do: one device or tiles and why, where diagonal blocks are
 * factored, which tiles and why, memory, bytes moved, and the time predicted from a short product and a short copy made now. m and k as in the routine;
 * those it has not are ignored. */
TSL_API tsl_status tsl_explain(tsl_context *ctx, const char *routine, int64_t m, int64_t n, int64_t k, char *text, size_t size);

/** The work of a typed call: additions and multiplications, those of complex numbers counted as four of real ones each. Sizes as in the
 * routine, those it has not are ignored; of one with a side as if it were on the left: a symmetric matrix or a triangle is m x m. NaN: there
 * is no such routine, or a size is negative. */
TSL_API double tsl_flops(const char *routine, int64_t m, int64_t n, int64_t k);

/* -- tiles: a matrix cut into tiles of nb x nb (those of the last row and column may be smaller), computed by all devices of the
 * context. A call with a tiled operand is cut into tasks on tiles; its other operands may be flat. Levels 1, 2 and 3 of dense matrices, norms,
 * Cholesky, LU and their kin, QR and least squares, tsl_solve, copies, sums, scalings and fillings, tsl_expand have such a form; calls on bands
 * and packed triangles return TSL_ERR_LAYOUT. Results do not depend on the number of devices, on the schedule or on the memory there is, only on the
 * kind of device and on nb, which depends on that memory where it is the library's choice; and where the host's cores, without a limit of
 * memory, are the only one, on their number and on whether the matrix is the caller's own array. -- */

/** Storage of ours; contents undefined until written. Tiles live on the devices that use them; memory there is a cache of them. */
TSL_API tsl_status tsl_tiled_create(tsl_context *ctx, tsl_type type, int64_t m, int64_t n, int64_t nb, tsl_matrix **A);
/** The caller's array in host or device memory, in place. It is current after tsl_wait, and after every call outside a region; between
 * calls outside a region it is the caller's, and the next call sees what is in it then, whoever wrote it. */
TSL_API tsl_status tsl_tiled_wrap(tsl_context *ctx, tsl_type type, int64_t m, int64_t n, void *data, int64_t ld, int64_t nb,
                                  tsl_matrix **A);
/** Which device (an index in the context) each tile, in row i and column j of tiles, belongs to; asked once for each, and if one answer
 * is no device nothing changes. By default as option "dist" says. */
TSL_API tsl_status tsl_tiled_place(tsl_matrix *A, int (*owner)(void *user, int64_t i, int64_t j), void *user);
/** Opens a region, which tsl_wait ends and nothing else does; in an open one it does nothing.
 *  - Calls whose operands are all tiled only submit their tasks, which run meanwhile, in any order that gives the result of the sequence.
 *    Calls with both tiled and flat operands wait, and so do those with a view that begins inside a tile, those that make a number and
 *    those with a place for info.
 *  - Devices keep copies of tiles from call to call. For that the caller promises not to read or write wrapped arrays, by itself or
 *    through another context, from tsl_begin to tsl_wait. What is in them at tsl_begin counts. Calls of this context on the same memory,
 *    flat or wrapped once more, are seen in their order: they wait for what was submitted before them, and tiles are read again.
 *  - Errors of submitted work are tsl_wait's. A call on tiles that follows may return the first of them and do nothing; so do tsl_info
 *    and options that wait. tsl_wait returns it all the same, and the outcome is 0 then. A call's own error is its own: what was
 *    submitted before it is computed.
 *  - Outcomes: a non-null info is the call's own; tsl_info has that of the first failure, whether it was asked for already or not. A call
 *    with an outcome on flat matrices waits for it. */
TSL_API tsl_status tsl_begin(tsl_context *ctx);

/* ---- operations on views ------------------------------------------------------------------------------------------------ */

/* What may overlap, here and in the typed calls. Operands that are only read may share memory, or be the same. One that is written
 * must not share an element with another operand: TSL_ERR_OVERLAP. It is elements that count, not addresses: parts of one array that
 * lie between each other's columns, vectors that lie between each other's elements and the two triangles of a square are apart; of a
 * triangle only its own elements count, without a unit diagonal (in posv, which writes both operands, all of A's square). What goes
 * element by element, copy, geadd, axpy and swap, may share those that have the same place in both operands: all (x and y the same vector),
 * or the diagonal (tsl_copy(tsl_lower(A), tsl_trans(tsl_upper(A))) mirrors a triangle), and tsl_expand may fill in the matrix that
 * its triangle lies in. An operand that cannot influence the result, because alpha or a size is zero, may be anywhere. */

/** B := A, where A may be seen through any op and either may be a triangle (then only that triangle is read and written). */
TSL_API tsl_status tsl_copy(tsl_context *ctx, tsl_view A, tsl_view B);
/** A := alpha A; alpha = 0 overwrites whatever is there. A triangle leaves the rest alone. */
TSL_API tsl_status tsl_scale(tsl_context *ctx, tsl_scalar alpha, tsl_view A);
/** B := alpha A + beta B, A seen through any op, sizes and triangles as in tsl_copy; B is not read if beta is zero, nor A if alpha is. */
TSL_API tsl_status tsl_geadd(tsl_context *ctx, tsl_scalar alpha, tsl_view A, tsl_scalar beta, tsl_view B);
/** A := beta on the diagonal and alpha elsewhere: with 0 and 1 the identity. A may be a triangle, which need not be square and leaves the rest alone. */
TSL_API tsl_status tsl_laset(tsl_context *ctx, tsl_scalar alpha, tsl_scalar beta, tsl_view A);
/** A := random numbers, independent and uniform in -1 <= x < 1, of complex elements both parts. Element (i,j) of A as seen depends on seed, i, j
 * and the type alone: it is the same on every device and in every layout. A triangle leaves the rest alone. */
TSL_API tsl_status tsl_random(tsl_context *ctx, uint64_t seed, tsl_view A);
/** value := element (i,j) of A as seen, counted from 0, whatever triangle is meant; of indices the nearest double. Waits. Outside A: TSL_ERR_VIEW. */
TSL_API tsl_status tsl_get_element(tsl_context *ctx, tsl_view A, int64_t i, int64_t j, tsl_scalar *value);
/** element (i,j) of A as seen := value; the same. TSL_ERR_TYPE: the type cannot hold it, a real one no imaginary part, indices nothing but integers
 * of 64 bits. It is rounded to single precision. */
TSL_API tsl_status tsl_set_element(tsl_context *ctx, tsl_view A, int64_t i, int64_t j, tsl_scalar value);
/* Vectors are views with one row or one column. */

/* -- level 1: vectors; those that make a number of them wait for it, and it is zero for no elements -- */
/** x := alpha x; unlike tsl_scale alpha = 0 keeps NaN, and makes NaN of Inf */
TSL_API tsl_status tsl_scal(tsl_context *ctx, tsl_scalar alpha, tsl_view x);
/** y := alpha x + y; alpha = 0 reads and writes nothing */
TSL_API tsl_status tsl_axpy(tsl_context *ctx, tsl_scalar alpha, tsl_view x, tsl_view y);
/** x and y exchanged */
TSL_API tsl_status tsl_swap(tsl_context *ctx, tsl_view x, tsl_view y);
/** x := c x + s y and y := c y - conj(s) x at once */
TSL_API tsl_status tsl_rot(tsl_context *ctx, tsl_view x, tsl_view y, double c, tsl_scalar s);
/** [x; y] := H [x; y], real types only; param as in BLAS: param[0] = -1: H = [param[1] param[3]; param[2] param[4]]; 0: the same
 * with ones on the diagonal; 1: with h12 = 1 and h21 = -1; -2: the identity */
TSL_API tsl_status tsl_rotm(tsl_context *ctx, tsl_view x, tsl_view y, const double param[5]);
/** result := x^T y; a conjugated view of x gives x^H y */
TSL_API tsl_status tsl_dot(tsl_context *ctx, tsl_view x, tsl_view y, tsl_scalar *result);
/** result := the 2-norm of x, without overflow or underflow on the way; NaN if there is one */
TSL_API tsl_status tsl_nrm2(tsl_context *ctx, tsl_view x, double *result);
/** result := the sum of |re| + |im| */
TSL_API tsl_status tsl_asum(tsl_context *ctx, tsl_view x, double *result);
/** result := the place, counted from 1, of the first NaN, else of the first element whose |re| + |im| is largest */
TSL_API tsl_status tsl_iamax(tsl_context *ctx, tsl_view x, int64_t *result);

/* -- level 2 -- */
/** y := alpha A x + beta y */
TSL_API tsl_status tsl_gemv(tsl_context *ctx, tsl_scalar alpha, tsl_view A, tsl_view x, tsl_scalar beta, tsl_view y);
/** y := alpha A x + beta y with A symmetric (symv) or Hermitian (hemv), given by a triangle */
TSL_API tsl_status tsl_symv(tsl_context *ctx, tsl_scalar alpha, tsl_view A, tsl_view x, tsl_scalar beta, tsl_view y);
/** y := alpha A x + beta y, A Hermitian, given by a triangle */
TSL_API tsl_status tsl_hemv(tsl_context *ctx, tsl_scalar alpha, tsl_view A, tsl_view x, tsl_scalar beta, tsl_view y);
/** A := alpha x y^T + A; a conjugated view of y gives x y^H. Here and in the updates below alpha = 0 touches nothing. */
TSL_API tsl_status tsl_ger(tsl_context *ctx, tsl_scalar alpha, tsl_view x, tsl_view y, tsl_view A);
/** A := alpha x x^T + A (syr), alpha x x^H + A (her), alpha x y^T + alpha y x^T + A (syr2), alpha x y^H + conj(alpha) y x^H + A
 * (her2), on a triangle of A; the imaginary part of a Hermitian diagonal is taken as zero and set to zero */
TSL_API tsl_status tsl_syr(tsl_context *ctx, tsl_scalar alpha, tsl_view x, tsl_view A);
/** A := alpha x x^H + A on a triangle; see tsl_syr */
TSL_API tsl_status tsl_her(tsl_context *ctx, double alpha, tsl_view x, tsl_view A);
/** A := alpha x y^T + alpha y x^T + A on a triangle; see tsl_syr */
TSL_API tsl_status tsl_syr2(tsl_context *ctx, tsl_scalar alpha, tsl_view x, tsl_view y, tsl_view A);
/** A := alpha x y^H + conj(alpha) y x^H + A on a triangle; see tsl_syr */
TSL_API tsl_status tsl_her2(tsl_context *ctx, tsl_scalar alpha, tsl_view x, tsl_view y, tsl_view A);
/** x := A x (trmv) or inv(A) x (trsv), A a triangle */
TSL_API tsl_status tsl_trmv(tsl_context *ctx, tsl_view A, tsl_view x);
/** x := inv(A) x, A a triangle */
TSL_API tsl_status tsl_trsv(tsl_context *ctx, tsl_view A, tsl_view x);
/** The same for matrices stored by bands or packed. The view AB or AP is only the storage, as BLAS lays it out, whole and seen
 * through no op: AB has a row for each diagonal and a column for each of the matrix, AP is one column of n (n+1) / 2 elements.
 * The arguments describe the matrix. Symmetric ones (sbmv, spmv, spr, spr2) are real. */
TSL_API tsl_status tsl_gbmv(tsl_context *ctx, tsl_op trans, int64_t m, int64_t n, int64_t kl, int64_t ku, tsl_scalar alpha,
                            tsl_view AB, tsl_view x, tsl_scalar beta, tsl_view y);
/** y := alpha A x + beta y, A symmetric with k diagonals on either side; see tsl_gbmv */
TSL_API tsl_status tsl_sbmv(tsl_context *ctx, tsl_uplo uplo, int64_t n, int64_t k, tsl_scalar alpha, tsl_view AB, tsl_view x,
                            tsl_scalar beta, tsl_view y);
/** y := alpha A x + beta y, A Hermitian with k diagonals on either side; see tsl_gbmv */
TSL_API tsl_status tsl_hbmv(tsl_context *ctx, tsl_uplo uplo, int64_t n, int64_t k, tsl_scalar alpha, tsl_view AB, tsl_view x,
                            tsl_scalar beta, tsl_view y);
/** x := A x, A a triangle with k diagonals beside the main one; see tsl_gbmv */
TSL_API tsl_status tsl_tbmv(tsl_context *ctx, tsl_uplo uplo, tsl_op trans, tsl_diag diag, int64_t n, int64_t k, tsl_view AB,
                            tsl_view x);
/** x := inv(A) x, A a triangle with k diagonals beside the main one; see tsl_gbmv */
TSL_API tsl_status tsl_tbsv(tsl_context *ctx, tsl_uplo uplo, tsl_op trans, tsl_diag diag, int64_t n, int64_t k, tsl_view AB,
                            tsl_view x);
/** y := alpha A x + beta y, A symmetric and packed; see tsl_gbmv */
TSL_API tsl_status tsl_spmv(tsl_context *ctx, tsl_uplo uplo, int64_t n, tsl_scalar alpha, tsl_view AP, tsl_view x, tsl_scalar beta,
                            tsl_view y);
/** y := alpha A x + beta y, A Hermitian and packed; see tsl_gbmv */
TSL_API tsl_status tsl_hpmv(tsl_context *ctx, tsl_uplo uplo, int64_t n, tsl_scalar alpha, tsl_view AP, tsl_view x, tsl_scalar beta,
                            tsl_view y);
/** A := alpha x x^T + A, A symmetric and packed; see tsl_gbmv */
TSL_API tsl_status tsl_spr(tsl_context *ctx, tsl_uplo uplo, int64_t n, tsl_scalar alpha, tsl_view x, tsl_view AP);
/** A := alpha x x^H + A, A Hermitian and packed; see tsl_gbmv */
TSL_API tsl_status tsl_hpr(tsl_context *ctx, tsl_uplo uplo, int64_t n, double alpha, tsl_view x, tsl_view AP);
/** A := alpha x y^T + alpha y x^T + A, A symmetric and packed; see tsl_gbmv */
TSL_API tsl_status tsl_spr2(tsl_context *ctx, tsl_uplo uplo, int64_t n, tsl_scalar alpha, tsl_view x, tsl_view y, tsl_view AP);
/** A := alpha x y^H + conj(alpha) y x^H + A, A Hermitian and packed; see tsl_gbmv */
TSL_API tsl_status tsl_hpr2(tsl_context *ctx, tsl_uplo uplo, int64_t n, tsl_scalar alpha, tsl_view x, tsl_view y, tsl_view AP);
/** x := A x, A a packed triangle; see tsl_gbmv */
TSL_API tsl_status tsl_tpmv(tsl_context *ctx, tsl_uplo uplo, tsl_op trans, tsl_diag diag, int64_t n, tsl_view AP, tsl_view x);
/** x := inv(A) x, A a packed triangle; see tsl_gbmv */
TSL_API tsl_status tsl_tpsv(tsl_context *ctx, tsl_uplo uplo, tsl_op trans, tsl_diag diag, int64_t n, tsl_view AP, tsl_view x);
/* -- level 3 -- */
/** C := alpha A B + beta C */
TSL_API tsl_status tsl_gemm(tsl_context *ctx, tsl_scalar alpha, tsl_view A, tsl_view B, tsl_scalar beta, tsl_view C);
/** C := alpha A B + beta C, on a triangle of C only */
TSL_API tsl_status tsl_gemmt(tsl_context *ctx, tsl_scalar alpha, tsl_view A, tsl_view B, tsl_scalar beta, tsl_view C);
/** LEFT: C := alpha A B + beta C; RIGHT: C := alpha B A + beta C; A is symmetric (symm) or Hermitian (hemm), given by a triangle */
TSL_API tsl_status tsl_symm(tsl_context *ctx, tsl_side side, tsl_scalar alpha, tsl_view A, tsl_view B, tsl_scalar beta, tsl_view C);
/** The same with A Hermitian. */
TSL_API tsl_status tsl_hemm(tsl_context *ctx, tsl_side side, tsl_scalar alpha, tsl_view A, tsl_view B, tsl_scalar beta, tsl_view C);
/** LEFT: B := alpha A B; RIGHT: B := alpha B A; A is a triangle. */
TSL_API tsl_status tsl_trmm(tsl_context *ctx, tsl_side side, tsl_scalar alpha, tsl_view A, tsl_view B);
/** LEFT: B := alpha inv(A) B; RIGHT: B := alpha B inv(A); A is a triangle. */
TSL_API tsl_status tsl_trsm(tsl_context *ctx, tsl_side side, tsl_scalar alpha, tsl_view A, tsl_view B);
/** C := alpha A A^T + beta C, on a triangle of C */
TSL_API tsl_status tsl_syrk(tsl_context *ctx, tsl_scalar alpha, tsl_view A, tsl_scalar beta, tsl_view C);
/** C := alpha A A^H + beta C, on a triangle of C; the diagonal's imaginary part is taken as zero and set to zero, except where
 * there is nothing to do (no product and beta = 1): then, as in BLAS, C is not touched */
TSL_API tsl_status tsl_herk(tsl_context *ctx, double alpha, tsl_view A, double beta, tsl_view C);
/** C := alpha A B^T + alpha B A^T + beta C, on a triangle of C */
TSL_API tsl_status tsl_syr2k(tsl_context *ctx, tsl_scalar alpha, tsl_view A, tsl_view B, tsl_scalar beta, tsl_view C);
/** C := alpha A B^H + conj(alpha) B A^H + beta C, on a triangle of C; its diagonal as in herk */
TSL_API tsl_status tsl_her2k(tsl_context *ctx, tsl_scalar alpha, tsl_view A, tsl_view B, double beta, tsl_view C);
/** B := the whole matrix a triangle A stands for: symmetric, Hermitian (its diagonal's imaginary part dropped), or triangular
 * (zeros on the other side, ones on a unit diagonal) */
typedef enum tsl_structure { TSL_SYMMETRIC = 0, TSL_HERMITIAN = 1, TSL_TRIANGULAR = 2 } tsl_structure;
TSL_API tsl_status tsl_expand(tsl_context *ctx, tsl_structure s, tsl_view A, tsl_view B);
/** result := the largest |a_ij| (max), sum of |a_ij| down a column (one) or along a row (inf), or the root of the sum of |a_ij|^2
 * (fro) of A as seen, or, if A is a triangle, of the matrix it stands for as in tsl_expand; a triangular one need not be square.
 * Waits. No overflow or underflow on the way; zero for no elements; NaN if one was read. */
typedef enum tsl_norm_kind { TSL_NORM_MAX = 0, TSL_NORM_ONE = 1, TSL_NORM_INF = 2, TSL_NORM_FRO = 3 } tsl_norm_kind;
TSL_API tsl_status tsl_norm(tsl_context *ctx, tsl_norm_kind kind, tsl_structure s, tsl_view A, double *result);
/** A = L L^H (A a lower triangle) or U^H U (upper), in place. info = j: the leading minor of order j is not positive definite. */
TSL_API tsl_status tsl_potrf(tsl_context *ctx, tsl_view A, int64_t *info);
/** A := inv(A), A a triangle, of which a unit diagonal is neither read nor written. info = j: A(j,j) is exactly zero, and nothing is
 * changed. Past the order a device's own routine takes the call waits to know that. */
TSL_API tsl_status tsl_trtri(tsl_context *ctx, tsl_view A, int64_t *info);
/** A := L^H L (A a lower triangle L) or U U^H (upper), that triangle of it. The diagonal of L or U is real, as a Cholesky factor's
 * and its inverse's is. On a GPU zeros are multiplied too, as in trmm. */
TSL_API tsl_status tsl_lauum(tsl_context *ctx, tsl_view A);
/** A := the inverse of L L^H (A a lower triangle L) or U^H U (upper), that triangle of it: potrf's factor becomes the inverse of what
 * was factored. info as in trtri; the call waits for it. */
TSL_API tsl_status tsl_potri(tsl_context *ctx, tsl_view A, int64_t *info);
/** B := the solution X of L L^H X = B (A a lower triangle L) or U^H U X = B (upper): A is potrf's factor */
TSL_API tsl_status tsl_potrs(tsl_context *ctx, tsl_view A, tsl_view B);
/** potrf of A, then B := the solution X of A X = B. info as in potrf; if it is not 0 B is not touched. The call waits for it. */
TSL_API tsl_status tsl_posv(tsl_context *ctx, tsl_view A, tsl_view B, int64_t *info);

/** LU: P A = L U with partial pivoting, A m x n, as it is stored: L, whose diagonal of ones is not stored, and U overwrite A. p is a column
 * of min(m,n) indices (TSL_INDEX): row i was exchanged with row p(i) - 1, first i = 0, as in LAPACK. info = j: U(j,j) is exactly zero, the
 * first such; the factors are there all the same. Variants "tournament", "nopiv" and "window" have other pivots, and are taken only by
 * name (docs/blas.md): of "nopiv", without exchanges, and of "window", with those of some rows, the factors are of no use after a zero. */
TSL_API tsl_status tsl_getrf(tsl_context *ctx, tsl_view A, tsl_view p, int64_t *info);
/** A := its rows exchanged as p says, from the first pivot on, or if `backward` from the last. A seen transposed: its columns. Pivots
 * must be between 1 and the number of rows, here and in getrs, getri and getrs_incpiv: else TSL_ERR_PIVOT. Pivots in the caller's memory are looked
 * at first: the call changes nothing, and tsl_error names the first bad one. Those in memory of a device, or that work of an open region is yet to
 * write, are looked at when they are used: the call, or tsl_wait, returns TSL_ERR_PIVOT, no memory but that of the operands is written, and what
 * these hold is undefined. */
TSL_API tsl_status tsl_laswp(tsl_context *ctx, tsl_view A, tsl_view p, int backward);
/** B := the solution X of A X = B, A and p as getrf left them; with A seen through an op, of op(A) X = B */
TSL_API tsl_status tsl_getrs(tsl_context *ctx, tsl_view A, tsl_view p, tsl_view B);
/** getrf of A, then B := the solution X of A X = B. info as in getrf; if it is not 0 B is not touched. The call waits for it. */
TSL_API tsl_status tsl_gesv(tsl_context *ctx, tsl_view A, tsl_view p, tsl_view B, int64_t *info);
/** The determinant of the matrix that A holds the factors of is phase * exp(logabs), without overflow or underflow: phase is 1, -1 or a complex
 * number of modulus 1, or 0 beside a logabs of -inf. A is square: getrf's factors with their pivots p, or a triangle, potrf's factor, of
 * which p is not looked at. Of op(A) where A is seen through one. Of order 0 it is 1. Flat, tiled and distributed matrices; the call waits.
 * TSL_ERR_PIVOT: a pivot is not one of 1 .. n. */
TSL_API tsl_status tsl_logdet(tsl_context *ctx, tsl_view A, tsl_view p, tsl_scalar *phase, double *logabs);
/** B := A, rounded to single precision or widened to double (s and d, c and z); either may be a triangle, as in tsl_copy. info = 1: an
 * element does not fit single precision. */
TSL_API tsl_status tsl_convert(tsl_context *ctx, tsl_view A, tsl_view B, int64_t *info);
/** A := the inverse of what getrf left in A and p. info = j: U(j,j) is exactly zero, and nothing is changed. The call waits for it. */
TSL_API tsl_status tsl_getri(tsl_context *ctx, tsl_view A, tsl_view p, int64_t *info);

/** QR: A = Q R, A m x n: R overwrites A's upper triangle, and below it are the reflectors that Q is the product of, H(1) H(2) .. with
 * H(i) = I - tau(i) v v^H, as LAPACK stores them; tau is a column of min(m,n) elements. A seen through its conjugate transpose (of real
 * elements, transposed) is factored as it is seen: what is stored then is LAPACK's LQ of the stored matrix, with the same tau. */
TSL_API tsl_status tsl_geqrf(tsl_context *ctx, tsl_view A, tsl_view tau);
/** LEFT: C := Q C; RIGHT: C := C Q; with trans TSL_HERM (or TSL_TRANS, if real) Q^H for Q: Q is the product of the reflectors that geqrf
 * left in A as it is seen, as many as tau has elements. C may be seen through its conjugate transpose. */
TSL_API tsl_status tsl_ormqr(tsl_context *ctx, tsl_side side, tsl_op trans, tsl_view A, tsl_view tau, tsl_view C);
/** A := the first columns of Q, as many as A has as it is seen, no more than rows; tau may have fewer elements than that */
TSL_API tsl_status tsl_orgqr(tsl_context *ctx, tsl_view A, tsl_view tau);
/** Least squares, A of full rank, m x n as seen (as it is stored, or its conjugate transpose). m >= n: the first n rows of B become the X of
 * least |A X - B|, the first m having been B, and the sum of the squares of a column's others is that of its residual (of B as it was scaled, if its elements
 * are near the ends of the range: as in LAPACK). m < n: of the X
 * with A X = B that of least |X|. B has max(m,n) rows. A becomes its factors, as geqrf leaves them in A or in A^H. info = j: the j-th
 * element of R's diagonal is exactly zero, and there is no solution. The call waits for it. A that is zero gives zeros. */
TSL_API tsl_status tsl_gels(tsl_context *ctx, tsl_view A, tsl_view B, int64_t *info);

/** QR with column pivoting: A P = Q R, A m x n as it is stored, R and Q as geqrf leaves them, the diagonal of R not increasing in size. p is a column of n TSL_INDEX.
 * Before: p(j) not 0: column j comes to the front, before those that are pivoted; after: column j of A P was column p(j) of A, counted from 1. In LAPACK's
 * way, pivots too: on a GPU lengths of columns are measured where LAPACK's are updated, so that another one may come first where they are equal up to
 * rounding. On one device, as sytrd, in these four calls. */
TSL_API tsl_status tsl_geqp3(tsl_context *ctx, tsl_view A, tsl_view p, tsl_view tau);
/** The same by blocks, whose pivots are those of a random sketch of what is left of A: much faster on a GPU, and nearly as good at finding the rank. The
 * diagonal of R decreases from block to block, and within one up to a small factor. p is only written. It stops after the block in which `most`
 * columns are done, or an element of R's diagonal is not larger than tolerance times the first; *rank, if not NULL, becomes how many came before, at most
 * `most`. The first *rank rows of R and reflectors are there then, and tau is zero for columns that are not done. tolerance 0: to the end; what comes after a
 * zero of the diagonal does not count. One seed gives the same numbers each time. It waits where there is a tolerance. */
TSL_API tsl_status tsl_geqp3_random(tsl_context *ctx, tsl_view A, tsl_view p, tsl_view tau, int64_t most, double tolerance, int64_t seed, int64_t *rank);
/** Least squares, A of any rank, m x n as it is stored: the first n rows of B, of max(m,n) rows, become of the X with least |A X - B| that of least |X|; the first
 * m were B. By geqp3 with p as there: *rank, if not NULL, becomes the order of the largest leading triangle of R whose condition, estimated as LAPACK does, is
 * less than 1 / rcond; the rest counts as zero. A is overwritten: the upper triangle of its leading block of order *rank then has the singular values of A without
 * that rest. If an element is not finite X is NaN and the rank 0. The call waits. */
TSL_API tsl_status tsl_gelsy(tsl_context *ctx, tsl_view A, tsl_view p, tsl_view B, double rcond, int64_t *rank);
/** The same by singular values, which s, a column of min(m,n) of A's real type, becomes, descending: those of at most rcond times the first count as zero; a negative
 * rcond: roundoff. *rank: those that do not. m > n: with *rank = n the sum of the squares of the last m - n rows of a column of B is that of its residual.
 * On a GPU the values are those of tsl_gesvd. info as there, and then X and s are NaN. */
TSL_API tsl_status tsl_gelsd(tsl_context *ctx, tsl_view A, tsl_view s, tsl_view B, double rcond, int64_t *rank, int64_t *info);

/** A = L D L^T of a symmetric matrix (sytrf), A = L D L^H of a Hermitian one (hetrf; of real elements the same), given by a lower triangle; by an upper one
 * A = U D U^T. In place, in LAPACK's format, with its pivots (Bunch and Kaufman): D has blocks of order 1 and 2. p is a column of TSL_INDEX: p(k) > 0: row and
 * column k, counted from 1, were exchanged with p(k), and the block is of order 1; p(k) = p(k+1) < 0, upper: p(k-1): of order 2, and k + 1 (k - 1) was
 * exchanged with -p(k). info = j: block j of D, of order 1, is exactly zero; the factors are there. The other triangle is not touched. A is as it is
 * stored. On one device, in these eight calls: tiled operands, and distributed ones, return TSL_ERR_LAYOUT. */
TSL_API tsl_status tsl_sytrf(tsl_context *ctx, tsl_view A, tsl_view p, int64_t *info);
/** A = L D L^H or U D U^H: see tsl_sytrf */
TSL_API tsl_status tsl_hetrf(tsl_context *ctx, tsl_view A, tsl_view p, int64_t *info);
/** B := the solution X of A X = B, A and p as sytrf left them. Pivots that are none: TSL_ERR_PIVOT, as in getrs. On a GPU there is a copy of A in workspace. */
TSL_API tsl_status tsl_sytrs(tsl_context *ctx, tsl_view A, tsl_view p, tsl_view B);
/** The same with what hetrf left */
TSL_API tsl_status tsl_hetrs(tsl_context *ctx, tsl_view A, tsl_view p, tsl_view B);
/** sytrf of A, then B := the solution X of A X = B. info as in sytrf; if it is not 0 B is not touched. The call waits for it. */
TSL_API tsl_status tsl_sysv(tsl_context *ctx, tsl_view A, tsl_view p, tsl_view B, int64_t *info);
/** The same by hetrf */
TSL_API tsl_status tsl_hesv(tsl_context *ctx, tsl_view A, tsl_view p, tsl_view B, int64_t *info);
/** A := the inverse, that triangle of it, of what sytrf left A and p of. info as in sytrf, and nothing is changed then. The call waits for it. */
TSL_API tsl_status tsl_sytri(tsl_context *ctx, tsl_view A, tsl_view p, int64_t *info);
/** The same of what hetrf left */
TSL_API tsl_status tsl_hetri(tsl_context *ctx, tsl_view A, tsl_view p, int64_t *info);

/** A symmetric or Hermitian A, n x n and given by a triangle, to tridiagonal form: A = Q T Q^H. d becomes T's diagonal, n elements, e the one beside
 * it, n - 1; both are columns of A's real type (TSL_D if A is TSL_Z). Q is the product of n - 1 reflectors H(i) = I - tau(i) v v^H, which are
 * stored as LAPACK's in A's triangle, with T; tau is a column of n - 1 elements. Lower: Q = H(1) H(2) .., v has its one in row i + 1 and what
 * is below that in column i. Upper: Q = H(n-1) .. H(1), v has its one in row i and what is above that in column i + 1. The other triangle
 * is not touched; a complex diagonal counts as real. A is as it is stored. On one device: tiled operands, and distributed ones, return TSL_ERR_LAYOUT,
 * in these three calls. */
TSL_API tsl_status tsl_sytrd(tsl_context *ctx, tsl_view A, tsl_view d, tsl_view e, tsl_view tau);
/** LEFT: C := Q C; RIGHT: C := C Q; with trans TSL_HERM (or TSL_TRANS, if real) Q^H for Q: A, the same triangle, and tau as sytrd left them. C may be
 * seen through its conjugate transpose. */
TSL_API tsl_status tsl_ormtr(tsl_context *ctx, tsl_side side, tsl_op trans, tsl_view A, tsl_view tau, tsl_view C);
/** A := Q, all of it; A, the triangle, and tau as sytrd left them */
TSL_API tsl_status tsl_orgtr(tsl_context *ctx, tsl_view A, tsl_view tau);
/** A symmetric or Hermitian A, n x n and given by its lower triangle, to a band: A = Q B Q^H, B with kd >= 1 diagonals beside the main one. AB, kd + 1 x n,
 * becomes B's lower half as LAPACK stores it: AB(i,j) is B(i + j, j), and zero where there is none. Q is the product of max(0, n - kd) reflectors: that of
 * column j has its one kd rows below the diagonal, and the rest is below that in A; above it A has B's elements. They are QR's reflectors, of all
 * rows but the first kd. T, kd x n, becomes what products with Q need: the triangles of panels, and in its last row the reflectors' factors. A may be the
 * conjugate transpose of an upper triangle; the other triangle is not touched, and a complex diagonal counts as real. A whose squares leave the range of
 * its type is the caller's to scale. By tiles too, where A is larger than a device's memory, and on grids of processes. */
TSL_API tsl_status tsl_sy2sb(tsl_context *ctx, tsl_view A, tsl_view AB, tsl_view T);
/** LEFT: C := Q C; RIGHT: C := C Q; with trans TSL_HERM (or TSL_TRANS, if real) Q^H for Q: A and T as sy2sb left them. C may be seen through its
 * conjugate transpose. Q itself is that of an identity. */
TSL_API tsl_status tsl_ormtr_sy2sb(tsl_context *ctx, tsl_side side, tsl_op trans, tsl_view A, tsl_view T, tsl_view C);

/** Eigenpairs of a real symmetric tridiagonal matrix of order n with the diagonal d, n elements, and e beside it, n - 1: columns of the real type of Z.
 * d becomes all eigenvalues, ascending; e is overwritten. Z, n x k as it is stored, becomes the eigenvectors number first .. first + k - 1, counted from 0,
 * of a complex type with imaginary parts of zero; k may be 0. By divide and conquer. info, here and in the next two calls: 0; or 1 .. n, and then
 * d and Z are NaN: an element of d or e was not finite (n), or an eigenvalue was not found. By tiles these are one task, of a device or, if it has
 * no room, of a core; steqr has no form there. Variant "host": by the host's cores, wherever the operands are. */
TSL_API tsl_status tsl_stedc(tsl_context *ctx, tsl_view d, tsl_view e, int64_t first, tsl_view Z, int64_t *info);
/** d := all eigenvalues of that matrix, ascending; memory for O(n) numbers */
TSL_API tsl_status tsl_sterf(tsl_context *ctx, tsl_view d, tsl_view e, int64_t *info);
/** d := all eigenvalues, Z := Z times the eigenvectors, Z n x n: by implicit QR, on the host's cores */
TSL_API tsl_status tsl_steqr(tsl_context *ctx, tsl_view d, tsl_view e, tsl_view Z, int64_t *info);

/** Which eigenpairs, numbered from 1 on with ascending eigenvalues: all; those number il .. iu; those with vl < eigenvalue <= vu */
typedef enum tsl_range { TSL_RANGE_ALL = 0, TSL_RANGE_INDEX = 1, TSL_RANGE_VALUE = 2 } tsl_range;
/** Zeros, as NULL, mean all */
typedef struct tsl_selection {
    tsl_range range;
    int64_t il, iu; /**< TSL_RANGE_INDEX: 1 <= il, il <= iu + 1, iu <= n */
    double vl, vu;  /**< TSL_RANGE_VALUE: vl < vu; infinite ones are no limits */
} tsl_selection;

/** Eigenpairs of a symmetric or Hermitian A, n x n and given by a triangle as it is stored. All of A is overwritten. w, a column of n elements of A's
 * real type, becomes the eigenvalues that are wanted, ascending, and zeros; *m, if not NULL, how many. V, n rows, becomes their eigenvectors, of
 * length 1, in its first *m columns, and zeros; if it has fewer columns: TSL_ERR_SHAPE, which by value is known late: then *m tells how many there must be, and A is
 * overwritten. V without columns, or without a matrix: no vectors. A is scaled where
 * its elements ask for it. info: 0; or 1 .. n, and then w and V are NaN: an element of A was not finite (n), or an eigenvalue was not found. The call
 * waits. By tiles too, where A is larger than a device's memory, and on grids of processes, there not by value. Of a batch by value m must be NULL, else TSL_ERR_LAYOUT; so must sdim of gees where it sorts. */
TSL_API tsl_status tsl_syev(tsl_context *ctx, tsl_view A, const tsl_selection *which, tsl_view w, tsl_view V, int64_t *m, int64_t *info);
/** The same of a real symmetric tridiagonal matrix, with d and e as of stedc; all are overwritten. The type of Z may be complex; if it has no columns it is real. */
TSL_API tsl_status tsl_stev(tsl_context *ctx, tsl_view d, tsl_view e, const tsl_selection *which, tsl_view w, tsl_view Z, int64_t *m, int64_t *info);
/** A, symmetric or Hermitian and given by a triangle, := inv(L) A inv(L)^H for itype 1, L^H A L for 2 and 3; L is the factor of potrf, given by its
 * triangle: B, or if that is upper its conjugate transpose */
TSL_API tsl_status tsl_sygst(tsl_context *ctx, int64_t itype, tsl_view A, tsl_view B);
/** Eigenpairs of A x = l B x (itype 1), A B x = l x (2) or B A x = l x (3), A and B given by triangles, B positive definite: else as syev. B becomes its
 * factor, as of potrf. Vectors: V^H B V = I, or for itype 3 V^H inv(B) V = I. info = n + j: B is not positive definite, as potrf's info j says. */
TSL_API tsl_status tsl_sygv(tsl_context *ctx, int64_t itype, tsl_view A, tsl_view B, const tsl_selection *which, tsl_view w, tsl_view V, int64_t *m,
                            int64_t *info);

/** A = Q B P^H, A m x n, m >= n, as it is stored, B an upper band of order n with kd diagonals above the main one, on top of zeros. AB, kd + 1 x n, becomes the band's
 * conjugate transpose as LAPACK stores a lower one: AB(i,j) is conj(B(j, i + j)), and zero where there is none. Q is the product of n reflectors, QR's, which are
 * below the diagonal of A with their factors in tauq, n elements. P is that of max(0, n - kd): LQ's of the first rows of A's columns but the first kd, with their
 * factors in taup, n elements. A whose squares leave the range of its type is the caller's to scale. On one device. */
TSL_API tsl_status tsl_ge2gb(tsl_context *ctx, tsl_view A, tsl_view AB, tsl_view tauq, tsl_view taup);
/** A, m x n and as it is stored, to bidiagonal form: A = Q B P^H. d becomes B's diagonal, min(m,n) elements, e the one beside it, one less: above the diagonal if
 * m >= n, else below; both are columns of A's real type. Q = H(1) H(2) .. and P = G(1) G(2) .. are products of reflectors as LAPACK stores them in A, with B;
 * tauq and taup, columns of min(m,n) elements, are their factors. m >= n: H(i) = I - tauq(i) v v^H has its one in row i and the rest below that in column i; G(i) =
 * I - taup(i) u u^H has its one in row i + 1, and the rest, conjugated, is in row i from column i + 2 on. m < n: the same of A^H, with Q and P exchanged. On a
 * GPU elements below 1e-33 times the largest, of double precision 1e-269, may count as zero. From order 2048 on it goes by a band, but for type c and where memory is short: then
 * those below 1e-19 and 1e-154 may. Else columns, or rows if m < n, of more than 512 KiB are left to the host's cores. On one device, as sytrd, in these three calls. */
TSL_API tsl_status tsl_gebrd(tsl_context *ctx, tsl_view A, tsl_view d, tsl_view e, tsl_view tauq, tsl_view taup);
/** Of which = TSL_LEFT: Q, with tau = tauq; TSL_RIGHT: P, with tau = taup; A, whole, as gebrd left it. C := that times C, C times that, or with trans as in ormtr
 * its conjugate transpose for it */
TSL_API tsl_status tsl_ormbr(tsl_context *ctx, tsl_side which, tsl_side side, tsl_op trans, tsl_view A, tsl_view tau, tsl_view C);
/** A, m x n, := the first columns of Q, of a matrix with k columns (which = TSL_LEFT: m >= n >= min(m,k)), or the first rows of P^H, of one with k rows (TSL_RIGHT:
 * n >= m >= min(n,k)); A and min(m,k), or min(n,k), factors tau as gebrd left them. A is as it is stored. */
TSL_API tsl_status tsl_orgbr(tsl_context *ctx, tsl_side which, int64_t k, tsl_view A, tsl_view tau);

/** Singular values and vectors of a real bidiagonal matrix of order n, B = U diag(d) VT, with the diagonal d, n elements, and e above it, n - 1, or, uplo
 * TSL_LOWER, below it: columns of the real type of U and VT. d becomes the singular values, descending; e is overwritten. U and VT, n x n as they are stored,
 * become the vectors, of a complex type with imaginary parts of zero; each without elements, or without a matrix: it is not wanted. By divide and conquer.
 * Accuracy is absolute, as of gesvd. Elements are scaled where they ask for it. info, here and in the next call: 0; or 1 .. n, and then d and all vectors are NaN: an
 * element of d or e was not finite (n), or a singular value was not found. On one device. Variant "host": by the host's cores, wherever the operands are. */
TSL_API tsl_status tsl_bdsdc(tsl_context *ctx, tsl_uplo uplo, tsl_view d, tsl_view e, tsl_view U, tsl_view VT, int64_t *info);
/** The same by implicit QR, times matrices: U, with n columns, becomes U Q, VT, with n rows, P^T VT, and C, with n rows, Q^T C, where B = Q diag(d) P^T; each may
 * be missing. Every singular value, however small, is accurate relative to itself. By the host's cores, wherever the operands are. */
TSL_API tsl_status tsl_bdsqr(tsl_context *ctx, tsl_uplo uplo, tsl_view d, tsl_view e, tsl_view U, tsl_view VT, tsl_view C, int64_t *info);

/** How singular values are found. AUTO: on a GPU by the polar decomposition, or, values alone of large matrices, by a band; on the host's cores by DC. DC: by the
 * bidiagonal form (tsl_gebrd), divide and conquer of that (tsl_bdsdc); QR: implicit QR of that (tsl_bdsqr). POLAR: by tsl_polar and the eigenpairs of its H. All on
 * any device, of a tall or wide matrix by QR first. */
typedef enum tsl_svd_driver { TSL_SVD_AUTO = 0, TSL_SVD_DC = 1, TSL_SVD_QR = 2, TSL_SVD_POLAR = 3 } tsl_svd_driver;

/** A = U diag(s) V^H, A m x n as it is stored, and overwritten. s, a column of min(m,n) elements of A's real type, becomes the singular values,
 * descending. U, m x min(m,n) or m x m, becomes the vectors on the left, VT, min(m,n) x n or n x n, those on the right, as rows of V^H; each without
 * elements, or without a matrix: it is not wanted. Accuracy is absolute: a singular value is off by a small multiple of eps times the largest. A is scaled
 * where its elements ask for it. info: 0; or 1 .. min(m,n), and then s, U and VT are NaN: an element of A was not finite (min(m,n)), or a singular value
 * was not found. On one device, as sytrd. */
TSL_API tsl_status tsl_gesvd(tsl_context *ctx, tsl_view A, tsl_svd_driver driver, tsl_view s, tsl_view U, tsl_view VT, int64_t *info);
/** Polar decomposition A = U H, A m x n with m >= n, as it is stored: A becomes U, with orthonormal columns; H, n x n, becomes Hermitian and positive
 * semidefinite, up to rounding, all of it; without elements, or without a matrix: it is not wanted. By Halley's iteration with weights (QDWH): six to sixteen
 * steps, by the condition, each a Cholesky factorization, a product and two solves. Where A is singular U is one of many: that of a matrix which differs from
 * A by rounding. info: 0; or n, and then A and H are NaN: an element was not finite. On one device, as sytrd. */
TSL_API tsl_status tsl_polar(tsl_context *ctx, tsl_view A, tsl_view H, int64_t *info);

/** Sylvester's equation A X + isgn X B = s C, A m x m, B n x n, isgn 1 or -1: C, m x n and as it is stored, := X. A and B are upper triangular as they are stored, of
 * real elements Schur forms: with blocks of order 2 on the diagonal where the element below it is not zero. Below that they are zero. Either may be seen
 * through any op. s, one element of A's real type, becomes LAPACK's scale: 1, or less where X would overflow. info 1: eigenvalues of
 * A and of -isgn B nearly meet, X is that of matrices that differ from A and B by rounding. By recursion on products. On a GPU, where s is less than 1, all is
 * computed by the host's cores in the end; the call waits. On one device, as sytrd. */
TSL_API tsl_status tsl_trsyl(tsl_context *ctx, int64_t isgn, tsl_view A, tsl_view B, tsl_view C, tsl_view s, int64_t *info);
/** Sylvester's equation A X + X B = s C of general matrices, all as they are stored: C, m x n, := X. A, m x m, and B, n x n, become their Schur forms. s as of trsyl. info 1: as
 * of trsyl; 1 + i: there is no Schur form of A, and gees' info was i; 1 + m + i: the same of B. Then C is NaN. Real matrices stay real. The call waits. */
TSL_API tsl_status tsl_sylvester(tsl_context *ctx, tsl_view A, tsl_view B, tsl_view C, tsl_view s, int64_t *info);
/** Lyapunov's equation A X + X A^H = s C: the same with one Schur form */
TSL_API tsl_status tsl_lyapunov(tsl_context *ctx, tsl_view A, tsl_view C, tsl_view s, int64_t *info);

/** A general A, n x n as it is stored, to Hessenberg form: A = Q H Q^H, H zero below the diagonal next to the main one. A is known to be upper triangular outside
 * rows and columns ilo .. ihi, counted from 1, 1 <= ilo <= ihi <= n; 1 and n: nothing is known of it; n = 0: 1 and 0. Q is the product of the reflectors H(ilo) .. H(ihi-1), H(i) = I -
 * tau(i) v v^H, stored as LAPACK's: v has its one in row i + 1, and what is below that in column i of A. tau is a column of n - 1 elements, zero but for those. On one device, as all
 * calls on nonsymmetric matrices here: tiled operands, and distributed ones, return TSL_ERR_LAYOUT. */
TSL_API tsl_status tsl_gehrd(tsl_context *ctx, int64_t ilo, int64_t ihi, tsl_view A, tsl_view tau);
/** A := Q, all of it; A and tau as gehrd left them */
TSL_API tsl_status tsl_orghr(tsl_context *ctx, int64_t ilo, int64_t ihi, tsl_view A, tsl_view tau);
/** LEFT: C := Q C; RIGHT: C := C Q; with trans TSL_HERM (or TSL_TRANS, if real) Q^H for Q: A and tau as gehrd left them. C as it is stored. */
TSL_API tsl_status tsl_ormhr(tsl_context *ctx, tsl_side side, tsl_op trans, int64_t ilo, int64_t ihi, tsl_view A, tsl_view tau, tsl_view C);

/** Eigenvalues of H, n x n and Hessenberg, ilo and ihi as of gehrd; what is below the diagonal next to the main one does not count. w, a column of n elements of H's type, becomes the
 * eigenvalues; if H is real, their real parts, and wi the imaginary ones: a pair of conjugates is side by side, the one with the positive imaginary part first. wi of a complex H is
 * a view without a matrix. schur: H becomes T of H = Z T Z^H, upper triangular, of real elements with blocks of order 2 as LAPACK leaves them; else it is overwritten.
 * Z, n x n, becomes Z times that Z, and schur must be set; without a matrix: it is not wanted. Only its rows ilo .. ihi are changed, as in LAPACK: of a block inside the
 * matrix that is enough if Z is what orghr makes of it, with other rows and columns those of I. info: 0; LAPACK's, if eigenvalues 1 .. info were not found; n, if an
 * element of H was not finite, and then results are NaN. On a GPU: by the device with early deflation on the host's cores, orders below 400 by these alone. */
TSL_API tsl_status tsl_hseqr(tsl_context *ctx, int schur, int64_t ilo, int64_t ihi, tsl_view H, tsl_view w, tsl_view wi, tsl_view Z, int64_t *info);
/** Eigenpairs of a general A, n x n as it is stored, and overwritten. w and wi as of hseqr. VR, n x n, becomes the vectors on the right, A v = l v, VL those on the left, u^H A =
 * l u^H, of length 1, their largest element real; of a real A those of a pair are v = VR(:,j) + i VR(:,j+1) and its conjugate. Each without a matrix: it is not wanted. A is
 * balanced first, and scaled where its elements ask for it. info as of hseqr; if it is not 0 there are no vectors. The call waits. */
TSL_API tsl_status tsl_geev(tsl_context *ctx, tsl_view A, tsl_view w, tsl_view wi, tsl_view VL, tsl_view VR, int64_t *info);
/** Which eigenvalues come first in a Schur form: as they are found; those left of the imaginary axis, or not left of it; not outside of the unit circle, or outside of it */
typedef enum tsl_schur_sort { TSL_SORT_NONE = 0, TSL_SORT_LHP = 1, TSL_SORT_RHP = 2, TSL_SORT_IUC = 3, TSL_SORT_OUC = 4 } tsl_schur_sort;
/** Schur form A = VS T VS^H of a general A, n x n as it is stored: A becomes T, as of hseqr, w and wi its eigenvalues, VS, n x n, unitary; without a matrix: it is not wanted. sdim, if not
 * NULL: how many eigenvalues come first by `sort`, 0 of TSL_SORT_NONE. info as of hseqr, and n + 1: some were too close to be put in this order; n + 2: rounding has moved
 * one to the other side. The call waits. */
TSL_API tsl_status tsl_gees(tsl_context *ctx, tsl_view A, tsl_schur_sort sort, tsl_view w, tsl_view wi, tsl_view VS, int64_t *sdim, int64_t *info);

/** Rows are added to a factor and taken from it: R^H R + C^H C - D^H D = R'^H R', R := R', n x n and given by its upper triangle; by a lower one L: L L^H + C^H C - D^H D. C is
 * p x n, D q x n. R is potrf's factor, or that of geqrf with rows made such that its diagonal is positive, as that of R' is. B, n x k, are right-hand sides that went with R: Q^H B of
 * a least squares problem [A B]; BC and BD those that go with the rows. All but R are as they are stored, and may be without a matrix; C, BC, D and BD are overwritten. Rows are added
 * by reflectors, taken off by unitary matrices that a Cholesky factor of order of a block gives, so that R'^H R' is off by a small multiple of eps |R|^2. info = j: the leading block of order j of what
 * R'^H R' should be is not positive definite, or R was singular; R and B are as before. By tiles too, with tiles of C and D as those of R. The call waits if there is a D. */
TSL_API tsl_status tsl_uddate(tsl_context *ctx, tsl_view R, tsl_view B, tsl_view C, tsl_view BC, tsl_view D, tsl_view BD, int64_t *info);
/** Rows are added to R, and nothing else */
TSL_API tsl_status tsl_chud(tsl_context *ctx, tsl_view R, tsl_view C);
/** Rows are taken from R, and nothing else */
TSL_API tsl_status tsl_chdd(tsl_context *ctx, tsl_view R, tsl_view D, int64_t *info);
/** rcond := 1 / (anorm |inv(A)|), about: A as getrf left it, anorm the norm, one or inf, of the matrix before that (tsl_norm). The norm of the inverse is estimated by a few
 * solves (Hager, Higham), from below: rcond may be larger than it should be, as a rule by a factor of at most 3. 0: singular, or as good as that; 1: of order 0. NaN, if
 * a factor or anorm has one. The call waits. On a GPU the solves are its own, a vector at a time; on the host it is LAPACK's. On one device, as sytrd. */
TSL_API tsl_status tsl_gecon(tsl_context *ctx, tsl_norm_kind kind, tsl_view A, double anorm, double *rcond);
/** The same, in the norm one, of the matrix whose factor potrf left in A, a triangle */
TSL_API tsl_status tsl_pocon(tsl_context *ctx, tsl_view A, double anorm, double *rcond);
/** The same of A itself, a triangle, with its norm */
TSL_API tsl_status tsl_trcon(tsl_context *ctx, tsl_norm_kind kind, tsl_view A, double *rcond);
/** The same, in the norm one, of the symmetric matrix that sytrf left A and p of */
TSL_API tsl_status tsl_sycon(tsl_context *ctx, tsl_view A, tsl_view p, double anorm, double *rcond);
/** The same of the Hermitian matrix that hetrf left A and p of */
TSL_API tsl_status tsl_hecon(tsl_context *ctx, tsl_view A, tsl_view p, double anorm, double *rcond);
/** r and c, columns of A's real type, m and n elements, := numbers by which the rows and columns of A, m x n, as it is stored, are to be multiplied so that the
 * largest element of each is at most 1, and of columns about 1. Sizes are |re| + |im|. rowcnd := the smallest of r over the largest, colcnd the same of c, amax := the largest element of A;
 * any of the three may be NULL. A need not be scaled if rowcnd and colcnd are at least 0.1 and amax is far from the ends of the range. info = i: row i is zero; m + j: column j. Waits. */
TSL_API tsl_status tsl_geequ(tsl_context *ctx, tsl_view A, tsl_view r, tsl_view c, double *rowcnd, double *colcnd, double *amax, int64_t *info);
/** The same of a definite A, rows and columns alike: s(i) := 1 / sqrt(A(i,i)), scond := the smallest over the largest. info = i: A(i,i) is not positive. */
TSL_API tsl_status tsl_poequ(tsl_context *ctx, tsl_view A, tsl_view s, double *scond, double *amax, int64_t *info);
/** X, a solution of A X = B by getrs with AF and p, getrf's factors of A, is corrected as long as that helps. ferr and berr, columns of A's real type with an element
 * for each column of B, := about a bound of the largest error of a column of X over its largest element; and its backward error, the least relative change of elements of A
 * and B that makes it exact. With A seen through an op, of op(A) X = B; AF as it is stored. The call waits. On one device, as sytrd: a copy of A is in workspace. */
TSL_API tsl_status tsl_gerfs(tsl_context *ctx, tsl_view A, tsl_view AF, tsl_view p, tsl_view B, tsl_view X, tsl_view ferr, tsl_view berr);
/** The same of a definite A, a triangle, and AF, potrf's factor, the same triangle */
TSL_API tsl_status tsl_porfs(tsl_context *ctx, tsl_view A, tsl_view AF, tsl_view B, tsl_view X, tsl_view ferr, tsl_view berr);
/** The same of a triangle A, without corrections: X is only read. */
TSL_API tsl_status tsl_trrfs(tsl_context *ctx, tsl_view A, tsl_view B, tsl_view X, tsl_view ferr, tsl_view berr);
/** X := the solution of A X = B, with LU, and with all that gecon and gerfs know of it, as LAPACK's expert driver: rcond, ferr, berr. fact, a letter: N: AF, n x n, and p become
 * getrf's factors of A; E: A is scaled first where geequ says that this helps: A := diag(r) A diag(c), and B too; F: AF and p are given, and equed, r and c, of an A that is scaled already.
 * equed: N: not scaled; R: rows were; C: columns; B: both. r and c are as of geequ; for N views without a matrix. With A seen through an op, of op(A) X = B. rpvgrw, unless NULL, := the largest element of
 * A over that of U: much less than 1: the solution is not to be trusted. info = j <= n: U(j,j) is zero, and there is no solution, rcond is 0; n + 1: there is one, but rcond is less than
 * eps. info may be NULL. The call waits. */
TSL_API tsl_status tsl_gesvx(tsl_context *ctx, char fact, tsl_view A, tsl_view AF, tsl_view p, char *equed, tsl_view r, tsl_view c, tsl_view B, tsl_view X, double *rcond,
                             tsl_view ferr, tsl_view berr, double *rpvgrw, int64_t *info);
/** The same by Cholesky of a definite A, a triangle, and AF, the same; rows and columns are scaled alike, as of poequ, and equed is N or Y. info = j <= n: as of potrf */
TSL_API tsl_status tsl_posvx(tsl_context *ctx, char fact, tsl_view A, tsl_view AF, char *equed, tsl_view s, tsl_view B, tsl_view X, double *rcond, tsl_view ferr, tsl_view berr,
                             int64_t *info);
/** P, n x m, := the pseudo-inverse of A, m x n, as it is stored, and overwritten; rank, unless NULL, := how many singular values are above tolerance times the largest: the others count as
 * zero. A tolerance below 0: max(m,n) eps. By gesvd, and with its info: P is NaN then. Of a batch no rank is told: TSL_ERR_LAYOUT unless it is NULL. A basis of the null space of A is what gesvd leaves of a square VT from row `rank` on. */
TSL_API tsl_status tsl_pinv(tsl_context *ctx, tsl_view A, double tolerance, tsl_view P, int64_t *rank, int64_t *info);
/** The rank alone */
TSL_API tsl_status tsl_matrix_rank(tsl_context *ctx, tsl_view A, double tolerance, int64_t *rank, int64_t *info);
/** A := exp(A), A square, as it is stored: by scaling and squaring, with a Pade approximant whose degree norms of powers of A choose. info: 0, or n, and then
 * A is NaN: an element, or a sum of sizes down a column, was not finite. What overflows becomes Inf or NaN. Workspace: six matrices like A. The call waits now and then. On one
 * device, as sytrd. */
TSL_API tsl_status tsl_expm(tsl_context *ctx, tsl_view A, int64_t *info);
/** A := its principal square root, whose eigenvalues are in the right half plane, A square, as it is stored. By the Schur form, on a GPU with gees, and blocks on the diagonal, by the host's
 * cores. info: 0; else A is NaN: gees' info, or that of the first eigenvalue, from 1 on, in the order of the Schur form, that has no root: of real elements a negative number, which one of
 * complex elements has; or zero, if A is defective there. Workspace: two matrices like A. The call waits. On one device, as sytrd. */
TSL_API tsl_status tsl_sqrtm(tsl_context *ctx, tsl_view A, int64_t *info);
/** A := its principal logarithm, of which eigenvalues have imaginary parts in (-pi, pi]. As sqrtm, which it takes again and again; info not 0 also if A is singular. Workspace: four matrices */
TSL_API tsl_status tsl_logm(tsl_context *ctx, tsl_view A, int64_t *info);

/** LU with incremental pivoting: pivots are looked for in two tiles of a column at a time, so that by tiles no task waits for a whole column.
 * The price is stability: elements may grow more than with partial pivoting, the more the more tiles there are (docs/tiles.md has numbers).
 * B := the solution X of A X = B, A n x n; both as they are stored; A is overwritten. info = j: U(j,j) is exactly zero, the first such, and B is not
 * touched. The call waits for it. */
TSL_API tsl_status tsl_gesv_incpiv(tsl_context *ctx, tsl_view A, tsl_view B, int64_t *info);
/** The factors only, by tiles of nb x nb, for any number of right-hand sides: U overwrites the upper triangle of A, parts of L the rest, and
 * what has no place there goes to L and p. With t = ceil(n / nb), p is nb x t (t + 1) / 2 indices (TSL_INDEX), and L ib x nb t (t + 1) / 2 of
 * A's type, 1 <= ib <= nb: the width of inner panels, nb / 8 or so. They are for getrs_incpiv only. info as above; the factors are there
 * all the same. */
TSL_API tsl_status tsl_getrf_incpiv(tsl_context *ctx, tsl_view A, tsl_view L, tsl_view p, int64_t *info);
/** B, as it is stored, := the solution X of A X = B; A, L and p as getrf_incpiv left them */
TSL_API tsl_status tsl_getrs_incpiv(tsl_context *ctx, tsl_view A, tsl_view L, tsl_view p, tsl_view B);

/** Incremental QR, the same for reflectors: each reaches over two tiles of a column, so that by tiles no task waits for a whole column. It is as
 * stable as geqrf, and takes more operations; Q is not stored as LAPACK's. All operands are as they are stored, and A, m x n, has no more
 * columns than rows. gels_inc: as gels with m >= n; B has m rows. A is overwritten. */
TSL_API tsl_status tsl_gels_inc(tsl_context *ctx, tsl_view A, tsl_view B, int64_t *info);
/** The factors only, by tiles of nb x nb: R overwrites the upper triangle of A, parts of the reflectors the rest, and what has no place there goes
 * to T and tau. With r = ceil(m / nb) and t = ceil(n / nb), p = t (r - t) + t (t + 1) / 2 pairs of tiles, tau is nb x p, and T ib x nb p,
 * 1 <= ib <= nb: the width of inner panels, nb / 8 or so. They are for ormqr_inc only. */
TSL_API tsl_status tsl_geqrf_inc(tsl_context *ctx, tsl_view A, tsl_view T, tsl_view tau);
/** C, of m rows, := Q C, or with trans TSL_HERM (or TSL_TRANS, if real) Q^H C; A, T and tau as geqrf_inc left them */
TSL_API tsl_status tsl_ormqr_inc(tsl_context *ctx, tsl_op trans, tsl_view A, tsl_view T, tsl_view tau, tsl_view C);

/* -- mixed precision (docs/mixed.md): A X = B by factors of A of a lower precision, whose solution is refined with residuals of A's own
 * precision until its backward error is as small as that of A's own factors; by those where that does not succeed -- */

/** Of the products a factorization consists of. tf32, bf16 and fp16 round their factors to that, and sum up and store in single
 * precision. fp32 on a GPU may be three products of halves, by which factors have 22 bits of their 24. The host has products of single
 * precision only: a request for anything below is one for fp32 there, and by tiles everywhere. Of matrices of single precision fp32 is
 * the highest, and fp64 means that. TSL_AUTO: what is fastest, by the tuning tables: of double precision fp32, or for small orders and
 * distributed matrices fp64; of single precision fp32. */
typedef enum tsl_precision { TSL_AUTO = 0, TSL_FP64 = 1, TSL_FP32 = 2, TSL_TF32 = 3, TSL_BF16 = 4, TSL_FP16 = 5 } tsl_precision;
typedef enum tsl_method {
    TSL_BY_CORRECTIONS = 0, /**< X := X + inv(A) (B - A X) with the factors, again and again */
    TSL_BY_GMRES = 1,       /**< then GMRES with the factors as preconditioner, because those came too slowly */
    TSL_BY_FACTORS = 2      /**< the factors of A's own precision, with corrections only if elements have grown */
} tsl_method;

/** Zeros, as NULL, mean: as accurate as by factors of A's own precision, in what precision is fastest. */
typedef struct tsl_solve_options {
    tsl_precision lowest; /**< of the factorization; TSL_FP64: A's own. If it does not lead to a solution, and to its errors where these are
                               asked for, fp32 is tried, then fp64. */
    double accuracy;      /**< a backward error that is enough; less than A's own factors give is as good as 0 */
} tsl_solve_options;

typedef struct tsl_solution {
    int64_t info;            /**< as of gesv or posv; not 0: X is not there */
    int64_t iterations;      /**< corrections and steps of GMRES */
    tsl_method method;
    tsl_precision precision; /**< of the factorization that led to X */
    double backward_error;   /**< |B - A X| / (|A| |X|), the largest of all columns; norms are inf, of columns the largest element */
    double forward_error;    /**< what the largest |X - exact| / |X| of a column may be, by `condition`: rather too large than too small.
                                  1 and more: not a digit need be right. Infinite: see `singular` */
    double condition;        /**< |A| |inv(A)|, inf, by solutions for random right-hand sides whose residuals were looked at. It is rarely too
                                  small by more than 3, and may be too large by 2 sqrt(n). Infinite: see `singular` */
    int singular;            /**< not 0: A is singular to working precision, or contains what is no number. X is then one of many with so small
                                  a residual; or info is not 0, and it is not there. forward_error and condition are infinite. */
} tsl_solution;

/** X := the solution of A X = B; A is square and may be seen through any op, or is a triangle of a symmetric or Hermitian
 * matrix that is positive definite. A and B stay as they are. The call waits. result, if not NULL, says how good X is; on success only.
 * Matrices of any size and place: what one device cannot hold is solved by tiles, with its factors in host memory. Tiled ones not in a region. By
 * tiles and on grids of processes there is no GMRES. A variant that either factorization does not have, that in lower precision or
 * that in A's own, is an error of the call, TSL_ERR_OPTION, whether the second is needed or not. Options and result may be NULL; their sizes
 * are sizeof *options and sizeof *result. */
TSL_API tsl_status tsl_solve_sized(tsl_context *ctx, tsl_view A, tsl_view B, tsl_view X, const tsl_solve_options *options,
                                   size_t options_size, tsl_solution *result, size_t result_size);
/** tsl_solve_sized with the sizes */
static inline tsl_status tsl_solve(tsl_context *ctx, tsl_view A, tsl_view B, tsl_view X, const tsl_solve_options *options,
                                   tsl_solution *result)
{
    return tsl_solve_sized(ctx, A, B, X, options, sizeof *options, result, sizeof *result);
}

/* ---- typed calls: BLAS and LAPACK argument order after the context ------------------------------------------------------ */

/* Arrays may be in host or device memory, in any mix. Flags are letters, as in BLAS, in either case. On a bad argument number i
 * (counting the first after ctx as 1) the status says the kind, tsl_error() names it, and info, if there is one, is -i. */
#define TSL_TYPED_CALLS(p, T, R)                                                                                               \
    TSL_API tsl_status tsl_##p##gemm(tsl_context *ctx, char transa, char transb, int64_t m, int64_t n, int64_t k, T alpha,     \
                                     const T *A, int64_t lda, const T *B, int64_t ldb, T beta, T *C, int64_t ldc);             \
    TSL_API tsl_status tsl_##p##gemmt(tsl_context *ctx, char uplo, char transa, char transb, int64_t n, int64_t k, T alpha,    \
                                      const T *A, int64_t lda, const T *B, int64_t ldb, T beta, T *C, int64_t ldc);            \
    TSL_API tsl_status tsl_##p##symm(tsl_context *ctx, char side, char uplo, int64_t m, int64_t n, T alpha, const T *A,        \
                                     int64_t lda, const T *B, int64_t ldb, T beta, T *C, int64_t ldc);                         \
    TSL_API tsl_status tsl_##p##syr2k(tsl_context *ctx, char uplo, char trans, int64_t n, int64_t k, T alpha, const T *A,      \
                                      int64_t lda, const T *B, int64_t ldb, T beta, T *C, int64_t ldc);                        \
    TSL_API tsl_status tsl_##p##trmm(tsl_context *ctx, char side, char uplo, char transa, char diag, int64_t m, int64_t n,     \
                                     T alpha, const T *A, int64_t lda, T *B, int64_t ldb);                                     \
    TSL_API tsl_status tsl_##p##trsm(tsl_context *ctx, char side, char uplo, char transa, char diag, int64_t m, int64_t n,     \
                                     T alpha, const T *A, int64_t lda, T *B, int64_t ldb);                                     \
    TSL_API tsl_status tsl_##p##syrk(tsl_context *ctx, char uplo, char trans, int64_t n, int64_t k, T alpha, const T *A,       \
                                     int64_t lda, T beta, T *C, int64_t ldc);                                                  \
    TSL_API tsl_status tsl_##p##potrf(tsl_context *ctx, char uplo, int64_t n, T *A, int64_t lda, int64_t *info);               \
    TSL_API tsl_status tsl_##p##trtri(tsl_context *ctx, char uplo, char diag, int64_t n, T *A, int64_t lda, int64_t *info);    \
    TSL_API tsl_status tsl_##p##lauum(tsl_context *ctx, char uplo, int64_t n, T *A, int64_t lda, int64_t *info);               \
    TSL_API tsl_status tsl_##p##potri(tsl_context *ctx, char uplo, int64_t n, T *A, int64_t lda, int64_t *info);               \
    TSL_API tsl_status tsl_##p##potrs(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, const T *A, int64_t lda, T *B,     \
                                      int64_t ldb, int64_t *info);                                                             \
    TSL_API tsl_status tsl_##p##posv(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, T *A, int64_t lda, T *B,            \
                                     int64_t ldb, int64_t *info);                                                              \
    TSL_API tsl_status tsl_##p##getrf(tsl_context *ctx, int64_t m, int64_t n, T *A, int64_t lda, int64_t *ipiv,                \
                                      int64_t *info);                                                                          \
    /* rows k1..k2 of A, counted from 1, are exchanged with rows ipiv[k1 - 1], ..., each one of k1..lda; incx is 1 or -1;      \
       ipiv in memory of the context is waited for */                                                                          \
    TSL_API tsl_status tsl_##p##laswp(tsl_context *ctx, int64_t n, T *A, int64_t lda, int64_t k1, int64_t k2,                  \
                                      const int64_t *ipiv, int64_t incx);                                                      \
    TSL_API tsl_status tsl_##p##getrs(tsl_context *ctx, char trans, int64_t n, int64_t nrhs, const T *A, int64_t lda,          \
                                      const int64_t *ipiv, T *B, int64_t ldb, int64_t *info);                                  \
    TSL_API tsl_status tsl_##p##gesv(tsl_context *ctx, int64_t n, int64_t nrhs, T *A, int64_t lda, int64_t *ipiv, T *B,        \
                                     int64_t ldb, int64_t *info);                                                              \
    TSL_API tsl_status tsl_##p##getri(tsl_context *ctx, int64_t n, T *A, int64_t lda, const int64_t *ipiv, int64_t *info);     \
    /* the determinant, by factors G: getrf's, with ipiv; L or U: potrf's. phase and logabs are in host memory */               \
    TSL_API tsl_status tsl_##p##logdet(tsl_context *ctx, char factors, int64_t n, const T *A, int64_t lda,                     \
                                       const int64_t *ipiv, T *phase, double *logabs);                                         \
    TSL_API tsl_status tsl_##p##geqrf(tsl_context *ctx, int64_t m, int64_t n, T *A, int64_t lda, T *tau, int64_t *info);       \
    TSL_API tsl_status tsl_##p##gelqf(tsl_context *ctx, int64_t m, int64_t n, T *A, int64_t lda, T *tau, int64_t *info);       \
    /* trans is N, or T of real elements, C of complex ones */                                                                 \
    TSL_API tsl_status tsl_##p##gels(tsl_context *ctx, char trans, int64_t m, int64_t n, int64_t nrhs, T *A, int64_t lda,      \
                                     T *B, int64_t ldb, int64_t *info);                                                        \
    /* jpvt: in, not 0: the column comes first; out: the column, counted from 1, that went there */                        \
    TSL_API tsl_status tsl_##p##geqp3(tsl_context *ctx, int64_t m, int64_t n, T *A, int64_t lda, int64_t *jpvt, T *tau, int64_t *info);\
    /* jpvt is only written; it stops at that rank, or at that tolerance beside the first element of the diagonal */       \
    TSL_API tsl_status tsl_##p##geqp3_random(tsl_context *ctx, int64_t m, int64_t n, T *A, int64_t lda, int64_t *jpvt, T *tau,\
                                             int64_t most, R tolerance, int64_t seed, int64_t *rank, int64_t *info);       \
    TSL_API tsl_status tsl_##p##gelsy(tsl_context *ctx, int64_t m, int64_t n, int64_t nrhs, T *A, int64_t lda, T *B, int64_t ldb,\
                                      int64_t *jpvt, R rcond, int64_t *rank, int64_t *info);                               \
    TSL_API tsl_status tsl_##p##gelsd(tsl_context *ctx, int64_t m, int64_t n, int64_t nrhs, T *A, int64_t lda, T *B, int64_t ldb,\
                                      R *s, R rcond, int64_t *rank, int64_t *info);                                        \
    TSL_API tsl_status tsl_##p##sytrf(tsl_context *ctx, char uplo, int64_t n, T *A, int64_t lda, int64_t *ipiv, int64_t *info); \
    TSL_API tsl_status tsl_##p##sytrs(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, const T *A, int64_t lda,           \
                                     const int64_t *ipiv, T *B, int64_t ldb, int64_t *info);                                   \
    TSL_API tsl_status tsl_##p##sysv(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, T *A, int64_t lda, int64_t *ipiv, T *B, \
                                    int64_t ldb, int64_t *info);                                                               \
    TSL_API tsl_status tsl_##p##sytri(tsl_context *ctx, char uplo, int64_t n, T *A, int64_t lda, const int64_t *ipiv, int64_t *info); \
    /* singular values in s; jobu, jobvt: N no vectors, S min(m,n) of them, A all, O those of S in A. gesdd: of both sides alike,\
       but of O: in A what fits, and all of the other side in its own array */                                                 \
    TSL_API tsl_status tsl_##p##gesvd(tsl_context *ctx, char jobu, char jobvt, int64_t m, int64_t n, T *A, int64_t lda, R *s,  \
                                      T *U, int64_t ldu, T *VT, int64_t ldvt, int64_t *info);                                  \
    TSL_API tsl_status tsl_##p##gesdd(tsl_context *ctx, char jobz, int64_t m, int64_t n, T *A, int64_t lda, R *s, T *U,        \
                                      int64_t ldu, T *VT, int64_t ldvt, int64_t *info);                                        \
    /* op(A) X + isgn X op(B) = scale C; trana, tranb: N, C, of real elements T too */                                          \
    TSL_API tsl_status tsl_##p##trsyl(tsl_context *ctx, char trana, char tranb, int64_t isgn, int64_t m, int64_t n, const T *A, \
                                      int64_t lda, const T *B, int64_t ldb, T *C, int64_t ldc, R *scale, int64_t *info);       \
    /* A X + X B = scale C, and A X + X A^H = scale C, of general matrices; A and B become their Schur forms */                 \
    TSL_API tsl_status tsl_##p##sylvester(tsl_context *ctx, int64_t m, int64_t n, T *A, int64_t lda, T *B, int64_t ldb, T *C,  \
                                          int64_t ldc, R *scale, int64_t *info);                                               \
    TSL_API tsl_status tsl_##p##lyapunov(tsl_context *ctx, int64_t n, T *A, int64_t lda, T *C, int64_t ldc, R *scale,          \
                                         int64_t *info);                                                                       \
    /* R^H R + C^H C - D^H D, R in A (uplo L: its R^H), with B, BC, BD: see tsl_uddate; C is k x n, D q x n */                      \
    TSL_API tsl_status tsl_##p##uddate(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, int64_t k, int64_t q, T *A,       \
                                       int64_t lda, T *B, int64_t ldb, T *C, int64_t ldc, T *BC, int64_t ldbc, T *D,           \
                                       int64_t ldd, T *BD, int64_t ldbd, int64_t *info);                                       \
    /* R^H R + X^H X, and R^H R - X^H X, R in A, X k x n */                                                                    \
    TSL_API tsl_status tsl_##p##chud(tsl_context *ctx, char uplo, int64_t n, int64_t k, T *A, int64_t lda, T *X, int64_t ldx,  \
                                     int64_t *info);                                                                           \
    TSL_API tsl_status tsl_##p##chdd(tsl_context *ctx, char uplo, int64_t n, int64_t k, T *A, int64_t lda, T *X, int64_t ldx,  \
                                     int64_t *info);                                                                           \
    /* A, m x n with m >= n, becomes U of A = U H, and H, which may be NULL, n x n */                                          \
    TSL_API tsl_status tsl_##p##polar(tsl_context *ctx, int64_t m, int64_t n, T *A, int64_t lda, T *H, int64_t ldh,            \
                                      int64_t *info);                                                                          \
    TSL_API tsl_status tsl_##p##gebrd(tsl_context *ctx, int64_t m, int64_t n, T *A, int64_t lda, R *d, R *e, T *tauq, T *taup, \
                                      int64_t *info);                                                                          \
    /* of a bidiagonal matrix, and VT, n x ncvt, U, nru x n, and C, n x ncc, times the vectors */                              \
    TSL_API tsl_status tsl_##p##bdsqr(tsl_context *ctx, char uplo, int64_t n, int64_t ncvt, int64_t nru, int64_t ncc, R *d,    \
                                      R *e, T *VT, int64_t ldvt, T *U, int64_t ldu, T *C, int64_t ldc, int64_t *info);         \
    /* reciprocal conditions by factors, and of a triangle; norm is 1 or O, or I; info 1: rcond is NaN */                      \
    TSL_API tsl_status tsl_##p##gecon(tsl_context *ctx, char norm, int64_t n, const T *A, int64_t lda, R anorm, R *rcond,      \
                                      int64_t *info);                                                                          \
    TSL_API tsl_status tsl_##p##pocon(tsl_context *ctx, char uplo, int64_t n, const T *A, int64_t lda, R anorm, R *rcond,      \
                                      int64_t *info);                                                                          \
    TSL_API tsl_status tsl_##p##trcon(tsl_context *ctx, char norm, char uplo, char diag, int64_t n, const T *A, int64_t lda,   \
                                      R *rcond, int64_t *info);                                                                \
    TSL_API tsl_status tsl_##p##sycon(tsl_context *ctx, char uplo, int64_t n, const T *A, int64_t lda, const int64_t *ipiv,    \
                                      R anorm, R *rcond, int64_t *info);                                                       \
    TSL_API tsl_status tsl_##p##geequ(tsl_context *ctx, int64_t m, int64_t n, const T *A, int64_t lda, R *r, R *c, R *rowcnd,  \
                                      R *colcnd, R *amax, int64_t *info);                                                      \
    TSL_API tsl_status tsl_##p##poequ(tsl_context *ctx, int64_t n, const T *A, int64_t lda, R *s, R *scond, R *amax,           \
                                      int64_t *info);                                                                          \
    TSL_API tsl_status tsl_##p##gerfs(tsl_context *ctx, char trans, int64_t n, int64_t nrhs, const T *A, int64_t lda,          \
                                      const T *AF, int64_t ldaf, const int64_t *ipiv, const T *B, int64_t ldb, T *X,           \
                                      int64_t ldx, R *ferr, R *berr, int64_t *info);                                           \
    TSL_API tsl_status tsl_##p##porfs(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, const T *A, int64_t lda,           \
                                      const T *AF, int64_t ldaf, const T *B, int64_t ldb, T *X, int64_t ldx, R *ferr, R *berr, \
                                      int64_t *info);                                                                          \
    TSL_API tsl_status tsl_##p##trrfs(tsl_context *ctx, char uplo, char trans, char diag, int64_t n, int64_t nrhs, const T *A, \
                                      int64_t lda, const T *B, int64_t ldb, const T *X, int64_t ldx, R *ferr, R *berr,         \
                                      int64_t *info);                                                                          \
    /* equed, rcond and rpvgrw, which may be NULL, are in host memory */                                                       \
    TSL_API tsl_status tsl_##p##gesvx(tsl_context *ctx, char fact, char trans, int64_t n, int64_t nrhs, T *A, int64_t lda,     \
                                      T *AF, int64_t ldaf, int64_t *ipiv, char *equed, R *r, R *c, T *B, int64_t ldb, T *X,    \
                                      int64_t ldx, R *rcond, R *ferr, R *berr, R *rpvgrw, int64_t *info);                      \
    TSL_API tsl_status tsl_##p##posvx(tsl_context *ctx, char fact, char uplo, int64_t n, int64_t nrhs, T *A, int64_t lda,      \
                                      T *AF, int64_t ldaf, char *equed, R *s, T *B, int64_t ldb, T *X, int64_t ldx, R *rcond,  \
                                      R *ferr, R *berr, int64_t *info);                                                        \
    TSL_API tsl_status tsl_##p##expm(tsl_context *ctx, int64_t n, T *A, int64_t lda, int64_t *info);                           \
    TSL_API tsl_status tsl_##p##sqrtm(tsl_context *ctx, int64_t n, T *A, int64_t lda, int64_t *info);                          \
    TSL_API tsl_status tsl_##p##logm(tsl_context *ctx, int64_t n, T *A, int64_t lda, int64_t *info);                           \
    /* gesv with incremental pivoting; A is overwritten */                                                                     \
    TSL_API tsl_status tsl_##p##gesv_incpiv(tsl_context *ctx, int64_t n, int64_t nrhs, T *A, int64_t lda, T *B, int64_t ldb,   \
                                            int64_t *info);                                                                    \
    /* gels by incremental QR, m >= n; A is overwritten */                                                                     \
    TSL_API tsl_status tsl_##p##gels_inc(tsl_context *ctx, int64_t m, int64_t n, int64_t nrhs, T *A, int64_t lda, T *B,        \
                                         int64_t ldb, int64_t *info);                                                          \
    /* as LAPACK's: uplo is L, U, or A or G for all of A */                                                                    \
    TSL_API tsl_status tsl_##p##laset(tsl_context *ctx, char uplo, int64_t m, int64_t n, T alpha, T beta, T *A, int64_t lda);  \
    /* B, m x n, := alpha op(A) + beta B; trans is N, T or C */                                                                \
    TSL_API tsl_status tsl_##p##geadd(tsl_context *ctx, char trans, int64_t m, int64_t n, T alpha, const T *A, int64_t lda,    \
                                      T beta, T *B, int64_t ldb);                                                              \
    /* norms of a general, symmetric or trapezoidal matrix: norm is M (max), 1 or O (one), I (inf), F or E (fro) */            \
    TSL_API tsl_status tsl_##p##lange(tsl_context *ctx, char norm, int64_t m, int64_t n, const T *A, int64_t lda, R *result);  \
    TSL_API tsl_status tsl_##p##lansy(tsl_context *ctx, char norm, char uplo, int64_t n, const T *A, int64_t lda, R *result);  \
    TSL_API tsl_status tsl_##p##lantr(tsl_context *ctx, char norm, char uplo, char diag, int64_t m, int64_t n, const T *A,     \
                                      int64_t lda, R *result);
#define TSL_TYPED_HERMITIAN(p, T, R)                                                                                           \
    TSL_API tsl_status tsl_##p##hetrf(tsl_context *ctx, char uplo, int64_t n, T *A, int64_t lda, int64_t *ipiv, int64_t *info); \
    TSL_API tsl_status tsl_##p##hetrs(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, const T *A, int64_t lda,           \
                                     const int64_t *ipiv, T *B, int64_t ldb, int64_t *info);                                   \
    TSL_API tsl_status tsl_##p##hesv(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, T *A, int64_t lda, int64_t *ipiv, T *B, \
                                    int64_t ldb, int64_t *info);                                                               \
    TSL_API tsl_status tsl_##p##hetri(tsl_context *ctx, char uplo, int64_t n, T *A, int64_t lda, const int64_t *ipiv, int64_t *info); \
    TSL_API tsl_status tsl_##p##hecon(tsl_context *ctx, char uplo, int64_t n, const T *A, int64_t lda, const int64_t *ipiv,    \
                                      R anorm, R *rcond, int64_t *info);                                                       \
    TSL_API tsl_status tsl_##p##hemm(tsl_context *ctx, char side, char uplo, int64_t m, int64_t n, T alpha, const T *A,        \
                                     int64_t lda, const T *B, int64_t ldb, T beta, T *C, int64_t ldc);                         \
    TSL_API tsl_status tsl_##p##her2k(tsl_context *ctx, char uplo, char trans, int64_t n, int64_t k, T alpha, const T *A,      \
                                      int64_t lda, const T *B, int64_t ldb, R beta, T *C, int64_t ldc);                        \
    TSL_API tsl_status tsl_##p##herk(tsl_context *ctx, char uplo, char trans, int64_t n, int64_t k, R alpha, const T *A,       \
                                     int64_t lda, R beta, T *C, int64_t ldc);                                                  \
    TSL_API tsl_status tsl_##p##lanhe(tsl_context *ctx, char norm, char uplo, int64_t n, const T *A, int64_t lda, R *result);

/* Of a real tridiagonal matrix: compz is N: eigenvalues alone, Z is not used; I: Z becomes the vectors; V: Z becomes Z times the vectors. A complex
 * type: that of Z. */
#define TSL_TYPED_TRIDIAGONAL(p, T, R)                                                                                         \
    TSL_API tsl_status tsl_##p##stedc(tsl_context *ctx, char compz, int64_t n, R *d, R *e, T *Z, int64_t ldz, int64_t *info);  \
    TSL_API tsl_status tsl_##p##steqr(tsl_context *ctx, char compz, int64_t n, R *d, R *e, T *Z, int64_t ldz, int64_t *info);
TSL_TYPED_TRIDIAGONAL(s, float, float)
TSL_TYPED_TRIDIAGONAL(d, double, double)
TSL_TYPED_TRIDIAGONAL(c, tsl_cfloat, float)
TSL_TYPED_TRIDIAGONAL(z, tsl_cdouble, double)
#undef TSL_TYPED_TRIDIAGONAL
/* Eigenvalues of a real tridiagonal matrix, and drivers of its eigenproblem */
#define TSL_TYPED_TRIDIAGONAL_REAL(p, T)                                                                                       \
    TSL_API tsl_status tsl_##p##sterf(tsl_context *ctx, int64_t n, T *d, T *e, int64_t *info);                                 \
    /* singular values of a bidiagonal matrix; compq: N no vectors, I both U and VT */                                         \
    TSL_API tsl_status tsl_##p##bdsdc(tsl_context *ctx, char uplo, char compq, int64_t n, T *d, T *e, T *U, int64_t ldu,       \
                                      T *VT, int64_t ldvt, int64_t *info);                                                     \
    /* as syev: jobz N or V; d becomes the eigenvalues. stevd is the same. stevr: of range V, Z has n columns */               \
    TSL_API tsl_status tsl_##p##stev(tsl_context *ctx, char jobz, int64_t n, T *d, T *e, T *Z, int64_t ldz, int64_t *info);    \
    TSL_API tsl_status tsl_##p##stevd(tsl_context *ctx, char jobz, int64_t n, T *d, T *e, T *Z, int64_t ldz, int64_t *info);   \
    TSL_API tsl_status tsl_##p##stevr(tsl_context *ctx, char jobz, char range, int64_t n, T *d, T *e, T vl, T vu, int64_t il,  \
                                      int64_t iu, T abstol, int64_t *m, T *w, T *Z, int64_t ldz, int64_t *isuppz,              \
                                      int64_t *info);
TSL_TYPED_TRIDIAGONAL_REAL(s, float)
TSL_TYPED_TRIDIAGONAL_REAL(d, double)
#undef TSL_TYPED_TRIDIAGONAL_REAL

/* Q of real elements is orthogonal (dormqr), of complex ones unitary (zunmqr) */
#define TSL_TYPED_Q(p, T)                                                                                                      \
    TSL_API tsl_status tsl_##p##mqr(tsl_context *ctx, char side, char trans, int64_t m, int64_t n, int64_t k, const T *A,      \
                                    int64_t lda, const T *tau, T *C, int64_t ldc, int64_t *info);                              \
    TSL_API tsl_status tsl_##p##mlq(tsl_context *ctx, char side, char trans, int64_t m, int64_t n, int64_t k, const T *A,      \
                                    int64_t lda, const T *tau, T *C, int64_t ldc, int64_t *info);                              \
    TSL_API tsl_status tsl_##p##gqr(tsl_context *ctx, int64_t m, int64_t n, int64_t k, T *A, int64_t lda, const T *tau,        \
                                    int64_t *info);                                                                            \
    TSL_API tsl_status tsl_##p##glq(tsl_context *ctx, int64_t m, int64_t n, int64_t k, T *A, int64_t lda, const T *tau,        \
                                    int64_t *info);                                                                            \
    TSL_API tsl_status tsl_##p##mtr(tsl_context *ctx, char side, char uplo, char trans, int64_t m, int64_t n, const T *A,      \
                                    int64_t lda, const T *tau, T *C, int64_t ldc, int64_t *info);                              \
    TSL_API tsl_status tsl_##p##gtr(tsl_context *ctx, char uplo, int64_t n, T *A, int64_t lda, const T *tau, int64_t *info);   \
    TSL_API tsl_status tsl_##p##mhr(tsl_context *ctx, char side, char trans, int64_t m, int64_t n, int64_t ilo, int64_t ihi,   \
                                    const T *A, int64_t lda, const T *tau, T *C, int64_t ldc, int64_t *info);                  \
    TSL_API tsl_status tsl_##p##ghr(tsl_context *ctx, int64_t n, int64_t ilo, int64_t ihi, T *A, int64_t lda, const T *tau,    \
                                    int64_t *info);

/* Nonsymmetric eigenproblems. Eigenvalues go to wr and wi of real elements, to w of complex ones. hseqr: job E eigenvalues, S Schur form; compz N, I or V as
 * of stedc. geev: jobvl, jobvr N or V. gees: jobvs N or V; sort N, or which come first: L left of the imaginary axis, R not left of it, I not outside of the unit circle, O outside;
 * sdim is in host memory and may be NULL */
#define TSL_TYPED_GENERAL(p, T, ...)                                                                                           \
    TSL_API tsl_status tsl_##p##gehrd(tsl_context *ctx, int64_t n, int64_t ilo, int64_t ihi, T *A, int64_t lda, T *tau,        \
                                      int64_t *info);                                                                          \
    TSL_API tsl_status tsl_##p##hseqr(tsl_context *ctx, char job, char compz, int64_t n, int64_t ilo, int64_t ihi, T *H,       \
                                      int64_t ldh, __VA_ARGS__, T *Z, int64_t ldz, int64_t *info);                             \
    TSL_API tsl_status tsl_##p##geev(tsl_context *ctx, char jobvl, char jobvr, int64_t n, T *A, int64_t lda, __VA_ARGS__,      \
                                     T *VL, int64_t ldvl, T *VR, int64_t ldvr, int64_t *info);                                 \
    TSL_API tsl_status tsl_##p##gees(tsl_context *ctx, char jobvs, char sort, int64_t n, T *A, int64_t lda, int64_t *sdim,     \
                                     __VA_ARGS__, T *VS, int64_t ldvs, int64_t *info);
TSL_TYPED_GENERAL(s, float, float *wr, float *wi)
TSL_TYPED_GENERAL(d, double, double *wr, double *wi)
TSL_TYPED_GENERAL(c, tsl_cfloat, tsl_cfloat *w)
TSL_TYPED_GENERAL(z, tsl_cdouble, tsl_cdouble *w)
#undef TSL_TYPED_GENERAL

/* With what gebrd left: vect is Q or P; gbr of P makes P^T or P^H. trans is as of mqr. */
#define TSL_TYPED_BIDIAGONAL_Q(p, T)                                                                                           \
    TSL_API tsl_status tsl_##p##mbr(tsl_context *ctx, char vect, char side, char trans, int64_t m, int64_t n, int64_t k,       \
                                    const T *A, int64_t lda, const T *tau, T *C, int64_t ldc, int64_t *info);                  \
    TSL_API tsl_status tsl_##p##gbr(tsl_context *ctx, char vect, int64_t m, int64_t n, int64_t k, T *A, int64_t lda,           \
                                    const T *tau, int64_t *info);
TSL_TYPED_BIDIAGONAL_Q(sor, float)
TSL_TYPED_BIDIAGONAL_Q(dor, double)
TSL_TYPED_BIDIAGONAL_Q(cun, tsl_cfloat)
TSL_TYPED_BIDIAGONAL_Q(zun, tsl_cdouble)
#undef TSL_TYPED_BIDIAGONAL_Q

/* Symmetric of real elements (dsytrd), Hermitian of complex ones (zhetrd) */
#define TSL_TYPED_SYMMETRIC(p, T, R)                                                                                           \
    TSL_API tsl_status tsl_##p##trd(tsl_context *ctx, char uplo, int64_t n, T *A, int64_t lda, R *d, R *e, T *tau,             \
                                    int64_t *info);                                                                            \
    /* A becomes the vectors if jobz is V; N: eigenvalues alone. evd is the same. */                                           \
    TSL_API tsl_status tsl_##p##ev(tsl_context *ctx, char jobz, char uplo, int64_t n, T *A, int64_t lda, R *w, int64_t *info); \
    TSL_API tsl_status tsl_##p##evd(tsl_context *ctx, char jobz, char uplo, int64_t n, T *A, int64_t lda, R *w, int64_t *info);\
    /* range A: all; V: vl < w <= vu; I: numbers il .. iu. Vectors in Z, which has a column for each; A is overwritten. abstol \
       is not used; m, ifail, isuppz are in host memory, these two may be NULL */                                              \
    TSL_API tsl_status tsl_##p##evx(tsl_context *ctx, char jobz, char range, char uplo, int64_t n, T *A, int64_t lda, R vl,    \
                                    R vu, int64_t il, int64_t iu, R abstol, int64_t *m, R *w, T *Z, int64_t ldz,               \
                                    int64_t *ifail, int64_t *info);                                                            \
    TSL_API tsl_status tsl_##p##evr(tsl_context *ctx, char jobz, char range, char uplo, int64_t n, T *A, int64_t lda, R vl,    \
                                    R vu, int64_t il, int64_t iu, R abstol, int64_t *m, R *w, T *Z, int64_t ldz,               \
                                    int64_t *isuppz, int64_t *info);                                                           \
    TSL_API tsl_status tsl_##p##gst(tsl_context *ctx, int64_t itype, char uplo, int64_t n, T *A, int64_t lda, const T *B,      \
                                    int64_t ldb, int64_t *info);                                                               \
    TSL_API tsl_status tsl_##p##gv(tsl_context *ctx, int64_t itype, char jobz, char uplo, int64_t n, T *A, int64_t lda, T *B,  \
                                   int64_t ldb, R *w, int64_t *info);                                                          \
    TSL_API tsl_status tsl_##p##gvd(tsl_context *ctx, int64_t itype, char jobz, char uplo, int64_t n, T *A, int64_t lda, T *B, \
                                    int64_t ldb, R *w, int64_t *info);                                                         \
    TSL_API tsl_status tsl_##p##gvx(tsl_context *ctx, int64_t itype, char jobz, char range, char uplo, int64_t n, T *A,        \
                                    int64_t lda, T *B, int64_t ldb, R vl, R vu, int64_t il, int64_t iu, R abstol,              \
                                    int64_t *m, R *w, T *Z, int64_t ldz, int64_t *ifail, int64_t *info);

TSL_TYPED_CALLS(s, float, float)
TSL_TYPED_CALLS(d, double, double)
TSL_TYPED_CALLS(c, tsl_cfloat, float)
TSL_TYPED_CALLS(z, tsl_cdouble, double)
TSL_TYPED_HERMITIAN(c, tsl_cfloat, float)
TSL_TYPED_HERMITIAN(z, tsl_cdouble, double)
TSL_TYPED_Q(sor, float)
TSL_TYPED_Q(dor, double)
TSL_TYPED_Q(cun, tsl_cfloat)
TSL_TYPED_Q(zun, tsl_cdouble)
TSL_TYPED_SYMMETRIC(ssy, float, float)
TSL_TYPED_SYMMETRIC(dsy, double, double)
TSL_TYPED_SYMMETRIC(che, tsl_cfloat, float)
TSL_TYPED_SYMMETRIC(zhe, tsl_cdouble, double)

/* -- level 1. As in BLAS n <= 0 is no error: there is nothing to do, or the result is zero. Increments may be negative, but then
 * scal does nothing and asum and iamax are zero. An increment of zero has BLAS's meaning where the context computes in host memory;
 * elsewhere it is refused (TSL_ERR_SIZE). Results, param and the arguments of rotg and rotmg are in host memory; a call with a
 * result waits. -- */
#define TSL_TYPED_LEVEL1(p, q, T, R)                                                                                           \
    TSL_API tsl_status tsl_##p##axpy(tsl_context *ctx, int64_t n, T alpha, const T *x, int64_t incx, T *y, int64_t incy);      \
    TSL_API tsl_status tsl_##p##scal(tsl_context *ctx, int64_t n, T alpha, T *x, int64_t incx);                                \
    TSL_API tsl_status tsl_##p##copy(tsl_context *ctx, int64_t n, const T *x, int64_t incx, T *y, int64_t incy);               \
    TSL_API tsl_status tsl_##p##swap(tsl_context *ctx, int64_t n, T *x, int64_t incx, T *y, int64_t incy);                     \
    TSL_API tsl_status tsl_##q##nrm2(tsl_context *ctx, int64_t n, const T *x, int64_t incx, R *result);                        \
    TSL_API tsl_status tsl_##q##asum(tsl_context *ctx, int64_t n, const T *x, int64_t incx, R *result);                        \
    TSL_API tsl_status tsl_i##p##amax(tsl_context *ctx, int64_t n, const T *x, int64_t incx, int64_t *result);                 \
    TSL_API tsl_status tsl_##p##rot(tsl_context *ctx, int64_t n, T *x, int64_t incx, T *y, int64_t incy, R c, T s);            \
    /* [c s; -conj(s) c] [a; b] = [r; 0]; a becomes r, and a real b the z of BLAS; r has the direction of a if that is complex, \
     * else the sign of the larger of a and b */                                                                               \
    TSL_API tsl_status tsl_##p##rotg(tsl_context *ctx, T *a, T *b, R *c, T *s);
#define TSL_TYPED_LEVEL1_REAL(p, T)                                                                                            \
    TSL_API tsl_status tsl_##p##dot(tsl_context *ctx, int64_t n, const T *x, int64_t incx, const T *y, int64_t incy,           \
                                   T *result);                                                                                 \
    TSL_API tsl_status tsl_##p##rotm(tsl_context *ctx, int64_t n, T *x, int64_t incx, T *y, int64_t incy, const T *param);     \
    TSL_API tsl_status tsl_##p##rotmg(tsl_context *ctx, T *d1, T *d2, T *x1, T y1, T *param);
#define TSL_TYPED_LEVEL1_COMPLEX(p, q, T, R)                                                                                   \
    TSL_API tsl_status tsl_##p##dotu(tsl_context *ctx, int64_t n, const T *x, int64_t incx, const T *y, int64_t incy,          \
                                    T *result);                                                                                \
    TSL_API tsl_status tsl_##p##dotc(tsl_context *ctx, int64_t n, const T *x, int64_t incx, const T *y, int64_t incy,          \
                                    T *result);                                                                                \
    TSL_API tsl_status tsl_##q##scal(tsl_context *ctx, int64_t n, R alpha, T *x, int64_t incx);                                \
    TSL_API tsl_status tsl_##q##rot(tsl_context *ctx, int64_t n, T *x, int64_t incx, T *y, int64_t incy, R c, R s);

TSL_TYPED_LEVEL1(s, s, float, float)
TSL_TYPED_LEVEL1(d, d, double, double)
TSL_TYPED_LEVEL1(c, sc, tsl_cfloat, float)
TSL_TYPED_LEVEL1(z, dz, tsl_cdouble, double)
TSL_TYPED_LEVEL1_REAL(s, float)
TSL_TYPED_LEVEL1_REAL(d, double)
TSL_TYPED_LEVEL1_COMPLEX(c, cs, tsl_cfloat, float)
TSL_TYPED_LEVEL1_COMPLEX(z, zd, tsl_cdouble, double)

#undef TSL_TYPED_LEVEL1
#undef TSL_TYPED_LEVEL1_REAL
#undef TSL_TYPED_LEVEL1_COMPLEX
/* -- end of level 1 -- */

/* -- mixed precision, as in LAPACK: iter, if not NULL, is the number of corrections and steps of GMRES, and ipiv those of the single
 * precision's factors (of a matrix made random first, docs/mixed.md, those of what it became); or why A has been overwritten by double
 * factors: -2 it does not fit single precision, -3 it is singular or not positive definite in it, -31 refinement did not converge, -1 another reason (memory). If info is not 0, X is not there. Without right-hand sides A
 * is factored all the same, for info. -- */
#define TSL_TYPED_MIXED(p, q, T)                                                                                               \
    TSL_API tsl_status tsl_##p##q##gesv(tsl_context *ctx, int64_t n, int64_t nrhs, T *A, int64_t lda, int64_t *ipiv,           \
                                        const T *B, int64_t ldb, T *X, int64_t ldx, int64_t *iter, int64_t *info);             \
    TSL_API tsl_status tsl_##p##q##posv(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, T *A, int64_t lda, const T *B,   \
                                        int64_t ldb, T *X, int64_t ldx, int64_t *iter, int64_t *info);

TSL_TYPED_MIXED(d, s, double)
TSL_TYPED_MIXED(z, c, tsl_cdouble)

/* -- batches: `count` problems of one shape. Each array begins with the first problem's, the next one's is `stride` elements further; or, in the
 * calls whose names end in _pointers, an array of pointers says where each is. Problems that are written must not overlap; a stride of 0 is for
 * what is only read. Arrays, and arrays of pointers, may be in host or device memory. info, one for each problem, is in either; NULL: nobody
 * wants to know; tsl_info() is 0 after a batch. What is wrong with one problem does not touch others. Refused before anything is written are, of pointers
 * in host memory, one that is NULL (TSL_ERR_NULL), one twice among problems that are written, and one that lets two operands of a problem overlap
 * (TSL_ERR_OVERLAP); that different problems overlap in part is not looked for. Pointers in device memory are read by the device, when the call's turn has
 * come: what is wrong with them is an error of the device, or nobody's; but a context of several devices reads and checks them too. Calls of which all is in device memory return
 * before it is done. How a batch is cut is the library's choice: a variant that is set is refused (TSL_ERR_OPTION), and a tile does not matter. -- */
#define TSL_TYPED_BATCH(p, T)                                                                                                       \
    TSL_API tsl_status tsl_##p##gemm_batch(tsl_context *ctx, char transa, char transb, int64_t m, int64_t n, int64_t k, T alpha,    \
                    const T *A, int64_t lda, int64_t strideA, const T *B, int64_t ldb, int64_t strideB, T beta, T *C, int64_t       \
                    ldc, int64_t strideC, int64_t count);                                                                           \
    TSL_API tsl_status tsl_##p##gemm_batch_pointers(tsl_context *ctx, char transa, char transb, int64_t m, int64_t n, int64_t k,    \
                    T alpha, const T *const *A, int64_t lda, const T *const *B, int64_t ldb, T beta, T *const *C, int64_t           \
                    ldc, int64_t count);                                                                                            \
    TSL_API tsl_status tsl_##p##trsm_batch(tsl_context *ctx, char side, char uplo, char transa, char diag, int64_t m, int64_t n,    \
                    T alpha, const T *A, int64_t lda, int64_t strideA, T *B, int64_t ldb, int64_t strideB, int64_t count);          \
    TSL_API tsl_status tsl_##p##trsm_batch_pointers(tsl_context *ctx, char side, char uplo, char transa, char diag, int64_t m,      \
                    int64_t n, T alpha, const T *const *A, int64_t lda, T *const *B, int64_t ldb, int64_t count);                   \
    TSL_API tsl_status tsl_##p##potrf_batch(tsl_context *ctx, char uplo, int64_t n, T *A, int64_t lda, int64_t strideA, int64_t     \
                    count, int64_t *info);                                                                                          \
    TSL_API tsl_status tsl_##p##potrf_batch_pointers(tsl_context *ctx, char uplo, int64_t n, T *const *A, int64_t lda, int64_t      \
                    count, int64_t *info);                                                                                          \
    TSL_API tsl_status tsl_##p##potrs_batch(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, const T *A, int64_t lda,          \
                    int64_t strideA, T *B, int64_t ldb, int64_t strideB, int64_t count);                                            \
    TSL_API tsl_status tsl_##p##potrs_batch_pointers(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, const T *const *A,       \
                    int64_t lda, T *const *B, int64_t ldb, int64_t count);                                                          \
    TSL_API tsl_status tsl_##p##posv_batch(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, T *A, int64_t lda, int64_t         \
                    strideA, T *B, int64_t ldb, int64_t strideB, int64_t count, int64_t *info);                                     \
    TSL_API tsl_status tsl_##p##posv_batch_pointers(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, T *const *A, int64_t      \
                    lda, T *const *B, int64_t ldb, int64_t count, int64_t *info);                                                   \
    TSL_API tsl_status tsl_##p##getrf_batch(tsl_context *ctx, int64_t m, int64_t n, T *A, int64_t lda, int64_t strideA, int64_t     \
                    *ipiv, int64_t stride_p, int64_t count, int64_t *info);                                                         \
    TSL_API tsl_status tsl_##p##getrf_batch_pointers(tsl_context *ctx, int64_t m, int64_t n, T *const *A, int64_t lda, int64_t      \
                    *const *ipiv, int64_t count, int64_t *info);                                                                    \
    TSL_API tsl_status tsl_##p##getrs_batch(tsl_context *ctx, char trans, int64_t n, int64_t nrhs, const T *A, int64_t lda,         \
                    int64_t strideA, const int64_t *ipiv, int64_t stride_p, T *B, int64_t ldb, int64_t strideB, int64_t             \
                    count);                                                                                                         \
    TSL_API tsl_status tsl_##p##getrs_batch_pointers(tsl_context *ctx, char trans, int64_t n, int64_t nrhs, const T *const *A,      \
                    int64_t lda, const int64_t *const *ipiv, T *const *B, int64_t ldb, int64_t count);                              \
    TSL_API tsl_status tsl_##p##gesv_batch(tsl_context *ctx, int64_t n, int64_t nrhs, T *A, int64_t lda, int64_t strideA, int64_t   \
                    *ipiv, int64_t stride_p, T *B, int64_t ldb, int64_t strideB, int64_t count, int64_t *info);                     \
    TSL_API tsl_status tsl_##p##gesv_batch_pointers(tsl_context *ctx, int64_t n, int64_t nrhs, T *const *A, int64_t lda, int64_t    \
                    *const *ipiv, T *const *B, int64_t ldb, int64_t count, int64_t *info);                                          \
    TSL_API tsl_status tsl_##p##geqrf_batch(tsl_context *ctx, int64_t m, int64_t n, T *A, int64_t lda, int64_t strideA, T *tau,     \
                    int64_t stride_t, int64_t count);                                                                               \
    TSL_API tsl_status tsl_##p##geqrf_batch_pointers(tsl_context *ctx, int64_t m, int64_t n, T *const *A, int64_t lda, T *const     \
                    *tau, int64_t count);                                                                                           \
    TSL_API tsl_status tsl_##p##gels_batch(tsl_context *ctx, char trans, int64_t m, int64_t n, int64_t nrhs, T *A, int64_t lda,     \
                    int64_t strideA, T *B, int64_t ldb, int64_t strideB, int64_t count, int64_t *info);                             \
    TSL_API tsl_status tsl_##p##gels_batch_pointers(tsl_context *ctx, char trans, int64_t m, int64_t n, int64_t nrhs, T *const      \
                    *A, int64_t lda, T *const *B, int64_t ldb, int64_t count, int64_t *info);

TSL_TYPED_BATCH(s, float)
TSL_TYPED_BATCH(d, double)
TSL_TYPED_BATCH(c, tsl_cfloat)
TSL_TYPED_BATCH(z, tsl_cdouble)
#undef TSL_TYPED_BATCH

#undef TSL_TYPED_MIXED
#undef TSL_TYPED_CALLS
#undef TSL_TYPED_HERMITIAN
#undef TSL_TYPED_Q
#undef TSL_TYPED_SYMMETRIC

/* -- level 2. Increments are as in BLAS: negative ones count from the end, zero is refused. As in BLAS gemv and gbmv leave y alone
 * if m or n is zero. -- */
#define TSL_TYPED_LEVEL2(p, T)                                                                                                 \
    TSL_API tsl_status tsl_##p##gemv(tsl_context *ctx, char trans, int64_t m, int64_t n, T alpha, const T *A, int64_t lda,     \
                                     const T *x, int64_t incx, T beta, T *y, int64_t incy);                                    \
    TSL_API tsl_status tsl_##p##gbmv(tsl_context *ctx, char trans, int64_t m, int64_t n, int64_t kl, int64_t ku, T alpha,      \
                                     const T *A, int64_t lda, const T *x, int64_t incx, T beta, T *y, int64_t incy);           \
    TSL_API tsl_status tsl_##p##symv(tsl_context *ctx, char uplo, int64_t n, T alpha, const T *A, int64_t lda, const T *x,     \
                                     int64_t incx, T beta, T *y, int64_t incy);                                                \
    TSL_API tsl_status tsl_##p##syr(tsl_context *ctx, char uplo, int64_t n, T alpha, const T *x, int64_t incx, T *A,           \
                                    int64_t lda);                                                                              \
    TSL_API tsl_status tsl_##p##syr2(tsl_context *ctx, char uplo, int64_t n, T alpha, const T *x, int64_t incx, const T *y,    \
                                     int64_t incy, T *A, int64_t lda);                                                         \
    TSL_API tsl_status tsl_##p##trmv(tsl_context *ctx, char uplo, char trans, char diag, int64_t n, const T *A, int64_t lda,   \
                                     T *x, int64_t incx);                                                                      \
    TSL_API tsl_status tsl_##p##trsv(tsl_context *ctx, char uplo, char trans, char diag, int64_t n, const T *A, int64_t lda,   \
                                     T *x, int64_t incx);                                                                      \
    TSL_API tsl_status tsl_##p##tbmv(tsl_context *ctx, char uplo, char trans, char diag, int64_t n, int64_t k, const T *A,     \
                                     int64_t lda, T *x, int64_t incx);                                                         \
    TSL_API tsl_status tsl_##p##tbsv(tsl_context *ctx, char uplo, char trans, char diag, int64_t n, int64_t k, const T *A,     \
                                     int64_t lda, T *x, int64_t incx);                                                         \
    TSL_API tsl_status tsl_##p##tpmv(tsl_context *ctx, char uplo, char trans, char diag, int64_t n, const T *AP, T *x,         \
                                     int64_t incx);                                                                            \
    TSL_API tsl_status tsl_##p##tpsv(tsl_context *ctx, char uplo, char trans, char diag, int64_t n, const T *AP, T *x,         \
                                     int64_t incx);
#define TSL_TYPED_LEVEL2_REAL(p, T)                                                                                            \
    TSL_API tsl_status tsl_##p##ger(tsl_context *ctx, int64_t m, int64_t n, T alpha, const T *x, int64_t incx, const T *y,     \
                                    int64_t incy, T *A, int64_t lda);                                                          \
    TSL_API tsl_status tsl_##p##sbmv(tsl_context *ctx, char uplo, int64_t n, int64_t k, T alpha, const T *A, int64_t lda,      \
                                     const T *x, int64_t incx, T beta, T *y, int64_t incy);                                    \
    TSL_API tsl_status tsl_##p##spmv(tsl_context *ctx, char uplo, int64_t n, T alpha, const T *AP, const T *x, int64_t incx,   \
                                     T beta, T *y, int64_t incy);                                                              \
    TSL_API tsl_status tsl_##p##spr(tsl_context *ctx, char uplo, int64_t n, T alpha, const T *x, int64_t incx, T *AP);         \
    TSL_API tsl_status tsl_##p##spr2(tsl_context *ctx, char uplo, int64_t n, T alpha, const T *x, int64_t incx, const T *y,    \
                                     int64_t incy, T *AP);
#define TSL_TYPED_LEVEL2_COMPLEX(p, T, R)                                                                                      \
    TSL_API tsl_status tsl_##p##geru(tsl_context *ctx, int64_t m, int64_t n, T alpha, const T *x, int64_t incx, const T *y,    \
                                     int64_t incy, T *A, int64_t lda);                                                         \
    TSL_API tsl_status tsl_##p##gerc(tsl_context *ctx, int64_t m, int64_t n, T alpha, const T *x, int64_t incx, const T *y,    \
                                     int64_t incy, T *A, int64_t lda);                                                         \
    TSL_API tsl_status tsl_##p##hemv(tsl_context *ctx, char uplo, int64_t n, T alpha, const T *A, int64_t lda, const T *x,     \
                                     int64_t incx, T beta, T *y, int64_t incy);                                                \
    TSL_API tsl_status tsl_##p##hbmv(tsl_context *ctx, char uplo, int64_t n, int64_t k, T alpha, const T *A, int64_t lda,      \
                                     const T *x, int64_t incx, T beta, T *y, int64_t incy);                                    \
    TSL_API tsl_status tsl_##p##hpmv(tsl_context *ctx, char uplo, int64_t n, T alpha, const T *AP, const T *x, int64_t incx,   \
                                     T beta, T *y, int64_t incy);                                                              \
    TSL_API tsl_status tsl_##p##her(tsl_context *ctx, char uplo, int64_t n, R alpha, const T *x, int64_t incx, T *A,           \
                                    int64_t lda);                                                                              \
    TSL_API tsl_status tsl_##p##her2(tsl_context *ctx, char uplo, int64_t n, T alpha, const T *x, int64_t incx, const T *y,    \
                                     int64_t incy, T *A, int64_t lda);                                                         \
    TSL_API tsl_status tsl_##p##hpr(tsl_context *ctx, char uplo, int64_t n, R alpha, const T *x, int64_t incx, T *AP);         \
    TSL_API tsl_status tsl_##p##hpr2(tsl_context *ctx, char uplo, int64_t n, T alpha, const T *x, int64_t incx, const T *y,    \
                                     int64_t incy, T *AP);

TSL_TYPED_LEVEL2(s, float)
TSL_TYPED_LEVEL2(d, double)
TSL_TYPED_LEVEL2(c, tsl_cfloat)
TSL_TYPED_LEVEL2(z, tsl_cdouble)
TSL_TYPED_LEVEL2_REAL(s, float)
TSL_TYPED_LEVEL2_REAL(d, double)
TSL_TYPED_LEVEL2_COMPLEX(c, tsl_cfloat, float)
TSL_TYPED_LEVEL2_COMPLEX(z, tsl_cdouble, double)

#undef TSL_TYPED_LEVEL2
#undef TSL_TYPED_LEVEL2_REAL
#undef TSL_TYPED_LEVEL2_COMPLEX

#ifdef __cplusplus
}
#endif
#endif
