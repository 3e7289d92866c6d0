/* Tuning tables: for an operation, type and size, the block size, the variant and the kernel's shape that were found best.
 *
 * A table is text, a line each; '#' starts a comment line:
 *     tesela-tune 1 BACKEND DEVICE NAME
 *     OPERATION TYPE ORDER WIDTH TILE VARIANT[:SHAPE] [NAME[:SHAPE][/TILE]=RATE]...
 *     core OPERATION TYPE ...
 *     turned gemv TYPE ...
 *     link RATE
 *     emulated TYPE SIDE INNER
 *     emulated OPERATION TYPE ORDER
 * The first line says what the table was measured on. An entry holds for problems of at most that order and width, each a
 * number or *; of several the one with the smallest order counts, then the smallest width. TILE is a number or - (not said),
 * VARIANT a name, `leaf` (the backend's own routine where it takes the size) or `auto` (not said: the next table does, or the
 * rules of exec/variant.c). SHAPE is the number of one of the shapes in which the backend's kernel of the operation is
 * compiled; without one it is not said: the next table does, or the kernel. It holds wherever that leaf is used, also inside an
 * algorithm. An entry after `turned` is of a product with the transpose, which has shapes of its own; an entry
 * of LU or QR with a shape, no tile and the variant `auto` is of its panels, of that height and width. Rates, in Gflop/s, are
 * what was measured of the variant chosen and of its alternatives. An entry after `core` is of a task on one core of the host,
 * which may be the device or have it; `link` is the rate, in GB/s, of copies between the host's memory and the device's.
 * `emulated`: products of m x n and k terms are faster by residues where (1/m + 1/n) SIDE/2 + INNER/k is 1 or less, where a
 * triangle counts as a square of its area; and from ORDER on (the shorter side) an operation is by its variant for such
 * products. A - stands for: never. */
#ifndef TSL_TUNE_H
#define TSL_TUNE_H

#include "context/context.h"
#include "core/variant.h"
#include "tune/numbers.h"

/* An entry may not choose what was measured slower than this part of its best rate. */
#define TSL_TUNE_SLOWEST 0.9
#define TSL_TUNE_BYTES (1 << 20) /* of a table, at most */
#define TSL_TUNE_SHAPES 64       /* a shape's number, at most */
#define TSL_TUNE_KEYS (TSL_ENTRY_KINDS * TSL_OP_COUNT * 4)

typedef enum tsl_entry_kind { TSL_ENTRY_PLAIN, TSL_ENTRY_CORE, TSL_ENTRY_TURNED, TSL_ENTRY_KINDS } tsl_entry_kind;

typedef struct tsl_entry {
    tsl_entry_kind kind;
    tsl_opcode op;
    tsl_type type;
    int64_t order, width;
    int64_t tile; /* 0: not said */
    int variant;  /* as tsl_find_variant numbers them */
    int shape;    /* 0: not said */
    double rate, best; /* 0: not measured */
} tsl_entry;

typedef struct tsl_table {
    char backend[16], device[96];
    tsl_entry *entry; /* by kind, op, type, order, width */
    int count, capacity;
    int first[TSL_TUNE_KEYS + 1]; /* of the entries with that key */
    double link;                  /* GB/s; 0: not measured */
    tsl_emulated_from emulated[4]; /* by type; 0: not said */
    int64_t wide[TSL_OP_COUNT][4]; /* by operation and type: orders; 0: not said */
} tsl_table;

static inline int tsl_tune_key(tsl_entry_kind kind, tsl_opcode op, tsl_type type)
{
    return ((int)kind * TSL_OP_COUNT + (int)op) * 4 + (int)type;
}

enum { TSL_TABLE_USER, TSL_TABLE_SHIPPED, TSL_TABLES };

struct tsl_tables {
    tsl_table table[TSL_TABLES]; /* an entry of an earlier one counts before those of a later one */
    char line[1400];             /* tsl_tuning's */
    char file[1024];             /* tsl_tuning_file's */
};

/* parse.c: TSL_ERR_SPEC for a text that is not a table, with one line about it in `why`; what fails leaves nothing allocated */
tsl_status tsl_table_parse(const tsl_allocator *a, const char *text, size_t size, tsl_table *out, char *why, size_t room);
void tsl_table_free(const tsl_allocator *a, tsl_table *t);

/* shipped.c: the text of the table that comes with the library for a backend; NULL: none */
const char *tsl_shipped(const char *backend);

/* load.c: the tuning tables of the context, for its first device */
tsl_status tsl_tune_open(tsl_context *x);
void tsl_tune_close(tsl_context *x);
/* tune.c: the variant the tables give for a call, as tsl_find_variant numbers them */
int tsl_tuned_variant(const tsl_context *x, const tsl_call *c);
/* tune.c: the block they give for a call, unless they name the leaf; INT64_MAX: none. Larger problems are cut into such blocks,
 * which leaves compute. */
int64_t tsl_tuned_block(const tsl_context *x, const tsl_call *c);
/* tune.c: the shape they give for a leaf that computes the call; 0: none */
int tsl_tuned_shape(const tsl_context *x, const tsl_call *c);
/* tune.c: Gflop/s of an operation of order n on the first device, or on one core of its host; and GB/s between them. 0: the
 * tables do not know */
double tsl_tuned_rate(const tsl_context *x, bool core, tsl_opcode op, tsl_type type, int64_t n);
double tsl_tuned_link(const tsl_context *x);
/* tune.c: from where products of the type are emulated on the device, which is one that was measured; and from which order on
 * the operation's variant for such products is the faster one; INT64_MAX: never */
tsl_emulated_from tsl_tuned_emulated(const tsl_context *x, tsl_type type);
int64_t tsl_tuned_wide(const tsl_context *x, tsl_opcode op, tsl_type type);

#endif
