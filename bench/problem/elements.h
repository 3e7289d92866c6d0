/* Elements of the four types behind one table. Vectors are double precision whatever the type, one double per entry for real
 * types and two for complex ones, so that a residual measures the routine's rounding errors and not its own: sums of double
 * precision elements carry their own rounding errors along in a second vector `low`. */
#ifndef BENCH_ELEMENTS_H
#define BENCH_ELEMENTS_H

#include "bench/bench.h"
#include "core/numbers/largest.h"

typedef enum bench_diagonal { BENCH_AS_STORED, BENCH_ONES, BENCH_ZEROS, BENCH_REAL_PART } bench_diagonal;

/* A block in memory; of a triangle, the other half counts as zero. */
typedef struct bench_block {
    const void *data;
    int64_t ld, rows, cols;
    tsl_uplo part;
    bench_diagonal diagonal;
} bench_block;

typedef struct bench_elements {
    int parts; /* doubles per vector entry */
    void (*random)(void *a, int64_t count, uint64_t *state);
    void (*canary)(void *a, int64_t count); /* NaNs of one bit pattern */
    tsl_scalar (*get)(const void *a, int64_t i);
    void (*set)(void *a, int64_t i, tsl_scalar value);
    void (*product)(const bench_block *A, tsl_op op, const double *x, double *y,
                    double *low); /* y + low := y + low + op(A) x */
    double (*sum_of_squares)(const bench_block *A);
} bench_elements;

extern const bench_elements bench_elements_of[5]; /* by tsl_type */

/* Zeros for rows x cols things of `size` bytes, for free(); NULL where there is no memory for them, or their bytes cannot be
 * counted. */
void *bench_zeros(int64_t rows, int64_t cols, size_t size);

/* Rows [from, to) of column j in a triangle of an m-row block: all of them if part is TSL_GENERAL; with the diagonal. */
static inline void bench_column(tsl_uplo part, int64_t m, int64_t j, int64_t *from, int64_t *to)
{
    *from = part == TSL_LOWER ? (j < m ? j : m) : 0;
    *to = part == TSL_UPPER ? (j + 1 < m ? j + 1 : m) : m;
}

/* The op a factor is seen through. */
static inline tsl_op op_of(const bench_problem *p, int operand) { return bench_op(bench_trans(&p->c, operand)); }

/* splitmix64: the state is a counter, so every seed gives an independent stream of full period. */
static inline double bench_uniform(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return (double)((int64_t)z >> 11) * 0x1p-52; /* [-1, 1) */
}

#endif
