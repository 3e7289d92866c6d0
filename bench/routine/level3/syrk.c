/* Updates of a symmetric or Hermitian matrix by products of rank k and 2k. */
#ifdef T
static tsl_status FN(syrk)(bench_problem *p)
{
    const bench_case *c = &p->c;
    return CALL(syrk)(p->ctx, FLAG(UPLO), FLAG(TRANS), c->n, c->k, (T)c->alpha, DATA(0), LD(0), (T)c->beta, DATA(1), LD(1));
}

static tsl_status FN(syr2k)(bench_problem *p)
{
    const bench_case *c = &p->c;
    return CALL(syr2k)(p->ctx, FLAG(UPLO), FLAG(TRANS), c->n, c->k, (T)c->alpha, DATA(0), LD(0), DATA(1), LD(1), (T)c->beta,
                       DATA(2), LD(2));
}

#ifdef COMPLEX
static tsl_status FN(herk)(bench_problem *p)
{
    const bench_case *c = &p->c;
    return CALL(herk)(p->ctx, FLAG(UPLO), FLAG(TRANS), c->n, c->k, (R)creal(c->alpha), DATA(0), LD(0), (R)creal(c->beta),
                      DATA(1), LD(1));
}

static tsl_status FN(her2k)(bench_problem *p)
{
    const bench_case *c = &p->c;
    return CALL(her2k)(p->ctx, FLAG(UPLO), FLAG(TRANS), c->n, c->k, (T)c->alpha, DATA(0), LD(0), DATA(1), LD(1),
                       (R)creal(c->beta), DATA(2), LD(2));
}
#endif

static bool FN(openblas_syrk)(bench_problem *p)
{
    const bench_case *c = &p->c;
    T alpha = (T)c->alpha, beta = (T)c->beta;
    CBLAS(syrk)(CblasColMajor, blas_uplo(p), blas_op(FLAG(TRANS)), (int)c->n, (int)c->k, SCALAR(alpha), HOST(0), HOST_LD(0),
                SCALAR(beta), HOST(1), HOST_LD(1));
    return true;
}

static bool FN(openblas_herk)(bench_problem *p)
{
    const bench_case *c = &p->c;
    CBLAS(PAIR(syrk, herk))(CblasColMajor, blas_uplo(p), blas_op(FLAG(TRANS)), (int)c->n, (int)c->k, (R)creal(c->alpha),
                            HOST(0), HOST_LD(0), (R)creal(c->beta), HOST(1), HOST_LD(1));
    return true;
}

static bool FN(openblas_syr2k)(bench_problem *p)
{
    const bench_case *c = &p->c;
    T alpha = (T)c->alpha, beta = (T)c->beta;
    CBLAS(syr2k)(CblasColMajor, blas_uplo(p), blas_op(FLAG(TRANS)), (int)c->n, (int)c->k, SCALAR(alpha), HOST(0), HOST_LD(0),
                 HOST(1), HOST_LD(1), SCALAR(beta), HOST(2), HOST_LD(2));
    return true;
}

static bool FN(openblas_her2k)(bench_problem *p)
{
    const bench_case *c = &p->c;
    T alpha = (T)c->alpha;
    CBLAS(PAIR(syr2k, her2k))(CblasColMajor, blas_uplo(p), blas_op(FLAG(TRANS)), (int)c->n, (int)c->k, SCALAR(alpha), HOST(0),
                              HOST_LD(0), HOST(1), HOST_LD(1), (R)creal(c->beta), HOST(2), HOST_LD(2));
    return true;
}

#else
#include "bench/routine.h"

#define BENCH_FAMILY "bench/routine/level3/syrk.c"
#include "bench/each_type.h"

/* By one factor, or by two. A Hermitian C has random imaginary parts on its diagonal: they must be taken as zero. */
static int shape(const bench_case *c, bench_shape *is, int factors)
{
    for (int i = 0; i < factors; i++)
        is[i] = factor_of(bench_trans(c, i), c->n, c->k, read_if(c->alpha));
    is[factors] = triangle_of(c, c->n, read_if(c->beta));
    return factors + 1;
}

static int shape_rank_k(const bench_case *c, bench_shape *is) { return shape(c, is, 1); }
static int shape_rank_2k(const bench_case *c, bench_shape *is) { return shape(c, is, 2); }

static double elements_rank_k(const bench_case *c) { return 1.0 * c->n * c->k + touches(c) * half_of(c->n); }
static double elements_rank_2k(const bench_case *c) { return 2.0 * c->n * c->k + touches(c) * half_of(c->n); }

static tsl_status views_syrk(bench_problem *p) { return tsl_syrk(p->ctx, p->c.alpha, in(p, 0), p->c.beta, out(p)); }
static tsl_status views_herk(bench_problem *p)
{
    return tsl_herk(p->ctx, creal(p->c.alpha), in(p, 0), creal(p->c.beta), out(p));
}
static tsl_status views_syr2k(bench_problem *p) { return tsl_syr2k(p->ctx, p->c.alpha, in(p, 0), in(p, 1), p->c.beta, out(p)); }
static tsl_status views_her2k(bench_problem *p)
{
    return tsl_her2k(p->ctx, p->c.alpha, in(p, 0), in(p, 1), creal(p->c.beta), out(p));
}

static double reference(const bench_problem *p, tsl_op mirror, tsl_scalar *expected)
{
    const bench_case *c = &p->c;
    const bench_array *A = &p->a[0], *B = &p->a[p->count - 2];
    tsl_op opA = op_of(p, 0), opB = op_of(p, p->count - 2);
    dense C = seen(&p->a[p->count - 1], TSL_NOTRANS);
    bool touched = (c->alpha != 0 && c->k > 0) || c->beta != 1; /* if not, even the diagonal's imaginary part stays */
    for (int64_t j = 0; j < c->n && mirror == TSL_HERM && touched; j++)
        *at(C, j, j) = creal(*at(C, j, j));
    double scale = multiply(c->alpha, seen(A, opA), seen(B, (tsl_op)(opB ^ mirror)), c->beta, C);
    if (p->count == 3)
        scale += multiply(mirror == TSL_HERM ? conj(c->alpha) : c->alpha, seen(B, opB), seen(A, (tsl_op)(opA ^ mirror)), 1, C);
    return deliver(C, expected, scale);
}

static double residual_sy(const bench_problem *p) { return bench_residual_of_update(p, TSL_TRANS); }
static double residual_he(const bench_problem *p) { return bench_residual_of_update(p, adjoint(p)); }
static double reference_sy(const bench_problem *p, tsl_scalar *expected) { return reference(p, TSL_TRANS, expected); }
static double reference_he(const bench_problem *p, tsl_scalar *expected) { return reference(p, TSL_HERM, expected); }

typedef int rank_k_call(void *, int, int, int64_t, int64_t, const void *, const void *, int64_t, const void *, void *, int64_t);
typedef int rank_2k_call(void *, int, int, int64_t, int64_t, const void *, const void *, int64_t, const void *, int64_t,
                         const void *, void *, int64_t);

static bool cublas_rank_k(bench_cuda *b, bench_problem *p)
{
    bench_number alpha = bench_alpha(p), beta = bench_beta(p);
    return !((rank_k_call *)b->f[0])(b->handle, cuda_uplo(p), cuda_op(FLAG(TRANS)), p->c.n, p->c.k, &alpha, DEVICE(0),
                                     DEVICE_LD(0), &beta, DEVICE(1), DEVICE_LD(1));
}

static bool cublas_rank_2k(bench_cuda *b, bench_problem *p)
{
    bench_number alpha = bench_alpha(p), beta = bench_beta(p);
    return !((rank_2k_call *)b->f[0])(b->handle, cuda_uplo(p), cuda_op(FLAG(TRANS)), p->c.n, p->c.k, &alpha, DEVICE(0),
                                      DEVICE_LD(0), DEVICE(1), DEVICE_LD(1), &beta, DEVICE(2), DEVICE_LD(2));
}

typedef void prank_k(const char *, const char *, const int *, const int *, const void *, const void *, const int *, const int *,
                     const int *, const void *, void *, const int *, const int *, const int *);
typedef void prank_2k(const char *, const char *, const int *, const int *, const void *, const void *, const int *,
                      const int *, const int *, const void *, const int *, const int *, const int *, const void *, void *,
                      const int *, const int *, const int *);

static bool scalapack_rank_k(bench_blacs *s, bench_problem *p)
{
    int n = (int)p->c.n, k = (int)p->c.k;
    bench_number alpha = bench_alpha(p), beta = bench_beta(p);
    part A = part_of(s, p, 0), C = part_of(s, p, 1);
    ((prank_k *)s->f)(&FLAG(UPLO), &FLAG(TRANS), &n, &k, &alpha, PART(A), &beta, PART(C));
    return true;
}

static bool scalapack_rank_2k(bench_blacs *s, bench_problem *p)
{
    int n = (int)p->c.n, k = (int)p->c.k;
    bench_number alpha = bench_alpha(p), beta = bench_beta(p);
    part A = part_of(s, p, 0), B = part_of(s, p, 1), C = part_of(s, p, 2);
    ((prank_2k *)s->f)(&FLAG(UPLO), &FLAG(TRANS), &n, &k, &alpha, PART(A), PART(B), &beta, PART(C));
    return true;
}

#define UPDATE(letters, ...)                                                                                                   \
    {                                                                                                                          \
        {[BENCH_UPLO] = "LU", [BENCH_TRANS] = "NTC", __VA_ARGS__}, {[BENCH_UPLO] = "LU", [BENCH_TRANS] = letters, __VA_ARGS__} \
    }
#define RANK_K .alpha = -1, .beta = 1, .sizes = "nk", .steady = true, .shape = shape_rank_k, .elements = elements_rank_k
#define RANK_2K .alpha = -1, .beta = 1, .sizes = "nk", .steady = true, .shape = shape_rank_2k, .elements = elements_rank_2k

static const bench_routine routines[] = {
    {.name = "syrk", .flags = UPDATE("NT"), RANK_K, .typed = TYPES(syrk), .views = views_syrk, .residual = residual_sy,
     .reference = reference_sy,
     .openblas = TYPES(openblas_syrk), .cublas = {CUBLAS(syrk, syrk), cublas_rank_k},
     .scalapack = {SCALAPACK(syrk, syrk), scalapack_rank_k}},
    {.name = "herk", .flags = UPDATE("NC"), .real_alpha = true, .real_beta = true, RANK_K, .typed = COMPLEX_TYPES(herk),
     .views = views_herk,
     .residual = residual_he, .reference = reference_he, .openblas = TYPES(openblas_herk),
     .cublas = {CUBLAS(syrk, herk), cublas_rank_k},
     .scalapack = {SCALAPACK(syrk, herk), scalapack_rank_k}},
    {.name = "syr2k", .flags = UPDATE("NT", [BENCH_TRANSB] = ""), RANK_2K, .typed = TYPES(syr2k), .views = views_syr2k,
     .residual = residual_sy,
     .reference = reference_sy, .openblas = TYPES(openblas_syr2k), .cublas = {CUBLAS(syr2k, syr2k), cublas_rank_2k},
     .scalapack = {SCALAPACK(syr2k, syr2k), scalapack_rank_2k}},
    {.name = "her2k", .flags = UPDATE("NC", [BENCH_TRANSB] = ""), .real_beta = true, RANK_2K, .typed = COMPLEX_TYPES(her2k),
     .views = views_her2k,
     .residual = residual_he, .reference = reference_he, .openblas = TYPES(openblas_her2k),
     .cublas = {CUBLAS(syr2k, her2k), cublas_rank_2k},
     .scalapack = {SCALAPACK(syr2k, her2k), scalapack_rank_2k}},
};

const bench_family bench_syrk = FAMILY(routines);
#endif
