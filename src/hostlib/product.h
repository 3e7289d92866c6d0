/* Small complex products whose elements are rounded by their row of op(A) and their column of op(B) alone: by the same
 * operations in the same order, wherever in C they are and whatever is computed with them (defects.h: place). */
#ifndef TSL_HOSTLIB_PRODUCT_H
#define TSL_HOSTLIB_PRODUCT_H

#include <stdbool.h>
#include <stdint.h>

enum { SMALL_PRODUCT = 32 }; /* m, n and k are at most this, and at least 1 */

/* C := alpha op(A) op(B) + beta C, stored by columns. C is not read if beta is zero. */
typedef struct small_product {
    bool turned_a, turned_b, conjugate_a, conjugate_b; /* what is conjugate is turned too */
    int64_t m, n, k, lda, ldb, ldc;
    const void *alpha, *a, *b, *beta;
    void *c;
} small_product;

/* For one kind of processor */
typedef struct product_kind {
    const char *name;
    bool (*is_here)(void); /* can this processor run it? */
    void (*c)(const small_product *s);
    void (*z)(const small_product *s);
} product_kind;

enum { PRODUCT_KINDS_MOST = 3 };
/* the fastest first; a place that is not used has no name */
extern const product_kind tsl_hostlib_product_kinds[PRODUCT_KINDS_MOST];
/* The one to be used here */
const product_kind *tsl_hostlib_product(void);

#endif
