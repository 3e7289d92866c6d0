/* Packed triangles and vectors: spmv, tpmv, tpsv, spr, spr2; of complex types hpmv, hpr, hpr2. */
#ifdef T
static tsl_status FN(spmv)(bench_problem *p)
{
    return CALL(PAIR(spmv, hpmv))(p->ctx, FLAG(UPLO), p->c.n, (T)p->c.alpha, DATA(0), DATA(1), 1, (T)p->c.beta, DATA(2), 1);
}

static tsl_status FN(triangular)(bench_problem *p, typeof(&CALL(tpmv)) call)
{
    return call(p->ctx, FLAG(UPLO), FLAG(TRANS), FLAG(DIAG), p->c.n, DATA(0), DATA(1), 1);
}

static tsl_status FN(tpmv)(bench_problem *p) { return FN(triangular)(p, CALL(tpmv)); }
static tsl_status FN(tpsv)(bench_problem *p) { return FN(triangular)(p, CALL(tpsv)); }

static tsl_status FN(spr)(bench_problem *p)
{
    return CALL(PAIR(spr, hpr))(p->ctx, FLAG(UPLO), p->c.n, (R)creal(p->c.alpha), DATA(0), 1, DATA(1));
}

static tsl_status FN(spr2)(bench_problem *p)
{
    return CALL(PAIR(spr2, hpr2))(p->ctx, FLAG(UPLO), p->c.n, (T)p->c.alpha, DATA(0), 1, DATA(1), 1, DATA(2));
}

static bool FN(openblas_spmv)(bench_problem *p)
{
    T alpha = (T)p->c.alpha, beta = (T)p->c.beta;
    CBLAS(PAIR(spmv, hpmv))(CblasColMajor, blas_uplo(p), (int)p->c.n, SCALAR(alpha), HOST(0), HOST(1), 1, SCALAR(beta), HOST(2),
                            1);
    return true;
}

static bool FN(openblas_triangular)(bench_problem *p, typeof(&CBLAS(tpmv)) call)
{
    call(CblasColMajor, blas_uplo(p), blas_op(FLAG(TRANS)), blas_diag(p), (int)p->c.n, HOST(0), HOST(1), 1);
    return true;
}

static bool FN(openblas_tpmv)(bench_problem *p) { return FN(openblas_triangular)(p, CBLAS(tpmv)); }
static bool FN(openblas_tpsv)(bench_problem *p) { return FN(openblas_triangular)(p, CBLAS(tpsv)); }

static bool FN(openblas_spr)(bench_problem *p)
{
    CBLAS(PAIR(spr, hpr))(CblasColMajor, blas_uplo(p), (int)p->c.n, (R)creal(p->c.alpha), HOST(0), 1, HOST(1));
    return true;
}

static bool FN(openblas_spr2)(bench_problem *p)
{
    T alpha = (T)p->c.alpha;
    CBLAS(PAIR(spr2, hpr2))(CblasColMajor, blas_uplo(p), (int)p->c.n, SCALAR(alpha), HOST(0), 1, HOST(1), 1, HOST(2));
    return true;
}

#else
#include "bench/routine.h"
#include "bench/problem/storage.h"

#define BENCH_FAMILY "bench/routine/level2/packed.c"
#include "bench/each_type.h"

static bench_shape triangle(const bench_case *c, bench_fill fill)
{
    return (bench_shape){.rows = c->n * (c->n + 1) / 2,
                         .cols = 1,
                         .storage = BENCH_PACKED,
                         .height = c->n,
                         .order = c->n,
                         .triangle = uplo_of(c),
                         .diag = diag_of(c),
                         .fill = fill};
}

static int shape_spmv(const bench_case *c, bench_shape *is)
{
    is[0] = triangle(c, BENCH_RANDOM);
    is[1] = is[2] = vector_of(c->n, BENCH_RANDOM);
    return 3;
}

static int shape_tpmv(const bench_case *c, bench_shape *is)
{
    is[0] = triangle(c, BENCH_SOLVABLE);
    is[1] = vector_of(c->n, BENCH_RANDOM);
    return 2;
}

static int shape_spr(const bench_case *c, bench_shape *is)
{
    is[0] = vector_of(c->n, BENCH_RANDOM);
    is[1] = triangle(c, BENCH_RANDOM);
    return 2;
}

static int shape_spr2(const bench_case *c, bench_shape *is)
{
    is[0] = is[1] = vector_of(c->n, BENCH_RANDOM);
    is[2] = triangle(c, BENCH_RANDOM);
    return 3;
}

static double elements_spmv(const bench_case *c) { return half_of(c->n) + (1 + touches(c)) * c->n; }
static double elements_tpmv(const bench_case *c) { return half_of(c->n) + 2.0 * c->n; }
static double elements_spr(const bench_case *c) { return 2 * half_of(c->n) + c->n; }
static double elements_spr2(const bench_case *c) { return 2 * half_of(c->n) + 2.0 * c->n; }

static double residual_spmv(const bench_problem *p) { return bench_residual_by_vector(p, adjoint(p)); }
static double residual_tpmv(const bench_problem *p) { return bench_residual_triangular(p, false); }
static double residual_tpsv(const bench_problem *p) { return bench_residual_triangular(p, true); }

/* A - A0 - alpha x y^T, element by element; with two vectors also what that is mirrored to */
static double residual_update(const bench_problem *p)
{
    const bench_array *A = &p->a[p->count - 1], *X = &p->a[0], *Y = &p->a[p->count - 2];
    bool hermitian = adjoint(p) == TSL_HERM, two = p->count == 3;
    double error = 0, size = 0, nx = 0, ny = 0;
    for (int64_t j = 0; j < A->is.order; j++) {
        bench_segment c = bench_segment_of(A, j);
        tsl_scalar xj = stored(X, X->first, j, 0), yj = stored(Y, Y->first, j, 0), alpha = p->c.alpha;
        nx += creal(xj * conj(xj));
        ny += creal(yj * conj(yj));
        for (int64_t i = c.from; i < c.to; i++) {
            int64_t at = c.at + i - c.from;
            tsl_scalar a0 = stored(A, A->first, at, 0), xi = stored(X, X->first, i, 0), yi = stored(Y, Y->first, i, 0);
            if (hermitian && i == j)
                a0 = creal(a0);
            tsl_scalar want = a0 + alpha * xi * (hermitian ? conj(yj) : yj);
            if (two)
                want += (hermitian ? conj(alpha) : alpha) * yi * (hermitian ? conj(xj) : xj);
            double off = cabs(stored(A, A->work, at, 0) - want);
            error += off * off;
            size += creal(a0 * conj(a0));
        }
    }
    double scale = sqrt(size) + (two ? 2 : 1) * cabs(p->c.alpha) * sqrt(nx) * sqrt(ny);
    return error == 0 ? 0 : sqrt(error) / (tsl_type_eps(p->c.type) * scale);
}

typedef int spmv_call(void *, int, int64_t, const void *, const void *, const void *, int64_t, const void *, void *, int64_t);
typedef int tpmv_call(void *, int, int, int, int64_t, const void *, void *, int64_t);
typedef int spr_call(void *, int, int64_t, const void *, const void *, int64_t, void *);
typedef int spr2_call(void *, int, int64_t, const void *, const void *, int64_t, const void *, int64_t, void *);

static bool cublas_spmv(bench_cuda *b, bench_problem *p)
{
    bench_number alpha = bench_alpha(p), beta = bench_beta(p);
    return !((spmv_call *)b->f[0])(b->handle, cuda_uplo(p), p->c.n, &alpha, DEVICE(0), DEVICE(1), 1, &beta, DEVICE(2), 1);
}

static bool cublas_tpmv(bench_cuda *b, bench_problem *p)
{
    return !((tpmv_call *)b->f[0])(b->handle, cuda_uplo(p), cuda_op(FLAG(TRANS)), cuda_diag(p), p->c.n, DEVICE(0), DEVICE(1),
                                   1);
}

static bool cublas_spr(bench_cuda *b, bench_problem *p)
{
    bench_number alpha = bench_alpha(p);
    return !((spr_call *)b->f[0])(b->handle, cuda_uplo(p), p->c.n, &alpha, DEVICE(0), 1, DEVICE(1));
}

static bool cublas_spr2(bench_cuda *b, bench_problem *p)
{
    bench_number alpha = bench_alpha(p);
    return !((spr2_call *)b->f[0])(b->handle, cuda_uplo(p), p->c.n, &alpha, DEVICE(0), 1, DEVICE(1), 1, DEVICE(2));
}

#define PACKED(of_shape, count)                                                                                                \
    .sizes = "n", .alpha = -1, .by_bytes = true, .steady = true, .shape = of_shape, .elements = count
#define UPLO .flags = FLAGS([BENCH_UPLO] = "LU")
#define TRIANGULAR .flags = FLAGS([BENCH_UPLO] = "LU", [BENCH_TRANS] = "NTC", [BENCH_DIAG] = "NU"), PACKED(shape_tpmv, elements_tpmv)
#define SPMV                                                                                                                   \
    .beta = 1, UPLO, PACKED(shape_spmv, elements_spmv), .typed = TYPES(spmv), .residual = residual_spmv,                       \
    .openblas = TYPES(openblas_spmv), .cublas = {CUBLAS(spmv, hpmv), cublas_spmv}
#define SPR                                                                                                                    \
    UPLO, PACKED(shape_spr, elements_spr), .typed = TYPES(spr), .residual = residual_update,                                   \
    .openblas = TYPES(openblas_spr), .cublas = {CUBLAS(spr, hpr), cublas_spr}
#define SPR2                                                                                                                   \
    UPLO, PACKED(shape_spr2, elements_spr2), .typed = TYPES(spr2), .residual = residual_update,                                \
    .openblas = TYPES(openblas_spr2), .cublas = {CUBLAS(spr2, hpr2), cublas_spr2}

static const bench_routine routines[] = {
    {.name = "spmv", .types = "sd", SPMV},
    {.name = "hpmv", .types = "cz", SPMV},
    {.name = "tpmv", TRIANGULAR, .typed = TYPES(tpmv), .residual = residual_tpmv, .openblas = TYPES(openblas_tpmv),
     .cublas = {CUBLAS(tpmv, tpmv), cublas_tpmv}},
    {.name = "tpsv", TRIANGULAR, .typed = TYPES(tpsv), .residual = residual_tpsv, .openblas = TYPES(openblas_tpsv),
     .cublas = {CUBLAS(tpsv, tpsv), cublas_tpmv}},
    {.name = "spr", .types = "sd", SPR},
    {.name = "hpr", .types = "cz", .real_alpha = true, SPR},
    {.name = "spr2", .types = "sd", SPR2},
    {.name = "hpr2", .types = "cz", SPR2},
};

const bench_family bench_packed = FAMILY(routines);
#endif
