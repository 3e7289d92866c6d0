/* Band matrices and a vector: gbmv, sbmv of real and hbmv of complex types, tbmv, tbsv. k is the number of diagonals on a side.
 */
#ifdef T
static tsl_status FN(gbmv)(bench_problem *p)
{
    const bench_case *c = &p->c;
    return CALL(gbmv)(p->ctx, FLAG(TRANS), c->m, c->n, c->k, c->k, (T)c->alpha, DATA(0), LD(0), DATA(1), 1, (T)c->beta, DATA(2),
                      1);
}

static tsl_status FN(sbmv)(bench_problem *p)
{
    const bench_case *c = &p->c;
    return CALL(PAIR(sbmv, hbmv))(p->ctx, FLAG(UPLO), c->n, c->k, (T)c->alpha, DATA(0), LD(0), DATA(1), 1, (T)c->beta, DATA(2),
                                  1);
}

static tsl_status FN(triangular)(bench_problem *p, typeof(&CALL(tbmv)) call)
{
    return call(p->ctx, FLAG(UPLO), FLAG(TRANS), FLAG(DIAG), p->c.n, p->c.k, DATA(0), LD(0), DATA(1), 1);
}

static tsl_status FN(tbmv)(bench_problem *p) { return FN(triangular)(p, CALL(tbmv)); }
static tsl_status FN(tbsv)(bench_problem *p) { return FN(triangular)(p, CALL(tbsv)); }

static bool FN(openblas_gbmv)(bench_problem *p)
{
    T alpha = (T)p->c.alpha, beta = (T)p->c.beta;
    int k = (int)p->c.k;
    CBLAS(gbmv)(CblasColMajor, blas_op(FLAG(TRANS)), (int)p->c.m, (int)p->c.n, k, k, SCALAR(alpha), HOST(0), HOST_LD(0),
                HOST(1), 1, SCALAR(beta), HOST(2), 1);
    return true;
}

static bool FN(openblas_sbmv)(bench_problem *p)
{
    T alpha = (T)p->c.alpha, beta = (T)p->c.beta;
    CBLAS(PAIR(sbmv, hbmv))(CblasColMajor, blas_uplo(p), (int)p->c.n, (int)p->c.k, SCALAR(alpha), HOST(0), HOST_LD(0), HOST(1),
                            1, SCALAR(beta), HOST(2), 1);
    return true;
}

static bool FN(openblas_triangular)(bench_problem *p, typeof(&CBLAS(tbmv)) call)
{
    call(CblasColMajor, blas_uplo(p), blas_op(FLAG(TRANS)), blas_diag(p), (int)p->c.n, (int)p->c.k, HOST(0), HOST_LD(0),
         HOST(1), 1);
    return true;
}

static bool FN(openblas_tbmv)(bench_problem *p) { return FN(openblas_triangular)(p, CBLAS(tbmv)); }
static bool FN(openblas_tbsv)(bench_problem *p) { return FN(openblas_triangular)(p, CBLAS(tbsv)); }

#else
#include "bench/routine.h"
#include "bench/problem/storage.h"

#define BENCH_FAMILY "bench/routine/level2/band.c"
#include "bench/each_type.h"

static int shape_gbmv(const bench_case *c, bench_shape *is)
{
    bool turned = bench_op(c->flag[BENCH_TRANS]) & TSL_TRANS;
    is[0] = (bench_shape){.rows = 2 * c->k + 1,
                          .cols = c->n,
                          .storage = BENCH_BAND,
                          .height = c->m,
                          .order = c->n,
                          .k = c->k,
                          .triangle = TSL_GENERAL,
                          .fill = BENCH_RANDOM};
    is[1] = vector_of(turned ? c->m : c->n, BENCH_RANDOM);
    is[2] = vector_of(turned ? c->n : c->m, BENCH_RANDOM);
    return 3;
}

static bench_shape triangle(const bench_case *c, bench_fill fill)
{
    return (bench_shape){.rows = c->k + 1,
                         .cols = c->n,
                         .storage = BENCH_BAND,
                         .height = c->n,
                         .order = c->n,
                         .k = c->k,
                         .triangle = uplo_of(c),
                         .diag = diag_of(c),
                         .fill = fill};
}

static int shape_sbmv(const bench_case *c, bench_shape *is)
{
    is[0] = triangle(c, BENCH_RANDOM);
    is[1] = is[2] = vector_of(c->n, BENCH_RANDOM);
    return 3;
}

static int shape_tbmv(const bench_case *c, bench_shape *is)
{
    is[0] = triangle(c, BENCH_SOLVABLE);
    is[1] = vector_of(c->n, BENCH_RANDOM);
    return 2;
}

static double elements_gbmv(const bench_case *c) { return (2.0 * c->k + 1) * c->n + c->n + touches(c) * c->m; }
static double elements_sbmv(const bench_case *c) { return (1.0 * c->k + 1) * c->n + (1 + touches(c)) * c->n; }
static double elements_tbmv(const bench_case *c) { return (1.0 * c->k + 1) * c->n + 2.0 * c->n; }

static double residual_gbmv(const bench_problem *p) { return bench_residual_by_vector(p, TSL_NOTRANS); }
static double residual_sbmv(const bench_problem *p) { return bench_residual_by_vector(p, adjoint(p)); }
static double residual_tbmv(const bench_problem *p) { return bench_residual_triangular(p, false); }
static double residual_tbsv(const bench_problem *p) { return bench_residual_triangular(p, true); }

typedef int gbmv_call(void *, int, int64_t, int64_t, int64_t, int64_t, const void *, const void *, int64_t, const void *,
                      int64_t, const void *, void *, int64_t);
typedef int sbmv_call(void *, int, int64_t, int64_t, const void *, const void *, int64_t, const void *, int64_t, const void *,
                      void *, int64_t);
typedef int tbmv_call(void *, int, int, int, int64_t, int64_t, const void *, int64_t, void *, int64_t);

static bool cublas_gbmv(bench_cuda *b, bench_problem *p)
{
    bench_number alpha = bench_alpha(p), beta = bench_beta(p);
    return !((gbmv_call *)b->f[0])(b->handle, cuda_op(FLAG(TRANS)), p->c.m, p->c.n, p->c.k, p->c.k, &alpha, DEVICE(0),
                                   DEVICE_LD(0), DEVICE(1), 1, &beta, DEVICE(2), 1);
}

static bool cublas_sbmv(bench_cuda *b, bench_problem *p)
{
    bench_number alpha = bench_alpha(p), beta = bench_beta(p);
    return !((sbmv_call *)b->f[0])(b->handle, cuda_uplo(p), p->c.n, p->c.k, &alpha, DEVICE(0), DEVICE_LD(0), DEVICE(1), 1,
                                   &beta, DEVICE(2), 1);
}

static bool cublas_tbmv(bench_cuda *b, bench_problem *p)
{
    return !((tbmv_call *)b->f[0])(b->handle, cuda_uplo(p), cuda_op(FLAG(TRANS)), cuda_diag(p), p->c.n, p->c.k, DEVICE(0),
                                   DEVICE_LD(0), DEVICE(1), 1);
}

#define BANDED(of_shape, count)                                                                                                \
    .alpha = -1, .banded = true, .by_bytes = true, .steady = true, .shape = of_shape, .elements = count
#define UPLO FLAGS([BENCH_UPLO] = "LU")
#define TRIANGULAR .sizes = "nk", .flags = FLAGS([BENCH_UPLO] = "LU", [BENCH_TRANS] = "NTC", [BENCH_DIAG] = "NU"), BANDED(shape_tbmv, elements_tbmv)
#define SYMMETRIC .sizes = "nk", .beta = 1, .flags = UPLO, BANDED(shape_sbmv, elements_sbmv), .typed = TYPES(sbmv), .residual = residual_sbmv

static const bench_routine routines[] = {
    {.name = "gbmv", .sizes = "mnk", .beta = 1, .flags = FLAGS([BENCH_TRANS] = "NTC"), BANDED(shape_gbmv, elements_gbmv),
     .typed = TYPES(gbmv),
     .residual = residual_gbmv, .openblas = TYPES(openblas_gbmv), .cublas = {CUBLAS(gbmv, gbmv), cublas_gbmv}},
    {.name = "sbmv", .types = "sd", SYMMETRIC, .openblas = TYPES(openblas_sbmv), .cublas = {CUBLAS(sbmv, hbmv), cublas_sbmv}},
    {.name = "hbmv", .types = "cz", SYMMETRIC, .openblas = TYPES(openblas_sbmv), .cublas = {CUBLAS(sbmv, hbmv), cublas_sbmv}},
    {.name = "tbmv", TRIANGULAR, .typed = TYPES(tbmv), .residual = residual_tbmv, .openblas = TYPES(openblas_tbmv),
     .cublas = {CUBLAS(tbmv, tbmv), cublas_tbmv}},
    {.name = "tbsv", TRIANGULAR, .typed = TYPES(tbsv), .residual = residual_tbsv, .openblas = TYPES(openblas_tbsv),
     .cublas = {CUBLAS(tbsv, tbsv), cublas_tbmv}},
};

const bench_family bench_band = FAMILY(routines);
#endif
