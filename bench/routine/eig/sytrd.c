/* Reduction to tridiagonal form: sytrd and hetrd. T is unique only where it is well determined; residuals are all there is. */
#ifdef T
static tsl_status FN(reduce)(bench_problem *p)
{
    return CALL(PAIR(sytrd, hetrd))(p->ctx, FLAG(UPLO), p->c.n, DATA(3), LD(3), DATA(0), DATA(1), DATA(2), NULL);
}

static bool FN(openblas_reduce)(bench_problem *p)
{
    lapack_int n = (lapack_int)p->c.n, length = n * QR_BLOCK;
    T *work = bench_room_for(&bench_openblas_work, (size_t)length * sizeof *work);
    return work && LAPACK(PAIR(sytrd_work, hetrd_work))(LAPACK_COL_MAJOR, FLAG(UPLO), n, HOST(3), HOST_LD(3), HOST(0), HOST(1), HOST(2), work, length) == 0;
}

#else
#include "bench/residual/reflectors.h"

#define BENCH_FAMILY "bench/routine/eig/sytrd.c"
#include "bench/each_type.h"

/* T's diagonal, what is beside it, and the factors of the reflectors come before the result, A. */
static int shape(const bench_case *c, bench_shape *is)
{
    int64_t less = c->n ? c->n - 1 : 0;
    is[0] = vector_of(c->n, BENCH_NOT_READ);
    is[1] = vector_of(less, BENCH_NOT_READ);
    is[0].real = is[1].real = true;
    is[2] = vector_of(less, BENCH_NOT_READ);
    is[3] = triangle_of(c, c->n, BENCH_RANDOM);
    return 4;
}

static double elements(const bench_case *c) { return 2 * half_of(c->n); }

static tsl_status views(bench_problem *p)
{
    return tsl_sytrd(p->ctx, out(p), bench_view(p, 0, 'N'), bench_view(p, 1, 'N'), bench_view(p, 2, 'N'));
}

/* x := Q x, or Q^H x: of the lower triangle by QR's reflectors, all rows but the first, of the upper one by QL's, all but the
 * last */
static void apply_q(scratch *s, const bench_problem *p, bool inverse, double *x)
{
    bool ql = p->a[3].is.part == TSL_UPPER;
    bench_block F = after(p);
    if (F.rows < 2)
        return;
    F.part = TSL_GENERAL;
    F.data = (const char *)F.data + (size_t)(ql ? F.ld : 1) * tsl_type_size(p->c.type);
    F.rows = F.cols = F.rows - 1;
    reflect(s, p, (reflectors){F, false, &p->a[2], p->a[2].work, ql}, inverse, ql ? x : x + s->e->parts);
}

/* A new vector T x */
static double *tridiagonal_times(scratch *s, const bench_problem *p, const double *x)
{
    int64_t n = p->c.n, parts = s->e->parts;
    double *y = zeros(s, n);
    for (int64_t i = 0; i < n && !s->failed; i++)
        for (int64_t l = 0; l < parts; l++) {
            double sum = creal(stored(&p->a[0], p->a[0].work, i, 0)) * x[i * parts + l];
            if (i > 0)
                sum += creal(stored(&p->a[1], p->a[1].work, i - 1, 0)) * x[(i - 1) * parts + l];
            if (i + 1 < n)
                sum += creal(stored(&p->a[1], p->a[1].work, i, 0)) * x[(i + 1) * parts + l];
            y[i * parts + l] = sum;
        }
    return y;
}

/* A - Q T Q^H */
static double reduced(const bench_problem *p)
{
    int64_t n = p->c.n;
    scratch s = {.e = &bench_elements_of[p->c.type]};
    bench_block A = before(p, 3);
    double *x = random_vector(&s, n), *r = whole_times(&s, A, adjoint(p), TSL_NOTRANS, x), *y = zeros(&s, n);
    minus(&s, -1, x, y, n, 1, 1);
    apply_q(&s, p, true, y);
    y = tridiagonal_times(&s, p, y);
    apply_q(&s, p, false, y);
    minus(&s, 1, y, r, n, 1, 1);
    return finish(&s, p, r, n, x, n, (double)n * frobenius(&s, A));
}

/* Q^H Q - I */
static double orthogonal(const bench_problem *p)
{
    int64_t n = p->c.n;
    scratch s = {.e = &bench_elements_of[p->c.type]};
    double *x = random_vector(&s, n), *y = zeros(&s, n);
    minus(&s, -1, x, y, n, 1, 1);
    apply_q(&s, p, false, y);
    apply_q(&s, p, true, y);
    minus(&s, 1, x, y, n, 1, 1);
    return finish(&s, p, y, n, x, n, (double)n * sqrt((double)n));
}

static double residual(const bench_problem *p) { return bench_worse(reduced(p), orthogonal(p)); }

typedef int reduce_size(void *, int, int, const void *, int, const void *, const void *, const void *, int *);
typedef int reduce_call(void *, int, int, void *, int, void *, void *, void *, void *, int, void *);

static bool cusolver_size(bench_cuda *s, bench_problem *p)
{
    int length = 0;
    bool done = !((reduce_size *)s->f[0])(s->handle, cuda_uplo(p), (int)p->c.n, DEVICE(3), (int)DEVICE_LD(3), DEVICE(0), DEVICE(1), DEVICE(2), &length);
    s->device_bytes = (size_t)length * tsl_type_size(p->c.type);
    s->host_bytes = 0;
    return done;
}

static bool cusolver(bench_cuda *s, bench_problem *p)
{
    return !((reduce_call *)s->f[1])(s->handle, cuda_uplo(p), (int)p->c.n, DEVICE(3), (int)DEVICE_LD(3), DEVICE(0), DEVICE(1), DEVICE(2), s->device,
                                     (int)(s->device_bytes / tsl_type_size(p->c.type)), s->info);
}

static const bench_routine routines[] = {
    {.name = "sytrd", .types = "sd", .sizes = "n", .flags = FLAGS([BENCH_UPLO] = "LU"), .alpha = 1, .writes_all = true,
     .shape = shape, .elements = elements, .typed = {[TSL_S] = s_reduce, [TSL_D] = d_reduce}, .views = views, .residual = residual,
     .openblas = {[TSL_S] = s_openblas_reduce, [TSL_D] = d_openblas_reduce},
     .cusolver = {CUSOLVER("cusolverDn?sytrd_bufferSize", "cusolverDn?sytrd"), cusolver, cusolver_size}},
    {.name = "hetrd", .types = "cz", .operation = "sytrd", .sizes = "n", .flags = FLAGS([BENCH_UPLO] = "LU"), .alpha = 1, .writes_all = true,
     .shape = shape, .elements = elements, .typed = COMPLEX_TYPES(reduce), .views = views, .residual = residual,
     .openblas = COMPLEX_TYPES(openblas_reduce),
     .cusolver = {CUSOLVER("cusolverDn?hetrd_bufferSize", "cusolverDn?hetrd"), cusolver, cusolver_size}},
};

const bench_family bench_sytrd = FAMILY(routines);
#endif
