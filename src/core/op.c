/* The operation table: names and access modes. */
#include "core/op.h"

const tsl_op_info tsl_ops[TSL_OP_COUNT] = {
#define TSL_OPERATION(id, name, access) {#name, access, (int)sizeof(access) - 1},
#include "core/ops.def"
#undef TSL_OPERATION
};
