/* Queues that leave room. A kernel begins where CTAs of those before it have ended: beside a long product every kernel of an
 * urgent queue waits for some of its CTAs, however short it is itself. A queue that leaves room computes by a stream of a green
 * context, which has all multiprocessors but some: there urgent kernels begin at once. */
#include "device/cuda/backend.h"
#include "device/cuda/cublas.h"

#include <cuda.h>

/* All multiprocessors but so many */
typedef struct tsl_cuda_part {
    struct tsl_cuda_part *next; /* one of another size */
    int spare;
    CUgreenCtx context; /* NULL: the driver or the device knows no such part, and the queue does not leave room */
    cudaStream_t stream;
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

/* Where anything is missing or fails there is no such part. */
static void open_part(const tsl_device *dev, tsl_cuda_part *p)
{
    driver d;
    CUdevice device;
    CUdevResource all, spare, rest;
    CUdevResourceDesc desc;
    CUstream stream = NULL;
    unsigned groups = 1, few = (unsigned)p->spare;
    int least, greatest;
    if (!find_driver(&d) || cudaDeviceGetStreamPriorityRange(&least, &greatest) != cudaSuccess) return;
    CUresult r = d.device(&device, dev->ordinal);
    if (!r) r = d.resource(device, &all, CU_DEV_RESOURCE_TYPE_SM);
    if (r || all.sm.smCount < 3 * few) return;
    r = d.split(&spare, &groups, &all, &rest, 0, few);
    if (!r) r = d.describe(&desc, &rest, 1);
    if (!r) r = d.create(&p->context, desc, device, CU_GREEN_CTX_DEFAULT_STREAM);
    if (r) {
        p->context = NULL;
        return;
    }
    p->destroy = d.destroy;
    if (d.open(&stream, p->context, CU_STREAM_NON_BLOCKING, least))
        close_context(p);
    p->stream = stream;
}

/* The queue's part without so many multiprocessors, made when first asked for; NULL: there is no memory */
static tsl_cuda_part *part_of(tsl_cuda_queue *c, int spare)
{
    tsl_cuda_part *p = c->parts;
    while (p && p->spare != spare) p = p->next;
    if (p)
        return p;
    p = tsl_host_alloc(&c->head.dev->allocator, sizeof *p);
    if (!p)
        return NULL;
    *p = (tsl_cuda_part){.next = c->parts, .spare = spare};
    open_part(c->head.dev, p);
    return c->parts = p;
}

/* The queue computes by another stream, after what it has. If it is its own, it is that again whatever has failed. */
static tsl_status compute_by(tsl_cuda_queue *c, cudaStream_t stream, tsl_event *e)
{
    cudaStream_t before = c->stream, own = c->own ? c->own : c->stream;
    tsl_status st = tsl_cuda_in_order((tsl_queue *)c, before, stream, e);
    if (st != TSL_OK && stream != own)
        return st;
    c->stream = stream;
    c->own = stream == own ? NULL : own;
    if (st != TSL_OK) /* nothing orders what follows */
        (void)tsl_cuda_waited(cudaStreamSynchronize(before), "cudaStreamSynchronize");
    tsl_status bound = tsl_cuda_cublas_bind(c);
    if (bound != TSL_OK) { /* it may be of either stream; another one is made when needed */
        (void)tsl_cuda_waited(cudaStreamSynchronize(before), "cudaStreamSynchronize");
        (void)tsl_cuda_waited(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
        tsl_cuda_cublas_close(c);
    }
    return st == TSL_OK ? bound : st;
}

tsl_status tsl_cuda_queue_leave_room(tsl_queue *q, int spare, tsl_event *e)
{
    tsl_cuda_queue *c = tsl_cuda(q);
    tsl_status st = tsl_cuda_use(c->head.dev);
    cudaStream_t stream = c->own ? c->own : c->stream;
    if (spare && st == TSL_OK) {
        const tsl_cuda_part *p = part_of(c, spare);
        if (!p)
            return TSL_ERR_MEMORY;
        if (p->context)
            stream = p->stream;
    }
    tsl_status moved = stream == c->stream ? TSL_OK : compute_by(c, stream, e);
    return st == TSL_OK ? moved : st;
}

void tsl_cuda_parts_close(tsl_cuda_queue *c)
{
    for (tsl_cuda_part *p = c->parts, *next; p; p = next) {
        next = p->next;
        if (p->context) {
            (void)tsl_cuda_check(cudaStreamDestroy(p->stream), "cudaStreamDestroy");
            close_context(p);
        }
        tsl_host_free(&c->head.dev->allocator, p, sizeof *p);
    }
    c->parts = NULL;
}
