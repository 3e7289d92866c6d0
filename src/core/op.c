/* The operation table: names and access modes, and what follows from them. */
#include "core/op.h"

const tsl_op_info tsl_ops[TSL_OP_COUNT] = {
#define TSL_OPERATION(id, name, access, ...) {#name, access, {__VA_ARGS__}, (int)sizeof(access) - 1, false},
#define TSL_COMPOSITE(id, name, access, ...) {#name, access, {__VA_ARGS__}, (int)sizeof(access) - 1, true},
#include "core/ops.def"
#undef TSL_OPERATION
};

/* The old contents matter unless all of the operand is overwritten without being read: a whole one, and beta is 0 or there is
 * none to multiply it. A copy of a triangle writes only that. */
bool tsl_needs_contents(const tsl_call *c, int i)
{
    char access = tsl_ops[c->op].access[i];
    if (access == 'R' || c->v[i].uplo != TSL_GENERAL) return true;
    if (access == 'W') return c->op == TSL_OP_COPY && c->v[0].uplo != TSL_GENERAL;
    return !(tsl_ops[c->op].operands == 3 && c->beta == 0);
}
