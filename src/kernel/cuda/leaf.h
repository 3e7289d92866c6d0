/* The CUDA backend's own leaf kernels. Each launches on the queue's stream and returns; the caller has made the queue's device
 * current and keeps within the limits. */
#ifndef TSL_CUDA_LEAF_H
#define TSL_CUDA_LEAF_H

#include "device/cuda/cuda.h"

/* Largest order of the triangle: four tiles of 32, so that ten tiles hold it in one multiprocessor's shared memory. */
#define TSL_CUDA_POTRF_LIMIT 128
#define TSL_CUDA_TRSM_LIMIT 128

/* Most columns of a panel of LU: a lane each. */
#define TSL_CUDA_GETRF_LIMIT 32

/* Past that order, a triangular solve with at most this many right-hand sides is one kernel. */
#define TSL_CUDA_TRSM_SKINNY 128

#ifdef __cplusplus
extern "C" {
#endif

/* Some kernel of each file that tasks use kernels of: by it preload.c finds the others. */
const void *tsl_cuda_kernel_of_copy(void);
const void *tsl_cuda_kernel_of_expand(void);
const void *tsl_cuda_kernel_of_getrf(void);
const void *tsl_cuda_kernel_of_laswp(void);
const void *tsl_cuda_kernel_of_potrf(void);
const void *tsl_cuda_kernel_of_symm(void);
const void *tsl_cuda_kernel_of_trmm(void);
const void *tsl_cuda_kernel_of_trsm(void);
const void *tsl_cuda_kernel_of_trtri(void);

tsl_status tsl_cuda_copy(tsl_queue *q, const tsl_leaf *l);
tsl_status tsl_cuda_scale(tsl_queue *q, const tsl_leaf *l);
/* C := W + beta C on the triangles (uplo) of order nb along the diagonal of C(n x n), W = l->work their squares side by side with
 * leading dimension ldw; herm: a real diagonal */
tsl_status tsl_cuda_accumulate(tsl_queue *q, const tsl_leaf *l, int nb, int64_t ldw);
tsl_status tsl_cuda_expand(tsl_queue *q, const tsl_leaf *l);
tsl_status tsl_cuda_norm(tsl_queue *q, const tsl_leaf *l);
size_t tsl_cuda_norm_workspace(const tsl_leaf *l);
/* symm.cu: where it is the fastest; its workspace is for B's transpose */
tsl_status tsl_cuda_symm_narrow_fits(tsl_queue *q, const tsl_leaf *l, bool *fits);
tsl_status tsl_cuda_symm_narrow(tsl_queue *q, const tsl_leaf *l);
/* trsm_select.c: one of the two below */
tsl_status tsl_cuda_trsm(tsl_queue *q, const tsl_leaf *l);
size_t tsl_cuda_trsm_workspace(const tsl_leaf *l);
/* trsm.cu: order up to TSL_CUDA_TRSM_LIMIT, any number of right-hand sides */
tsl_status tsl_cuda_trsm_block(tsl_queue *q, const tsl_leaf *l);
/* trsm_skinny*: any order, few right-hand sides */
tsl_status tsl_cuda_trsm_skinny(tsl_queue *q, const tsl_leaf *l);
size_t tsl_cuda_trsm_skinny_workspace(const tsl_leaf *l);
/* trmm.cu: what Inf and NaN of B, as it was before, m x n and dense, have done to the product beyond the triangle's reach */
tsl_status tsl_cuda_trmm_mend(tsl_queue *q, const tsl_leaf *l, const void *before);
tsl_status tsl_cuda_potrf(tsl_queue *q, const tsl_leaf *l);
/* trtri.cu: any order; order up to TSL_CUDA_TRSM_LIMIT */
tsl_status tsl_cuda_singular(tsl_queue *q, const tsl_leaf *l);
tsl_status tsl_cuda_trtri(tsl_queue *q, const tsl_leaf *l);
size_t tsl_cuda_trtri_workspace(const tsl_leaf *l);
/* getrf.cu: at most TSL_CUDA_GETRF_LIMIT columns */
tsl_status tsl_cuda_getrf(tsl_queue *q, const tsl_leaf *l);
size_t tsl_cuda_getrf_workspace(const tsl_leaf *l);
tsl_status tsl_cuda_laswp(tsl_queue *q, const tsl_leaf *l);
tsl_status tsl_cuda_gemv(tsl_queue *q, const tsl_leaf *l);
size_t tsl_cuda_gemv_workspace(const tsl_leaf *l);
tsl_status tsl_cuda_symv(tsl_queue *q, const tsl_leaf *l); /* and hemv */
size_t tsl_cuda_symv_workspace(const tsl_leaf *l);

/* trmv.cu: and tpmv */
tsl_status tsl_cuda_trmv(tsl_queue *q, const tsl_leaf *l);
size_t tsl_cuda_trmv_workspace(const tsl_leaf *l);

#ifdef __cplusplus
}
#endif
#endif
