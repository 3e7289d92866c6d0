/* Sylvester's equation with Schur forms: trsyl; with general matrices: sylvester. */
#ifdef T
static tsl_status FN(trsyl)(bench_problem *p)
{
    return CALL(trsyl)(p->ctx, FLAG(TRANS), FLAG(TRANSB), 1, p->c.m, p->c.n, DATA(0), LD(0), DATA(1), LD(1), DATA(3), LD(3), DATA(2), NULL);
}

static bool FN(openblas_trsyl)(bench_problem *p)
{
    return LAPACK(trsyl_work)(LAPACK_COL_MAJOR, FLAG(TRANS), FLAG(TRANSB), 1, (lapack_int)p->c.m, (lapack_int)p->c.n, HOST(0), HOST_LD(0), HOST(1), HOST_LD(1), HOST(3),
                              HOST_LD(3), HOST(2)) >= 0;
}

static tsl_status FN(sylvester)(bench_problem *p)
{
    return CALL(sylvester)(p->ctx, p->c.m, p->c.n, DATA(0), LD(0), DATA(1), LD(1), DATA(3), LD(3), DATA(2), NULL);
}

#else
#include "bench/routine.h"

#define BENCH_FAMILY "bench/routine/schur/sylvester.c"
#include "bench/each_type.h"

static int shape(const bench_case *c, bench_shape *is)
{
    is[0] = matrix_of(c->m, c->m, BENCH_SCHUR);
    is[1] = matrix_of(c->n, c->n, BENCH_SCHUR);
    is[2] = vector_of(1, BENCH_NOT_READ);
    is[2].real = true;
    is[3] = matrix_of(c->m, c->n, BENCH_RANDOM);
    return 4;
}

/* Random ones, moved to the right: eigenvalues of A and -B do not meet. */
static int shape_general(const bench_case *c, bench_shape *is)
{
    int count = shape(c, is);
    is[0].fill = is[1].fill = BENCH_DOMINANT;
    return count;
}

static double elements(const bench_case *c) { return half_of(c->m) + half_of(c->n) + 2.0 * (double)c->m * (double)c->n; }

static tsl_status views(bench_problem *p) { return tsl_trsyl(p->ctx, 1, in(p, 0), in(p, 1), out(p), bench_view(p, 2, 'N'), NULL); }

static tsl_status views_general(bench_problem *p) { return tsl_sylvester(p->ctx, in(p, 0), in(p, 1), out(p), bench_view(p, 2, 'N'), NULL); }

/* op(A) X + X op(B) - C */
static double residual(const bench_problem *p)
{
    int64_t m = p->c.m, n = p->c.n;
    scratch s = {.e = &bench_elements_of[p->c.type]};
    bench_block A = before(p, 0), B = before(p, 1), X = after(p);
    double *x = random_vector(&s, n), *r = times(&s, A, op_of(p, 0), times(&s, X, TSL_NOTRANS, x));
    minus(&s, -1, times(&s, X, TSL_NOTRANS, times(&s, B, op_of(p, 1), x)), r, m, 1, 1);
    minus(&s, 1, times(&s, before(p, 3), TSL_NOTRANS, x), r, m, 1, 1);
    return finish(&s, p, r, m, x, n, (frobenius(&s, A) + frobenius(&s, B)) * frobenius(&s, X));
}

static const bench_routine routines[] = {
    {.name = "trsyl", .sizes = "mn", .flags = {{[BENCH_TRANS] = "NT", [BENCH_TRANSB] = "NT"}, {[BENCH_TRANS] = "NC", [BENCH_TRANSB] = "NC"}}, .alpha = 1,
     .has_info = true, .writes_all = true, .shape = shape, .elements = elements, .typed = TYPES(trsyl), .views = views, .residual = residual, .openblas = TYPES(openblas_trsyl)},
    {.name = "sylvester", .sizes = "mn", .alpha = 1, .has_info = true, .writes_all = true, .shape = shape_general, .elements = elements, .typed = TYPES(sylvester), .views = views_general,
     .residual = residual},
};

const bench_family bench_sylvester = FAMILY(routines);
#endif
