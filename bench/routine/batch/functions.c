/* Batches of functions of matrices. */
#ifdef T
static tsl_status FN(expm)(bench_problem *p) { return CALL(expm_batch)(p->ctx, p->c.n, STRIDED(1), count(p), DATA(0)); }

#else
#include "bench/routine/batch/batch.h"

#define BENCH_FAMILY "bench/routine/batch/functions.c"
#include "bench/each_type.h"

static const bench_routine routines[] = {
    {ALONE(expm), INFOS, .sizes = "n", .typed = TYPES(expm)},
};

const bench_family bench_batch_functions = FAMILY(routines);
#endif
