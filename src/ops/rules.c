/* The operation table's rules, by opcode. */
#include "ops/ops.h"

const tsl_rules *const tsl_rule[TSL_OP_COUNT] = {
#define TSL_OPERATION(id, name, ...) [TSL_OP_##id] = &tsl_##name##_rules,
#include "core/ops.def"
#undef TSL_OPERATION
};
