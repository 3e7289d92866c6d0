/* Vectors of a merge of divide and conquer on grids, which only that asks for, with operands that are right. */
#include "ops/qr/qr.h"

static tsl_status canon(tsl_context *x, const tsl_call *c, tsl_leaf *l)
{
    (void)x;
    l->k = c->k;
    return TSL_OK;
}

const tsl_rules tsl_merge_vectors_rules = {.check = tsl_unchecked, .canon = canon};
