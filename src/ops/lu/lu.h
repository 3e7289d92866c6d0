/* What the operations of LU have in common. */
#ifndef TSL_OPS_LU_H
#define TSL_OPS_LU_H

#include "ops/ops.h"

/* Operand i holds `count` pivots: a column of indices, as it is stored. */
tsl_status tsl_need_pivots(tsl_context *x, const tsl_call *c, int i, int64_t count);
/* The pivots in operand i name some of so many rows, as far as they are at hand. */
tsl_status tsl_need_rows(tsl_context *x, const tsl_call *c, int i, int64_t rows);
/* Where the pivots are, if they are in the caller's memory and nothing is at work that may write them; NULL: elsewhere. And a
 * line about one of operand i that is no row */
const int64_t *tsl_pivots_at_hand(const tsl_context *x, const tsl_view *p, int64_t *ld);
tsl_status tsl_bad_pivot(tsl_context *x, const tsl_call *c, int i, int64_t at, int64_t row, int64_t first, int64_t last);

/* A rule, parts: of a function of its first operand, square, which by tiles has no task larger than those of a solution by
 * LU */
int tsl_parts_of_lu(const tsl_context *x, const tsl_call *c, tsl_matrix *mat, tsl_call part[]);

/* ldl.c: a rule: the pivots in operand 1 are some of A = L D L^T, operand 0 */
tsl_status tsl_ldl_indices(tsl_context *x, const tsl_call *c);

/* logdet.c: tsl_logdet, for a typed call too */
tsl_status tsl_logdet_of(tsl_context *x, tsl_args *d, tsl_view A, tsl_view p, tsl_scalar *phase, double *logabs);

#endif
