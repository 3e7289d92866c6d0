/* How products are computed: a value that goes with the call (context/context.h), and tells its leaves. */
#ifndef TSL_PRODUCTS_H
#define TSL_PRODUCTS_H

#include <stdbool.h>

#include "core/op.h"

typedef enum tsl_products {
    TSL_PRODUCTS_AUTO,     /* emulated where the tables have measured that to be faster, else native */
    TSL_PRODUCTS_NATIVE,
    TSL_PRODUCTS_EMULATED, /* by residues, elements looked at: as accurate as native (core/numbers/residue.h) */
    TSL_PRODUCTS_FAST,     /* by fewer of them, not looked at: |C - A B| is small beside the norms of row and column */
    /* of single precision: what refinement may ask for. To about its roundoff, by halves; and in fewer bits */
    TSL_PRODUCTS_FP32,
    TSL_PRODUCTS_TF32,
    TSL_PRODUCTS_BF16,
    TSL_PRODUCTS_FP16
} tsl_products;

struct tsl_leaf;
struct tsl_residues; /* core/numbers/residue.h */

/* products.c. One of the names a caller may give? And that of one of these */
bool tsl_products_named(const char *name, tsl_products *p);
const char *tsl_products_name(tsl_products p);
/* products.c: for factors of that precision, where others were asked for: those of single precision may be by residues */
tsl_products tsl_products_of(tsl_precision p, tsl_products asked);
/* products.c: of this operation. Those of expm are native under auto: most of its factors are the identity and something small,
 * of which residues keep too little, so that nearly all elements would be computed again from A's and B's. */
tsl_products tsl_products_for(tsl_opcode op, tsl_products asked);
/* products.c: is a product of m x n and inner size k emulated, as the leaf says? And how, then: of at most TSL_INNER_MOST
 * terms */
bool tsl_is_emulated(const struct tsl_leaf *l, int64_t m, int64_t n, int64_t k);
/* products.c: a product with A's rows and B's columns, of which a triangle is wanted; and the one that a rank-k update is: the
 * second factor of op(A) op(A)^T or op(A) op(A)^H is A seen the other way */
struct tsl_leaf tsl_as_square(const struct tsl_leaf *l);
struct tsl_leaf tsl_rank_k_product(const struct tsl_leaf *l);
struct tsl_residues tsl_residues_for(const struct tsl_leaf *l, int64_t k);

#endif
