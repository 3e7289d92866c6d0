/* QR of tall panels. */
#ifndef TSL_CUDA_GEQRF_TALL_H
#define TSL_CUDA_GEQRF_TALL_H

#include "kernel/cuda/leaf.h"

/* Most columns in complex double: the order of a square in one multiprocessor's shared memory */
#define TSL_CUDA_TALL_LIMIT_Z 64

/* Small matrices of order n in workspace: A = Q1 R1, Q1 = Q R2, Q's first rows; X and M for others. */
typedef struct tsl_tall {
    tsl_type type;
    int n;
    void *R1, *R2, *X, *Q, *M, *signs;
    void *pieces; /* some more of them in a row */
    int64_t *bad; /* not zero: this way is not good enough */
} tsl_tall;

#ifdef __cplusplus
extern "C" {
#endif
/* geqrf_tall.c: done: whether the panel's condition allowed it; if not, only Y and T have changed. Waits for the queue. */
tsl_status tsl_cuda_geqrt_tall(tsl_queue *q, const tsl_leaf *l, bool *done);
size_t tsl_cuda_geqrt_tall_workspace(const tsl_leaf *l);
/* geqrf_tall.cu */
tsl_status tsl_cuda_tall_identity(tsl_queue *q, const tsl_tall *t, void *X);
tsl_status tsl_cuda_tall_add_up(tsl_queue *q, const tsl_tall *t, int count, void *sum); /* of the first pieces */
tsl_status tsl_cuda_tall_judge(tsl_queue *q, const tsl_tall *t); /* R2 still is Q1^H Q1, X inv(R1) */
tsl_status tsl_cuda_tall_reconstruct(tsl_queue *q, const tsl_tall *t);
tsl_status tsl_cuda_tall_combine(tsl_queue *q, const tsl_tall *t, const tsl_leaf *l);
const void *tsl_cuda_kernel_of_geqrt_tall(void);
#ifdef __cplusplus
}
#endif
#endif
