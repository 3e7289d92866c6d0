/* Sites: a device with the threads, queues, slots and executors that serve it. */
#include "runtime/runtime.h"
#include "tune/numbers.h"

tsl_status tsl_site_start(tsl_site *s)
{
    for (; s->threads < (s->dev->shares_host ? s->executors : 1); ++s->threads) {
        s->core[s->threads] = (tsl_core){s, s->threads};
        void *arg = s->dev->shares_host ? (void *)&s->core[s->threads] : (void *)s;
        if (pthread_create(&s->thread[s->threads], NULL, s->dev->shares_host ? tsl_core_worker : tsl_device_worker, arg))
            return TSL_ERR_MEMORY;
    }
    if (!s->dev->shares_host && !s->porter_runs) {
        if (pthread_create(&s->porter, NULL, tsl_porter, s)) return TSL_ERR_MEMORY;
        s->porter_runs = true;
    }
    return TSL_OK;
}

tsl_status tsl_site_open(tsl_runtime *rt, tsl_device *dev, int space, tsl_site *s)
{
    const tsl_allocator *mem = &rt->x->allocator;
    const tsl_backend *be = dev->be;
    int want = dev->shares_host ? tsl_blas_cores() : (int)tsl_tuned_for(be->accelerator, TSL_TUNED_EXECUTORS);
    *s = (tsl_site){.rt = rt, .space = space, .room = want};
    bool bell = !sem_init(&s->bell, 0, 0), wake = !pthread_cond_init(&s->wake, NULL), work = !pthread_cond_init(&s->work, NULL);
    bool carry = !pthread_cond_init(&s->carry, NULL);
    if (!bell || !wake || !work || !carry) {
        if (bell) sem_destroy(&s->bell);
        if (wake) pthread_cond_destroy(&s->wake);
        if (work) pthread_cond_destroy(&s->work);
        if (carry) pthread_cond_destroy(&s->carry);
        return TSL_ERR_MEMORY;
    }
    s->dev = dev;
    tsl_slots_open(s);
    s->thread = tsl_host_alloc(mem, tsl_times((size_t)want, sizeof *s->thread));
    s->core = tsl_host_alloc(mem, tsl_times((size_t)want, sizeof *s->core));
    s->executor = tsl_host_alloc(mem, tsl_times((size_t)want, sizeof *s->executor));
    s->load = tsl_host_alloc(mem, tsl_times((size_t)want, sizeof *s->load));
    if (!s->thread || !s->core || !s->executor || !s->load) return TSL_ERR_MEMORY;
    tsl_status st = TSL_OK;
    for (; s->executors < want && !st; s->executors += !st) {
        st = tsl_executor_open(rt->x, dev, &s->executor[s->executors]);
        if (!st && (st = be->prepare(s->executor[s->executors]->lanes[TSL_MAIN].q))) tsl_executor_close(s->executor[s->executors]);
        /* a core's own thread waits for each task: it computes it, too */
        if (!st && dev->shares_host) tsl_head(s->executor[s->executors]->lanes[TSL_MAIN].q)->inline_calls = true;
    }
    if (!st && !dev->shares_host) st = be->queue_open(dev, 1, NULL, &s->in);
    if (!st && !dev->shares_host) st = be->queue_open(dev, 1, NULL, &s->out);
    if (s->in) tsl_trace_lane(dev->trace, tsl_head(s->in)->track, "tiles in");
    if (s->out) tsl_trace_lane(dev->trace, tsl_head(s->out)->track, "tiles out");
    return st;
}

tsl_status tsl_site_drain(tsl_site *s)
{
    const tsl_backend *be = s->dev->be;
    tsl_status st = TSL_OK, each;
    for (int i = 0; i < s->executors; ++i) {
        each = tsl_drain(s->executor[i]);
        s->executor[i]->pending = TSL_OK;
        if (!st) st = each;
    }
    for (int i = 0; i < 2; ++i) {
        tsl_queue *q = i ? s->out : s->in;
        each = q ? be->queue_wait(q) : TSL_OK;
        if (!st) st = each;
    }
    return st;
}

/* The runtime is closing: its threads end as soon as they are woken. */
void tsl_site_close(tsl_site *s)
{
    if (!s->dev) return;
    const tsl_allocator *mem = &s->rt->x->allocator;
    for (int i = 0; i < s->threads; ++i) pthread_join(s->thread[i], NULL);
    if (s->porter_runs) pthread_join(s->porter, NULL);
    for (int i = 0; i < s->executors; ++i) tsl_executor_close(s->executor[i]);
    if (s->in) s->dev->be->queue_close(s->in);
    if (s->out) s->dev->be->queue_close(s->out);
    tsl_slots_close(s);
    pthread_cond_destroy(&s->wake);
    pthread_cond_destroy(&s->work);
    pthread_cond_destroy(&s->carry);
    sem_destroy(&s->bell); /* the queues are closed: nobody is left who might ring it */
    tsl_host_free(mem, s->thread, tsl_times((size_t)s->room, sizeof *s->thread));
    tsl_host_free(mem, s->core, tsl_times((size_t)s->room, sizeof *s->core));
    tsl_host_free(mem, s->executor, tsl_times((size_t)s->room, sizeof *s->executor));
    tsl_host_free(mem, s->load, tsl_times((size_t)s->room, sizeof *s->load));
    s->dev = NULL;
}
