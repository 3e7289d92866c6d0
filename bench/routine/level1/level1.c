/* Level 1: axpy, scal, copy, swap, dot, nrm2, asum, iamax. */
#ifdef T
#define N p->c.n
static tsl_status FN(axpy)(bench_problem *p) { return CALL(axpy)(p->ctx, N, (T)p->c.alpha, DATA(0), 1, DATA(1), 1); }
static tsl_status FN(scal)(bench_problem *p) { return CALL(scal)(p->ctx, N, (T)p->c.alpha, DATA(0), 1); }
static tsl_status FN(rscal)(bench_problem *p) { return JOIN(tsl_, BY_REAL, scal)(p->ctx, N, (R)creal(p->c.alpha), DATA(0), 1); }
static tsl_status FN(copy)(bench_problem *p) { return CALL(copy)(p->ctx, N, DATA(0), 1, DATA(1), 1); }
static tsl_status FN(swap)(bench_problem *p) { return CALL(swap)(p->ctx, N, DATA(0), 1, DATA(1), 1); }

static tsl_status FN(dot_by)(bench_problem *p, typeof(&CALL(PAIR(dot, dotu))) call)
{
    T result = 0;
    tsl_status st = call(p->ctx, N, DATA(0), 1, DATA(1), 1, &result);
    p->out[0] = result;
    return st;
}

static tsl_status FN(dot)(bench_problem *p) { return FN(dot_by)(p, CALL(PAIR(dot, dotu))); }
static tsl_status FN(dotc)(bench_problem *p) { return FN(dot_by)(p, CALL(PAIR(dot, dotc))); }

static tsl_status FN(to_number)(bench_problem *p, typeof(&JOIN(tsl_, TO_REAL, nrm2)) call)
{
    R result = 0;
    tsl_status st = call(p->ctx, N, DATA(0), 1, &result);
    p->out[0] = result;
    return st;
}

static tsl_status FN(nrm2)(bench_problem *p) { return FN(to_number)(p, JOIN(tsl_, TO_REAL, nrm2)); }
static tsl_status FN(asum)(bench_problem *p) { return FN(to_number)(p, JOIN(tsl_, TO_REAL, asum)); }

static tsl_status FN(iamax)(bench_problem *p)
{
    int64_t at = 0;
    tsl_status st = JOIN(tsl_i, LETTER, amax)(p->ctx, N, DATA(0), 1, &at);
    p->out[0] = (double)at;
    return st;
}

#undef N
#define N (int)p->c.n
static bool FN(openblas_axpy)(bench_problem *p)
{
    T alpha = (T)p->c.alpha;
    CBLAS(axpy)(N, SCALAR(alpha), HOST(0), 1, HOST(1), 1);
    return true;
}

static bool FN(openblas_scal)(bench_problem *p)
{
    T alpha = (T)p->c.alpha;
    CBLAS(scal)(N, SCALAR(alpha), HOST(0), 1);
    return true;
}

static bool FN(openblas_rscal)(bench_problem *p)
{
    JOIN(cblas_, BY_REAL, scal)(N, (R)creal(p->c.alpha), HOST(0), 1);
    return true;
}

static bool FN(openblas_copy)(bench_problem *p)
{
    CBLAS(copy)(N, HOST(0), 1, HOST(1), 1);
    return true;
}

static bool FN(openblas_swap)(bench_problem *p)
{
    CBLAS(swap)(N, HOST(0), 1, HOST(1), 1);
    return true;
}

#ifdef COMPLEX
static bool FN(openblas_dot_by)(bench_problem *p, typeof(&CBLAS(dotu_sub)) call)
{
    T result = 0;
    call(N, HOST(0), 1, HOST(1), 1, (void *)&result);
    p->out[0] = result;
    return true;
}

static bool FN(openblas_dot)(bench_problem *p) { return FN(openblas_dot_by)(p, CBLAS(dotu_sub)); }
static bool FN(openblas_dotc)(bench_problem *p) { return FN(openblas_dot_by)(p, CBLAS(dotc_sub)); }
#else
static bool FN(openblas_dot)(bench_problem *p)
{
    p->out[0] = CBLAS(dot)(N, HOST(0), 1, HOST(1), 1);
    return true;
}
#endif

static bool FN(openblas_nrm2)(bench_problem *p)
{
    p->out[0] = JOIN(cblas_, TO_REAL, nrm2)(N, HOST(0), 1);
    return true;
}

static bool FN(openblas_asum)(bench_problem *p)
{
    p->out[0] = JOIN(cblas_, TO_REAL, asum)(N, HOST(0), 1);
    return true;
}

static bool FN(openblas_iamax)(bench_problem *p)
{
    p->out[0] = p->c.n ? 1.0 + (double)JOIN(cblas_i, LETTER, amax)(N, HOST(0), 1) : 0;
    return true;
}
#undef N

#else
#include "bench/routine.h"
#include "bench/residual/vectors.h"

#define BENCH_FAMILY "bench/routine/level1/level1.c"
#include "bench/each_type.h"

static double residual_axpy(const bench_problem *p) { return combined(p, (matrix2){1, 0, p->c.alpha, 1}); }
static double residual_scal(const bench_problem *p) { return combined(p, (matrix2){.a = p->c.alpha}); }
static double residual_copy(const bench_problem *p) { return combined(p, (matrix2){1, 0, 1, 0}); }
static double residual_swap(const bench_problem *p) { return combined(p, (matrix2){0, 1, 1, 0}); }

static double dot(const bench_problem *p, bool conjugated)
{
    tsl_scalar sum = 0;
    double nx = 0, ny = 0;
    for (int64_t i = 0; i < p->c.n; i++) {
        tsl_scalar x = was(p, 0, i), y = was(p, 1, i);
        sum += (conjugated ? conj(x) : x) * y;
        nx += square(x), ny += square(y);
    }
    return scaled(p, cabs(p->out[0] - sum), sqrt(nx) * sqrt(ny));
}

static double residual_dot(const bench_problem *p) { return dot(p, false); }
static double residual_dotc(const bench_problem *p) { return dot(p, true); }

static double residual_nrm2(const bench_problem *p)
{
    long double sum = 0; /* so that its own roundings do not count */
    for (int64_t i = 0; i < p->c.n; i++)
        sum += square(was(p, 0, i));
    double length = (double)sqrtl(sum);
    return scaled(p, cabs(p->out[0] - length), length);
}

static double sum_of_parts(tsl_scalar v) { return fabs(creal(v)) + fabs(cimag(v)); }

/* The errors of n terms of one sign add up like those of a random walk. */
static double residual_asum(const bench_problem *p)
{
    double sum = 0;
    for (int64_t i = 0; i < p->c.n; i++)
        sum += sum_of_parts(was(p, 0, i));
    return scaled(p, cabs(p->out[0] - sum), sum * sqrt((double)p->c.n));
}

/* The largest is exactly the first of those; a complex one may lose to another that rounds to the same. */
static double residual_iamax(const bench_problem *p)
{
    double most = -1;
    int64_t found = (int64_t)creal(p->out[0]) - 1, first = -1;
    for (int64_t i = 0; i < p->c.n; i++)
        if (sum_of_parts(was(p, 0, i)) > most)
            most = sum_of_parts(was(p, 0, first = i));
    if (found < 0 || found >= p->c.n)
        return p->c.n ? INFINITY : 0;
    return found == first ? 0 : scaled(p, most - sum_of_parts(was(p, 0, found)), most) + 1;
}

typedef int axpy_call(void *, int64_t, const void *, const void *, int64_t, void *, int64_t);
typedef int scal_call(void *, int64_t, const void *, void *, int64_t);
typedef int copy_call(void *, int64_t, const void *, int64_t, void *, int64_t); /* swap's first vector is not const */
typedef int dot_call(void *, int64_t, const void *, int64_t, const void *, int64_t, void *);
typedef int sum_call(void *, int64_t, const void *, int64_t, void *);

static bool cublas_axpy(bench_cuda *b, bench_problem *p)
{
    bench_number alpha = bench_alpha(p);
    return !((axpy_call *)b->f[0])(b->handle, p->c.n, &alpha, DEVICE(0), 1, DEVICE(1), 1);
}

static bool cublas_scal(bench_cuda *b, bench_problem *p)
{
    bench_number alpha = bench_alpha(p);
    return !((scal_call *)b->f[0])(b->handle, p->c.n, &alpha, DEVICE(0), 1);
}

static bool cublas_copy(bench_cuda *b, bench_problem *p)
{
    return !((copy_call *)b->f[0])(b->handle, p->c.n, DEVICE(0), 1, DEVICE(1), 1);
}

static bool cublas_dot(bench_cuda *b, bench_problem *p)
{
    bench_number result = {.z = 0};
    bool done = !((dot_call *)b->f[0])(b->handle, p->c.n, DEVICE(0), 1, DEVICE(1), 1, &result);
    p->out[0] = bench_value_of(p->c.type, &result);
    return done;
}

static bool cublas_sum(bench_cuda *b, bench_problem *p)
{
    bench_number result = {.z = 0};
    bool done = !((sum_call *)b->f[0])(b->handle, p->c.n, DEVICE(0), 1, &result);
    p->out[0] = bench_value_of(bench_real(p->c.type), &result);
    return done;
}

static bool cublas_iamax(bench_cuda *b, bench_problem *p)
{
    int64_t found = 0;
    bool done = !((sum_call *)b->f[0])(b->handle, p->c.n, DEVICE(0), 1, &found);
    p->out[0] = (double)found;
    return done;
}

/* A complex scal by a real number is csscal or zdscal; dot is dotu of complex vectors. */
static const bench_routine routines[] = {
    {.name = "axpy", ON_VECTORS(shape_two, three_times), .typed = TYPES(axpy), .residual = residual_axpy,
     .openblas = TYPES(openblas_axpy),
     .cublas = {CUBLAS(axpy, axpy), cublas_axpy}},
    {.name = "scal", ON_VECTORS(shape_vector, twice), .typed = TYPES(scal), .residual = residual_scal,
     .openblas = TYPES(openblas_scal),
     .cublas = {CUBLAS(scal, scal), cublas_scal}},
    {.name = "sscal", .types = "c", .real_alpha = true, ON_VECTORS(shape_vector, twice), .typed = TYPES(rscal),
     .residual = residual_scal,
     .openblas = TYPES(openblas_rscal)},
    {.name = "dscal", .types = "z", .real_alpha = true, ON_VECTORS(shape_vector, twice), .typed = TYPES(rscal),
     .residual = residual_scal,
     .openblas = TYPES(openblas_rscal)},
    {.name = "copy", ON_VECTORS(shape_two, twice), .typed = TYPES(copy), .residual = residual_copy,
     .openblas = TYPES(openblas_copy),
     .cublas = {CUBLAS(copy, copy), cublas_copy}},
    {.name = "swap", .writes_all = true, ON_VECTORS(shape_two, four_times), .typed = TYPES(swap), .residual = residual_swap,
     .openblas = TYPES(openblas_swap), .cublas = {CUBLAS(swap, swap), cublas_copy}},
    {.name = "dot", .types = "sd", ON_VECTORS(shape_two, twice), .typed = TYPES(dot), .residual = residual_dot,
     .openblas = TYPES(openblas_dot),
     .cublas = {CUBLAS(dot, dotu), cublas_dot}},
    {.name = "dotu", .types = "cz", ON_VECTORS(shape_two, twice), .typed = TYPES(dot), .residual = residual_dot,
     .openblas = TYPES(openblas_dot),
     .cublas = {CUBLAS(dot, dotu), cublas_dot}},
    {.name = "dotc", .types = "cz", ON_VECTORS(shape_two, twice), .typed = TYPES(dotc), .residual = residual_dotc,
     .openblas = COMPLEX_TYPES(openblas_dotc), .cublas = {CUBLAS(dot, dotc), cublas_dot}},
    {.name = "nrm2", ON_VECTORS(shape_vector, once), .typed = TYPES(nrm2), .residual = residual_nrm2,
     .openblas = TYPES(openblas_nrm2),
     .cublas = {{{"cublas?nrm2_v2_64"}, {"cublas@!nrm2_v2_64"}}, cublas_sum}},
    {.name = "asum", ON_VECTORS(shape_vector, once), .typed = TYPES(asum), .residual = residual_asum,
     .openblas = TYPES(openblas_asum),
     .cublas = {{{"cublas?asum_v2_64"}, {"cublas@!asum_v2_64"}}, cublas_sum}},
    {.name = "iamax", ON_VECTORS(shape_vector, once), .typed = TYPES(iamax), .residual = residual_iamax,
     .openblas = TYPES(openblas_iamax),
     .cublas = {{{"cublasI!amax_v2_64"}, {"cublasI!amax_v2_64"}}, cublas_iamax}},
};

const bench_family bench_level1 = FAMILY(routines);
#endif
