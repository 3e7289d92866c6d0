/* The operation table, and what follows from it. */
#include "core/op.h"

#include <string.h>

const tsl_op_info tsl_ops[TSL_OP_COUNT] = {
#define TSL_OPERATION(id, name, types, access, kinds, sizes, traits, weight, flops, cuda, grid, parts, ...) \
    {#name, types, access, kinds, sizes, flops, parts, traits, weight, {__VA_ARGS__}, (int)sizeof(access) - 1},
#include "core/ops.def"
#undef TSL_OPERATION
};

bool tsl_find_op(const char *name, size_t length, tsl_opcode *op)
{
    for (int i = 0; i < TSL_OP_COUNT; ++i)
        if (strlen(tsl_ops[i].name) == length && !memcmp(tsl_ops[i].name, name, length)) {
            *op = (tsl_opcode)i;
            return true;
        }
    return false;
}

bool tsl_is_vector(tsl_opcode op, int i)
{
    const char *size = tsl_ops[op].sizes;
    for (; i > 0 && *size; --i) {
        size += strcspn(size, " ");
        size += strspn(size, " ");
    }
    return *size && size[1] == '1';
}

/* The last that is written and is no column of numbers beside the matrices, nor merely goes with pairs of tiles of another; of operations that
 * write none, the last. */
int tsl_output(tsl_opcode op)
{
    const tsl_op_info *o = &tsl_ops[op];
    for (int i = o->operands - 1; i >= 0; --i)
        if (o->access[i] != 'R' && !tsl_per_column(op, i) && !(i == 1 && tsl_trait(op, TSL_PAIRS))) return i;
    return o->operands - 1;
}

/* The old contents matter unless all of the operand is overwritten without being read. A copy of a triangle writes only that. */
bool tsl_needs_contents(const tsl_call *c, int i)
{
    if (i == tsl_ops[c->op].operands) return false; /* a number */
    char access = tsl_ops[c->op].access[i];
    bool copies = c->op == TSL_OP_COPY || c->op == TSL_OP_CONVERT || c->op == TSL_OP_GEADD;
    if (access == 'R' || access == 'U' || c->v[i].uplo != TSL_GENERAL || (copies && c->v[0].uplo != TSL_GENERAL)) return true;
    return access == 'B' && c->beta != 0;
}

void tsl_arguments(const tsl_call *c, int64_t out[TSL_ARGUMENTS])
{
#define TSL_ARGUMENT(type, name) out[TSL_ARGUMENT_##name] = c->name;
#include "core/arguments.def"
#undef TSL_ARGUMENT
}
