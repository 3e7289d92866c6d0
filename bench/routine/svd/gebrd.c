/* Reduction to bidiagonal form: gebrd. B is unique only where it is well determined; residuals are all there is. */
#ifdef T
static tsl_status FN(gebrd)(bench_problem *p)
{
    return CALL(gebrd)(p->ctx, p->c.m, p->c.n, DATA(4), LD(4), DATA(0), DATA(1), DATA(2), DATA(3), NULL);
}

static bool FN(openblas_gebrd)(bench_problem *p)
{
    lapack_int m = (lapack_int)p->c.m, n = (lapack_int)p->c.n, length = (m + n) * QR_BLOCK;
    T *work = bench_room_for(&bench_openblas_work, (size_t)length * sizeof *work);
    return work && LAPACK(gebrd_work)(LAPACK_COL_MAJOR, m, n, HOST(4), HOST_LD(4), HOST(0), HOST(1), HOST(2), HOST(3), work, length) == 0;
}

#else
#include "bench/residual/reflectors.h"

#define BENCH_FAMILY "bench/routine/svd/gebrd.c"
#include "bench/each_type.h"

/* B's diagonal, what is beside it, and the factors of Q's and P's reflectors come before the result, A. */
static int shape(const bench_case *c, bench_shape *is)
{
    int64_t d = least(c);
    is[0] = vector_of(d, BENCH_NOT_READ);
    is[1] = vector_of(d ? d - 1 : 0, BENCH_NOT_READ);
    is[0].real = is[1].real = true;
    is[2] = is[3] = vector_of(d, BENCH_NOT_READ);
    is[4] = matrix_of(c->m, c->n, BENCH_RANDOM);
    return 5;
}

static double elements(const bench_case *c) { return 2 * (double)c->m * (double)c->n; }

static tsl_status views(bench_problem *p)
{
    return tsl_gebrd(p->ctx, out(p), bench_view(p, 0, 'N'), bench_view(p, 1, 'N'), bench_view(p, 2, 'N'), bench_view(p, 3, 'N'));
}

/* x := Q x or P x, or the inverse: by rows or columns of A, without the first element of x if their ones are beside the
 * diagonal */
static void apply(scratch *s, const bench_problem *p, bool by_rows, bool inverse, double *x)
{
    bench_block F = after(p);
    bool tall = p->c.m >= p->c.n, aside = by_rows == tall;
    bench_array tau = p->a[by_rows ? 3 : 2];
    if (aside && least(&p->c) < 2 && (by_rows ? p->c.n : p->c.m) < 2)
        return;
    if (aside) {
        F.data = (const char *)F.data + (size_t)(by_rows ? F.ld : 1) * tsl_type_size(p->c.type);
        *(by_rows ? &F.cols : &F.rows) -= 1;
        if (tau.is.rows > (by_rows ? F.cols : F.rows))
            tau.is.rows -= 1;
    }
    reflect(s, p, (reflectors){F, by_rows, &tau, tau.work, false}, inverse, aside ? x + s->e->parts : x);
}

/* A new vector B x */
static double *bidiagonal_times(scratch *s, const bench_problem *p, const double *x)
{
    int64_t d = least(&p->c), parts = s->e->parts;
    bool above = p->c.m >= p->c.n;
    double *y = zeros(s, p->c.m);
    for (int64_t i = 0; i < d && !s->failed; i++)
        for (int64_t l = 0; l < parts; l++) {
            y[i * parts + l] += creal(stored(&p->a[0], p->a[0].work, i, 0)) * x[i * parts + l];
            if (i + 1 < d)
                y[(above ? i : i + 1) * parts + l] += creal(stored(&p->a[1], p->a[1].work, i, 0)) * x[(above ? i + 1 : i) * parts + l];
        }
    return y;
}

/* A - Q B P^H */
static double reduced(const bench_problem *p)
{
    int64_t m = p->c.m, n = p->c.n;
    scratch s = {.e = &bench_elements_of[p->c.type]};
    bench_block A = before(p, 4);
    double *x = random_vector(&s, n), *r = times(&s, A, TSL_NOTRANS, x), *y = zeros(&s, n);
    minus(&s, -1, x, y, n, 1, 1);
    apply(&s, p, true, true, y);
    y = bidiagonal_times(&s, p, y);
    apply(&s, p, false, false, y);
    minus(&s, 1, y, r, m, 1, 1);
    return finish(&s, p, r, m, x, n, (double)most(&p->c) * frobenius(&s, A));
}

/* Q^H Q - I, P^H P - I */
static double orthogonal(const bench_problem *p, bool by_rows)
{
    int64_t n = by_rows ? p->c.n : p->c.m;
    scratch s = {.e = &bench_elements_of[p->c.type]};
    double *x = random_vector(&s, n), *y = zeros(&s, n);
    minus(&s, -1, x, y, n, 1, 1);
    apply(&s, p, by_rows, false, y);
    apply(&s, p, by_rows, true, y);
    minus(&s, 1, x, y, n, 1, 1);
    return finish(&s, p, y, n, x, n, (double)n * sqrt((double)n));
}

static double residual(const bench_problem *p) { return least(&p->c) == 0 ? 0 : bench_worse(reduced(p), bench_worse(orthogonal(p, false), orthogonal(p, true))); }

typedef int reduce_size(void *, int, int, int *);
typedef int reduce_call(void *, int, int, void *, int, void *, void *, void *, void *, void *, int, void *);

/* No matrix with more columns than rows */
static bool cusolver_size(bench_cuda *s, bench_problem *p)
{
    int length = 0;
    bool done = p->c.m >= p->c.n && !((reduce_size *)s->f[0])(s->handle, (int)p->c.m, (int)p->c.n, &length);
    s->device_bytes = (size_t)length * tsl_type_size(p->c.type);
    s->host_bytes = 0;
    return done;
}

static bool cusolver(bench_cuda *s, bench_problem *p)
{
    return !((reduce_call *)s->f[1])(s->handle, (int)p->c.m, (int)p->c.n, DEVICE(4), (int)DEVICE_LD(4), DEVICE(0), DEVICE(1), DEVICE(2), DEVICE(3), s->device,
                                     (int)(s->device_bytes / tsl_type_size(p->c.type)), s->info);
}

static const bench_routine routines[] = {
    {.name = "gebrd", .sizes = "mn", .alpha = 1, .writes_all = true, .shape = shape, .elements = elements, .typed = TYPES(gebrd), .views = views, .residual = residual,
     .openblas = TYPES(openblas_gebrd), .cusolver = {CUSOLVER("cusolverDn?gebrd_bufferSize", "cusolverDn?gebrd"), cusolver, cusolver_size}},
};

const bench_family bench_gebrd = FAMILY(routines);
#endif
