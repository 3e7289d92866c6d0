/* Device times of traced launches: a pair of events around each, read when the queue is next waited for. */
#include "device/cuda/backend.h"

/* Past this many a launch waits for the ones before it. */
#define SPANS 4096

typedef struct span {
    const char *name, *category;
    cudaEvent_t from, to; /* made once, used again after every flush */
} span;

/* Times on the device are known only relative to an event. `base` has happened at host time `at`; it is set anew at every
 * flush, because elapsed times are floats and lose digits as they grow. */
struct tsl_cuda_span {
    int count;
    cudaEvent_t base;
    double at;
    span span[SPANS];
};

/* Waits for the queue, so that the event's time and the host's are one. */
static tsl_status rebase(tsl_cuda_queue *q)
{
    tsl_status st = tsl_cuda_check(cudaEventRecord(q->spans->base, q->stream), "cudaEventRecord");
    if (st == TSL_OK)
        st = tsl_cuda_waited(cudaEventSynchronize(q->spans->base), "cudaEventSynchronize");
    q->spans->at = tsl_now();
    return st;
}

static tsl_status open_spans(tsl_cuda_queue *q)
{
    q->spans = tsl_host_alloc(&q->head.dev->allocator, sizeof *q->spans);
    if (!q->spans)
        return TSL_ERR_MEMORY;
    tsl_status st = tsl_cuda_check(cudaEventCreate(&q->spans->base), "cudaEventCreate");
    if (st == TSL_OK)
        st = rebase(q);
    if (st != TSL_OK)
        tsl_cuda_span_close(q);
    return st;
}

bool tsl_cuda_span_begin(tsl_cuda_queue *q, const char *name, const char *category)
{
    tsl_status st = q->spans ? TSL_OK : open_spans(q);
    if (st == TSL_OK && q->spans->count == SPANS)
        st = tsl_cuda_queue_wait((tsl_queue *)q);
    if (st != TSL_OK)
        return false;
    span *s = &q->spans->span[q->spans->count];
    s->name = name, s->category = category;
    if (!s->from)
        st = tsl_cuda_check(cudaEventCreate(&s->from), "cudaEventCreate");
    if (st == TSL_OK && !s->to)
        st = tsl_cuda_check(cudaEventCreate(&s->to), "cudaEventCreate");
    if (st == TSL_OK)
        st = tsl_cuda_check(cudaEventRecord(s->from, q->stream), "cudaEventRecord");
    return st == TSL_OK;
}

void tsl_cuda_span_end(tsl_cuda_queue *q)
{
    if (tsl_cuda_check(cudaEventRecord(q->spans->span[q->spans->count].to, q->stream), "cudaEventRecord") == TSL_OK)
        q->spans->count++;
}

void tsl_cuda_span_flush(tsl_cuda_queue *q)
{
    struct tsl_cuda_span *all = q->spans;
    if (!all || all->count == 0)
        return;
    for (int i = 0; i < all->count; i++) {
        const span *s = &all->span[i];
        float before = 0, length = 0;
        tsl_status st = tsl_cuda_check(cudaEventElapsedTime(&before, all->base, s->from), "cudaEventElapsedTime");
        if (st == TSL_OK)
            st = tsl_cuda_check(cudaEventElapsedTime(&length, s->from, s->to), "cudaEventElapsedTime");
        double from = all->at + 1e-3 * before;
        if (st == TSL_OK)
            tsl_trace_event(s->name, s->category, q->head.dev->trace, q->head.track, from, from + 1e-3 * length);
    }
    all->count = 0;
    (void)rebase(q);
}

void tsl_cuda_span_close(tsl_cuda_queue *q)
{
    struct tsl_cuda_span *all = q->spans;
    if (!all)
        return;
    for (int i = 0; i < SPANS; i++) {
        if (all->span[i].from)
            (void)tsl_cuda_check(cudaEventDestroy(all->span[i].from), "cudaEventDestroy");
        if (all->span[i].to)
            (void)tsl_cuda_check(cudaEventDestroy(all->span[i].to), "cudaEventDestroy");
    }
    if (all->base)
        (void)tsl_cuda_check(cudaEventDestroy(all->base), "cudaEventDestroy");
    tsl_host_free(&q->head.dev->allocator, all, sizeof *all);
    q->spans = NULL;
}
