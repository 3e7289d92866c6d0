/* Pivots and the factors P A = L U, which lie in one array: what the routines of LU are described with. p is the operand before
 * the last. */
#ifndef BENCH_PIVOTS_H
#define BENCH_PIVOTS_H

#include "bench/routine.h"

static inline tsl_view pivots(const bench_problem *p) { return bench_view(p, p->count - 2, 'N'); }

static inline bench_block lower_of(bench_block F)
{
    if (F.cols > F.rows)
        F.cols = F.rows;
    F.part = TSL_LOWER, F.diagonal = BENCH_ONES;
    return F;
}

static inline bench_block upper_of(bench_block F)
{
    if (F.rows > F.cols)
        F.rows = F.cols;
    F.part = TSL_UPPER;
    return F;
}

static inline int64_t pivot(const bench_problem *p, const void *base, int64_t i)
{
    const bench_array *a = &p->a[p->count - 2];
    return (int64_t)creal(stored(a, base, i, 0)) - 1;
}

/* v := P v, from the first exchange on, or P^T v, from the last; false: a pivot is none */
static inline bool exchange(scratch *s, const bench_problem *p, const void *base, bool backward, double *v, int64_t rows)
{
    int64_t count = p->a[p->count - 2].is.rows;
    int parts = s->e->parts;
    for (int64_t step = 0; step < count && !s->failed; step++) {
        int64_t i = backward ? count - 1 - step : step, with = pivot(p, base, i);
        if (with < i || with >= rows)
            return false;
        for (int l = 0; l < parts; l++) {
            double t = v[parts * i + l];
            v[parts * i + l] = v[parts * with + l];
            v[parts * with + l] = t;
        }
    }
    return true;
}

static inline const void *pivots_before(const bench_problem *p) { return p->a[p->count - 2].first; }
static inline const void *pivots_after(const bench_problem *p) { return p->a[p->count - 2].work; }

/* A new vector op(L) op(U) x, or for a transposing op op(U) op(L) x: op(P A) x */
static inline double *factors_times(scratch *s, bench_block F, tsl_op op, const double *x)
{
    bench_block L = lower_of(F), U = upper_of(F);
    return op & TSL_TRANS ? times(s, U, op, times(s, L, op, x)) : times(s, L, op, times(s, U, op, x));
}

static inline void exchange_rows(const bench_problem *p, bool backward, dense B)
{
    int64_t count = p->a[p->count - 2].is.rows;
    for (int64_t step = 0; step < count; step++) {
        int64_t i = backward ? count - 1 - step : step, with = pivot(p, pivots_before(p), i);
        for (int64_t j = 0; j < B.cols; j++) {
            tsl_scalar t = *at(B, i, j);
            *at(B, i, j) = *at(B, with, j);
            *at(B, with, j) = t;
        }
    }
}

/* LAPACK has left its pivots in the front of the operand: they become wide from the last one on. */
static inline void widen(const bench_problem *p, int operand)
{
    char *pivots = HOST(operand);
    for (int64_t i = p->a[operand].is.rows; i-- > 0;) {
        lapack_int narrow;
        memcpy(&narrow, pivots + (size_t)i * sizeof narrow, sizeof narrow);
        memcpy(pivots + (size_t)i * sizeof(int64_t), &(int64_t){narrow}, sizeof(int64_t));
    }
}

/* The pivots as LAPACK has them */
static inline const lapack_int *narrow(const bench_problem *p, int operand)
{
    const int64_t *wide = HOST(operand);
    int64_t count = p->a[operand].is.rows;
    lapack_int *pivots = bench_room_for(&bench_openblas_indices, (size_t)count * sizeof *pivots);
    for (int64_t i = 0; pivots && i < count; i++)
        pivots[i] = (lapack_int)wide[i];
    return pivots;
}

#endif
