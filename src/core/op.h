/* The operation table's names (core/op.c). */
#ifndef TSL_OP_H
#define TSL_OP_H

#include <stdbool.h>

#include "core/private.h"
#include "tesela.h"

typedef enum tsl_opcode {
#define TSL_OPERATION(id, ...) TSL_OP_##id,
#include "core/ops.def"
#undef TSL_OPERATION
    TSL_OP_COUNT
} tsl_opcode;

#define TSL_MAX_OPERANDS 5

/* How LU chooses pivots: the largest element of a column; those of the rows that are left of a tournament (core/leaf.h); none, no row is
 * exchanged */
typedef enum tsl_pivoting { TSL_PIVOTS_PARTIAL, TSL_PIVOTS_TOURNAMENT, TSL_PIVOTS_NONE } tsl_pivoting;

/* What random butterflies U and V (kernel/butterfly.h) make of a matrix A: U^T A V, U^T A, V A */
typedef enum tsl_butterflies { TSL_BUTTERFLIES_BOTH, TSL_BUTTERFLIES_U, TSL_BUTTERFLIES_V } tsl_butterflies;

/* One call of an operation on views, operands in the table's order. */
typedef struct tsl_call {
    tsl_opcode op;
    struct tsl_args *args; /* of the typed call that makes it (api/typed.h), or NULL */
    tsl_status refused;      /* what the caller of tsl_execute found wrong: told to all processes, if the operands are distributed */
#define TSL_ARGUMENT(type, name) type name;
#include "core/arguments.def"
#undef TSL_ARGUMENT
    int64_t panel;           /* the width of panels its algorithm is to take; 0: as the tables say */
    tsl_scalar alpha, beta;
    struct tsl_refinement *refine; /* refine: what is asked for, and what became of it */
    bool numbered; /* a task's: its number goes to the operand after the table's; else to the context's word */
    tsl_view v[TSL_MAX_OPERANDS];
} tsl_call;

/* How A X = B is solved by factors of a precision, lower than A's own or that. `outcome` is the number of corrections, or, with LAPACK's
 * numbers, why X is of no use: the caller then takes the next precision. Of A's own precision it is never negative but for a lack of memory:
 * the call's info says whether there are factors. */
enum { TSL_LOW_FAILED = -1, TSL_LOW_OVERFLOW = -2, TSL_LOW_SINGULAR = -3, TSL_LOW_SLOW = -31 };
typedef struct tsl_refinement {
    tsl_precision precision; /* of the factorization's products; the factors have at least single precision */
    double accuracy;         /* the backward error that is enough; 0: the least there is */
    bool any_size;           /* A may be of any; LAPACK gives up where its elements as they are, not scaled, are beyond single precision */
    bool measured;           /* errors and the condition are wanted; without them lower factors lead to no solution */
    int64_t outcome;
    tsl_method method;
    double backward, forward, condition;
} tsl_refinement;

/* What a matrix may be filled with: a number by its row and column */
typedef double (*tsl_number)(int64_t i, int64_t j);

/* The arguments as numbers */
enum {
#define TSL_ARGUMENT(type, name) TSL_ARGUMENT_##name,
#include "core/arguments.def"
#undef TSL_ARGUMENT
    TSL_ARGUMENTS
};
TSL_PRIVATE void tsl_arguments(const tsl_call *c, int64_t out[TSL_ARGUMENTS]);

enum { TSL_COMPOSITE = 1, TSL_HAS_INFO = 2, TSL_ELEMENTWISE = 4, TSL_PRODUCT = 8, TSL_TALL = 16, TSL_PAIRS = 32, TSL_SHAPED = 64, TSL_NUMBER = 128 };

typedef struct tsl_op_info { /* core/ops.def says what they mean */
    const char *name, *types, *access, *kinds, *sizes, *flops, *parts;
    int traits, weight;
    const char *operand[TSL_MAX_OPERANDS]; /* its name in tesela.h */
    int operands;
} tsl_op_info;

TSL_PRIVATE extern const tsl_op_info tsl_ops[TSL_OP_COUNT];

/* variant.c: the operations' algorithms by name (core/variants.def) */
enum {
#define TSL_VARIANT(op, name, function, uses, rule) TSL_VARIANT_##op##_##name,
#include "core/variants.def"
#undef TSL_VARIANT
    TSL_VARIANT_COUNT
};

typedef struct tsl_variant_info {
    tsl_opcode op;
    const char *name, *uses;
} tsl_variant_info;

TSL_PRIVATE extern const tsl_variant_info tsl_variants[TSL_VARIANT_COUNT];

/* Does any operation have a variant of this name? has this one any? */
bool tsl_is_variant(const char *name);
bool tsl_has_variants(tsl_opcode op);
/* The number of an operation's variant; "auto" and "leaf", which all have, are these. False: no such variant. */
enum { TSL_BY_RULE = -1, TSL_BY_LEAF = -2 };
TSL_PRIVATE bool tsl_find_variant(tsl_opcode op, const char *name, int *variant);

static inline bool tsl_trait(tsl_opcode op, int trait) { return tsl_ops[op].traits & trait; }
/* flops.c: the size a letter of ops.def stands for: m, n, k, d the less of m and n, x the greater, 0 or 1 */
int64_t tsl_size_called(char letter, int64_t m, int64_t n, int64_t k);
/* The value of a formula of ops.def: real additions and multiplications, of complex numbers four times as many */
double tsl_flops_of(const char *formula, tsl_type type, int64_t m, int64_t n, int64_t k);

/* Is operand i a column with an element for each column of a panel: pivots, or the factors of reflectors? */
static inline bool tsl_per_column(tsl_opcode op, int i) { return tsl_ops[op].kinds[i] == 'I' || tsl_ops[op].kinds[i] == 'V'; }

/* The operands of a task's call, with the place of its number */
static inline int tsl_operands(const tsl_call *c) { return tsl_ops[c->op].operands + c->numbered; }
static inline bool tsl_writes(const tsl_call *c, int i) { return i == tsl_ops[c->op].operands || tsl_ops[c->op].access[i] != 'R'; }
/* Is operand i a vector by its nature? */
bool tsl_is_vector(tsl_opcode op, int i);

bool tsl_find_op(const char *name, size_t length, tsl_opcode *op);
/* The operand whose shape is the operation's: its result, of several the last */
TSL_PRIVATE int tsl_output(tsl_opcode op);
/* Do the old contents of operand i matter? */
bool tsl_needs_contents(const tsl_call *c, int i);

/* partition.c: the row k before the end of A. Tiles are cut off from the first row on, so that the last one is the short one: of
 * a tiled matrix it is the next row from there that begins a tile, or the end. */
TSL_PRIVATE int64_t tsl_from_end(tsl_view A, int64_t k);

#endif
