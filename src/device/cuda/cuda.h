/* What the CUDA backend's device layer shares with its kernels. */
#ifndef TSL_CUDA_H
#define TSL_CUDA_H

#include <cuda_runtime_api.h>

#include "device/device.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tsl_cuda_queue {
    tsl_queue_head head;
    cudaStream_t stream;
    bool adopted;
    void *cublas;           /* cublasHandle_t, bound to stream, with a workspace of its own */
    void *cublas_workspace;
    cudaStream_t notices;   /* waits for `point` of stream, then calls back: stream itself goes on; made when first needed */
    cudaEvent_t point;
    struct tsl_cuda_ring *ring;  /* pinned buffers for pageable memory; made when first needed */
    struct tsl_cuda_span *spans; /* traced launches not yet written */
} tsl_cuda_queue;

static inline tsl_cuda_queue *tsl_cuda(tsl_queue *q) { return (tsl_cuda_queue *)q; }

/* status.c: a CUDA result as a status; logs the vendor's text when it is a failure */
tsl_status tsl_cuda_check(cudaError_t e, const char *what);

extern const tsl_backend tsl_cuda_backend;

#ifdef __cplusplus
}
#endif
#endif
