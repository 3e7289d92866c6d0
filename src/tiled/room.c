/* How much device memory one task of a call by tiles needs: found by a dry run of a smaller one. */
#include "tiled/tiled.h"

enum { PROXY = 3 };

/* What tasks would need, as they are submitted in a dry run. */
struct tsl_dry_run {
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

static int space_on(const tsl_device *dev) { return dev->shares_host ? TSL_HOST_SPACE : dev->index + 1; }

/* Of slots for its tiles */
static size_t bytes_on(const tsl_call *c, int space)
{
    size_t bytes = 0;
    for (int i = 0; i < tsl_operands(c); ++i) {
        const tsl_tile *t = tsl_tile_at(&c->v[i]);
        if (t && first_use(c, i) && t->line.home != space) bytes = tsl_plus(bytes, tsl_slot_bytes(t));
    }
    return bytes;
}

tsl_status tsl_dry_run_task(struct tsl_dry_run *s, const tsl_call *given)
{
    tsl_call c = *given;
    tsl_matrix mat[TSL_MAX_OPERANDS];
    tsl_task_need need = {.tiles = bytes_on(given, s->space)};
    size_t lane[TSL_LANES];
    for (int i = 0; i < tsl_operands(&c); ++i) {
        const tsl_tile *t = tsl_tile_at(&given->v[i]);
        mat[i] = tsl_nowhere(s->on, given->v[i].mat->type, t ? t->m : given->v[i].mat->m, t ? t->n : given->v[i].mat->n);
        mat[i].reversed = given->v[i].mat->reversed;
        c.v[i].mat = &mat[i];
        c.v[i].i %= given->v[i].mat->tiles->mb;
        c.v[i].j %= given->v[i].mat->tiles->nb;
        if (t) mat[i].ld = tsl_max(tsl_slot_ld(t), c.v[i].i + c.v[i].m); /* an empty view may be higher than its tile */
    }
    tsl_status st = tsl_workspace_of(s->on, &c, lane);
    need.workspace = tsl_plus(lane[TSL_MAIN], lane[TSL_AHEAD]);
    if (tsl_plus(need.tiles, need.workspace) > tsl_plus(s->most.tiles, s->most.workspace)) s->most = need;
    return st;
}

/* Is there so much that what it needs beside its tiles, many times these at most, has room too? */
static bool plenty(const tsl_context *x, size_t tiles)
{
    enum { TIMES = 64, LEAST = 1 << 24 };
    return tsl_plus(tsl_times(TIMES, tiles), LEAST) <= x->run->task_room;
}

static bool fits(tsl_context *x, const tsl_call *c, tsl_device *dev, bool with_workspace)
{
    struct tsl_dry_run s = {.space = space_on(dev)};
    size_t tiles = bytes_on(c, s.space);
    if (tiles > x->run->task_room || !with_workspace) return tiles <= x->run->task_room;
    if (!tsl_is_one_task(c->op) && plenty(x, tiles)) return true;
    if (tsl_executor_open_dry(x, dev, &s.on)) return false;
    tsl_status st = tsl_dry_run_task(&s, c);
    tsl_executor_close(s.on);
    return !st && tsl_plus(s.most.tiles, s.most.workspace) <= x->run->task_room;
}

bool tsl_task_fits(tsl_context *x, const tsl_call *c, bool with_workspace)
{
    int d = 0;
    while (d < x->device_count && ((x->devices[d].shares_host && x->devices[d].limit == SIZE_MAX) ||
                                   fits(x, c, &x->devices[d], with_workspace)))
        ++d;
    return d == x->device_count;
}

/* Of the tiles that will stand for the operand: its own, or those of a copy. */
static int home_of(const tsl_context *x, const tsl_call *c, int i, int64_t nb)
{
    const struct tsl_tiles *a = c->v[i].mat->tiles;
    if (!a) return tsl_space_of(x, c->v[i].mat);
    return a->tile && (tsl_takes_any_tiles(c->op) || tsl_tiles_fit(c, i, nb)) ? a->tile->line.home : TSL_HOST_SPACE;
}

static int64_t few(int64_t n, int64_t nb) { return tsl_pieces(n, nb) > PROXY ? PROXY * nb : n; }

/* Of tiles that need not agree; operands' sides that do are then cut off alike. */
static int64_t largest_side(const tsl_call *c, int64_t nb)
{
    int64_t most = 1;
    for (int i = 0; i < tsl_ops[c->op].operands; ++i) {
        tsl_shape s = tsl_shape_of(c, i, nb);
        most = tsl_max(most, tsl_max(s.mb, s.nb));
    }
    return most;
}

/* Of operand i, what is enough to have a task of every kind the whole call has, and none that is smaller there: PROXY x PROXY
 * tiles. Tiles of panels are as high as they are: there it is some columns of the result, and what goes with them. */
static tsl_shape proxy_of(const tsl_call *c, int i, int64_t nb)
{
    const tsl_view *v = &c->v[i];
    if (tsl_trait(c->op, TSL_PAIRS) && (i == 1 || i == 2)) {
        int64_t pairs = tsl_pairs(few(c->v[0].m, nb), few(c->v[0].n, nb), nb);
        return (tsl_shape){v->m, i == 1 ? pairs * nb : pairs};
    }
    if (tsl_is_in_one_place(c->op)) return (tsl_shape){v->m, v->n}; /* its one task is the whole call */
    if (tsl_takes_any_tiles(c->op)) nb = largest_side(c, nb);
    if (!tsl_trait(c->op, TSL_TALL)) return (tsl_shape){few(v->m, nb), few(v->n, nb)};
    if (i == tsl_output(c->op)) return v->op & TSL_TRANS ? (tsl_shape){few(v->m, nb), v->n} : (tsl_shape){v->m, few(v->n, nb)};
    return (tsl_shape){tsl_per_column(c->op, i) && tsl_output(c->op) == 0 ? tsl_min(v->m, few(tsl_cols(c->v[0]), nb)) : v->m, v->n};
}

static tsl_status tile_proxy(tsl_context *x, tsl_call *c, int64_t nb, tsl_matrix mat[TSL_MAX_OPERANDS])
{
    tsl_status st = TSL_OK;
    const tsl_call given = *c;
    for (int i = 0; i < tsl_ops[c->op].operands && !st; ++i) {
        tsl_view *v = &c->v[i];
        tsl_shape size = proxy_of(&given, i, nb), tile = tsl_shape_of(&given, i, nb);
        int k = 0;
        while (k < i && !tsl_same_block(&given.v[k], v)) ++k;
        mat[i] = (tsl_matrix){.ctx = x, .type = v->mat->type, .m = size.mb, .n = size.nb, .tile = nb, .reversed = v->mat->reversed};
        int64_t ld = v->mat->tiles ? 0 : v->mat->ld;
        if (k == i)
            st = tsl_tiles_make(x->runtime, v->mat->type, size.mb, size.nb, tile.mb, tile.nb, NULL, ld,
                                home_of(x, &given, i, nb), &mat[i].tiles);
        *v = (tsl_view){.mat = &mat[k], .m = size.mb, .n = size.nb, .op = v->op, .uplo = v->uplo, .diag = v->diag};
    }
    return st;
}

/* More, if it is. */
static tsl_status weigh(tsl_context *x, const tsl_call *given, int64_t nb, tsl_device *dev, tsl_task_need *need)
{
    struct tsl_dry_run s = {.most = *need, .space = space_on(dev)};
    tsl_call c = *given;
    tsl_matrix mat[TSL_MAX_OPERANDS] = {0};
    tsl_status st = tsl_executor_open_dry(x, dev, &s.on);
    tsl_one_run run;
    if (st) return st;
    st = tile_proxy(x, &c, nb, mat);
    tsl_run_begin(x, &run);
    run.dry_run = &s;
    run.failed = TSL_OK;
    run.level = 1;
    run.by_tiles = run.dry = true;
    if (!st) st = tsl_tiled_run(x, &c);
    if (!st) st = run.failed;
    tsl_run_end(x);
    for (int i = 0; i < TSL_MAX_OPERANDS; ++i)
        if (mat[i].tiles) {
            size_t tile = mat[i].tiles->tile ? tsl_slot_bytes(mat[i].tiles->tile) : 0;
            if (tile > s.most.tile) s.most.tile = tile;
            tsl_tiles_free(mat[i].tiles);
        }
    tsl_tiled_temps_free(x); /* those of the dry run: there are no others as yet */
    tsl_executor_close(s.on);
    *need = s.most;
    return st;
}

/* A factorization of all columns would have too many tasks to look at: those of composites of LU and QR are their parts'. */
tsl_status tsl_need_of_task(tsl_context *x, const tsl_call *c, int64_t nb, tsl_device *dev, tsl_task_need *need)
{
    tsl_call part[TSL_MAX_PARTS] = {*c};
    tsl_matrix mat[2];
    int count = tsl_rule[c->op]->parts ? tsl_rule[c->op]->parts(x, c, mat, part) : 1;
    tsl_status st = TSL_OK;
    *need = (tsl_task_need){0};
    for (int i = 0; i < count && !st; ++i) st = weigh(x, &part[i], nb, dev, need);
    return st;
}
