/* Products and solves with a triangle: trmm, trsm, and of one column trmv, trsv. */
#ifdef T
static tsl_status FN(by_matrix)(bench_problem *p, typeof(&CALL(trmm)) call)
{
    const bench_case *c = &p->c;
    return call(p->ctx, FLAG(SIDE), FLAG(UPLO), FLAG(TRANS), FLAG(DIAG), c->m, c->n, (T)c->alpha, DATA(0), LD(0), DATA(1),
                LD(1));
}

static tsl_status FN(by_vector)(bench_problem *p, typeof(&CALL(trmv)) call)
{
    return call(p->ctx, FLAG(UPLO), FLAG(TRANS), FLAG(DIAG), p->c.n, DATA(0), LD(0), DATA(1), 1);
}

static tsl_status FN(trmm)(bench_problem *p) { return FN(by_matrix)(p, CALL(trmm)); }
static tsl_status FN(trsm)(bench_problem *p) { return FN(by_matrix)(p, CALL(trsm)); }
static tsl_status FN(trmv)(bench_problem *p) { return FN(by_vector)(p, CALL(trmv)); }
static tsl_status FN(trsv)(bench_problem *p) { return FN(by_vector)(p, CALL(trsv)); }

static bool FN(openblas_by_matrix)(bench_problem *p, typeof(&CBLAS(trmm)) call)
{
    T alpha = (T)p->c.alpha;
    call(CblasColMajor, blas_side(p), blas_uplo(p), blas_op(FLAG(TRANS)), blas_diag(p), (int)p->c.m, (int)p->c.n, SCALAR(alpha),
         HOST(0), HOST_LD(0), HOST(1), HOST_LD(1));
    return true;
}

static bool FN(openblas_by_vector)(bench_problem *p, typeof(&CBLAS(trmv)) call)
{
    call(CblasColMajor, blas_uplo(p), blas_op(FLAG(TRANS)), blas_diag(p), (int)p->c.n, HOST(0), HOST_LD(0), HOST(1), 1);
    return true;
}

static bool FN(openblas_trmm)(bench_problem *p) { return FN(openblas_by_matrix)(p, CBLAS(trmm)); }
static bool FN(openblas_trsm)(bench_problem *p) { return FN(openblas_by_matrix)(p, CBLAS(trsm)); }
static bool FN(openblas_trmv)(bench_problem *p) { return FN(openblas_by_vector)(p, CBLAS(trmv)); }
static bool FN(openblas_trsv)(bench_problem *p) { return FN(openblas_by_vector)(p, CBLAS(trsv)); }

#else
#include "bench/routine.h"

#define BENCH_FAMILY "bench/routine/level3/trmm.c"
#include "bench/each_type.h"

static int shape_by_matrix(const bench_case *c, bench_shape *is)
{
    is[0] = triangle_of(c, order_of(c), c->alpha != 0 ? BENCH_SOLVABLE : BENCH_NOT_READ);
    is[1] = matrix_of(c->m, c->n, read_if(c->alpha));
    return 2;
}

static int shape_by_vector(const bench_case *c, bench_shape *is)
{
    is[0] = triangle_of(c, c->n, BENCH_SOLVABLE);
    is[1] = vector_of(c->n, BENCH_RANDOM);
    return 2;
}

static double elements_by_matrix(const bench_case *c) { return half_of(order_of(c)) + 2.0 * c->m * c->n; }
static double elements_by_vector(const bench_case *c) { return half_of(c->n) + 2.0 * c->n; }

static tsl_status views_trmm(bench_problem *p) { return tsl_trmm(p->ctx, side(p), p->c.alpha, in(p, 0), out(p)); }
static tsl_status views_trsm(bench_problem *p) { return tsl_trsm(p->ctx, side(p), p->c.alpha, in(p, 0), out(p)); }
static tsl_status views_trsv(bench_problem *p) { return tsl_trsv(p->ctx, in(p, 0), out(p)); }

/* X - alpha op(A) B0, or from the right X - alpha B0 op(A) */
static double residual_trmm(const bench_problem *p)
{
    const bench_case *c = &p->c;
    scratch s = {.e = &bench_elements_of[c->type]};
    double scale = 0, *x = random_vector(&s, c->n), *r = times(&s, after(p), TSL_NOTRANS, x);
    if (c->alpha != 0)
        scale = minus(&s, c->alpha, sided_times(&s, p, TSL_NOTRANS, before(p, 1), TSL_NOTRANS, x), r, c->m,
                      frobenius(&s, before(p, 0)), frobenius(&s, before(p, 1)));
    return finish(&s, p, r, c->m, x, c->n, scale);
}

/* op(A) X - alpha B0, or X op(A) - alpha B0 */
static double residual_trsm(const bench_problem *p)
{
    const bench_case *c = &p->c;
    scratch s = {.e = &bench_elements_of[c->type]};
    bench_block X = after(p);
    double *x = random_vector(&s, c->n);
    if (c->alpha == 0)
        return finish(&s, p, times(&s, X, TSL_NOTRANS, x), c->m, x, c->n, 0);
    double *r = sided_times(&s, p, TSL_NOTRANS, X, TSL_NOTRANS, x);
    minus(&s, c->alpha, times(&s, before(p, 1), TSL_NOTRANS, x), r, c->m, 1, 1);
    return finish(&s, p, r, c->m, x, c->n, frobenius(&s, before(p, 0)) * frobenius(&s, X));
}

static double reference_trmm(const bench_problem *p, tsl_scalar *expected)
{
    return sided_product(p, seen(&p->a[0], op_of(p, 0)), seen(&p->a[1], TSL_NOTRANS), 0, dense_new(p->c.m, p->c.n), expected);
}

/* X op(A) = alpha B is op(A)^T X^T = alpha B^T. */
static double reference_trsm(const bench_problem *p, tsl_scalar *expected)
{
    const bench_case *c = &p->c;
    tsl_op turn = c->flag[BENCH_SIDE] == 'L' ? TSL_NOTRANS : TSL_TRANS;
    tsl_op op = (tsl_op)(op_of(p, 0) ^ turn);
    dense A = seen(&p->a[0], op), B = seen(&p->a[1], turn), X = dense_new(c->m, c->n);
    for (int64_t i = 0; i < B.rows * B.cols; i++)
        B.v[i] *= c->alpha;
    if (c->alpha != 0)
        substitute(A, (p->a[0].is.part == TSL_LOWER) == !(op & TSL_TRANS), B);
    for (int64_t j = 0; j < c->n; j++)
        for (int64_t i = 0; i < c->m; i++)
            *at(X, i, j) = turn ? *at(B, j, i) : *at(B, i, j);
    double scale = (double)(A.rows + 1) * largest(X);
    free(A.v);
    free(B.v);
    return deliver(X, expected, scale);
}

/* Calls with a vector have no alpha. */
static bench_problem with_one(const bench_problem *p)
{
    bench_problem q = as_column(p);
    q.c.alpha = 1;
    return q;
}

static double residual_trmv(const bench_problem *p)
{
    bench_problem q = with_one(p);
    return residual_trmm(&q);
}

static double residual_trsv(const bench_problem *p)
{
    bench_problem q = with_one(p);
    return residual_trsm(&q);
}

static double reference_trsv(const bench_problem *p, tsl_scalar *expected)
{
    bench_problem q = with_one(p);
    return reference_trsm(&q, expected);
}

typedef int trmm_call(void *, int, int, int, int, int64_t, int64_t, const void *, const void *, int64_t, const void *, int64_t,
                      void *, int64_t);
typedef int trsm_call(void *, int, int, int, int, int64_t, int64_t, const void *, const void *, int64_t, void *, int64_t);
typedef int vector_call(void *, int, int, int, int64_t, const void *, int64_t, void *, int64_t);

static bool cublas_trmm(bench_cuda *b, bench_problem *p) /* out of place, unless its output is B */
{
    bench_number alpha = bench_alpha(p);
    return !((trmm_call *)b->f[0])(b->handle, cuda_side(p), cuda_uplo(p), cuda_op(FLAG(TRANS)), cuda_diag(p), p->c.m, p->c.n,
                                   &alpha, DEVICE(0), DEVICE_LD(0), DEVICE(1), DEVICE_LD(1), DEVICE(1), DEVICE_LD(1));
}

static bool cublas_trsm(bench_cuda *b, bench_problem *p)
{
    bench_number alpha = bench_alpha(p);
    return !((trsm_call *)b->f[0])(b->handle, cuda_side(p), cuda_uplo(p), cuda_op(FLAG(TRANS)), cuda_diag(p), p->c.m, p->c.n,
                                   &alpha, DEVICE(0), DEVICE_LD(0), DEVICE(1), DEVICE_LD(1));
}

static bool cublas_by_vector(bench_cuda *b, bench_problem *p)
{
    return !((vector_call *)b->f[0])(b->handle, cuda_uplo(p), cuda_op(FLAG(TRANS)), cuda_diag(p), p->c.n, DEVICE(0),
                                     DEVICE_LD(0), DEVICE(1), 1);
}

typedef void ptrmm(const char *, const char *, const char *, const char *, const int *, const int *, const void *, const void *,
                   const int *, const int *, const int *, void *, const int *, const int *, const int *);

static bool scalapack(bench_blacs *s, bench_problem *p)
{
    int m = (int)p->c.m, n = (int)p->c.n;
    bench_number alpha = bench_alpha(p);
    part A = part_of(s, p, 0), B = part_of(s, p, 1);
    ((ptrmm *)s->f)(&FLAG(SIDE), &FLAG(UPLO), &FLAG(TRANS), &FLAG(DIAG), &m, &n, &alpha, PART(A), PART(B));
    return true;
}

#define TRIANGLE [BENCH_UPLO] = "LU", [BENCH_TRANS] = "NTC", [BENCH_DIAG] = "NU"
#define BY_MATRIX                                                                                                              \
    .sizes = "mn", .alpha = 1, .flags = FLAGS([BENCH_SIDE] = "LR", TRIANGLE), .shape = shape_by_matrix,                        \
    .elements = elements_by_matrix
#define BY_VECTOR                                                                                                              \
    .sizes = "n", .by_bytes = true, .steady = true, .flags = FLAGS(TRIANGLE), .shape = shape_by_vector, .elements = elements_by_vector

static const bench_routine routines[] = {
    {.name = "trmm", BY_MATRIX, .typed = TYPES(trmm), .views = views_trmm, .residual = residual_trmm, .reference = reference_trmm,
     .openblas = TYPES(openblas_trmm), .cublas = {CUBLAS(trmm, trmm), cublas_trmm},
     .scalapack = {SCALAPACK(trmm, trmm), scalapack}},
    {.name = "trsm", BY_MATRIX, .steady = true, .typed = TYPES(trsm), .views = views_trsm, .residual = residual_trsm,
     .reference = reference_trsm,
     .openblas = TYPES(openblas_trsm), .cublas = {CUBLAS(trsm, trsm), cublas_trsm},
     .scalapack = {SCALAPACK(trsm, trsm), scalapack}},
    {.name = "trsv", BY_VECTOR, .alpha = 1, .typed = TYPES(trsv), .views = views_trsv, .residual = residual_trsv,
     .reference = reference_trsv, .openblas = TYPES(openblas_trsv), .cublas = {CUBLAS(trsv, trsv), cublas_by_vector}},
    {.name = "trmv", BY_VECTOR, .alpha = -1, .typed = TYPES(trmv), .residual = residual_trmv,
     .openblas = TYPES(openblas_trmv), .cublas = {CUBLAS(trmv, trmv), cublas_by_vector}},
};

const bench_family bench_trmm = FAMILY(routines);
#endif
