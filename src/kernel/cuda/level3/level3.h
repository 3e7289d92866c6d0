/* Leaves that are cuBLAS's products, and what surrounds them. */
#ifndef TSL_CUDA_LEVEL3_H
#define TSL_CUDA_LEVEL3_H

#include "core/leaf.h"

/* A triangular product of this order, or with this few right-hand sides, is computed with the zeros. */
#define TSL_CUDA_TRMM_LIMIT 512
#define TSL_CUDA_TRMM_SKINNY 512

/* Likewise a triangle times itself; cuBLAS updates a triangle of this order without workspace of ours. */
#define TSL_CUDA_LAUUM_LIMIT 512

#ifdef __cplusplus
extern "C" {
#endif

tsl_status tsl_cuda_gemm(struct tsl_queue *q, const tsl_leaf *l);
/* `count` products, the operands of each that many elements after those of the one before */
tsl_status tsl_cuda_gemm_batch(struct tsl_queue *q, const tsl_leaf *l, int64_t stepA, int64_t stepB, int64_t stepC, int64_t count);
/* the same of operands at pointers: l->count of A, then of B, then of C */
tsl_status tsl_cuda_gemm_each(struct tsl_queue *q, const tsl_leaf *l, void *const *place);
tsl_status tsl_cuda_syrk(struct tsl_queue *q, const tsl_leaf *l); /* gemmt.c; and herk */

/* narrow.cu: is the product one of halves? Then what its factors take in `work`, and the product of these */
bool tsl_cuda_narrows(const tsl_leaf *l);
size_t tsl_cuda_narrow_workspace(const tsl_leaf *l); /* of one that is not: 0 */
tsl_status tsl_cuda_narrow(struct tsl_queue *q, const tsl_leaf *l, void *work, tsl_leaf *of_halves);
const void *tsl_cuda_kernel_of_narrow(void);

/* gemm_even.c: by copies of its operands that cuBLAS is faster with, where that pays; done: whether it does */
tsl_status tsl_cuda_gemm_even(struct tsl_queue *q, const tsl_leaf *l, bool *done);
size_t tsl_cuda_even_workspace(const tsl_leaf *l); /* where it does not: 0 */

#ifdef __cplusplus
}
#endif

#endif
