/* Products with a symmetric or Hermitian matrix: symm, hemm, and of one column symv, hemv. */
#ifdef T
static tsl_status FN(by_matrix)(bench_problem *p, typeof(&CALL(symm)) call)
{
    const bench_case *c = &p->c;
    return call(p->ctx, FLAG(SIDE), FLAG(UPLO), c->m, c->n, (T)c->alpha, DATA(0), LD(0), DATA(1), LD(1), (T)c->beta, DATA(2),
                LD(2));
}

static tsl_status FN(by_vector)(bench_problem *p, typeof(&CALL(symv)) call)
{
    const bench_case *c = &p->c;
    return call(p->ctx, FLAG(UPLO), c->n, (T)c->alpha, DATA(0), LD(0), DATA(1), 1, (T)c->beta, DATA(2), 1);
}

static tsl_status FN(symm)(bench_problem *p) { return FN(by_matrix)(p, CALL(symm)); }
static tsl_status FN(symv)(bench_problem *p) { return FN(by_vector)(p, CALL(symv)); }
#ifdef COMPLEX
static tsl_status FN(hemm)(bench_problem *p) { return FN(by_matrix)(p, CALL(hemm)); }
static tsl_status FN(hemv)(bench_problem *p) { return FN(by_vector)(p, CALL(hemv)); }
#endif

static bool FN(openblas_by_matrix)(bench_problem *p, typeof(&CBLAS(symm)) call)
{
    const bench_case *c = &p->c;
    T alpha = (T)c->alpha, beta = (T)c->beta;
    call(CblasColMajor, blas_side(p), blas_uplo(p), (int)c->m, (int)c->n, SCALAR(alpha), HOST(0), HOST_LD(0), HOST(1),
         HOST_LD(1), SCALAR(beta), HOST(2), HOST_LD(2));
    return true;
}

static bool FN(openblas_symm)(bench_problem *p) { return FN(openblas_by_matrix)(p, CBLAS(symm)); }
static bool FN(openblas_hemm)(bench_problem *p) { return FN(openblas_by_matrix)(p, CBLAS(PAIR(symm, hemm))); }

/* Fortran's, because CBLAS has no complex one. */
static bool FN(openblas_symv)(bench_problem *p)
{
    T alpha = (T)p->c.alpha, beta = (T)p->c.beta;
    int n = (int)p->c.n, lda = HOST_LD(0), one = 1;
    FORTRAN(symv)(&FLAG(UPLO), &n, &alpha, HOST(0), &lda, HOST(1), &one, &beta, HOST(2), &one);
    return true;
}

static bool FN(openblas_hemv)(bench_problem *p)
{
    T alpha = (T)p->c.alpha, beta = (T)p->c.beta;
    CBLAS(PAIR(symv, hemv))(CblasColMajor, blas_uplo(p), (int)p->c.n, SCALAR(alpha), HOST(0), HOST_LD(0), HOST(1), 1,
                            SCALAR(beta), HOST(2), 1);
    return true;
}

#else
#include "bench/routine.h"

typedef void symv_call(const char *uplo, const int *n, const void *alpha, const void *A, const int *lda, const void *x,
                       const int *incx, const void *beta, void *y, const int *incy);
extern symv_call ssymv_, dsymv_, csymv_, zsymv_;

#define BENCH_FAMILY "bench/routine/level3/symm.c"
#include "bench/each_type.h"

/* Of a Hermitian A the diagonal's imaginary parts are random too: they must be taken as zero. */
static int shape_symm(const bench_case *c, bench_shape *is)
{
    is[0] = triangle_of(c, order_of(c), read_if(c->alpha));
    is[1] = factor_of(bench_trans(c, 1), c->m, c->n, read_if(c->alpha));
    is[2] = matrix_of(c->m, c->n, read_if(c->beta));
    return 3;
}

static int shape_symv(const bench_case *c, bench_shape *is)
{
    is[0] = triangle_of(c, c->n, read_if(c->alpha));
    is[1] = vector_of(c->n, read_if(c->alpha));
    is[2] = vector_of(c->n, read_if(c->beta));
    return 3;
}

static double elements_symm(const bench_case *c) { return half_of(order_of(c)) + (1 + touches(c)) * c->m * c->n; }
static double elements_symv(const bench_case *c) { return half_of(c->n) + (1 + touches(c)) * c->n; }

static tsl_status views_symm(bench_problem *p)
{
    return tsl_symm(p->ctx, side(p), p->c.alpha, in(p, 0), in(p, 1), p->c.beta, out(p));
}
static tsl_status views_hemm(bench_problem *p)
{
    return tsl_hemm(p->ctx, side(p), p->c.alpha, in(p, 0), in(p, 1), p->c.beta, out(p));
}
static tsl_status views_symv(bench_problem *p) { return tsl_symv(p->ctx, p->c.alpha, in(p, 0), in(p, 1), p->c.beta, out(p)); }
static tsl_status views_hemv(bench_problem *p) { return tsl_hemv(p->ctx, p->c.alpha, in(p, 0), in(p, 1), p->c.beta, out(p)); }

/* C - alpha op(H) op(B) - beta C0, or from the right op(B) op(H) */
static double residual(const bench_problem *p, tsl_op mirror)
{
    const bench_case *c = &p->c;
    scratch s = {.e = &bench_elements_of[c->type]};
    bench_block B = before(p, 1), C0 = before(p, 2);
    double scale = 0, *x = random_vector(&s, c->n), *r = times(&s, after(p), TSL_NOTRANS, x);
    if (c->alpha != 0)
        scale += minus(&s, c->alpha, sided_times(&s, p, mirror, B, op_of(p, 1), x), r, c->m,
                       M_SQRT2 * frobenius(&s, before(p, 0)), frobenius(&s, B));
    if (c->beta != 0)
        scale += minus(&s, c->beta, times(&s, C0, TSL_NOTRANS, x), r, c->m, 1, frobenius(&s, C0));
    return finish(&s, p, r, c->m, x, c->n, scale);
}

/* op(H), where the first operand is a triangle of H */
static dense mirrored(const bench_problem *p, tsl_op mirror)
{
    const bench_array *a = &p->a[0];
    tsl_op op = op_of(p, 0);
    dense H = seen(a, op), other = seen(a, (tsl_op)(op ^ mirror));
    for (int64_t j = 0; j < H.cols; j++)
        for (int64_t i = 0; i < H.rows; i++)
            *at(H, i, j) = i != j ? *at(H, i, j) + *at(other, i, j) : mirror == TSL_HERM ? creal(*at(H, i, i)) : *at(H, i, i);
    free(other.v);
    return H;
}

static double reference(const bench_problem *p, tsl_op mirror, tsl_scalar *expected)
{
    return sided_product(p, mirrored(p, mirror), seen(&p->a[1], op_of(p, 1)), p->c.beta, seen(&p->a[2], TSL_NOTRANS), expected);
}

static double residual_symm(const bench_problem *p) { return residual(p, TSL_TRANS); }
static double residual_hemm(const bench_problem *p) { return residual(p, adjoint(p)); }
static double reference_symm(const bench_problem *p, tsl_scalar *expected) { return reference(p, TSL_TRANS, expected); }
static double reference_hemm(const bench_problem *p, tsl_scalar *expected) { return reference(p, TSL_HERM, expected); }

static double residual_symv(const bench_problem *p)
{
    bench_problem q = as_column(p);
    return residual_symm(&q);
}

static double residual_hemv(const bench_problem *p)
{
    bench_problem q = as_column(p);
    return residual_hemm(&q);
}

static double reference_symv(const bench_problem *p, tsl_scalar *expected)
{
    bench_problem q = as_column(p);
    return reference_symm(&q, expected);
}

static double reference_hemv(const bench_problem *p, tsl_scalar *expected)
{
    bench_problem q = as_column(p);
    return reference_hemm(&q, expected);
}

typedef int cublas_matrix(void *, int, int, int64_t, int64_t, const void *, const void *, int64_t, const void *, int64_t,
                          const void *, void *, int64_t);
typedef int cublas_vector(void *, int, int64_t, const void *, const void *, int64_t, const void *, int64_t, const void *,
                          void *, int64_t);

static bool cublas_by_matrix(bench_cuda *b, bench_problem *p)
{
    bench_number alpha = bench_alpha(p), beta = bench_beta(p);
    return !((cublas_matrix *)b->f[0])(b->handle, cuda_side(p), cuda_uplo(p), p->c.m, p->c.n, &alpha, DEVICE(0), DEVICE_LD(0),
                                       DEVICE(1), DEVICE_LD(1), &beta, DEVICE(2), DEVICE_LD(2));
}

static bool cublas_by_vector(bench_cuda *b, bench_problem *p)
{
    bench_number alpha = bench_alpha(p), beta = bench_beta(p);
    return !((cublas_vector *)b->f[0])(b->handle, cuda_uplo(p), p->c.n, &alpha, DEVICE(0), DEVICE_LD(0), DEVICE(1), 1, &beta,
                                       DEVICE(2), 1);
}

typedef void psymm(const char *, const char *, const int *, const int *, const void *, const void *, const int *, const int *,
                   const int *, const void *, const int *, const int *, const int *, const void *, void *, const int *,
                   const int *, const int *);

static bool scalapack(bench_blacs *s, bench_problem *p)
{
    int m = (int)p->c.m, n = (int)p->c.n;
    bench_number alpha = bench_alpha(p), beta = bench_beta(p);
    part A = part_of(s, p, 0), B = part_of(s, p, 1), C = part_of(s, p, 2);
    ((psymm *)s->f)(&FLAG(SIDE), &FLAG(UPLO), &m, &n, &alpha, PART(A), PART(B), &beta, PART(C));
    return true;
}

#define SIDED FLAGS([BENCH_SIDE] = "LR", [BENCH_UPLO] = "LU", [BENCH_TRANS] = "", [BENCH_TRANSB] = "")

static const bench_routine routines[] = {
    {.name = "symm", .sizes = "mn", .alpha = -1, .beta = 1, .flags = SIDED,
     .shape = shape_symm, .elements = elements_symm, .typed = TYPES(symm), .views = views_symm, .residual = residual_symm,
     .reference = reference_symm, .openblas = TYPES(openblas_symm), .cublas = {CUBLAS(symm, symm), cublas_by_matrix},
     .scalapack = {SCALAPACK(symm, symm), scalapack}},
    {.name = "hemm", .sizes = "mn", .alpha = -1, .beta = 1, .flags = SIDED,
     .shape = shape_symm, .elements = elements_symm, .typed = COMPLEX_TYPES(hemm), .views = views_hemm,
     .residual = residual_hemm, .reference = reference_hemm, .openblas = TYPES(openblas_hemm),
     .cublas = {CUBLAS(symm, hemm), cublas_by_matrix},
     .scalapack = {SCALAPACK(symm, hemm), scalapack}},
    {.name = "symv", .sizes = "n", .alpha = 1, .by_bytes = true, .flags = FLAGS([BENCH_UPLO] = "LU"),
     .shape = shape_symv, .elements = elements_symv, .typed = TYPES(symv), .views = views_symv, .residual = residual_symv,
     .reference = reference_symv, .openblas = TYPES(openblas_symv), .cublas = {CUBLAS(symv, symv), cublas_by_vector}},
    {.name = "hemv", .sizes = "n", .alpha = 1, .by_bytes = true, .flags = FLAGS([BENCH_UPLO] = "LU"),
     .shape = shape_symv, .elements = elements_symv, .typed = COMPLEX_TYPES(hemv), .views = views_hemv,
     .residual = residual_hemv, .reference = reference_hemv, .openblas = TYPES(openblas_hemv),
     .cublas = {CUBLAS(symv, hemv), cublas_by_vector}},
};

const bench_family bench_symm = FAMILY(routines);
#endif
