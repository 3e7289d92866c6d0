/* Rows added to a Cholesky factor (chud) and taken from it (chdd). LAPACK has QR of a triangle on top of rows for the first. */
#ifdef T
static tsl_status FN(chud)(bench_problem *p) { return CALL(chud)(p->ctx, 'U', p->c.n, p->c.k, DATA(1), LD(1), DATA(0), LD(0), NULL); }
static tsl_status FN(chdd)(bench_problem *p) { return CALL(chdd)(p->ctx, 'U', p->c.n, p->c.k, DATA(1), LD(1), DATA(0), LD(0), NULL); }

static bool FN(openblas_chud)(bench_problem *p)
{
    lapack_int n = (lapack_int)p->c.n, nb = n < TPQRT_BLOCK ? n : TPQRT_BLOCK;
    T *room = bench_room_for(&bench_openblas_work, (size_t)(2 * nb * n + 1) * sizeof *room);
    return room && (!n || LAPACK(tpqrt_work)(LAPACK_COL_MAJOR, (lapack_int)p->c.k, n, 0, nb, HOST(1), HOST_LD(1), HOST(0), HOST_LD(0), room, nb, room + nb * n) == 0);
}

#else
#include "bench/routine.h"

enum { TPQRT_BLOCK = 32 };

#define BENCH_FAMILY "bench/routine/cholesky/uddate.c"
#include "bench/each_type.h"

static int shape(const bench_case *c, bench_shape *is)
{
    is[0] = matrix_of(c->k, c->n, BENCH_RANDOM);
    is[1] = (bench_shape){.rows = c->n, .cols = c->n, .part = TSL_UPPER, .fill = BENCH_FACTOR};
    return 2;
}

/* Rows that are small enough to be taken off: their squares sum up to less than the least square on the diagonal */
static int shape_taken(const bench_case *c, bench_shape *is)
{
    int count = shape(c, is);
    is[0].fill = BENCH_SMALL;
    return count;
}

static double elements(const bench_case *c) { return 2 * half_of(c->n) + 2.0 * (double)c->k * (double)c->n; }

static tsl_status views_chud(bench_problem *p) { return tsl_chud(p->ctx, out(p), bench_view(p, 0, 'N')); }
static tsl_status views_chdd(bench_problem *p) { return tsl_chdd(p->ctx, out(p), bench_view(p, 0, 'N'), NULL); }

/* R'^H R' - R^H R -+ X^H X */
static double residual(const bench_problem *p, double sign)
{
    int64_t n = p->c.n;
    scratch s = {.e = &bench_elements_of[p->c.type]};
    bench_block R = after(p), R0 = before(p, 1), X = before(p, 0);
    double *x = random_vector(&s, n), *r = times(&s, R, adjoint(p), times(&s, R, TSL_NOTRANS, x));
    minus(&s, 1, times(&s, R0, adjoint(p), times(&s, R0, TSL_NOTRANS, x)), r, n, 1, 1);
    minus(&s, sign, times(&s, X, adjoint(p), times(&s, X, TSL_NOTRANS, x)), r, n, 1, 1);
    double size = frobenius(&s, R0), rows = frobenius(&s, X);
    return finish(&s, p, r, n, x, n, size * size + rows * rows);
}

static double residual_chud(const bench_problem *p) { return residual(p, 1); }
static double residual_chdd(const bench_problem *p) { return residual(p, -1); }

#define ROWS_OF .sizes = "nk", .alpha = 1, .has_info = true, .writes_all = true, .elements = elements

static const bench_routine routines[] = {
    {.name = "chud", ROWS_OF, .shape = shape, .typed = TYPES(chud), .views = views_chud, .residual = residual_chud, .openblas = TYPES(openblas_chud)},
    {.name = "chdd", ROWS_OF, .shape = shape_taken, .typed = TYPES(chdd), .views = views_chdd, .residual = residual_chdd},
};

const bench_family bench_uddate = FAMILY(routines);
#endif
