/* Batches of QR: reflectors, the columns of Q, with pivots, and least squares of any rank. */
#ifdef T
static tsl_status FN(geqrf)(bench_problem *p)
{
    return CALL(geqrf_batch)(p->ctx, p->c.m, p->c.n, STRIDED(1), DATA(0), LD(0), count(p));
}

static tsl_status FN(orgqr)(bench_problem *p)
{
    return CALL(PAIR(orgqr_batch, ungqr_batch))(p->ctx, p->c.m, p->a[1].is.cols, p->a[0].is.rows, STRIDED(1), DATA(0), LD(0),
                                                count(p));
}

static tsl_status FN(geqp3)(bench_problem *p)
{
    return CALL(geqp3_batch)(p->ctx, p->c.m, p->c.n, STRIDED(2), DATA(1), LD(1), DATA(0), LD(0), count(p));
}

/* Ranks are where others have infos. */
static tsl_status FN(gelsy)(bench_problem *p)
{
    return CALL(gelsy_batch)(p->ctx, p->c.m, p->c.n, p->c.k, STRIDED(2), STRIDED(3), DATA(1), LD(1), 0, DATA(0), count(p));
}

#else
#include "bench/routine/batch/batch.h"

#define BENCH_FAMILY "bench/routine/batch/qr.c"
#include "bench/each_type.h"

static int64_t full_rank(const bench_case *c) { return c->m < c->n ? c->m : c->n; }

typedef int geqrf_call(void *, int, int, void *, int, void *, int *, int);

/* Lists of A and of the factors */
static bench_parts lists(const bench_problem *p) { return (bench_parts){{bench_list_bytes(p), bench_list_bytes(p)}}; }
static bool size(bench_cuda *s, bench_problem *p) { return bench_parts_size(s, lists(p), 0, 0); }
static bool point(bench_cuda *s, bench_problem *p)
{
    return bench_batch_point(p, 0, 0, bench_part(s, lists(p), 0)) && bench_batch_point(p, 1, 0, bench_part(s, lists(p), 1));
}

static bool cublas_geqrf(bench_cuda *s, bench_problem *p)
{
    int refused = 0;
    return !((geqrf_call *)s->f[0])(s->handle, (int)p->c.m, (int)p->c.n, bench_part(s, lists(p), 1), (int)DEVICE_LD(1),
                                    bench_part(s, lists(p), 0), &refused, (int)count(p)) && !refused;
}

static const bench_routine routines[] = {
    {BATCH(geqrf), .writes_all = true, .sizes = "mn", .cublas = {CUSOLVER("cublas?geqrfBatched"), cublas_geqrf, size, point}},
    {MANY(orgqr), .types = "sd", .sizes = "mnk", .typed = REAL_TYPES(orgqr)},
    {MANY(ungqr), .types = "cz", .sizes = "mnk", .typed = COMPLEX_TYPES(orgqr)},
    {MANY(geqp3), .writes_all = true, .sizes = "mn", .typed = TYPES(geqp3)},
    {MANY(gelsy), INFOS, .infos = full_rank, .sizes = "mnk", .typed = TYPES(gelsy)},
};

const bench_family bench_batch_qr = FAMILY(routines);
#endif
