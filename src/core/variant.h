/* The operations' algorithms by name (core/variants.def), and what each is for. */
#ifndef TSL_VARIANT_H
#define TSL_VARIANT_H

#include "core/op.h"

enum {
    /* By tiles: which calls it cuts. The first three are one after the other: along the right-hand sides as long as the result
     * reaches over several tiles there; then across them; then, of a result in one tile, along the inner dimension. */
    TSL_CUTS_COLS = 1 << 0,
    TSL_CUTS_ROWS = 1 << 1,
    TSL_CUTS_INNER = 1 << 2,
    TSL_CUTS_ALL = TSL_CUTS_COLS | TSL_CUTS_ROWS | TSL_CUTS_INNER,
    TSL_CUTS_TRIANGLE_ROWS = 1 << 3, /* before rows and inner: a triangle on the left whose tiles are its rows */
    TSL_CUTS_RESULT_ALONE = 1 << 4,  /* along the right-hand sides, where each other operand lies in one tile */
    TSL_CUTS_PIECES = 1 << 5,        /* at every tile boundary; the tilings need not match */
    /* By tiles where not all fits */
    TSL_WRITES_ONCE = 1 << 6,  /* tasks go in the order of the program: it writes a tile once */
    TSL_BY_PANELS = 1 << 7,    /* along the right-hand sides, by panels as wide as may stay */
    TSL_FINDS_PANELS = 1 << 8, /* the same, and it finds their width itself */
    TSL_INNER_FIRST = 1 << 9,  /* where one panel may stay: along the inner dimension first */
    /* Who may ask for it by name: by default everybody, by tiles one that cuts all */
    TSL_NAMED_BY_TILES = 1 << 10, /* by tiles too */
    TSL_HIDDEN = 1 << 11,         /* nobody */
    TSL_ONLY_ASKED = 1 << 12,     /* its pivots are others: no table may choose it for its speed */
    /* Before a leaf */
    TSL_BEFORE_LEAF = 1 << 13,    /* always */
    TSL_WATCHED = 1 << 14,        /* before a large one, on a few of the host's cores, where somebody watches */
    TSL_WATCHED_INSIDE = 1 << 15, /* the same as a part of another operation */
    /* Elsewhere */
    TSL_HOST_STEPS = 1 << 16,  /* steps are the host's cores' (tsl_by_host): the memory they need is taken before it begins */
    TSL_ON_BATCHES = 1 << 17,  /* it cuts problems of a batch that the leaf does not take */
    TSL_ON_GRIDS = 1 << 18,    /* on grids of processes: of several the first, or that which is asked for by name */
    TSL_LOOKS_AHEAD = 1 << 19, /* on grids: what the operation computes in one go is as wide as looking ahead asks for */
    TSL_BY_RESIDUES = 1 << 20, /* for products by residues: no table of native ones speaks for another */
};

enum {
#define TSL_VARIANT(op, name, function, flags, rule) TSL_VARIANT_##op##_##name,
#include "core/variants.def"
#undef TSL_VARIANT
    TSL_VARIANT_COUNT
};

typedef struct tsl_variant_info {
    tsl_opcode op;
    const char *name;
    int flags;
} tsl_variant_info;

extern const tsl_variant_info tsl_variants[TSL_VARIANT_COUNT];

/* Has it the flag, or all of several? */
static inline bool tsl_variant_is(int variant, int flags) { return (tsl_variants[variant].flags & flags) == flags; }

/* Does any operation have a variant of this name? has this one any? */
bool tsl_is_variant(const char *name);
bool tsl_has_variants(tsl_opcode op);
/* The number of an operation's variant; "auto" and "leaf", which all have, are these. False: no such variant. */
enum { TSL_BY_RULE = -1, TSL_BY_LEAF = -2 };
bool tsl_find_variant(tsl_opcode op, const char *name, int *variant);
/* The operation's first variant with the flag, or TSL_BY_RULE */
int tsl_variant_for(tsl_opcode op, int flag);

#endif
