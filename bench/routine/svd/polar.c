/* The polar decomposition, and the pseudo-inverse. */
#ifdef T
static tsl_status FN(polar)(bench_problem *p)
{
    return CALL(polar)(p->ctx, p->c.m, p->a[1].is.cols, DATA(1), LD(1), DATA(0), LD(0), NULL);
}

#else
#include "bench/routine.h"

#define BENCH_FAMILY "bench/routine/svd/polar.c"
#include "bench/each_type.h"

static int64_t fewest(const bench_case *c) { return c->m < c->n ? c->m : c->n; }
static int64_t longest(const bench_case *c) { return c->m < c->n ? c->n : c->m; }

/* H, and A, which has no more columns than rows and becomes U */
static int shape_polar(const bench_case *c, bench_shape *is)
{
    is[0] = matrix_of(fewest(c), fewest(c), BENCH_NOT_READ);
    is[1] = matrix_of(c->m, fewest(c), BENCH_RANDOM);
    return 2;
}

static int shape_pinv(const bench_case *c, bench_shape *is)
{
    is[0] = matrix_of(c->m, c->n, BENCH_RANDOM);
    is[1] = matrix_of(c->n, c->m, BENCH_NOT_READ);
    return 2;
}

static double elements_polar(const bench_case *c) { return 2.0 * c->m * fewest(c) + 1.0 * fewest(c) * fewest(c); }
static double elements_pinv(const bench_case *c) { return 2.0 * c->m * c->n; }

/* Singular values and vectors, and a product of them */
static double flops_pinv(const bench_case *c)
{
    double d = (double)fewest(c), x = (double)longest(c);
    return 8 * x * d * d + 20 * d * d * d;
}

static tsl_status views_polar(bench_problem *p) { return tsl_polar(p->ctx, out(p), bench_view(p, 0, 'N'), NULL); }
static tsl_status views_pinv(bench_problem *p) { return tsl_pinv(p->ctx, bench_view(p, 0, 'N'), -1, out(p), NULL, NULL); }

/* x^H H x, which is not negative but for rounding, and H - H^H */
static double definite(const bench_problem *p, bench_block H)
{
    scratch s = {.e = &bench_elements_of[p->c.type]};
    int64_t n = H.rows;
    double *x = random_vector(&s, n), *r = times(&s, H, TSL_NOTRANS, x), of = frobenius(&s, H), sum = 0, size = 0;
    for (int64_t i = 0; i < n * s.e->parts && !s.failed; i++)
        sum += x[i] * r[i], size += x[i] * x[i];
    minus(&s, 1, times(&s, H, adjoint(p), x), r, n, 1, 1);
    double apart = finish(&s, p, r, n, x, n, (double)n * of);
    return sum >= -(double)n * tsl_type_eps(p->c.type) * of * size ? apart : INFINITY;
}

/* A - U H */
static double product(const bench_problem *p, bench_block H)
{
    scratch s = {.e = &bench_elements_of[p->c.type]};
    bench_block A = before(p, 1);
    double *x = random_vector(&s, A.cols), *r = times(&s, A, TSL_NOTRANS, x);
    minus(&s, 1, times(&s, after(p), TSL_NOTRANS, times(&s, H, TSL_NOTRANS, x)), r, A.rows, 1, 1);
    return finish(&s, p, r, A.rows, x, A.cols, (double)A.rows * frobenius(&s, A));
}

static double residual_polar(const bench_problem *p)
{
    bench_block H = block(&p->a[0], p->a[0].work);
    return bench_worse(product(p, H), bench_worse(orthonormal(p, after(p), false), definite(p, H)));
}

/* A matrix of full rank: of A P and P A the smaller one is the identity, the other one Hermitian. */
static double residual_pinv(const bench_problem *p)
{
    scratch s = {.e = &bench_elements_of[p->c.type]}, t = {.e = s.e};
    bench_block A = before(p, 0), P = after(p), first = A.rows < A.cols ? P : A, second = A.rows < A.cols ? A : P;
    int64_t few = fewest(&p->c), many = longest(&p->c);
    double size = (double)many * frobenius(&s, A) * frobenius(&s, P);
    double *x = random_vector(&s, few), *r = times(&s, second, TSL_NOTRANS, times(&s, first, TSL_NOTRANS, x));
    minus(&s, 1, x, r, few, 1, 1);
    double *y = random_vector(&t, many), *q = times(&t, first, TSL_NOTRANS, times(&t, second, TSL_NOTRANS, y));
    minus(&t, 1, times(&t, second, adjoint(p), times(&t, first, adjoint(p), y)), q, many, 1, 1);
    return bench_worse(finish(&s, p, r, few, x, few, size), finish(&t, p, q, many, y, many, size));
}

#define BOTH .sizes = "mn", .alpha = 1, .writes_all = true, .has_info = true
static const bench_routine routines[] = {
    {.name = "polar", BOTH, .shape = shape_polar, .elements = elements_polar, .typed = TYPES(polar), .views = views_polar,
     .residual = residual_polar},
    {.name = "pinv", BOTH, .shape = shape_pinv, .elements = elements_pinv, .flops = flops_pinv, .views = views_pinv,
     .residual = residual_pinv},
};

const bench_family bench_polar = FAMILY(routines);
#endif
