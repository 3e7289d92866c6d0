/* Functions of a square matrix: the exponential (expm), the principal square root (sqrtm) and logarithm (logm). */
#include "ops/lu/lu.h"

tsl_status tsl_expm(tsl_context *x, tsl_view A, int64_t *info) { return tsl_execute_info(x, &(tsl_call){.op = TSL_OP_EXPM, .v = {A}}, info); }

tsl_status tsl_sqrtm(tsl_context *x, tsl_view A, int64_t *info) { return tsl_execute_info(x, &(tsl_call){.op = TSL_OP_SQRTM, .v = {A}}, info); }

tsl_status tsl_logm(tsl_context *x, tsl_view A, int64_t *info) { return tsl_execute_info(x, &(tsl_call){.op = TSL_OP_LOGM, .v = {A}}, info); }

static tsl_status check(tsl_context *x, const tsl_call *c)
{
    tsl_status st = tsl_need_plain(x, c, 0);
    return st || c->v[0].m == c->v[0].n ? st : tsl_misfit(x, c, "A must be square");
}

static int64_t order(const tsl_call *c) { return c->v[0].m; }

const tsl_rules tsl_expm_rules = {.check = check, .leaf_for_small = true, .order = order, .parts = tsl_parts_of_lu};
const tsl_rules tsl_sqrtm_rules = {.check = check, .order = order};
const tsl_rules tsl_logm_rules = {.check = check, .order = order, .parts = tsl_parts_of_lu};
const tsl_rules tsl_trsqrt_rules = {.check = check, .order = order};
