/** @file
 * tesela/context.h - contexts: their devices, options, waiting, progress, tuning, counters and traces. */
#ifndef TESELA_CONTEXT_H
#define TESELA_CONTEXT_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tsl_context tsl_context;

/* ---- making and destroying ---------------------------------------------------------------------------------------------- */

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

/** Zeros, and its size */
static inline tsl_config tsl_config_default(void)
{
    tsl_config cfg = {sizeof(tsl_config), NULL, NULL, 0, NULL};
    return cfg;
}

/** Makes a context on the devices that the specification names: groups joined by '+', at most 63 devices in all.
 *
 *     host        the host's cores, sharing its memory
 *     host:N      N virtual devices on the host, each with a memory of its own; not beside GPUs
 *     cuda        all GPUs
 *     cuda:I      GPU number I
 *     cuda:IxN    N virtual devices on GPU number I
 *
 * `,mem=SIZE` after a group limits the memory of each of its devices: bytes, or with K, M, G, T (64M, 1.5G). cuBLAS has
 * a workspace of 32 MB for each stream beside that, whatever the limit.
 * Under a limit, calls of level 3, Cholesky and its kin on host data complete down to what one task on tiles of 64 x 64
 * needs: at most three such tiles, the workspace of its kernel, and a few bytes of the context. LU by tiles needs at
 * least two panels of 16 columns, as high as the matrix. A call that does not fit (less memory, another operation, or a
 * tile size that the caller has set) returns TSL_ERR_DEVICE_MEMORY before it has changed anything, and tsl_error says
 * how many bytes are needed and how many are free. */
TSL_API tsl_status tsl_context_create(const tsl_config *cfg, tsl_context **ctx);

/** Waits for its work, and for calls on it that other threads are in. Calls they make later return TSL_ERR_CONTEXT, as
 * long as no other context has been made at its address. Matrices of the context that have not been freed lose their
 * storage, unless it is the caller's, and can only be freed: operations on them return TSL_ERR_CONTEXT. NULL is
 * allowed. A function that the library calls, as an allocator's, cannot destroy the context of the call it is called
 * in: then nothing happens. */
TSL_API void tsl_context_destroy(tsl_context *ctx);

/** The library's own context, which ends with the process. tsl_context_destroy of it only waits. */
TSL_API tsl_status tsl_default_context(tsl_context **ctx);

/* ---- waiting, outcomes, errors ------------------------------------------------------------------------------------------ */

/** Waits for all submitted work, and ends a region (tsl_begin). Returns the first error of that work, once. An error of
 * work that is not on tiles may have been returned by an earlier call that waited. */
TSL_API tsl_status tsl_wait(tsl_context *ctx);

/** Waits. *info := the outcome of the last call that could have one; 0 if that call failed on the way. For a region,
 * while it is open and after it: the first outcome that is not 0, in the order of the calls. After a batch: 0. */
TSL_API tsl_status tsl_info(tsl_context *ctx, int64_t *info);

/** The same number, not in a region, to a place in the memory of the first device, after the calls so far. It waits only where
 * that device is the host. */
TSL_API tsl_status tsl_info_into(tsl_context *ctx, int64_t *info);

/** One line about the last failing call on the context; "" if there is none. NULL: the last failing call of this
 * thread, with any context or none, as one that makes a context. The text stays until this thread asks again, or fails
 * again. */
TSL_API const char *tsl_error(tsl_context *ctx);

/* ---- CUDA streams ------------------------------------------------------------------------------------------------------- */

/** The first device's cudaStream_t; NULL on the host */
TSL_API void *tsl_stream(tsl_context *ctx);

/** Calls from now on run after what is on the caller's cudaStream_t now. Nothing waits, except that a call by tiles
 * does. The stream is one of the first device; NULL is CUDA's default stream. TSL_ERR_NO_DEVICE: the first device is
 * the host, which has no streams. */
TSL_API tsl_status tsl_follow(tsl_context *ctx, void *stream);

/** The other order: what is put on the stream from now on runs after the calls made so far, except those of an open
 * region, which only tsl_wait ends. See tsl_follow. */
TSL_API tsl_status tsl_precede(tsl_context *ctx, void *stream);

/** From now on the first device computes on the caller's cudaStream_t, as if the context had been made with it: what is on it
 * goes before calls and what comes after goes after them, which costs less than tsl_follow and tsl_precede around each. The
 * stream must live as long as the context. CUDA's default stream is cudaStreamLegacy; NULL: a stream of the library's own
 * again. Waits for all work. TSL_ERR_NO_DEVICE as of tsl_follow. */
TSL_API tsl_status tsl_adopt(tsl_context *ctx, void *stream);

/* ---- options ------------------------------------------------------------------------------------------------------------ */

/** Sets an option of the context, for the calls that follow. TSL_ERR_OPTION: there is no such option, or no such value.
 *
 * How a call is computed. These win over the tuning table:
 *  - "tile": the block size of blocked algorithms and the size of tiles; 0: tuned.
 *  - "variant": the name of an algorithm (tsl_variant_name). "auto": tuned. "leaf": the device's own routine where it
 *    takes the whole problem, else as by "auto". An operation without this variant, or without it by tiles or on a
 *    grid, returns TSL_ERR_OPTION; for a composite (posv, gesv) it is enough that a part has it. Other parts are
 *    computed as by "auto". Operations without variants (levels 1 and 2, copies, norms) ignore it. docs/routines.md
 *    lists the variants.
 *  - "shape": the number of a shape in which a GPU kernel is compiled (tsl_shape_count); 0: tuned. It holds for kernels
 *    that have several, in the caller's own calls and in panels of them (getrf, geqrf). A shape that such a kernel does
 *    not have is TSL_ERR_OPTION of that call.
 *  - "products": how products of matrices are computed. "native": in the type's own arithmetic. "emulated": from exact
 *    products of residues, as accurate as native ones element by element. "emulated-fast": from fewer residues; the
 *    error of an element is small beside the norms of its row of A and its column of B. "auto": emulated where the tuning
 *    table says so, else native. By default TESELA_PRODUCTS, else auto. docs/products.md says which calls take it.
 *  - "path": "one": flat matrices are computed on the first device; "tiles": by tiles on all; "auto": as size, place
 *    and memory suggest.
 *
 * Tiled calls. Setting one of these waits for what was submitted; a region stays open:
 *  - "policy": how tiles move: basic, affinity, cache, write-back, auto.
 *  - "dist": which device owns a tile: 2d, rows, cols; all cyclic.
 *  - "diag-on": where diagonal blocks are factored: device, host; auto: where it is faster by the rates of the tuning
 *    table, and on the device if it has none.
 *  - "graph": a file for the tasks and their dependences, for Graphviz; "": none. It is complete whenever the tasks
 *    have been waited for. If it cannot be written, tsl_set or the call that waits returns TSL_ERR_FILE; results are as
 *    ever.
 *
 * Others:
 *  - "watch": on or off (the default): keep an account for tsl_progress. Then large calls on the host that would be one
 *    call of OpenBLAS or LAPACK are computed by a blocked algorithm, which can tell how far it is.
 *  - "deadline": seconds (600, 2.5) that a wait for other processes may last, see tesela_grid.h; 0: no limit. By default
 *    TESELA_DEADLINE, else no limit.
 *
 * The variant "hybrid" (potrf, getrf, geqrf; by tiles potrf alone): the host's cores factor diagonal blocks or panels
 * on the caller's thread while the device updates. The call returns when the last of them is factored. */
TSL_API tsl_status tsl_set(tsl_context *ctx, const char *option, const char *value);

/** The name of variant i, from 0 on, of an operation ("potrf"); NULL: there is none. A composite as posv has one,
 * "parts", and takes the names its parts have. */
TSL_API const char *tsl_variant_name(const char *operation, int i);

/** In how many shapes the first device's kernel of an operation ("symv"), or of its panels ("getrf"), is compiled for a
 * type. They are numbered from 1. 0: there is nothing to choose, as for all operations on the host. All shapes compute
 * the same, each with its own order of sums. */
TSL_API int tsl_shape_count(tsl_context *ctx, const char *operation, tsl_type type);

/* ---- progress and cancelling -------------------------------------------------------------------------------------------- */

/** How far the work of a context with option "watch" is: additions and multiplications, as tsl_flops counts them, of
 * all calls made so far (total), and those of them that are done. May be called from any thread, also while another is
 * inside a call; it waits for nobody. done <= total. Both only grow, except that total is an estimate until calls are
 * waited for, and then what they took. Work on a GPU's queue counts when the GPU has done it. Small calls straight on
 * the host do not count, nor do calls made while the option is off. Of a call on distributed matrices the parts on this
 * process count, each from when it begins. */
TSL_API tsl_status tsl_progress(tsl_context *ctx, double *done, double *total);

/** Ends the call that is in flight on the context, or the open region. May be called from any thread; it waits for
 * nobody.
 *  - The call (of a region: the calls that follow, and tsl_wait) returns TSL_ERR_CANCELLED when the tasks and routines
 *    at work have ended. What it writes is undefined; what it only reads is unchanged; the context can be used again.
 *  - A call with nothing left to begin ends as ever. Without a call in flight nothing happens; later calls are not
 *    affected.
 *  - Work already on a GPU's queue is done all the same, and so is one routine of the host's library: with option
 *    "watch" a large call is many of them. Small calls straight on the host are not cancelled.
 *  - On a grid the cancelled process computes nothing more in the call, but takes part in its messages to the end. Then
 *    all processes return TSL_ERR_CANCELLED. It ends soon if every process is cancelled. */
TSL_API tsl_status tsl_cancel(tsl_context *ctx);

/** Registers a function that is called during calls on the context with `user` and what tsl_progress would say; NULL:
 * none. A result other than 0 cancels the call, as tsl_cancel does. It runs on the thread that made the call, which
 * waits for it: at most about a hundred times in a call, and when the call has ended. While there is one, option
 * "watch" counts as on. Small calls straight on the host do not call it, nor does tsl_context_destroy. In a call on
 * distributed matrices the total grows with its parts. Inside the function, calls on the same context return
 * TSL_ERR_CONTEXT, except tsl_progress and tsl_cancel. It must return, not jump or throw. */
TSL_API tsl_status tsl_on_progress(tsl_context *ctx, int (*tell)(void *user, double done, double total), void *user);

/* ---- what a call will do, and what it takes ----------------------------------------------------------------------------- */

/** text := what a typed call ("dgemm", "zpotrf", ...) on arrays in host memory will do: on one device or by tiles, and
 * why; how products are computed, and why; where diagonal blocks are factored; which tiles, and why; memory; bytes
 * moved; and the time predicted from a short product and a short copy made now. m, n, k as in the routine; those it
 * does not have are ignored. */
TSL_API tsl_status tsl_explain(tsl_context *ctx, const char *routine, int64_t m, int64_t n, int64_t k, char *text, size_t size);

/** The additions and multiplications of a typed call; a complex multiplication counts as four real ones. m, n, k as in
 * the routine; those it does not have are ignored. A routine with a side counts as from the left: a symmetric matrix or
 * a triangle is m x m. NaN: there is no such routine, or a size is negative. */
TSL_API double tsl_flops(const char *routine, int64_t m, int64_t n, int64_t k);

/** The tuning table in force and where it is from, in one line. It is read when the context is made: the file that
 * TESELA_TUNE names ("none": no file), else the user's file for the first device. The table shipped with the library
 * answers what neither says. */
TSL_API const char *tsl_tuning(tsl_context *ctx);

/** The user's tuning file for the first device, whether it is there or not; "" if there is no home for it */
TSL_API const char *tsl_tuning_file(tsl_context *ctx);

/** Marks the beginning of a measurement on the context's queue. */
TSL_API tsl_status tsl_timer_start(tsl_context *ctx);

/** Waits for the end of what was submitted since tsl_timer_start. *seconds := the time the device took. */
TSL_API tsl_status tsl_timer_stop(tsl_context *ctx, double *seconds);

/* ---- devices, libraries, counters, traces ------------------------------------------------------------------------------- */

typedef struct tsl_device_info {
    char name[96];     /**< the processor's name */
    char backend[16];  /**< "host", "cuda" */
    int ordinal;       /**< which real processor of the backend */
    int is_virtual;    /**< has a memory space of its own on a shared processor */
    size_t limit;      /**< bytes this device may hold; SIZE_MAX: whatever there is */
    size_t used, peak; /**< bytes the library holds and held at most */
    size_t total;      /**< bytes of the real processor's memory */
    double idle;       /**< seconds it had nothing to do while tasks on tiles were left, since the context was made */
} tsl_device_info;

/** How many devices the context has */
TSL_API int tsl_device_count(tsl_context *ctx);

/** *info := a description of device number 0 .. count - 1 of the context. TSL_ERR_NO_DEVICE: there is no such. size:
 * sizeof *info. */
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

/** *out := what the context has done since it was made, or since the counters were reset. size: sizeof *out. */
TSL_API tsl_status tsl_counters_get_sized(tsl_context *ctx, tsl_counters *out, size_t size);

/** tsl_counters_get_sized with the size */
static inline tsl_status tsl_counters_get(tsl_context *ctx, tsl_counters *out)
{
    return tsl_counters_get_sized(ctx, out, sizeof *out);
}

/** All counters are zero again. */
TSL_API tsl_status tsl_counters_reset(tsl_context *ctx);

/** Writes the trace events gathered so far. TESELA_TRACE=FILE in the environment asks for a trace: Chrome trace events
 * of all contexts of the process, devices and lanes by their names. %r in FILE is the process's rank under mpirun or
 * srun, %p its id; with neither, where there are ranks, rank 3 writes trace.3.json for trace.json. The file is a JSON
 * array after each write; a signal that ends the process during a write can cost the closing bracket, which viewers do
 * without. TSL_ERR_FILE: the file could not be opened or not all of it be written (tsl_error(NULL) says why), and
 * tracing has ended; what was written before is whole. TSL_OK also where nothing is traced. */
TSL_API tsl_status tsl_trace_flush(void);

#ifdef __cplusplus
}
#endif
#endif
