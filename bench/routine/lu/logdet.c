/* A determinant from triangular factors with exchanges: its phase, and the logarithm of its modulus. */
#ifdef T
static tsl_status FN(logdet)(bench_problem *p)
{
    T phase = 0;
    double logabs = 0;
    tsl_status st = CALL(logdet)(p->ctx, 'G', p->c.n, DATA(0), LD(0), DATA(1), &phase, &logabs);
    return st ? st : answer(p, (tsl_scalar)phase, logabs);
}

#else
#include "bench/routine.h"

/* The two numbers, written where the operands are */
static tsl_status answer(bench_problem *p, tsl_scalar phase, double logabs)
{
    tsl_status st = tsl_laset(p->ctx, logabs, logabs, bench_view(p, 2, 'N'));
    if (!st) st = tsl_laset(p->ctx, phase, phase, bench_view(p, 3, 'N'));
    return st ? st : tsl_wait(p->ctx);
}

#define BENCH_FAMILY "bench/routine/lu/logdet.c"
#include "bench/each_type.h"

static int shape(const bench_case *c, bench_shape *is)
{
    is[0] = matrix_of(c->n, c->n, BENCH_SOLVABLE);
    is[1] = vector_of(c->n, BENCH_PIVOTS);
    is[2] = vector_of(1, BENCH_NOT_READ);
    is[2].wide = true;
    is[3] = vector_of(1, BENCH_NOT_READ);
    return 4;
}

static double elements(const bench_case *c) { return 2.0 * c->n; } /* a diagonal and the exchanges */

static tsl_status views(bench_problem *p)
{
    tsl_scalar phase = 0;
    double logabs = 0;
    tsl_status st = tsl_logdet(p->ctx, bench_view(p, 0, 'N'), bench_view(p, 1, 'N'), &phase, &logabs);
    return st ? st : answer(p, phase, logabs);
}

static double residual(const bench_problem *p)
{
    const bench_array *A = &p->a[0], *exchanges = &p->a[1], *logabs = &p->a[2], *direction = &p->a[3];
    double sum = 0, size = 1, unit = tsl_type_eps(p->c.type) * (double)(p->c.n + 1);
    tsl_scalar phase = 1;
    for (int64_t i = 0; i < p->c.n; i++) {
        tsl_scalar u = stored(A, A->first, i, i);
        sum += log(cabs(u)), size += fabs(log(cabs(u)));
        phase *= u / cabs(u);
        if ((int64_t)creal(stored(exchanges, exchanges->first, i, 0)) != i + 1)
            phase = -phase;
    }
    return bench_worse(fabs(creal(stored(logabs, logabs->work, 0, 0)) - sum) / (unit * size),
                       cabs(stored(direction, direction->work, 0, 0) - phase) / unit);
}

static const bench_routine routines[] = {
    {.name = "logdet", .sizes = "n", .alpha = 1, .by_bytes = true, .writes_all = true, .steady = true,
     .shape = shape, .elements = elements, .typed = TYPES(logdet), .views = views, .residual = residual},
};

const bench_family bench_logdet = FAMILY(routines);
#endif
