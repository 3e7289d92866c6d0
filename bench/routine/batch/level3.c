/* Batches of products, and of solutions with triangles. */
#ifdef T
static tsl_status FN(gemm)(bench_problem *p)
{
    const bench_case *c = &p->c;
    return CALL(gemm_batch)(p->ctx, FLAG(TRANS), FLAG(TRANSB), c->m, c->n, c->k, (T)c->alpha, STRIDED(0), STRIDED(1),
                            (T)c->beta, STRIDED(2), count(p));
}

static tsl_status FN(trsm)(bench_problem *p)
{
    const bench_case *c = &p->c;
    return CALL(trsm_batch)(p->ctx, FLAG(SIDE), FLAG(UPLO), FLAG(TRANS), FLAG(DIAG), c->m, c->n, (T)c->alpha, STRIDED(0),
                            STRIDED(1), count(p));
}

#else
#include "bench/routine/batch/batch.h"

#define BENCH_FAMILY "bench/routine/batch/level3.c"
#include "bench/each_type.h"

typedef int gemm_call(void *, int, int, int, int, int, const void *, const void *, int, long long, const void *, int, long long,
                      const void *, void *, int, long long, int);
typedef int trsm_call(void *, int, int, int, int, int, int, const void *, const void *, int, void *, int, int);

static bool cublas_gemm(bench_cuda *s, bench_problem *p)
{
    const bench_case *c = &p->c;
    bench_number alpha = bench_alpha(p), beta = bench_beta(p);
    return !((gemm_call *)s->f[0])(s->handle, cuda_op(FLAG(TRANS)), cuda_op(FLAG(TRANSB)), (int)c->m, (int)c->n, (int)c->k,
                                   &alpha, ON_DEVICE(0), ON_DEVICE(1), &beta, ON_DEVICE(2), (int)count(p));
}

/* Lists of A and of B */
static bench_parts lists(const bench_problem *p) { return (bench_parts){{bench_list_bytes(p), bench_list_bytes(p)}}; }
static bool size_of_lists(bench_cuda *s, bench_problem *p) { return bench_parts_size(s, lists(p), 0, 0); }
static bool point(bench_cuda *s, bench_problem *p)
{
    return bench_batch_point(p, 0, 0, bench_part(s, lists(p), 0)) && bench_batch_point(p, 1, 0, bench_part(s, lists(p), 1));
}

static bool cublas_trsm(bench_cuda *s, bench_problem *p)
{
    bench_number alpha = bench_alpha(p);
    return !((trsm_call *)s->f[0])(s->handle, cuda_side(p), cuda_uplo(p), cuda_op(FLAG(TRANS)), cuda_diag(p), (int)p->c.m,
                                   (int)p->c.n, &alpha, bench_part(s, lists(p), 0), (int)DEVICE_LD(0),
                                   bench_part(s, lists(p), 1), (int)DEVICE_LD(1), (int)count(p));
}

static const bench_routine routines[] = {
    {NAMED(gemm), LOOP, .by_bytes = true, .sizes = "mnk", .alpha = -1, .beta = 1, .steady = true, .typed = TYPES(gemm),
     .flags = FLAGS([BENCH_TRANS] = "NTC", [BENCH_TRANSB] = "NTC"),
     .cublas = {CUSOLVER("cublas?gemmStridedBatched"), cublas_gemm}},
    {BATCH(trsm), .sizes = "mn", .steady = true,
     .flags = FLAGS([BENCH_SIDE] = "LR", [BENCH_UPLO] = "LU", [BENCH_TRANS] = "NTC", [BENCH_DIAG] = "NU"),
     .cublas = {CUSOLVER("cublas?trsmBatched"), cublas_trsm, size_of_lists, point}},
};

const bench_family bench_batch_level3 = FAMILY(routines);
#endif
