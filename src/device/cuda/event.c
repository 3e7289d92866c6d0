#include "device/cuda/backend.h"

struct tsl_event {
    cudaEvent_t event; /* with times */
};

tsl_status tsl_cuda_event_open(tsl_device *dev, tsl_event **e)
{
    *e = NULL;
    tsl_status st = tsl_cuda_use(dev);
    if (st != TSL_OK)
        return st;
    tsl_event *made = tsl_host_alloc(&dev->allocator, sizeof *made);
    if (!made)
        return TSL_ERR_MEMORY;
    st = tsl_cuda_check(cudaEventCreate(&made->event), "cudaEventCreate");
    if (st == TSL_OK)
        *e = made;
    else
        tsl_host_free(&dev->allocator, made, sizeof *made);
    return st;
}

void tsl_cuda_event_close(tsl_device *dev, tsl_event *e)
{
    if (!e)
        return;
    tsl_device_entry();
    (void)tsl_cuda_check(cudaEventDestroy(e->event), "cudaEventDestroy");
    tsl_host_free(&dev->allocator, e, sizeof *e);
}

tsl_status tsl_cuda_event_record(tsl_queue *q, tsl_event *e)
{
    tsl_status st = tsl_cuda_use(tsl_head(q)->dev);
    if (st == TSL_OK)
        st = tsl_cuda_check(cudaEventRecord(e->event, tsl_cuda(q)->stream), "cudaEventRecord");
    return st;
}

/* The event may be of another device. */
tsl_status tsl_cuda_event_after(tsl_queue *q, tsl_event *e)
{
    tsl_status st = tsl_cuda_use(tsl_head(q)->dev);
    if (st == TSL_OK)
        st = tsl_cuda_check(cudaStreamWaitEvent(tsl_cuda(q)->stream, e->event, 0), "cudaStreamWaitEvent");
    return st;
}

tsl_status tsl_cuda_in_order(tsl_queue *q, cudaStream_t first, cudaStream_t second, tsl_event *e)
{
    tsl_status st = tsl_cuda_use(tsl_head(q)->dev);
    if (st == TSL_OK)
        st = tsl_cuda_check(cudaEventRecord(e->event, first), "cudaEventRecord");
    if (st == TSL_OK)
        st = tsl_cuda_check(cudaStreamWaitEvent(second, e->event, 0), "cudaStreamWaitEvent");
    return st;
}

tsl_status tsl_cuda_queue_after(tsl_queue *q, void *native, tsl_event *e) { return tsl_cuda_in_order(q, native, tsl_cuda(q)->stream, e); }
tsl_status tsl_cuda_queue_before(tsl_queue *q, void *native, tsl_event *e) { return tsl_cuda_in_order(q, tsl_cuda(q)->stream, native, e); }

tsl_status tsl_cuda_event_wait(tsl_event *e)
{
    tsl_device_entry();
    return tsl_cuda_waited(cudaEventSynchronize(e->event), "cudaEventSynchronize");
}

/* After a failure too: waiting says which. */
bool tsl_cuda_event_reached(tsl_event *e)
{
    tsl_device_entry();
    cudaError_t state = cudaEventQuery(e->event);
    if (state != cudaSuccess)
        (void)cudaGetLastError(); /* not to be taken for a later launch's */
    return state != cudaErrorNotReady;
}

tsl_status tsl_cuda_event_elapsed(tsl_event *from, tsl_event *to, double *seconds)
{
    float ms = 0;
    tsl_device_entry();
    tsl_status st = tsl_cuda_waited(cudaEventSynchronize(from->event), "cudaEventSynchronize");
    if (st == TSL_OK)
        st = tsl_cuda_waited(cudaEventSynchronize(to->event), "cudaEventSynchronize");
    if (st == TSL_OK)
        st = tsl_cuda_check(cudaEventElapsedTime(&ms, from->event, to->event), "cudaEventElapsedTime");
    *seconds = 1e-3 * ms;
    return st;
}
