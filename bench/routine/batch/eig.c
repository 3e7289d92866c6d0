/* Batches of eigenproblems: symmetric, of two matrices, general. */
#ifdef T
static tsl_status FN(syev)(bench_problem *p)
{
    return CALL(PAIR(syev_batch, heev_batch))(p->ctx, FLAG(JOBZ), FLAG(UPLO), p->c.n, STRIDED(2), DATA(1), LD(1), count(p),
                                              DATA(0));
}

static tsl_status FN(sygv)(bench_problem *p)
{
    return CALL(PAIR(sygv_batch, hegv_batch))(p->ctx, 1, 'V', FLAG(UPLO), p->c.n, STRIDED(3), STRIDED(2), DATA(1), LD(1),
                                              count(p), DATA(0));
}

/* Real and imaginary parts of a problem's values are one after the other. */
static tsl_status FN(geev)(bench_problem *p)
{
#ifdef COMPLEX
    return CALL(geev_batch)(p->ctx, 'N', FLAG(JOBZ), p->c.n, STRIDED(3), DATA(1), LD(1), NULL, 1, 0, STRIDED(2), count(p),
                            DATA(0));
#else
    T *values = DATA(1);
    return CALL(geev_batch)(p->ctx, 'N', FLAG(JOBZ), p->c.n, STRIDED(3), values, LD(1), values ? values + p->c.n : NULL, LD(1),
                            NULL, 1, 0, STRIDED(2), count(p), DATA(0));
#endif
}

#else
#include "bench/routine/batch/batch.h"

#define BENCH_FAMILY "bench/routine/batch/eig.c"
#include "bench/each_type.h"

typedef int whole_size(void *, void *, int, int, int64_t, int, const void *, int64_t, int, const void *, int, size_t *,
                       size_t *, int64_t);
typedef int whole_call(void *, void *, int, int, int64_t, int, void *, int64_t, int, void *, int, void *, size_t, void *,
                       size_t, int *, int64_t);
typedef int jacobi_size(void *, int, int, int, const void *, int, const void *, int *, void *, int);
typedef int jacobi_call(void *, int, int, int, void *, int, void *, void *, int, int *, void *, int);
typedef int jacobi_params(void **);

static int mode(const bench_problem *p) { return FLAG(JOBZ) == 'V' ? CUDA_VECTORS : CUDA_VALUES; }
static int real_type(const bench_problem *p) { return bench_real(p->c.type) == TSL_S ? CUDA_FLOAT : CUDA_DOUBLE; }

/* Infos, and the values, packed; vectors are in A, as ours. */
enum { TOLD, VALUES };
static bench_parts parts(const bench_problem *p)
{
    size_t values = (size_t)(count(p) * p->c.n) * tsl_type_size(bench_real(p->c.type));
    return (bench_parts){{[TOLD] = bench_narrow_bytes(p, 0), [VALUES] = values}};
}

static bool finish_values(bench_cuda *s, bench_problem *p)
{
    void *values = bench_part(s, parts(p), VALUES);
    return bench_batch_widen(p, 0, bench_part(s, parts(p), TOLD)) &&
           bench_batch_copy(p, bench_real(p->c.type), p->c.n, count(p), values, p->c.n, DEVICE(1), DEVICE_LD(1));
}

static bool cusolver_syev_size(bench_cuda *s, bench_problem *p)
{
    int t = cuda_type(p);
    size_t device = 0, host = 0;
    return !((whole_size *)s->f[0])(s->handle, s->params, mode(p), cuda_uplo(p), p->c.n, t, DEVICE(2), DEVICE_LD(2),
                                    real_type(p), DEVICE(1), t, &device, &host, count(p)) &&
           bench_parts_size(s, parts(p), device, host);
}

static bool cusolver_syev(bench_cuda *s, bench_problem *p)
{
    int t = cuda_type(p);
    return !((whole_call *)s->f[1])(s->handle, s->params, mode(p), cuda_uplo(p), p->c.n, t, DEVICE(2), DEVICE_LD(2),
                                    real_type(p), bench_part(s, parts(p), VALUES), t, s->device,
                                    bench_parts_library(s, parts(p)), s->host, s->host_bytes,
                                    bench_part(s, parts(p), TOLD), count(p));
}

static void *jacobi(bench_cuda *s)
{
    static void *params; /* as it is made: to full accuracy, values in order */
    return params || !((jacobi_params *)s->f[2])(&params) ? params : NULL;
}

static bool cusolver_syevj_size(bench_cuda *s, bench_problem *p)
{
    int length = 0;
    return jacobi(s) &&
           !((jacobi_size *)s->f[0])(s->handle, mode(p), cuda_uplo(p), (int)p->c.n, DEVICE(2), (int)DEVICE_LD(2), DEVICE(1),
                                     &length, jacobi(s), (int)count(p)) &&
           bench_parts_size(s, parts(p), (size_t)length * tsl_type_size(p->c.type), 0);
}

static bool cusolver_syevj(bench_cuda *s, bench_problem *p)
{
    return !((jacobi_call *)s->f[1])(s->handle, mode(p), cuda_uplo(p), (int)p->c.n, DEVICE(2), (int)DEVICE_LD(2),
                                     bench_part(s, parts(p), VALUES), s->device,
                                     (int)(bench_parts_library(s, parts(p)) / tsl_type_size(p->c.type)),
                                     bench_part(s, parts(p), TOLD), jacobi(s), (int)count(p));
}

#define XSYEV CUSOLVER("cusolverDnXsyevBatched_bufferSize", "cusolverDnXsyevBatched")
#define SYEV INFOS, .sizes = "n", .flags = FLAGS([BENCH_JOBZ] = "NV", [BENCH_UPLO] = "LU"), \
    .cusolver = {XSYEV, cusolver_syev, cusolver_syev_size, NULL, finish_values}
#define JACOBI(sy) CUSOLVER("cusolverDn?" sy "jBatched_bufferSize", "cusolverDn?" sy "jBatched", "cusolverDnCreateSyevjInfo")
#define SYEVJ(sy) .cusolver_jacobi = {JACOBI(sy), cusolver_syevj, cusolver_syevj_size, NULL, finish_values}

static const bench_routine routines[] = {
    {MANY(syev), SYEV, SYEVJ("syev"), .types = "sd", .typed = REAL_TYPES(syev)},
    {MANY(heev), SYEV, SYEVJ("heev"), .types = "cz", .typed = COMPLEX_TYPES(syev)},
    {MANY(sygv), INFOS, UPLO, .sizes = "n", .types = "sd", .typed = REAL_TYPES(sygv)},
    {MANY(hegv), INFOS, UPLO, .sizes = "n", .types = "cz", .typed = COMPLEX_TYPES(sygv)},
    {MANY(geev), INFOS, .sizes = "n", .flags = FLAGS([BENCH_JOBZ] = "NV"), .typed = TYPES(geev)},
};

const bench_family bench_batch_eig = FAMILY(routines);
#endif
