/* Dense matrices in double precision, and the textbook's loops on them: what references are made of. */
#ifndef BENCH_DENSE_H
#define BENCH_DENSE_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/problem/elements.h"

/* A dense matrix, element (i,j) at v[i + j*rows] */
typedef struct dense {
    int64_t rows, cols;
    tsl_scalar *v;
} dense;

static inline tsl_scalar *at(dense d, int64_t i, int64_t j) { return &d.v[i + j * d.rows]; }

static inline dense dense_new(int64_t rows, int64_t cols)
{
    dense d = {rows, cols, bench_zeros(rows, cols, sizeof *d.v)};
    if (!d.v)
        abort();
    return d;
}

static inline tsl_scalar stored(const bench_array *a, const void *base, int64_t i, int64_t j)
{
    return bench_elements_of[a->type].get(base, a->row0 + i + (a->col0 + j) * a->ld);
}

static inline bool referenced(const bench_array *a, int64_t i, int64_t j)
{
    return a->is.part == TSL_GENERAL || (a->is.part == TSL_LOWER ? i >= j : i <= j);
}

/* op(A) as generated: zero in the other triangle, ones on a unit diagonal; all zero if it must not be read */
static inline dense seen(const bench_array *a, tsl_op op)
{
    bool turned = op & TSL_TRANS;
    dense d = dense_new(turned ? a->is.cols : a->is.rows, turned ? a->is.rows : a->is.cols);
    for (int64_t j = 0; j < a->is.cols && a->is.fill != BENCH_NOT_READ; j++)
        for (int64_t i = 0; i < a->is.rows; i++) {
            bool one = i == j && a->is.diag == TSL_UNIT;
            tsl_scalar v = one ? 1 : referenced(a, i, j) ? stored(a, a->first, i, j) : 0;
            *(turned ? at(d, j, i) : at(d, i, j)) = op & TSL_CONJ ? conj(v) : v;
        }
    return d;
}

/* C := alpha A B + beta C; entries are at most sqrt(2) in modulus, which bounds what is rounded */
static inline double multiply(tsl_scalar alpha, dense A, dense B, tsl_scalar beta, dense C)
{
    for (int64_t j = 0; j < C.cols; j++)
        for (int64_t i = 0; i < C.rows; i++) {
            tsl_scalar sum = 0;
            for (int64_t l = 0; l < A.cols; l++)
                sum += *at(A, i, l) * *at(B, l, j);
            *at(C, i, j) = alpha * sum + beta * *at(C, i, j);
        }
    free(A.v);
    free(B.v);
    return 2 * cabs(alpha) * (double)A.cols + 2 * cabs(beta);
}

static inline double deliver(dense d, tsl_scalar *expected, double scale)
{
    memcpy(expected, d.v, (size_t)(d.rows * d.cols) * sizeof *expected);
    free(d.v);
    return scale;
}

/* C := alpha A B + beta C, or from the right alpha B A + beta C */
static inline double sided_product(const bench_problem *p, dense A, dense B, tsl_scalar beta, dense C, tsl_scalar *expected)
{
    bool left = p->c.flag[BENCH_SIDE] == 'L';
    double scale = multiply(p->c.alpha, left ? A : B, left ? B : A, beta, C);
    return deliver(C, expected, scale);
}

static inline double largest(dense d)
{
    double max = 0;
    for (int64_t i = 0; i < d.rows * d.cols; i++)
        max = tsl_larger(max, cabs(d.v[i]));
    return max;
}

static inline dense identity(int64_t n)
{
    dense E = dense_new(n, n);
    for (int64_t j = 0; j < n; j++)
        *at(E, j, j) = 1;
    return E;
}

/* X with T X = B in place of B, for a lower or upper triangle T */
static inline void substitute(dense T, bool lower, dense B)
{
    for (int64_t j = 0; j < B.cols; j++)
        for (int64_t step = 0; step < B.rows; step++) {
            int64_t i = lower ? step : B.rows - 1 - step;
            tsl_scalar sum = *at(B, i, j);
            for (int64_t l = lower ? 0 : i + 1; l < (lower ? i : B.rows); l++)
                sum -= *at(T, i, l) * *at(B, l, j);
            *at(B, i, j) = sum / *at(T, i, i);
        }
}

/* reference.c: alpha op(A) op(B) + beta C */
double bench_reference_of_product(const bench_problem *p, tsl_scalar *expected);
double bench_accuracy_of_product(const bench_problem *p); /* sampled.c */

#endif
