/* A condition by the factors of LU (gecon), the expert driver (gesvx), and the exponential of a matrix (expm). */
#ifdef T
static tsl_status FN(gecon)(bench_problem *p)
{
    R rcond = 0;
    tsl_status st = CALL(gecon)(p->ctx, '1', p->c.n, DATA(0), LD(0), 1, &rcond, NULL);
    p->out[0] = (double)rcond;
    return st;
}

static bool FN(openblas_gecon)(bench_problem *p)
{
    R rcond = 0;
    bool done = LAPACK(gecon)(LAPACK_COL_MAJOR, '1', (lapack_int)p->c.n, HOST(0), HOST_LD(0), 1, &rcond) == 0;
    p->out[0] = (double)rcond;
    return done;
}

static tsl_status FN(expm)(bench_problem *p) { return CALL(expm)(p->ctx, p->c.n, DATA(0), LD(0), NULL); }

/* B and X, side by side, are the last operand; bounds go to the host's memory. */
static tsl_status FN(gesvx)(bench_problem *p)
{
    R rcond = 0, *bounds = bench_room_for(&bench_openblas_work, (size_t)(2 * p->c.k) * sizeof *bounds);
    char equed = 'N';
    T *B = DATA(3), *X = B + p->c.k * LD(3);
    return CALL(gesvx)(p->ctx, 'N', 'N', p->c.n, p->c.k, DATA(0), LD(0), DATA(1), LD(1), DATA(2), &equed, NULL, NULL, B, LD(3), X, LD(3), &rcond, bounds, bounds + p->c.k, NULL, NULL);
}

static bool FN(openblas_gesvx)(bench_problem *p)
{
    lapack_int n = (lapack_int)p->c.n, k = (lapack_int)p->c.k;
    R rcond = 0, growth = 0, *bounds = bench_room_for(&bench_openblas_work, (size_t)(2 * k + 2 * n) * sizeof *bounds);
    char equed = 'N';
    T *B = HOST(3), *X = B + (int64_t)k * HOST_LD(3);
    return bounds && LAPACK(gesvx)(LAPACK_COL_MAJOR, 'N', 'N', n, k, HOST(0), HOST_LD(0), HOST(1), HOST_LD(1), HOST(2), &equed, bounds + 2 * k, bounds + 2 * k + n, B, HOST_LD(3), X,
                                   HOST_LD(3), &rcond, bounds, bounds + k, &growth) == 0;
}

#else
#include <string.h>

#include "bench/residual/pivots.h"

enum { FEW = 300 }; /* orders up to which there is time for more than a product */

#define BENCH_FAMILY "bench/routine/lu/cond.c"
#include "bench/each_type.h"

static int shape_gecon(const bench_case *c, bench_shape *is)
{
    is[0] = matrix_of(c->n, c->n, BENCH_SOLVABLE);
    return 1;
}

static int shape_expm(const bench_case *c, bench_shape *is)
{
    is[0] = matrix_of(c->n, c->n, BENCH_RANDOM);
    return 1;
}

static int shape_gesvx(const bench_case *c, bench_shape *is)
{
    is[0] = matrix_of(c->n, c->n, BENCH_RANDOM);
    is[1] = matrix_of(c->n, c->n, BENCH_NOT_READ);
    is[2] = vector_of(c->n, BENCH_FOR_PIVOTS);
    is[3] = matrix_of(c->n, 2 * c->k, BENCH_RANDOM);
    return 4;
}

static double elements_square(const bench_case *c) { return 1.0 * c->n * c->n; }
static double elements_gesvx(const bench_case *c) { return 3.0 * c->n * c->n + 2.0 * c->n * c->k; }

static tsl_status views_gecon(bench_problem *p)
{
    double rcond = 0;
    tsl_status st = tsl_gecon(p->ctx, TSL_NORM_ONE, bench_view(p, 0, 'N'), 1, &rcond);
    p->out[0] = rcond;
    return st;
}

static tsl_status views_expm(bench_problem *p) { return tsl_expm(p->ctx, out(p), NULL); }

/* The norm one of inv(U) inv(L), column by column */
static double norm_of_inverse(const bench_problem *p)
{
    int64_t n = p->c.n;
    const bench_array *a = &p->a[0];
    tsl_scalar *x = calloc((size_t)n + 1, sizeof *x);
    double most = 0;
    for (int64_t j = 0; x && j < n; j++) {
        double sum = 0;
        for (int64_t i = 0; i < n; i++) x[i] = i == j;
        for (int64_t k = j; k < n; k++)
            for (int64_t i = k + 1; i < n; i++) x[i] -= stored(a, a->first, i, k) * x[k];
        for (int64_t k = n - 1; k >= 0; k--) {
            x[k] /= stored(a, a->first, k, k);
            for (int64_t i = 0; i < k; i++) x[i] -= stored(a, a->first, i, k) * x[k];
            sum += cabs(x[k]);
        }
        most = tsl_larger(most, sum);
    }
    free(x);
    return most;
}

/* An estimate is not above the norm, and a tenth of it at least; of large matrices it is a number. */
static double residual_gecon(const bench_problem *p)
{
    if (p->c.n == 0) return creal(p->out[0]) == 1 ? 0 : INFINITY;
    double rcond = creal(p->out[0]), exact = p->c.n <= FEW ? norm_of_inverse(p) : 1 / rcond;
    bool single = p->c.type == TSL_S || p->c.type == TSL_C;
    double ratio = exact * rcond; /* 1 or more */
    return rcond > 0 && isfinite(rcond) && ratio > 1 - (single ? 1e-4 : 1e-12) && ratio < 10 ? 0 : INFINITY;
}

/* exp(A) x beside Taylor's series, in so many steps that terms do not grow: the difference over |exp(A)| |x| |A| */
static double beside_series(const bench_problem *p, double size)
{
    enum { TERMS = 22 };
    int64_t n = p->c.n, steps = (int64_t)size + 1;
    const bench_array *a = &p->a[0];
    tsl_scalar *x = calloc((size_t)(4 * n) + 1, sizeof *x), *y = x + n, *t = y + n, *w = t + n;
    double off = 0, largest = 0;
    if (!x) return INFINITY;
    for (int64_t i = 0; i < n; i++) x[i] = y[i] = 1 - (double)(i % 3);
    for (int64_t s = 0; s < steps; s++) {
        memcpy(t, y, (size_t)n * sizeof *t);
        for (int k = 1; k < TERMS; k++) {
            memset(w, 0, (size_t)n * sizeof *w);
            for (int64_t j = 0; j < n; j++)
                for (int64_t i = 0; i < n; i++) w[i] += stored(a, a->first, i, j) * t[j] / (double)(k * steps);
            for (int64_t i = 0; i < n; i++) y[i] += t[i] = w[i];
        }
    }
    for (int64_t i = 0; i < n; i++) {
        tsl_scalar sum = 0;
        for (int64_t j = 0; j < n; j++) sum += stored(a, a->work, i, j) * x[j], largest = tsl_larger(largest, cabs(stored(a, a->work, i, j)));
        off = cabs(sum - y[i]) <= off ? off : isnan(cabs(sum)) ? INFINITY : cabs(sum - y[i]);
    }
    free(x);
    return off / (largest * (double)n * size * tsl_type_eps(p->c.type));
}

/* A exp(A) - exp(A) A, which tells of every function of A alike; of small ones what it is, too */
static double residual_expm(const bench_problem *p)
{
    if (p->c.n == 0) return 0;
    enum { SMALL = 100 };
    int64_t n = p->c.n;
    scratch s = {.e = &bench_elements_of[p->c.type]};
    bench_block A = before(p, 0), X = after(p);
    double size = frobenius(&s, A), of_x = frobenius(&s, X), *x = random_vector(&s, n), *r = times(&s, A, TSL_NOTRANS, times(&s, X, TSL_NOTRANS, x));
    minus(&s, 1, times(&s, X, TSL_NOTRANS, times(&s, A, TSL_NOTRANS, x)), r, n, 1, 1);
    double ratio = finish(&s, p, r, n, x, n, (double)n * size * of_x), series = n <= SMALL ? beside_series(p, size) : 0;
    return ratio >= series ? ratio : series;
}

/* A X - B, B as it was */
static double residual_gesvx(const bench_problem *p)
{
    int64_t n = p->c.n, k = p->c.k;
    scratch s = {.e = &bench_elements_of[p->c.type]};
    bench_block A = before(p, 0), B = before(p, 3), X = after(p);
    B.cols = X.cols = k;
    X.data = (const char *)X.data + (size_t)k * (size_t)X.ld * tsl_type_size(p->c.type);
    double *x = random_vector(&s, k), *r = times(&s, A, TSL_NOTRANS, times(&s, X, TSL_NOTRANS, x));
    minus(&s, 1, times(&s, B, TSL_NOTRANS, x), r, n, 1, 1);
    return finish(&s, p, r, n, x, k, (double)n * frobenius(&s, A) * frobenius(&s, X));
}

static const bench_routine routines[] = {
    {.name = "gecon", .sizes = "n", .alpha = 1, .steady = true, .by_bytes = true, .shape = shape_gecon, .elements = elements_square, .typed = TYPES(gecon), .views = views_gecon,
     .residual = residual_gecon, .openblas = TYPES(openblas_gecon)},
    {.name = "gesvx", .sizes = "nk", .alpha = 1, .has_info = true, .writes_all = true, .shape = shape_gesvx, .elements = elements_gesvx, .typed = TYPES(gesvx), .residual = residual_gesvx,
     .openblas = TYPES(openblas_gesvx)},
    {.name = "expm", .sizes = "n", .alpha = 1, .has_info = true, .shape = shape_expm, .elements = elements_square, .typed = TYPES(expm), .views = views_expm, .residual = residual_expm},
};

const bench_family bench_cond = FAMILY(routines);
#endif
