/* A X = B where an operand is tiled, or not all fits on one device: what algo/solve/refine.c and algo/solve/probe.c say, each
 * step a call of its own, which finds its own way to the devices. The factors and all columns are in the host's memory. There
 * is no GMRES: what corrections do not solve goes on to the next precision. */
#include <string.h>

#include "ops/inner.h"
#include "ops/solve/refine.h"
#include "ops/solve/solve.h"

static bool definite(tsl_view A) { return A.uplo != TSL_GENERAL; }

/* The columns of a system: B, X, R, and a correction in the factors' type where that is another */
typedef struct columns {
    tsl_held B, X, R, D;
} columns;

typedef struct options {
    char variant[sizeof((tsl_context *)0)->variant];
    int shape;
    int64_t tile;
} options;

/* Those that are set count for the factorization and solutions with it, as far as these have them; everything else goes by
 * "auto". */
static options set_aside(tsl_context *x)
{
    options was = {.shape = x->shape, .tile = x->tile};
    memcpy(was.variant, x->variant, sizeof was.variant);
    strcpy(x->variant, "auto");
    x->shape = 0;
    return was;
}

static void put_back(tsl_context *x, const options *was)
{
    memcpy(x->variant, was->variant, sizeof was->variant);
    x->shape = was->shape;
}

static tsl_status asked(tsl_context *x, const options *o, const tsl_call *c, int64_t *info)
{
    put_back(x, o);
    bool by_tiles = tsl_by_tiles.decide(x, c).path == TSL_BY_TILES;
    if (!tsl_takes_variant(x, c->op, by_tiles ? tsl_by_tiles.takes : NULL)) strcpy(x->variant, "auto");
    if (x->shape > tsl_shapes(x->dev, c->op, c->v[0].mat->type)) x->shape = 0;
    tsl_status st = tsl_execute_info(x, c, info);
    (void)set_aside(x);
    return st;
}

/* L, p := the factors of scale * A; if there are none r->count says why, and is 0 otherwise. */
static tsl_status factor(tsl_context *x, tsl_system *s, tsl_results *r, const options *o, int64_t *info)
{
    double largest;
    tsl_status st = s->lower || s->measured ? tsl_sizes_of(x, s->A, &s->size, &largest) : TSL_OK;
    if (s->lower) {
        s->scale = tsl_scale_for(s->A.mat->type, s->size, tsl_rows(s->A));
        r->count = tsl_misfits(s, s->size, largest);
        if (st || r->count) return st;
        st = tsl_execute_info(x, &(tsl_call){.op = TSL_OP_CONVERT, .alpha = s->scale, .v = {s->A, s->L}}, NULL);
    } else if (!st) st = tsl_copy(x, s->A, s->L);
    tsl_call by = {.op = TSL_OP_GETRF, .v = {s->L, s->p}};
    if (definite(s->L)) by = (tsl_call){.op = TSL_OP_POTRF, .v = {s->L}};
    *info = 0;
    if (!st) st = asked(x, o, &by, info);
    r->count = *info ? TSL_LOW_SINGULAR : 0;
    return st;
}

/* D := inv(A) D */
static tsl_status divide(tsl_context *x, const tsl_system *s, const options *o, tsl_view D)
{
    tsl_call by = {.op = TSL_OP_GETRS, .v = {s->L, s->p, D}};
    if (definite(s->L)) by = (tsl_call){.op = TSL_OP_POTRS, .v = {s->L, D}};
    return asked(x, o, &by, NULL);
}

/* Y := beta Y + inv(A) R; R is lost */
static tsl_status apply(tsl_context *x, const tsl_system *s, const options *o, double largest, int beta, tsl_view Y)
{
    double unit = tsl_unit_of(s->A.mat->type, largest);
    if (s->lower) {
        tsl_status st = tsl_execute(x, &(tsl_call){.op = TSL_OP_CONVERT, .alpha = 1 / unit, .v = {s->R, s->D}});
        if (!st) st = divide(x, s, o, s->D);
        return st ? st : tsl_execute(x, &(tsl_call){.op = TSL_OP_CONVERT, .alpha = unit * s->scale, .beta = beta, .v = {s->D, Y}});
    }
    tsl_status st = divide(x, s, o, s->R);
    if (!st && !beta && Y.mat != s->R.mat) st = tsl_copy(x, s->R, Y);
    for (int64_t j = 0; j < tsl_cols(Y) && beta && !st; ++j) st = tsl_axpy(x, 1, tsl_block_cols(s->R, j, 1).A1, tsl_block_cols(Y, j, 1).A1);
    return st;
}

/* R := B - A X */
static tsl_status residual(tsl_context *x, const tsl_system *s)
{
    tsl_status st = tsl_copy(x, s->B, s->R);
    if (st) return st;
    return definite(s->A) ? tsl_hemm(x, TSL_LEFT, -1, s->A, s->X, 1, s->R) : tsl_gemm(x, -1, s->A, s->X, 1, s->R);
}

/* r->count: how many corrections X has taken, or that they do not lead to it */
static tsl_status correct(tsl_context *x, const tsl_system *s, const options *o, tsl_results *r)
{
    double before = INFINITY, first = 0, ratio = 0, largest = 0, next = INFINITY;
    bool good = false;
    tsl_status st = tsl_copy(x, s->B, s->R);
    if (!st) st = tsl_norm(x, TSL_NORM_MAX, TSL_HERMITIAN, s->R, &largest);
    for (int64_t turn = 0; turn <= TSL_CORRECTIONS && !st && !good; ++turn, before = r->scalar[TSL_BACKWARD]) {
        /* X := X + inv(A) R, from X = 0 */ st = apply(x, s, o, largest, turn > 0, s->X);
        if (!st) st = residual(x, s);
        if (!st) st = tsl_ratio_of(x, s->R, s->X, &ratio, &largest);
        r->scalar[TSL_BACKWARD] = ratio > 0 ? ratio / s->size : ratio;
        r->count = turn;
        if (turn == 0) first = r->scalar[TSL_BACKWARD];
        good = tsl_corrected(s, first, before, r->scalar[TSL_BACKWARD]);
        if (!good && tsl_stalls(before, r->scalar[TSL_BACKWARD])) break;
    }
    if (!st && !good && r->scalar[TSL_BACKWARD] <= s->bound) {
        /* R := inv(A) R */                 st = apply(x, s, o, largest, 0, s->R);
        if (!st) st = tsl_ratio_of(x, s->R, s->X, &next, &largest);
        good = tsl_settled(s, r->scalar[TSL_BACKWARD], next);
    }
    if (!good) r->count = TSL_LOW_SLOW;
    return st;
}

static tsl_status take(tsl_context *x, const tsl_system *s, int64_t count, columns *c)
{
    tsl_type t = s->A.mat->type;
    int64_t n = tsl_rows(s->A);
    tsl_status st = tsl_held_make(x, t, n, count, &c->X);
    if (!st) st = tsl_held_make(x, t, n, count, &c->R);
    if (!st && s->lower) st = tsl_held_make(x, tsl_other_precision(t), n, count, &c->D);
    return st;
}

static void let_go(tsl_context *x, columns *c)
{
    tsl_held_free(x, &c->D), tsl_held_free(x, &c->R), tsl_held_free(x, &c->X), tsl_held_free(x, &c->B);
}

static void use(tsl_system *s, columns *c)
{
    s->X = tsl_whole(&c->X.mat), s->R = tsl_whole(&c->R.mat);
    if (s->lower) s->D = tsl_whole(&c->D.mat);
}

/* G, random */
static void fill(const tsl_held *G, double unit)
{
    size_t size = tsl_type_size(G->mat.type);
    for (int64_t j = 0; j < G->mat.n; ++j)
        for (int64_t i = 0; i < G->mat.m; ++i) {
            tsl_typed_scalar a = tsl_typed(G->mat.type, tsl_probe_number(i, j) * unit);
            memcpy((char *)G->p + (size_t)(i + j * G->mat.ld) * size, &a, size);
        }
}

/* The condition by A W = G (algo/solve/probe.c); infinite: there are no such W */
static tsl_status probe(tsl_context *x, const tsl_system *s, const options *o, double *condition)
{
    tsl_system q = *s;
    columns c = {0};
    double before = INFINITY, off = 0, largest = 0;
    bool good = false;
    *condition = INFINITY;
    q.unit = tsl_unit_of(s->A.mat->type, s->size);
    tsl_status st = tsl_held_make(x, s->A.mat->type, tsl_rows(s->A), TSL_PROBES, &c.B);
    if (!st) st = take(x, s, TSL_PROBES, &c);
    if (!st) {
        fill(&c.B, q.unit);
        q.B = tsl_whole(&c.B.mat);
        use(&q, &c);
        st = tsl_copy(x, q.B, q.R);
    }
    for (int turn = 0; turn <= TSL_CORRECTIONS && !st && !good; ++turn, before = off) {
        /* W := W + inv(A) T, from W = 0 */ st = apply(x, &q, o, turn ? off : q.unit, turn > 0, q.X);
        /* T := G - A W */                  if (!st) st = residual(x, &q);
        if (!st) st = tsl_norm(x, TSL_NORM_FRO, TSL_HERMITIAN, q.R, &off);
        good = !st && off <= TSL_VERIFIED * q.unit;
        if (tsl_stalls(before, off)) break;
    }
    if (good) st = tsl_norm(x, TSL_NORM_MAX, TSL_HERMITIAN, q.X, &largest);
    if (good && !st) *condition = tsl_condition_of(tsl_rows(s->A), s->size, q.unit, largest);
    let_go(x, &c);
    return st;
}

/* With the factors: X, and its errors */
static tsl_status solve(tsl_context *x, const tsl_system *s, const options *o, tsl_results *r)
{
    tsl_status st;
    if (!s->lower && !s->measured) {
        st = tsl_copy(x, s->B, s->X);
        return st ? st : divide(x, s, o, s->X);
    }
    st = correct(x, s, o, r);
    if (st || r->count < 0 || !s->measured) return st;
    st = probe(x, s, o, &r->scalar[TSL_CONDITION]);
    r->scalar[TSL_FORWARD] = tsl_forward_of(s->A.mat->type, r->scalar[TSL_CONDITION], r->scalar[TSL_BACKWARD]);
    if (s->lower && isinf(r->scalar[TSL_CONDITION])) r->count = TSL_LOW_SLOW;
    return st;
}

/* The least tile of an operand: the caller has seen to it that such tiles fit. 0: none is tiled */
static int64_t tile_of(const tsl_call *c)
{
    int64_t tile = 0;
    for (int i = 0; i < tsl_ops[c->op].operands; ++i) {
        int64_t own = c->v[i].mat->tile;
        if (own && (!tile || own < tile)) tile = own;
    }
    return tile;
}

tsl_status tsl_solve_wide(tsl_context *x, const tsl_call *c, int64_t *info)
{
    tsl_held L = {0}, p = {0};
    columns own = {0};
    tsl_view A = c->v[0];
    tsl_type t = A.mat->type;
    tsl_results *r = c->results;
    int64_t n = tsl_rows(A);
    tsl_system s = {.A = A, .B = c->v[2], .precision = c->refine.precision, .lower = tsl_is_lower(c->refine.precision, t), .scale = 1, .enough = c->refine.accuracy, .any_size = c->refine.any_size,
                    .measured = c->refine.measured, .bound = tsl_bound_of(t, n)};
    options o = set_aside(x);
    if (!x->tile) x->tile = tile_of(c);
    tsl_status st = tsl_held_make(x, s.lower ? tsl_other_precision(t) : t, n, n, &L);
    if (!st) st = tsl_held_make(x, TSL_INDEX, definite(A) ? 0 : n, 1, &p);
    if (!st) st = take(x, &s, tsl_cols(s.B), &own);
    if (!st) {
        s.L = tsl_whole(&L.mat), s.p = tsl_whole(&p.mat);
        if (definite(A)) s.L = tsl_triangle(A) == TSL_LOWER ? tsl_lower(s.L) : tsl_upper(s.L);
        use(&s, &own);
        r->method = s.lower ? TSL_BY_CORRECTIONS : TSL_BY_FACTORS;
        st = factor(x, &s, r, &o, info);
        if (!st && !r->count) st = solve(x, &s, &o, r);
        if (!st && r->count >= 0) st = tsl_copy(x, s.X, c->v[3]);
    }
    let_go(x, &own);
    tsl_held_free(x, &p), tsl_held_free(x, &L);
    put_back(x, &o);
    x->tile = o.tile;
    return st;
}
