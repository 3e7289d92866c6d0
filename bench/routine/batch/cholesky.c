/* Batches of Cholesky factorizations, solutions and inverses, and of inverses of triangles. */
#ifdef T
static tsl_status FN(potrf)(bench_problem *p)
{
    return CALL(potrf_batch)(p->ctx, FLAG(UPLO), p->c.n, STRIDED(1), count(p), DATA(0));
}

static tsl_status FN(potri)(bench_problem *p)
{
    return CALL(potri_batch)(p->ctx, FLAG(UPLO), p->c.n, STRIDED(1), count(p), DATA(0));
}

static tsl_status FN(posv)(bench_problem *p)
{
    return CALL(posv_batch)(p->ctx, FLAG(UPLO), p->c.n, p->c.k, STRIDED(1), STRIDED(2), count(p), DATA(0));
}

static tsl_status FN(trtri)(bench_problem *p)
{
    return CALL(trtri_batch)(p->ctx, FLAG(UPLO), FLAG(DIAG), p->c.n, STRIDED(1), count(p), DATA(0));
}

#else
#include "bench/routine/batch/batch.h"

#define BENCH_FAMILY "bench/routine/batch/cholesky.c"
#include "bench/each_type.h"

typedef int potrf_call(void *, int, int, void *, int, int *, int);
typedef int potrs_call(void *, int, int, int, void *, int, void *, int, void *, int);

/* Infos, a list of A, and one of each right-hand side: the solver takes one. */
enum { TOLD, MATRIX, COLUMNS };
static bench_parts parts(const bench_problem *p)
{
    size_t list = bench_list_bytes(p), columns = p->count > 2 ? (size_t)p->c.k : 0;
    return (bench_parts){{[TOLD] = bench_narrow_bytes(p, 0), [MATRIX] = list, [COLUMNS] = columns * list}};
}

static char *column(const bench_cuda *s, const bench_problem *p, int64_t j)
{
    return (char *)bench_part(s, parts(p), COLUMNS) + (size_t)j * bench_list_bytes(p);
}

static bool size(bench_cuda *s, bench_problem *p) { return bench_parts_size(s, parts(p), 0, 0); }
static bool ready(bench_cuda *s, bench_problem *p)
{
    bool done = bench_batch_point(p, 1, 0, bench_part(s, parts(p), MATRIX));
    for (int64_t j = 0; p->count > 2 && j < p->c.k && done; j++)
        done = bench_batch_point(p, 2, j, column(s, p, j));
    return done;
}

static bool finish_infos(bench_cuda *s, bench_problem *p) { return bench_batch_widen(p, 0, bench_part(s, parts(p), TOLD)); }

static bool cusolver_potrf(bench_cuda *s, bench_problem *p)
{
    return !((potrf_call *)s->f[0])(s->handle, cuda_uplo(p), (int)p->c.n, bench_part(s, parts(p), MATRIX), (int)DEVICE_LD(1),
                                    bench_part(s, parts(p), TOLD), (int)count(p));
}

static bool cusolver_posv(bench_cuda *s, bench_problem *p)
{
    bool done = cusolver_potrf(s, p);
    for (int64_t j = 0; j < p->c.k && done; j++)
        done = !((potrs_call *)s->f[1])(s->handle, cuda_uplo(p), (int)p->c.n, 1, bench_part(s, parts(p), MATRIX),
                                        (int)DEVICE_LD(1), column(s, p, j), (int)DEVICE_LD(2), s->info, (int)count(p));
    return done;
}

static const bench_routine routines[] = {
    {BATCH(potrf), INFOS, UPLO, .sizes = "n",
     .cusolver = {CUSOLVER("cusolverDn?potrfBatched"), cusolver_potrf, size, ready, finish_infos}},
    {BATCH(posv), INFOS, UPLO, .sizes = "nk",
     .cusolver = {CUSOLVER("cusolverDn?potrfBatched", "cusolverDn?potrsBatched"), cusolver_posv, size, ready, finish_infos}},
    {MANY(potri), INFOS, UPLO, .sizes = "n", .typed = TYPES(potri)},
    {MANY(trtri), INFOS, .sizes = "n", .typed = TYPES(trtri), .flags = FLAGS([BENCH_UPLO] = "LU", [BENCH_DIAG] = "NU")},
};

const bench_family bench_batch_cholesky = FAMILY(routines);
#endif
