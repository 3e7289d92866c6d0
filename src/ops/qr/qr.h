/* What operations with reflectors have in common. */
#ifndef TSL_OPS_QR_H
#define TSL_OPS_QR_H

#include "ops/ops.h"

/* Operand i is as it is stored, or its conjugate transpose. */
tsl_status tsl_need_upright(tsl_context *x, const tsl_call *c, int i);
/* Operand i is a column of `count` elements, as it is stored. */
tsl_status tsl_need_column_of(tsl_context *x, const tsl_call *c, int i, int64_t count);
/* Is the op Q is seen through, trans, neither none nor the conjugate transpose? */
tsl_status tsl_refuse_op_of_q(tsl_context *x, const tsl_call *c);
/* ormqr.c: that call, for tsl_execute; args names it, NULL: as op is called */
tsl_call tsl_product_with_q(tsl_context *x, tsl_opcode op, struct tsl_args *args, tsl_side side, tsl_op trans, tsl_view A, tsl_view tau, tsl_view C);
/* ormqr.c: products with a Q given by reflectors and their factors, and the rules of these */
tsl_status tsl_apply_q(tsl_context *x, tsl_opcode op, tsl_side side, tsl_op trans, tsl_view A, tsl_view tau, tsl_view C);
bool tsl_apply_q_simplify(const tsl_call *c, tsl_call *less);
tsl_status tsl_apply_q_canon(tsl_context *x, const tsl_call *c, tsl_leaf *l);
void tsl_apply_q_on_views(const tsl_leaf *l, tsl_call *c);
/* gesvd.c: the parts, by tiles, of singular values of the first operand */
int tsl_parts_of_svd(const tsl_context *x, const tsl_call *c, tsl_matrix mat[2], tsl_call part[]);
/* The op that LAPACK's letter for the conjugate transpose stands for, and its absence */
static inline tsl_op tsl_herm_of(tsl_type t) { return tsl_reduced(TSL_HERM, t); }
static inline tsl_op tsl_inverse_op(tsl_op op, tsl_type t) { return op == TSL_NOTRANS ? tsl_herm_of(t) : TSL_NOTRANS; }

#endif
