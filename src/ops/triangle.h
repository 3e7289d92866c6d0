/* What operations in place on a triangle have in common. */
#ifndef TSL_TRIANGLE_H
#define TSL_TRIANGLE_H

#include "ops/ops.h"

/* triangle.c */
tsl_status tsl_triangle_check(tsl_context *x, const tsl_call *c);
tsl_status tsl_triangle_canon(tsl_context *x, const tsl_call *c, tsl_leaf *l);
void tsl_triangle_as_call(tsl_context *x, const tsl_leaf *l, tsl_matrix mat[TSL_MAX_OPERANDS], tsl_call *c);
int64_t tsl_triangle_order(const tsl_call *c);

#endif
