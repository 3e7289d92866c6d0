/* The inverse of what Cholesky's factor is of, in place on a triangle */
#include "ops/cholesky/triangle.h"

tsl_status tsl_potri(tsl_context *x, tsl_view A, int64_t *info)
{
    return tsl_execute_info(x, &(tsl_call){.op = TSL_OP_POTRI, .v = {A}}, info);
}

const tsl_rules tsl_potri_rules = {.check = tsl_triangle_check, .leaf_for_small = true, .order = tsl_triangle_order};
