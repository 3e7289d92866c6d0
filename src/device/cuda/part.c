/* Queues that leave room. A kernel begins where CTAs of those before it have ended: beside a long product every kernel of an urgent queue waits
 * for some of its CTAs, however short it is itself. A queue that leaves room computes by a stream of a green context, which has all
 * multiprocessors but SPARE: there urgent kernels begin at once. */
#include "device/cuda/backend.h"
#include "device/cuda/cublas.h"

#include <cuda.h>

enum { SPARE = 32 };

typedef struct tsl_cuda_part {
    CUgreenCtx context; /* NULL: the driver or the device knows no parts, and the queue never leaves room */
    cudaStream_t other; /* the stream that the queue does not compute by now */
    bool leaves;
    CUresult (*destroy)(CUgreenCtx);
} tsl_cuda_part;

typedef struct driver {
    CUresult (*device)(CUdevice *, int);
    CUresult (*resource)(CUdevice, CUdevResource *, CUdevResourceType);
    CUresult (*split)(CUdevResource *, unsigned *, const CUdevResource *, CUdevResource *, unsigned, unsigned);
    CUresult (*describe)(CUdevResourceDesc *, CUdevResource *, unsigned);
    CUresult (*create)(CUgreenCtx *, CUdevResourceDesc, CUdevice, unsigned);
    CUresult (*open)(CUstream *, CUgreenCtx, unsigned, int);
    CUresult (*destroy)(CUgreenCtx);
} driver;

static bool find_driver(driver *d)
{
    return tsl_cuda_driver("cuDeviceGet", 2000, (void **)&d->device) && tsl_cuda_driver("cuDeviceGetDevResource", 12040, (void **)&d->resource) &&
           tsl_cuda_driver("cuDevSmResourceSplitByCount", 12040, (void **)&d->split) &&
           tsl_cuda_driver("cuDevResourceGenerateDesc", 12040, (void **)&d->describe) &&
           tsl_cuda_driver("cuGreenCtxCreate", 12040, (void **)&d->create) && tsl_cuda_driver("cuGreenCtxDestroy", 12040, (void **)&d->destroy) &&
           tsl_cuda_driver("cuGreenCtxStreamCreate", 12050, (void **)&d->open);
}

static void close_context(tsl_cuda_part *p)
{
    if (p->destroy(p->context))
        tsl_log(TSL_LOG_ERROR, "cuGreenCtxDestroy has failed");
    p->context = NULL;
}

/* Where anything is missing or fails the queue is as it was. */
static void open_part(const tsl_device *dev, tsl_cuda_part *p)
{
    driver d;
    CUdevice device;
    CUdevResource all, spare, rest;
    CUdevResourceDesc desc;
    CUstream stream = NULL;
    unsigned groups = 1;
    int least, greatest;
    if (!find_driver(&d) || cudaDeviceGetStreamPriorityRange(&least, &greatest) != cudaSuccess) return;
    CUresult r = d.device(&device, dev->ordinal);
    if (!r) r = d.resource(device, &all, CU_DEV_RESOURCE_TYPE_SM);
    if (r || all.sm.smCount < 3 * SPARE) return;
    r = d.split(&spare, &groups, &all, &rest, 0, SPARE);
    if (!r) r = d.describe(&desc, &rest, 1);
    if (!r) r = d.create(&p->context, desc, device, CU_GREEN_CTX_DEFAULT_STREAM);
    if (r) {
        p->context = NULL;
        return;
    }
    p->destroy = d.destroy;
    if (d.open(&stream, p->context, CU_STREAM_NON_BLOCKING, least))
        close_context(p);
    p->other = stream;
}

tsl_status tsl_cuda_queue_leave_room(tsl_queue *q, bool leaves, tsl_event *e)
{
    tsl_cuda_queue *c = tsl_cuda(q);
    tsl_status st = tsl_cuda_use(c->head.dev);
    if (st == TSL_OK && leaves && !c->part) {
        c->part = tsl_host_alloc(&c->head.dev->allocator, sizeof *c->part);
        if (!c->part)
            return TSL_ERR_MEMORY;
        *c->part = (tsl_cuda_part){0};
        open_part(c->head.dev, c->part);
    }
    tsl_cuda_part *p = c->part;
    if (!p || !p->context || p->leaves == leaves)
        return st;
    if (st == TSL_OK)
        st = tsl_cuda_in_order(q, c->stream, p->other, e);
    if (st != TSL_OK && leaves)
        return st;
    /* A queue that no longer leaves room is its own stream again, whatever has failed. */
    cudaStream_t before = c->stream;
    c->stream = p->other;
    p->other = before;
    p->leaves = leaves;
    if (st != TSL_OK) /* nothing orders what follows */
        (void)tsl_cuda_waited(cudaStreamSynchronize(before), "cudaStreamSynchronize");
    tsl_status bound = tsl_cuda_cublas_bind(c);
    if (bound != TSL_OK) { /* it may be of either stream; another one is made when needed */
        (void)tsl_cuda_waited(cudaStreamSynchronize(before), "cudaStreamSynchronize");
        (void)tsl_cuda_waited(cudaStreamSynchronize(c->stream), "cudaStreamSynchronize");
        tsl_cuda_cublas_close(c);
    }
    return st == TSL_OK ? bound : st;
}

void tsl_cuda_part_close(tsl_cuda_queue *c)
{
    tsl_cuda_part *p = c->part;
    if (!p)
        return;
    if (p->context) {
        (void)tsl_cuda_check(cudaStreamDestroy(p->other), "cudaStreamDestroy");
        close_context(p);
    }
    tsl_host_free(&c->head.dev->allocator, p, sizeof *p);
    c->part = NULL;
}
