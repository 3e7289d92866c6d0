/* What rows and columns are multiplied by so that the largest element of each is about one: geequ; of a definite matrix, so
 * that its diagonal is: poequ. */
#include <complex.h>
#include <float.h>
#include <math.h>

#include "algo/algo.h"
#include "core/numbers/blue.h"
#include "core/values.h"

typedef struct factors {
    tsl_context *x;
    tsl_view to;          /* where they go */
    double least, number[3]; /* the smallest number whose inverse is one; outcomes */
    int64_t bad;          /* the first that is zero, or of a diagonal not positive, from 1 on */
    double most, smallest;
    const tsl_scalar *from;
} factors;

static void put(void *with, int64_t m, int64_t n, tsl_scalar *to)
{
    const factors *f = with;
    for (int64_t i = 0; i < m * n; ++i) to[i] = f->from[i];
}

static void measure(factors *f, int64_t count, const tsl_scalar *a)
{
    f->most = 0, f->smallest = 1 / f->least, f->bad = 0;
    for (int64_t i = 0; i < count; ++i) {
        double v = creal(a[i]);
        f->most = tsl_larger(f->most, v);
        f->smallest = v < f->smallest || v != v ? v : f->smallest;
        if (!(v > 0) && v == v && !f->bad) f->bad = i + 1;
    }
}

/* Of the largest elements of rows or columns, their inverses */
static void invert(void *with, int64_t m, int64_t n, tsl_scalar *a)
{
    factors *f = with;
    double least = f->least, large = 1 / least;
    measure(f, m * n, a);
    for (int64_t i = 0; !f->bad && i < m * n; ++i) {
        double v = creal(a[i]);
        a[i] = 1 / (v < least ? least : v > large ? large : v);
    }
    f->from = a;
    tsl_visit(f->x, f->to, put, f);
}

static void roots(void *with, int64_t m, int64_t n, tsl_scalar *a)
{
    factors *f = with;
    measure(f, m * n, a);
    for (int64_t i = 0; !f->bad && i < m * n; ++i) a[i] = 1 / sqrt(creal(a[i]));
    f->from = a;
    tsl_visit(f->x, f->to, put, f);
}

static void put_numbers(void *with, int64_t m, int64_t n, tsl_scalar *to)
{
    for (int64_t i = 0; i < m * n; ++i) to[i] = ((const factors *)with)->number[i];
}

static double least_of(tsl_view A) { return tsl_is_double(tsl_matrix_type(A.mat)) ? DBL_MIN : (double)FLT_MIN; }
static double ratio_of(const factors *f) { return fmax(f->smallest, f->least) / fmin(f->most, 1 / f->least); }

/* sums := the largest of each column of A; then their inverses */
static void of_columns(tsl_context *x, factors *f, tsl_view A, tsl_view sums)
{
    tsl_laset(x, 0, 0, sums);
    tsl_colnorm(x, TSL_NORM_MAX, TSL_TRIANGULAR, A, sums);
    tsl_visit(x, sums, invert, f);
}

tsl_status tsl_geequ_norms(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0], k = c->v[3];
    int64_t m = tsl_rows(A), n = tsl_cols(A);
    factors f = {.x = x, .to = c->v[1], .least = least_of(A), .number = {1, 1, 0}};
    if (m > 0 && n > 0) {
        tsl_view W = tsl_temp(x, A, m, n), rows = tsl_temp_of(x, A, TSL_IN_ONE, TSL_OF_DOUBLE, m, 1),
                 cols = tsl_temp_of(x, A, TSL_IN_ONE, TSL_OF_DOUBLE, n, 1);
        tsl_view none = tsl_sub(c->v[1], 0, 0, 0, 0);
        /* W := |A| */              tsl_copy(x, A, W);
        tsl_sizes(x, W);
        /* r := 1 / rows of W */    of_columns(x, &f, tsl_trans(W), rows);
        f.number[2] = f.most;
        if (f.bad) tsl_tell_outcome(x, A, f.bad);
        else {
            f.number[0] = ratio_of(&f);
            /* W := diag(r) W */    tsl_equil(x, W, c->v[1], none);
            /* c := 1 / columns */  f.to = c->v[2];
            of_columns(x, &f, W, cols);
            if (f.bad) tsl_tell_outcome(x, A, m + f.bad);
            else f.number[1] = ratio_of(&f);
        }
    }
    tsl_visit(x, k, put_numbers, &f);
    return TSL_OK;
}

tsl_status tsl_poequ_norms(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0], k = c->v[2];
    int64_t n = tsl_rows(A);
    factors f = {.x = x, .to = c->v[1], .least = least_of(A), .number = {1, 0, 0}};
    if (n > 0) {
        tsl_view d = tsl_temp(x, A, 1, n);
        A.uplo = TSL_GENERAL;
        /* d := A's diagonal */     tsl_band(x, A, d);
        tsl_visit(x, d, roots, &f);
        f.number[1] = f.most;
        if (f.bad) tsl_tell_outcome(x, A, f.bad);
        else f.number[0] = sqrt(f.smallest) / sqrt(f.most);
    }
    tsl_visit(x, k, put_numbers, &f);
    return TSL_OK;
}
