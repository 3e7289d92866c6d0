/* The work of a call on views, by the formulas of ops.def: which size of the typed call a side of an operand is, its row
 * says. */
#include <string.h>

#include "exec/exec.h"

double tsl_work_of(const tsl_call *c)
{
    const tsl_op_info *op = &tsl_ops[c->op];
    static const char names[] = "mnk";
    int64_t size[3] = {0};
    if (tsl_rule[c->op]->flops) return tsl_rule[c->op]->flops(c);
    if (!*op->flops) return 0;
    for (int i = 0; i < op->operands; ++i) {
        int64_t side[2] = {tsl_rows(c->v[i]), tsl_cols(c->v[i])};
        bool turned = c->side == TSL_RIGHT && i == tsl_output(c->op); /* the formulas are for the left */
        for (int s = 0; s < 2; ++s) {
            const char *size_name = s ? op->operand[i].cols : op->operand[i].rows,
                       *known = size_name[0] && !size_name[1] ? strchr(names, size_name[0]) : NULL;
            if (known && !size[known - names]) size[known - names] = side[s != turned];
        }
    }
    return tsl_flops_of(op->flops, c->v[0].mat->type, size[0], size[1], size[2]);
}
