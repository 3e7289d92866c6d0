/* Leaves that cuBLAS computes. */
#ifndef TSL_CUDA_LEVEL3_H
#define TSL_CUDA_LEVEL3_H

#include "kernel/kernel.h"

/* Past this order the blocked text, mostly matrix products, takes over. */
#define TSL_CUDA_RANK_K_LIMIT 1024

/* Past this the triangle of a product is halved rather than computed whole. */
#define TSL_CUDA_GEMMT_LIMIT 512
/* A triangular product of this order, or with this few right-hand sides, is computed with the zeros. */
#define TSL_CUDA_TRMM_LIMIT 512
#define TSL_CUDA_TRMM_SKINNY 512

tsl_status tsl_cuda_gemm(struct tsl_queue *q, const tsl_leaf *l);
tsl_status tsl_cuda_gemmt(struct tsl_queue *q, const tsl_leaf *l);
tsl_status tsl_cuda_symm(struct tsl_queue *q, const tsl_leaf *l); /* and hemm */
tsl_status tsl_cuda_syrk(struct tsl_queue *q, const tsl_leaf *l); /* and herk */
tsl_status tsl_cuda_syr2k(struct tsl_queue *q, const tsl_leaf *l); /* and her2k */
tsl_status tsl_cuda_trmm(struct tsl_queue *q, const tsl_leaf *l);

size_t tsl_cuda_gemmt_workspace(const tsl_leaf *l);
size_t tsl_cuda_symm_workspace(const tsl_leaf *l);
size_t tsl_cuda_trmm_workspace(const tsl_leaf *l);

#endif
