/* LU: getrf, getrs, gesv, getri, laswp, and with incremental pivoting gesv_incpiv. Pivots of random matrices are decided by
 * roundings: where they are looked for there is no reference. */
#ifdef T
static tsl_status FN(getrf)(bench_problem *p) { return CALL(getrf)(p->ctx, p->c.m, p->c.n, DATA(1), LD(1), DATA(0), NULL); }
static tsl_status FN(getri)(bench_problem *p) { return CALL(getri)(p->ctx, p->c.n, DATA(1), LD(1), DATA(0), NULL); }
static tsl_status FN(laswp)(bench_problem *p) { return CALL(laswp)(p->ctx, p->c.n, DATA(1), LD(1), 1, p->c.m, DATA(0), 1); }

static tsl_status FN(getrs)(bench_problem *p)
{
    return CALL(getrs)(p->ctx, FLAG(TRANS), p->c.n, p->c.k, DATA(0), LD(0), DATA(1), DATA(2), LD(2), NULL);
}

static tsl_status FN(gesv)(bench_problem *p)
{
    return CALL(gesv)(p->ctx, p->c.n, p->c.k, DATA(0), LD(0), DATA(1), DATA(2), LD(2), NULL);
}

static tsl_status FN(gesv_incpiv)(bench_problem *p)
{
    return CALL(gesv_incpiv)(p->ctx, p->c.n, p->c.k, DATA(0), LD(0), DATA(1), LD(1), NULL);
}

static bool FN(openblas_getrf)(bench_problem *p)
{
    bool done = LAPACK(getrf_work)(LAPACK_COL_MAJOR, (lapack_int)p->c.m, (lapack_int)p->c.n, HOST(1), HOST_LD(1), HOST(0)) == 0;
    widen(p, 0);
    return done;
}

static bool FN(openblas_gesv)(bench_problem *p)
{
    bool done = LAPACK(gesv_work)(LAPACK_COL_MAJOR, (lapack_int)p->c.n, (lapack_int)p->c.k, HOST(0), HOST_LD(0), HOST(1),
                                  HOST(2), HOST_LD(2)) == 0;
    widen(p, 1);
    return done;
}

/* With partial pivoting */
static bool FN(openblas_gesv_incpiv)(bench_problem *p)
{
    lapack_int *pivots = bench_room_for(&bench_openblas_work, (size_t)p->c.n * sizeof *pivots);
    return pivots && LAPACK(gesv_work)(LAPACK_COL_MAJOR, (lapack_int)p->c.n, (lapack_int)p->c.k, HOST(0), HOST_LD(0), pivots, HOST(1),
                                       HOST_LD(1)) == 0;
}

static bool FN(openblas_getrs)(bench_problem *p)
{
    const lapack_int *pivots = narrow(p, 1);
    return pivots && LAPACK(getrs_work)(LAPACK_COL_MAJOR, FLAG(TRANS), (lapack_int)p->c.n, (lapack_int)p->c.k, HOST(0),
                                        HOST_LD(0), pivots, HOST(2), HOST_LD(2)) == 0;
}

static bool FN(openblas_getri)(bench_problem *p)
{
    const lapack_int *pivots = narrow(p, 0), length = (lapack_int)p->c.n * GETRI_BLOCK;
    T *work = bench_room_for(&bench_openblas_work, (size_t)length * sizeof *work);
    return pivots && work &&
           LAPACK(getri_work)(LAPACK_COL_MAJOR, (lapack_int)p->c.n, HOST(1), HOST_LD(1), pivots, work, length) == 0;
}

static bool FN(openblas_laswp)(bench_problem *p)
{
    const lapack_int *pivots = narrow(p, 0);
    return pivots &&
           LAPACK(laswp_work)(LAPACK_COL_MAJOR, (lapack_int)p->c.n, HOST(1), HOST_LD(1), 1, (lapack_int)p->c.m, pivots, 1) == 0;
}

#else
#include "bench/residual/pivots.h"

enum { GETRI_BLOCK = 64 };

#define BENCH_FAMILY "bench/routine/lu/lu.c"
#include "bench/each_type.h"

/* Where the result is A its pivots come first; A's factors are triangles that can be solved with. */
static int shape_getrf(const bench_case *c, bench_shape *is)
{
    is[0] = vector_of(c->m < c->n ? c->m : c->n, BENCH_FOR_PIVOTS);
    is[1] = matrix_of(c->m, c->n, c->dominant ? BENCH_DOMINANT : BENCH_RANDOM);
    return 2;
}

static int shape_laswp(const bench_case *c, bench_shape *is)
{
    is[0] = vector_of(c->m, BENCH_PIVOTS);
    is[1] = matrix_of(c->m, c->n, BENCH_RANDOM);
    return 2;
}

static int shape_getri(const bench_case *c, bench_shape *is)
{
    is[0] = vector_of(c->n, BENCH_PIVOTS);
    is[1] = matrix_of(c->n, c->n, BENCH_SOLVABLE);
    return 2;
}

static int shape_getrs(const bench_case *c, bench_shape *is)
{
    is[0] = matrix_of(c->n, c->n, BENCH_SOLVABLE);
    is[1] = vector_of(c->n, BENCH_PIVOTS);
    is[2] = matrix_of(c->n, c->k, BENCH_RANDOM);
    return 3;
}

static int shape_gesv(const bench_case *c, bench_shape *is)
{
    is[0] = matrix_of(c->n, c->n, c->dominant ? BENCH_DOMINANT : BENCH_RANDOM);
    is[1] = vector_of(c->n, BENCH_FOR_PIVOTS);
    is[2] = matrix_of(c->n, c->k, BENCH_RANDOM);
    return 3;
}

static int shape_gesv_incpiv(const bench_case *c, bench_shape *is)
{
    is[0] = matrix_of(c->n, c->n, BENCH_RANDOM);
    is[1] = matrix_of(c->n, c->k, BENCH_RANDOM);
    return 2;
}

static double elements_getrf(const bench_case *c) { return 2.0 * c->m * c->n; } /* and laswp */
static double elements_getrs(const bench_case *c) { return 1.0 * c->n * c->n + 2.0 * c->n * c->k; }
static double elements_gesv(const bench_case *c) { return 2.0 * c->n * (c->n + c->k); }
static double elements_getri(const bench_case *c) { return 2.0 * c->n * c->n; }

static tsl_status views_getrf(bench_problem *p) { return tsl_getrf(p->ctx, out(p), pivots(p), NULL); }
static tsl_status views_getrs(bench_problem *p) { return tsl_getrs(p->ctx, in(p, 0), pivots(p), out(p)); }
static tsl_status views_gesv(bench_problem *p) { return tsl_gesv(p->ctx, bench_view(p, 0, 'N'), pivots(p), out(p), NULL); }
static tsl_status views_gesv_incpiv(bench_problem *p) { return tsl_gesv_incpiv(p->ctx, bench_view(p, 0, 'N'), out(p), NULL); }
static tsl_status views_getri(bench_problem *p) { return tsl_getri(p->ctx, out(p), pivots(p), NULL); }
static tsl_status views_laswp(bench_problem *p) { return tsl_laswp(p->ctx, out(p), pivots(p), 0); }

/* P A - L U. Partial pivoting lets U grow, of random matrices little: the usual measure is n |A|. */
static double residual_getrf(const bench_problem *p)
{
    int64_t m = p->c.m, n = p->c.n;
    scratch s = {.e = &bench_elements_of[p->c.type]};
    bench_block A = before(p, 1);
    double *x = random_vector(&s, n), *r = times(&s, A, TSL_NOTRANS, x);
    bool good = exchange(&s, p, pivots_after(p), false, r, m);
    minus(&s, 1, factors_times(&s, after(p), TSL_NOTRANS, x), r, m, 1, 1);
    double ratio = finish(&s, p, r, m, x, n, (double)(m > n ? m : n) * frobenius(&s, A));
    return good ? ratio : INFINITY;
}

/* op(A) X - B0: A = P^T L U, A^T = U^T L^T P */
static double residual_getrs(const bench_problem *p)
{
    int64_t n = p->c.n, k = p->c.k;
    scratch s = {.e = &bench_elements_of[p->c.type]};
    bench_block F = before(p, 0), X = after(p);
    tsl_op op = op_of(p, 0);
    double *x = random_vector(&s, k), *y = times(&s, X, TSL_NOTRANS, x);
    if (op & TSL_TRANS)
        exchange(&s, p, pivots_before(p), false, y, n);
    double *r = factors_times(&s, F, op, y);
    if (!(op & TSL_TRANS))
        exchange(&s, p, pivots_before(p), true, r, n);
    minus(&s, 1, times(&s, before(p, 2), TSL_NOTRANS, x), r, n, 1, 1);
    return finish(&s, p, r, n, x, k, frobenius(&s, X) * frobenius(&s, lower_of(F)) * frobenius(&s, upper_of(F)));
}

/* A X - B0, measured as the factors are; with incremental pivoting they grow more, of random matrices not much */
static double residual_gesv(const bench_problem *p)
{
    int64_t n = p->c.n, k = p->c.k;
    scratch s = {.e = &bench_elements_of[p->c.type]};
    bench_block A = before(p, 0), X = after(p);
    double *x = random_vector(&s, k), *r = times(&s, A, TSL_NOTRANS, times(&s, X, TSL_NOTRANS, x));
    minus(&s, 1, times(&s, before(p, p->count - 1), TSL_NOTRANS, x), r, n, 1, 1);
    return finish(&s, p, r, n, x, k, (double)n * frobenius(&s, A) * frobenius(&s, X));
}

/* X A - I */
static double residual_getri(const bench_problem *p)
{
    int64_t n = p->c.n;
    scratch s = {.e = &bench_elements_of[p->c.type]};
    bench_block F = before(p, 1), X = after(p);
    double *x = random_vector(&s, n), *y = factors_times(&s, F, TSL_NOTRANS, x);
    exchange(&s, p, pivots_before(p), true, y, n);
    double *r = times(&s, X, TSL_NOTRANS, y);
    minus(&s, 1, x, r, n, 1, 1);
    return finish(&s, p, r, n, x, n, frobenius(&s, X) * frobenius(&s, lower_of(F)) * frobenius(&s, upper_of(F)));
}

/* P A0 - A: no element is rounded, but products with them are, each in its own order */
static double residual_laswp(const bench_problem *p)
{
    int64_t m = p->c.m, n = p->c.n;
    scratch s = {.e = &bench_elements_of[p->c.type]};
    double *x = random_vector(&s, n), *r = times(&s, before(p, 1), TSL_NOTRANS, x);
    exchange(&s, p, pivots_before(p), false, r, m);
    minus(&s, 1, times(&s, after(p), TSL_NOTRANS, x), r, m, 1, 1);
    return finish(&s, p, r, m, x, n, frobenius(&s, before(p, 1)));
}

/* B := inv(op(A)) B, A's factors in F */
static double solved(const bench_problem *p, const bench_array *F, tsl_op op, dense B, tsl_scalar *expected)
{
    dense L = seen(F, op), U = seen(F, op);
    bool turned = op & TSL_TRANS;
    for (int64_t j = 0; j < L.cols; j++) /* substitute looks at one triangle */
        *at(L, j, j) = 1;
    if (!turned)
        exchange_rows(p, false, B);
    substitute(turned ? U : L, true, B);
    substitute(turned ? L : U, false, B);
    if (turned)
        exchange_rows(p, true, B);
    double scale = (double)(L.rows + 1) * largest(B);
    free(L.v);
    free(U.v);
    return deliver(B, expected, scale);
}

static double reference_getrs(const bench_problem *p, tsl_scalar *expected)
{
    return solved(p, &p->a[0], op_of(p, 0), seen(&p->a[2], TSL_NOTRANS), expected);
}

static double reference_getri(const bench_problem *p, tsl_scalar *expected)
{
    return solved(p, &p->a[1], TSL_NOTRANS, identity(p->c.n), expected);
}

static double reference_laswp(const bench_problem *p, tsl_scalar *expected)
{
    dense A = seen(&p->a[1], TSL_NOTRANS);
    exchange_rows(p, false, A);
    return deliver(A, expected, 0);
}

typedef int factor_size(void *, void *, int64_t, int64_t, int, const void *, int64_t, int, size_t *, size_t *);
typedef int factor_call(void *, void *, int64_t, int64_t, int, void *, int64_t, void *, int, void *, size_t, void *, size_t,
                        void *);
typedef int solve_call(void *, void *, int, int64_t, int64_t, int, const void *, int64_t, const void *, int, void *, int64_t,
                       void *);

/* The result of getrf comes after its pivots, the matrix of gesv before. */
static bool size(bench_cuda *s, bench_problem *p, int A, int64_t m)
{
    int t = cuda_type(p);
    return !((factor_size *)s->f[0])(s->handle, s->params, m, p->c.n, t, DEVICE(A), DEVICE_LD(A), t, &s->device_bytes,
                                     &s->host_bytes);
}

static bool factor(bench_cuda *s, bench_problem *p, int A, int pivots, int64_t m)
{
    int t = cuda_type(p);
    return !((factor_call *)s->f[1])(s->handle, s->params, m, p->c.n, t, DEVICE(A), DEVICE_LD(A), DEVICE(pivots), t, s->device,
                                     s->device_bytes, s->host, s->host_bytes, s->info);
}

static bool solve(bench_cuda *s, bench_problem *p, void *f, char trans)
{
    int t = cuda_type(p);
    return !((solve_call *)f)(s->handle, s->params, cuda_op(trans), p->c.n, p->c.k, t, DEVICE(0), DEVICE_LD(0), DEVICE(1), t,
                              DEVICE(2), DEVICE_LD(2), s->info);
}

static bool cusolver_getrf_size(bench_cuda *s, bench_problem *p) { return size(s, p, 1, p->c.m); }
static bool cusolver_getrf(bench_cuda *s, bench_problem *p) { return factor(s, p, 1, 0, p->c.m); }
static bool cusolver_getrs(bench_cuda *s, bench_problem *p) { return solve(s, p, s->f[0], FLAG(TRANS)); }
static bool cusolver_gesv_size(bench_cuda *s, bench_problem *p) { return size(s, p, 0, p->c.n); }
static bool cusolver_gesv(bench_cuda *s, bench_problem *p) { return factor(s, p, 0, 1, p->c.n) && solve(s, p, s->f[2], 'N'); }

typedef void pgetrf(const int *, const int *, void *, const int *, const int *, const int *, int *, int *);
typedef void pgesv(const int *, const int *, void *, const int *, const int *, const int *, int *, void *, const int *,
                   const int *, const int *, int *);

/* Its pivots: one for each row of the matrix that is here, and a block more */
static int *own_pivots(bench_blacs *s, const part *A)
{
    return bench_room_for(&s->pivots, (size_t)(A->desc[8] + s->nb) * sizeof(int));
}

static bool scalapack_getrf(bench_blacs *s, bench_problem *p)
{
    int m = (int)p->c.m, n = (int)p->c.n, info = 0;
    part A = part_of(s, p, 1);
    int *exchanges = own_pivots(s, &A);
    if (exchanges)
        ((pgetrf *)s->f)(&m, &n, PART(A), exchanges, &info);
    return exchanges && info == 0;
}

static bool scalapack_gesv(bench_blacs *s, bench_problem *p)
{
    int n = (int)p->c.n, k = (int)p->c.k, info = 0;
    part A = part_of(s, p, 0), B = part_of(s, p, 2);
    int *exchanges = own_pivots(s, &A);
    if (exchanges)
        ((pgesv *)s->f)(&n, &k, PART(A), exchanges, PART(B), &info);
    return exchanges && info == 0;
}

#define GETRF "cusolverDnXgetrf_bufferSize", "cusolverDnXgetrf"

static const bench_routine routines[] = {
    {.name = "getrf", .sizes = "mn", .alpha = 1, .has_info = true, .writes_all = true,
     .shape = shape_getrf, .elements = elements_getrf, .typed = TYPES(getrf), .views = views_getrf,
     .residual = residual_getrf, .openblas = TYPES(openblas_getrf),
     .cusolver = {CUSOLVER(GETRF), cusolver_getrf, cusolver_getrf_size},
     .scalapack = {SCALAPACK(getrf, getrf), scalapack_getrf}},
    {.name = "getrs", .sizes = "nk", .alpha = 1, .flags = FLAGS([BENCH_TRANS] = "NTC"),
     .shape = shape_getrs, .elements = elements_getrs, .typed = TYPES(getrs), .views = views_getrs,
     .residual = residual_getrs, .reference = reference_getrs, .openblas = TYPES(openblas_getrs),
     .cusolver = {CUSOLVER("cusolverDnXgetrs"), cusolver_getrs}},
    {.name = "gesv", .sizes = "nk", .alpha = 1, .has_info = true, .writes_all = true,
     .shape = shape_gesv, .elements = elements_gesv, .typed = TYPES(gesv), .views = views_gesv, .residual = residual_gesv,
     .openblas = TYPES(openblas_gesv), .cusolver = {CUSOLVER(GETRF, "cusolverDnXgetrs"), cusolver_gesv, cusolver_gesv_size},
     .scalapack = {SCALAPACK(gesv, gesv), scalapack_gesv}},
    {.name = "gesv_incpiv", .sizes = "nk", .alpha = 1, .has_info = true, .writes_all = true, .shape = shape_gesv_incpiv,
     .elements = elements_gesv, .typed = TYPES(gesv_incpiv), .views = views_gesv_incpiv, .residual = residual_gesv,
     .openblas = TYPES(openblas_gesv_incpiv)},
    {.name = "getri", .sizes = "n", .alpha = 1, .has_info = true,
     .shape = shape_getri, .elements = elements_getri, .typed = TYPES(getri), .views = views_getri,
     .residual = residual_getri, .reference = reference_getri, .openblas = TYPES(openblas_getri)},
    {.name = "laswp", .sizes = "mn", .alpha = 1, .by_bytes = true, .steady = true,
     .shape = shape_laswp, .elements = elements_getrf, .typed = TYPES(laswp), .views = views_laswp,
     .residual = residual_laswp, .reference = reference_laswp, .openblas = TYPES(openblas_laswp)},
};

const bench_family bench_lu = FAMILY(routines);
#endif
