/* Random butterflies (kernel/butterfly.h) on a matrix: U^T A V, U^T A or V A, in place */
#include "ops/inner.h"
#include "ops/ops.h"

void tsl_apply_butterflies(tsl_context *x, tsl_butterflies butterflies, tsl_view A)
{
    tsl_execute(x, &(tsl_call){.op = TSL_OP_BUTTERFLY, .butterfly = {.which = butterflies}, .v = {A}});
}

static tsl_status check(tsl_context *x, const tsl_call *c)
{
    tsl_status st = tsl_need_general(x, c, 0);
    return !st && c->v[0].op ? tsl_misfit(x, c, "A is seen through an op") : st;
}

const tsl_rules tsl_butterfly_rules = {.check = check};
