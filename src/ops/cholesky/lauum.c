/* A := L^H L, in place on a triangle */
#include "ops/cholesky/triangle.h"

tsl_status tsl_lauum(tsl_context *x, tsl_view A) { return tsl_execute(x, &(tsl_call){.op = TSL_OP_LAUUM, .v = {A}}); }

const tsl_rules tsl_lauum_rules = {.check = tsl_triangle_check, .order = tsl_triangle_order};
