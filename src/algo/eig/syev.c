/* Eigenpairs of a symmetric or Hermitian matrix: to tridiagonal form A = Q T Q^H, those of T, and vectors times Q. What reduces
 * A is what variants differ in. */
#include <float.h>
#include <math.h>

#include "algo/algo.h"
#include "core/values.h"

/* A reduction, and what it keeps for the way back */
typedef struct stages {
    void (*reduce)(tsl_context *x, struct stages *s, tsl_view A, tsl_view d, tsl_view e);
    void (*back)(tsl_context *x, const struct stages *s, tsl_view A, tsl_view Z); /* Z := Q Z */
    bool returns;             /* there will be a way back */
    tsl_view tau;             /* of one stage */
    tsl_view T;               /* of several: of the first */
    struct chased {
        tsl_view V, tau;
        int64_t kd;           /* of the band it began with */
    } narrower, last;         /* of the one from a band to a narrower one, and of that to tridiagonal form */
} stages;

/* The first columns of Z, as many as pairs were found */
static tsl_view found(tsl_view Z, const tsl_results *r) { return tsl_block_cols(Z, 0, r->count).A1; }

static tsl_status pairs_by(tsl_context *x, const tsl_call *c, stages s)
{
    tsl_view A = c->v[0], w = c->v[1], V = c->v[2], S = c->uplo == TSL_UPPER ? tsl_upper(A) : tsl_lower(A);
    int64_t n = tsl_rows(A), most = c->eig.range == TSL_RANGE_INDEX ? tsl_min(c->eig.count, n) : n;
    tsl_results results = {0};
    tsl_view d = tsl_temp_of(x, A, TSL_IN_ONE, TSL_OF_REAL, n, 1), e = tsl_temp_of(x, A, TSL_IN_ONE, TSL_OF_REAL, n - 1, 1),
             Z = c->eig.vectors ? tsl_temp_of(x, A, TSL_IN_PANELS, TSL_OF_TYPE, n, most) : V;
    s.returns = tsl_cols(Z) > 0;
    double size, factor = tsl_into_range(x, TSL_HERMITIAN, S, &size);
    bool good = isfinite(size);
    if (good) {
        /* A = Q T Q^H */           s.reduce(x, &s, S, d, e);
    } else {
        /* T := NaN */              tsl_laset(x, NAN, NAN, d);
        tsl_laset(x, 0, 0, e);
    }
    tsl_call pairs = {.op = TSL_OP_STEV, .eig = c->eig, .results = &results, .v = {Z, d, e, w}};
    pairs.eig.least *= factor, pairs.eig.most *= factor;
    /* T = Z L Z^T */               tsl_status st = tsl_execute(x, &pairs);
    if (c->results) c->results->count = results.count;
    if (!st && tsl_cols(Z) && tsl_cols(Z) < results.count) st = TSL_ERR_SHAPE; /* which on a grid is not told until the end */
    if (st) return st;
    if (good && tsl_cols(Z)) {
        /* Z := Q Z */              s.back(x, &s, S, found(Z, &results));
    }
    if (c->eig.vectors) {
        /* A := Z */                tsl_copy(x, found(Z, &results), found(A, &results));
    }
    /* w := w / factor */           tsl_scale(x, 1 / factor, w);
    return TSL_OK;
}

static void reduce_one(tsl_context *x, stages *s, tsl_view A, tsl_view d, tsl_view e)
{
    int64_t n = tsl_rows(A);
    s->tau = tsl_temp(x, A, n, 1);
    s->tau = tsl_sub(s->tau, 0, 0, n - 1, 1);
    tsl_sytrd(x, A, d, e, s->tau);
}

static void back_one(tsl_context *x, const stages *s, tsl_view A, tsl_view Z) { tsl_ormtr(x, TSL_LEFT, TSL_NOTRANS, A, s->tau, Z); }

tsl_status tsl_syev_one(tsl_context *x, const tsl_call *c) { return pairs_by(x, c, (stages){.reduce = reduce_one, .back = back_one}); }

/* Room for the reflectors of a chase that begins with kd diagonals; Q's first rows and columns are those of I but for the last
 * n. */
static void keep(tsl_context *x, struct chased *c, tsl_view A, int64_t n, int64_t kd)
{
    c->kd = kd;
    c->V = tsl_temp_of(x, A, TSL_IN_SHARES, TSL_OF_TYPE, n, n);
    c->tau = tsl_temp_of(x, A, TSL_IN_SHARES, TSL_OF_TYPE, tsl_max(1, tsl_pieces(tsl_max(0, n - 1), kd)), n);
}

/* Z := Q Z */
static void apply(tsl_context *x, const struct chased *c, tsl_view Z)
{
    int64_t n = tsl_rows(c->V), above = tsl_rows(Z) - n;
    tsl_ormtr_sb2st(x, c->kd, c->V, c->tau, tsl_sub(Z, above, 0, n, tsl_cols(Z)));
}

/* By a band of kd diagonals beside the main one: A = Q1 B Q1^H, B = Q2 T Q2^H */
static void reduce_two(tsl_context *x, stages *s, tsl_view A, tsl_view d, tsl_view e)
{
    int64_t n = tsl_rows(A), kd = tsl_band_width(x, n);
    tsl_view AB = tsl_temp_of(x, A, TSL_IN_PANELS, TSL_OF_TYPE, kd + 1, n);
    s->T = tsl_temp_of(x, A, TSL_IN_PANELS, TSL_OF_TYPE, kd, n);
    keep(x, &s->last, A, s->returns ? n : 0, kd);
    /* A = Q1 B Q1^H */ tsl_sy2sb(x, tsl_as_lower(A), AB, s->T);
    /* B = Q2 T Q2^H */ tsl_sb2st(x, AB, d, e, s->last.V, s->last.tau);
}

static void back_two(tsl_context *x, const stages *s, tsl_view A, tsl_view Z)
{
    /* Z := Q2 Z */ apply(x, &s->last, Z);
    /* Z := Q1 Z */ tsl_ormtr_sy2sb(x, TSL_LEFT, TSL_NOTRANS, tsl_as_lower(A), s->T, Z);
}

tsl_status tsl_syev_two(tsl_context *x, const tsl_call *c) { return pairs_by(x, c, (stages){.reduce = reduce_two, .back = back_two}); }

/* By a band twice as wide, and that one: A = Q1 W Q1^H, W = Q2 B Q2^H, B = Q3 T Q3^H */
static void reduce_three(tsl_context *x, stages *s, tsl_view A, tsl_view d, tsl_view e)
{
    int64_t n = tsl_rows(A), kd = tsl_band_width(x, n), wide = tsl_max(kd, tsl_min(2 * kd, n - 1));
    tsl_view W = tsl_temp_of(x, A, TSL_IN_PANELS, TSL_OF_TYPE, wide + 1, n),
             B = tsl_temp_of(x, A, TSL_IN_PANELS, TSL_OF_TYPE, kd + 1, n);
    s->T = tsl_temp_of(x, A, TSL_IN_PANELS, TSL_OF_TYPE, wide, n);
    keep(x, &s->narrower, A, s->returns ? tsl_max(0, n - kd + 1) : 0, wide);
    keep(x, &s->last, A, s->returns ? n : 0, kd);
    /* A = Q1 W Q1^H */ tsl_sy2sb(x, tsl_as_lower(A), W, s->T);
    /* W = Q2 B Q2^H */ tsl_sb2sb(x, W, B, s->narrower.V, s->narrower.tau);
    /* B = Q3 T Q3^H */ tsl_sb2st(x, B, d, e, s->last.V, s->last.tau);
}

static void back_three(tsl_context *x, const stages *s, tsl_view A, tsl_view Z)
{
    /* Z := Q3 Z */ apply(x, &s->last, Z);
    /* Z := Q2 Z */ apply(x, &s->narrower, Z);
    /* Z := Q1 Z */ tsl_ormtr_sy2sb(x, TSL_LEFT, TSL_NOTRANS, tsl_as_lower(A), s->T, Z);
}

tsl_status tsl_syev_three(tsl_context *x, const tsl_call *c) { return pairs_by(x, c, (stages){.reduce = reduce_three, .back = back_three}); }
