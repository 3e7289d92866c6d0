#include "device/cuda/backend.h"
#include "device/cuda/cublas.h"
#include "device/cuda/messages.h"

static tsl_status open_stream(int priority, cudaStream_t *stream)
{
    int least, greatest;
    tsl_status st = tsl_cuda_check(cudaDeviceGetStreamPriorityRange(&least, &greatest), "cudaDeviceGetStreamPriorityRange");
    if (st == TSL_OK)
        st = tsl_cuda_check(cudaStreamCreateWithPriority(stream, cudaStreamNonBlocking, priority ? greatest : least),
                            "cudaStreamCreateWithPriority");
    return st;
}

tsl_status tsl_cuda_queue_open(tsl_device *dev, int priority, void *adopt, tsl_queue **q)
{
    *q = NULL;
    tsl_status st = tsl_cuda_use(dev);
    if (st != TSL_OK)
        return st;
    tsl_cuda_queue *c = tsl_host_alloc(&dev->allocator, sizeof *c);
    if (!c)
        return TSL_ERR_MEMORY;
    tsl_head_open(&c->head, dev);
    c->adopted = adopt != NULL;
    if (adopt)
        c->stream = adopt;
    else
        st = open_stream(priority, &c->stream);
    if (st == TSL_OK)
        *q = (tsl_queue *)c;
    else
        tsl_host_free(&dev->allocator, c, sizeof *c);
    return st;
}

void tsl_cuda_queue_close(tsl_queue *q)
{
    if (!q)
        return;
    tsl_cuda_queue *c = tsl_cuda(q);
    tsl_device *dev = c->head.dev;
    (void)tsl_cuda_queue_wait(q); /* what is on it may still use the workspace */
    tsl_cuda_notify_close(c);
    tsl_cuda_ring_close(c);
    tsl_cuda_words_close(c);
    tsl_cuda_span_close(c);
    tsl_cuda_cublas_close(c);
    tsl_cuda_messages_close(c);
    tsl_cuda_parts_close(c);
    if (!c->adopted)
        (void)tsl_cuda_check(cudaStreamDestroy(c->stream), "cudaStreamDestroy");
    tsl_host_free(&dev->allocator, c, sizeof *c);
}

tsl_status tsl_cuda_queue_wait(tsl_queue *q)
{
    tsl_cuda_queue *c = tsl_cuda(q);
    tsl_status use = tsl_cuda_use(c->head.dev); /* the stream knows its device: it is waited for in any case */
    tsl_status st = tsl_cuda_waited(cudaStreamSynchronize(c->stream), "cudaStreamSynchronize");
    if (st == TSL_OK)
        tsl_cuda_span_flush(c);
    return st == TSL_OK ? use : st;
}

void *tsl_cuda_queue_native(tsl_queue *q) { return tsl_cuda(q)->stream; }

tsl_status tsl_cuda_prepare(tsl_queue *q)
{
    tsl_cuda_queue *c = tsl_cuda(q);
    const tsl_cublas *lib;
    void *handle;
    tsl_status st = tsl_cuda_use(c->head.dev);
    if (st == TSL_OK)
        st = tsl_cuda_loads(c->head.dev);
    if (st == TSL_OK)
        st = tsl_cuda_cublas(c, &lib, &handle);
    if (st == TSL_OK)
        st = tsl_cuda_notify_open(c);
    return st;
}

tsl_status tsl_cuda_launch(tsl_queue *q, tsl_kernel fn, const tsl_leaf *l)
{
    tsl_cuda_queue *c = tsl_cuda(q);
    tsl_status st = tsl_cuda_use(c->head.dev);
    if (st != TSL_OK)
        return st;
    bool traced = tsl_trace_on() && tsl_cuda_span_begin(c, tsl_ops[l->op].name, "kernel");
    st = fn(q, l);
    if (traced)
        tsl_cuda_span_end(c);
    return st;
}
