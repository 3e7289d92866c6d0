/* What the algorithms with column pivots have in common. */
#ifndef TSL_QRP_H
#define TSL_QRP_H

#include <complex.h>

#include "algo/algo.h"

/* Column j of A := column q(j) - 1; backward: column q(j) - 1 := column j */
static inline void tsl_permute_columns(tsl_context *x, tsl_view A, tsl_view q, bool backward)
{
    tsl_execute(x, &(tsl_call){.op = TSL_OP_LAPMT, .lapmt = {.backward = backward}, .v = {A, q}});
}

/* move_columns.c: the same, not backward, of columns that lie in several pieces. Those that go elsewhere, at most as many as M
 * has columns, go one by one through M. Waits for q */
void tsl_move_columns(tsl_context *x, tsl_view A, tsl_view q, tsl_view M);

/* length := |a|, of a column */
static inline void tsl_length_of(tsl_context *x, tsl_view a, tsl_view length)
{
    tsl_execute(x, &(tsl_call){.op = TSL_OP_NRM2, .numbered = true, .v = {a, length}});
}

/* Lengths of columns are roots of sums of squares, which must be in range. A := A / 2^at, at is the result; and back, of R and
 * what is left of A once `done` columns are factored */
static inline int tsl_moderate(tsl_context *x, tsl_view A)
{
    int at = tsl_exponent_of(tsl_largest(x, TSL_TRIANGULAR, A));
    tsl_scale_by(x, -at, A);
    return at;
}
static inline void tsl_moderate_back(tsl_context *x, int at, tsl_view A, int64_t done)
{
    int64_t m = tsl_rows(A), n = tsl_cols(A);
    tsl_scale_by(x, at, tsl_upper(tsl_sub(A, 0, 0, done, done)));
    tsl_scale_by(x, at, tsl_sub(A, 0, done, m, n - done));
}

/* r := the rank of the upper triangle of R: of its diagonal, or by an estimate of the condition */
static inline void tsl_rank_of(tsl_context *x, tsl_view R, tsl_view r, double accuracy, bool by_diagonal)
{
    tsl_execute(x, &(tsl_call){.op = TSL_OP_TRRANK, .rank = {.by_diagonal = by_diagonal, .tolerance = accuracy}, .v = {R, r}});
}

/* r := rank, r a temporary */
static inline double tsl_one(int64_t i, int64_t j) { return (void)i, (void)j, 1; }
static inline void tsl_tell_rank(tsl_context *x, tsl_view r, int64_t rank) { tsl_fill(x, r, tsl_one, (double)rank); }

#endif
