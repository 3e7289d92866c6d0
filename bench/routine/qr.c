/* QR and LQ: geqrf, gelqf; products with Q^H, ormqr and unmqr; Q itself, orgqr and ungqr; least squares: gels, and by incremental QR gels_inc. R and Q are unique but for signs, which are LAPACK's; residuals are all there is. */
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

static tsl_status FN(apply)(bench_problem *p)
{
    return CALL(PAIR(ormqr, unmqr))(p->ctx, FLAG(SIDE), PAIR('T', 'C'), p->c.m, p->c.n, p->a[1].is.rows, DATA(0), LD(0), DATA(1),
                                    DATA(2), LD(2), NULL);
}

static tsl_status FN(form)(bench_problem *p)
{
    return CALL(PAIR(orgqr, ungqr))(p->ctx, p->c.m, p->a[1].is.cols, p->a[0].is.rows, DATA(1), LD(1), DATA(0), NULL);
}

static bool FN(openblas_form)(bench_problem *p)
{
    lapack_int m = (lapack_int)p->c.m, n = (lapack_int)p->a[1].is.cols, length = n * QR_BLOCK;
    T *work = bench_room_for(&bench_openblas_work, (size_t)length * sizeof *work);
    return work && LAPACK(PAIR(orgqr_work, ungqr_work))(LAPACK_COL_MAJOR, m, n, (lapack_int)p->a[0].is.rows, HOST(1), HOST_LD(1), HOST(0), work, length) == 0;
}

static bool FN(openblas_apply)(bench_problem *p)
{
    lapack_int m = (lapack_int)p->c.m, n = (lapack_int)p->c.n, k = (lapack_int)p->a[1].is.rows, length = (m + n + QR_BLOCK) * 2 * QR_BLOCK;
    T *work = bench_room_for(&bench_openblas_work, (size_t)length * sizeof *work);
    return work && LAPACK(PAIR(ormqr_work, unmqr_work))(LAPACK_COL_MAJOR, FLAG(SIDE), PAIR('T', 'C'), m, n, k, HOST(0), HOST_LD(0),
                                                        HOST(1), HOST(2), HOST_LD(2), work, length) == 0;
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
#include "bench/routine.h"

enum { QR_BLOCK = 64 };

#define BENCH_FAMILY "bench/routine/qr.c"
#include "bench/each_type.h"

static int64_t least(const bench_case *c) { return c->m < c->n ? c->m : c->n; }
static int64_t most(const bench_case *c) { return c->m > c->n ? c->m : c->n; }

/* The factors of the reflectors come before the result, A. */
static int shape_geqrf(const bench_case *c, bench_shape *is)
{
    is[0] = vector_of(least(c), BENCH_NOT_READ);
    is[1] = matrix_of(c->m, c->n, BENCH_RANDOM);
    return 2;
}

/* As many reflectors as k says, or as there can be */
static int shape_apply(const bench_case *c, bench_shape *is)
{
    int64_t order = order_of(c), count = c->k < order ? c->k : order;
    is[0] = matrix_of(order, count, BENCH_RANDOM);
    is[1] = vector_of(count, BENCH_REFLECTING);
    is[2] = matrix_of(c->m, c->n, BENCH_RANDOM);
    return 3;
}

/* Of as many reflectors; no more columns than rows */
static int shape_form(const bench_case *c, bench_shape *is)
{
    is[0] = vector_of(c->k < least(c) ? c->k : least(c), BENCH_REFLECTING);
    is[1] = matrix_of(c->m, least(c), BENCH_RANDOM);
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
static double elements_apply(const bench_case *c) { return 1.0 * order_of(c) * c->k + 2.0 * c->m * c->n; }
static double elements_form(const bench_case *c) { return 1.0 * c->m * (c->k < least(c) ? c->k : least(c)) + 1.0 * c->m * least(c); }
static double elements_gels(const bench_case *c) { return 2.0 * c->m * c->n + 1.0 * (c->m + c->n) * c->k; }

static tsl_view factors(const bench_problem *p) { return bench_view(p, 0, 'N'); }
static tsl_status views_geqrf(bench_problem *p) { return tsl_geqrf(p->ctx, out(p), factors(p)); }
static tsl_status views_gelqf(bench_problem *p) { return tsl_geqrf(p->ctx, tsl_herm(out(p)), factors(p)); }
static tsl_status views_apply(bench_problem *p)
{
    return tsl_ormqr(p->ctx, side(p), TSL_HERM, bench_view(p, 0, 'N'), bench_view(p, 1, 'N'), out(p));
}
static tsl_status views_form(bench_problem *p) { return tsl_orgqr(p->ctx, out(p), factors(p)); }
static tsl_status views_gels(bench_problem *p) { return tsl_gels(p->ctx, bench_view(p, 0, 'N'), out(p), NULL); }

static tsl_status views_gels_inc(bench_problem *p) { return tsl_gels_inc(p->ctx, bench_view(p, 0, 'N'), out(p), NULL); }

/* Reflectors: of QR below the diagonal of a block, of LQ, as rows, right of it; and their factors */
typedef struct reflectors {
    bench_block F;
    bool lq;
    const bench_array *tau;
    const void *factors;
} reflectors;

static reflectors computed(const bench_problem *p, bool lq) { return (reflectors){after(p), lq, &p->a[0], p->a[0].work}; }
static reflectors given(const bench_problem *p) { return (reflectors){before(p, 0), false, &p->a[1], p->a[1].first}; }

static bench_block reflector(const bench_problem *p, const reflectors *q, int64_t j)
{
    bench_block v = q->F;
    v.data = (const char *)v.data + (size_t)(q->lq ? j + (j + 1) * v.ld : j + 1 + j * v.ld) * tsl_type_size(p->c.type);
    v.rows = q->lq ? 1 : v.rows - j - 1;
    v.cols = q->lq ? v.cols - j - 1 : 1;
    return v;
}

/* x := Q x, or Q^H x: x - tau (v^H x) v for one reflector after the other */
static void reflect(scratch *s, const bench_problem *p, reflectors q, bool inverse, double *x)
{
    const bench_elements *e = s->e;
    tsl_op column = q.lq ? adjoint(p) : TSL_NOTRANS, row = q.lq ? TSL_NOTRANS : adjoint(p);
    int64_t count = q.tau->is.rows, length = q.lq ? q.F.cols : q.F.rows;
    double *low = zeros(s, length), dot[4];
    for (int64_t step = 0; step < count && !s->failed; step++) {
        int64_t j = inverse ? step : count - 1 - step;
        bench_block v = reflector(p, &q, j);
        double *at = x + e->parts * j, *below = at + e->parts;
        tsl_scalar tau = stored(q.tau, q.factors, j, 0), sum;
        memset(dot, 0, sizeof dot);
        memcpy(dot, at, (size_t)e->parts * sizeof *dot);
        if (j + 1 < length)
            e->product(&v, row, below, dot, dot + e->parts);
        sum = e->parts == 2 ? CMPLX(dot[0] + dot[2], dot[1] + dot[3]) : CMPLX(dot[0] + dot[1], 0);
        sum *= inverse ? conj(tau) : tau;
        dot[0] = -creal(sum), dot[1] = -cimag(sum);
        for (int l = 0; l < e->parts; l++)
            at[l] += dot[l];
        if (j + 1 < length)
            e->product(&v, column, dot, below, low);
        for (int64_t i = 0; i < e->parts * (length - j - 1); i++)
            below[i] += low[i], low[i] = 0;
    }
}

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

static double residual_geqrf(const bench_problem *p) { return fmax(factored(p, false), orthogonal(p, false)); }
static double residual_gelqf(const bench_problem *p) { return fmax(factored(p, true), orthogonal(p, true)); }

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

/* C - Q^H C0, or C - C0 Q^H */
static double residual_apply(const bench_problem *p)
{
    int64_t m = p->c.m, n = p->c.n;
    scratch s = {.e = &bench_elements_of[p->c.type]};
    bool left = FLAG(SIDE) == 'L';
    double *x = random_vector(&s, n), *r = times(&s, after(p), TSL_NOTRANS, x), *y = zeros(&s, n);
    minus(&s, -1, x, y, n, 1, 1);
    if (left)
        y = times(&s, before(p, 2), TSL_NOTRANS, x);
    reflect(&s, p, given(p), true, y);
    minus(&s, 1, left ? y : times(&s, before(p, 2), TSL_NOTRANS, y), r, m, 1, 1);
    return finish(&s, p, r, m, x, n, (double)order_of(&p->c) * frobenius(&s, before(p, 2)));
}

/* Q x as it was made, less reflectors times [x; 0] */
static double residual_form(const bench_problem *p)
{
    int64_t m = p->c.m, n = p->a[1].is.cols;
    scratch s = {.e = &bench_elements_of[p->c.type]};
    double *x = random_vector(&s, n), *r = times(&s, after(p), TSL_NOTRANS, x), *y = zeros(&s, m);
    minus(&s, -1, x, y, n, 1, 1);
    reflect(&s, p, (reflectors){before(p, 1), false, &p->a[0], p->a[0].first}, false, y);
    minus(&s, 1, y, r, m, 1, 1);
    return finish(&s, p, r, m, x, n, (double)m);
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

typedef int apply_size(void *, int, int, int, int, int, const void *, int, const void *, const void *, int, int *);
typedef int apply_call(void *, int, int, int, int, int, const void *, int, const void *, void *, int, void *, int, void *);

static int inverse_op(const bench_problem *p) { return cuda_op(bench_is_complex(p->c.type) ? 'C' : 'T'); }

static bool cusolver_apply_size(bench_cuda *s, bench_problem *p)
{
    int length = 0;
    bool done = !((apply_size *)s->f[0])(s->handle, cuda_side(p), inverse_op(p), (int)p->c.m, (int)p->c.n, (int)p->a[1].is.rows, DEVICE(0),
                                         (int)DEVICE_LD(0), DEVICE(1), DEVICE(2), (int)DEVICE_LD(2), &length);
    s->device_bytes = (size_t)length * tsl_type_size(p->c.type);
    s->host_bytes = 0;
    return done;
}

static bool cusolver_apply(bench_cuda *s, bench_problem *p)
{
    return !((apply_call *)s->f[1])(s->handle, cuda_side(p), inverse_op(p), (int)p->c.m, (int)p->c.n, (int)p->a[1].is.rows, DEVICE(0),
                                    (int)DEVICE_LD(0), DEVICE(1), DEVICE(2), (int)DEVICE_LD(2), s->device,
                                    (int)(s->device_bytes / tsl_type_size(p->c.type)), s->info);
}

typedef int form_size(void *, int, int, int, const void *, int, const void *, int *);
typedef int form_call(void *, int, int, int, void *, int, const void *, void *, int, void *);

static bool cusolver_form_size(bench_cuda *s, bench_problem *p)
{
    int length = 0;
    bool done = !((form_size *)s->f[0])(s->handle, (int)p->c.m, (int)p->a[1].is.cols, (int)p->a[0].is.rows, DEVICE(1), (int)DEVICE_LD(1), DEVICE(0), &length);
    s->device_bytes = (size_t)length * tsl_type_size(p->c.type);
    s->host_bytes = 0;
    return done;
}

static bool cusolver_form(bench_cuda *s, bench_problem *p)
{
    return !((form_call *)s->f[1])(s->handle, (int)p->c.m, (int)p->a[1].is.cols, (int)p->a[0].is.rows, DEVICE(1), (int)DEVICE_LD(1), DEVICE(0), s->device,
                                   (int)(s->device_bytes / tsl_type_size(p->c.type)), s->info);
}

typedef void pgeqrf(const int *, const int *, void *, const int *, const int *, const int *, void *, void *, const int *, int *);
typedef void pormqr(const char *, const char *, const int *, const int *, const int *, void *, const int *, const int *, const int *, void *, void *,
                    const int *, const int *, const int *, void *, const int *, int *, size_t, size_t);
typedef void porgqr(const int *, const int *, const int *, void *, const int *, const int *, const int *, void *, void *, const int *, int *);
typedef void pgels(const char *, const int *, const int *, const int *, void *, const int *, const int *, const int *, void *, const int *, const int *,
                   const int *, void *, const int *, int *, size_t);

/* Workspace: a first call, with lwork = -1, says how many elements; before them is room for factors. */
typedef struct room {
    bench_number answer;
    int lwork, info;
    char *tau, *work;
} room;

static bool provide(bench_blacs *s, const bench_problem *p, int64_t factors, room *r)
{
    size_t size = tsl_type_size(p->c.type);
    r->lwork = (int)creal(bench_value_of(p->c.type, &r->answer));
    r->tau = r->info ? NULL : bench_room_for(&s->work, ((size_t)factors + (size_t)r->lwork) * size);
    r->work = r->tau ? r->tau + (size_t)factors * size : NULL;
    return r->tau;
}

/* Those of the given factors that go with this process's columns */
static void own_factors(const bench_blacs *s, const bench_problem *p, const bench_array *a, char *tau)
{
    size_t size = tsl_type_size(p->c.type);
    for (int64_t j = 0, l = 0; j < a->is.rows; j++) {
        if (j / s->nb % s->cols != s->col)
            continue;
        bench_number v = bench_number_of(p->c.type, stored(a, a->first, j, 0));
        memcpy(tau + (size_t)l++ * size, &v, size);
    }
}

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

static bool scalapack_apply(bench_blacs *s, bench_problem *p)
{
    int m = (int)p->c.m, n = (int)p->c.n, k = (int)p->a[1].is.rows;
    char side = FLAG(SIDE), trans = bench_is_complex(p->c.type) ? 'C' : 'T';
    part A = part_of(s, p, 0), C = part_of(s, p, 2);
    room r = {.lwork = -1};
    pormqr *f = (pormqr *)s->f;
    f(&side, &trans, &m, &n, &k, PART(A), NULL, PART(C), &r.answer, &r.lwork, &r.info, 1, 1);
    if (!provide(s, p, k, &r))
        return false;
    own_factors(s, p, &p->a[1], r.tau);
    f(&side, &trans, &m, &n, &k, PART(A), r.tau, PART(C), r.work, &r.lwork, &r.info, 1, 1);
    return r.info == 0;
}

static bool scalapack_form(bench_blacs *s, bench_problem *p)
{
    int m = (int)p->c.m, n = (int)p->a[1].is.cols, k = (int)p->a[0].is.rows;
    part A = part_of(s, p, 1);
    room r = {.lwork = -1};
    ((porgqr *)s->f)(&m, &n, &k, PART(A), NULL, &r.answer, &r.lwork, &r.info);
    if (!provide(s, p, k, &r))
        return false;
    own_factors(s, p, &p->a[0], r.tau);
    ((porgqr *)s->f)(&m, &n, &k, PART(A), r.tau, r.work, &r.lwork, &r.info);
    return r.info == 0;
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
    {.name = "ormqr", .types = "sd", .sizes = "mnk", .alpha = 1, .flags = FLAGS([BENCH_SIDE] = "LR"), .steady = true,
     .shape = shape_apply, .elements = elements_apply, .typed = {[TSL_S] = s_apply, [TSL_D] = d_apply}, .views = views_apply,
     .residual = residual_apply, .openblas = {[TSL_S] = s_openblas_apply, [TSL_D] = d_openblas_apply},
     .cusolver = {CUSOLVER("cusolverDn?ormqr_bufferSize", "cusolverDn?ormqr"), cusolver_apply, cusolver_apply_size},
     .scalapack = {SCALAPACK(ormqr, unmqr), scalapack_apply}},
    {.name = "unmqr", .types = "cz", .sizes = "mnk", .alpha = 1, .flags = FLAGS([BENCH_SIDE] = "LR"), .steady = true,
     .shape = shape_apply, .elements = elements_apply, .typed = COMPLEX_TYPES(apply), .views = views_apply,
     .residual = residual_apply, .openblas = COMPLEX_TYPES(openblas_apply),
     .cusolver = {CUSOLVER("cusolverDn?unmqr_bufferSize", "cusolverDn?unmqr"), cusolver_apply, cusolver_apply_size},
     .scalapack = {SCALAPACK(ormqr, unmqr), scalapack_apply}},
    {.name = "orgqr", .types = "sd", .sizes = "mnk", .alpha = 1,
     .shape = shape_form, .elements = elements_form, .typed = {[TSL_S] = s_form, [TSL_D] = d_form}, .views = views_form,
     .residual = residual_form, .openblas = {[TSL_S] = s_openblas_form, [TSL_D] = d_openblas_form},
     .cusolver = {CUSOLVER("cusolverDn?orgqr_bufferSize", "cusolverDn?orgqr"), cusolver_form, cusolver_form_size},
     .scalapack = {SCALAPACK(orgqr, ungqr), scalapack_form}},
    {.name = "ungqr", .types = "cz", .sizes = "mnk", .alpha = 1,
     .shape = shape_form, .elements = elements_form, .typed = COMPLEX_TYPES(form), .views = views_form,
     .residual = residual_form, .openblas = COMPLEX_TYPES(openblas_form),
     .cusolver = {CUSOLVER("cusolverDn?ungqr_bufferSize", "cusolverDn?ungqr"), cusolver_form, cusolver_form_size},
     .scalapack = {SCALAPACK(orgqr, ungqr), scalapack_form}},
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
