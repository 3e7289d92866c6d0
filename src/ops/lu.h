/* What the operations of LU have in common. */
#ifndef TSL_OPS_LU_H
#define TSL_OPS_LU_H

#include "ops/ops.h"

/* Operand i holds `count` pivots: a column of indices, as it is stored. */
tsl_status tsl_need_pivots(tsl_context *x, const tsl_call *c, int i, int64_t count);
/* A square matrix with getrf's factors, and its pivots */
tsl_status tsl_need_factors(tsl_context *x, const tsl_call *c);
/* The pivots a typed call was given, for the length of it */
tsl_view tsl_lent_pivots(tsl_context *x, const tsl_leaf *l, tsl_matrix *a, int64_t count);

/* logdet.c: tsl_logdet, for a typed call too */
tsl_status tsl_logdet_of(tsl_context *x, tsl_door *d, tsl_view A, tsl_view p, tsl_scalar *phase, double *logabs);

#endif
