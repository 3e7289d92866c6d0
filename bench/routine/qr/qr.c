/* QR and LQ: geqrf, gelqf; least squares: gels, and by incremental QR gels_inc. R and Q are unique but for signs, which are
 * LAPACK's; residuals are all there is. */
#ifdef T
static tsl_status FN(geqrf)(bench_problem *p) { return CALL(geqrf)(p->ctx, p->c.m, p->c.n, DATA(1), LD(1), DATA(0), NULL); }
static tsl_status FN(gelqf)(bench_problem *p) { return CALL(gelqf)(p->ctx, p->c.m, p->c.n, DATA(1), LD(1), DATA(0), NULL); }

static tsl_status FN(gels)(bench_problem *p)
{
    return CALL(gels)(p->ctx, 'N', p->c.m, p->c.n, p->c.k, DATA(0), LD(0), DATA(1), LD(1), NULL);
}

static tsl_status FN(gels_inc)(bench_problem *p)
{
    return CALL(gels_inc)(p->ctx, p->c.m, p->a[0].is.cols, p->c.k, DATA(0), LD(0), DATA(1), LD(1), NULL);
}

/* With as much workspace as LAPACK says is best */
static bool FN(openblas_geqrf)(bench_problem *p)
{
    lapack_int m = (lapack_int)p->c.m, n = (lapack_int)p->c.n, length = n * QR_BLOCK;
    T *work = bench_room_for(&bench_openblas_work, (size_t)length * sizeof *work);
    return work && LAPACK(geqrf_work)(LAPACK_COL_MAJOR, m, n, HOST(1), HOST_LD(1), HOST(0), work, length) == 0;
}

static bool FN(openblas_gelqf)(bench_problem *p)
{
    lapack_int m = (lapack_int)p->c.m, n = (lapack_int)p->c.n, length = m * QR_BLOCK;
    T *work = bench_room_for(&bench_openblas_work, (size_t)length * sizeof *work);
    return work && LAPACK(gelqf_work)(LAPACK_COL_MAJOR, m, n, HOST(1), HOST_LD(1), HOST(0), work, length) == 0;
}

static bool FN(openblas_gels)(bench_problem *p)
{
    lapack_int m = (lapack_int)p->c.m, n = (lapack_int)p->a[0].is.cols, k = (lapack_int)p->c.k, length = (m + n + k) * QR_BLOCK;
    T *work = bench_room_for(&bench_openblas_work, (size_t)length * sizeof *work);
    return work && LAPACK(gels_work)(LAPACK_COL_MAJOR, 'N', m, n, k, HOST(0), HOST_LD(0), HOST(1), HOST_LD(1), work, length) == 0;
}

#else
#include "bench/residual/reflectors.h"

#define BENCH_FAMILY "bench/routine/qr/qr.c"
#include "bench/each_type.h"

/* The factors of the reflectors come before the result, A. */
static int shape_geqrf(const bench_case *c, bench_shape *is)
{
    is[0] = vector_of(least(c), BENCH_NOT_READ);
    is[1] = matrix_of(c->m, c->n, BENCH_RANDOM);
    return 2;
}

static int shape_gels(const bench_case *c, bench_shape *is)
{
    is[0] = matrix_of(c->m, c->n, BENCH_RANDOM);
    is[1] = matrix_of(most(c), c->k, BENCH_RANDOM);
    return 2;
}

/* No more unknowns than equations */
static int shape_gels_inc(const bench_case *c, bench_shape *is)
{
    is[0] = matrix_of(c->m, least(c), BENCH_RANDOM);
    is[1] = matrix_of(c->m, c->k, BENCH_RANDOM);
    return 2;
}

static double elements_geqrf(const bench_case *c) { return 2.0 * c->m * c->n; } /* and gelqf */
static double elements_gels(const bench_case *c) { return 2.0 * c->m * c->n + 1.0 * (c->m + c->n) * c->k; }

static tsl_view factors(const bench_problem *p) { return bench_view(p, 0, 'N'); }
static tsl_status views_geqrf(bench_problem *p) { return tsl_geqrf(p->ctx, out(p), factors(p)); }
static tsl_status views_gelqf(bench_problem *p) { return tsl_geqrf(p->ctx, tsl_herm(out(p)), factors(p)); }
static tsl_status views_gels(bench_problem *p) { return tsl_gels(p->ctx, bench_view(p, 0, 'N'), out(p), NULL); }
static tsl_status views_gels_inc(bench_problem *p) { return tsl_gels_inc(p->ctx, bench_view(p, 0, 'N'), out(p), NULL); }

static reflectors computed(const bench_problem *p, bool lq) { return (reflectors){after(p), lq, &p->a[0], p->a[0].work, false}; }

/* A - Q R, of LQ A^H - Q R */
static double factored(const bench_problem *p, bool lq)
{
    int64_t rows = lq ? p->c.n : p->c.m, cols = lq ? p->c.m : p->c.n;
    scratch s = {.e = &bench_elements_of[p->c.type]};
    tsl_op op = lq ? adjoint(p) : TSL_NOTRANS;
    bench_block A = before(p, 1), F = after(p);
    F.part = lq ? TSL_LOWER : TSL_UPPER;
    if (lq && F.cols > F.rows)
        F.cols = F.rows;
    if (!lq && F.rows > F.cols)
        F.rows = F.cols;
    double *x = random_vector(&s, cols), *r = times(&s, A, op, x), *triangle = times(&s, F, op, x), *q = zeros(&s, rows);
    for (int64_t i = 0; i < s.e->parts * least(&p->c) && !s.failed; i++)
        q[i] = triangle[i];
    reflect(&s, p, computed(p, lq), false, q);
    minus(&s, 1, q, r, rows, 1, 1);
    return finish(&s, p, r, rows, x, cols, (double)most(&p->c) * frobenius(&s, A));
}

/* Q^H Q - I */
static double orthogonal(const bench_problem *p, bool lq)
{
    int64_t rows = lq ? p->c.n : p->c.m;
    scratch s = {.e = &bench_elements_of[p->c.type]};
    double *x = random_vector(&s, rows), *q = zeros(&s, rows);
    minus(&s, -1, x, q, rows, 1, 1);
    reflect(&s, p, computed(p, lq), false, q);
    reflect(&s, p, computed(p, lq), true, q);
    minus(&s, 1, x, q, rows, 1, 1);
    return finish(&s, p, q, rows, x, rows, (double)rows * sqrt((double)rows));
}

static double residual_geqrf(const bench_problem *p) { return bench_worse(factored(p, false), orthogonal(p, false)); }
static double residual_gelqf(const bench_problem *p) { return bench_worse(factored(p, true), orthogonal(p, true)); }

/* A X - B0, or where there are more equations than unknowns A^H (A X - B0) */
static double residual_gels(const bench_problem *p)
{
    int64_t m = p->c.m, n = p->a[0].is.cols, k = p->c.k;
    scratch s = {.e = &bench_elements_of[p->c.type]};
    bench_block A = before(p, 0), B = before(p, 1), X = after(p);
    B.rows = m, X.rows = n;
    double *x = random_vector(&s, k), *r = times(&s, A, TSL_NOTRANS, times(&s, X, TSL_NOTRANS, x));
    minus(&s, 1, times(&s, B, TSL_NOTRANS, x), r, m, 1, 1);
    double scale = (double)most(&p->c) * (frobenius(&s, A) * frobenius(&s, X) + frobenius(&s, B));
    if (m <= n)
        return finish(&s, p, r, m, x, k, scale);
    return finish(&s, p, times(&s, A, adjoint(p), r), n, x, k, scale * frobenius(&s, A));
}

typedef int geqrf_size(void *, void *, int64_t, int64_t, int, const void *, int64_t, int, const void *, int, size_t *, size_t *);
typedef int geqrf_call(void *, void *, int64_t, int64_t, int, void *, int64_t, int, void *, int, void *, size_t, void *, size_t, void *);

static bool cusolver_geqrf_size(bench_cuda *s, bench_problem *p)
{
    int t = cuda_type(p);
    return !((geqrf_size *)s->f[0])(s->handle, s->params, p->c.m, p->c.n, t, DEVICE(1), DEVICE_LD(1), t, DEVICE(0), t,
                                    &s->device_bytes, &s->host_bytes);
}

static bool cusolver_geqrf(bench_cuda *s, bench_problem *p)
{
    int t = cuda_type(p);
    return !((geqrf_call *)s->f[1])(s->handle, s->params, p->c.m, p->c.n, t, DEVICE(1), DEVICE_LD(1), t, DEVICE(0), t, s->device,
                                    s->device_bytes, s->host, s->host_bytes, s->info);
}

typedef void pgeqrf(const int *, const int *, void *, const int *, const int *, const int *, void *, void *, const int *, int *);
typedef void pgels(const char *, const int *, const int *, const int *, void *, const int *, const int *, const int *, void *, const int *, const int *,
                   const int *, void *, const int *, int *, size_t);

/* geqrf, and gelqf */
static bool scalapack_geqrf(bench_blacs *s, bench_problem *p)
{
    int m = (int)p->c.m, n = (int)p->c.n;
    part A = part_of(s, p, 1);
    room r = {.lwork = -1};
    ((pgeqrf *)s->f)(&m, &n, PART(A), NULL, &r.answer, &r.lwork, &r.info);
    if (provide(s, p, most(&p->c), &r))
        ((pgeqrf *)s->f)(&m, &n, PART(A), r.tau, r.work, &r.lwork, &r.info);
    return r.tau && r.info == 0;
}

static bool scalapack_gels(bench_blacs *s, bench_problem *p)
{
    int m = (int)p->c.m, n = (int)p->c.n, k = (int)p->c.k;
    part A = part_of(s, p, 0), B = part_of(s, p, 1);
    room r = {.lwork = -1};
    ((pgels *)s->f)("N", &m, &n, &k, PART(A), PART(B), &r.answer, &r.lwork, &r.info, 1);
    if (provide(s, p, 0, &r))
        ((pgels *)s->f)("N", &m, &n, &k, PART(A), PART(B), r.work, &r.lwork, &r.info, 1);
    return r.tau && r.info == 0;
}

static const bench_routine routines[] = {
    {.name = "geqrf", .sizes = "mn", .alpha = 1, .writes_all = true,
     .shape = shape_geqrf, .elements = elements_geqrf, .typed = TYPES(geqrf), .views = views_geqrf,
     .residual = residual_geqrf, .openblas = TYPES(openblas_geqrf),
     .cusolver = {CUSOLVER("cusolverDnXgeqrf_bufferSize", "cusolverDnXgeqrf"), cusolver_geqrf, cusolver_geqrf_size},
     .scalapack = {SCALAPACK(geqrf, geqrf), scalapack_geqrf}},
    {.name = "gelqf", .sizes = "mn", .alpha = 1, .writes_all = true,
     .shape = shape_geqrf, .elements = elements_geqrf, .typed = TYPES(gelqf), .views = views_gelqf,
     .residual = residual_gelqf, .openblas = TYPES(openblas_gelqf), .scalapack = {SCALAPACK(gelqf, gelqf), scalapack_geqrf}},
    {.name = "gels", .sizes = "mnk", .alpha = 1, .has_info = true, .writes_all = true,
     .shape = shape_gels, .elements = elements_gels, .typed = TYPES(gels), .views = views_gels,
     .residual = residual_gels, .openblas = TYPES(openblas_gels),
     .scalapack = {SCALAPACK(gels, gels), scalapack_gels}},
    {.name = "gels_inc", .sizes = "mnk", .alpha = 1, .has_info = true, .writes_all = true,
     .shape = shape_gels_inc, .elements = elements_gels, .typed = TYPES(gels_inc), .views = views_gels_inc,
     .residual = residual_gels, .openblas = TYPES(openblas_gels)},
};

const bench_family bench_qr = FAMILY(routines);
#endif
