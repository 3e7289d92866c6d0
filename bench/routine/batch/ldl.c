/* Batches of L D L^T and L D L^H: factors and solutions. */
#ifdef T
static tsl_status FN(sytrf)(bench_problem *p)
{
    return CALL(sytrf_batch)(p->ctx, FLAG(UPLO), p->c.n, STRIDED(2), DATA(1), LD(1), count(p), DATA(0));
}

static tsl_status FN(sysv)(bench_problem *p)
{
    return CALL(sysv_batch)(p->ctx, FLAG(UPLO), p->c.n, p->c.k, STRIDED(1), DATA(2), LD(2), STRIDED(3), count(p), DATA(0));
}

#ifdef COMPLEX
static tsl_status FN(hetrf)(bench_problem *p)
{
    return CALL(hetrf_batch)(p->ctx, FLAG(UPLO), p->c.n, STRIDED(2), DATA(1), LD(1), count(p), DATA(0));
}

static tsl_status FN(hesv)(bench_problem *p)
{
    return CALL(hesv_batch)(p->ctx, FLAG(UPLO), p->c.n, p->c.k, STRIDED(1), DATA(2), LD(2), STRIDED(3), count(p), DATA(0));
}
#endif

#else
#include "bench/routine/batch/batch.h"

#define BENCH_FAMILY "bench/routine/batch/ldl.c"
#include "bench/each_type.h"

static const bench_routine routines[] = {
    {MANY(sytrf), INFOS, UPLO, .sizes = "n", .typed = TYPES(sytrf)},
    {MANY(hetrf), INFOS, UPLO, .sizes = "n", .types = "cz", .typed = COMPLEX_TYPES(hetrf)},
    {BATCH(sysv), INFOS, UPLO, .sizes = "nk"},
    {MANY(hesv), INFOS, UPLO, .by_bytes = true, .sizes = "nk", .types = "cz", .typed = COMPLEX_TYPES(hesv)},
};

const bench_family bench_batch_ldl = FAMILY(routines);
#endif
