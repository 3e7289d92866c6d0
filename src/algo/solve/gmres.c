/* GMRES with the factors of lower precision as preconditioner M (Carson and Higham, SIAM J. Sci. Comput. 39, 2017): of A d = r,
 * for each column, that d of the span of z_k = inv(M) v_k of which r - A d is least; the v_k are orthonormal, A Z = V H. The
 * z_k are kept, as in Saad's flexible GMRES, so what M is worth decides how many steps it takes, not how accurate d is. But M
 * is applied in A's own precision: in its own the roundoff of each step would be as large as v_k where A is ill-conditioned,
 * and every one of them another. */
#include <complex.h>
#include <math.h>

#include "algo/solve/refine.h"
#include "core/numbers/largest.h"

enum { STEPS = 30, CYCLES = 8, FEW = 8 };

/* H and r as rotations leave them: an upper triangle, and what of r is left */
typedef struct least {
    tsl_scalar h[STEPS][STEPS + 1], g[STEPS + 1], s[STEPS];
    double c[STEPS];
} least;

static tsl_view column(tsl_view V, int64_t k) { return tsl_block_cols(V, k, 1).A1; }

/* Column k of H, its element below the diagonal rotated away. */
static void rotate(least *q, int k)
{
    tsl_scalar *h = q->h[k];
    for (int i = 0; i < k; ++i) {
        tsl_scalar a = h[i], b = h[i + 1];
        h[i] = q->c[i] * a + q->s[i] * b;
        h[i + 1] = q->c[i] * b - conj(q->s[i]) * a;
    }
    double big = hypot(cabs(h[k]), cabs(h[k + 1])), own = cabs(h[k]);
    tsl_scalar sign = own > 0 ? h[k] / own : 1;
    q->c[k] = big > 0 ? own / big : 1;
    q->s[k] = big > 0 ? sign * conj(h[k + 1]) / big : 0;
    h[k] = sign * big;
    q->g[k + 1] = -conj(q->s[k]) * q->g[k];
    q->g[k] = q->c[k] * q->g[k];
}

/* w := w - V V^H w, twice, so that it is orthogonal to V to roundoff; h := V^H w. W is room for two such columns. */
static void orthogonalize(tsl_context *x, tsl_view V, tsl_view w, tsl_view W, tsl_scalar *h)
{
    tsl_scalar part[STEPS + 1];
    int64_t count = tsl_cols(V);
    for (int turn = 0; turn < 2; ++turn) {
        tsl_view y = tsl_block_rows(column(W, turn), 0, count).A1;
        /* y := V^H w */                    tsl_gemv(x, 1, tsl_herm(V), w, 0, y);
        /* w := w - V y */                  tsl_gemv(x, -1, V, y, 1, w);
        tsl_read(x, y, part);
        for (int64_t i = 0; i < count; ++i) h[i] = turn ? h[i] + part[i] : part[i];
    }
}

/* z := inv(M) v */
static void precondition(tsl_context *x, const tsl_system *s, const tsl_krylov *m, tsl_view v, tsl_view z)
{
    /* z := v, scaled as A was */           tsl_copy(x, v, z);
                                            tsl_scale(x, s->scale, z);
    /* z := inv(M) z */                     tsl_divide(x, s, m->M, z);
}

/* What a cycle is to leave of the residual. Of probes a little less than they are to have in the end (probe.c). */
static double goal(const tsl_system *s) { return s->unit > 0 ? TSL_VERIFIED / 8 / sqrt((double)tsl_rows(s->A)) : 1e-8; }

/* 1 / norm; 0 where that is no number of the type: what has such a length is zero */
static double inverse_of(const tsl_system *s, double norm)
{
    return norm >= (tsl_is_double(tsl_matrix_type(s->A.mat)) ? DBL_MIN : (double)FLT_MIN) ? 1 / norm : 0;
}

/* d := the correction; how many steps were taken, at most `most`. */
static int cycle(tsl_context *x, const tsl_system *s, const tsl_krylov *m, int most)
{
    least q;
    double norm = 0;
    int k = 0;
    tsl_nrm2(x, s->R, &norm);
    q.g[0] = norm;
    /* v := r / |r| */                      tsl_copy(x, s->R, column(m->V, 0));
                                            tsl_scal(x, inverse_of(s, norm), column(m->V, 0));
    for (bool more = true; more && k < most; ++k) {
        tsl_view z = column(m->Z, k), w = column(m->V, k + 1);
        /* z := inv(M) v */                 precondition(x, s, m, column(m->V, k), z);
        /* w := A z */                      tsl_times_column(x, s->A, 1, z, 0, w);
                                            orthogonalize(x, tsl_block_cols(m->V, 0, k + 1).A1, w, m->W, q.h[k]);
        tsl_nrm2(x, w, &norm);
        /* v := w / |w| */                  tsl_scal(x, inverse_of(s, norm), w);
        q.h[k][k + 1] = norm;
        rotate(&q, k);
        more = cabs(q.g[k + 1]) > goal(s) * cabs(q.g[0]) && norm > 0;
        if (!isfinite(cabs(q.g[k + 1]))) break;
    }
    /* d := Z y, H y = g */                 tsl_scale(x, 0, m->d);
    for (int j = k - 1; j >= 0; --j) {
        tsl_scalar y = q.g[j] / q.h[j][j];
        for (int i = 0; i < j; ++i) q.g[i] -= q.h[j][i] * y;
                                            tsl_axpy(x, y, column(m->Z, j), m->d);
    }
    return k;
}

/* How large the residual of a column is: its backward error, or of a probe beside its elements */
static double measure(tsl_context *x, const tsl_system *s)
{
    double value = 0, largest;
    if (s->unit > 0) tsl_nrm2(x, s->R, &value);
    else tsl_ratio(x, s->R, s->X, &value, &largest);
    return value > 0 ? value / (s->unit > 0 ? s->unit : s->size) : value;
}

static bool is_end(const tsl_system *s, double before, double now)
{
    return s->unit > 0 ? now <= TSL_VERIFIED / TSL_PROBES : tsl_refined(s, before, now);
}

/* One column, until its residual is small enough, or no longer shrinks */
static bool refine(tsl_context *x, const tsl_system *s, const tsl_krylov *m, int64_t *left, double *now)
{
    double before = INFINITY;
    bool dry = tsl_is_dry(x); /* then one cycle stands for all */
    for (int turn = 0; turn < CYCLES; ++turn, before = *now) {
        /* R := B - A X */                  tsl_residual(x, s);
        *now = measure(x, s);
        if (is_end(s, before, *now) && !dry) return true;
        if (!(*now < before / 2) || *left <= 0) return false;
        *left -= cycle(x, s, m, (int)(*left < STEPS ? *left : STEPS));
        /* X := X + d */                    tsl_axpy(x, 1, m->d, s->X);
        if (dry) return false;
    }
    return false;
}

tsl_krylov tsl_krylov_of(tsl_context *x, const tsl_system *s)
{
    int64_t n = tsl_rows(s->A);
    bool same = tsl_matrix_type(s->L.mat) == tsl_matrix_type(s->A.mat);
    tsl_krylov m = {.V = tsl_temp(x, s->A, n, STEPS + 1), .Z = tsl_temp(x, s->A, n, STEPS),
                    .W = tsl_temp(x, s->A, STEPS + 1, 2),
                    .d = tsl_temp(x, s->A, n, 1), .M = same ? s->L : tsl_temp(x, s->A, n, n)};
    m.M.uplo = s->L.uplo;
    /* M := L, widened */                   if (!same) tsl_add_converted(x, 1, s->L, 0, m.M);
    return m;
}

/* Steps there may be: a step reads A and its factors once; a factorization in A's own precision costs about as much as n / 64
 * of them. */
static int64_t most_steps(const tsl_system *s) { return STEPS + tsl_rows(s->A) / 64; }

/* What GMRES leaves where A is singular to roundoff is small only beside LAPACK's bound, which allows for sums of n numbers: it
 * is held to less. For so many columns that there are not FEW steps for each it is not begun. */
bool tsl_gmres(tsl_context *x, const tsl_system *s, const tsl_krylov *m, int64_t *steps, double *backward)
{
    int64_t most = most_steps(s), left = most;
    double eps = tsl_type_eps(tsl_matrix_type(s->A.mat));
    bool good = tsl_cols(s->B) <= most / FEW;
    if (!good) return false;
    *backward = 0;
    for (int64_t j = 0; j < tsl_cols(s->B) && good; ++j) {
        tsl_system one = tsl_columns(s, j, 1);
        one.bound = fmin(s->bound, fmax(s->bound / 16, eps));
        double now = 0;
        good = refine(x, &one, m, &left, &now);
        *backward = tsl_larger(*backward, now);
    }
    *steps += most - left;
    return good;
}

bool tsl_gmres_probes(tsl_context *x, const tsl_system *q, const tsl_krylov *m)
{
    int64_t left = most_steps(q);
    double now;
    bool good = true;
    /* W := 0 */                            tsl_scale(x, 0, q->X);
    for (int64_t j = 0; j < tsl_cols(q->B) && good; ++j) {
        tsl_system one = tsl_columns(q, j, 1);
        good = refine(x, &one, m, &left, &now);
    }
    return good;
}
