/* What the reflectors of QR are for: products with Q^H, ormqr and unmqr; Q itself, orgqr and ungqr. */
#ifdef T
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

#else
#include "bench/residual/reflectors.h"

#define BENCH_FAMILY "bench/routine/qr/ormqr.c"
#include "bench/each_type.h"

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

static double elements_apply(const bench_case *c) { return 1.0 * order_of(c) * c->k + 2.0 * c->m * c->n; }
static double elements_form(const bench_case *c) { return 1.0 * c->m * (c->k < least(c) ? c->k : least(c)) + 1.0 * c->m * least(c); }

static tsl_status views_apply(bench_problem *p)
{
    return tsl_ormqr(p->ctx, side(p), TSL_HERM, bench_view(p, 0, 'N'), bench_view(p, 1, 'N'), out(p));
}

static tsl_status views_form(bench_problem *p) { return tsl_orgqr(p->ctx, out(p), bench_view(p, 0, 'N')); }

static reflectors given(const bench_problem *p) { return (reflectors){before(p, 0), false, &p->a[1], p->a[1].first, false}; }

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
    reflect(&s, p, (reflectors){before(p, 1), false, &p->a[0], p->a[0].first, false}, false, y);
    minus(&s, 1, y, r, m, 1, 1);
    return finish(&s, p, r, m, x, n, (double)m);
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

typedef void pormqr(const char *, const char *, const int *, const int *, const int *, void *, const int *, const int *, const int *, void *, void *,
                    const int *, const int *, const int *, void *, const int *, int *, size_t, size_t);
typedef void porgqr(const int *, const int *, const int *, void *, const int *, const int *, const int *, void *, void *, const int *, int *);

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

static const bench_routine routines[] = {
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
};

const bench_family bench_ormqr = FAMILY(routines);
#endif
