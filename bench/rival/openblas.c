/* OpenBLAS, called directly on the problem's host arrays. */
#include "bench/rival/rival.h"

bench_room bench_openblas_work, bench_openblas_indices;

static bool offers(const bench_routine *r) { return r->openblas[TSL_D] || r->openblas[TSL_C] || r->openblas[TSL_Z]; }

static bool open_it(tsl_context *ctx, void **state, char line[BENCH_LINE])
{
    (void)line;
    *state = NULL;
    return ctx != NULL;
}

static void close_it(void *state)
{
    (void)state;
    bench_room_free(&bench_openblas_work);
    bench_room_free(&bench_openblas_indices);
}

static bool prepare(void *state, bench_problem *p)
{
    (void)state;
    return p->routine->openblas[p->c.type];
}

static bool run(void *state, bench_problem *p)
{
    (void)state;
    return p->routine->openblas[p->c.type](p);
}

const bench_rival bench_openblas = {"openblas", BENCH_HOST, offers, NULL, open_it, close_it, prepare, run, NULL};
