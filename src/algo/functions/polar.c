/* Polar decomposition A = U H by Halley's iteration with weights, X := X (a I + b X^H X) inv(I + c X^H X), which brings all
 * singular values to 1. The weights are the best for values in [l, 1] (QDWH: Nakatsukasa, Bai, Gygi 2010), but c is bounded:
 * with I + c X^H X far from the identity a step by its Cholesky factor loses accuracy. So does the step by QR of [sqrt(c) X; I]
 * that QDWH takes there, of matrices such as Hilbert's, unless columns are pivoted. With the bound small values grow by a = 2
 * sqrt(c) a step, and l still says how many steps there are. */
#include <float.h>
#include <math.h>

#include "algo/algo.h"
#include "core/values.h"

enum {
    POWERS = 8, /* steps of the power method: the largest singular value is then known within a few percent */
    MOST = 40,  /* steps of the iteration, however it goes */
    SEED = 28,
};

typedef struct iteration {
    tsl_view X, B1, B2; /* the iterate, and room */
    tsl_view tau, v, w;
    bool upper; /* A is an upper triangle */
    double eps, l;
    bool ended; /* X is unitary */
} iteration;

static double norm_of(tsl_context *x, tsl_structure structure, tsl_view A)
{
    return tsl_size_of(x, TSL_NORM_FRO, structure, A);
}

/* X, of Frobenius norm 1, := X over its largest singular value, or a little more. Less would do no harm: values above 1 come
 * down. */
static void scale_by_largest(tsl_context *x, iteration *t)
{
    double size = 0;
    tsl_random(x, SEED, t->v);
    for (int i = 0; i < POWERS; ++i) {
        tsl_scale(x, 1 / norm_of(x, TSL_TRIANGULAR, t->v), t->v);
        /* w := X v */      tsl_gemv(x, 1, t->X, t->v, 0, t->w);
        /* v := X^H w */    tsl_gemv(x, 1, tsl_herm(t->X), t->w, 0, t->v);
        size = sqrt(norm_of(x, TSL_TRIANGULAR, t->v));
        if (!(size > 0)) return;
    }
    tsl_scale(x, 1 / fmin(1, 1.1 * size), t->X);
}

/* A number that no singular value of X is less than: 1 / |inv(R)| for X = Q R. Zero: R is singular, or as good as that. */
static double least_of(tsl_context *x, const iteration *t)
{
    tsl_view R = tsl_upper(t->B1);
    tsl_copy(x, t->X, t->B1);
    if (!t->upper) {
        /* X = Q R */       tsl_geqrf(x, t->B1, t->tau);
    }
    if (!tsl_invertible(x, R)) return tsl_forget(x, t->X), 0;
    /* R := inv(R) */       tsl_inverse(x, R);
    double size = norm_of(x, TSL_TRIANGULAR, R);
    return size < 1 / t->eps ? fmin(1, 1 / size) : 0;
}

/* The lower triangle of B1 := X^H X - I */
static void measure(tsl_context *x, const iteration *t)
{
    tsl_view Z = tsl_lower(t->B1);
    tsl_laset(x, 0, -1, Z);
    if (tsl_is_complex(tsl_matrix_type(t->X.mat))) tsl_herk(x, 1, tsl_herm(t->X), 1, Z);
    else tsl_syrk(x, 1, tsl_trans(t->X), 1, Z);
}

/* X := b/c X + (a - b/c) X inv(Z), Z = I + c X^H X, which is c B1 + (1 + c) I */
static void step(tsl_context *x, const iteration *t, double a, double b, double c)
{
    tsl_view Z = tsl_lower(t->B1), I = tsl_lower(t->B2);
    tsl_laset(x, 0, 1 + c, I);
    /* Z := c Z + (1 + c) I */  tsl_geadd(x, 1, I, c, Z);
    /* Z = L L^H */             tsl_potrf(x, Z, NULL);
    /* B2 := X inv(Z) */        tsl_copy(x, t->X, t->B2);
    tsl_trsm(x, TSL_RIGHT, 1, tsl_herm(Z), t->B2);
    tsl_trsm(x, TSL_RIGHT, 1, Z, t->B2);
    /* X := X + B2 */           tsl_geadd(x, a - b / c, t->B2, b / c, t->X);
}

/* The weight a for singular values in [l, 1]; b = (a - 1)^2 / 4 and c = a + b - 1. A step's rounding errors are at most c eps,
 * where those of an order n may be n eps. */
static double weight(double l, double n)
{
    double most = fmin(1000, fmax(100, n)), d = cbrt(4 * (1 - l * l) / (l * l * l * l));
    double best = sqrt(1 + d) + sqrt(8 - 4 * d + 8 * (2 - l * l) / (l * l * sqrt(1 + d))) / 2;
    return fmin(best, 2 * sqrt(1 + most) - 1); /* of which c = most */
}

/* X := its unitary factor; once l is 1 it should be. A value that was less than l grows by 3 in each step after that. */
static void iterate(tsl_context *x, iteration *t)
{
    double n = (double)tsl_rows(t->X);
    bool dry = tsl_is_dry(x); /* then one step stands for all */
    for (int i = 0; i < MOST; ++i) {
        double l = t->l, a = weight(l, n), b = (a - 1) * (a - 1) / 4, c = a + b - 1;
        measure(x, t);
        t->ended = dry || (l == 1 && norm_of(x, TSL_HERMITIAN, tsl_lower(t->B1)) <= 8 * n * t->eps);
        if (t->ended && !dry) return;
        step(x, t, a, b, c);
        l *= (a + b * l * l) / (1 + c * l * l);
        t->l = 1 - l <= 10 * t->eps ? 1 : l;
        if (dry) return;
    }
}

/* X, n x n, := U of A = U H; A is finite, and not zero. Where A is singular to rounding no U is known from it: then that of A +
 * E, E random and as large as rounding errors of that order may be. No singular value of that is likely to be much less than
 * eps. */
static void unitary_factor(tsl_context *x, tsl_view A, iteration *t)
{
    double n = (double)tsl_rows(A);
    /* X := A / |A| */      tsl_geadd(x, 1 / norm_of(x, TSL_TRIANGULAR, A), A, 0, t->X);
    scale_by_largest(x, t);
    t->l = least_of(x, t);
    if (t->l == 0) {
        tsl_random(x, SEED, t->B1);
        /* X := X + E */    tsl_geadd(x, sqrt(n) * t->eps, t->B1, 1, t->X);
        t->l = t->eps / 16;
    }
    iterate(x, t);
}

/* A, n x n, := U, and H := (U^H A + A^H U) / 2 */
static void of_square(tsl_context *x, tsl_view A, tsl_view H, iteration *t)
{
    unitary_factor(x, A, t);
    if (tsl_cols(H)) {
        /* B1 := U^H A */           tsl_gemm(x, 1, tsl_herm(t->X), A, 0, t->B1);
        /* H := (B1 + B1^H) / 2 */  tsl_geadd(x, 0.5, t->B1, 0, H);
        tsl_geadd(x, 0.5, tsl_herm(t->B1), 1, H);
    }
    /* A := U */                    tsl_copy(x, t->X, A);
}

/* A = Q R, R = U H: A := Q U */
static void of_tall(tsl_context *x, tsl_view A, tsl_view H, iteration *t)
{
    int64_t m = tsl_rows(A), n = tsl_cols(A);
    tsl_view W = tsl_temp(x, A, m, n), tau = tsl_temp_of(x, A, TSL_PER_COLUMN, TSL_OF_TYPE, n, 1), R = tsl_sub(W, 0, 0, n, n);
    /* A = Q R */           tsl_geqrf(x, A, tau);
    /* W := [R; 0] */       tsl_expand(x, TSL_TRIANGULAR, tsl_upper(tsl_sub(A, 0, 0, n, n)), R);
    tsl_laset(x, 0, 0, tsl_sub(W, n, 0, m - n, n));
    t->upper = true;
    /* R = U H */           of_square(x, R, H, t);
    /* W := Q W */          tsl_ormqr(x, TSL_LEFT, TSL_NOTRANS, A, tau, W);
    tsl_copy(x, W, A);
}

/* Zero; or not finite, or no unitary factor was found, which is an outcome: that of eigenvalues which are no numbers */
static void of_no_size(tsl_context *x, tsl_view A, tsl_view H, double size)
{
    double to = size == 0 ? 0 : NAN;
    /* U := I, H := 0; or NaN */    tsl_laset(x, to, to + 1, A);
    tsl_laset(x, to, to, H);
    if (size == 0) return;
    int64_t n = tsl_cols(A);
    tsl_view T = tsl_temp_of(x, A, TSL_IN_ONE, TSL_OF_REAL, 2 * n - 1, 1);
    tsl_laset(x, NAN, NAN, T);
    tsl_sterf(x, tsl_sub(T, 0, 0, n, 1), tsl_sub(T, n, 0, n - 1, 1), NULL);
}

tsl_status tsl_polar_halley(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0], H = c->v[1];
    int64_t n = tsl_cols(A);
    tsl_type type = tsl_matrix_type(A.mat);
    double size, factor = tsl_into_range(x, TSL_TRIANGULAR, A, &size);
    if (!isfinite(size) || size == 0) return of_no_size(x, A, H, size), TSL_OK;
    iteration t = {.X = tsl_temp(x, A, n, n), .B1 = tsl_temp(x, A, n, n), .B2 = tsl_temp(x, A, n, n),
                   .tau = tsl_temp_of(x, A, TSL_PER_COLUMN, TSL_OF_TYPE, n, 1), .v = tsl_temp(x, A, n, 1),
                   .w = tsl_temp(x, A, n, 1),
                   .eps = tsl_is_double(type) ? DBL_EPSILON : FLT_EPSILON};
    (tsl_rows(A) > n ? of_tall : of_square)(x, A, H, &t);
    if (!t.ended) return of_no_size(x, A, H, NAN), TSL_OK;
    /* H as A was */        tsl_scale(x, 1 / factor, H);
    return TSL_OK;
}

/* Of small problems, many at once, by singular values: A = U S V^H, so that the unitary factor is U V^H, and H = V S V^H. What
 * has no singular values becomes NaN, by what U is before. */
tsl_status tsl_polar_batch(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0], H = c->v[1];
    int64_t m = tsl_rows(A), n = tsl_cols(A);
    tsl_view s = tsl_temp_of(x, A, TSL_IN_ONE, TSL_OF_REAL, n, 1);
    tsl_view U = tsl_temp(x, A, m, n), VT = tsl_temp(x, A, n, n), W = tsl_temp(x, A, n, n);
    tsl_laset(x, NAN, NAN, U);
    tsl_laset(x, NAN, NAN, VT);
    /* A = U S V^H */       tsl_gesvd(x, A, TSL_SVD_AUTO, s, U, VT, NULL);
    /* A := U V^H */        tsl_gemm(x, 1, U, VT, 0, A);
    if (!tsl_is_there(H)) return TSL_OK;
    /* W := S V^H */        tsl_copy(x, VT, W);
                            tsl_equil(x, W, s, tsl_sub(s, 0, 0, 0, 0));
    /* H := V W */          tsl_gemm(x, 1, tsl_herm(VT), W, 0, H);
                            tsl_expand(x, TSL_HERMITIAN, tsl_lower(H), H);
    return TSL_OK;
}
