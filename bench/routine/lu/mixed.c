/* Solutions in mixed precision: dsgesv and zcgesv, dsposv and zcposv. Their names begin with the type's letter, as all do:
 * sgesv is dsgesv's. Rivals that are asked for the solution, not for how, solve in double precision. */
#ifdef T
static tsl_status FN(gesv)(bench_problem *p)
{
    return CALL(gesv)(p->ctx, p->c.n, p->c.k, DATA(0), LD(0), DATA(1), DATA(2), LD(2), DATA(3), LD(3), NULL, NULL);
}

static tsl_status FN(posv)(bench_problem *p)
{
    return CALL(posv)(p->ctx, FLAG(UPLO), p->c.n, p->c.k, DATA(0), LD(0), DATA(1), LD(1), DATA(2), LD(2), NULL, NULL);
}

/* What LAPACK works in: the residual, A and the right-hand sides in single precision, and the sizes of A's rows */
typedef struct FN(room) {
    T *residual;
    LOW *low;
    double *rows;
} FN(room);

static FN(room) FN(room_of)(const bench_problem *p)
{
    size_t n = (size_t)p->c.n, k = (size_t)p->c.k;
    char *room = bench_room_for(&bench_openblas_work, n * k * sizeof(T) + n * (n + k) * sizeof(LOW) + n * sizeof(double));
    char *low = room ? room + n * k * sizeof(T) : NULL;
    return (FN(room)){(void *)room, (void *)low, room ? (void *)(low + n * (n + k) * sizeof(LOW)) : NULL};
}

static bool FN(openblas_gesv)(bench_problem *p)
{
    FN(room) r = FN(room_of)(p);
    lapack_int turns;
    bool done = r.residual && LAPACK(gesv_work)(LAPACK_COL_MAJOR, (lapack_int)p->c.n, (lapack_int)p->c.k, HOST(0), HOST_LD(0), HOST(1), HOST(2),
                                                HOST_LD(2), HOST(3), HOST_LD(3), r.residual, r.low ROWS(r.rows), &turns) == 0;
    widen(p, 1);
    return done;
}

static bool FN(openblas_posv)(bench_problem *p)
{
    FN(room) r = FN(room_of)(p);
    lapack_int turns;
    return r.residual && LAPACK(posv_work)(LAPACK_COL_MAJOR, FLAG(UPLO), (lapack_int)p->c.n, (lapack_int)p->c.k, HOST(0), HOST_LD(0), HOST(1),
                                           HOST_LD(1), HOST(2), HOST_LD(2), r.residual, r.low ROWS(r.rows), &turns) == 0;
}

#else
#include "bench/residual/pivots.h"

#define T double
#define LOW float
#define FN(name) d_##name
#define CALL(name) tsl_ds##name
#define LAPACK(name) LAPACKE_ds##name
#define ROWS(r)
#include "bench/routine/lu/mixed.c"
#undef T
#undef LOW
#undef FN
#undef CALL
#undef LAPACK
#undef ROWS

#define T tsl_cdouble
#define LOW tsl_cfloat
#define FN(name) z_##name
#define CALL(name) tsl_zc##name
#define LAPACK(name) LAPACKE_zc##name
#define ROWS(r) , r
#include "bench/routine/lu/mixed.c"

/* A, B and at last X, which is the result; of a general A its pivots after it */
static int shape_gesv(const bench_case *c, bench_shape *is)
{
    is[0] = matrix_of(c->n, c->n, BENCH_RANDOM);
    is[1] = vector_of(c->n, BENCH_FOR_PIVOTS);
    is[2] = matrix_of(c->n, c->k, BENCH_RANDOM);
    is[3] = matrix_of(c->n, c->k, BENCH_NOT_READ);
    return 4;
}

static int shape_posv(const bench_case *c, bench_shape *is)
{
    is[0] = triangle_of(c, c->n, BENCH_POSITIVE);
    is[1] = matrix_of(c->n, c->k, BENCH_RANDOM);
    is[2] = matrix_of(c->n, c->k, BENCH_NOT_READ);
    return 3;
}

static double elements_gesv(const bench_case *c) { return 1.0 * c->n * c->n + 2.0 * c->n * c->k; }
static double elements_posv(const bench_case *c) { return half_of(c->n) + 2.0 * c->n * c->k; }

static tsl_view right(const bench_problem *p) { return bench_view(p, p->count - 2, 'N'); }

static tsl_status views_solve(bench_problem *p) { return tsl_solve(p->ctx, bench_view(p, 0, 'N'), right(p), out(p), NULL, NULL); }

/* A X - B, as LAPACK measures it where it refines: beside sqrt(n) |A| |X| */
static double residual_solve(const bench_problem *p)
{
    int64_t n = p->c.n, k = p->c.k;
    scratch s = {.e = &bench_elements_of[p->c.type]};
    bench_block A = before(p, 0), X = after(p);
    tsl_op mirror = A.part == TSL_GENERAL ? TSL_NOTRANS : TSL_HERM;
    double *x = random_vector(&s, k), *r = whole_times(&s, A, mirror, TSL_NOTRANS, times(&s, X, TSL_NOTRANS, x));
    minus(&s, 1, times(&s, before(p, p->count - 2), TSL_NOTRANS, x), r, n, 1, 1);
    return finish(&s, p, r, n, x, k, sqrt((double)n) * frobenius(&s, A) * frobenius(&s, X));
}

typedef int lu_size(void *, void *, int64_t, int64_t, int, const void *, int64_t, int, size_t *, size_t *);
typedef int lu_call(void *, void *, int64_t, int64_t, int, void *, int64_t, void *, int, void *, size_t, void *, size_t, void *);
typedef int lu_solve(void *, void *, int, int64_t, int64_t, int, const void *, int64_t, const void *, int, void *, int64_t, void *);
typedef int cholesky_size(void *, void *, int, int64_t, int, const void *, int64_t, int, size_t *, size_t *);
typedef int cholesky_call(void *, void *, int, int64_t, int, void *, int64_t, int, void *, size_t, void *, size_t, void *);
typedef int cholesky_solve(void *, void *, int, int64_t, int64_t, int, const void *, int64_t, int, void *, int64_t, void *);
typedef int mixed_size(void *, void *, int, int, size_t *);
typedef int mixed_call(void *, void *, void *, int, int, void *, int, void *, int, void *, int, void *, size_t, int *, int *);

/* In double precision, with X := B first */
static bool cusolver_gesv_size(bench_cuda *s, bench_problem *p)
{
    int t = cuda_type(p);
    return !((lu_size *)s->f[0])(s->handle, s->params, p->c.n, p->c.n, t, DEVICE(0), DEVICE_LD(0), t, &s->device_bytes, &s->host_bytes);
}

static bool cusolver_gesv(bench_cuda *s, bench_problem *p)
{
    int t = cuda_type(p);
    return !tsl_copy(p->ctx, right(p), out(p)) &&
           !((lu_call *)s->f[1])(s->handle, s->params, p->c.n, p->c.n, t, DEVICE(0), DEVICE_LD(0), DEVICE(1), t, s->device, s->device_bytes,
                                 s->host, s->host_bytes, s->info) &&
           !((lu_solve *)s->f[2])(s->handle, s->params, CUDA_NO_TRANS, p->c.n, p->c.k, t, DEVICE(0), DEVICE_LD(0), DEVICE(1), t, DEVICE(3),
                                  DEVICE_LD(3), s->info);
}

static bool cusolver_posv_size(bench_cuda *s, bench_problem *p)
{
    int t = cuda_type(p);
    return !((cholesky_size *)s->f[0])(s->handle, s->params, cuda_uplo(p), p->c.n, t, DEVICE(0), DEVICE_LD(0), t, &s->device_bytes, &s->host_bytes);
}

static bool cusolver_posv(bench_cuda *s, bench_problem *p)
{
    int t = cuda_type(p);
    return !tsl_copy(p->ctx, right(p), out(p)) &&
           !((cholesky_call *)s->f[1])(s->handle, s->params, cuda_uplo(p), p->c.n, t, DEVICE(0), DEVICE_LD(0), t, s->device, s->device_bytes,
                                       s->host, s->host_bytes, s->info) &&
           !((cholesky_solve *)s->f[2])(s->handle, s->params, cuda_uplo(p), p->c.n, p->c.k, t, DEVICE(0), DEVICE_LD(0), t, DEVICE(2),
                                        DEVICE_LD(2), s->info);
}

/* Its own, by factors of single precision */
static bool cusolver_mixed_size(bench_cuda *s, bench_problem *p)
{
    return !((mixed_size *)s->f[0])(s->handle, s->refinement, (int)p->c.n, (int)p->c.k, &s->device_bytes);
}

static bool cusolver_mixed(bench_cuda *s, bench_problem *p)
{
    int turns;
    return !((mixed_call *)s->f[1])(s->handle, s->refinement, s->history, (int)p->c.n, (int)p->c.k, DEVICE(0), (int)DEVICE_LD(0), DEVICE(2),
                                    (int)DEVICE_LD(2), DEVICE(3), (int)DEVICE_LD(3), s->device, s->device_bytes, &turns, s->info);
}

#define GESV \
    .sizes = "nk", .alpha = 1, .has_info = true, .writes_all = true, .shape = shape_gesv, .elements = elements_gesv, .views = views_solve, \
    .residual = residual_solve, \
    .cusolver = {CUSOLVER("cusolverDnXgetrf_bufferSize", "cusolverDnXgetrf", "cusolverDnXgetrs"), cusolver_gesv, cusolver_gesv_size}
#define POSV \
    .sizes = "nk", .alpha = 1, .flags = FLAGS([BENCH_UPLO] = "LU"), .has_info = true, .writes_all = true, .shape = shape_posv, \
    .elements = elements_posv, .views = views_solve, .residual = residual_solve, \
    .cusolver = {CUSOLVER("cusolverDnXpotrf_bufferSize", "cusolverDnXpotrf", "cusolverDnXpotrs"), cusolver_posv, cusolver_posv_size}

static const bench_routine routines[] = {
    {.name = "sgesv", .operation = "refine", .types = "d", GESV, .typed = {[TSL_D] = d_gesv}, .openblas = {[TSL_D] = d_openblas_gesv},
     .cusolver_mixed = {CUSOLVER("cusolverDnIRSXgesv_bufferSize", "cusolverDnIRSXgesv"), cusolver_mixed, cusolver_mixed_size}},
    {.name = "cgesv", .operation = "refine", .types = "z", GESV, .typed = {[TSL_Z] = z_gesv}, .openblas = {[TSL_Z] = z_openblas_gesv},
     .cusolver_mixed = {CUSOLVER("cusolverDnIRSXgesv_bufferSize", "cusolverDnIRSXgesv"), cusolver_mixed, cusolver_mixed_size}},
    {.name = "sposv", .operation = "refine", .types = "d", POSV, .typed = {[TSL_D] = d_posv}, .openblas = {[TSL_D] = d_openblas_posv}},
    {.name = "cposv", .operation = "refine", .types = "z", POSV, .typed = {[TSL_Z] = z_posv}, .openblas = {[TSL_Z] = z_openblas_posv}},
};

const bench_family bench_mixed = FAMILY(routines);
#endif
