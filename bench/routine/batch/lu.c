/* Batches of LU: factors, solutions, inverses and determinants from factors. */
#ifdef T
static tsl_status FN(getrf)(bench_problem *p)
{
    return CALL(getrf_batch)(p->ctx, p->c.n, p->c.n, STRIDED(2), DATA(1), LD(1), count(p), DATA(0));
}

static tsl_status FN(gesv)(bench_problem *p)
{
    return CALL(gesv_batch)(p->ctx, p->c.n, p->c.k, STRIDED(1), DATA(2), LD(2), STRIDED(3), count(p), DATA(0));
}

static tsl_status FN(getri)(bench_problem *p)
{
    return CALL(getri_batch)(p->ctx, p->c.n, STRIDED(2), DATA(1), LD(1), count(p), DATA(0));
}

static tsl_status FN(logdet)(bench_problem *p)
{
    return CALL(logdet_batch)(p->ctx, 'G', p->c.n, STRIDED(0), DATA(1), LD(1), DATA(3), DATA(2), count(p));
}

#else
#include "bench/routine/batch/batch.h"

#define BENCH_FAMILY "bench/routine/batch/lu.c"
#include "bench/each_type.h"

typedef int getrf_call(void *, int, void *, int, int *, int *, int);
typedef int getrs_call(void *, int, int, int, const void *, int, const int *, void *, int, int *, int);
typedef int getri_call(void *, int, const void *, int, const int *, void *, int, int *, int);

/* Infos, pivots, a list of A and one of B. cuBLAS's inverse lies elsewhere than the factors: a list of it, and the inverses. */
enum { TOLD, PIVOTS, MATRIX, RIGHT, INVERSES };
static int pivots_of(const bench_problem *p) { return p->count > 3 ? 2 : 1; }
static int matrix_of_factors(const bench_problem *p) { return p->count > 3 ? 1 : 2; }
static size_t inverse_bytes(const bench_problem *p) { return (size_t)(p->c.n * p->c.n) * tsl_type_size(p->c.type); }

static bench_parts parts(const bench_problem *p)
{
    size_t list = bench_list_bytes(p);
    return (bench_parts){{[TOLD] = bench_narrow_bytes(p, 0), [PIVOTS] = bench_narrow_bytes(p, pivots_of(p)), [MATRIX] = list,
                          [RIGHT] = list}};
}

static bench_parts parts_of_inverse(const bench_problem *p)
{
    bench_parts own = parts(p);
    own.bytes[INVERSES] = (size_t)count(p) * inverse_bytes(p);
    return own;
}

static bool size(bench_cuda *s, bench_problem *p) { return bench_parts_size(s, parts(p), 0, 0); }
static bool ready(bench_cuda *s, bench_problem *p)
{
    return bench_batch_point(p, matrix_of_factors(p), 0, bench_part(s, parts(p), MATRIX)) &&
           bench_batch_point(p, p->count - 1, 0, bench_part(s, parts(p), RIGHT));
}

static bool finish_pivots(bench_cuda *s, bench_problem *p)
{
    return bench_batch_widen(p, 0, bench_part(s, parts(p), TOLD)) &&
           bench_batch_widen(p, pivots_of(p), bench_part(s, parts(p), PIVOTS));
}

static bool cublas_getrf(bench_cuda *s, bench_problem *p)
{
    return !((getrf_call *)s->f[0])(s->handle, (int)p->c.n, bench_part(s, parts(p), MATRIX),
                                    (int)DEVICE_LD(matrix_of_factors(p)), bench_part(s, parts(p), PIVOTS),
                                    bench_part(s, parts(p), TOLD), (int)count(p));
}

static bool cublas_gesv(bench_cuda *s, bench_problem *p)
{
    int refused = 0;
    return cublas_getrf(s, p) &&
           !((getrs_call *)s->f[1])(s->handle, CUDA_NO_TRANS, (int)p->c.n, (int)p->c.k, bench_part(s, parts(p), MATRIX),
                                    (int)DEVICE_LD(1), bench_part(s, parts(p), PIVOTS), bench_part(s, parts(p), RIGHT),
                                    (int)DEVICE_LD(3), &refused, (int)count(p)) && !refused;
}

static bool inverse_size(bench_cuda *s, bench_problem *p) { return bench_parts_size(s, parts_of_inverse(p), 0, 0); }
static bool inverse_ready(bench_cuda *s, bench_problem *p)
{
    bench_parts own = parts_of_inverse(p);
    return bench_batch_narrow(p, 1, bench_part(s, own, PIVOTS)) && bench_batch_point(p, 2, 0, bench_part(s, own, MATRIX)) &&
           bench_batch_point_at(p, bench_part(s, own, INVERSES), inverse_bytes(p), bench_part(s, own, RIGHT));
}

static bool cublas_getri(bench_cuda *s, bench_problem *p)
{
    bench_parts own = parts_of_inverse(p);
    return !((getri_call *)s->f[0])(s->handle, (int)p->c.n, bench_part(s, own, MATRIX), (int)DEVICE_LD(2),
                                    bench_part(s, own, PIVOTS), bench_part(s, own, RIGHT), (int)p->c.n,
                                    bench_part(s, own, TOLD), (int)count(p));
}

static bool inverse_finish(bench_cuda *s, bench_problem *p)
{
    bench_parts own = parts_of_inverse(p);
    int64_t n = p->c.n;
    return bench_batch_copy(p, p->c.type, n, n * count(p), bench_part(s, own, INVERSES), n, DEVICE(2), DEVICE_LD(2)) &&
           bench_batch_widen(p, 0, bench_part(s, own, TOLD));
}

static const bench_routine routines[] = {
    {BATCH(getrf), INFOS, .sizes = "n", .cublas = {CUSOLVER("cublas?getrfBatched"), cublas_getrf, size, ready, finish_pivots}},
    {BATCH(gesv), INFOS, .sizes = "nk",
     .cublas = {CUSOLVER("cublas?getrfBatched", "cublas?getrsBatched"), cublas_gesv, size, ready, finish_pivots}},
    {MANY(getri), INFOS, .sizes = "n", .typed = TYPES(getri),
     .cublas = {CUSOLVER("cublas?getriBatched"), cublas_getri, inverse_size, inverse_ready, inverse_finish}},
    {ALONE(logdet), .by_bytes = true, .sizes = "n", .writes_all = true, .steady = true, .typed = TYPES(logdet)},
};

const bench_family bench_batch_lu = FAMILY(routines);
#endif
