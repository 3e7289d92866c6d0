/* How much device memory there is for a call, and how much it needs: whole, on the first device, or one task of it by tiles. What a call
 * needs beside its operands is found by a dry run of it, so the answer is exact. */
#include "exec/tiled.h"

enum { PARTS = 8, PROXY = 3 };

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

/* An operand of a dry run: nobody looks at its elements. Aligned as memory of the device is. */
static tsl_matrix nowhere(tsl_context *x, tsl_type type, int64_t m, int64_t n)
{
    return (tsl_matrix){.ctx = x, .type = type, .m = m, .n = n, .ld = tsl_max(1, m), .data = (void *)(uintptr_t)4096, .home = x->dev};
}

tsl_status tsl_need_of_one(tsl_context *x, const tsl_call *given, size_t need[TSL_LANES])
{
    tsl_call c = *given;
    tsl_matrix copy[TSL_MAX_OPERANDS];
    size_t copies = 0;
    for (int i = 0; i < tsl_ops[c.op].operands; ++i) {
        tsl_view *v = &c.v[i];
        if (!tsl_is_staged(x, v)) continue;
        copies = tsl_plus(copies, tsl_rounded(bytes_of(v), TSL_WORKSPACE_ALIGN));
        copy[i] = nowhere(x, v->mat->type, v->m, v->n);
        copy[i].reversed = v->mat->reversed;
        v->mat = &copy[i];
        v->i = v->j = 0;
    }
    tsl_status st = tsl_workspace_of(x, &c, need);
    need[TSL_MAIN] = tsl_plus(need[TSL_MAIN], copies);
    return st;
}

/* Where workspace cannot be the problem nothing is counted: the small call must stay one. */
static bool plenty(const tsl_context *x, const tsl_call *c)
{
    if (x->dev->shares_host && x->dev->limit == SIZE_MAX) return true;
    size_t room = tsl_device_room(x->dev), used = __atomic_load_n(&x->dev->used, __ATOMIC_RELAXED), bytes = 0;
    for (int i = 0; i < tsl_ops[c->op].operands; ++i) bytes = tsl_plus(bytes, bytes_of(&c->v[i]));
    return !bytes || (used < room && tsl_plus(bytes, PARTS * TSL_WORKSPACE_ALIGN) <= (room - used) / PARTS);
}

bool tsl_fits_one(tsl_context *x, const tsl_call *c)
{
    size_t need[TSL_LANES];
    if (plenty(x, c)) return true;
    return tsl_need_of_one(x, c, need) || tsl_plus(need[TSL_MAIN], need[TSL_AHEAD]) <= tsl_room(x, x->dev, false);
}

tsl_status tsl_make_room_for_one(tsl_context *x, const tsl_call *c)
{
    size_t need[TSL_LANES];
    if (plenty(x, c)) return TSL_OK;
    tsl_status st = tsl_need_of_one(x, c, need);
    if (st) return st;
    if (x->dev->limit != SIZE_MAX && tsl_plus(need[TSL_MAIN], need[TSL_AHEAD]) > tsl_room(x, x->dev, false)) return TSL_ERR_DEVICE_MEMORY;
    bool there = true;
    for (int l = 0; l < TSL_LANES; ++l) there = there && tsl_arena_has(&x->lanes[l].arena, need[l]);
    if (there) return TSL_OK;
    tsl_trim(x);
    for (int l = 0; l < TSL_LANES && !st; ++l) st = tsl_arena_reserve(&x->lanes[l].arena, need[l]);
    return st;
}

tsl_status tsl_tell_one(tsl_context *x, const tsl_call *c)
{
    size_t need[TSL_LANES];
    tsl_status st = tsl_need_of_one(x, c, need);
    if (st) return st;
    return tsl_fail(x, TSL_ERR_DEVICE_MEMORY, "%s: in one piece it needs %zu bytes of device memory, and %zu are free on device 0 (%s)",
                    tsl_ops[c->op].name, tsl_plus(need[TSL_MAIN], need[TSL_AHEAD]), tsl_room(x, x->dev, false), x->dev->name);
}

/* What tasks would need, as they are submitted in a dry run. */
struct tsl_scout {
    tsl_context *on; /* an executor of the device */
    int space;
    tsl_task_need most;
};

static bool first_use(const tsl_call *c, int i)
{
    int k = 0;
    while (k < i && tsl_tile_at(&c->v[k]) != tsl_tile_at(&c->v[i])) ++k;
    return k == i;
}

tsl_status tsl_scout_task(tsl_context *x, const tsl_call *given)
{
    struct tsl_scout *s = x->scout;
    tsl_call c = *given;
    tsl_matrix mat[TSL_MAX_OPERANDS];
    tsl_task_need need = {0};
    size_t lane[TSL_LANES];
    for (int i = 0; i < tsl_ops[c.op].operands; ++i) {
        const tsl_tile *t = tsl_tile_at(&given->v[i]);
        if (first_use(given, i) && t->line.home != s->space) need.tiles = tsl_plus(need.tiles, tsl_tile_bytes(t->of->tile));
        mat[i] = nowhere(s->on, t->of->type, t->m, t->n);
        c.v[i].mat = &mat[i];
        c.v[i].i %= t->of->nb;
        c.v[i].j %= t->of->nb;
    }
    tsl_status st = tsl_workspace_of(s->on, &c, lane);
    need.workspace = tsl_plus(lane[TSL_MAIN], lane[TSL_AHEAD]);
    if (tsl_plus(need.tiles, need.workspace) > tsl_plus(s->most.tiles, s->most.workspace)) s->most = need;
    return st;
}

/* Of the tiles that will stand for the operand: its own, or those of a copy. */
static int home_of(const tsl_context *x, const tsl_view *v, int64_t nb)
{
    const struct tsl_tiles *a = v->mat->tiles;
    if (!a) return tsl_space_of(x, v->mat);
    return a->tile && a->nb == nb && v->i % nb == 0 && v->j % nb == 0 ? a->tile->line.home : TSL_HOST_SPACE;
}

/* The same call of at most PROXY x PROXY tiles: it has a task of every kind the whole one has, and no larger ones are in that. */
static tsl_status tile_proxy(tsl_context *x, tsl_call *c, int64_t nb, tsl_matrix mat[TSL_MAX_OPERANDS])
{
    tsl_status st = TSL_OK;
    tsl_view given[TSL_MAX_OPERANDS];
    for (int i = 0; i < tsl_ops[c->op].operands && !st; ++i) {
        tsl_view *v = &c->v[i];
        given[i] = *v;
        int64_t m = tsl_pieces(v->m, nb) > PROXY ? PROXY * nb : v->m, n = tsl_pieces(v->n, nb) > PROXY ? PROXY * nb : v->n;
        int k = 0;
        while (k < i && !tsl_same_block(&given[k], v)) ++k;
        mat[i] = (tsl_matrix){.ctx = x, .type = v->mat->type, .m = m, .n = n};
        if (k == i) st = tsl_tiles_make(x->runtime, v->mat->type, m, n, nb, NULL, 0, home_of(x, v, nb), &mat[i].tiles);
        *v = (tsl_view){.mat = &mat[k], .m = m, .n = n, .op = v->op, .uplo = v->uplo, .diag = v->diag};
    }
    return st;
}

tsl_status tsl_need_of_task(tsl_context *x, const tsl_call *given, int64_t nb, tsl_device *dev, tsl_task_need *need)
{
    struct tsl_scout s = {.space = dev->shares_host ? TSL_HOST_SPACE : dev->index + 1};
    tsl_call c = *given;
    tsl_matrix mat[TSL_MAX_OPERANDS] = {0};
    tsl_status st = tsl_scout_open(x, dev, &s.on), failed = x->failed;
    int level = x->level;
    bool by_tiles = x->by_tiles;
    if (st) return st;
    st = tile_proxy(x, &c, nb, mat);
    x->scout = &s;
    x->failed = TSL_OK;
    x->level = 1;
    x->by_tiles = x->dry = true;
    if (!st) st = tsl_tiled_run(x, &c);
    if (!st) st = x->failed;
    x->failed = failed;
    x->level = level;
    x->by_tiles = by_tiles;
    x->dry = false;
    x->scout = NULL;
    for (int i = 0; i < TSL_MAX_OPERANDS; ++i)
        if (mat[i].tiles) {
            size_t tile = mat[i].tiles->tile ? tsl_tile_bytes(mat[i].tiles->tile) : 0;
            if (tile > s.most.tile) s.most.tile = tile;
            tsl_tiles_free(mat[i].tiles);
        }
    tsl_executor_close(s.on);
    *need = s.most;
    return st;
}
