/* A general matrix and vectors, which are columns: gemv and ger, of complex vectors geru and gerc. */
#ifdef T
static tsl_status FN(gemv)(bench_problem *p)
{
    const bench_case *c = &p->c;
    return CALL(gemv)(p->ctx, FLAG(TRANS), c->m, c->n, (T)c->alpha, DATA(0), LD(0), DATA(1), 1, (T)c->beta, DATA(2), 1);
}

static tsl_status FN(outer)(bench_problem *p, typeof(&CALL(PAIR(ger, geru))) call)
{
    return call(p->ctx, p->c.m, p->c.n, (T)p->c.alpha, DATA(0), 1, DATA(1), 1, DATA(2), LD(2));
}

static tsl_status FN(ger)(bench_problem *p) { return FN(outer)(p, CALL(PAIR(ger, geru))); }
static tsl_status FN(gerc)(bench_problem *p) { return FN(outer)(p, CALL(PAIR(ger, gerc))); }

static bool FN(openblas_gemv)(bench_problem *p)
{
    const bench_case *c = &p->c;
    T alpha = (T)c->alpha, beta = (T)c->beta;
    CBLAS(gemv)(CblasColMajor, blas_op(FLAG(TRANS)), (int)c->m, (int)c->n, SCALAR(alpha), HOST(0), HOST_LD(0), HOST(1), 1,
                SCALAR(beta), HOST(2), 1);
    return true;
}

static bool FN(openblas_outer)(bench_problem *p, typeof(&CBLAS(PAIR(ger, geru))) call)
{
    T alpha = (T)p->c.alpha;
    call(CblasColMajor, (int)p->c.m, (int)p->c.n, SCALAR(alpha), HOST(0), 1, HOST(1), 1, HOST(2), HOST_LD(2));
    return true;
}

static bool FN(openblas_ger)(bench_problem *p) { return FN(openblas_outer)(p, CBLAS(PAIR(ger, geru))); }
static bool FN(openblas_gerc)(bench_problem *p) { return FN(openblas_outer)(p, CBLAS(PAIR(ger, gerc))); }

#else
#include "bench/routine.h"

#define BENCH_FAMILY "bench/routine/level2/gemv.c"
#include "bench/each_type.h"

/* A is m x n as stored; y is read even with beta = 0 where gemv leaves it alone. */
static int shape_gemv(const bench_case *c, bench_shape *is)
{
    bool turned = bench_op(c->flag[BENCH_TRANS]) & TSL_TRANS;
    is[0] = matrix_of(c->m, c->n, read_if(c->alpha));
    is[1] = vector_of(turned ? c->m : c->n, read_if(c->alpha));
    is[2] = vector_of(turned ? c->n : c->m, c->m && c->n ? read_if(c->beta) : BENCH_RANDOM);
    return 3;
}

static int shape_ger(const bench_case *c, bench_shape *is)
{
    is[0] = vector_of(c->m, read_if(c->alpha));
    is[1] = vector_of(c->n, read_if(c->alpha));
    is[2] = matrix_of(c->m, c->n, BENCH_RANDOM);
    return 3;
}

static double elements_gemv(const bench_case *c) { return 1.0 * c->m * c->n + c->n + touches(c) * c->m; }
static double elements_ger(const bench_case *c) { return 2.0 * c->m * c->n + c->m + c->n; }

static tsl_status views_gemv(bench_problem *p)
{
    if (!p->c.m || !p->c.n)
        return TSL_OK; /* the formula would have y := beta y */
    return tsl_gemv(p->ctx, p->c.alpha, in(p, 0), bench_view(p, 1, 'N'), p->c.beta, out(p));
}

static tsl_status views_ger(bench_problem *p) { return tsl_ger(p->ctx, p->c.alpha, in(p, 0), in(p, 1), out(p)); }

/* y := alpha op(A) x + beta y. BLAS leaves y alone where there is no matrix. */
static bench_problem by_column(const bench_problem *p)
{
    bench_problem q = *p;
    q.c.m = p->a[2].is.rows;
    q.c.k = p->a[1].is.rows;
    q.c.n = 1;
    q.c.flag[BENCH_TRANSB] = 'N';
    if (!p->c.m || !p->c.n)
        q.c.beta = 1;
    return q;
}

/* A := alpha x y^T + A, or y^H */
static bench_problem column_by_row(const bench_problem *p, char trans)
{
    bench_problem q = *p;
    q.c.k = 1;
    q.c.beta = 1;
    q.c.flag[BENCH_TRANS] = 'N';
    q.c.flag[BENCH_TRANSB] = trans;
    return q;
}

static double residual_gemv(const bench_problem *p)
{
    bench_problem q = by_column(p);
    return bench_residual_of_product(&q);
}

static double reference_gemv(const bench_problem *p, tsl_scalar *expected)
{
    bench_problem q = by_column(p);
    return bench_reference_of_product(&q, expected);
}

static double residual_ger(const bench_problem *p)
{
    bench_problem q = column_by_row(p, 'T');
    return bench_residual_of_product(&q);
}

static double reference_ger(const bench_problem *p, tsl_scalar *expected)
{
    bench_problem q = column_by_row(p, 'T');
    return bench_reference_of_product(&q, expected);
}

static double residual_gerc(const bench_problem *p)
{
    bench_problem q = column_by_row(p, 'C');
    return bench_residual_of_product(&q);
}

typedef int gemv_call(void *, int, int64_t, int64_t, const void *, const void *, int64_t, const void *, int64_t, const void *,
                      void *, int64_t);
typedef int ger_call(void *, int64_t, int64_t, const void *, const void *, int64_t, const void *, int64_t, void *, int64_t);

static bool cublas_gemv(bench_cuda *b, bench_problem *p)
{
    bench_number alpha = bench_alpha(p), beta = bench_beta(p);
    return !((gemv_call *)b->f[0])(b->handle, cuda_op(FLAG(TRANS)), p->c.m, p->c.n, &alpha, DEVICE(0), DEVICE_LD(0), DEVICE(1),
                                   1, &beta, DEVICE(2), 1);
}

static bool cublas_ger(bench_cuda *b, bench_problem *p)
{
    bench_number alpha = bench_alpha(p);
    return !((ger_call *)b->f[0])(b->handle, p->c.m, p->c.n, &alpha, DEVICE(0), 1, DEVICE(1), 1, DEVICE(2), DEVICE_LD(2));
}

static const bench_routine routines[] = {
    {.name = "gemv", .sizes = "mn", .alpha = 1, .by_bytes = true, .flags = FLAGS([BENCH_TRANS] = "NTC"),
     .shape = shape_gemv, .elements = elements_gemv, .typed = TYPES(gemv), .views = views_gemv, .residual = residual_gemv,
     .reference = reference_gemv, .openblas = TYPES(openblas_gemv), .cublas = {CUBLAS(gemv, gemv), cublas_gemv}},
    {.name = "ger", .sizes = "mn", .alpha = -1, .beta = 1, .steady = true, .by_bytes = true,
     .shape = shape_ger, .elements = elements_ger, .typed = TYPES(ger), .views = views_ger, .residual = residual_ger,
     .reference = reference_ger, .openblas = TYPES(openblas_ger), .cublas = {CUBLAS(ger, geru), cublas_ger}},
    {.name = "geru", .types = "cz", .sizes = "mn", .alpha = -1, .beta = 1, .steady = true, .by_bytes = true,
     .shape = shape_ger, .elements = elements_ger, .typed = COMPLEX_TYPES(ger), .views = views_ger,
     .residual = residual_ger, .openblas = COMPLEX_TYPES(openblas_ger), .cublas = {CUBLAS(ger, geru), cublas_ger}},
    {.name = "gerc", .types = "cz", .sizes = "mn", .alpha = -1, .beta = 1, .steady = true, .by_bytes = true,
     .shape = shape_ger, .elements = elements_ger, .typed = TYPES(gerc), .residual = residual_gerc,
     .openblas = TYPES(openblas_gerc), .cublas = {CUBLAS(ger, gerc), cublas_ger}},
};

const bench_family bench_gemv = FAMILY(routines);
#endif
