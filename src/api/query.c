/* What a caller may ask of a context, and wait for. */
#include <stdio.h>
#include <string.h>

#include "api/enter.h"
#include "core/sized.h"
#include "tiled/tiled.h"

tsl_status tsl_begin(tsl_context *x)
{
    tsl_status st = tsl_enter_public(&x);
    if (st) return st;
    x->region = true;
    tsl_small_allow(x);
    return tsl_leave(x, TSL_OK);
}

tsl_status tsl_wait(tsl_context *x)
{
    tsl_status st = tsl_enter_public(&x);
    if (st) return st;
    tsl_watch_rest(x);
    st = tsl_drain(x);
    x->pending = TSL_OK;
    tsl_status tiled = tsl_region_end(x);
    tsl_watch_settle(x);
    tsl_watch_tell(x, true);
    tsl_keep_little(x);
    if (!st) st = tiled;
    if (st) tsl_fail(x, st, "wait: work submitted earlier failed: %s", tsl_status_text(st));
    return tsl_leave(x, st);
}

tsl_status tsl_info(tsl_context *x, int64_t *info)
{
    tsl_status st = tsl_enter_public(&x);
    if (st) return st;
    if (!info) return tsl_leave(x, tsl_fail(x, TSL_ERR_NULL, "info: no place for the result"));
    int64_t value = 0, small = __atomic_load_n(&x->small_info, __ATOMIC_RELAXED);
    st = tsl_read_word(x, &value, x->run->info, sizeof value);
    if (!st && small >= 0) value = small;
    if (!st && x->region) st = tsl_region_info(x, &value);
    if (!st) *info = value;
    else tsl_fail(x, st, "info: %s", tsl_status_text(st));
    return tsl_leave(x, st);
}

tsl_status tsl_info_into(tsl_context *x, int64_t *info)
{
    tsl_status st = tsl_enter_public(&x);
    if (st) return st;
    const tsl_backend *be = x->dev->be;
    int64_t small = __atomic_load_n(&x->small_info, __ATOMIC_RELAXED);
    tsl_queue *q = x->lanes[TSL_MAIN].q;
    if (!info) return tsl_leave(x, tsl_fail(x, TSL_ERR_NULL, "info_into: no place for the result"));
    if (x->region) return tsl_leave(x, tsl_fail(x, TSL_ERR_CONTEXT, "info_into: between tsl_begin and tsl_wait"));
    if (small >= 0 && !be->accelerator) return *info = small, tsl_leave(x, TSL_OK); /* on the host */
    if (small >= 0) st = tsl_clear_words(x, info, sizeof *info); /* 0, after a batch */
    else st = be->copy2d(q, info, sizeof *info, x->run->info, sizeof *info, sizeof *info, 1, TSL_PEER);
    if (!be->accelerator) {
        tsl_status late = be->queue_wait(q);
        if (!st) st = late;
    }
    if (st) tsl_fail(x, st, "info_into: %s", tsl_status_text(st));
    return tsl_leave(x, st);
}

void *tsl_stream(tsl_context *x)
{
    if (tsl_enter_public(&x)) return NULL;
    void *stream = x->dev->be->queue_native(x->lanes[TSL_MAIN].q);
    x->exposed = x->exposed || stream;
    tsl_leave(x, TSL_OK);
    return stream;
}

/* Both lanes have met on the main one whenever no call is at work. */
static tsl_status in_order(tsl_context *x, void *stream, bool after)
{
    tsl_status st = tsl_enter_public(&x);
    if (st) return st;
    const tsl_backend *be = x->dev->be;
    const tsl_lane *lane = &x->lanes[TSL_MAIN];
    st = (after ? be->queue_after : be->queue_before)(lane->q, stream, lane->point);
    if (after && !st) x->follows = true;
    const char *name = after ? "follow" : "precede";
    if (st == TSL_ERR_NO_DEVICE) tsl_fail(x, st, "%s: %s has no streams", name, x->dev->name);
    else if (st) tsl_fail(x, st, "%s: %s", name, tsl_status_text(st));
    return tsl_leave(x, st);
}

tsl_status tsl_follow(tsl_context *x, void *stream) { return in_order(x, stream, true); }
tsl_status tsl_precede(tsl_context *x, void *stream) { return in_order(x, stream, false); }

/* Nothing is at work meanwhile. If the new queue cannot be made the old one stays. */
static tsl_status exchange_queue(tsl_context *x, void *stream)
{
    const tsl_backend *be = x->dev->be;
    tsl_lane *lane = &x->lanes[TSL_MAIN];
    tsl_queue *q;
    if (!be->accelerator) return TSL_ERR_NO_DEVICE;
    tsl_status st = tsl_drain(x);
    x->pending = TSL_OK;
    if (!st) st = be->queue_open(x->dev, 0, stream, &q);
    if (st) return st;
    be->queue_close(lane->q);
    lane->q = q;
    x->exposed = stream != NULL;
    tsl_trace_lane(x->dev->trace, tsl_head(q)->track, "main lane");
    return TSL_OK;
}

tsl_status tsl_adopt(tsl_context *x, void *stream)
{
    tsl_status st = tsl_enter_public(&x);
    if (st) return st;
    st = x->region ? TSL_ERR_CONTEXT : exchange_queue(x, stream);
    if (st == TSL_ERR_CONTEXT) tsl_fail(x, st, "adopt: between tsl_begin and tsl_wait");
    else if (st == TSL_ERR_NO_DEVICE) tsl_fail(x, st, "adopt: %s has no streams", x->dev->name);
    else if (st) tsl_fail(x, st, "adopt: %s", tsl_status_text(st));
    return tsl_leave(x, st);
}

int tsl_shape_count(tsl_context *x, const char *operation, tsl_type type)
{
    tsl_opcode op;
    if (tsl_enter_public(&x)) return 0;
    bool known = operation && tsl_find_op(operation, strlen(operation), &op) && (unsigned)type <= TSL_Z;
    int count = known ? tsl_shapes(x->dev, op, type) : 0;
    tsl_leave(x, TSL_OK);
    return count;
}

tsl_status tsl_timer_start(tsl_context *x)
{
    tsl_status st = tsl_enter_public(&x);
    if (st) return st;
    st = x->dev->be->event_record(x->lanes[TSL_MAIN].q, x->timer[0]);
    if (st) tsl_fail(x, st, "timer_start: %s", tsl_status_text(st));
    return tsl_leave(x, st);
}

tsl_status tsl_timer_stop(tsl_context *x, double *seconds)
{
    tsl_status st = tsl_enter_public(&x);
    if (st) return st;
    if (!seconds) return tsl_leave(x, tsl_fail(x, TSL_ERR_NULL, "timer_stop: no place for the result"));
    st = x->dev->be->event_record(x->lanes[TSL_MAIN].q, x->timer[1]);
    if (!st) st = x->dev->be->event_elapsed(x->timer[0], x->timer[1], seconds);
    if (st) tsl_fail(x, st, "timer_stop: %s", st == TSL_ERR_DEVICE ? "the timer was not started" : tsl_status_text(st));
    return tsl_leave(x, st);
}

int tsl_device_count(tsl_context *x)
{
    if (tsl_enter_public(&x)) return 0;
    int count = x->device_count;
    tsl_leave(x, TSL_OK);
    return count;
}

tsl_status tsl_device_query_sized(tsl_context *x, int device, tsl_device_info *out, size_t size)
{
    tsl_status st = tsl_enter_public(&x);
    if (st) return st;
    if (!out) return tsl_leave(x, tsl_fail(x, TSL_ERR_NULL, "device_query: no place for the result"));
    if (device < 0 || device >= x->device_count)
        return tsl_leave(x, tsl_fail(x, TSL_ERR_NO_DEVICE, "device_query: device %d of %d", device, x->device_count));
    tsl_device *d = &x->devices[device];
    tsl_device_info info = {.ordinal = d->ordinal,
                            .is_virtual = d->is_virtual,
                            .limit = d->limit,
                            .used = __atomic_load_n(&d->used, __ATOMIC_RELAXED),
                            .peak = __atomic_load_n(&d->peak, __ATOMIC_RELAXED),
                            .total = d->total,
                            .idle = tsl_tiled_idle(x, device)};
    snprintf(info.name, sizeof info.name, "%s", d->name);
    snprintf(info.backend, sizeof info.backend, "%s", d->be->name);
    tsl_give_sized(out, size, &info, sizeof info);
    return tsl_leave(x, TSL_OK);
}

/* Only the threads that count them write there. */
static int64_t small_launches(const tsl_context *x)
{
    int64_t all = 0;
    for (int i = 0; i < TSL_COUNTERS; ++i) all += __atomic_load_n(&x->small_launches[i].count, __ATOMIC_RELAXED);
    return all;
}

tsl_status tsl_counters_get_sized(tsl_context *x, tsl_counters *out, size_t size)
{
    tsl_status st = tsl_enter_public(&x);
    if (st) return st;
    if (!out) return tsl_leave(x, tsl_fail(x, TSL_ERR_NULL, "counters_get: no place for the result"));
    tsl_counters n = x->count;
    n.launches += small_launches(x) - x->launches_before;
    tsl_tiled_counters(x, &n);
    tsl_give_sized(out, size, &n, sizeof n);
    return tsl_leave(x, TSL_OK);
}

tsl_status tsl_counters_reset(tsl_context *x)
{
    tsl_status st = tsl_enter_public(&x);
    if (st) return st;
    x->count = (tsl_counters){0};
    x->launches_before = small_launches(x);
    tsl_tiled_counters_reset(x);
    return tsl_leave(x, TSL_OK);
}

const char *tsl_tuning(tsl_context *x)
{
    if (tsl_enter_public(&x)) return "no context could be made";
    tsl_leave(x, TSL_OK);
    return x->tune->line;
}

const char *tsl_tuning_file(tsl_context *x)
{
    if (tsl_enter_public(&x)) return "";
    tsl_leave(x, TSL_OK);
    return x->tune->file;
}
