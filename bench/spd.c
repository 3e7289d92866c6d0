/* What is done with a triangle and with Cholesky's factor: residuals and references. A factor F is L, or U = L^H. */
#include "bench/dense.h"
#include "bench/residual.h"

/* The op through which the stored triangle is L, and the one through which it is L^H. */
static tsl_op to_lower(const bench_problem *p) { return p->a[0].is.part == TSL_LOWER ? TSL_NOTRANS : TSL_HERM; }
static tsl_op to_upper(const bench_problem *p) { return (tsl_op)(to_lower(p) ^ TSL_HERM); }

/* A new vector L L^H x */
static double *product_times(scratch *s, const bench_problem *p, bench_block F, const double *x)
{
    return times(s, F, to_lower(p), times(s, F, to_upper(p), x));
}

/* Of A = F F^H, at most its norm: |F|_F^2 is the sum of A's eigenvalues, |A|_F^2 that of their squares. */
static double norm_of_product(const scratch *s, bench_block F) { return s->e->sum_of_squares(&F) / sqrt((double)F.rows); }

/* inv(A) A - I */
double bench_residual_trtri(const bench_problem *p)
{
    int64_t n = p->c.n;
    scratch s = {.e = &bench_elements_of[p->c.type]};
    bench_block A = before(p, 0), X = after(p);
    double *x = random_vector(&s, n), *r = times(&s, X, TSL_NOTRANS, times(&s, A, TSL_NOTRANS, x));
    minus(&s, 1, x, r, n, 1, 1);
    return finish(&s, p, r, n, x, n, frobenius(&s, X) * frobenius(&s, A));
}

/* M - L^H L */
double bench_residual_lauum(const bench_problem *p)
{
    int64_t n = p->c.n;
    scratch s = {.e = &bench_elements_of[p->c.type]};
    bench_block F = before(p, 0);
    double *x = random_vector(&s, n), *r = whole_times(&s, after(p), TSL_HERM, TSL_NOTRANS, x);
    double scale = minus(&s, 1, times(&s, F, to_upper(p), times(&s, F, to_lower(p), x)), r, n, frobenius(&s, F), frobenius(&s, F));
    return finish(&s, p, r, n, x, n, scale);
}

/* X L L^H - I */
double bench_residual_potri(const bench_problem *p)
{
    int64_t n = p->c.n;
    scratch s = {.e = &bench_elements_of[p->c.type]};
    bench_block F = before(p, 0), X = after(p);
    double *x = random_vector(&s, n), *r = whole_times(&s, X, TSL_HERM, TSL_NOTRANS, product_times(&s, p, F, x));
    minus(&s, 1, x, r, n, 1, 1);
    return finish(&s, p, r, n, x, n, M_SQRT2 * frobenius(&s, X) * norm_of_product(&s, F));
}

/* L L^H X - B0 */
double bench_residual_potrs(const bench_problem *p)
{
    int64_t n = p->c.n, k = p->c.k;
    scratch s = {.e = &bench_elements_of[p->c.type]};
    bench_block F = before(p, 0), X = after(p);
    double *x = random_vector(&s, k), *r = product_times(&s, p, F, times(&s, X, TSL_NOTRANS, x));
    minus(&s, 1, times(&s, before(p, 1), TSL_NOTRANS, x), r, n, 1, 1);
    return finish(&s, p, r, n, x, k, frobenius(&s, X) * norm_of_product(&s, F));
}

/* A X - B0 */
double bench_residual_posv(const bench_problem *p)
{
    int64_t n = p->c.n, k = p->c.k;
    scratch s = {.e = &bench_elements_of[p->c.type]};
    bench_block A = before(p, 0), X = after(p);
    double *x = random_vector(&s, k), *r = whole_times(&s, A, TSL_HERM, TSL_NOTRANS, times(&s, X, TSL_NOTRANS, x));
    minus(&s, 1, times(&s, before(p, 1), TSL_NOTRANS, x), r, n, 1, 1);
    return finish(&s, p, r, n, x, k, M_SQRT2 * frobenius(&s, A) * frobenius(&s, X));
}

double bench_reference_trtri(const bench_problem *p, tsl_scalar *expected)
{
    dense T = seen(&p->a[0], TSL_NOTRANS), X = identity(p->c.n);
    substitute(T, p->a[0].is.part == TSL_LOWER, X);
    free(T.v);
    return deliver(X, expected, (double)(p->c.n + 1) * largest(X));
}

double bench_reference_lauum(const bench_problem *p, tsl_scalar *expected)
{
    dense M = dense_new(p->c.n, p->c.n);
    multiply(1, seen(&p->a[0], to_upper(p)), seen(&p->a[0], to_lower(p)), 0, M);
    return deliver(M, expected, (double)(p->c.n + 1) * largest(M));
}

/* B := inv(L L^H) B */
static double solved(dense L, dense B, tsl_scalar *expected)
{
    dense U = dense_new(L.cols, L.rows);
    for (int64_t j = 0; j < L.cols; j++)
        for (int64_t i = 0; i < L.rows; i++)
            *at(U, j, i) = conj(*at(L, i, j));
    substitute(L, true, B);
    substitute(U, false, B);
    double scale = (double)(L.rows + 1) * largest(B);
    free(L.v);
    free(U.v);
    return deliver(B, expected, scale);
}

double bench_reference_potri(const bench_problem *p, tsl_scalar *expected)
{
    return solved(seen(&p->a[0], to_lower(p)), identity(p->c.n), expected);
}

double bench_reference_potrs(const bench_problem *p, tsl_scalar *expected)
{
    return solved(seen(&p->a[0], to_lower(p)), seen(&p->a[1], TSL_NOTRANS), expected);
}

double bench_reference_posv(const bench_problem *p, tsl_scalar *expected)
{
    dense F = dense_new(p->c.n, p->c.n), L = dense_new(p->c.n, p->c.n);
    bench_reference_potrf(p, F.v);
    for (int64_t j = 0; j < p->c.n; j++)
        for (int64_t i = 0; i < p->c.n; i++)
            *at(L, i, j) = to_lower(p) ? conj(*at(F, j, i)) : *at(F, i, j);
    free(F.v);
    return solved(L, seen(&p->a[1], TSL_NOTRANS), expected);
}
