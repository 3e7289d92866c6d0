/* Singular values of a bidiagonal matrix, upper: bdsdc, with vectors of both sides or none. Vectors are unique only where they
 * are well determined: residuals are all there is. */
#ifdef T
#ifndef COMPLEX
static tsl_status FN(bdsdc)(bench_problem *p)
{
    return CALL(bdsdc)(p->ctx, 'U', letter(p), p->c.n, DATA(0), DATA(1), DATA(2), LD(2), DATA(3), LD(3), NULL);
}

static bool FN(openblas_bdsdc)(bench_problem *p)
{
    size_t n = (size_t)p->c.n;
    T none = 0, *work = bench_room_for(&bench_openblas_work, (3 * n * n + 8 * n + 1) * sizeof *work);
    lapack_int *whole = bench_room_for(&bench_openblas_indices, (8 * n + 1) * sizeof *whole);
    return work && whole &&
           LAPACK(bdsdc_work)(LAPACK_COL_MAJOR, 'U', letter(p), (lapack_int)n, HOST(0), HOST(1), HOST(2), HOST_LD(2), HOST(3), HOST_LD(3), &none, whole, work, whole) == 0;
}
#endif

#else
#include "bench/routine.h"

static bool vectors(const bench_case *c) { return c->flag[BENCH_JOBZ] != 'N'; }
static char letter(const bench_problem *p) { return vectors(&p->c) ? 'I' : 'N'; }

#define BENCH_FAMILY "bench/routine/svd/bidiagonal.c"
#include "bench/each_type.h"

/* d, e, U, VT */
static int shape_bdsdc(const bench_case *c, bench_shape *is)
{
    int64_t wanted = vectors(c) ? c->n : 0;
    is[0] = vector_of(c->n, BENCH_RANDOM);
    is[1] = vector_of(c->n ? c->n - 1 : 0, BENCH_RANDOM);
    is[2] = is[3] = matrix_of(wanted, wanted, BENCH_NOT_READ);
    return 4;
}

static double elements_bdsdc(const bench_case *c) { return 3 * (double)c->n + (vectors(c) ? 2 * (double)c->n * (double)c->n : 0); }
static double flops_bdsdc(const bench_case *c) { return vectors(c) ? 8 / 3. * pow((double)c->n, 3) : 30 * (double)c->n * (double)c->n; }

static double value(const bench_array *a, const void *data, int64_t i) { return creal(stored(a, data, i, 0)); }
static bench_block now(const bench_problem *p, int operand) { return block(&p->a[operand], p->a[operand].work); }

/* V^T V - I, or V V^T - I */
static double orthogonal(const bench_problem *p, bench_block V, bool rows)
{
    scratch s = {.e = &bench_elements_of[p->c.type]};
    tsl_op there = rows ? TSL_TRANS : TSL_NOTRANS, back = rows ? TSL_NOTRANS : TSL_TRANS;
    double *x = random_vector(&s, V.cols), *r = times(&s, V, back, times(&s, V, there, x));
    minus(&s, 1, x, r, V.cols, 1, 1);
    return finish(&s, p, r, V.cols, x, V.cols, (double)V.rows * sqrt((double)V.cols));
}

/* B x - U S VT x, with vectors; without them the sum of squares of the values is that of the elements. */
static double residual_bdsdc(const bench_problem *p)
{
    const bench_array *d = &p->a[0], *e = &p->a[1];
    int64_t n = p->c.n;
    double size = 0, sum = 0;
    for (int64_t i = 0; i < n; i++) {
        double a = value(d, d->first, i), b = i + 1 < n ? value(e, e->first, i) : 0, s = value(d, d->work, i);
        size += a * a + b * b, sum += s * s;
    }
    double off = n ? fabs(sum - size) / (size * (double)n * tsl_type_eps(p->c.type)) : 0;
    if (!vectors(&p->c) || !n)
        return off;
    scratch s = {.e = &bench_elements_of[p->c.type]};
    double *x = random_vector(&s, n), *y = times(&s, now(p, 3), TSL_NOTRANS, x);
    for (int64_t i = 0; i < n && !s.failed; i++)
        y[i] *= value(d, d->work, i);
    double *r = times(&s, now(p, 2), TSL_NOTRANS, y);
    for (int64_t i = 0; i < n && !s.failed; i++)
        r[i] -= value(d, d->first, i) * x[i] + (i + 1 < n ? value(e, e->first, i) * x[i + 1] : 0);
    off = bench_worse(off, finish(&s, p, r, n, x, n, (double)n * sqrt(size)));
    return bench_worse(off, bench_worse(orthogonal(p, now(p, 2), false), orthogonal(p, now(p, 3), true)));
}

static const bench_routine routines[] = {
    {.name = "bdsdc", .types = "sd", .sizes = "n", .alpha = 1, .writes_all = true, .flags = FLAGS([BENCH_JOBZ] = "VN"), .shape = shape_bdsdc, .elements = elements_bdsdc,
     .flops = flops_bdsdc, .typed = {[TSL_S] = s_bdsdc, [TSL_D] = d_bdsdc}, .residual = residual_bdsdc, .openblas = {[TSL_S] = s_openblas_bdsdc, [TSL_D] = d_openblas_bdsdc}},
};

const bench_family bench_bidiagonal = FAMILY(routines);
#endif
