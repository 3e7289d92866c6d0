/* The caller's own call with a tiled operand, or one that is to be computed by tiles: every operand is made to consist of tiles of
 * one size that begin where the operand begins, then the call is cut into tasks. */
#include "exec/tiled.h"

typedef struct tiling {
    int64_t nb;
    tsl_matrix mat[TSL_MAX_OPERANDS]; /* tiled, for the length of the call */
    tsl_view given[TSL_MAX_OPERANDS]; /* what mat[i] stands for */
    bool wrapped[TSL_MAX_OPERANDS];   /* a flat operand's own memory, cut into tiles */
    bool packed[TSL_MAX_OPERANDS];    /* a copy of one whose tiles lie otherwise */
} tiling;

int tsl_space_of(const tsl_context *x, const tsl_matrix *a)
{
    return a->home && !a->home->shares_host ? (int)(a->home - x->devices) + 1 : TSL_HOST_SPACE;
}

static bool same_block(const tsl_view *a, const tsl_view *b)
{
    return a->mat == b->mat && a->i == b->i && a->j == b->j && a->m == b->m && a->n == b->n;
}

static void see(tiling *t, tsl_view *v, int i)
{
    v->mat = &t->mat[i];
    v->i = v->j = 0;
}

static tsl_status wrap(tsl_context *x, tiling *t, tsl_call *c, int i)
{
    tsl_view *v = &c->v[i];
    t->given[i] = *v;
    for (int k = 0; k < i; ++k)
        if (t->wrapped[k] && same_block(&t->given[k], v)) {
            see(t, v, k);
            return TSL_OK;
        }
    t->mat[i] = (tsl_matrix){.ctx = x, .type = v->mat->type, .m = v->m, .n = v->n};
    tsl_status st = tsl_tiles_make(x->runtime, v->mat->type, v->m, v->n, t->nb, tsl_at(v), v->mat->ld, tsl_space_of(x, v->mat),
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
    t->mat[i] = (tsl_matrix){.ctx = x, .type = v->mat->type, .m = v->m, .n = v->n};
    tsl_status st = tsl_tiles_make(x->runtime, v->mat->type, v->m, v->n, t->nb, NULL, 0, TSL_HOST_SPACE, &t->mat[i].tiles);
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

static bool fits(const tiling *t, const tsl_view *v)
{
    int64_t nb = v->mat->tiles->nb;
    return nb == t->nb && v->i % nb == 0 && v->j % nb == 0;
}

static tsl_status tile_operands(tsl_context *x, tiling *t, tsl_call *c)
{
    int count = tsl_ops[c->op].operands;
    tsl_status st = TSL_OK;
    for (int i = count - 1; i >= 0; --i)
        if (c->v[i].mat->tiles) t->nb = c->v[i].mat->tiles->nb;
    if (!t->nb) t->nb = tsl_tile_for(x, c);
    bool copies = c->op == TSL_OP_COPY || c->op == TSL_OP_SCALE; /* take tiles as they come */
    for (int i = 0; i < count && !st; ++i) {
        if (!c->v[i].mat->tiles) st = wrap(x, t, c, i);
        else if (!copies && !fits(t, &c->v[i])) st = pack(x, t, c, i);
    }
    return st;
}

static tsl_status unpack(tsl_context *x, const tiling *t, const tsl_call *c)
{
    tsl_status st = TSL_OK;
    for (int i = 0; i < tsl_ops[c->op].operands && !st; ++i) {
        if (!t->packed[i] || tsl_ops[c->op].access[i] == 'R') continue;
        tsl_call copy = {.op = TSL_OP_COPY, .v = {c->v[i], t->given[i]}};
        copy.v[0].op = copy.v[1].op = TSL_NOTRANS;
        st = tsl_tiled_run(x, &copy);
    }
    return st;
}

/* Every call with an outcome has a word on each executor, which counts columns of the caller's operand; of those that are set the
 * least is the call's. A failed call leaves others alone. The first outcome that is not zero of calls from..rt->infos: */
static tsl_status collect(tsl_runtime *rt, int from, int64_t *info)
{
    int64_t words[TSL_INFOS], least[TSL_INFOS] = {0};
    size_t bytes = tsl_times((size_t)(rt->infos - from), sizeof *words);
    tsl_status st = TSL_OK;
    for (int s = 0; s < rt->sites && !st; ++s)
        for (int e = 0; e < rt->site[s].executors && !st; ++e) {
            tsl_context *on = rt->site[s].executor[e];
            st = on->dev->be->copy2d(on->lanes[TSL_MAIN].q, words, bytes, on->infos + from, bytes, bytes, 1, TSL_TO_HOST);
            if (!st) st = tsl_drain(on);
            for (int i = 0; i < rt->infos - from && !st; ++i)
                if (words[i] && (!least[i] || words[i] < least[i])) least[i] = words[i];
        }
    for (int i = 0; i < rt->infos - from && !*info; ++i) *info = least[i];
    return st;
}

static tsl_status clear_infos(tsl_runtime *rt)
{
    static const int64_t zeros[TSL_INFOS];
    tsl_status st = TSL_OK;
    for (int s = 0; s < rt->sites; ++s)
        for (int e = 0; e < rt->site[s].executors && !st; ++e) {
            tsl_context *on = rt->site[s].executor[e];
            st = on->dev->be->copy2d(on->lanes[TSL_MAIN].q, on->infos, sizeof zeros, zeros, sizeof zeros, sizeof zeros, 1, TSL_TO_DEVICE);
        }
    return st;
}

static tsl_status take_info(tsl_context *x, const tsl_call *c)
{
    tsl_runtime *rt = x->runtime;
    tsl_status st = TSL_OK;
    x->origin = c->v[0].mat;
    x->origin_at = c->v[0].j;
    if (rt->infos == TSL_INFOS) {
        tsl_runtime_quiet(rt);
        st = collect(rt, 0, &rt->first_info);
        rt->infos = 0;
    }
    if (!st && rt->infos == 0) st = clear_infos(rt);
    rt->infos++;
    return st;
}

bool tsl_tiled_good(tsl_context *x)
{
    int64_t info = 0;
    tsl_runtime_quiet(x->runtime);
    tsl_status st = collect(x->runtime, x->runtime->infos - 1, &info);
    if (st && !x->failed) x->failed = st;
    return !x->failed && info == 0;
}

tsl_status tsl_tiled_info(tsl_context *x)
{
    tsl_runtime *rt = x->runtime;
    int64_t first = rt->first_info;
    if (!rt->infos) return TSL_OK;
    tsl_status st = collect(rt, 0, &first);
    rt->infos = 0;
    rt->first_info = 0;
    if (!st) st = tsl_copy_word(x, x->info, &first, sizeof first, TSL_TO_DEVICE);
    return st ? st : x->dev->be->queue_wait(x->lanes[TSL_MAIN].q);
}

/* The tasks must be over before what they work on is described no longer: with an operand that is tiled only for the call it
 * waits, even in a region. */
static tsl_status finish(tsl_context *x, tiling *t, tsl_status st)
{
    bool brief = false;
    for (int i = 0; i < TSL_MAX_OPERANDS; ++i) brief |= t->wrapped[i] || t->packed[i];
    if (!x->region || brief || st) {
        tsl_status late = tsl_runtime_finish(x->runtime);
        if (!late) late = tsl_tiled_info(x);
        if (!st) st = late;
    }
    for (int i = 0; i < TSL_MAX_OPERANDS; ++i)
        if (t->wrapped[i] || t->packed[i]) tsl_tiles_free(t->mat[i].tiles);
    return st;
}

tsl_status tsl_tiled_call(tsl_context *x, const tsl_call *given)
{
    tsl_runtime *rt;
    tiling t = {0};
    tsl_call c = *given;
    if (!tsl_has_tiled_form(c.op)) return tsl_fail(x, TSL_ERR_LAYOUT, "%s: there is no tiled form of it", tsl_ops[c.op].name);
    tsl_status st = tsl_tiled_runtime(x, &rt);
    if (st) return st;
    for (int i = 0; i < tsl_ops[c.op].operands && !st; ++i) /* flat operands may still be worked on */
        if (!c.v[i].mat->tiles && c.v[i].mat->home) st = tsl_drain(x);
    if (!st) st = tsl_runtime_start(rt);
    if (st) return st;
    x->failed = TSL_OK;
    x->by_tiles = true;
    x->level = 1;
    st = tile_operands(x, &t, &c);
    if (!st && tsl_rule[c.op]->has_info) st = take_info(x, &c);
    tsl_runtime_order(rt, tsl_goes_in_order(x, &c));
    if (!st) st = tsl_tiled_run(x, &c);
    if (!st) st = x->failed;
    if (!st) st = unpack(x, &t, &c);
    x->level = 0;
    x->by_tiles = false;
    return finish(x, &t, st);
}
