/* Products of general matrices: gemm, and the triangle of one, gemmt. */
#ifdef T
static tsl_status FN(gemm)(bench_problem *p)
{
    const bench_case *c = &p->c;
    return CALL(gemm)(p->ctx, FLAG(TRANS), FLAG(TRANSB), c->m, c->n, c->k, (T)c->alpha, DATA(0), LD(0), DATA(1), LD(1),
                      (T)c->beta, DATA(2), LD(2));
}

static tsl_status FN(gemmt)(bench_problem *p)
{
    const bench_case *c = &p->c;
    return CALL(gemmt)(p->ctx, FLAG(UPLO), FLAG(TRANS), FLAG(TRANSB), c->n, c->k, (T)c->alpha, DATA(0), LD(0), DATA(1), LD(1),
                       (T)c->beta, DATA(2), LD(2));
}

static bool FN(openblas_gemm)(bench_problem *p)
{
    const bench_case *c = &p->c;
    T alpha = (T)c->alpha, beta = (T)c->beta;
    CBLAS(gemm)(CblasColMajor, blas_op(FLAG(TRANS)), blas_op(FLAG(TRANSB)), (int)c->m, (int)c->n, (int)c->k, SCALAR(alpha),
                HOST(0), HOST_LD(0), HOST(1), HOST_LD(1), SCALAR(beta), HOST(2), HOST_LD(2));
    return true;
}

#else
#include "bench/routine.h"

#define BENCH_FAMILY "bench/routine/level3/gemm.c"
#include "bench/each_type.h"

static int shape_gemm(const bench_case *c, bench_shape *is)
{
    is[0] = factor_of(bench_trans(c, 0), c->m, c->k, read_if(c->alpha));
    is[1] = factor_of(bench_trans(c, 1), c->k, c->n, read_if(c->alpha));
    is[2] = matrix_of(c->m, c->n, read_if(c->beta));
    return 3;
}

static int shape_gemmt(const bench_case *c, bench_shape *is)
{
    bench_case square = *c;
    square.m = c->n;
    int count = shape_gemm(&square, is);
    is[2].part = uplo_of(c);
    return count;
}

static double elements_gemm(const bench_case *c) { return 1.0 * c->k * (c->m + c->n) + touches(c) * c->m * c->n; }
static double elements_gemmt(const bench_case *c) { return 2.0 * c->n * c->k + touches(c) * half_of(c->n); }

static tsl_status views_gemm(bench_problem *p) { return tsl_gemm(p->ctx, p->c.alpha, in(p, 0), in(p, 1), p->c.beta, out(p)); }
static tsl_status views_gemmt(bench_problem *p) { return tsl_gemmt(p->ctx, p->c.alpha, in(p, 0), in(p, 1), p->c.beta, out(p)); }

/* Row i of the block as stored, or column i. */
static bench_block line(const bench_problem *p, bench_block A, bool row, int64_t i)
{
    A.data = (const char *)A.data + (size_t)(row ? i : i * A.ld) * tsl_type_size(p->c.type);
    *(row ? &A.rows : &A.cols) = 1;
    return A;
}

/* A new vector T x, where T is the triangle of op(A) op(B) that C is: its entry i is row i of A times t, the sum of x_j times
 * column j of B over the columns that row i of the triangle has. */
static double *triangle_times(scratch *s, const bench_problem *p, const double *x)
{
    int parts = s->e->parts;
    int64_t n = p->c.n, k = p->c.k;
    tsl_op opA = op_of(p, 0), opB = op_of(p, 1);
    double *y = zeros(s, 2 * n), *t = zeros(s, 2 * k), *sum = zeros(s, k);
    for (int64_t step = 0; step < n && !s->failed; step++) {
        int64_t i = p->a[2].is.part == TSL_LOWER ? step : n - 1 - step;
        bench_block row = line(p, before(p, 0), !(opA & TSL_TRANS), i), column = line(p, before(p, 1), opB & TSL_TRANS, i);
        s->e->product(&column, opB, x + parts * i, t, t + parts * k);
        for (int64_t l = 0; l < parts * k; l++)
            sum[l] = t[l] + t[parts * k + l];
        s->e->product(&row, opA, sum, y + parts * i, y + parts * (n + i));
        for (int l = 0; l < parts; l++)
            y[parts * i + l] += y[parts * (n + i) + l];
    }
    return y;
}

static double residual_gemmt(const bench_problem *p)
{
    const bench_case *c = &p->c;
    scratch s = {.e = &bench_elements_of[c->type]};
    bench_block C0 = before(p, 2);
    double scale = 0, *x = random_vector(&s, c->n), *r = times(&s, after(p), TSL_NOTRANS, x);
    if (c->alpha != 0)
        scale +=
            minus(&s, c->alpha, triangle_times(&s, p, x), r, c->n, frobenius(&s, before(p, 0)), frobenius(&s, before(p, 1)));
    if (c->beta != 0)
        scale += minus(&s, c->beta, times(&s, C0, TSL_NOTRANS, x), r, c->n, 1, frobenius(&s, C0));
    return finish(&s, p, r, c->n, x, c->n, scale);
}

typedef int gemm_call(void *, int, int, int64_t, int64_t, int64_t, const void *, const void *, int64_t, const void *, int64_t,
                      const void *, void *, int64_t);
typedef int xt_call(void *, int, int, size_t, size_t, size_t, const void *, const void *, size_t, const void *, size_t,
                    const void *, void *, size_t);

static bool cublas_gemm(bench_cuda *b, bench_problem *p)
{
    const bench_case *c = &p->c;
    bench_number alpha = bench_alpha(p), beta = bench_beta(p);
    return !((gemm_call *)b->f[0])(b->handle, cuda_op(FLAG(TRANS)), cuda_op(FLAG(TRANSB)), c->m, c->n, c->k, &alpha, DEVICE(0),
                                   DEVICE_LD(0), DEVICE(1), DEVICE_LD(1), &beta, DEVICE(2), DEVICE_LD(2));
}

static bool cublasxt_gemm(bench_cuda *b, bench_problem *p)
{
    const bench_case *c = &p->c;
    bench_number alpha = bench_alpha(p), beta = bench_beta(p);
    return !((xt_call *)b->f[0])(b->handle, cuda_op(FLAG(TRANS)), cuda_op(FLAG(TRANSB)), (size_t)c->m, (size_t)c->n,
                                 (size_t)c->k, &alpha, HOST(0), (size_t)HOST_LD(0), HOST(1), (size_t)HOST_LD(1), &beta, HOST(2),
                                 (size_t)HOST_LD(2));
}

typedef void pgemm(const char *, const char *, const int *, const int *, const int *, const void *, const void *, const int *,
                   const int *, const int *, const void *, const int *, const int *, const int *, const void *, void *,
                   const int *, const int *, const int *);

static bool scalapack_gemm(bench_blacs *s, bench_problem *p)
{
    int m = (int)p->c.m, n = (int)p->c.n, k = (int)p->c.k;
    bench_number alpha = bench_alpha(p), beta = bench_beta(p);
    part A = part_of(s, p, 0), B = part_of(s, p, 1), C = part_of(s, p, 2);
    ((pgemm *)s->f)(&FLAG(TRANS), &FLAG(TRANSB), &m, &n, &k, &alpha, PART(A), PART(B), &beta, PART(C));
    return true;
}

#define OPS [BENCH_TRANS] = "NTC", [BENCH_TRANSB] = "NTC"

/* Timed as the updates of blocked algorithms use them: C := C - A B. */
static const bench_routine routines[] = {
    {.name = "gemm", .sizes = "mnk", .alpha = -1, .beta = 1, .flags = FLAGS(OPS),
     .shape = shape_gemm, .elements = elements_gemm, .typed = TYPES(gemm), .views = views_gemm,
     .residual = bench_residual_of_product, .accuracy = bench_accuracy_of_product,
     .reference = bench_reference_of_product, .openblas = TYPES(openblas_gemm), .cublas = {CUBLAS(gemm, gemm), cublas_gemm},
     .cublasxt = {{{"cublasXt?gemm"}, {"cublasXt?gemm"}}, cublasxt_gemm}, .scalapack = {SCALAPACK(gemm, gemm), scalapack_gemm}},
    {.name = "gemmt", .sizes = "nk", .alpha = -1, .beta = 1, .flags = FLAGS([BENCH_UPLO] = "LU", OPS),
     .shape = shape_gemmt, .elements = elements_gemmt, .typed = TYPES(gemmt), .views = views_gemmt,
     .residual = residual_gemmt, .reference = bench_reference_of_product},
};

const bench_family bench_gemm = FAMILY(routines);
#endif
