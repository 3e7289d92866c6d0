/* Contexts: devices, lanes, workspace and the error kept for the caller. */
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/core.h"

tsl_config tsl_config_default(void) { return (tsl_config){.size = sizeof(tsl_config)}; }

static tsl_status open_devices(tsl_context *x, const char *text)
{
    tsl_device_spec spec[TSL_MAX_DEVICES];
    int count;
    bool given = text != NULL;
    if (!text) text = getenv("TESELA_DEVICES");
    if (text && !*text && !given) text = NULL; /* an empty variable is an unset one */
    tsl_status st = tsl_parse_devices(text, spec, TSL_MAX_DEVICES, &count, x->detail, sizeof x->detail);
    if (st) return st;
    x->devices = tsl_host_alloc(&x->allocator, (size_t)count * sizeof *x->devices);
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
        if (st) return st;
        x->device_count = d + 1;
    }
    x->dev = x->devices;
    return TSL_OK;
}

static tsl_status open_lanes(tsl_context *x, void *stream)
{
    const tsl_backend *be = x->dev->be;
    for (int l = 0; l < TSL_LANES; ++l) {
        tsl_lane *lane = &x->lanes[l];
        lane->arena.dev = x->dev;
        tsl_status st = be->queue_open(x->dev, l == TSL_AHEAD, l == TSL_MAIN ? stream : NULL, &lane->q);
        if (!st) st = be->event_open(x->dev, &lane->point);
        if (!st) st = be->event_open(x->dev, &x->timer[l]);
        if (st) return st;
    }
    void *info;
    tsl_status st = tsl_device_alloc(x->dev, TSL_INFOS * sizeof *x->infos, &info);
    if (st) return st;
    x->info = x->infos = info;
    st = tsl_device_alloc(x->dev, sizeof(tsl_scalar), &x->result);
    if (st) return st;
    static const int64_t zeros[TSL_INFOS];
    return tsl_copy_word(x, x->infos, zeros, sizeof zeros, TSL_TO_DEVICE);
}

/* Tolerates a context that was only partly made. */
static void dispose(tsl_context *x)
{
    for (int l = 0; x->dev && l < TSL_LANES; ++l) {
        tsl_lane *lane = &x->lanes[l];
        if (lane->q) x->dev->be->queue_close(lane->q);
        if (lane->point) x->dev->be->event_close(x->dev, lane->point);
        if (x->timer[l]) x->dev->be->event_close(x->dev, x->timer[l]);
        tsl_arena_trim(&lane->arena, 0);
    }
    if (!x->parent) tsl_tune_close(x);
    if (x->infos) tsl_device_release(x->dev, x->infos);
    if (x->result) tsl_device_release(x->dev, x->result);
    for (int d = 0; d < x->device_count; ++d) tsl_device_close(&x->devices[d]);
    tsl_host_free(&x->allocator, x->devices, (size_t)x->device_capacity * sizeof *x->devices);
    pthread_mutex_destroy(&x->lock);
    tsl_allocator a = x->allocator;
    tsl_host_free(&a, x, sizeof *x);
}

/* What a caller's context and an executor begin with. */
static tsl_context *begin(const tsl_allocator *a)
{
    tsl_context *x = tsl_host_alloc(a, sizeof *x);
    if (!x) return NULL;
    x->allocator = *a;
    strcpy(x->variant, "auto");
    strcpy(x->policy, "auto");
    strcpy(x->dist, "2d");
    strcpy(x->path, "auto");
    strcpy(x->diag_on, "auto");
    pthread_mutexattr_t recursive;
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&x->lock, &recursive);
    pthread_mutexattr_destroy(&recursive);
    return x;
}

tsl_status tsl_executor_open(tsl_context *x, tsl_device *dev, tsl_context **e)
{
    tsl_context *made = begin(&x->allocator);
    if (!made) return TSL_ERR_MEMORY;
    made->parent = x;
    made->dev = dev;
    made->tune = x->tune;
    made->workspace_limit = x->workspace_limit;
    tsl_status st = open_lanes(made, NULL);
    if (!st) st = tsl_drain(made);
    if (st) dispose(made);
    else *e = made;
    return st;
}

void tsl_executor_close(tsl_context *e)
{
    tsl_drain(e);
    dispose(e);
}

static tsl_status make(const tsl_config *cfg, tsl_context **out)
{
    tsl_allocator a = cfg->allocator ? *cfg->allocator : (tsl_allocator){0};
    tsl_context *x = begin(&a);
    if (!x) return TSL_ERR_MEMORY;
    x->workspace_limit = cfg->workspace_limit ? cfg->workspace_limit : TSL_DEFAULT_WORKSPACE;
    tsl_status st = open_devices(x, cfg->devices);
    if (!st) st = tsl_tune_open(x);
    if (!st) st = open_lanes(x, cfg->stream);
    if (!st) st = tsl_drain(x);
    if (st) {
        tsl_log(TSL_LOG_ERROR, "context: %s%s%s", tsl_status_text(st), *x->detail ? ": " : "", x->detail);
        dispose(x);
        return st;
    }
    tsl_small_allow(x);
    *out = x;
    return TSL_OK;
}

tsl_status tsl_context_create(const tsl_config *cfg, tsl_context **ctx)
{
    tsl_config c = tsl_config_default();
    if (!ctx) return TSL_ERR_NULL;
    if (cfg && (cfg->size == 0 || cfg->size > sizeof c)) return TSL_ERR_SIZE;
    if (cfg) memcpy(&c, cfg, cfg->size);
    if (c.allocator && (!c.allocator->alloc || !c.allocator->free)) return TSL_ERR_NULL;
    tsl_status st = make(&c, ctx);
    if (!st) tsl_trace_retain();
    return st;
}

void tsl_context_destroy(tsl_context *x)
{
    if (!x) return;
    tsl_drain(x);
    tsl_runtime_close(x);
    dispose(x);
    tsl_trace_release();
}

static pthread_mutex_t default_lock = PTHREAD_MUTEX_INITIALIZER; /* of its making; once there it is read without */
static tsl_context *_Atomic default_context;

static void destroy_default(void)
{
    tsl_context_destroy(default_context);
    default_context = NULL;
}

tsl_status tsl_default_context(tsl_context **ctx)
{
    if (!ctx) return TSL_ERR_NULL;
    tsl_status st = TSL_OK;
    tsl_context *x = atomic_load_explicit(&default_context, memory_order_acquire);
    if (!x) {
        pthread_mutex_lock(&default_lock);
        x = default_context; /* another thread may have made it meanwhile */
        if (!x) st = tsl_context_create(NULL, &x);
        if (!st && !default_context) {
            default_context = x;
            atexit(destroy_default);
        }
        pthread_mutex_unlock(&default_lock);
    }
    if (!st) *ctx = x;
    return st;
}

tsl_status tsl_enter(tsl_context **x)
{
    if (!*x) {
        tsl_status st = tsl_default_context(x);
        if (st) return st;
    }
    pthread_mutex_lock(&(*x)->lock);
    return TSL_OK;
}

tsl_status tsl_leave(tsl_context *x, tsl_status st)
{
    pthread_mutex_unlock(&x->lock);
    return st;
}

tsl_status tsl_fail(tsl_context *x, tsl_status st, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(x->detail, sizeof x->detail, format, args);
    va_end(args);
    tsl_log(TSL_LOG_INFO, "%s: %s", tsl_status_name(st), x->detail);
    return st;
}

void tsl_trim(tsl_context *x)
{
    tsl_drain(x);
    for (int l = 0; l < TSL_LANES; ++l) tsl_arena_trim(&x->lanes[l].arena, 0);
    tsl_runtime_trim(x);
}

tsl_status tsl_drain(tsl_context *x)
{
    for (int l = 0; l < TSL_LANES; ++l) {
        tsl_status st = x->lanes[l].q ? x->dev->be->queue_wait(x->lanes[l].q) : TSL_OK;
        if (st && !x->pending) x->pending = st;
    }
    return x->pending;
}
