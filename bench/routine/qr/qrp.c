/* QR with column pivoting: geqp3, and geqp3_random, beside which cuSOLVER has only QR without pivots; least squares of any
 * rank: gelsy. Pivots of random matrices are decided by roundings: residuals are all there is. */
#ifdef T
static tsl_status FN(geqp3)(bench_problem *p) { return CALL(geqp3)(p->ctx, p->c.m, p->c.n, DATA(2), LD(2), DATA(1), DATA(0), NULL); }

static tsl_status FN(geqp3_random)(bench_problem *p)
{
    return CALL(geqp3_random)(p->ctx, p->c.m, p->c.n, DATA(2), LD(2), DATA(1), DATA(0), least(&p->c), 0, 1, NULL, NULL);
}

static tsl_status FN(gelsy)(bench_problem *p)
{
    int64_t rank = 0;
    return CALL(gelsy)(p->ctx, p->c.m, p->c.n, p->c.k, DATA(1), LD(1), DATA(2), LD(2), DATA(0), 0, &rank, NULL);
}

#ifdef COMPLEX
#define REALS(at) , at
#else
#define REALS(at)
#endif

/* With as much workspace as LAPACK says is best, or more; and room for the real numbers of complex types */
static T *FN(room)(bench_problem *p, lapack_int *length)
{
    *length = (lapack_int)((2 * (p->c.m + p->c.n) + p->c.k + 1) * QR_BLOCK);
    return bench_room_for(&bench_openblas_work, ((size_t)*length + 2 * (size_t)p->c.n) * sizeof(T));
}

static bool FN(openblas_geqp3)(bench_problem *p)
{
    lapack_int m = (lapack_int)p->c.m, n = (lapack_int)p->c.n, length;
    T *work = FN(room)(p, &length);
    bool done = work && LAPACK(geqp3_work)(LAPACK_COL_MAJOR, m, n, HOST(2), HOST_LD(2), HOST(1), HOST(0), work, length REALS((R *)(void *)(work + length))) == 0;
    widen(p, 1);
    return done;
}

static bool FN(openblas_gelsy)(bench_problem *p)
{
    lapack_int m = (lapack_int)p->c.m, n = (lapack_int)p->c.n, k = (lapack_int)p->c.k, length, rank = 0;
    T *work = FN(room)(p, &length);
    bool done = work && LAPACK(gelsy_work)(LAPACK_COL_MAJOR, m, n, k, HOST(1), HOST_LD(1), HOST(2), HOST_LD(2), HOST(0), 0, &rank, work,
                                           length REALS((R *)(void *)(work + length))) == 0;
    widen(p, 0);
    return done;
}
#undef REALS

#else
#include "bench/residual/pivots.h"
#include "bench/residual/reflectors.h"

#define BENCH_FAMILY "bench/routine/qr/qrp.c"
#include "bench/each_type.h"

static int shape_geqp3(const bench_case *c, bench_shape *is)
{
    is[0] = vector_of(least(c), BENCH_NOT_READ);
    is[1] = vector_of(c->n, BENCH_FREE);
    is[2] = matrix_of(c->m, c->n, BENCH_RANDOM);
    return 3;
}

static int shape_gelsy(const bench_case *c, bench_shape *is)
{
    is[0] = vector_of(c->n, BENCH_FREE);
    is[1] = matrix_of(c->m, c->n, BENCH_RANDOM);
    is[2] = matrix_of(most(c), c->k, BENCH_RANDOM);
    return 3;
}

static double elements_geqp3(const bench_case *c) { return 2.0 * c->m * c->n; }
static double elements_gelsy(const bench_case *c) { return 2.0 * c->m * c->n + 1.0 * (c->m + c->n) * c->k; }

static tsl_status views_geqp3(bench_problem *p) { return tsl_geqp3(p->ctx, out(p), bench_view(p, 1, 'N'), bench_view(p, 0, 'N')); }
static tsl_status views_geqp3_random(bench_problem *p)
{
    return tsl_geqp3_random(p->ctx, out(p), bench_view(p, 1, 'N'), bench_view(p, 0, 'N'), least(&p->c), 0, 1, NULL);
}
static tsl_status views_gelsy(bench_problem *p) { return tsl_gelsy(p->ctx, bench_view(p, 1, 'N'), bench_view(p, 0, 'N'), out(p), 0, NULL); }

/* y(p(j)) := x(j); false: p is no permutation */
static bool scatter(const bench_problem *p, int parts, const double *x, double *y)
{
    int64_t n = p->c.n;
    for (int64_t i = 0; i < parts * n; i++)
        y[i] = INFINITY;
    for (int64_t j = 0; j < n; j++) {
        int64_t to = (int64_t)creal(stored(&p->a[1], p->a[1].work, j, 0)) - 1;
        if (to < 0 || to >= n || !isinf(y[parts * to]))
            return false;
        memcpy(y + parts * to, x + parts * j, (size_t)parts * sizeof *y);
    }
    return true;
}

/* A P - Q R, and Q^H Q - I */
static double residual_geqp3(const bench_problem *p)
{
    int64_t m = p->c.m, n = p->c.n;
    scratch s = {.e = &bench_elements_of[p->c.type]};
    bench_block A = before(p, 2), F = after(p);
    reflectors Q = {after(p), false, &p->a[0], p->a[0].work, false};
    F.part = TSL_UPPER;
    if (F.rows > F.cols)
        F.rows = F.cols;
    double *x = random_vector(&s, n), *y = zeros(&s, n), *triangle = times(&s, F, TSL_NOTRANS, x), *q = zeros(&s, m);
    bool good = !s.failed && scatter(p, s.e->parts, x, y);
    double *r = times(&s, A, TSL_NOTRANS, y);
    for (int64_t i = 0; i < s.e->parts * least(&p->c) && !s.failed; i++)
        q[i] = triangle[i];
    reflect(&s, p, Q, false, q);
    minus(&s, 1, q, r, m, 1, 1);
    double off = finish(&s, p, r, m, x, n, (double)most(&p->c) * frobenius(&s, A));
    scratch t = {.e = s.e};
    double *z = random_vector(&t, m), *w = zeros(&t, m);
    minus(&t, -1, z, w, m, 1, 1);
    reflect(&t, p, Q, false, w);
    reflect(&t, p, Q, true, w);
    minus(&t, 1, z, w, m, 1, 1);
    double apart = finish(&t, p, w, m, z, m, (double)m * sqrt((double)m));
    return good ? bench_worse(off, apart) : INFINITY;
}

/* A X - B0, or where there are more equations than unknowns A^H (A X - B0) */
static double residual_gelsy(const bench_problem *p)
{
    int64_t m = p->c.m, n = p->c.n, k = p->c.k;
    scratch s = {.e = &bench_elements_of[p->c.type]};
    bench_block A = before(p, 1), B = before(p, 2), X = after(p);
    B.rows = m, X.rows = n;
    double *x = random_vector(&s, k), *r = times(&s, A, TSL_NOTRANS, times(&s, X, TSL_NOTRANS, x));
    minus(&s, 1, times(&s, B, TSL_NOTRANS, x), r, m, 1, 1);
    double scale = (double)most(&p->c) * (frobenius(&s, A) * frobenius(&s, X) + frobenius(&s, B));
    if (m <= n)
        return finish(&s, p, r, m, x, k, scale);
    return finish(&s, p, times(&s, A, adjoint(p), r), n, x, k, scale * frobenius(&s, A));
}

/* cuSOLVER's QR, without pivots */
typedef int geqrf_size(void *, void *, int64_t, int64_t, int, const void *, int64_t, int, const void *, int, size_t *, size_t *);
typedef int geqrf_call(void *, void *, int64_t, int64_t, int, void *, int64_t, int, void *, int, void *, size_t, void *, size_t, void *);

static bool cusolver_size(bench_cuda *s, bench_problem *p)
{
    int t = cuda_type(p);
    return !((geqrf_size *)s->f[0])(s->handle, s->params, p->c.m, p->c.n, t, DEVICE(2), DEVICE_LD(2), t, DEVICE(0), t, &s->device_bytes, &s->host_bytes);
}

static bool cusolver(bench_cuda *s, bench_problem *p)
{
    int t = cuda_type(p);
    return !((geqrf_call *)s->f[1])(s->handle, s->params, p->c.m, p->c.n, t, DEVICE(2), DEVICE_LD(2), t, DEVICE(0), t, s->device, s->device_bytes, s->host, s->host_bytes,
                                    s->info);
}

static const bench_routine routines[] = {
    {.name = "geqp3", .sizes = "mn", .alpha = 1, .writes_all = true, .shape = shape_geqp3, .elements = elements_geqp3, .typed = TYPES(geqp3), .views = views_geqp3,
     .residual = residual_geqp3, .openblas = TYPES(openblas_geqp3), .cusolver = {CUSOLVER("cusolverDnXgeqrf_bufferSize", "cusolverDnXgeqrf"), cusolver, cusolver_size, .unlike = true}},
    {.name = "geqp3_random", .sizes = "mn", .alpha = 1, .writes_all = true, .shape = shape_geqp3, .elements = elements_geqp3, .typed = TYPES(geqp3_random),
     .views = views_geqp3_random, .residual = residual_geqp3, .openblas = TYPES(openblas_geqp3),
     .cusolver = {CUSOLVER("cusolverDnXgeqrf_bufferSize", "cusolverDnXgeqrf"), cusolver, cusolver_size, .unlike = true}},
    {.name = "gelsy", .sizes = "mnk", .alpha = 1, .writes_all = true, .shape = shape_gelsy, .elements = elements_gelsy, .typed = TYPES(gelsy), .views = views_gelsy,
     .residual = residual_gelsy, .openblas = TYPES(openblas_gelsy)},
};

const bench_family bench_qrp = FAMILY(routines);
#endif
