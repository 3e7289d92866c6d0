/* What every call of cuBLAS needs: the library, the queue's handle, and the leaf's scalars as bytes of its type. */
#ifndef TSL_CUDA_READY_H
#define TSL_CUDA_READY_H

#include "device/cuda/cublas.h"

typedef struct ready {
    const tsl_cublas *lib;
    void *handle;
    tsl_typed_scalar alpha, beta;
} ready;

static inline tsl_status prepare(struct tsl_queue *q, const tsl_leaf *l, ready *r)
{
    r->alpha = tsl_typed(l->type, l->alpha);
    r->beta = tsl_typed(l->type, l->beta);
    return tsl_cuda_cublas(tsl_cuda(q), &r->lib, &r->handle);
}

#endif
