/* The caller's own call with a tiled operand, or one that is to be computed by tiles: every operand is made to consist of tiles
 * of one size that begin where the operand begins, then the call is cut into tasks. Tiles of an operation on panels (TSL_TALL)
 * are as high as the operand as seen: a panel is a tile, and its pivots are one. What belongs to a pair of tiles (TSL_PAIRS) is
 * a tile, too. */
#include "tiled/tiled.h"

typedef struct tiling {
    int64_t nb;
    tsl_tile_plan plan;
    tsl_matrix mat[TSL_MAX_OPERANDS]; /* tiled, for the length of the call */
    tsl_view given[TSL_MAX_OPERANDS]; /* what mat[i] stands for */
    bool wrapped[TSL_MAX_OPERANDS];   /* a flat operand's own memory, cut into tiles */
    bool packed[TSL_MAX_OPERANDS];    /* a copy of one whose tiles lie otherwise */
} tiling;

/* One device computes in its memory as it is. Of several any may run a task: each has a copy then, the home's too, all laid out
 * alike. A leaf's bits may depend on how its operands lie. */
int tsl_space_of(const tsl_context *x, const tsl_matrix *a)
{
    if (!a->home || a->home->shares_host) return TSL_HOST_SPACE;
    int d = (int)(a->home - x->devices), outside = x->device_count + 1 + d;
    return x->device_count > 1 && outside < TSL_MAX_SPACES ? outside : d + 1;
}

bool tsl_same_block(const tsl_view *a, const tsl_view *b)
{
    return a->mat == b->mat && a->i == b->i && a->j == b->j && a->m == b->m && a->n == b->n;
}

/* Are its tiles as wide as the operand, for panels of its conjugate transpose? */
static bool turned(const tsl_call *c, int i)
{
    const tsl_view *v = &c->v[i];
    if (tsl_operand_is(c->op, i, TSL_IS_HALF)) return (v->uplo ? v->uplo : c->uplo) == TSL_UPPER;
    return tsl_operand_is(c->op, i, TSL_IS_UPRIGHT) ? v->m < v->n : (v->op & TSL_TRANS) != 0;
}

/* Where tiles need not agree: as many elements as a square of side nb has, also of a narrow matrix. */
static tsl_shape of_matrix(const tsl_view *v, int64_t nb)
{
    int64_t side = tsl_min(nb, (int64_t)1 << 31), m = tsl_max(1, v->m), n = tsl_max(1, v->n);
    if (n < nb) return (tsl_shape){side * side / n, nb};
    return m < nb ? (tsl_shape){nb, side * side / m} : (tsl_shape){nb, nb};
}

/* Of a vector that a matrix meets: cut as that is, along its rows or columns; else the same of the vector. */
static tsl_shape of_vector(const tsl_call *c, const tsl_view *v, int64_t nb)
{
    int matrix = 0, count = tsl_ops[c->op].operands;
    while (matrix < count && tsl_is_vector(c->op, matrix)) ++matrix;
    int64_t length = of_matrix(v, nb).mb;
    if (matrix < count) {
        const tsl_view *A = &c->v[matrix];
        tsl_shape s = tsl_shape_of(c, matrix, nb);
        length = tsl_max(v->m, v->n) == A->m ? s.mb : s.nb;
    }
    return v->n == 1 ? (tsl_shape){length, 1} : (tsl_shape){1, length};
}

tsl_shape tsl_shape_of(const tsl_call *c, int i, int64_t nb)
{
    const tsl_view *v = &c->v[i];
    if (tsl_takes_any_tiles(c->op)) {
        if (v->mat->tiles) return (tsl_shape){v->mat->tiles->mb, v->mat->tiles->nb};
        if (tsl_is_in_one_place(c->op)) return (tsl_shape){tsl_max(1, v->m), tsl_max(1, v->n)};
        return tsl_is_vector(c->op, i) ? of_vector(c, v, nb) : of_matrix(v, nb);
    }
    if (tsl_trait(c->op, TSL_PAIRS) && (i == 1 || i == 2)) return (tsl_shape){tsl_max(1, v->m), i == 2 ? 1 : nb};
    if (!tsl_trait(c->op, TSL_TALL) || tsl_per_column(c->op, i)) return (tsl_shape){nb, nb};
    return turned(c, i) ? (tsl_shape){nb, tsl_max(1, v->n)} : (tsl_shape){tsl_max(1, v->m), nb};
}

/* Along one dimension: tiles of that size that begin with the operand; `whole`: one, wherever the operand lies in it. */
static bool fits_along(int64_t have, int64_t want, int64_t at, int64_t count, bool whole)
{
    return whole ? at / have == (at + tsl_max(1, count) - 1) / have : have == want && at % have == 0;
}

bool tsl_tiles_fit(const tsl_call *c, int i, int64_t nb)
{
    const tsl_view *v = &c->v[i];
    const struct tsl_tiles *a = v->mat->tiles;
    tsl_shape s = tsl_shape_of(c, i, nb);
    bool tall = tsl_trait(c->op, TSL_TALL) && !tsl_per_column(c->op, i), wide = turned(c, i);
    return fits_along(a->mb, s.mb, v->i, v->m, tall && !wide) && fits_along(a->nb, s.nb, v->j, v->n, tall && wide);
}

static void see(tiling *t, tsl_view *v, int i)
{
    v->mat = &t->mat[i];
    v->i = v->j = 0;
}

/* The description of what is to stand for operand i, without its tiles */
static tsl_matrix described(tsl_context *x, const tiling *t, const tsl_view *v)
{
    return (tsl_matrix){.ctx = x, .type = v->mat->type, .m = v->m, .n = v->n, .tile = t->nb, .reversed = v->mat->reversed};
}

static tsl_status wrap(tsl_context *x, tiling *t, tsl_call *c, int i)
{
    tsl_view *v = &c->v[i];
    t->given[i] = *v;
    for (int k = 0; k < i; ++k)
        if (t->wrapped[k] && tsl_same_block(&t->given[k], v)) {
            see(t, v, k);
            return TSL_OK;
        }
    tsl_shape s = tsl_shape_of(c, i, t->nb);
    t->mat[i] = described(x, t, v);
    tsl_status st = tsl_tiles_make(x->runtime, v->mat->type, v->m, v->n, s.mb, s.nb, tsl_at(v), v->mat->ld, tsl_space_of(x, v->mat),
                                   &t->mat[i].tiles);
    if (st) return st;
    t->wrapped[i] = true;
    see(t, v, i);
    return TSL_OK;
}

/* Tiles that begin with the operand: copied from tiles that do not. */
static tsl_status pack(tsl_context *x, tiling *t, tsl_call *c, int i)
{
    tsl_view *v = &c->v[i];
    t->given[i] = *v;
    tsl_shape s = tsl_shape_of(c, i, t->nb);
    t->mat[i] = described(x, t, v);
    tsl_status st = tsl_tiles_make(x->runtime, v->mat->type, v->m, v->n, s.mb, s.nb, NULL, 0, TSL_HOST_SPACE, &t->mat[i].tiles);
    if (st) return st;
    t->packed[i] = true;
    bool contents = tsl_needs_contents(c, i);
    see(t, v, i);
    if (!contents) return TSL_OK;
    tsl_call copy = {.op = TSL_OP_COPY, .v = {t->given[i], *v}};
    copy.v[0].op = copy.v[1].op = TSL_NOTRANS;
    copy.v[0].diag = copy.v[1].diag = TSL_NONUNIT;
    return tsl_tiled_run(x, &copy);
}

static tsl_status tile_operands(tsl_context *x, tiling *t, tsl_call *c)
{
    int count = tsl_ops[c->op].operands;
    tsl_status st = TSL_OK;
    bool any = tsl_takes_any_tiles(c->op);
    for (int i = 0; i < count && !st; ++i) {
        if (!c->v[i].mat->tiles) st = wrap(x, t, c, i);
        else if (!any && !tsl_tiles_fit(c, i, t->nb)) st = pack(x, t, c, i);
    }
    return st;
}

static tsl_status unpack(tsl_context *x, const tiling *t, const tsl_call *c)
{
    tsl_status st = TSL_OK;
    for (int i = 0; i < tsl_ops[c->op].operands && !st; ++i) {
        if (!t->packed[i] || tsl_only_read(c->op, i)) continue;
        tsl_call copy = {.op = TSL_OP_COPY, .v = {c->v[i], t->given[i]}};
        copy.v[0].op = copy.v[1].op = TSL_NOTRANS;
        st = tsl_tiled_run(x, &copy);
    }
    return st;
}

/* The tasks must be over before what they work on is described no longer: with an operand that is tiled only for the call, or
 * results that are the caller's, it waits, even in a region. */
static tsl_status finish(tsl_context *x, tiling *t, const tsl_call *c, bool has_word, tsl_status st)
{
    bool brief = x->tiled_temps != NULL || c->results;
    for (int i = 0; i < TSL_MAX_OPERANDS; ++i) brief |= t->wrapped[i] || t->packed[i];
    if (!x->region || brief || st) {
        tsl_status late = tsl_region_pause(x, true);
        if (!st) st = late;
        if (!x->region) st = tsl_outcomes_end(x, st);
        else if (st && has_word) tsl_outcome_drop(x);
    }
    for (int i = 0; i < TSL_MAX_OPERANDS; ++i)
        if (t->wrapped[i] || t->packed[i]) tsl_tiles_free(t->mat[i].tiles);
    if (brief) tsl_tiled_temps_free(x);
    return st;
}

/* Has work on the lanes, which does not wait for its end, to do with the operand? (What the caller has on the main lane may
 * have to do with any.) */
static bool on_device(const tsl_matrix *a)
{
    return a->tiles ? a->tiles->wraps && a->tiles->tile && a->tiles->tile->line.home != TSL_HOST_SPACE : a->home != NULL;
}

/* The size of tiles that the operands have; 0: none has any */
static int64_t tile_given(const tsl_call *c)
{
    int64_t given = 0;
    for (int i = tsl_ops[c->op].operands - 1; i >= 0; --i)
        if (c->v[i].mat->tiles && !(tsl_per_column(c->op, i) && tsl_trait(c->op, TSL_TALL))) given = c->v[i].mat->tile;
    return tsl_trait(c->op, TSL_PAIRS) ? c->v[2].m : given; /* as many pivots or factors as a tile has columns */
}

tsl_status tsl_tiled_check_room(tsl_context *x, const tsl_call *c)
{
    tsl_runtime *rt;
    tsl_tile_plan p;
    tsl_one_run run;
    tsl_status st = tsl_tiled_runtime(x, &rt);
    tsl_run_begin(x, &run);
    if (!st) st = tsl_plan_tiles(x, c, tile_given(c), &p);
    tsl_run_end(x);
    return st;
}

/* The size of tiles; and where memory is short, the workspace of earlier calls is given back. */
static tsl_status plan(tsl_context *x, const tsl_call *c, tiling *t)
{
    tsl_status st = tsl_plan_tiles(x, c, tile_given(c), &t->plan);
    t->nb = t->plan.nb;
    if (!st && t->plan.tight) {
        (void)tsl_drain(x); /* what it has to say stays for tsl_wait */
        for (int l = 0; l < TSL_LANES; ++l) tsl_arena_trim(&x->lanes[l].arena, 0);
    }
    return st;
}

/* The tasks of a call that has its tiles are submitted. *has_word: there is one for its outcome */
static tsl_status submit(tsl_context *x, tsl_one_run *run, tiling *t, tsl_call *c, bool *has_word)
{
    run->failed = TSL_OK;
    run->by_tiles = true;
    run->level = 1;
    tsl_status st = tile_operands(x, t, c);
    if (!st && tsl_trait(c->op, TSL_HAS_INFO)) {
        run->origin = c->v[0].mat;
        run->origin_at = c->v[0].j;
        st = tsl_outcome_take(x);
        *has_word = !st;
    }
    tsl_runtime_order(x->runtime, tsl_goes_in_order(x, c), t->plan.slots);
    run->slots = tsl_min(t->plan.slots, INT32_MAX); /* more than there are tiles: what is reckoned with it does not overflow */
    if (!st) st = tsl_tiled_run(x, c);
    if (!st) st = run->failed;
    return st ? st : unpack(x, t, c);
}

/* Tiles are planned, and what the caller has on the main lane is done. */
static tsl_status begin(tsl_context *x, tsl_runtime *rt, const tsl_call *c, tiling *t)
{
    tsl_status st = plan(x, c, t);
    bool busy = x->follows || x->exposed;
    for (int i = 0; i < tsl_ops[c->op].operands; ++i) busy |= on_device(c->v[i].mat);
    if (!st && busy) st = tsl_drain(x);
    return st ? st : tsl_runtime_start(rt);
}

tsl_status tsl_tiled_call(tsl_context *x, const tsl_call *given)
{
    tsl_runtime *rt;
    tsl_one_run run;
    tiling t = {0};
    tsl_call c = *given;
    bool has_word = false;
    if (x->region_failed) return tsl_fail(x, x->region_failed, "%s: an earlier call of the region has failed", tsl_ops[c.op].name);
    tsl_status st = tsl_tiled_runtime(x, &rt);
    if (st) return st;
    tsl_run_begin(x, &run);
    st = begin(x, rt, &c, &t);
    bool begun = !st;
    int64_t before = tsl_tiled_launches(rt);
    if (begun) st = submit(x, &run, &t, &c, &has_word);
    tsl_run_end(x);
    if (!begun) return st;
    st = finish(x, &t, &c, has_word, st);
    if (tsl_tiled_launches(rt) != before) *tsl_computes() = true; /* other threads have */
    return st == TSL_ERR_DEVICE_MEMORY ? tsl_tell_tiles(x, given, &t.plan) : st;
}
