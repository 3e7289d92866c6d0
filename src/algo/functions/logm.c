/* The logarithm of A = Z T Z^H by inverse scaling and squaring of its Schur form: log(T) = 2^s log(T^(1/2^s)), and of a matrix
 * I + X near the identity a Pade approximant, as partial fractions: the sum of w_j X inv(I + x_j X) over the nodes and weights
 * of Gauss and Legendre on [0, 1]. Its degree, and when a matrix is near enough, is said by norms of powers of X (Al-Mohy and
 * Higham 2012). */
#include <math.h>

#include "algo/schur/schur.h"

enum { DEGREE = 7, ROOTS = 60 };
/* |X| up to which the backward error of degree 1, 2, .. is a roundoff: the sum of the sizes of its series' terms is */
static const double bound_double[DEGREE] = {3.650024e-8, 3.759321e-4, 8.202379e-3, 3.792548e-2, 9.334652e-2, 1.668083e-1, 2.479601e-1};
static const double bound_single[DEGREE] = {8.455491e-4, 5.602305e-2, 2.132398e-1, 3.900157e-1, 5.363235e-1, 6.456866e-1, 7.252482e-1};

/* Node j of m on [0, 1], a root of Legendre's polynomial by Newton's steps, and its weight */
static void gauss(int m, int j, double *node, double *weight)
{
    double z = cos(3.14159265358979323846 * (j + 0.75) / (m + 0.5)), slope = 1;
    for (int step = 0; step < 10; ++step) {
        double p = z, before = 1;
        for (int k = 2; k <= m; ++k) {
            double next = ((2 * k - 1) * z * p - (k - 1) * before) / k;
            before = p, p = next;
        }
        slope = m == 1 ? 1 : m * (z * p - before) / (z * z - 1);
        z -= p / slope;
    }
    *node = (1 + z) / 2;
    *weight = 1 / ((1 - z * z) * slope * slope);
}

/* V := X^k V, with = k; B is room */
static void by_power(tsl_context *x, const tsl_operator *o, tsl_view V, bool adjoint)
{
    tsl_view from = V, to = o->B;
    for (int k = *(const int *)o->with; k > 0; --k) {
        tsl_gemv(x, 1, adjoint ? tsl_herm(o->A) : o->A, from, 0, to);
        tsl_view v = from;
        from = to, to = v;
    }
    if (*(const int *)o->with % 2) tsl_copy(x, o->B, V);
}

static double root_of_power(tsl_context *x, tsl_view X, int k, const tsl_schur *f)
{
    double norm;
    tsl_estimate(x, &(tsl_operator){.apply = by_power, .with = &k, .A = X, .B = f->wi}, f->w, &norm);
    return pow(norm, 1. / k);
}

/* Y := log(I + X) by degree m; W is room, and p pivots */
static void approximate(tsl_context *x, tsl_view X, tsl_view Y, tsl_view W, tsl_view V, tsl_view p, int m)
{
    bool triangle = tsl_is_complex(tsl_matrix_type(X.mat));
    tsl_laset(x, 0, 0, Y);
    for (int j = 0; j < m; ++j) {
        double node, weight;
        gauss(m, j, &node, &weight);
        /* W := I + node X */       tsl_laset(x, 0, 1, W);
        tsl_geadd(x, node, X, 1, W);
        /* V := inv(W) X */         tsl_copy(x, X, V);
        if (triangle) tsl_trsm(x, TSL_LEFT, 1, tsl_upper(W), V);
        else tsl_gesv(x, W, p, V, NULL);
        /* Y := Y + weight V */     tsl_geadd(x, weight, V, 1, Y);
    }
}

/* X := T - I, near zero; how many roots were taken, or -1: it does not come near */
static int come_near(tsl_context *x, const tsl_schur *f, tsl_view X, const double *bound, int *degree)
{
    bool dry = tsl_is_dry(x);
    for (int s = 0; s < ROOTS; ++s) {
        /* X := T - I */            tsl_laset(x, 0, -1, X);
        tsl_geadd(x, 1, f->T, 1, X);
        double norm = 1;
        tsl_norm(x, TSL_NORM_ONE, TSL_TRIANGULAR, X, &norm);
        if (!isfinite(norm)) return -1;
        double size = fmin(norm, fmax(root_of_power(x, X, 2, f), root_of_power(x, X, 3, f)));
        for (*degree = 1; *degree < DEGREE && size > bound[*degree - 1];) ++*degree;
        if (size <= bound[*degree - 1] && !dry) return s;
        /* T := sqrt(T) */          tsl_root_of_triangle(x, f->T, f->s);
        if (dry || !tsl_good_so_far(x)) return dry ? 1 : -1;
    }
    return -1;
}

tsl_status tsl_logm_schur(tsl_context *x, const tsl_call *c)
{
    tsl_schur f;
    tsl_view A = c->v[0];
    int64_t n = tsl_rows(A);
    int degree = 1, s = -1;
    if (!tsl_schur_form(x, A, &f)) return tsl_no_function(x, A), TSL_OK;
    bool cut = !tsl_lies_in_one(A); /* asks: LU is by panels, and what is at hand is not */
    tsl_view W = cut ? tsl_temp_of(x, A, TSL_IN_PANELS, TSL_OF_TYPE, n, n) : f.W,
             V = cut ? tsl_temp_of(x, A, TSL_IN_PANELS, TSL_OF_TYPE, n, n) : A;
    tsl_view X = tsl_temp(x, A, n, n), Y = tsl_temp(x, A, n, n), p = tsl_temp_of(x, A, TSL_PER_COLUMN, TSL_OF_INDEX, n, 1);
    s = come_near(x, &f, X, tsl_is_double(tsl_matrix_type(A.mat)) ? bound_double : bound_single, &degree);
    if (s < 0) return tsl_no_function(x, A), TSL_OK;
    /* Y := log(I + X) */           approximate(x, X, Y, W, V, p, degree);
    if (!tsl_good_so_far(x)) return tsl_no_function(x, A), TSL_OK;
    /* Y := 2^s Y */                tsl_scale(x, ldexp(1, s), Y);
    tsl_from_schur_form(x, &f, Y);
    return TSL_OK;
}
