/* Operations from the left, whose columns do not depend on each other (exchanges of rows, products with Q, eliminations): some
 * columns of all that they update at a time. */
#include "algo/algo.h"

tsl_status tsl_by_cols(tsl_context *x, const tsl_call *c)
{
    const tsl_op_info *op = &tsl_ops[c->op];
    tsl_call part = *c;
    int64_t n = 0, nb = tsl_panel(x, c);
    part.panel = 0;
    for (int i = 0; i < op->operands; ++i)
        if (op->operand[i].access == TSL_UPDATES) n = tsl_cols(c->v[i]);
    for (int64_t k = 0; k < n; k += nb) {
        for (int i = 0; i < op->operands; ++i)
            if (op->operand[i].access == TSL_UPDATES) part.v[i] = tsl_block_cols(c->v[i], k, nb).A1;
        /* B1 := op(A) B1 */                    tsl_execute(x, &part);
    }
    return TSL_OK;
}
