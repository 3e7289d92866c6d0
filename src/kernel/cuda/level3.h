/* Leaves that cuBLAS computes. */
#ifndef TSL_CUDA_LEVEL3_H
#define TSL_CUDA_LEVEL3_H

#include "kernel/kernel.h"

/* Past this order the blocked text, mostly matrix products, takes over. */
#define TSL_CUDA_RANK_K_LIMIT 1024

tsl_status tsl_cuda_gemm(struct tsl_queue *q, const tsl_leaf *l);
tsl_status tsl_cuda_syrk(struct tsl_queue *q, const tsl_leaf *l);
tsl_status tsl_cuda_herk(struct tsl_queue *q, const tsl_leaf *l);

#endif
