/* What the operations of QR have in common. */
#ifndef TSL_OPS_QR_H
#define TSL_OPS_QR_H

#include "ops/ops.h"

/* Operand i is as it is stored, or its conjugate transpose. */
tsl_status tsl_need_upright(tsl_context *x, const tsl_call *c, int i);
/* Operand i holds the factors of `count` reflectors: a column, as it is stored. */
tsl_status tsl_need_factors_of(tsl_context *x, const tsl_call *c, int i, int64_t count);
/* Is the op Q is seen through, trans, neither none nor the conjugate transpose? */
tsl_status tsl_refuse_op_of_q(tsl_context *x, const tsl_call *c);
/* The op that LAPACK's letter for the conjugate transpose stands for, and its absence */
static inline tsl_op tsl_herm_of(tsl_type t) { return tsl_reduced(TSL_HERM, t); }
static inline tsl_op tsl_inverse_op(tsl_op op, tsl_type t) { return op == TSL_NOTRANS ? tsl_herm_of(t) : TSL_NOTRANS; }

#endif
