/* Solution of A X = B by factors of A: X := X + inv(A) (B - A X), with the residual in A's own precision, until the backward
 * error no longer shrinks. Where factors of lower precision make it shrink too slowly GMRES goes on. A solution is good if, as
 * LAPACK's dsgesv asks for, its backward error |B - A X| / (|A| |X|) is at most sqrt(n) eps, column by column, and by lower
 * factors it is refined further as long as that halves it: so it is no larger than that of a solution by factors of A's own
 * precision. Those lead to a solution without corrections, unless elements have grown. */
#include "algo/solve/refine.h"

#include "algo/lu/lu.h"
#include "algo/qr/qrp.h"

static bool definite(tsl_view A) { return A.uplo != TSL_GENERAL; }

void tsl_times_column(tsl_context *x, tsl_view A, tsl_scalar alpha, tsl_view z, tsl_scalar beta, tsl_view y)
{
    if (definite(A)) tsl_hemv(x, alpha, A, z, beta, y);
    else tsl_gemv(x, alpha, A, z, beta, y);
}

void tsl_residual(tsl_context *x, const tsl_system *s)
{
    /* R := B */                            tsl_copy(x, s->B, s->R);
    /* R := R - A X */
    if (tsl_cols(s->X) == 1) tsl_times_column(x, s->A, -1, s->X, 1, s->R);
    else if (definite(s->A)) tsl_hemm(x, TSL_LEFT, -1, s->A, s->X, 1, s->R);
    else tsl_gemm(x, -1, s->A, s->X, 1, s->R);
}

/* With butterflies the factors are of U^T A V, and inv(A) = V inv(U^T A V) U^T. */
void tsl_divide(tsl_context *x, const tsl_system *s, tsl_view L, tsl_view D)
{
    /* D := U^T D */                        if (s->butterflies) tsl_apply_butterflies(x, TSL_BUTTERFLIES_U, D);
    /* D := inv(L) D */
    if (definite(L)) tsl_potrs(x, L, D);
    else if (!s->butterflies) tsl_getrs(x, L, s->p, D);
    else {
        tsl_view P = tsl_block_rows(s->places, 0, tsl_rows(D)).A1;
        /* D := P D */                      tsl_permute_columns(x, tsl_trans(D), P, false);
        /* D := inv(U) inv(L) D */          tsl_divide_by_factors(x, L, D);
    }
    /* D := V D */                          if (s->butterflies) tsl_apply_butterflies(x, TSL_BUTTERFLIES_V, D);
}

/* Between A's type and that of the factors: Y := beta Y + alpha D, beta 0 or 1 */
static void add(tsl_context *x, double alpha, tsl_view D, int beta, tsl_view Y)
{
    if (tsl_matrix_type(D.mat) != tsl_matrix_type(Y.mat)) {
        tsl_add_converted(x, alpha, D, beta, Y);
        return;
    }
    for (int64_t j = 0; j < tsl_cols(Y) && beta; ++j) tsl_axpy(x, alpha, tsl_block_cols(D, j, 1).A1, tsl_block_cols(Y, j, 1).A1);
    if (beta) return;
    if (D.mat != Y.mat) tsl_copy(x, D, Y);
    tsl_scale(x, alpha, Y);
}

/* Residuals are as small as they like: they are brought to the middle of the lower precision's range. */
void tsl_apply_factors(tsl_context *x, const tsl_system *s, tsl_view R, double largest, int beta, tsl_view Y)
{
    bool same = tsl_matrix_type(s->L.mat) == tsl_matrix_type(R.mat);
    tsl_view D = same ? R : tsl_block_cols(s->D, 0, tsl_cols(R)).A1;
    double unit = s->lower ? tsl_unit_of(tsl_matrix_type(R.mat), largest) : 1;
    /* D := R / unit */                     add(x, 1 / unit, R, 0, D);
    /* D := inv(A) D */                     tsl_divide(x, s, s->L, D);
    /* Y := beta Y + unit D */              add(x, unit * s->scale, D, beta, Y);
}

static double norm_of(tsl_context *x, tsl_norm_kind kind, tsl_view A)
{
    double norm = 0;
    tsl_norm(x, kind, TSL_HERMITIAN, A, &norm);
    return norm;
}

/* P := the exchanges p, one after the other, of the numbers 1 to n */
static void find_places(tsl_context *x, const tsl_system *s)
{
    tsl_strips P = tsl_block_rows(s->places, 0, tsl_rows(s->p)); /* A2: room for a number that nobody asks for */
    /* P := 1 .. n */                       tsl_in_order(x, P.A1, P.A2);
    /* P := P(p) P */                       tsl_laswp(x, P.A1, s->p, false);
}

/* L, p := the factors of scale * A, or of what butterflies make of it. False: there are none, and the outcome says why. */
static bool factor(tsl_context *x, tsl_system *s, tsl_results *r)
{
    int64_t n = tsl_rows(s->A);
    if (s->lower) {
        double largest = tsl_is_midway(s->size, n) ? s->size : norm_of(x, TSL_NORM_MAX, s->A);
        s->scale = tsl_scale_for(tsl_matrix_type(s->A.mat), s->size, n);
        r->count = tsl_misfits(s, s->size, largest);
        if (r->count && !tsl_is_dry(x)) return false;
    }
    r->count = TSL_LOW_SINGULAR;
    /* L := scale A */                      add(x, s->scale, s->A, 0, s->L);
    /* L := U^T L V */                      if (s->butterflies) tsl_apply_butterflies(x, TSL_BUTTERFLIES_BOTH, s->L);
    tsl_products asked = tsl_products_in(x, TSL_PRODUCTS_AUTO);
    tsl_products_in(x, s->lower ? tsl_products_of(s->precision, asked) : asked);
    /* L := its factors */
    if (definite(s->L)) tsl_potrf(x, s->L, NULL);
    /* flat: pivots from a window are those of one panel in one memory */
    else if (s->butterflies) tsl_by(x, &(tsl_call){.op = TSL_OP_GETRF, .panel = s->block, .v = {s->L, s->p}}, tsl_getrf_window);
    else tsl_getrf(x, s->L, s->p, NULL);
    tsl_products_in(x, asked);
    if (!tsl_good_so_far(x)) return false;
    if (s->butterflies) find_places(x, s);
    return true;
}

/* True: X is the solution. False: corrections do not get smaller, or get small too slowly, and roundoff is not the reason. */
static bool correct(tsl_context *x, const tsl_system *s, tsl_results *r, double *largest)
{
    double before = INFINITY, first = 0, ratio = 0;
    /* R := B */                            tsl_copy(x, s->B, s->R);
    *largest = norm_of(x, TSL_NORM_MAX, s->R);
    for (r->count = 0; r->count <= TSL_CORRECTIONS; ++r->count, before = r->scalar[TSL_BACKWARD]) {
        /* X := X + inv(A) R, from X = 0 */ tsl_apply_factors(x, s, s->R, *largest, r->count > 0, s->X);
        /* R := B - A X */                  tsl_residual(x, s);
        tsl_ratio(x, s->R, s->X, &ratio, largest);
        r->scalar[TSL_BACKWARD] = ratio > 0 ? ratio / s->size : ratio;
        if (!r->count) first = r->scalar[TSL_BACKWARD];
        if (tsl_corrected(s, first, before, r->scalar[TSL_BACKWARD])) return !tsl_is_dry(x) || !s->lower;
        if (tsl_stalls(before, r->scalar[TSL_BACKWARD])) return false;
    }
    return false;
}

tsl_system tsl_columns(const tsl_system *s, int64_t j, int64_t count)
{
    tsl_system c = *s;
    c.B = tsl_block_cols(s->B, j, count).A1;
    c.X = tsl_block_cols(s->X, j, count).A1;
    c.R = tsl_block_cols(s->R, j, count).A1;
    return c;
}

/* The next correction would be inv(A) R. How large it is beside X */
static double next_correction(tsl_context *x, const tsl_system *s, double largest)
{
    double ratio = 0;
    /* R := inv(A) R */                     tsl_apply_factors(x, s, s->R, largest, 0, s->R);
    tsl_ratio(x, s->R, s->X, &ratio, &largest);
    return ratio;
}

/* With the factors: X, and its errors. False: lower factors do not lead to these. */
static bool solve(tsl_context *x, const tsl_system *s, tsl_results *r)
{
    tsl_type t = tsl_matrix_type(s->A.mat);
    tsl_krylov m;
    double largest;
    /* asks: how long vectors of GMRES are is known when it ends */
    bool dry = tsl_is_dry(x), taken = false, may = s->lower && tsl_can_read(s->A);
    bool good = correct(x, s, r, &largest), close = !good && r->scalar[TSL_BACKWARD] <= s->bound;
    if (close) good = tsl_settled(s, r->scalar[TSL_BACKWARD], next_correction(x, s, largest)) && !dry;
    if (!good && may && isfinite(r->scalar[TSL_BACKWARD])) {
        r->method = TSL_BY_GMRES;
        m = tsl_krylov_of(x, s), taken = true;
        good = tsl_gmres(x, s, &m, &r->count, &r->scalar[TSL_BACKWARD]);
    }
    if ((!good && !dry) || !s->measured) return good;
    tsl_system q = tsl_probes(x, s);
    good = tsl_probe(x, &q) && !dry;
    if (!good && may) {
        if (!taken) m = tsl_krylov_of(x, s);
        good = tsl_gmres_probes(x, &q, &m);
    }
    r->scalar[TSL_CONDITION] = good ? tsl_probed(x, &q) : INFINITY;
    r->scalar[TSL_FORWARD] = tsl_forward_of(t, r->scalar[TSL_CONDITION], r->scalar[TSL_BACKWARD]);
    return good || !s->lower;
}

/* butterflies: factor U^T A V instead of A */
static tsl_status refine(tsl_context *x, const tsl_call *c, bool butterflies)
{
    tsl_results none = {.count = 0}, *r = c->results ? c->results : &none;
    bool told = c->refine.precision != TSL_AUTO;
    tsl_view A = c->v[0], B = c->v[2];
    tsl_type t = tsl_matrix_type(A.mat);
    int64_t n = tsl_rows(B), count = tsl_cols(B), most;
    tsl_system s = {.A = A, .p = c->v[1], .B = B, .X = c->v[3], .precision = told ? c->refine.precision : TSL_FP32, .enough = c->refine.accuracy, .scale = 1,
                    .any_size = c->refine.any_size, .measured = !told || c->refine.measured,
                    .bound = tsl_bound_of(t, n), .butterflies = butterflies, .block = butterflies ? tsl_panel(x, c) : 0};
    s.lower = tsl_is_lower(s.precision, t);
    most = tsl_max(count, s.measured ? TSL_PROBES : 0);
    bool narrow = s.lower && tsl_is_double(t);
    s.L = tsl_temp_of(x, A, TSL_ALONG_BOTH, narrow ? TSL_OF_OTHER : TSL_OF_TYPE, n, n);
    s.D = narrow ? tsl_temp_of(x, A, TSL_ALONG_BOTH, TSL_OF_OTHER, n, most) : s.L;
    s.R = tsl_temp(x, A, n, count);
    if (!definite(A) && tsl_rows(s.p) == 0)
        s.p = tsl_temp_of(x, A, TSL_ALONG_BOTH, TSL_OF_INDEX, n, 1); /* nobody asks for them */
    if (butterflies) s.places = tsl_temp_of(x, A, TSL_ALONG_BOTH, TSL_OF_INDEX, n + 1, 1);
    if (definite(A)) s.L = tsl_triangle(A) == TSL_LOWER ? tsl_lower(s.L) : tsl_upper(s.L);
    s.size = s.lower || s.measured ? norm_of(x, TSL_NORM_INF, A) : 0;
    r->method = s.lower ? TSL_BY_CORRECTIONS : TSL_BY_FACTORS;
    if (!factor(x, &s, r)) {
        if (s.lower) tsl_forget(x, A);
    } else if (s.lower || s.measured) {
        if (!solve(x, &s, r)) r->count = TSL_LOW_SLOW;
    } else {
        r->count = 0;
        /* X := inv(A) B */                 tsl_copy(x, s.B, s.X);
                                            tsl_divide(x, &s, s.L, s.X);
    }
    return TSL_OK;
}

tsl_status tsl_refine_low(tsl_context *x, const tsl_call *c) { return refine(x, c, false); }

static tsl_status with_butterflies(tsl_context *x, const tsl_call *c) { return refine(x, c, true); }

/* Randomized, A is factored with pivots from a window of rows only, which takes less time. Where a window has none, or factors
 * grow so that they do not lead to a solution, those of A itself may: these are tried next. */
tsl_status tsl_refine_butterfly(tsl_context *x, const tsl_call *c)
{
    tsl_results own = {.count = 0};
    tsl_call d = *c;
    if (!d.results) d.results = &own;
    bool pays = !definite(c->v[0]) && tsl_is_lower(c->refine.precision == TSL_AUTO ? TSL_FP32 : c->refine.precision, tsl_matrix_type(c->v[0].mat));
    if (pays) tsl_by(x, &d, with_butterflies); /* flat: as its pivots */
    bool failed = d.results->count == TSL_LOW_SINGULAR || d.results->count == TSL_LOW_SLOW;
    if (!pays || failed || tsl_is_dry(x)) tsl_by(x, &d, tsl_refine_low); /* flat: after those */
    return TSL_OK;
}
