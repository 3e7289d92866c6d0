/* The inverse of a triangle. */
#ifdef T
static tsl_status FN(trtri)(bench_problem *p)
{
    return CALL(trtri)(p->ctx, FLAG(UPLO), FLAG(DIAG), p->c.n, DATA(0), LD(0), NULL);
}

static bool FN(openblas_trtri)(bench_problem *p)
{
    return LAPACK(trtri_work)(LAPACK_COL_MAJOR, FLAG(UPLO), FLAG(DIAG), (lapack_int)p->c.n, HOST(0), HOST_LD(0)) == 0;
}

#else
#include "bench/routine.h"

#define BENCH_FAMILY "bench/routine/cholesky/triangle.c"
#include "bench/each_type.h"

static int shape(const bench_case *c, bench_shape *is)
{
    is[0] = triangle_of(c, c->n, BENCH_SOLVABLE);
    return 1;
}

static double elements(const bench_case *c) { return 2 * half_of(c->n); }

static tsl_status views(bench_problem *p) { return tsl_trtri(p->ctx, out(p), NULL); }

/* inv(A) A - I */
static double residual(const bench_problem *p)
{
    int64_t n = p->c.n;
    scratch s = {.e = &bench_elements_of[p->c.type]};
    bench_block A = before(p, 0), X = after(p);
    double *x = random_vector(&s, n), *r = times(&s, X, TSL_NOTRANS, times(&s, A, TSL_NOTRANS, x));
    minus(&s, 1, x, r, n, 1, 1);
    return finish(&s, p, r, n, x, n, frobenius(&s, X) * frobenius(&s, A));
}

static double reference(const bench_problem *p, tsl_scalar *expected)
{
    dense A = seen(&p->a[0], TSL_NOTRANS), X = identity(p->c.n);
    substitute(A, p->a[0].is.part == TSL_LOWER, X);
    free(A.v);
    return deliver(X, expected, (double)(p->c.n + 1) * largest(X));
}

typedef int size_call(void *, int, int, int64_t, int, void *, int64_t, size_t *, size_t *);
typedef int invert_call(void *, int, int, int64_t, int, void *, int64_t, void *, size_t, void *, size_t, void *);

static bool cusolver_size(bench_cuda *s, bench_problem *p)
{
    return !((size_call *)s->f[0])(s->handle, cuda_uplo(p), cuda_diag(p), p->c.n, cuda_type(p), DEVICE(0), DEVICE_LD(0),
                                   &s->device_bytes, &s->host_bytes);
}

static bool cusolver(bench_cuda *s, bench_problem *p)
{
    return !((invert_call *)s->f[1])(s->handle, cuda_uplo(p), cuda_diag(p), p->c.n, cuda_type(p), DEVICE(0), DEVICE_LD(0),
                                     s->device, s->device_bytes, s->host, s->host_bytes, s->info);
}

static const bench_routine routines[] = {
    {.name = "trtri", .sizes = "n", .flags = FLAGS([BENCH_UPLO] = "LU", [BENCH_DIAG] = "NU"), .alpha = 1, .has_info = true,
     .shape = shape, .elements = elements, .typed = TYPES(trtri), .views = views, .residual = residual, .reference = reference,
     .openblas = TYPES(openblas_trtri),
     .cusolver = {CUSOLVER("cusolverDnXtrtri_bufferSize", "cusolverDnXtrtri"), cusolver, cusolver_size}},
};

const bench_family bench_triangle = FAMILY(routines);
#endif
