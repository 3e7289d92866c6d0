/* Contexts: devices, lanes, workspace and the error kept for the caller. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "context/context.h"
#include "hostlib/routines.h"

static __thread tsl_context *innermost; /* of those in whose calls this thread is */

bool tsl_is_inside(const tsl_context *x)
{
    const tsl_context *at = innermost;
    while (at && at != x) at = at->outer;
    return at;
}

bool tsl_is_called(void) { return innermost; }

static tsl_status open_devices(tsl_context *x, const char *text)
{
    tsl_device_spec spec[TSL_MAX_DEVICES];
    int count;
    const char *set = getenv("TESELA_DEVICES");
    bool by_variable = !text && set && *set; /* an empty variable is an unset one */
    if (by_variable) text = set;
    if (tsl_gpus_left_behind() && (!text || strstr(text, "cuda")))
        return tsl_fail(x, TSL_ERR_PROCESS, "GPUs were used before this process was forked, and cannot be used in it; devices \"host\" can");
    char why[TSL_DETAIL];
    tsl_status st = tsl_parse_devices(text, spec, TSL_MAX_DEVICES, &count, why, sizeof why);
    if (st) return tsl_fail(x, st, "%s: %s", by_variable ? "TESELA_DEVICES" : "devices", why);
    const char *missing = tsl_hostlib_fill(); /* GPUs can do without */
    for (int d = 0; d < count && missing; ++d)
        if (!spec[d].be->accelerator) return tsl_fail(x, TSL_ERR_NO_DEVICE, "%s", missing);
    x->devices = tsl_host_alloc(&x->allocator, tsl_times((size_t)count, sizeof *x->devices));
    if (!x->devices) return TSL_ERR_MEMORY;
    x->device_capacity = count;
    for (int d = 0; d < count; ++d) {
        tsl_device *dev = &x->devices[d];
        dev->be = spec[d].be;
        dev->index = d;
        dev->ordinal = spec[d].ordinal;
        dev->is_virtual = spec[d].is_virtual;
        dev->shares_host = spec[d].shares_host;
        dev->limit = spec[d].limit;
        dev->allocator = x->allocator;
        dev->hooked = x->allocator.alloc != NULL;
        st = tsl_device_open(dev);
        if (st) return tsl_fail(x, st, "device %d (%s:%d): %s", d, dev->be->name, dev->ordinal, tsl_status_text(st));
        x->device_count = d + 1;
        if (dev->be->accelerator) tsl_gpus_used();
    }
    x->dev = x->devices;
    return TSL_OK;
}

static tsl_products products_wanted(void)
{
    const char *text = getenv("TESELA_PRODUCTS");
    tsl_products p = TSL_PRODUCTS_AUTO;
    if (text && *text && !tsl_products_named(text, &p))
        tsl_ignored(TSL_SETTING_PRODUCTS, "TESELA_PRODUCTS=%s ignored: it must be auto, native, emulated or emulated-fast",
                    text);
    return p;
}

static tsl_status open_lanes(tsl_context *x, void *stream)
{
    const tsl_backend *be = x->dev->be;
    for (int l = 0; l < TSL_LANES; ++l) {
        tsl_lane *lane = &x->lanes[l];
        lane->arena.dev = x->dev;
        tsl_status st = be->queue_open(x->dev, l == TSL_AHEAD, l == TSL_MAIN ? stream : NULL, &lane->q);
        if (!st) tsl_trace_lane(x->dev->trace, tsl_head(lane->q)->track, x->parent ? "tasks" : l == TSL_MAIN ? "main lane" : "lane ahead");
        if (!st) st = be->event_open(x->dev, &lane->point);
        if (!st) st = be->event_open(x->dev, &x->timer[l]);
        if (st) return st;
    }
    void *info;
    tsl_status st = tsl_device_alloc(x->dev, sizeof(int64_t[TSL_INFOS + 1]), &info);
    if (st) return st;
    x->rest.info = x->infos = info;
    void *fault = x->infos + TSL_INFOS;
    if (be->shared_open && (st = be->shared_open(x->dev, sizeof *x->fault, &fault))) return st;
    x->fault = fault;
    st = tsl_device_alloc(x->dev, sizeof(tsl_scalar), &x->result);
    if (st) return st;
    static const int64_t zeros[TSL_INFOS + 1];
    return tsl_copy_word(x, x->infos, zeros, sizeof zeros, TSL_TO_DEVICE);
}

/* Tolerates one that was only partly made. */
void tsl_context_close(tsl_context *x)
{
    for (int l = 0; x->dev && l < TSL_LANES; ++l) {
        tsl_lane *lane = &x->lanes[l];
        if (lane->q) x->dev->be->queue_close(lane->q);
        if (lane->point) x->dev->be->event_close(x->dev, lane->point);
        if (x->timer[l]) x->dev->be->event_close(x->dev, x->timer[l]);
        tsl_arena_trim(&lane->arena, 0);
    }
    tsl_numbers_free(x);
    tsl_host_free(&x->allocator, x->host_block, x->host_bytes);
    if (x->fault && x->dev->be->shared_open) x->dev->be->shared_close(x->dev, x->fault);
    if (x->infos) tsl_device_release(x->dev, x->infos);
    if (x->result) tsl_device_release(x->dev, x->result);
    for (int d = 0; d < x->device_count; ++d) tsl_device_close(&x->devices[d]);
    tsl_host_free(&x->allocator, x->devices, tsl_times((size_t)x->device_capacity, sizeof *x->devices));
}

void tsl_context_forget(tsl_context *x)
{
    pthread_mutex_destroy(&x->lock);
    tsl_allocator a = x->allocator;
    tsl_host_free(&a, x, sizeof *x);
}

/* What a caller's context and an executor begin with. */
static tsl_context *begin(const tsl_allocator *a)
{
    tsl_context *x = tsl_host_alloc(a, sizeof *x);
    if (x && pthread_mutex_init(&x->lock, NULL)) {
        tsl_host_free(a, x, sizeof *x);
        x = NULL;
    }
    if (!x) return NULL;
    x->allocator = *a;
    x->run = &x->rest;
    strcpy(x->variant, "auto");
    strcpy(x->policy, "auto");
    strcpy(x->dist, "2d");
    strcpy(x->path, "auto");
    strcpy(x->diag_on, "auto");
    return x;
}

tsl_status tsl_executor_open_dry(tsl_context *x, tsl_device *dev, tsl_context **e)
{
    tsl_context *made = begin(&x->allocator);
    if (!made) return TSL_ERR_MEMORY;
    made->parent = x;
    made->dev = dev;
    made->tune = x->tune;
    made->workspace_limit = x->workspace_limit;
    made->rest.products = x->run->products; /* a task's are its call's */
    *e = made;
    return TSL_OK;
}

tsl_status tsl_executor_open(tsl_context *x, tsl_device *dev, tsl_context **e)
{
    tsl_context *made;
    tsl_status st = tsl_executor_open_dry(x, dev, &made);
    if (st) return st;
    st = open_lanes(made, NULL);
    for (int l = 0; l < TSL_LANES && !st; ++l) tsl_head(made->lanes[l].q)->tasks = true;
    if (!st) st = tsl_drain(made);
    if (st) tsl_executor_close(made);
    else *e = made;
    return st;
}

void tsl_executor_close(tsl_context *e)
{
    tsl_drain(e);
    tsl_context_close(e);
    tsl_context_forget(e);
}

tsl_status tsl_context_open(const tsl_config *cfg, tsl_context **out)
{
    tsl_allocator a = cfg->allocator ? *cfg->allocator : (tsl_allocator){0};
    tsl_context *x = begin(&a);
    if (!x) return tsl_fail(NULL, TSL_ERR_MEMORY, "context: no host memory");
    x->workspace_limit = cfg->workspace_limit ? cfg->workspace_limit : TSL_DEFAULT_WORKSPACE;
    x->deadline = tsl_deadline();
    x->rest.products = products_wanted();
    tsl_status st = open_devices(x, cfg->devices);
    if (!st) st = open_lanes(x, cfg->stream);
    x->exposed = cfg->stream != NULL;
    if (!st) st = tsl_drain(x);
    if (!st) {
        tsl_small_allow(x);
        *out = x;
        return TSL_OK;
    }
    return tsl_context_give_up(x, st);
}

tsl_status tsl_context_give_up(tsl_context *x, tsl_status st)
{
    tsl_fail(NULL, st, "context: %s", *x->detail ? x->detail : tsl_status_text(st));
    tsl_log(TSL_LOG_ERROR, "%s", tsl_error(NULL));
    tsl_context_close(x);
    tsl_context_forget(x);
    return st;
}

tsl_status tsl_refuse_context(const tsl_context *x)
{
    tsl_status why = tsl_why_gone(x);
    return tsl_fail(NULL, why, why == TSL_ERR_PROCESS ? "the context was made before this process was forked: make another one here"
                                                      : "the context has been destroyed");
}

static void step_in(tsl_context *x)
{
    x->outer = innermost;
    x->depth = 1;
    innermost = x;
}

void tsl_enter_own(tsl_context *x)
{
    tsl_hold(x);
    if (tsl_is_inside(x)) {
        x->depth++;
        return;
    }
    pthread_mutex_lock(&x->lock);
    step_in(x);
}

bool tsl_try_enter(tsl_context *x, int seconds)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += seconds;
    if (seconds ? pthread_mutex_timedlock(&x->lock, &until) : pthread_mutex_trylock(&x->lock)) return false;
    tsl_hold(x);
    step_in(x);
    return true;
}

tsl_status tsl_enter(tsl_context **x)
{
    tsl_status st = *x ? TSL_OK : tsl_default_get(x);
    if (st) return st;
    if (tsl_is_inside(*x)) {
        if ((*x)->watch.telling) return tsl_fail(NULL, TSL_ERR_CONTEXT, "a call on the context from within its progress function");
        tsl_enter_own(*x);
        return TSL_OK;
    }
    int begun = tsl_busy_begin(*x);
    bool there = tsl_lives(*x); /* not so after a fork, which may have left the lock taken */
    if (there) tsl_hold(*x);
    tsl_busy_end(begun);
    if (!there) return tsl_refuse_context(*x);
    pthread_mutex_lock(&(*x)->lock);
    if (!__atomic_load_n(&(*x)->ending, __ATOMIC_ACQUIRE)) {
        step_in(*x);
        tsl_cancel_none(*x);
        return TSL_OK;
    }
    tsl_let(*x);
    pthread_mutex_unlock(&(*x)->lock);
    return tsl_refuse_context(*x);
}

/* Under the lock to the last: who takes it after all have let it go may free it. */
tsl_status tsl_leave(tsl_context *x, tsl_status st)
{
    tsl_let(x);
    if (--x->depth) return st;
    innermost = x->outer;
    pthread_mutex_unlock(&x->lock);
    return st;
}

void tsl_small_allow(tsl_context *x)
{
    bool plain = x->device_count == 1 && x->dev->shares_host && x->tile == 0 && !strcmp(x->variant, "auto") && x->path[0] != 't' &&
                 x->rest.products < TSL_PRODUCTS_EMULATED &&
                 !x->region; /* there others may be at work on the same memory (exec/region.c) */
    __atomic_store_n(&x->small, plain, __ATOMIC_RELAXED);
}

void tsl_numbers_free(tsl_context *x)
{
    tsl_host_free(&x->allocator, x->numbers, x->numbers_bytes);
    x->numbers = NULL;
    x->numbers_bytes = x->numbers_used = 0;
}

void tsl_keep_little(tsl_context *x)
{
    if (x->holds) return;
    if (x->numbers_bytes > x->workspace_limit) tsl_numbers_free(x);
    for (int l = 0; l < TSL_LANES; ++l)
        if (x->lanes[l].arena.held > x->workspace_limit) tsl_arena_trim(&x->lanes[l].arena, x->workspace_limit);
}

void tsl_trim_workspace(tsl_context *x)
{
    tsl_drain(x);
    for (int l = 0; l < TSL_LANES; ++l) tsl_arena_trim(&x->lanes[l].arena, 0);
    tsl_numbers_free(x);
    tsl_host_free(&x->allocator, x->host_block, x->host_bytes);
    x->host_block = NULL;
    x->host_bytes = 0;
}

/* Kernels that cannot return a status leave a word. Nothing is at work on the device. */
static tsl_status read_fault(tsl_context *x)
{
    int64_t fault = 0;
    bool here = x->dev->be->shared_open != NULL;
    if (here) fault = __atomic_exchange_n(x->fault, 0, __ATOMIC_ACQ_REL);
    tsl_status st = here ? TSL_OK : tsl_fetch_words(x, &fault, x->fault, sizeof fault);
    x->faults = false;
    if (!st && fault && !here) st = tsl_clear_words(x, x->fault, sizeof fault);
    return st ? st : fault ? TSL_ERR_PIVOT : TSL_OK;
}

static tsl_status drain_from(tsl_context *x, int first)
{
    for (int l = first; l < TSL_LANES; ++l) {
        tsl_status st = x->lanes[l].q ? x->dev->be->queue_wait(x->lanes[l].q) : TSL_OK;
        if (st && !x->pending) x->pending = st;
    }
    tsl_status fault = x->faults ? read_fault(x) : TSL_OK;
    if (fault && !x->pending) x->pending = fault;
    x->follows = false;
    return x->pending;
}

tsl_status tsl_drain(tsl_context *x) { return drain_from(x, TSL_MAIN); }
tsl_status tsl_drain_rest(tsl_context *x) { return drain_from(x, TSL_MAIN + 1); }
