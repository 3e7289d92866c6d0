/* With Cholesky's factor: solutions (potrs), and both steps at once (posv) */
#include "ops/cholesky/triangle.h"

tsl_status tsl_potrs(tsl_context *x, tsl_view A, tsl_view B)
{
    return tsl_execute(x, &(tsl_call){.op = TSL_OP_POTRS, .v = {A, B}});
}

tsl_status tsl_posv(tsl_context *x, tsl_view A, tsl_view B, int64_t *info)
{
    return tsl_execute_info(x, &(tsl_call){.op = TSL_OP_POSV, .v = {A, B}}, info);
}

static tsl_status check(tsl_context *x, const tsl_call *c)
{
    tsl_status st = tsl_need_triangle(x, c, 0);
    if (!st) st = tsl_need_diagonal(x, c, 0);
    if (!st) st = tsl_need_general(x, c, 1);
    if (st) return st;
    return tsl_rows(c->v[1]) == c->v[0].m ? TSL_OK : tsl_misfit(x, c, "A's order must be B's rows");
}

const tsl_rules tsl_potrs_rules = {.check = check, .leaf_for_small = true, .order = tsl_triangle_order};
const tsl_rules tsl_posv_rules = {.check = check, .leaf_for_small = true, .order = tsl_triangle_order};
