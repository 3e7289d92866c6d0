/* The runtime of a context: opened when tiles are first used, closed with the context. */
#include "runtime/runtime.h"

#include <string.h>

enum { WINDOW = 1 << 20, FIRST_BATCH = 1024 };
_Static_assert(TSL_MAX_DEVICES < TSL_MAX_SPACES, "every device's memory and the host's is a space");

static tsl_status open_site(tsl_runtime *rt, tsl_device *dev, int at)
{
    return tsl_site_open(rt, dev, dev->shares_host ? TSL_HOST_SPACE : at + 1, &rt->site[at]);
}

/* Tasks may be running. */
static void set_sites(tsl_runtime *rt, int sites, int host_site)
{
    tsl_runtime_lock(rt);
    rt->sites = sites;
    rt->host_site = host_site;
    tsl_runtime_unlock(rt);
}

tsl_status tsl_runtime_host(tsl_runtime *rt)
{
    if (rt->host_site >= 0) return TSL_OK;
    tsl_device *dev = &rt->host;
    *dev = (tsl_device){.be = &tsl_host_backend, .index = -1, .shares_host = true, .limit = SIZE_MAX,
                        .allocator = rt->x->allocator, .hooked = rt->x->allocator.alloc != NULL};
    tsl_status st = tsl_device_open(dev);
    if (st) return st;
    rt->host_open = true;
    int at = rt->x->device_count;
    tsl_site *s = &rt->site[at];
    st = open_site(rt, dev, at);
    if (!st) {
        set_sites(rt, at + 1, at);
        st = tsl_site_start(s);
        if (s->threads) return TSL_OK; /* fewer than cores will do */
        set_sites(rt, at, -1);
    }
    tsl_site_close(s);
    tsl_device_close(dev);
    rt->host_open = false;
    return st;
}

static void dispose(tsl_runtime *rt)
{
    const tsl_allocator *mem = &rt->x->allocator;
    tsl_runtime_lock(rt);
    rt->closing = true;
    for (int i = 0; i < rt->sites; ++i) {
        if (!rt->site[i].dev) continue;
        tsl_site_wake(&rt->site[i]);
        pthread_cond_broadcast(&rt->site[i].work);
        pthread_cond_signal(&rt->site[i].carry);
    }
    tsl_runtime_unlock(rt);
    for (int i = 0; i < rt->sites; ++i) tsl_site_close(&rt->site[i]);
    (void)tsl_drawing_close(rt);
    if (rt->host_open) tsl_device_close(&rt->host);
    tsl_runtime_lock(rt);
    tsl_give_back_uses(rt);
    tsl_runtime_unlock(rt);
    tsl_pool_free(rt, &rt->tasks);
    tsl_pool_free(rt, &rt->edges);
    tsl_pool_free(rt, &rt->readers);
    pthread_cond_destroy(&rt->over);
    pthread_mutex_destroy(&rt->lock);
    tsl_host_free(mem, rt->site, tsl_times((size_t)rt->x->device_count + 1, sizeof *rt->site));
    tsl_host_free(mem, rt, sizeof *rt);
}

static tsl_status make(tsl_context *x, tsl_executes compute, tsl_executes reserve, tsl_runtime **out)
{
    tsl_runtime *rt = tsl_host_alloc(&x->allocator, sizeof *rt);
    if (!rt) return TSL_ERR_MEMORY;
    *rt = (tsl_runtime){.x = x, .compute = compute, .reserve = reserve, .host_site = -1, .sites = x->device_count,
                        .window = WINDOW, .batch_limit = FIRST_BATCH, .tasks.size = sizeof(tsl_task),
                        .edges.size = sizeof(tsl_edge), .readers.size = sizeof(tsl_reader)};
    rt->policy = tsl_policy_find(x->policy);
    bool lock = !pthread_mutex_init(&rt->lock, NULL), over = !pthread_cond_init(&rt->over, NULL);
    if (!lock || !over) {
        if (lock) pthread_mutex_destroy(&rt->lock);
        if (over) pthread_cond_destroy(&rt->over);
        tsl_host_free(&x->allocator, rt, sizeof *rt);
        return TSL_ERR_MEMORY;
    }
    rt->site = tsl_host_alloc(&x->allocator, tsl_times((size_t)x->device_count + 1, sizeof *rt->site));
    tsl_status st = rt->site ? TSL_OK : TSL_ERR_MEMORY;
    if (!rt->site) rt->sites = 0;
    for (int d = 0; d < x->device_count && !st; ++d) {
        if (x->devices[d].shares_host && rt->host_site < 0) rt->host_site = d;
        st = open_site(rt, &x->devices[d], d);
    }
    for (int d = 0; d < x->device_count && !st; ++d) st = tsl_site_start(&rt->site[d]);
    if (st) dispose(rt);
    else *out = rt;
    return st;
}

tsl_status tsl_runtime_get(tsl_context *x, tsl_executes compute, tsl_executes reserve, tsl_runtime **rt)
{
    tsl_status st = x->runtime ? TSL_OK : make(x, compute, reserve, &x->runtime);
    if (st == TSL_ERR_DEVICE_MEMORY) { /* workspace of earlier calls may be in the way */
        tsl_trim_workspace(x);
        st = make(x, compute, reserve, &x->runtime);
    }
    if (st) return tsl_fail(x, st, "the tile runtime cannot be opened: %s", tsl_status_text(st));
    *rt = x->runtime;
    return TSL_OK;
}

void tsl_runtime_close(tsl_context *x)
{
    if (!x->runtime) return;
    x->watch.tell = NULL; /* of the end of the context nobody is told */
    (void)tsl_runtime_finish(x->runtime, false);
    dispose(x->runtime);
    x->runtime = NULL;
}

/* Something has gone wrong on the way, other than that tasks were cancelled: then tiles are where the directory says. */
static bool broke(const tsl_runtime *rt) { return rt->failed && rt->failed != TSL_ERR_CANCELLED; }

/* Everything has run: dirty tiles of the caller's storage go home. */
static void bring_home(tsl_runtime *rt)
{
    for (struct tsl_tiles *a = rt->matrices; a; a = a->next)
        for (int64_t i = 0; i < a->mt * a->nt; ++i) {
            tsl_tile *t = &a->tile[i];
            if (!broke(rt) && a->wraps) tsl_task_failed(rt, tsl_clean(t));
        }
}

/* Queues are empty: nothing is on its way any more. Of what failed, and of the caller's arrays unless copies of them are to be
 * kept, the home alone is trusted. */
static void settle(tsl_runtime *rt, bool keep)
{
    for (int i = 0; i < rt->sites; ++i) tsl_slots_settle(&rt->site[i]);
    for (struct tsl_tiles *a = rt->matrices; a; a = a->next)
        for (int64_t i = 0; i < a->mt * a->nt; ++i) {
            tsl_tile *t = &a->tile[i];
            t->landed = NULL;
            if (!broke(rt) && (keep || !a->wraps)) continue;
            for (int s = 0; s < a->spaces; ++s)
                if (*tsl_slot_at(t, s)) tsl_slot_drop(tsl_site_at(rt, s), *tsl_slot_at(t, s));
            t->line.coming = 0;
            t->line.valid = t->data ? tsl_space_bit(t->line.home) : 0;
        }
}

size_t tsl_runtime_kept(const tsl_context *x, const tsl_device *dev, bool by_tiles)
{
    tsl_runtime *rt = x->runtime;
    size_t kept = 0;
    if (!rt || (rt->started && !by_tiles)) return 0;
    tsl_runtime_lock(rt);
    for (int i = 0; i < rt->sites; ++i) {
        const tsl_site *s = &rt->site[i];
        if (s->dev != dev) continue;
        kept += s->held;
        for (int e = 0; e < s->executors; ++e)
            for (int l = 0; l < TSL_LANES; ++l) kept += __atomic_load_n(&s->executor[e]->lanes[l].arena.held, __ATOMIC_RELAXED);
    }
    tsl_runtime_unlock(rt);
    return kept;
}

void tsl_runtime_trim(tsl_context *x)
{
    tsl_runtime *rt = x->runtime;
    if (!rt || rt->started) return; /* tasks are at work with it */
    for (int i = 0; i < rt->sites; ++i) {
        tsl_runtime_lock(rt);
        while (!tsl_slots_make_room(&rt->site[i])) continue; /* tiles that are nowhere else go home */
        tsl_runtime_unlock(rt);
        for (int e = 0; e < rt->site[i].executors; ++e)
            for (int l = 0; l < TSL_LANES; ++l) tsl_arena_trim(&rt->site[i].executor[e]->lanes[l].arena, 0);
    }
}

/* From the first task on until all is waited for. */
tsl_status tsl_runtime_start(tsl_runtime *rt)
{
    if (rt->started) return TSL_OK;
    tsl_runtime_lock(rt);
    rt->policy = tsl_policy_find(rt->x->policy);
    tsl_status st = tsl_drawing_open(rt);
    tsl_runtime_unlock(rt);
    if (st) return st;
    tsl_blas_hold();
    rt->started = true;
    return TSL_OK;
}

void tsl_runtime_order(tsl_runtime *rt, bool in_order, int64_t slots)
{
    tsl_runtime_lock(rt);
    if (rt->in_order != in_order) tsl_let_go(rt);
    rt->in_order = in_order;
    rt->slots = slots;
    tsl_runtime_unlock(rt);
}

tsl_status tsl_runtime_quiet(tsl_runtime *rt)
{
    tsl_runtime_lock(rt);
    tsl_let_go(rt);
    while (rt->unfinished || rt->leaving) tsl_runtime_await(rt);
    tsl_status st = rt->failed;
    tsl_runtime_unlock(rt);
    return st;
}

static void set_ending(tsl_runtime *rt, bool ending)
{
    tsl_runtime_lock(rt);
    rt->ending = ending;
    tsl_runtime_unlock(rt);
}

tsl_status tsl_runtime_finish(tsl_runtime *rt, bool keep)
{
    set_ending(rt, true);
    (void)tsl_runtime_quiet(rt); /* the error is told in the end */
    set_ending(rt, false);
    tsl_runtime_lock(rt);
    bring_home(rt);
    tsl_runtime_unlock(rt);
    tsl_status st = TSL_OK;
    for (int i = 0; i < rt->sites; ++i) {
        tsl_status each = tsl_site_drain(&rt->site[i]);
        if (!st) st = each;
    }
    tsl_runtime_lock(rt);
    tsl_task_failed(rt, st);
    settle(rt, keep);
    tsl_give_back_uses(rt);
    for (int i = 0; i < rt->sites; ++i) tsl_slots_release(&rt->site[i], rt->x->workspace_limit);
    st = tsl_drawing_flush(rt);
    if (rt->failed) st = rt->failed;
    rt->failed = TSL_OK;
    rt->batch_limit = FIRST_BATCH;
    tsl_runtime_unlock(rt);
    if (rt->started) tsl_blas_let_go();
    rt->started = false;
    return st;
}
