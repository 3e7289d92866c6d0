/* A := P(p) A: rows of A exchanged, one pair after the other */
#include "ops/lu/lu.h"

tsl_status tsl_laswp(tsl_context *x, tsl_view A, tsl_view p, int backward)
{
    return tsl_execute(x, &(tsl_call){.op = TSL_OP_LASWP, .lu = {.backward = backward != 0}, .v = {A, p}});
}

static tsl_status check(tsl_context *x, const tsl_call *c)
{
    tsl_status st = tsl_need_general(x, c, 0);
    if (st) return st;
    if (c->v[1].m > tsl_rows(c->v[0])) return tsl_misfit(x, c, "there must not be more pivots than rows of A");
    return tsl_need_pivots(x, c, 1, c->v[1].m);
}

static tsl_status indices(tsl_context *x, const tsl_call *c) { return tsl_need_rows(x, c, 1, tsl_rows(c->v[0])); }

/* No exchanges */
static bool simplify(const tsl_call *c, tsl_call *less)
{
    if (c->v[1].m) return false;
    *less = (tsl_call){.op = TSL_OP_SCALE, .alpha = 1, .v = {c->v[0]}};
    return true;
}

/* Rows as seen are columns as stored. */
static tsl_status canon(tsl_context *x, const tsl_call *c, tsl_leaf *l)
{
    (void)x;
    l->side = c->v[0].op & TSL_TRANS ? TSL_RIGHT : TSL_LEFT;
    l->k = c->v[1].m;
    return TSL_OK;
}

const tsl_rules tsl_laswp_rules = {.check = check, .indices = indices, .simplify = simplify, .canon = canon};
