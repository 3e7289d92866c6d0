/* The operation table, and what follows from it. */
#include "core/op.h"

#include <stddef.h>
#include <string.h>

#include "core/values.h"

const tsl_op_info tsl_ops[TSL_OP_COUNT] = {
#define NONE TSL_IS_NONE
#define RESULT TSL_IS_RESULT
#define TRIANGLE TSL_IS_TRIANGLE
#define PER_COLUMN TSL_IS_PER_COLUMN
#define BAND TSL_IS_BAND
#define PACKED TSL_IS_PACKED
#define SYMMETRIC TSL_IS_SYMMETRIC
#define HERMITIAN TSL_IS_HERMITIAN
#define PAIRED TSL_IS_PAIRED
#define OPTIONAL TSL_IS_OPTIONAL
#define DIAGONAL TSL_IS_DIAGONAL
#define UPRIGHT TSL_IS_UPRIGHT
#define HALF TSL_IS_HALF
#define COUNT(...) (int)(sizeof (tsl_operand_info[]){__VA_ARGS__} / sizeof(tsl_operand_info))
#define TSL_OPERAND(name, access, element, rows, cols, traits) {#name, TSL_##access, TSL_OF_##element, #rows, #cols, traits}
#define TSL_OPERATION(id, name, types, traits, weight, flops, host, cuda, batch, grid, parts, ...) \
    {#name, types, flops, parts, traits, weight, COUNT(__VA_ARGS__), {__VA_ARGS__}},
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

bool tsl_next_part(const char **at, tsl_opcode *part)
{
    const char *name = *at + strspn(*at, " ");
    size_t length = strcspn(name, " ");
    *at = name + length;
    return length && tsl_find_op(name, length, part);
}

tsl_opcode tsl_part_with(tsl_opcode op, int trait)
{
    const char *at = tsl_ops[op].parts;
    while (!tsl_trait(op, trait))
        if (!tsl_next_part(&at, &op)) return TSL_OP_COUNT;
    return op;
}

tsl_type tsl_element_type(tsl_element e, tsl_type t)
{
    switch (e) {
    case TSL_OF_REAL: return tsl_real_type(t);
    case TSL_OF_OTHER: return tsl_other_precision(t);
    case TSL_OF_DOUBLE: return TSL_D;
    case TSL_OF_INDEX: return TSL_INDEX;
    default: return t;
    }
}

size_t tsl_number_bytes(tsl_opcode op, tsl_type t)
{
    return tsl_type_size(tsl_element_type(tsl_number_element(op), t)) * (tsl_trait(op, TSL_TWO_NUMBERS) ? 2 : 1);
}

int tsl_output(tsl_opcode op)
{
    int i = 0;
    while (!tsl_operand_is(op, i, TSL_IS_RESULT)) ++i;
    return i;
}

/* The old contents matter unless all of the operand is overwritten without being read. A copy of a triangle writes only
 * that. */
bool tsl_needs_contents(const tsl_call *c, int i)
{
    if (i == tsl_ops[c->op].operands) return false; /* a number */
    tsl_access access = tsl_ops[c->op].operand[i].access;
    bool copies = tsl_trait(c->op, TSL_COPIES);
    if (access == TSL_READS || access == TSL_UPDATES) return true;
    if (c->v[i].uplo != TSL_GENERAL || (copies && c->v[0].uplo != TSL_GENERAL)) return true;
    return access == TSL_ADDS && c->beta != 0;
}

/* From a struct's beginning to the end of a field */
#define BYTES_TO(type, field) (offsetof(type, field) + sizeof((type){0}.field))
#define IS_SOUND(name, last)                                                                                    \
    _Static_assert(sizeof(tsl_##name##_args) - BYTES_TO(tsl_##name##_args, last) < 8, #last " is not the last"); \
    _Static_assert(sizeof(tsl_##name##_args) <= sizeof(tsl_chase_args), #name " is larger than the first");
TSL_OWN_ARGUMENTS(IS_SOUND)

void tsl_argument_words(const tsl_call *c, int64_t out[TSL_ARGUMENT_WORDS])
{
    static const size_t bytes[] = {
        [TSL_ARGUMENTS_NONE] = 0,
#define BYTES(name, last) [TSL_ARGUMENTS_##name] = BYTES_TO(tsl_##name##_args, last),
        TSL_OWN_ARGUMENTS(BYTES)
    };
    enum { COMMON = BYTES_TO(tsl_arguments, unit) };
    memset(out, 0, TSL_ARGUMENT_WORDS * sizeof *out);
    memcpy(out, &c->arguments, COMMON);
    memcpy((char *)out + COMMON, &c->chase, bytes[tsl_arguments_of(c->op)]);
}
