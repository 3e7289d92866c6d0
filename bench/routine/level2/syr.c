/* Updates of a symmetric or Hermitian matrix by vectors, of rank 1 and 2. */
#ifdef T
static tsl_status FN(syr)(bench_problem *p)
{
    return CALL(syr)(p->ctx, FLAG(UPLO), p->c.n, (T)p->c.alpha, DATA(0), 1, DATA(1), LD(1));
}

static tsl_status FN(her)(bench_problem *p)
{
    return CALL(PAIR(syr, her))(p->ctx, FLAG(UPLO), p->c.n, (R)creal(p->c.alpha), DATA(0), 1, DATA(1), LD(1));
}

static tsl_status FN(rank_2)(bench_problem *p, typeof(&CALL(syr2)) call)
{
    return call(p->ctx, FLAG(UPLO), p->c.n, (T)p->c.alpha, DATA(0), 1, DATA(1), 1, DATA(2), LD(2));
}

static tsl_status FN(syr2)(bench_problem *p) { return FN(rank_2)(p, CALL(syr2)); }
static tsl_status FN(her2)(bench_problem *p) { return FN(rank_2)(p, CALL(PAIR(syr2, her2))); }

/* As syrk and syr2k of one column: CBLAS has no complex syr and syr2. */
static bool FN(openblas_syr)(bench_problem *p)
{
    T alpha = (T)p->c.alpha;
#ifdef COMPLEX
    T one = 1;
    CBLAS(syrk)(CblasColMajor, blas_uplo(p), CblasNoTrans, (int)p->c.n, 1, &alpha, HOST(0), HOST_LD(0), &one, HOST(1),
                HOST_LD(1));
#else
    CBLAS(syr)(CblasColMajor, blas_uplo(p), (int)p->c.n, alpha, HOST(0), 1, HOST(1), HOST_LD(1));
#endif
    return true;
}

static bool FN(openblas_syr2)(bench_problem *p)
{
    T alpha = (T)p->c.alpha;
#ifdef COMPLEX
    T one = 1;
    CBLAS(syr2k)(CblasColMajor, blas_uplo(p), CblasNoTrans, (int)p->c.n, 1, &alpha, HOST(0), HOST_LD(0), HOST(1), HOST_LD(1),
                 &one, HOST(2), HOST_LD(2));
#else
    CBLAS(syr2)(CblasColMajor, blas_uplo(p), (int)p->c.n, alpha, HOST(0), 1, HOST(1), 1, HOST(2), HOST_LD(2));
#endif
    return true;
}

static bool FN(openblas_her)(bench_problem *p)
{
    CBLAS(PAIR(syr, her))(CblasColMajor, blas_uplo(p), (int)p->c.n, (R)creal(p->c.alpha), HOST(0), 1, HOST(1), HOST_LD(1));
    return true;
}

static bool FN(openblas_her2)(bench_problem *p)
{
    T alpha = (T)p->c.alpha;
    CBLAS(PAIR(syr2, her2))(CblasColMajor, blas_uplo(p), (int)p->c.n, SCALAR(alpha), HOST(0), 1, HOST(1), 1, HOST(2),
                            HOST_LD(2));
    return true;
}

#else
#include "bench/routine.h"

#define BENCH_FAMILY "bench/routine/level2/syr.c"
#include "bench/each_type.h"

static int shape_rank_1(const bench_case *c, bench_shape *is)
{
    is[0] = vector_of(c->n, BENCH_RANDOM);
    is[1] = triangle_of(c, c->n, BENCH_RANDOM);
    return 2;
}

static int shape_rank_2(const bench_case *c, bench_shape *is)
{
    is[0] = is[1] = vector_of(c->n, BENCH_RANDOM);
    is[2] = triangle_of(c, c->n, BENCH_RANDOM);
    return 3;
}

static double elements_rank_1(const bench_case *c) { return 2 * half_of(c->n) + c->n; }
static double elements_rank_2(const bench_case *c) { return 2 * half_of(c->n) + 2.0 * c->n; }

/* Vectors are factors with one column. */
static double residual_vectors(const bench_problem *p, tsl_op mirror)
{
    bench_problem q = *p;
    q.c.k = 1;
    q.c.beta = 1;
    q.c.flag[BENCH_TRANS] = 'N';
    return bench_residual_of_update(&q, mirror);
}

static double residual_sy_vectors(const bench_problem *p) { return residual_vectors(p, TSL_TRANS); }
static double residual_he_vectors(const bench_problem *p) { return residual_vectors(p, adjoint(p)); }

typedef int rank_1_call(void *, int, int64_t, const void *, const void *, int64_t, void *, int64_t);
typedef int rank_2_call(void *, int, int64_t, const void *, const void *, int64_t, const void *, int64_t, void *, int64_t);

static bool cublas_rank_1(bench_cuda *b, bench_problem *p)
{
    bench_number alpha = bench_alpha(p);
    return !((rank_1_call *)b->f[0])(b->handle, cuda_uplo(p), p->c.n, &alpha, DEVICE(0), 1, DEVICE(1), DEVICE_LD(1));
}

static bool cublas_rank_2(bench_cuda *b, bench_problem *p)
{
    bench_number alpha = bench_alpha(p);
    return !((rank_2_call *)b->f[0])(b->handle, cuda_uplo(p), p->c.n, &alpha, DEVICE(0), 1, DEVICE(1), 1, DEVICE(2),
                                     DEVICE_LD(2));
}

#define RANK_1                                                                                                                 \
    .alpha = -1, .sizes = "n", .steady = true, .by_bytes = true, .flags = FLAGS([BENCH_UPLO] = "LU"), .shape = shape_rank_1,   \
    .elements = elements_rank_1
#define RANK_2                                                                                                                 \
    .alpha = -1, .sizes = "n", .steady = true, .by_bytes = true, .flags = FLAGS([BENCH_UPLO] = "LU"), .shape = shape_rank_2,   \
    .elements = elements_rank_2

static const bench_routine routines[] = {
    {.name = "syr", RANK_1, .typed = TYPES(syr), .residual = residual_sy_vectors, .openblas = TYPES(openblas_syr),
     .cublas = {CUBLAS(syr, syr), cublas_rank_1}},
    {.name = "her", .types = "cz", .real_alpha = true, RANK_1, .typed = TYPES(her), .residual = residual_he_vectors,
     .openblas = TYPES(openblas_her), .cublas = {CUBLAS(syr, her), cublas_rank_1}},
    {.name = "syr2", RANK_2, .typed = TYPES(syr2), .residual = residual_sy_vectors, .openblas = TYPES(openblas_syr2),
     .cublas = {CUBLAS(syr2, syr2), cublas_rank_2}},
    {.name = "her2", .types = "cz", RANK_2, .typed = TYPES(her2), .residual = residual_he_vectors, .openblas = TYPES(openblas_her2),
     .cublas = {CUBLAS(syr2, her2), cublas_rank_2}},
};

const bench_family bench_syr = FAMILY(routines);
#endif
