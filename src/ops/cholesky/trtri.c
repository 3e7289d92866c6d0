/* A := inv(A), in place on a triangle; and is it singular? */
#include "ops/cholesky/triangle.h"

tsl_status tsl_trtri(tsl_context *x, tsl_view A, int64_t *info)
{
    return tsl_execute_info(x, &(tsl_call){.op = TSL_OP_TRTRI, .v = {A}}, info);
}

const tsl_rules tsl_trtri_rules = {.check = tsl_triangle_check, .order = tsl_triangle_order, .takes_unit = true};
const tsl_rules tsl_singular_rules = {.check = tsl_triangle_check};
