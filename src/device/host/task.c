/* What a host queue can be asked to do. */
#include <string.h>

#include "core/log.h"
#include "device/host/host.h"

static void copy(const host_task *t)
{
    const char *src = t->u.copy.src;
    char *dst = t->u.copy.dst;
    for (size_t j = 0; j < t->u.copy.cols; ++j)
        memcpy(dst + j * t->u.copy.dst_pitch, src + j * t->u.copy.src_pitch, t->u.copy.rows);
}

uint64_t tsl_host_turn(tsl_event *e)
{
    pthread_mutex_lock(&e->lock);
    uint64_t turn = ++e->asked;
    pthread_mutex_unlock(&e->lock);
    return turn;
}

static void reach(tsl_event *e, uint64_t turn)
{
    pthread_mutex_lock(&e->lock);
    if (turn > e->done) { /* an event recorded on two queues may be reached in the other order */
        e->done = turn;
        e->when = tsl_now();
    }
    pthread_cond_broadcast(&e->reached);
    pthread_mutex_unlock(&e->lock);
}

static void await(tsl_event *e, uint64_t turn)
{
    pthread_mutex_lock(&e->lock);
    while (e->done < turn) pthread_cond_wait(&e->reached, &e->lock);
    pthread_mutex_unlock(&e->lock);
}

static const char *name_of(const host_task *t)
{
    return t->kind == HOST_COPY ? "copy2d" : t->kind == HOST_EXCHANGE ? "exchange" : tsl_ops[t->u.kernel.leaf.op].name;
}

static tsl_status compute(host_queue *q, const host_task *t)
{
    int begun = tsl_blas_begin(q->head.tasks);
    if (begun == TSL_REFUSED) return TSL_ERR_CONTEXT;
    tsl_status st = t->u.kernel.fn((tsl_queue *)q, &t->u.kernel.leaf);
    tsl_blas_end(begun);
    return st;
}

void (*tsl_host_fence)(bool begins);

/* A virtual device's memory is its own: between its tasks a test may close it to everybody. */
static tsl_status touch(host_queue *q, host_task *t)
{
    void (*fence)(bool begins) = q->head.dev->shares_host ? NULL : tsl_host_fence;
    tsl_status st = TSL_OK;
    if (fence) fence(true);
    if (t->kind == HOST_KERNEL) st = compute(q, t);
    else if (t->kind == HOST_COPY) copy(t);
    else st = tsl_host_exchange(q, t);
    if (fence) fence(false);
    return st;
}

/* Events, notices and messages are honoured even after an error, or others would wait for ever. */
void tsl_host_do(host_queue *q, host_task *t)
{
    if (t->kind == HOST_RECORD) {
        reach(t->u.event.event, t->u.event.turn);
        return;
    }
    if (t->kind == HOST_AFTER) {
        await(t->u.event.event, t->u.event.turn);
        return;
    }
    pthread_mutex_lock(&q->lock);
    tsl_status st = q->error;
    pthread_mutex_unlock(&q->lock);
    if (t->kind == HOST_NOTIFY) {
        t->u.notify.fn(t->u.notify.arg, st);
        return;
    }
    if (st && t->kind != HOST_EXCHANGE) return;
    double from = tsl_trace_on() ? tsl_now() : 0;
    st = touch(q, t);
    if (tsl_trace_on())
        tsl_trace_event(name_of(t), t->kind == HOST_KERNEL ? "kernel" : "transfer", q->head.dev->trace, q->head.track, from, tsl_now());
    if (st) {
        pthread_mutex_lock(&q->lock);
        if (!q->error) q->error = st;
        pthread_mutex_unlock(&q->lock);
    }
}
