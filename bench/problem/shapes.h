/* What operands and counts of work are made of. A routine's `shape` fills an array with its operands and returns how many there
 * are. */
#ifndef BENCH_SHAPES_H
#define BENCH_SHAPES_H

#include "bench/bench.h"

static inline tsl_uplo uplo_of(const bench_case *c) { return c->flag[BENCH_UPLO] == 'L' ? TSL_LOWER : TSL_UPPER; }
static inline tsl_diag diag_of(const bench_case *c) { return c->flag[BENCH_DIAG] == 'U' ? TSL_UNIT : TSL_NONUNIT; }

/* The order of the matrix that stands on a side of an m x n one. */
static inline int64_t order_of(const bench_case *c) { return c->flag[BENCH_SIDE] == 'L' ? c->m : c->n; }

/* An operand whose scalar is zero is not read. */
static inline bench_fill read_if(tsl_scalar factor) { return factor != 0 ? BENCH_RANDOM : BENCH_NOT_READ; }

static inline bench_shape matrix_of(int64_t rows, int64_t cols, bench_fill fill)
{
    return (bench_shape){.rows = rows, .cols = cols, .fill = fill};
}

static inline bench_shape vector_of(int64_t n, bench_fill fill) { return matrix_of(n, 1, fill); }

/* As it is stored: an operand that is rows x cols as seen through the op of this letter. */
static inline bench_shape factor_of(char trans, int64_t rows, int64_t cols, bench_fill fill)
{
    return bench_op(trans) & TSL_TRANS ? matrix_of(cols, rows, fill) : matrix_of(rows, cols, fill);
}

/* The triangle the letters say. */
static inline bench_shape triangle_of(const bench_case *c, int64_t order, bench_fill fill)
{
    return (bench_shape){.rows = order, .cols = order, .part = uplo_of(c), .diag = diag_of(c), .fill = fill};
}

/* Counts. The written operand is both read and written, or only written if beta is 0. */
static inline double touches(const bench_case *c) { return c->beta != 0 ? 2 : 1; }
static inline double half_of(int64_t order) { return 0.5 * (double)order * (double)(order + 1); } /* a triangle's elements */

#endif
