/* The blocked algorithms. */
#ifndef TSL_ALGO_H
#define TSL_ALGO_H

#include "exec/algorithm.h"
#include "ops/inner.h"

/* All of them. A family's suffixes: _mp matrix-panel, _pm panel-matrix, _pp panel-panel, _rec recursive. */
#define TSL_VARIANT(op, name, function, uses, rule) tsl_status function(tsl_context *x, const tsl_call *c);
#include "core/variants.def"
#undef TSL_VARIANT

/* table.c: all of them, at the start of the library */
void tsl_algorithms_register(void);

/* Does the triangle have an inverse, and A := inv(A) of one that is known to */
bool tsl_invertible(tsl_context *x, tsl_view A);
void tsl_inverse(tsl_context *x, tsl_view A);

/* What a matrix whose largest element is of that size is multiplied by so that squares of its elements, and sums of them, are in the range of the type; 1 if it
 * is not finite */
double tsl_range_factor(tsl_type t, double size);

/* gesvd.c: s := -w, and zero where that is negative, w a real column like those of A */
void tsl_descending(tsl_context *x, tsl_view A, tsl_view w, tsl_view s);
/* gesvd.c: singular values and vectors by a method that takes an A with no more columns than rows, or a square one. Elements are about 1 at most. VT is seen as V^H. U has
 * as many columns as A at least, and either may be empty. A is overwritten. */
typedef struct tsl_svd_method {
    void (*solve)(tsl_context *x, const tsl_call *c, tsl_view A, tsl_view s, tsl_view U, tsl_view VT);
    bool square;
} tsl_svd_method;
tsl_status tsl_gesvd_by(tsl_context *x, const tsl_call *c, const tsl_svd_method *by);

#endif
