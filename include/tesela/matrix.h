/** @file
 * tesela/matrix.h - matrices: flat, batches, tiled; views of them and partitionings; regions. */
#ifndef TESELA_MATRIX_H
#define TESELA_MATRIX_H

#include "context.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A matrix owns or wraps storage. */
typedef struct tsl_matrix tsl_matrix;

/** A view is a small value: a block of a matrix, seen through an op and as a triangle or whole. It is never freed. */
typedef struct tsl_view {
    tsl_matrix *mat;    /**< NULL: an invalid view; operations on it return TSL_ERR_VIEW */
    int64_t i, j, m, n; /**< the block, in the coordinates of the storage (before op) */
    tsl_op op;
    tsl_uplo uplo;      /**< the triangle, in the storage (before op) */
    tsl_diag diag;
    int32_t problem;    /**< of a batch: 1 + the one that is meant; 0: all of them */
} tsl_view;

/* ---- flat matrices ------------------------------------------------------------------------------------------------------ */

/** m x n on the context's first device, in columns of tsl_matrix_ld elements, the last one too; contents undefined. */
TSL_API tsl_status tsl_matrix_create(tsl_context *ctx, tsl_type type, int64_t m, int64_t n, tsl_matrix **A);

/** The caller's array, in host or device memory, which is recognised; not copied, not freed by the library. */
TSL_API tsl_status tsl_matrix_wrap(tsl_context *ctx, tsl_type type, int64_t m, int64_t n, void *data, int64_t ld,
                                   tsl_matrix **A);

/** Waits for the work that uses the matrix, and for calls of other threads. NULL is allowed. The context may be gone. */
TSL_API void tsl_matrix_free(tsl_matrix *A);

/** The first element of a flat matrix, where it lives */
TSL_API void *tsl_matrix_data(const tsl_matrix *A);

/** The leading dimension of a flat matrix */
TSL_API int64_t tsl_matrix_ld(const tsl_matrix *A);

/** The type of its elements */
TSL_API tsl_type tsl_matrix_type(const tsl_matrix *A);

/* ---- batches: many problems of one shape --------------------------------------------------------------------------------
 * An operation on views of batches computes all their problems; info is then an array, one for each problem. Operands
 * of a call have the same number of problems; one that is only read may be a single matrix. What is wrong with one
 * problem does not touch others. A problem by itself (tsl_problem) is an ordinary matrix. How a batch is cut is the
 * library's choice: a variant that is set is TSL_ERR_OPTION, and a tile size is ignored.
 * What is one number of a matrix is an array with an element for each problem: norms, dot products, conditions,
 * determinants, ranks, counts of sorted eigenvalues, ratios of geequ and poequ. The arrays are in host memory; norms,
 * conditions and ranks may be in device memory too. Refused are: get_element, syev by value if the pointer m for the
 * number of eigenvalues is not NULL, and the drivers tsl_solve, gesvx and posvx (TSL_ERR_LAYOUT or TSL_ERR_SHAPE). */

/** `count` problems of m x n on the context's first device, one after the other; contents undefined. */
TSL_API tsl_status tsl_batch_create(tsl_context *ctx, tsl_type type, int64_t m, int64_t n, int64_t count, tsl_matrix **A);

/** A batch in the caller's memory: problem k, from 0, is at data + k * stride elements. Stride 0: the same matrix each
 * time, which may only be read. */
TSL_API tsl_status tsl_batch_wrap(tsl_context *ctx, tsl_type type, int64_t m, int64_t n, void *data, int64_t ld, int64_t stride,
                                  int64_t count, tsl_matrix **A);

/** Problem k, from 0, is at each[k]; all are in one memory. The array of pointers is in host memory, or where the
 * problems are. It stays the caller's, and is read by every call, which checks it as the typed calls on batches do
 * (batch.h). */
TSL_API tsl_status tsl_batch_wrap_pointers(tsl_context *ctx, tsl_type type, int64_t m, int64_t n, void *const *each, int64_t ld,
                                           int64_t count, tsl_matrix **A);

/** How many problems; 1 for a matrix that is no batch */
TSL_API int64_t tsl_batch_count(const tsl_matrix *A);

/* ---- tiles --------------------------------------------------------------------------------------------------------------
 * A tiled matrix is cut into tiles of nb x nb; those of the last row and column may be smaller. A call with a tiled
 * operand is computed by all devices of the context, as tasks on tiles; its other operands may be flat. Levels 1, 2 and
 * 3 of dense matrices, norms, copies, factorizations, least squares, the reductions of eigenproblems and singular
 * values, and what is built on them are cut into such tasks. Operations that nothing cuts are computed in one place:
 * one task, whose operands are gathered there and need memory there. The variants that go by tiles are listed in
 * docs/routines.md.
 * Results do not depend on the number of devices, on the schedule, or on the memory there is. They depend on the kind
 * of device and on nb; where nb is the library's choice it depends on the memory. If the host's cores without a limit
 * of memory are the only device, results also depend on their number and on whether the matrix is the caller's own
 * array. */

/** Storage of the library's; contents undefined until written. Tiles live on the devices that use them; memory there is
 * a cache. */
TSL_API tsl_status tsl_tiled_create(tsl_context *ctx, tsl_type type, int64_t m, int64_t n, int64_t nb, tsl_matrix **A);

/** The caller's array in host or device memory, in place. It is current after tsl_wait, and after every call outside a
 * region. Between calls outside a region it is the caller's: the next call sees what is in it then, whoever wrote
 * it. */
TSL_API tsl_status tsl_tiled_wrap(tsl_context *ctx, tsl_type type, int64_t m, int64_t n, void *data, int64_t ld, int64_t nb,
                                  tsl_matrix **A);

/** Says which device (an index in the context) owns each tile; i and j are its row and column of tiles, from 0. `owner`
 * is asked once for each tile. If an answer is no device, nothing changes. By default option "dist" says it. */
TSL_API tsl_status tsl_tiled_place(tsl_matrix *A, int (*owner)(void *user, int64_t i, int64_t j), void *user);

/** Opens a region. Only tsl_wait ends it. In an open region tsl_begin does nothing.
 *  - Calls whose operands are all tiled only submit their tasks, which run meanwhile, in any order that gives the
 *    result of the sequence. Calls with both tiled and flat operands wait; so do calls with a view that begins inside a
 *    tile, calls that make a number, and calls with a place for info.
 *  - Devices keep copies of tiles from call to call. So the caller must not read or write wrapped arrays, directly or
 *    through another context, from tsl_begin to tsl_wait. What is in them at tsl_begin counts. Calls of this context on
 *    the same memory, flat or wrapped once more, are seen in their order: they wait for what was submitted before them,
 *    and tiles are read again.
 *  - Errors of submitted work are returned by tsl_wait. A later call on tiles may return the first of them and do
 *    nothing; so may tsl_info and options that wait. tsl_wait returns it all the same, and the outcome is then 0. An
 *    error of a call's own arguments is its own: what was submitted before it is computed.
 *  - Outcomes: an info that is not NULL is the call's own. tsl_info has that of the first failure, asked for already or
 *    not. A call with an outcome on flat matrices waits for it. */
TSL_API tsl_status tsl_begin(tsl_context *ctx);

/* ---- views -------------------------------------------------------------------------------------------------------------- */

TSL_API tsl_view tsl_whole(tsl_matrix *A);           /**< all of it */
TSL_API tsl_view tsl_problem(tsl_view v, int64_t k); /**< of a batch problem k alone, 0 .. count - 1; else the invalid view */
TSL_API int64_t tsl_rows(tsl_view v);                /**< its rows, as seen through op */
TSL_API int64_t tsl_cols(tsl_view v);                /**< its columns, as seen through op */
TSL_API tsl_view tsl_trans(tsl_view v);              /**< its transpose; nothing moves */
TSL_API tsl_view tsl_conj(tsl_view v);               /**< its conjugate */
TSL_API tsl_view tsl_herm(tsl_view v);               /**< its conjugate transpose */
TSL_API tsl_view tsl_lower(tsl_view v);              /**< the lower triangle of v as seen */
TSL_API tsl_view tsl_upper(tsl_view v);              /**< the upper one */
TSL_API tsl_view tsl_general(tsl_view v);            /**< no triangle */
TSL_API tsl_view tsl_unit(tsl_view v);               /**< ones on the diagonal, not read */
TSL_API tsl_uplo tsl_triangle(tsl_view v);           /**< which triangle, as seen */

/** The m x n block at (i,j), from 0, of v as seen; no triangle; the invalid view if it is outside */
TSL_API tsl_view tsl_sub(tsl_view v, int64_t i, int64_t j, int64_t m, int64_t n);

/* ---- partitionings, as in the textbook ----------------------------------------------------------------------------------
 * A piece that would lie past the edge has size 0. Diagonal blocks keep the triangle. */

typedef struct tsl_part2 { tsl_view TL, TR, BL, BR; } tsl_part2;
typedef struct tsl_part3 { tsl_view A00, A01, A02, A10, A11, A12, A20, A21, A22; } tsl_part3;
typedef struct tsl_strips { tsl_view A0, A1, A2; } tsl_strips;

TSL_API tsl_part2 tsl_partition2(tsl_view A, int64_t i, int64_t j);        /**< TL is i x j */
TSL_API tsl_part3 tsl_partition(tsl_view A, int64_t k, int64_t nb);        /**< A00 is k x k, A11 nb x nb or what is left */
TSL_API tsl_part3 tsl_partition_back(tsl_view A, int64_t k, int64_t nb);   /**< from the end of a square A: A22 is k x k */
TSL_API tsl_strips tsl_block_rows(tsl_view A, int64_t k, int64_t nb);      /**< A0 has k rows, A1 nb, A2 the rest */
TSL_API tsl_strips tsl_block_rows_back(tsl_view A, int64_t k, int64_t nb); /**< from the end: A2 has k rows, A1 nb */
TSL_API tsl_strips tsl_block_cols(tsl_view A, int64_t k, int64_t nb);      /**< A0 has k columns, A1 nb, A2 the rest */
TSL_API tsl_strips tsl_block_cols_back(tsl_view A, int64_t k, int64_t nb); /**< from the end: A2 has k columns, A1 nb */

#ifdef __cplusplus
}
#endif
#endif
