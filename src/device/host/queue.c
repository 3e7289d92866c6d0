/* Queues of the host backend: one worker thread each, so that asynchrony and ordering are real. The first task that is left to
 * it starts the thread: a queue whose tasks are all done inline, as those of a core, has none. */
#include "device/host/host.h"

bool tsl_host_sync(pthread_mutex_t *lock, pthread_cond_t *changed)
{
    if (pthread_mutex_init(lock, NULL)) return false;
    if (!pthread_cond_init(changed, NULL)) return true;
    pthread_mutex_destroy(lock);
    return false;
}

static void *work(void *arg)
{
    host_queue *q = arg;
    pthread_mutex_lock(&q->lock);
    for (;;) {
        while (!q->first && !q->closing) pthread_cond_wait(&q->changed, &q->lock);
        host_task *t = q->first;
        if (!t) break;
        q->first = t->next;
        if (!q->first) q->last = NULL;
        pthread_mutex_unlock(&q->lock);
        tsl_host_do(q, t);
        pthread_mutex_lock(&q->lock);
        t->next = q->spare;
        q->spare = t;
        if (--q->busy == 0) pthread_cond_broadcast(&q->changed);
    }
    pthread_mutex_unlock(&q->lock);
    return NULL;
}

tsl_status tsl_host_queue_open(tsl_device *dev, int priority, void *adopt, tsl_queue **out)
{
    (void)priority; /* threads are all alike */
    tsl_device_entry();
    if (adopt) return TSL_ERR_DEVICE; /* there is no native host queue to adopt */
    host_queue *q = tsl_host_alloc(&dev->allocator, sizeof *q);
    if (!q) return TSL_ERR_MEMORY;
    tsl_head_open(&q->head, dev);
    if (!tsl_host_sync(&q->lock, &q->changed)) {
        tsl_host_free(&dev->allocator, q, sizeof *q);
        return TSL_ERR_MEMORY;
    }
    *out = (tsl_queue *)q;
    return TSL_OK;
}

void tsl_host_queue_close(tsl_queue *queue)
{
    host_queue *q = (host_queue *)queue;
    tsl_device_entry();
    pthread_mutex_lock(&q->lock);
    q->closing = true;
    pthread_cond_broadcast(&q->changed);
    pthread_mutex_unlock(&q->lock);
    if (q->started) pthread_join(q->thread, NULL);
    const tsl_allocator *a = &q->head.dev->allocator;
    while (q->spare) {
        host_task *t = q->spare;
        q->spare = t->next;
        tsl_host_free(a, t, sizeof *t);
    }
    pthread_cond_destroy(&q->changed);
    pthread_mutex_destroy(&q->lock);
    tsl_host_free(a, q, sizeof *q);
}

static void until_idle(host_queue *q)
{
    while (q->busy) pthread_cond_wait(&q->changed, &q->lock);
}

tsl_status tsl_host_queue_wait(tsl_queue *queue)
{
    host_queue *q = (host_queue *)queue;
    tsl_device_entry();
    pthread_mutex_lock(&q->lock);
    until_idle(q);
    tsl_status st = q->error;
    q->error = TSL_OK;
    pthread_mutex_unlock(&q->lock);
    return st;
}

static bool has_thread(host_queue *q)
{
    if (q->started) return true;
    until_idle(q); /* one who got no thread may be at work */
    if (!q->started) q->started = !pthread_create(&q->thread, NULL, work, q);
    return q->started;
}

/* A record's turn is taken as it is put on the queue, under its lock: whoever is told to wait for that turn, on this queue too,
 * is put there later. */
static host_task in_turn(const host_task *task)
{
    host_task t = *task;
    if (t.kind == HOST_RECORD) t.u.event.turn = tsl_host_turn(t.u.event.event);
    return t;
}

/* The caller does it himself, after all that was put there before, and gives up the lock. counts: others may be about to put
 * more there, and wait for it as they would for the queue's thread. */
static void do_here(host_queue *q, const host_task *task, bool counts)
{
    until_idle(q);
    host_task now = in_turn(task);
    q->busy += counts;
    pthread_mutex_unlock(&q->lock);
    tsl_host_do(q, &now);
    if (!counts) return;
    pthread_mutex_lock(&q->lock);
    q->busy--;
    pthread_cond_broadcast(&q->changed);
    pthread_mutex_unlock(&q->lock);
}

tsl_status tsl_host_submit(host_queue *q, const host_task *task)
{
    tsl_device_entry();
    pthread_mutex_lock(&q->lock);
    /* An event is reached at once where there is nothing before it: its time is not to be that of the thread's waking. */
    bool asked = q->head.inline_calls || (task->kind == HOST_RECORD && !q->busy);
    if (asked || !has_thread(q)) {
        do_here(q, task, !asked);
        return TSL_OK;
    }
    host_task *t = q->spare;
    if (t) q->spare = t->next;
    else t = tsl_host_alloc(&q->head.dev->allocator, sizeof *t);
    if (!t) { /* what the call has submitted so far cannot be taken back */
        do_here(q, task, true);
        return TSL_OK;
    }
    *t = in_turn(task);
    t->next = NULL;
    if (q->last) q->last->next = t;
    else q->first = t;
    q->last = t;
    q->busy++;
    pthread_cond_broadcast(&q->changed);
    pthread_mutex_unlock(&q->lock);
    return TSL_OK;
}
