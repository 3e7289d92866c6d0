/* The host's cores: a thread each, on the host's memory. */
#include "runtime/runtime.h"

/* Waits until what the task uses is there, and what it writes is no longer copied from. */
static tsl_status wait_here(tsl_runtime *rt, const tsl_task *t)
{
    tsl_status st = TSL_OK;
    for (int i = 0; i < t->uses; ++i) {
        const tsl_use *u = &t->use[i];
        const tsl_slot *slot = u->slot;
        const tsl_device *by = slot ? slot->by : u->tile->lander;
        tsl_event *in = slot ? (slot->arrives ? slot->in : NULL) : u->tile->landed;
        tsl_event *out = slot && slot->leaves && u->writes ? slot->out : NULL;
        if (!in && !out) continue;
        tsl_runtime_unlock(rt);
        if (in && !st) st = by->be->event_wait(in);
        if (out && !st) st = by->be->event_wait(out);
        tsl_runtime_lock(rt);
    }
    return st;
}

static bool needs_slots(const tsl_task *t)
{
    int i = 0;
    while (i < t->uses && t->use[i].tile->line.home == TSL_HOST_SPACE) ++i;
    return i < t->uses;
}

static void wait_for_news(tsl_site *s, uint64_t seen)
{
    while (s->news == seen) pthread_cond_wait(&s->wake, &s->rt->lock);
}

static bool at_work(const tsl_site *s)
{
    int core = 0;
    while (core < s->executors && !s->load[core]) ++core;
    return core < s->executors;
}

/* The tiles a task needs, on their way; and its workspace, if somebody might take what there is. */
static tsl_status gather(tsl_site *s, tsl_site *memory, bool shared, tsl_context *e, tsl_task *t, bool *all)
{
    tsl_matrix mat[TSL_MAX_OPERANDS];
    bool kept, loose;
    tsl_status st;
    do {
        st = tsl_fetch(s, t, all);
        if (!st && *all && shared) {
            tsl_call c = tsl_local_call(s, e, t, mat);
            st = tsl_reserve_at(memory, e, false, &c);
        }
    } while (st == TSL_ERR_DEVICE_MEMORY && tsl_spare_workspace(s, e));
    if (st != TSL_ERR_DEVICE_MEMORY) return st;
    *all = false;
    tsl_survey(memory, t, &kept, &loose);
    return kept || at_work(s) ? TSL_OK : st; /* until those are over */
}

/* Cores share the host's memory, its slots and its limit. One at a time gathers what it needs: all others that have some are at
 * work and sure to end, so no two wait for each other; and no slot is written that another core is sending home to make
 * room. */
static tsl_status prepare(tsl_site *s, tsl_context *e, tsl_task *t)
{
    tsl_runtime *rt = s->rt;
    tsl_site *memory = tsl_site_at(rt, s->space);
    bool turn = memory->held || needs_slots(t) || s->dev->limit != SIZE_MAX, all = false;
    tsl_status st = TSL_OK;
    while (turn && memory->filling) wait_for_news(s, s->news);
    if (turn) memory->filling = true;
    while (!rt->failed && !st && !all) {
        uint64_t seen = s->news;
        st = gather(s, memory, turn, e, t, &all);
        if (!st && !all) wait_for_news(s, seen);
    }
    if (turn) memory->filling = false;
    if (turn) tsl_runtime_moved(rt);
    return st;
}

static void run_here(tsl_site *s, int core, tsl_task *t)
{
    tsl_runtime *rt = s->rt;
    tsl_context *e = s->executor[core];
    tsl_matrix mat[TSL_MAX_OPERANDS];
    tsl_tasks_cancelled(rt);
    tsl_status st = prepare(s, e, t);
    s->load[core] = 1;
    if (!st && !rt->failed) st = wait_here(rt, t);
    if (!st && !rt->failed) {
        tsl_call c = tsl_local_call(s, e, t, mat);
        tsl_runtime_unlock(rt);
        st = rt->compute(e, &c);
        if (!st) st = s->dev->be->queue_wait(e->lanes[TSL_MAIN].q);
        tsl_runtime_lock(rt);
    }
    tsl_task_failed(rt, st);
    tsl_task_failed(rt, tsl_release(s, t));
    s->load[core] = 0;
    tsl_task_over(rt, t);
    s->running--;
    tsl_runtime_moved(rt);
}

void *tsl_core_worker(void *core)
{
    tsl_core *c = core;
    tsl_site *s = c->site;
    tsl_own_thread = true;
    tsl_runtime_lock(s->rt);
    while (!s->rt->closing) {
        uint64_t seen = s->news;
        tsl_task *t = tsl_next_task(s);
        if (t) {
            s->running++;
            run_here(s, c->index, t);
        } else {
            tsl_site_rest(s, seen);
        }
    }
    tsl_runtime_unlock(s->rt);
    return NULL;
}
