/* exp(A) by scaling and squaring: r(A / 2^s)^(2^s), r a diagonal Pade approximant. Its degree and s are chosen by norms of
 * powers of A, which tell of a nonnormal matrix more than powers of its norm (Al-Mohy and Higham 2009). Of single precision
 * with its own bounds, up to degree 7. */
#include <math.h>

#include "algo/algo.h"
#include "core/numbers/pade.h"
#include "core/values.h"

typedef struct room {
    tsl_view A, A2, A4, A6, U, V, W; /* the matrix, its powers, and room; V and W for a solution by LU */
    tsl_view p, v, w;
    bool single;
    double norm; /* of A */
} room;

static double norm_of(tsl_context *x, tsl_view A) { return tsl_size_of(x, TSL_NORM_ONE, TSL_TRIANGULAR, A); }

/* V := A B V */
static void by_product(tsl_context *x, const tsl_operator *o, tsl_view V, bool adjoint)
{
    tsl_view w = *(const tsl_view *)o->with;
    tsl_gemv(x, 1, adjoint ? tsl_herm(o->A) : o->B, V, 0, w);
    tsl_gemv(x, 1, adjoint ? tsl_herm(o->B) : o->A, w, 0, V);
}

/* |A B|^(1/k) */
static double root_of_product(tsl_context *x, const room *t, tsl_view A, tsl_view B, double k)
{
    double norm;
    tsl_estimate(x, &(tsl_operator){.apply = by_product, .with = &t->w, .A = A, .B = B}, t->v, &norm);
    return pow(norm, 1 / k);
}

/* How many more squarings the error of the degree asks for, by the norm of |A|^(2m+1), which bounds what roundoff makes of its
 * series: of A / 2^s */
static int more(tsl_context *x, const room *t, int d, int s)
{
    int m = tsl_pade_degree[d];
    double size = 0;
    if (!(t->norm > 0x1p-60)) return 0; /* powers of it are less than a roundoff, and its inverse may be no number */
    /* W := |A| / norm */   tsl_geadd(x, 1 / t->norm, t->A, 0, t->W);
    tsl_sizes(x, t->W);
    tsl_view from = t->v, to = t->w;
    tsl_laset(x, 1, 1, from);
    for (int i = 0; i < 2 * m + 1; ++i) {
        /* v := W^T v */    tsl_gemv(x, 1, tsl_trans(t->W), from, 0, to);
        tsl_view v = from;
        from = to, to = v;
    }
    tsl_norm(x, TSL_NORM_MAX, TSL_TRIANGULAR, from, &size);
    double log_error = log2(size) + 2 * m * (log2(t->norm) - s) - log2(tsl_pade_error_inverse[d]) + (t->single ? 24 : 53);
    return size > 0 && log_error > 0 ? (int)ceil(log_error / (2 * m)) : 0;
}

/* *d := the degree; the squarings, if A is 2^-before of what it was */
static int choose(tsl_context *x, const room *t, int before, int *d)
{
    const double *bound = t->single ? tsl_pade_bound_single : tsl_pade_bound_double;
    int last = t->single ? 2 : TSL_PADE_DEGREES - 1;
    bool dry = tsl_is_dry(x); /* then every step is taken */
    double d4 = pow(norm_of(x, t->A4), 1 / 4.), d6 = pow(norm_of(x, t->A6), 1 / 6.), first = fmax(d4, d6);
    for (*d = 0; *d < 2; ++*d)
        if (first < bound[*d] && !before && more(x, t, *d, 0) == 0 && !dry) return 0;
    double d8 = root_of_product(x, t, t->A4, t->A4, 8), second = fmax(d6, d8);
    for (; *d < last; ++*d)
        if (second < bound[*d] && !before && more(x, t, *d, 0) == 0 && !dry) return 0;
    double d10 = root_of_product(x, t, t->A4, t->A6, 10), least = fmin(second, fmax(d8, d10));
    int s = least > 0 ? before + (int)ceil(log2(least / bound[last])) : 0;
    if (s < 0) s = 0;
    return s + more(x, t, last, s - before);
}

/* B := the sum of b_k A^k over k = 0, 2, 4, 6 from b on, times every second coefficient */
static void sum(tsl_context *x, const room *t, const double *b, int terms, tsl_view B)
{
    const tsl_view power[] = {t->A2, t->A4, t->A6};
    tsl_laset(x, 0, b[0], B);
    for (int i = 0; i < terms; ++i) tsl_geadd(x, b[2 * (i + 1)], power[i], 1, B);
}

/* U and V of the odd and the even terms; the powers are those of the scaled matrix */
static void numerator(tsl_context *x, const room *t, int d)
{
    const double *b = tsl_pade[d];
    int m = tsl_pade_degree[d];
    for (int odd = 1; odd >= 0; --odd) {
        tsl_view S = odd ? t->W : t->V;
        /* S := b I + b A^2 + .. */     sum(x, t, b + odd, m >= 7 ? 3 : (m - 1) / 2, S);
        if (m == 9) {
            /* S := S + b A^8 */        tsl_gemm(x, b[8 + odd], t->A4, t->A4, 1, S);
        } else if (m == 13) {
            /* U := b A^2 + b A^4 + b A^6, S := S + A^6 U */
            tsl_geadd(x, b[8 + odd], t->A2, 0, t->U);
            tsl_geadd(x, b[10 + odd], t->A4, 1, t->U);
            tsl_geadd(x, b[12 + odd], t->A6, 1, t->U);
            tsl_gemm(x, 1, t->A6, t->U, 1, S);
        }
    }
    /* U := A W */                      tsl_gemm(x, 1, t->A, t->W, 0, t->U);
}

static void scale_powers(tsl_context *x, const room *t, int by)
{
    const tsl_view power[] = {t->A, t->A2, t->A4, t->A6};
    const int k[] = {1, 2, 4, 6};
    for (int i = 0; i < 4; ++i) tsl_scale_by(x, by * k[i], power[i]);
}

static void exponential(tsl_context *x, const room *t)
{
    int d, exponent = 0, least = t->single ? 12 : 100; /* products of ten of these do not overflow */
    (void)frexp(t->norm, &exponent);
    int before = exponent > least ? exponent - least : 0;
    tsl_scale_by(x, -before, t->A);
    room scaled = *t;
    scaled.norm = ldexp(t->norm, -before);
    /* A2 := A A, .. */     tsl_gemm(x, 1, t->A, t->A, 0, t->A2);
    tsl_gemm(x, 1, t->A2, t->A2, 0, t->A4);
    tsl_gemm(x, 1, t->A4, t->A2, 0, t->A6);
    int s = choose(x, &scaled, before, &d);
    scale_powers(x, t, before - s);
    numerator(x, t, d);
    if (tsl_is_dry(x)) d = 3, numerator(x, t, d);
    /* W := V - U */        tsl_copy(x, t->V, t->W);
    tsl_geadd(x, -1, t->U, 1, t->W);
    /* V := V + U */        tsl_geadd(x, 1, t->U, 1, t->V);
    /* V := inv(W) V */     tsl_gesv(x, t->W, t->p, t->V, NULL);
    tsl_view X = t->A, Y = t->A2;
    /* X := V */            tsl_copy(x, t->V, X);
    for (int i = 0; i < s; ++i) {
        /* Y := X X */      tsl_gemm(x, 1, X, X, 0, Y);
        tsl_view Z = X;
        X = Y, Y = Z;
    }
    /* A := X */            if (s % 2) tsl_copy(x, X, t->A);
}

tsl_status tsl_expm_pade(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0];
    int64_t n = tsl_rows(A);
    room t = {.A = A, .A2 = tsl_temp(x, A, n, n), .A4 = tsl_temp(x, A, n, n), .A6 = tsl_temp(x, A, n, n),
              .U = tsl_temp(x, A, n, n),
              .V = tsl_temp_of(x, A, TSL_IN_PANELS, TSL_OF_TYPE, n, n),
              .W = tsl_temp_of(x, A, TSL_IN_PANELS, TSL_OF_TYPE, n, n),
              .p = tsl_temp_of(x, A, TSL_PER_COLUMN, TSL_OF_INDEX, n, 1), .v = tsl_temp(x, A, n, 1), .w = tsl_temp(x, A, n, 1),
              .single = !tsl_is_double(tsl_matrix_type(A.mat)), .norm = norm_of(x, A)};
    if (isfinite(t.norm)) return exponential(x, &t), TSL_OK;
    tsl_laset(x, NAN, NAN, A);
    tsl_tell_outcome(x, A, n);
    return TSL_OK;
}
