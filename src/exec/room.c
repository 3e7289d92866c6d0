/* How much device memory there is for a call, and how much it needs whole, on the first device. What a call
 * needs beside its operands is found by a dry run of it, so the answer is exact. */
#include "exec/exec.h"

/* No algorithm needs so many times its operands: gesvd and gebrd through a band come to about 10. */
enum { PLENTY = 64 };

static size_t arenas(const tsl_context *x)
{
    size_t held = 0;
    for (int l = 0; l < TSL_LANES; ++l) held += x->lanes[l].arena.held;
    return held;
}

size_t tsl_room(tsl_context *x, const tsl_device *dev, bool by_tiles)
{
    size_t room = tsl_device_room(dev), used = __atomic_load_n(&dev->used, __ATOMIC_RELAXED);
    size_t kept = tsl_runtime_kept(x, dev, by_tiles) + (dev == x->dev ? arenas(x) : 0);
    used -= kept < used ? kept : used;
    return used < room ? room - used : 0;
}

static size_t bytes_of(const tsl_view *v) { return tsl_dense_bytes(v->mat->type, v->m, v->n); }

/* As the run at work is frugal or not */
static tsl_status count(tsl_context *x, const tsl_call *given, size_t need[TSL_LANES])
{
    tsl_call c = *given;
    tsl_matrix copy[TSL_MAX_OPERANDS];
    size_t copies = 0;
    for (int i = 0; i < tsl_ops[c.op].operands; ++i) {
        tsl_view *v = &c.v[i];
        if (!tsl_is_staged(x, v)) continue;
        copies = tsl_plus(copies, tsl_rounded(bytes_of(v), TSL_WORKSPACE_ALIGN));
        copy[i] = tsl_nowhere(x, v->mat->type, v->m, v->n);
        copy[i].reversed = v->mat->reversed;
        v->mat = &copy[i];
        v->i = v->j = 0;
    }
    tsl_status st = tsl_workspace_of(x, &c, need);
    need[TSL_MAIN] = tsl_plus(need[TSL_MAIN], copies);
    return st;
}

static bool room_for(tsl_context *x, const size_t need[TSL_LANES])
{
    return tsl_plus(need[TSL_MAIN], need[TSL_AHEAD]) <= tsl_room(x, x->dev, false);
}

tsl_status tsl_need_of_one(tsl_context *x, const tsl_call *c, size_t need[TSL_LANES])
{
    x->run->frugal = false;
    tsl_status st = count(x, c, need);
    if (st || room_for(x, need)) return st;
    x->run->frugal = true;
    return count(x, c, need);
}

/* Where workspace cannot be the problem nothing is counted: the small call must stay one. */
static bool plenty(const tsl_context *x, const tsl_call *c)
{
    if (x->dev->shares_host && x->dev->limit == SIZE_MAX) return true;
    size_t room = tsl_device_room(x->dev), used = __atomic_load_n(&x->dev->used, __ATOMIC_RELAXED), bytes = 0;
    for (int i = 0; i < tsl_ops[c->op].operands; ++i) bytes = tsl_plus(bytes, bytes_of(&c->v[i]));
    return !bytes || (used < room && tsl_plus(bytes, PLENTY * TSL_WORKSPACE_ALIGN) <= (room - used) / PLENTY);
}

bool tsl_fits_one(tsl_context *x, const tsl_call *c)
{
    size_t need[TSL_LANES];
    if (plenty(x, c)) return true;
    return tsl_need_of_one(x, c, need) || room_for(x, need);
}

void tsl_trim(tsl_context *x)
{
    tsl_trim_workspace(x);
    if (x->region) (void)tsl_region_pause(x, false); /* copies of the caller's arrays give way; an error stays for tsl_wait */
    tsl_runtime_trim(x);
}

/* Workspace of both lanes, and the host's memory that the dry runs have come to */
static tsl_status reserve(tsl_context *x, const size_t need[TSL_LANES])
{
    bool there = true;
    for (int l = 0; l < TSL_LANES; ++l) there = there && tsl_arena_has(&x->lanes[l].arena, need[l]);
    if (!there) tsl_trim(x);
    tsl_status st = tsl_reserve_host(x);
    if (!st) st = tsl_reserve_numbers(x);
    for (int l = 0; l < TSL_LANES && !st; ++l) st = tsl_arena_reserve(&x->lanes[l].arena, need[l]);
    return st;
}

static void begin(tsl_context *x)
{
    x->run->frugal = false;
    x->host_need = x->numbers_need = 0;
}

/* An accelerator with plenty of memory has enough in the midst of a call too: to count it would take longer than a small
 * call. */
tsl_status tsl_make_room_for_one(tsl_context *x, const tsl_call *c)
{
    size_t need[TSL_LANES];
    bool roomy = plenty(x, c), host = tsl_has_host_steps(x, c);
    bool all = tsl_trait(c->op, TSL_RESERVES) && !(roomy && x->dev->be->accelerator);
    begin(x);
    if (roomy && !host && !all) return TSL_OK;
    tsl_status st = tsl_need_of_one(x, c, need);
    if (st) return st;
    if (roomy && !all) return tsl_reserve_host(x);
    if (x->dev->limit != SIZE_MAX && !room_for(x, need)) return TSL_ERR_DEVICE_MEMORY;
    return reserve(x, need);
}

static bool goes_by_tiles(tsl_context *x, const tsl_call *c) { return tsl_is_tiled(c) || tsl_by_tiles.decide(x, c).chosen; }

/* A part on tiles, or one that does not fit, goes by tiles, if there is room for these. */
tsl_status tsl_hold_room(tsl_context *x, const tsl_call part[], int count, tsl_before_part before, const void *with)
{
    size_t most[TSL_LANES] = {0}, need[TSL_LANES];
    tsl_status st = TSL_OK;
    begin(x);
    for (int i = 0; i < count && !st; ++i) {
        if (tsl_is_trivial(&part[i]) || tsl_remote_of(x, &part[i])) continue; /* a grid counts for each call */
        before(x, with, part[i].op);
        bool tiled = tsl_is_tiled(&part[i]);
        if (!tiled) st = tsl_need_of_one(x, &part[i], need);
        bool whole = !tiled && (x->dev->limit == SIZE_MAX || room_for(x, need));
        if (!st && !whole) st = goes_by_tiles(x, &part[i]) ? tsl_by_tiles.check_room(x, &part[i]) : tsl_tell_one(x, &part[i]);
        for (int l = 0; l < TSL_LANES && whole; ++l) most[l] = need[l] > most[l] ? need[l] : most[l];
    }
    if (!st) st = reserve(x, most);
    if (!st) ++x->holds;
    return st;
}

void tsl_give_room(tsl_context *x)
{
    --x->holds;
    tsl_drain(x);
    tsl_keep_little(x);
}

tsl_status tsl_tell_one(tsl_context *x, const tsl_call *c)
{
    size_t need[TSL_LANES];
    tsl_status st = tsl_need_of_one(x, c, need);
    if (st) return st;
    return tsl_refuse(x, c, TSL_ERR_DEVICE_MEMORY, "in one piece it needs %zu bytes of device memory, and %zu are free on device 0 (%s)",
                      tsl_plus(need[TSL_MAIN], need[TSL_AHEAD]), tsl_room(x, x->dev, false), x->dev->name);
}
