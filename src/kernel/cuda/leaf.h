/* The CUDA backend's own leaf kernels. Each launches on the queue's stream and returns; the caller has made the queue's device
 * current and keeps within the limits. */
#ifndef TSL_CUDA_LEAF_H
#define TSL_CUDA_LEAF_H

#include "device/cuda/cuda.h"

/* Largest order of the triangle: four tiles of 32, so that ten tiles hold it in one multiprocessor's shared memory. */
#define TSL_CUDA_POTRF_LIMIT 128
#define TSL_CUDA_TRSM_LIMIT 128

/* Past that, Cholesky's factor of a matrix of at most this order is one kernel: beyond it the blocked algorithm's products are
 * as fast. */
#define TSL_CUDA_POTRF_WHOLE 6000

/* Most columns of a block that LU's leaf takes, and of the panels it does that by: two to a lane. */
#define TSL_CUDA_GETRF_LIMIT 256
#define TSL_CUDA_GETRF_PANEL 64

/* Past that, LU of a matrix of at most so many rows, and half as many columns, is one kernel. */
#define TSL_CUDA_GETRF_WHOLE 1024

/* Most columns of a panel of QR, with its triangle: four blocks of as many as a warp has lanes. */
#define TSL_CUDA_GEQRT_LIMIT 128
#define TSL_CUDA_GEQRT_SHAPES 3
/* and of one with a launch for each */
#define TSL_CUDA_GEQRT_STEPS 32

/* Largest order that is reduced to tridiagonal form by one kernel: of those up to the first one, however little memory there is
 * for workspace. */
#define TSL_CUDA_SYTRD_LIMIT 64
#define TSL_CUDA_SYTRD_WHOLE 2048

/* Largest order of a Schur form in an equation of Sylvester's that is one kernel: past it products of large blocks are faster
 * than its own. */
#define TSL_CUDA_LASYL_LIMIT 4096

/* Past that order, a triangular solve is one kernel, whatever the right-hand sides: the tuning tables say up to which order. */
#define TSL_CUDA_TRSM_SKINNY INT32_MAX

#define TSL_ALL_TYPES(fn) {fn, fn, fn, fn}

#ifdef __cplusplus
extern "C" {
#endif

/* The entries of the table, each beside its kernels; some operations have one in common (core/ops.def). */
#define TSL_OPERATION(id, name, types, traits, weight, flops, host, cuda, ...) \
    extern const tsl_kernel_entry tsl_cuda_##cuda##_entry;
#include "core/ops.def"
#undef TSL_OPERATION
#define TSL_OPERATION(id, name, types, traits, weight, flops, host, cuda, batch, ...) extern const tsl_batch_entry tsl_cuda_##batch##_batch_entry;
#include "core/ops.def"
#undef TSL_OPERATION

/* preload.c: loads all kernels of ours that tasks use on the device, which is the calling thread's */
tsl_status tsl_cuda_load_kernels(const tsl_device *dev);

int tsl_cuda_getrf_shapes(tsl_type t); /* for its entry */

/* info := 0, if there is nothing in it yet */
static inline tsl_status tsl_cuda_begin_info(tsl_queue *q, const tsl_leaf *l)
{
    return l->fresh ? tsl_cuda_check(cudaMemsetAsync(l->info, 0, sizeof *l->info, tsl_cuda(q)->stream), "cudaMemsetAsync") : TSL_OK;
}

/* What leaves use of each other */
tsl_status tsl_cuda_copy(tsl_queue *q, const tsl_leaf *l);
tsl_status tsl_cuda_scale(tsl_queue *q, const tsl_leaf *l);
/* C := W + beta C on the triangles (uplo) of order nb along the diagonal of C(n x n), W = l->work their squares side by side
 * with leading dimension ldw; herm: a real diagonal */
tsl_status tsl_cuda_accumulate(tsl_queue *q, const tsl_leaf *l, int nb, int64_t ldw);
tsl_status tsl_cuda_expand(tsl_queue *q, const tsl_leaf *l);
/* symm.cu: where it is the fastest; its workspace is for B's transpose */
tsl_status tsl_cuda_symm_narrow_fits(tsl_queue *q, const tsl_leaf *l, bool *fits);
tsl_status tsl_cuda_symm_narrow(tsl_queue *q, const tsl_leaf *l);
const void *tsl_cuda_kernel_of_symm(int i);
/* trsm.cu: order up to TSL_CUDA_TRSM_LIMIT, any number of right-hand sides */
tsl_status tsl_cuda_trsm_block(tsl_queue *q, const tsl_leaf *l);
const void *tsl_cuda_kernel_of_trsm(void);
/* trsm_unit.cu: is it B := inv(L) B with a unit lower triangle, such as LU's, that has room there? Then that is the fastest,
 * with the same bits. */
bool tsl_cuda_trsm_is_unit(const tsl_leaf *l);
tsl_status tsl_cuda_trsm_unit(tsl_queue *q, const tsl_leaf *l);
const void *tsl_cuda_kernel_of_trsm_unit(void);
/* potrf.cu: order up to TSL_CUDA_POTRF_LIMIT */
tsl_status tsl_cuda_potrf_block(tsl_queue *q, const tsl_leaf *l);
const void *tsl_cuda_kernel_of_potrf(void);
/* potrf_flow.cu: any order */
tsl_status tsl_cuda_potrf_flow(tsl_queue *q, const tsl_leaf *l);
size_t tsl_cuda_potrf_flow_workspace(const tsl_leaf *l);
const void *tsl_cuda_kernel_of_potrf_flow(void);
/* trmm.cu: what Inf and NaN of B, as it was before, m x n and dense, have done to the product beyond the triangle's reach */
tsl_status tsl_cuda_trmm_mend(tsl_queue *q, const tsl_leaf *l, const void *before);
const void *tsl_cuda_kernel_of_trmm(int i);
tsl_status tsl_cuda_laswp(tsl_queue *q, const tsl_leaf *l);
/* laswp_whole.cu: is it of many rows and pivots, and few columns or rows to a pivot? Then it is done at once, with that
 * workspace. */
bool tsl_cuda_laswp_is_whole(const tsl_leaf *l);
size_t tsl_cuda_laswp_workspace(const tsl_leaf *l); /* of one that is not: 0 */
tsl_status tsl_cuda_laswp_whole(tsl_queue *q, const tsl_leaf *l);
const void *tsl_cuda_kernel_of_laswp_whole(void);
/* getrf_panel.cu: at most TSL_CUDA_GETRF_PANEL columns; done: whether there is such a panel, the device has room
 * for all its rows, and memory for their messages */
tsl_status tsl_cuda_getrf_panel(tsl_queue *q, const tsl_leaf *l, bool *done);
const void *tsl_cuda_kernel_of_getrf_panel(void);
/* getrf_flow.cu: at most TSL_CUDA_GETRF_WHOLE rows and columns; done: whether the device has room for it */
tsl_status tsl_cuda_getrf_flow(tsl_queue *q, const tsl_leaf *l, bool *done);
size_t tsl_cuda_getrf_flow_workspace(const tsl_leaf *l);
const void *tsl_cuda_kernel_of_getrf_flow(void);
/* getrf.cu: at most 32 columns, any number of rows */
tsl_status tsl_cuda_getrf_steps(tsl_queue *q, const tsl_leaf *l);
size_t tsl_cuda_getrf_workspace(const tsl_leaf *l);
const void *tsl_cuda_kernel_of_getrf(void);
/* getrf_rest.cu: rows of the `left` columns before a panel and of the `right` ones after it as its pivots say, those on the
 * right times inv(L11) */
tsl_status tsl_cuda_getrf_rest(tsl_queue *q, const tsl_leaf *panel, int64_t left, int64_t right);
const void *tsl_cuda_kernel_of_getrf_rest(void);

/* geqrf.cu: at most TSL_CUDA_GEQRT_STEPS columns, any number of rows */
tsl_status tsl_cuda_geqrt_steps(tsl_queue *q, const tsl_leaf *l);
size_t tsl_cuda_geqrt_steps_workspace(const tsl_leaf *l);
const void *tsl_cuda_kernel_of_geqrt(void);

#ifdef __cplusplus
}
#endif
#endif
