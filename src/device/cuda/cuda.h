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
    cudaStream_t own;            /* what stream was before it left room, and will be again; NULL: stream itself */
    struct tsl_cuda_part *parts; /* what it computes by while it leaves room; made when first needed */
    void *cublas;           /* cublasHandle_t, bound to stream, with a workspace of its own */
    void *cublas_workspace;
    void *messages;         /* messages.h: messages between CTAs, and the last epoch taken */
    unsigned epoch;
    cudaStream_t notices;   /* waits for `point` of stream, then calls back: stream itself goes on; made when first needed */
    cudaEvent_t point;
    struct tsl_cuda_ring *ring;  /* pinned buffers for pageable memory; made when first needed */
    void *words;                 /* pinned memory for numbers that are read; made when first needed */
    struct tsl_cuda_span *spans; /* traced launches not yet written */
} tsl_cuda_queue;

static inline tsl_cuda_queue *tsl_cuda(tsl_queue *q) { return (tsl_cuda_queue *)q; }

/* status.c: a test's question about each call of CUDA's and its libraries': is it to fail? NULL, outside tests: nobody asks. */
extern bool (*tsl_cuda_strikes)(const char *what);
static inline bool tsl_cuda_struck(const char *what)
{
    return __builtin_expect(tsl_cuda_strikes != NULL, 0) && tsl_cuda_strikes(what);
}

/* status.c: a CUDA result as a status; logs the vendor's text when it is a failure */
tsl_status tsl_cuda_status(cudaError_t e, const char *what);
/* The same of a call, which is not made if it is to fail */
#define tsl_cuda_check(call, what) (tsl_cuda_struck(what) ? TSL_ERR_DEVICE : tsl_cuda_status((call), (what)))
/* and of one that waits, which is made in any case: others rely on it. */
static inline tsl_status tsl_cuda_waited(cudaError_t e, const char *what)
{
    tsl_status st = tsl_cuda_status(e, what);
    return tsl_cuda_struck(what) ? TSL_ERR_DEVICE : st;
}

/* driver.c: a function of the driver, which is not linked, as of that version of CUDA; false: it has none */
bool tsl_cuda_driver(const char *name, unsigned version, void **entry);

extern const tsl_backend tsl_cuda_backend;
/* backend.c: its kernels, by opcode, and what is known of them: registered by kernel/cuda/table.c when the library starts */
extern const tsl_kernel_entry *tsl_cuda_kernels[TSL_OP_COUNT];
extern const tsl_batch_entry *tsl_cuda_batches[TSL_OP_COUNT];
/* all kernels of ours that tasks use on the device, which is the calling thread's */
extern tsl_status (*tsl_cuda_loads)(const tsl_device *dev);

#ifdef __cplusplus
}
#endif
#endif
