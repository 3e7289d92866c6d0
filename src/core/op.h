/* The operation table's names (core/op.c). */
#ifndef TSL_OP_H
#define TSL_OP_H

#include <stdbool.h>

#include "core/arguments.h"
#include "core/private.h"
#include "tesela.h"

typedef enum tsl_opcode {
#define TSL_OPERATION(id, ...) TSL_OP_##id,
#include "core/ops.def"
#undef TSL_OPERATION
    TSL_OP_COUNT
} tsl_opcode;

#define TSL_MAX_OPERANDS 8

/* Why X of refine, by factors of lower precision, is of no use: LAPACK's numbers, where the count of corrections would be. The
 * caller then takes the next precision. Of A's own precision it is never negative but for a lack of memory: the call's info
 * says whether there are factors. */
enum { TSL_LOW_FAILED = -1, TSL_LOW_OVERFLOW = -2, TSL_LOW_SINGULAR = -3, TSL_LOW_SLOW = -31 };

/* What comes of a call beside its operands. Its info is with the devices until somebody asks (exec/info.c); of a batch there is
 * one for each problem. Infos of parts combine to the first, in the order of columns, that is not zero (tsl_first_info). */
enum { TSL_BACKWARD, TSL_FORWARD, TSL_CONDITION, TSL_SCALARS }; /* of refine: errors, and the condition */
typedef struct tsl_results {
    int64_t *infos; /* of a batch: where the caller wants them; NULL: nowhere */
    int64_t count;  /* how many: eigenpairs; corrections, or why there are none that help */
    tsl_method method;
    double scalar[TSL_SCALARS];
} tsl_results;

/* The info of two parts, which count columns of the same operand */
static inline int64_t tsl_first_info(int64_t a, int64_t b) { return !a || (b && b < a) ? b : a; }

/* One call of an operation on views, operands in the table's order. */
typedef struct tsl_call {
    tsl_opcode op;
    struct tsl_args *args; /* of the typed call that makes it (api/typed.h), or NULL */
    tsl_status refused;      /* what the caller of tsl_execute found wrong: told to all processes, if the operands are distributed */
    union { /* all of them, or each by its name */
        tsl_arguments arguments;
        struct { TSL_ARGUMENT_FIELDS };
    };
    int64_t panel;           /* the width of panels its algorithm is to take; 0: as the tables say */
    tsl_scalar alpha, beta;
    struct tsl_results *results; /* what comes of it beside its operands and its info; NULL: nobody asks */
    /* its number goes to the operand after the table's, of a batch one for each problem; else to the context's word */
    bool numbered;
    tsl_view v[TSL_MAX_OPERANDS];
} tsl_call;

/* What a matrix may be filled with: a number by its row and column */
typedef double (*tsl_number)(int64_t i, int64_t j);

/* What looks at all elements of a matrix, and may change them */
typedef void (*tsl_visitor)(void *with, int64_t m, int64_t n, tsl_scalar *a);

/* The arguments of a call: bytes that are the same if and only if these are */
enum { TSL_ARGUMENT_WORDS = (sizeof(tsl_arguments) + 15) / 8 };
void tsl_argument_words(const tsl_call *c, int64_t out[TSL_ARGUMENT_WORDS]);
/* Which ones an operation has of its own */
typedef enum tsl_arguments_kind {
    TSL_ARGUMENTS_NONE,
#define TSL_ARGUMENTS_NAME(name, last) TSL_ARGUMENTS_##name,
    TSL_OWN_ARGUMENTS(TSL_ARGUMENTS_NAME)
} tsl_arguments_kind;

enum {
    TSL_COMPOSITE = 1,
    TSL_HAS_INFO = 2,
    TSL_ELEMENTWISE = 4,
    TSL_PRODUCT = 8,
    TSL_TALL = 16,
    TSL_PAIRS = 32,
    TSL_SHAPED = 64,
    TSL_NUMBER = 128,
    TSL_TWO_NUMBERS = 256,
    TSL_ROOT_OF_SQUARES = 512,
    TSL_COPIES = 1024,
    TSL_BY_COLUMNS = 2048,
    TSL_DIAGONAL_BLOCKS = 4096,
    TSL_TILES_ON_CORES = 8192,
    TSL_TILES_ON_FEW_CORES = 16384,
    TSL_PANEL = 32768,
    TSL_ONE_PIECE = 65536,
    TSL_RESERVES = 131072,
    TSL_NEVER_BY_TILES = 262144,
    TSL_REREADS = 524288,
    TSL_BY_VECTORS = 1048576,
    TSL_TAKES_SHIFT = 21,  /* above it the operation's own arguments, */
    TSL_NUMBER_SHIFT = 27, /* and the elements of the number */
    TSL_TELLS = 1073741824,
};
#define TSL_TAKES(arguments) (TSL_ARGUMENTS_##arguments << TSL_TAKES_SHIFT)
#define TSL_NUMBER_OF(element) (TSL_NUMBER | TSL_OF_##element << TSL_NUMBER_SHIFT)

/* Operands; core/ops.def says what the words mean. */
typedef enum tsl_access { TSL_READS, TSL_WRITES, TSL_UPDATES, TSL_ADDS } tsl_access;
typedef enum tsl_element { TSL_OF_TYPE, TSL_OF_REAL, TSL_OF_OTHER, TSL_OF_DOUBLE, TSL_OF_INDEX, TSL_OF_ANY } tsl_element;
/* Along what a temporary matrix is like an operand (exec/algorithm.h). On one device the first two say how it is stored, and
 * all others are one. */
typedef enum tsl_along {
    /* its rows are the operand's, stored as they are seen: what is multiplied by such a panel lies beside it */
    TSL_ALONG_ROWS,
    TSL_ALONG_COLS,    /* so are its columns */
    TSL_ALONG_BOTH,    /* it is cut, or distributed, as the operand is */
    TSL_IN_ONE,        /* in one piece, by tiles in one; every process has all of it */
    TSL_IN_PANELS,     /* in panels as wide as the operand's, each from top to bottom */
    /* its rows go with the operand's columns, as pivots and factors of reflectors do; every process has all of it */
    TSL_PER_COLUMN,
    TSL_COLUMNS_APART, /* each column is a piece, by tiles */
    TSL_IN_SHARES,     /* in one piece, by tiles in one; distributed as the operand is */
} tsl_along;
enum {
    TSL_IS_NONE = 0,
    TSL_IS_RESULT = 1,
    TSL_IS_TRIANGLE = 2,
    TSL_IS_PER_COLUMN = 4,
    TSL_IS_BAND = 8,
    TSL_IS_PACKED = 16,
    TSL_IS_STORED = TSL_IS_BAND | TSL_IS_PACKED,
    TSL_IS_SYMMETRIC = 32,
    TSL_IS_HERMITIAN = 64,
    TSL_IS_PAIRED = 128,
    TSL_IS_OPTIONAL = 256,
    TSL_IS_DIAGONAL = 512,
    TSL_IS_UPRIGHT = 1024,
    TSL_IS_HALF = 2048,
};

typedef struct tsl_operand_info {
    const char *name; /* in tesela.h */
    tsl_access access;
    tsl_element element;
    const char *rows, *cols;
    int traits;
} tsl_operand_info;

typedef struct tsl_op_info {
    const char *name, *types, *flops, *parts;
    int traits, weight, operands;
    tsl_operand_info operand[TSL_MAX_OPERANDS];
} tsl_op_info;

TSL_PRIVATE extern const tsl_op_info tsl_ops[TSL_OP_COUNT];

static inline bool tsl_trait(tsl_opcode op, int trait) { return tsl_ops[op].traits & trait; }
static inline tsl_arguments_kind tsl_arguments_of(tsl_opcode op)
{
    return (tsl_arguments_kind)(tsl_ops[op].traits >> TSL_TAKES_SHIFT & ((1 << (TSL_NUMBER_SHIFT - TSL_TAKES_SHIFT)) - 1));
}
static inline bool tsl_operand_is(tsl_opcode op, int i, int trait) { return tsl_ops[op].operand[i].traits & trait; }
static inline bool tsl_only_read(tsl_opcode op, int i) { return tsl_ops[op].operand[i].access == TSL_READS; }
/* The elements of operand i in a call of type t */
tsl_type tsl_element_type(tsl_element e, tsl_type t);
static inline tsl_type tsl_operand_type(tsl_opcode op, int i, tsl_type t) { return tsl_element_type(tsl_ops[op].operand[i].element, t); }
/* Of an operation that makes a number: its elements, and its bytes in a call of type t */
static inline tsl_element tsl_number_element(tsl_opcode op) { return (tsl_element)(tsl_ops[op].traits >> TSL_NUMBER_SHIFT); }
size_t tsl_number_bytes(tsl_opcode op, tsl_type t);
/* flops.c: the size a sum of ops.def stands for; INT64_MAX where it is too much */
int64_t tsl_size_called(const char *sum, int64_t m, int64_t n, int64_t k);
/* The value of a formula of ops.def: real additions and multiplications, of complex numbers four times as many */
double tsl_flops_of(const char *formula, tsl_type type, int64_t m, int64_t n, int64_t k);
int64_t tsl_packed_length(int64_t n); /* n (n+1) / 2; 0 for a negative n, INT64_MAX where it is too much */

/* Is operand i a column with an element for each column of a panel: pivots, or the factors of reflectors? */
static inline bool tsl_per_column(tsl_opcode op, int i) { return tsl_operand_is(op, i, TSL_IS_PER_COLUMN); }

/* The operands of a call, with the place of its number */
static inline int tsl_operands(const tsl_call *c) { return tsl_ops[c->op].operands + c->numbered; }
static inline bool tsl_writes(const tsl_call *c, int i) { return i == tsl_ops[c->op].operands || !tsl_only_read(c->op, i); }
/* Is operand i one column by its nature? */
static inline bool tsl_is_vector(tsl_opcode op, int i) { return tsl_ops[op].operand[i].cols[0] == '1'; }

/* Has one of its operands such a trait? */
static inline bool tsl_has_operand(tsl_opcode op, int trait)
{
    bool has = false;
    for (int i = 0; i < tsl_ops[op].operands; ++i) has |= tsl_operand_is(op, i, trait);
    return has;
}
/* Is its matrix Hermitian where that of its twin (symm and hemm, syrk and herk, ..) is symmetric? */
static inline bool tsl_is_hermitian(tsl_opcode op) { return tsl_has_operand(op, TSL_IS_HERMITIAN); }
/* Is it a product of whole matrices, which may be cut anywhere along each of its three dimensions? Its operands are m x k, k x
 * n and m x n. */
static inline bool tsl_is_general_product(tsl_opcode op) { return tsl_trait(op, TSL_PRODUCT) && !tsl_has_operand(op, TSL_IS_TRIANGLE); }

bool tsl_find_op(const char *name, size_t length, tsl_opcode *op);
/* The next of a row's parts, from *at on; false: there is none */
bool tsl_next_part(const char **at, tsl_opcode *part);
/* The operation, or the first of its parts, that has the trait; TSL_OP_COUNT: none has */
tsl_opcode tsl_part_with(tsl_opcode op, int trait);
/* The operand whose shape is the operation's */
int tsl_output(tsl_opcode op);
/* Do the old contents of operand i matter? */
bool tsl_needs_contents(const tsl_call *c, int i);

/* partition.c: the row k before the end of A. Tiles are cut off from the first row on, so that the last one is the short one:
 * of a tiled matrix it is the next row from there that begins a tile, or the end. */
int64_t tsl_from_end(tsl_view A, int64_t k);
/* partition.c: of a block on the diagonal of its matrix, where to cut instead of after k: where a tile begins, if one does
 * within it and not with its last row. Of a flat one k */
int64_t tsl_border_near(tsl_view A, int64_t k);
/* partition.c: of a block on the diagonal of its matrix, how wide a panel is that begins after k and has nb columns if that is
 * where a tile begins: else so many less that the next one begins with a tile. Of a flat matrix nb */
int64_t tsl_to_border(tsl_view A, int64_t k, int64_t nb);

#endif
