/* LU: residuals and references. The factors P A = L U lie in one array; p is the operand before the last. */
#include "bench/dense.h"
#include "bench/residual.h"

static bench_block lower_of(bench_block F)
{
    if (F.cols > F.rows)
        F.cols = F.rows;
    F.part = TSL_LOWER, F.diagonal = BENCH_ONES;
    return F;
}

static bench_block upper_of(bench_block F)
{
    if (F.rows > F.cols)
        F.rows = F.cols;
    F.part = TSL_UPPER;
    return F;
}

static int64_t pivot(const bench_problem *p, const void *base, int64_t i)
{
    const bench_array *a = &p->a[p->count - 2];
    return (int64_t)creal(stored(a, base, i, 0)) - 1;
}

/* v := P v, from the first exchange on, or P^T v, from the last; false: a pivot is none */
static bool exchange(scratch *s, const bench_problem *p, const void *base, bool backward, double *v, int64_t rows)
{
    int64_t count = p->a[p->count - 2].is.rows;
    int parts = s->e->parts;
    for (int64_t step = 0; step < count && !s->failed; step++) {
        int64_t i = backward ? count - 1 - step : step, with = pivot(p, base, i);
        if (with < i || with >= rows)
            return false;
        for (int l = 0; l < parts; l++) {
            double t = v[parts * i + l];
            v[parts * i + l] = v[parts * with + l];
            v[parts * with + l] = t;
        }
    }
    return true;
}

static const void *pivots_before(const bench_problem *p) { return p->a[p->count - 2].first; }
static const void *pivots_after(const bench_problem *p) { return p->a[p->count - 2].work; }

/* A new vector op(L) op(U) x, or for a transposing op op(U) op(L) x: op(P A) x */
static double *factors_times(scratch *s, bench_block F, tsl_op op, const double *x)
{
    bench_block L = lower_of(F), U = upper_of(F);
    return op & TSL_TRANS ? times(s, U, op, times(s, L, op, x)) : times(s, L, op, times(s, U, op, x));
}

/* P A - L U. Partial pivoting lets U grow, of random matrices little: the usual measure is n |A|. */
double bench_residual_getrf(const bench_problem *p)
{
    int64_t m = p->c.m, n = p->c.n;
    scratch s = {.e = &bench_elements_of[p->c.type]};
    bench_block A = before(p, 1);
    double *x = random_vector(&s, n), *r = times(&s, A, TSL_NOTRANS, x);
    bool good = exchange(&s, p, pivots_after(p), false, r, m);
    minus(&s, 1, factors_times(&s, after(p), TSL_NOTRANS, x), r, m, 1, 1);
    double ratio = finish(&s, p, r, m, x, n, (double)(m > n ? m : n) * frobenius(&s, A));
    return good ? ratio : INFINITY;
}

/* op(A) X - B0: A = P^T L U, A^T = U^T L^T P */
double bench_residual_getrs(const bench_problem *p)
{
    int64_t n = p->c.n, k = p->c.k;
    scratch s = {.e = &bench_elements_of[p->c.type]};
    bench_block F = before(p, 0), X = after(p);
    tsl_op op = op_of(p, 0);
    double *x = random_vector(&s, k), *y = times(&s, X, TSL_NOTRANS, x);
    if (op & TSL_TRANS)
        exchange(&s, p, pivots_before(p), false, y, n);
    double *r = factors_times(&s, F, op, y);
    if (!(op & TSL_TRANS))
        exchange(&s, p, pivots_before(p), true, r, n);
    minus(&s, 1, times(&s, before(p, 2), TSL_NOTRANS, x), r, n, 1, 1);
    return finish(&s, p, r, n, x, k, frobenius(&s, X) * frobenius(&s, lower_of(F)) * frobenius(&s, upper_of(F)));
}

/* A X - B0, measured as the factors are */
double bench_residual_gesv(const bench_problem *p)
{
    int64_t n = p->c.n, k = p->c.k;
    scratch s = {.e = &bench_elements_of[p->c.type]};
    bench_block A = before(p, 0), X = after(p);
    double *x = random_vector(&s, k), *r = times(&s, A, TSL_NOTRANS, times(&s, X, TSL_NOTRANS, x));
    minus(&s, 1, times(&s, before(p, 2), TSL_NOTRANS, x), r, n, 1, 1);
    return finish(&s, p, r, n, x, k, (double)n * frobenius(&s, A) * frobenius(&s, X));
}

/* X A - I */
double bench_residual_getri(const bench_problem *p)
{
    int64_t n = p->c.n;
    scratch s = {.e = &bench_elements_of[p->c.type]};
    bench_block F = before(p, 1), X = after(p);
    double *x = random_vector(&s, n), *y = factors_times(&s, F, TSL_NOTRANS, x);
    exchange(&s, p, pivots_before(p), true, y, n);
    double *r = times(&s, X, TSL_NOTRANS, y);
    minus(&s, 1, x, r, n, 1, 1);
    return finish(&s, p, r, n, x, n, frobenius(&s, X) * frobenius(&s, lower_of(F)) * frobenius(&s, upper_of(F)));
}

/* P A0 - A: no element is rounded, but products with them are, each in its own order */
double bench_residual_laswp(const bench_problem *p)
{
    int64_t m = p->c.m, n = p->c.n;
    scratch s = {.e = &bench_elements_of[p->c.type]};
    double *x = random_vector(&s, n), *r = times(&s, before(p, 1), TSL_NOTRANS, x);
    exchange(&s, p, pivots_before(p), false, r, m);
    minus(&s, 1, times(&s, after(p), TSL_NOTRANS, x), r, m, 1, 1);
    return finish(&s, p, r, m, x, n, frobenius(&s, before(p, 1)));
}

static void exchange_rows(const bench_problem *p, bool backward, dense B)
{
    int64_t count = p->a[p->count - 2].is.rows;
    for (int64_t step = 0; step < count; step++) {
        int64_t i = backward ? count - 1 - step : step, with = pivot(p, pivots_before(p), i);
        for (int64_t j = 0; j < B.cols; j++) {
            tsl_scalar t = *at(B, i, j);
            *at(B, i, j) = *at(B, with, j);
            *at(B, with, j) = t;
        }
    }
}

/* B := inv(op(A)) B, A's factors in F */
static double solved(const bench_problem *p, const bench_array *F, tsl_op op, dense B, tsl_scalar *expected)
{
    dense L = seen(F, op), U = seen(F, op);
    bool turned = op & TSL_TRANS;
    for (int64_t j = 0; j < L.cols; j++) /* substitute looks at one triangle */
        *at(L, j, j) = 1;
    if (!turned)
        exchange_rows(p, false, B);
    substitute(turned ? U : L, true, B);
    substitute(turned ? L : U, false, B);
    if (turned)
        exchange_rows(p, true, B);
    double scale = (double)(L.rows + 1) * largest(B);
    free(L.v);
    free(U.v);
    return deliver(B, expected, scale);
}

double bench_reference_getrs(const bench_problem *p, tsl_scalar *expected)
{
    return solved(p, &p->a[0], op_of(p, 0), seen(&p->a[2], TSL_NOTRANS), expected);
}

double bench_reference_getri(const bench_problem *p, tsl_scalar *expected)
{
    return solved(p, &p->a[1], TSL_NOTRANS, identity(p->c.n), expected);
}

double bench_reference_laswp(const bench_problem *p, tsl_scalar *expected)
{
    dense A = seen(&p->a[1], TSL_NOTRANS);
    exchange_rows(p, false, A);
    return deliver(A, expected, 0);
}
