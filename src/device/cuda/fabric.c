/* Messages between GPUs: NCCL on streams. */
#include "device/cuda/backend.h"
#include "device/nccl.h"

/* NCCL refuses two ranks on one GPU, and what tells GPUs apart for it is their host and their place on its bus. */
static bool there(const tsl_device *dev, char *place, size_t size)
{
    *place = 0;
    if (!tsl_nccl_get())
        return false;
    if (tsl_nccl_stands_in())
        return true;
    return tsl_cuda_check(cudaDeviceGetPCIBusId(place, (int)size, dev->ordinal), "cudaDeviceGetPCIBusId") == TSL_OK;
}

static tsl_status open_channel(const tsl_device *dev, const tsl_ticket *t, int rank, int size, tsl_channel *ch)
{
    tsl_status use = tsl_cuda_use(dev);
    tsl_status st = tsl_nccl_open(dev, t, rank, size, ch); /* whatever happens: the others wait for it */
    return use != TSL_OK ? use : st;
}

static void close_channel(tsl_channel *ch, bool broken)
{
    (void)tsl_cuda_check(cudaSetDevice(ch->ordinal), "cudaSetDevice");
    tsl_nccl_close(ch, broken);
}

static tsl_status exchange(const tsl_channel *ch, tsl_queue *q, const tsl_channel_message *message, int count)
{
    tsl_cuda_queue *c = tsl_cuda(q);
    tsl_status st = tsl_cuda_use(c->head.dev);
    if (st != TSL_OK)
        return st;
    bool traced = tsl_trace_on() && tsl_cuda_span_begin(c, "exchange", "transfer");
    st = tsl_nccl_group(ch, c->stream, message, count);
    if (traced)
        tsl_cuda_span_end(c);
    return st;
}

const tsl_fabric tsl_cuda_fabric = {there, tsl_nccl_ticket, NULL, open_channel, close_channel, exchange, tsl_nccl_check};
