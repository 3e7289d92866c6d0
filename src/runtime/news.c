/* News between the threads of a runtime: who is woken, who waits, and the first failure, of which all hear. */
#include "runtime/runtime.h"

tsl_site *tsl_site_at(tsl_runtime *rt, int space)
{
    int devices = rt->x->device_count;
    return space == TSL_HOST_SPACE ? &rt->site[rt->host_site] : &rt->site[space > devices ? space - devices - 1 : space - 1];
}

/* A ring is never lost: the thread takes it back before it looks. So the semaphore is never above 1. */
void tsl_site_ring(tsl_site *s)
{
    if (!__atomic_exchange_n(&s->rung, true, __ATOMIC_ACQ_REL)) sem_post(&s->bell);
}

static void await_ring(tsl_site *s)
{
    tsl_runtime_unlock(s->rt);
    while (sem_wait(&s->bell)) continue; /* a signal came between */
    (void)__atomic_exchange_n(&s->rung, false, __ATOMIC_ACQ_REL);
    tsl_runtime_lock(s->rt);
}

void tsl_site_wake(tsl_site *s)
{
    s->news++;
    if (s->dev->shares_host) pthread_cond_broadcast(&s->wake);
    else tsl_site_ring(s);
}

void tsl_count_idle(tsl_site *s)
{
    double now = tsl_now();
    if (s->rt->unfinished) s->idle += s->resting * (now - s->counted);
    s->counted = now;
}

void tsl_site_rest(tsl_site *s, uint64_t seen)
{
    tsl_count_idle(s);
    s->resting++;
    if (!s->dev->shares_host) await_ring(s);
    else while (s->news == seen && !s->rt->closing) pthread_cond_wait(&s->work, &s->rt->lock);
    tsl_count_idle(s);
    s->resting--;
}

/* Were all cores woken, each would take the lock to find nothing, and hold up those at work. Those look for the next task
 * themselves: a signal that is lost, as in some versions of glibc, costs time. With none at work it would cost all of it. */
void tsl_site_offer(tsl_site *s)
{
    s->news++;
    if (!s->dev->shares_host) tsl_site_ring(s);
    else if (s->running) pthread_cond_signal(&s->work);
    else pthread_cond_broadcast(&s->work);
}

/* A site without a task that has begun waits for other news. */
void tsl_runtime_moved(tsl_runtime *rt)
{
    for (int i = 0; i < rt->sites; ++i) {
        tsl_site *s = &rt->site[i];
        if (s->fetching.first || (s->running && s->dev->shares_host)) tsl_site_wake(s);
    }
}

void tsl_runtime_await(tsl_runtime *rt)
{
    pthread_cond_wait(&rt->over, &rt->lock);
    if (!rt->x->watch.tell) return;
    tsl_runtime_unlock(rt);
    tsl_watch_tell(rt->x, false);
    tsl_runtime_lock(rt);
}

void tsl_task_failed(tsl_runtime *rt, tsl_status st)
{
    if (st && (!rt->failed || rt->failed == TSL_ERR_CANCELLED)) rt->failed = st;
}

void tsl_tasks_cancelled(tsl_runtime *rt)
{
    if (!rt->failed && tsl_is_cancelled(rt->x)) rt->failed = TSL_ERR_CANCELLED;
}
