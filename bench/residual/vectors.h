/* Residuals of what is computed element by element: the same in double precision. */
#ifndef BENCH_VECTORS_H
#define BENCH_VECTORS_H

#include "bench/residual/dense.h"

static inline tsl_scalar was(const bench_problem *p, int operand, int64_t i) { return stored(&p->a[operand], p->a[operand].first, i, 0); }
static inline tsl_scalar is_now(const bench_problem *p, int operand, int64_t i) { return stored(&p->a[operand], p->a[operand].work, i, 0); }
static inline double square(tsl_scalar v) { return creal(v) * creal(v) + cimag(v) * cimag(v); }

static inline double scaled(const bench_problem *p, double error, double scale)
{
    return error == 0 ? 0 : error / (tsl_type_eps(p->c.type) * scale);
}

/* [x; y] := [a b; c d] [x0; y0], where x and y may be one vector */
typedef struct matrix2 {
    tsl_scalar a, b, c, d;
} matrix2;

static inline double combined(const bench_problem *p, matrix2 h)
{
    double error = 0, size = 0;
    bool two = p->count == 2;
    for (int64_t i = 0; i < p->c.n; i++) {
        tsl_scalar x = was(p, 0, i), y = two ? was(p, 1, i) : 0;
        if (bench_writes(p, 0))
            error += square(is_now(p, 0, i) - (h.a * x + h.b * y));
        if (two)
            error += square(is_now(p, 1, i) - (h.c * x + h.d * y));
        size += square(x) + square(y);
    }
    return scaled(p, sqrt(error), (cabs(h.a) + cabs(h.b) + cabs(h.c) + cabs(h.d)) * sqrt(size));
}

/* One vector, or two. What is timed of them is bound by memory: `elements` counts. */
static inline int shape_vector(const bench_case *c, bench_shape *is)
{
    is[0] = vector_of(c->n, BENCH_RANDOM);
    return 1;
}

static inline int shape_two(const bench_case *c, bench_shape *is)
{
    is[0] = is[1] = vector_of(c->n, BENCH_RANDOM);
    return 2;
}

static inline double once(const bench_case *c) { return (double)c->n; }
static inline double twice(const bench_case *c) { return 2.0 * (double)c->n; }
static inline double three_times(const bench_case *c) { return 3.0 * (double)c->n; }
static inline double four_times(const bench_case *c) { return 4.0 * (double)c->n; }

#define ON_VECTORS(of_shape, count) .sizes = "n", BY_BYTES(of_shape, count)
#define BY_BYTES(of_shape, count) .alpha = -1, .by_bytes = true, .steady = true, .shape = of_shape, .elements = count

#endif
