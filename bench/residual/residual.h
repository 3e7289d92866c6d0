/* What residuals are made of: vectors, products with blocks, norms. */
#ifndef BENCH_RESIDUAL_H
#define BENCH_RESIDUAL_H

#include <math.h>
#include <stdlib.h>

#include "bench/problem/elements.h"

enum { WORST_CASE_VECTORS = 8 };

/* The larger of two residuals, of which NaN is the largest: fmax would pass it over. */
static inline double bench_worse(double a, double b) { return isnan(a) || a > b ? a : b; }

/* Vectors of one check, freed together; a failed allocation makes the residual infinite. */
typedef struct scratch {
    const bench_elements *e;
    double *v[WORST_CASE_VECTORS];
    int count;
    bool failed;
} scratch;

static inline double *zeros(scratch *s, int64_t length)
{
    double *v = bench_zeros(length, s->e->parts, sizeof *v);
    s->failed |= !v;
    return s->v[s->count++] = v;
}

static inline double *random_vector(scratch *s, int64_t length)
{
    double *v = zeros(s, length);
    uint64_t state = 0x5eed;
    for (int64_t i = 0; v && i < length * s->e->parts; i++)
        v[i] = bench_uniform(&state);
    return v;
}

static inline double norm(const scratch *s, const double *v, int64_t length)
{
    double sum = 0;
    for (int64_t i = 0; i < length * s->e->parts; i++)
        sum += v[i] * v[i];
    return sqrt(sum);
}

/* y := y + factor x */
static inline void add(const scratch *s, tsl_scalar factor, const double *x, double *y, int64_t length)
{
    double re = creal(factor), im = cimag(factor);
    for (int64_t i = 0; i < length * s->e->parts; i += s->e->parts) {
        y[i] += re * x[i];
        if (s->e->parts == 2) {
            y[i] -= im * x[i + 1];
            y[i + 1] += re * x[i + 1] + im * x[i];
        }
    }
}

static inline bench_block block(const bench_array *a, const void *base)
{
    size_t before = (size_t)(a->row0 + a->col0 * a->ld) * tsl_type_size(a->type);
    bench_diagonal d = a->is.diag == TSL_UNIT ? BENCH_ONES : BENCH_AS_STORED;
    return (bench_block){(const char *)base + before, a->ld, a->is.rows, a->is.cols, a->is.part, d};
}

/* y := y + op(A) x; y is followed by as many entries of its own rounding errors */
static inline void accumulate(scratch *s, const bench_block *A, tsl_op op, const double *x, double *y)
{
    int64_t length = (op & TSL_TRANS ? A->cols : A->rows) * s->e->parts;
    if (s->failed)
        return;
    s->e->product(A, op, x, y, y + length);
    for (int64_t i = 0; i < length; i++) {
        y[i] += y[length + i];
        y[length + i] = 0;
    }
}

/* A new vector op(A) x */
static inline double *times(scratch *s, bench_block A, tsl_op op, const double *x)
{
    double *y = zeros(s, 2 * (op & TSL_TRANS ? A.cols : A.rows));
    accumulate(s, &A, op, x, y);
    return y;
}

/* A new vector op(H) x, where H is the symmetric (mirror = TSL_TRANS) or Hermitian (TSL_HERM) matrix of which A is a triangle,
 * or A itself (TSL_NOTRANS) */
static inline double *whole_times(scratch *s, bench_block A, tsl_op mirror, tsl_op op, const double *x)
{
    if (mirror == TSL_HERM)
        A.diagonal = BENCH_REAL_PART;
    double *y = times(s, A, op, x);
    A.diagonal = BENCH_ZEROS;
    if (mirror != TSL_NOTRANS)
        accumulate(s, &A, (tsl_op)(op ^ mirror), x, y);
    return y;
}

static inline double frobenius(const scratch *s, bench_block A) { return sqrt(s->e->sum_of_squares(&A)); }

/* The scaled residual |r| sqrt(cols) / (eps scale |x|); r has `rows` entries. Nothing to be rounded: r must be zero. */
static inline double finish(scratch *s, const bench_problem *p, const double *r, int64_t rows, const double *x, int64_t cols,
                     double scale)
{
    double size = s->failed ? 0 : norm(s, r, rows), of = s->failed ? 0 : norm(s, x, cols);
    double ratio = size == 0 ? 0 : size * sqrt((double)cols) / (tsl_type_eps(p->c.type) * scale * of);
    for (int i = 0; i < s->count; i++)
        free(s->v[i]);
    return s->failed ? INFINITY : ratio;
}

/* r := r - alpha product, the product being of matrices with norms f and g: what it adds to the scale */
static inline double minus(const scratch *s, tsl_scalar alpha, const double *product, double *r, int64_t rows, double f, double g)
{
    if (!s->failed)
        add(s, -alpha, product, r, rows);
    return cabs(alpha) * f * g;
}

/* The operand as it was before the run; after it. */
static inline bench_block before(const bench_problem *p, int operand) { return block(&p->a[operand], p->a[operand].first); }
static inline bench_block after(const bench_problem *p) { return block(&p->a[p->count - 1], p->a[p->count - 1].work); }

/* A new vector op(A) op(B) x, or from the right op(B) op(A) x; A, the first operand, is a triangle, or the matrix it is
 * mirrored to */
static inline double *sided_times(scratch *s, const bench_problem *p, tsl_op mirror, bench_block B, tsl_op opB, const double *x)
{
    bench_block A = before(p, 0);
    if (p->c.flag[BENCH_SIDE] == 'L')
        return whole_times(s, A, mirror, op_of(p, 0), times(s, B, opB, x));
    return times(s, B, opB, whole_times(s, A, mirror, op_of(p, 0), x));
}

/* What a Hermitian matrix is mirrored by; conjugating reals is nothing. */
static inline tsl_op adjoint(const bench_problem *p) { return bench_is_complex(p->c.type) ? TSL_HERM : TSL_TRANS; }

/* V^H V - I, or V V^H - I: of columns, or of rows */
static inline double orthonormal(const bench_problem *p, bench_block V, bool rows)
{
    scratch s = {.e = &bench_elements_of[p->c.type]};
    int64_t few = rows ? V.rows : V.cols, many = rows ? V.cols : V.rows;
    tsl_op there = rows ? adjoint(p) : TSL_NOTRANS, back = rows ? TSL_NOTRANS : adjoint(p);
    double *x = random_vector(&s, few), *r = times(&s, V, back, times(&s, V, there, x));
    minus(&s, 1, x, r, few, 1, 1);
    return finish(&s, p, r, few, x, few, (double)many * sqrt((double)few));
}

/* Level 2 is level 3 with one column: the case in which a matrix of order n stands left of an n x 1 one. */
static inline bench_problem as_column(const bench_problem *p)
{
    bench_problem q = *p;
    q.c.m = p->c.n;
    q.c.n = 1;
    q.c.flag[BENCH_SIDE] = 'L';
    return q;
}

/* residual.c: C - alpha op(A) op(B) - beta C0; C - alpha op(A) op(B)^T|^H - beta C0, of three operands with that product's
 * mirror image too */
double bench_residual_of_product(const bench_problem *p);
double bench_residual_of_update(const bench_problem *p, tsl_op mirror);

#endif
