/* Telling the host that a queue has come to a point. */
#include "device/cuda/backend.h"

/* On a thread of the driver's, which may not use the device nor wait for anybody who does. Called after a failure too, unlike a
 * host function; waiting for the queue says which it was. */
static void CUDART_CB call(cudaStream_t stream, cudaError_t e, void *data)
{
    const tsl_notice *n = data;
    (void)stream;
    n->fn(n->arg, e == cudaSuccess ? TSL_OK : TSL_ERR_DEVICE);
}

tsl_status tsl_cuda_notify_open(tsl_cuda_queue *c)
{
    tsl_status st = TSL_OK;
    if (!c->point)
        st = tsl_cuda_check(cudaEventCreateWithFlags(&c->point, cudaEventDisableTiming), "cudaEventCreate");
    if (st == TSL_OK && !c->notices)
        st = tsl_cuda_check(cudaStreamCreateWithFlags(&c->notices, cudaStreamNonBlocking), "cudaStreamCreate");
    return st;
}

tsl_status tsl_cuda_notify(tsl_queue *q, const tsl_notice *n)
{
    tsl_cuda_queue *c = tsl_cuda(q);
    tsl_status st = tsl_cuda_use(c->head.dev);
    if (st == TSL_OK)
        st = tsl_cuda_notify_open(c);
    if (st == TSL_OK)
        st = tsl_cuda_check(cudaEventRecord(c->point, c->stream), "cudaEventRecord");
    if (st == TSL_OK)
        st = tsl_cuda_check(cudaStreamWaitEvent(c->notices, c->point, 0), "cudaStreamWaitEvent");
    if (st == TSL_OK)
        st = tsl_cuda_check(cudaStreamAddCallback(c->notices, call, (void *)n, 0), "cudaStreamAddCallback");
    return st;
}

void tsl_cuda_notify_close(tsl_cuda_queue *c)
{
    if (c->notices) {
        (void)tsl_cuda_waited(cudaStreamSynchronize(c->notices), "cudaStreamSynchronize");
        (void)tsl_cuda_check(cudaStreamDestroy(c->notices), "cudaStreamDestroy");
    }
    if (c->point)
        (void)tsl_cuda_check(cudaEventDestroy(c->point), "cudaEventDestroy");
}
