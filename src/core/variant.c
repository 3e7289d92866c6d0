/* The names of the operations' algorithms. */
#include <string.h>

#include "core/variant.h"

const tsl_variant_info tsl_variants[TSL_VARIANT_COUNT] = {
#define TSL_VARIANT(op, name, function, flags, rule) {TSL_OP_##op, #name, flags},
#include "core/variants.def"
#undef TSL_VARIANT
};

/* Is it one of the operation's that may be asked for? */
static bool is_of(int i, tsl_opcode op) { return tsl_variants[i].op == op && !tsl_variant_is(i, TSL_HIDDEN); }

bool tsl_has_variants(tsl_opcode op)
{
    for (int i = 0; i < TSL_VARIANT_COUNT; ++i)
        if (is_of(i, op)) return true;
    return false;
}

const char *tsl_variant_name(const char *operation, int i)
{
    tsl_opcode op;
    if (!operation || i < 0 || !tsl_find_op(operation, strlen(operation), &op)) return NULL;
    for (int v = 0; v < TSL_VARIANT_COUNT; ++v)
        if (is_of(v, op) && i-- == 0) return tsl_variants[v].name;
    return NULL;
}

static bool common(const char *name, int *variant)
{
    *variant = !strcmp(name, "leaf") ? TSL_BY_LEAF : TSL_BY_RULE;
    return *variant == TSL_BY_LEAF || !strcmp(name, "auto");
}

bool tsl_find_variant(tsl_opcode op, const char *name, int *variant)
{
    if (common(name, variant)) return true;
    for (int i = 0; i < TSL_VARIANT_COUNT; ++i)
        if (is_of(i, op) && !strcmp(name, tsl_variants[i].name)) {
            *variant = i;
            return true;
        }
    return false;
}

bool tsl_is_variant(const char *name)
{
    int variant;
    for (int op = 0; op < TSL_OP_COUNT; ++op)
        if (tsl_find_variant((tsl_opcode)op, name, &variant)) return true;
    return false;
}

int tsl_variant_for(tsl_opcode op, int flag)
{
    for (int i = 0; i < TSL_VARIANT_COUNT; ++i)
        if (tsl_variants[i].op == op && tsl_variant_is(i, flag)) return i;
    return TSL_BY_RULE;
}
