/* Cholesky factorization: A = L L^H, in place on a triangle */
#include "ops/cholesky/triangle.h"

tsl_status tsl_potrf(tsl_context *x, tsl_view A, int64_t *info)
{
    return tsl_execute_info(x, &(tsl_call){.op = TSL_OP_POTRF, .v = {A}}, info);
}

const tsl_rules tsl_potrf_rules = {.check = tsl_triangle_check, .order = tsl_triangle_order, .width = tsl_triangle_order};
