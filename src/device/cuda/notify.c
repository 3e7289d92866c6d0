/* Telling the host that a queue has come to a point. */
#include "device/cuda/backend.h"

typedef struct notice {
    void (*fn)(void *arg, tsl_status st);
    void *arg;
    tsl_allocator allocator;
} notice;

/* On a thread of the driver's, which may not use the device. Called after a failure too, unlike a host function. */
static void CUDART_CB call(cudaStream_t stream, cudaError_t e, void *data)
{
    (void)stream;
    notice n = *(notice *)data;
    tsl_host_free(&n.allocator, data, sizeof n);
    n.fn(n.arg, tsl_cuda_check(e, "work of a queue"));
}

static tsl_status open_notices(tsl_cuda_queue *c)
{
    tsl_status st = TSL_OK;
    if (!c->point)
        st = tsl_cuda_check(cudaEventCreateWithFlags(&c->point, cudaEventDisableTiming), "cudaEventCreate");
    if (st == TSL_OK && !c->notices)
        st = tsl_cuda_check(cudaStreamCreateWithFlags(&c->notices, cudaStreamNonBlocking), "cudaStreamCreate");
    return st;
}

tsl_status tsl_cuda_notify(tsl_queue *q, void (*fn)(void *arg, tsl_status st), void *arg)
{
    tsl_cuda_queue *c = tsl_cuda(q);
    const tsl_allocator *mem = &c->head.dev->allocator;
    tsl_status st = tsl_cuda_use(c->head.dev);
    if (st == TSL_OK)
        st = open_notices(c);
    if (st == TSL_OK)
        st = tsl_cuda_check(cudaEventRecord(c->point, c->stream), "cudaEventRecord");
    if (st == TSL_OK)
        st = tsl_cuda_check(cudaStreamWaitEvent(c->notices, c->point, 0), "cudaStreamWaitEvent");
    notice *n = st == TSL_OK ? tsl_host_alloc(mem, sizeof *n) : NULL;
    if (st == TSL_OK && !n)
        st = TSL_ERR_MEMORY;
    if (st != TSL_OK)
        return st;
    *n = (notice){fn, arg, *mem};
    st = tsl_cuda_check(cudaStreamAddCallback(c->notices, call, n, 0), "cudaStreamAddCallback");
    if (st != TSL_OK)
        tsl_host_free(mem, n, sizeof *n);
    return st;
}

void tsl_cuda_notify_close(tsl_cuda_queue *c)
{
    if (c->notices) {
        (void)tsl_cuda_check(cudaStreamSynchronize(c->notices), "cudaStreamSynchronize");
        (void)tsl_cuda_check(cudaStreamDestroy(c->notices), "cudaStreamDestroy");
    }
    if (c->point)
        (void)tsl_cuda_check(cudaEventDestroy(c->point), "cudaEventDestroy");
}
