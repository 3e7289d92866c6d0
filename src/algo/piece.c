/* What cannot be cut is computed in one place: operands that lie in several pieces are brought together for it, and what it
 * writes is put back. It takes the memory of all its operands where it is computed. */
#include "algo/algo.h"
#include "core/leaf.h"
#include "core/values.h"

/* The triangle, or the block, that is meant, as it is stored */
static tsl_view stored(tsl_view v)
{
    v.op = TSL_NOTRANS;
    v.diag = TSL_NONUNIT;
    return v;
}

/* v in one piece, with its contents or without */
static tsl_view together(tsl_context *x, tsl_view v, bool contents)
{
    tsl_view w = tsl_temp_of(x, v, TSL_IN_ONE, TSL_OF_TYPE, v.m, v.n);
    w.uplo = v.uplo;
    if (contents) tsl_copy(x, stored(v), w);
    w.op = v.op, w.diag = v.diag;
    return w;
}

/* The number that a task makes is brought to where the caller looks for it. */
static void compute(tsl_context *x, tsl_call *c)
{
    int last = tsl_ops[c->op].operands;
    tsl_type type = tsl_element_type(tsl_number_element(c->op), tsl_matrix_type(c->v[0].mat));
    tsl_scalar number = 0;
    if (!tsl_trait(c->op, TSL_NUMBER)) {
        tsl_execute(x, c);
        return;
    }
    c->v[last] = tsl_temp_of(x, c->v[0], TSL_IN_ONE, tsl_number_element(c->op), 1, 1);
    c->numbered = true;
    tsl_execute(x, c);
    tsl_read(x, c->v[last], &number);
    tsl_typed_scalar typed = tsl_typed(type, number);
    tsl_leave_number(x, &typed, tsl_type_size(type));
}

tsl_status tsl_in_one_piece(tsl_context *x, const tsl_call *c)
{
    const tsl_op_info *op = &tsl_ops[c->op];
    tsl_call whole = *c;
    for (int i = 0; i < op->operands; ++i) {
        if (tsl_lies_in_one(c->v[i])) continue; /* asks: this is what brings it together */
        whole.v[i] = together(x, c->v[i], op->operand[i].access != TSL_WRITES);
    }
    compute(x, &whole);
    for (int i = 0; i < op->operands; ++i)
        if (whole.v[i].mat != c->v[i].mat && op->operand[i].access != TSL_READS)
            tsl_copy(x, stored(whole.v[i]), stored(c->v[i]));
    return TSL_OK;
}
