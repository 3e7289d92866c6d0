/* What a caller may ask of a context, and set. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "context/context.h"
#include "core/sized.h"

tsl_status tsl_wait(tsl_context *x)
{
    tsl_status st = tsl_enter(&x);
    if (st) return st;
    tsl_watch_rest(x);
    st = tsl_drain(x);
    x->pending = TSL_OK;
    tsl_status tiled = tsl_layers_above.region_end(x);
    tsl_watch_settle(x);
    tsl_watch_tell(x, true);
    tsl_keep_little(x);
    if (!st) st = tiled;
    if (st) tsl_fail(x, st, "wait: work submitted earlier failed: %s", tsl_status_text(st));
    return tsl_leave(x, st);
}

tsl_status tsl_copy_word(tsl_context *x, void *to, const void *from, size_t bytes, tsl_direction dir)
{
    tsl_queue *q = x->lanes[TSL_MAIN].q;
    bool before = tsl_head(q)->inline_calls;
    tsl_head(q)->inline_calls = true;
    tsl_status st = x->dev->be->copy2d(q, to, bytes, from, bytes, bytes, 1, dir);
    tsl_head(q)->inline_calls = before;
    return st;
}

tsl_status tsl_read_word(tsl_context *x, void *to, const void *from, size_t bytes)
{
    tsl_status st = tsl_copy_word(x, to, from, bytes, TSL_TO_HOST), late = tsl_drain(x); /* even if the copy failed: it may be on its way */
    x->pending = TSL_OK;
    return st ? st : late;
}

tsl_status tsl_info(tsl_context *x, int64_t *info)
{
    tsl_status st = tsl_enter(&x);
    if (st) return st;
    if (!info) return tsl_leave(x, tsl_fail(x, TSL_ERR_NULL, "info: no place for the result"));
    int64_t value = 0, small = __atomic_load_n(&x->small_info, __ATOMIC_RELAXED);
    st = tsl_read_word(x, &value, x->info, sizeof value);
    if (!st && small >= 0) value = small;
    if (!st && x->region) st = tsl_layers_above.region_info(x, &value);
    if (!st) *info = value;
    else tsl_fail(x, st, "info: %s", tsl_status_text(st));
    return tsl_leave(x, st);
}

void *tsl_stream(tsl_context *x)
{
    if (tsl_enter(&x)) return NULL;
    void *stream = x->dev->be->queue_native(x->lanes[TSL_MAIN].q);
    x->exposed = x->exposed || stream;
    tsl_leave(x, TSL_OK);
    return stream;
}

/* Both lanes have met on the main one whenever no call is at work. */
static tsl_status in_order(tsl_context *x, void *stream, bool after)
{
    tsl_status st = tsl_enter(&x);
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

tsl_status tsl_set(tsl_context *x, const char *option, const char *value)
{
    tsl_status st = tsl_enter(&x);
    if (st) return st;
    if (!option || !value) {
        st = tsl_fail(x, TSL_ERR_NULL, "set: option or value is null");
    } else if (!strcmp(option, "tile")) {
        char *end;
        errno = 0;
        long long tile = strtoll(value, &end, 10);
        if (errno || !*value || *end || tile < 0) st = tsl_fail(x, TSL_ERR_OPTION, "set: tile '%s' is not a size", value);
        else x->tile = tsl_min(tile, TSL_LARGEST_TILE);
    } else if (!strcmp(option, "shape")) {
        char *end;
        long shape = strtol(value, &end, 10);
        if (!*value || *end || shape < 0 || shape > INT_MAX) st = tsl_fail(x, TSL_ERR_OPTION, "set: shape '%s' is not a number", value);
        else x->shape = (int)shape;
    } else if (!strcmp(option, "policy") || !strcmp(option, "dist") || !strcmp(option, "diag-on") ||
               !strcmp(option, "path") || !strcmp(option, "graph")) {
        st = tsl_layers_above.set(x, option, value);
    } else if (!strcmp(option, "watch")) {
        if (strcmp(value, "on") && strcmp(value, "off")) st = tsl_fail(x, TSL_ERR_OPTION, "set: watch '%s' is neither on nor off", value);
        else tsl_watch_option(x, !strcmp(value, "on"));
    } else if (!strcmp(option, "variant")) {
        if (!tsl_is_variant(value)) st = tsl_fail(x, TSL_ERR_OPTION, "set: no operation has a variant '%s'", value);
        else strcpy(x->variant, value);
    } else {
        st = tsl_fail(x, TSL_ERR_OPTION, "set: no option '%s' (tile, variant, shape, watch, policy, dist, diag-on, path, graph)", option);
    }
    tsl_small_allow(x);
    return tsl_leave(x, st);
}

int tsl_shape_count(tsl_context *x, const char *operation, tsl_type type)
{
    tsl_opcode op;
    if (tsl_enter(&x)) return 0;
    bool known = operation && tsl_find_op(operation, strlen(operation), &op) && (unsigned)type <= TSL_Z;
    int count = known ? tsl_shapes(x->dev, op, type) : 0;
    tsl_leave(x, TSL_OK);
    return count;
}

tsl_status tsl_timer_start(tsl_context *x)
{
    tsl_status st = tsl_enter(&x);
    if (st) return st;
    st = x->dev->be->event_record(x->lanes[TSL_MAIN].q, x->timer[0]);
    if (st) tsl_fail(x, st, "timer_start: %s", tsl_status_text(st));
    return tsl_leave(x, st);
}

tsl_status tsl_timer_stop(tsl_context *x, double *seconds)
{
    tsl_status st = tsl_enter(&x);
    if (st) return st;
    if (!seconds) return tsl_leave(x, tsl_fail(x, TSL_ERR_NULL, "timer_stop: no place for the result"));
    st = x->dev->be->event_record(x->lanes[TSL_MAIN].q, x->timer[1]);
    if (!st) st = x->dev->be->event_elapsed(x->timer[0], x->timer[1], seconds);
    if (st) tsl_fail(x, st, "timer_stop: %s", st == TSL_ERR_DEVICE ? "the timer was not started" : tsl_status_text(st));
    return tsl_leave(x, st);
}

int tsl_device_count(tsl_context *x)
{
    if (tsl_enter(&x)) return 0;
    int count = x->device_count;
    tsl_leave(x, TSL_OK);
    return count;
}

tsl_status tsl_device_query_sized(tsl_context *x, int device, tsl_device_info *out, size_t size)
{
    tsl_status st = tsl_enter(&x);
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
                            .idle = tsl_layers_above.idle(x, device)};
    snprintf(info.name, sizeof info.name, "%s", d->name);
    snprintf(info.backend, sizeof info.backend, "%s", d->be->name);
    tsl_give_sized(out, size, &info, sizeof info);
    return tsl_leave(x, TSL_OK);
}

void tsl_count_move(tsl_counters *n, tsl_direction dir, size_t bytes)
{
    if (dir == TSL_PEER) n->peer++, n->bytes_peer += (int64_t)bytes;
    else if (dir == TSL_TO_DEVICE) n->to_device++, n->bytes_to_device += (int64_t)bytes;
    else n->to_host++, n->bytes_to_host += (int64_t)bytes;
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
    tsl_status st = tsl_enter(&x);
    if (st) return st;
    if (!out) return tsl_leave(x, tsl_fail(x, TSL_ERR_NULL, "counters_get: no place for the result"));
    tsl_counters n = x->count;
    n.launches += small_launches(x) - x->launches_before;
    tsl_layers_above.counters(x, &n);
    tsl_give_sized(out, size, &n, sizeof n);
    return tsl_leave(x, TSL_OK);
}

tsl_status tsl_counters_reset(tsl_context *x)
{
    tsl_status st = tsl_enter(&x);
    if (st) return st;
    x->count = (tsl_counters){0};
    x->launches_before = small_launches(x);
    tsl_layers_above.counters_reset(x);
    return tsl_leave(x, TSL_OK);
}

void tsl_small_allow(tsl_context *x)
{
    bool plain = x->device_count == 1 && x->dev->shares_host && x->tile == 0 && !strcmp(x->variant, "auto") && x->path[0] != 't' &&
                 !x->region; /* there others may be at work on the same memory (exec/region.c) */
    __atomic_store_n(&x->small, plain, __ATOMIC_RELAXED);
}
