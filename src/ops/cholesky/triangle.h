/* What operations in place on a triangle have in common. */
#ifndef TSL_TRIANGLE_H
#define TSL_TRIANGLE_H

#include "ops/ops.h"

/* triangle.c */
tsl_status tsl_triangle_check(tsl_context *x, const tsl_call *c);
int64_t tsl_triangle_order(const tsl_call *c);

#endif
