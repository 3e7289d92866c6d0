/* What is computed in one piece: operands that lie in several are brought together for it, and what it writes is put back. */
#include "algo/algo.h"

tsl_status tsl_in_one_piece(tsl_context *x, const tsl_call *c)
{
    const tsl_op_info *op = &tsl_ops[c->op];
    tsl_call whole = *c;
    for (int i = 0; i < op->operands; ++i) {
        tsl_view v = c->v[i];
        if (tsl_lies_in_one(v)) continue;
        whole.v[i] = tsl_temp_piece(x, v, TSL_OF_TYPE, v.m, v.n);
        if (!whole.v[i].mat) return TSL_OK; /* there was no memory, and x knows */
        if (op->operand[i].access != TSL_WRITES) tsl_copy(x, v, whole.v[i]);
    }
    tsl_execute(x, &whole);
    for (int i = 0; i < op->operands; ++i)
        if (whole.v[i].mat != c->v[i].mat && op->operand[i].access != TSL_READS) tsl_copy(x, whole.v[i], c->v[i]);
    return TSL_OK;
}
