/* The operations' rules, for the dispatcher. */
#include <string.h>

#include "ops/ops.h"

void tsl_rules_register(void)
{
    static const tsl_rules *const rules[TSL_OP_COUNT] = {
#define TSL_OPERATION(id, name, ...) [TSL_OP_##id] = &tsl_##name##_rules,
#include "core/ops.def"
#undef TSL_OPERATION
    };
    memcpy(tsl_rule, rules, sizeof rules);
}
