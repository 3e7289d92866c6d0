/* Numbers that the host waits for, as outcomes: by pinned memory, which spares each the driver's own staging. Whoever reads has
 * the queue's context to himself. */
#include <string.h>

#include "device/cuda/backend.h"

static const size_t WORDS = (size_t)128 << 10; /* bytes: the outcomes of 16,384 problems */

tsl_status tsl_cuda_clear(tsl_queue *q, void *p, size_t bytes)
{
    tsl_status st = tsl_cuda_use(tsl_head(q)->dev);
    return st == TSL_OK ? tsl_cuda_check(cudaMemsetAsync(p, 0, bytes, tsl_cuda(q)->stream), "cudaMemsetAsync") : st;
}

static tsl_status open_words(tsl_cuda_queue *c)
{
    return c->words ? TSL_OK : tsl_cuda_check(cudaHostAlloc(&c->words, WORDS, cudaHostAllocDefault), "cudaHostAlloc");
}

tsl_status tsl_cuda_read(tsl_queue *q, void *to, const void *from, size_t bytes)
{
    tsl_cuda_queue *c = tsl_cuda(q);
    tsl_status st = tsl_cuda_use(c->head.dev);
    if (st == TSL_OK && bytes <= WORDS)
        st = open_words(c);
    if (st != TSL_OK)
        return st;
    void *there = bytes <= WORDS ? c->words : to;
    st = tsl_cuda_check(cudaMemcpyAsync(there, from, bytes, cudaMemcpyDeviceToHost, c->stream), "cudaMemcpyAsync");
    tsl_status late = tsl_cuda_queue_wait(q); /* even if the copy failed: it may be on its way */
    if (st == TSL_OK && late == TSL_OK && there != to)
        memcpy(to, there, bytes);
    return st == TSL_OK ? late : st;
}

tsl_status tsl_cuda_shared_open(tsl_device *dev, size_t bytes, void **p)
{
    tsl_status st = tsl_cuda_use(dev);
    *p = NULL;
    if (st == TSL_OK)
        st = tsl_cuda_check(cudaHostAlloc(p, bytes, cudaHostAllocPortable), "cudaHostAlloc");
    if (st == TSL_OK)
        memset(*p, 0, bytes);
    return st;
}

void tsl_cuda_shared_close(tsl_device *dev, void *p)
{
    (void)dev;
    tsl_device_entry();
    (void)tsl_cuda_check(cudaFreeHost(p), "cudaFreeHost");
}

void tsl_cuda_words_close(tsl_cuda_queue *c)
{
    if (c->words)
        (void)tsl_cuda_check(cudaFreeHost(c->words), "cudaFreeHost");
    c->words = NULL;
}
