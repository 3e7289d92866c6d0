/* B := alpha A B or alpha B A (trmm), or with the inverse of A (trsm); A a triangle */
#include "ops/ops.h"

tsl_status tsl_trmm(tsl_context *x, tsl_side side, tsl_scalar alpha, tsl_view A, tsl_view B)
{
    return tsl_execute(x, &(tsl_call){.op = TSL_OP_TRMM, .side = side, .alpha = alpha, .v = {A, B}});
}

tsl_status tsl_trsm(tsl_context *x, tsl_side side, tsl_scalar alpha, tsl_view A, tsl_view B)
{
    return tsl_execute(x, &(tsl_call){.op = TSL_OP_TRSM, .side = side, .alpha = alpha, .v = {A, B}});
}

static tsl_status check(tsl_context *x, const tsl_call *c)
{
    if ((unsigned)c->side > TSL_RIGHT) return tsl_fail(x, TSL_ERR_FLAG, "%s: no side %d", tsl_ops[c->op].name, (int)c->side);
    tsl_status st = tsl_need_triangle(x, c, 0);
    if (!st) st = tsl_need_general(x, c, 1);
    if (st) return st;
    int64_t order = c->side == TSL_LEFT ? tsl_rows(c->v[1]) : tsl_cols(c->v[1]);
    if (order == c->v[0].m) return TSL_OK;
    return tsl_misfit(x, c, c->side == TSL_LEFT ? "from the left A's order must be B's rows" : "from the right A's order must be B's columns");
}

static bool simplify(const tsl_call *c, tsl_call *less)
{
    if (c->alpha != 0) return false;
    *less = (tsl_call){.op = TSL_OP_SCALE, .alpha = 0, .v = {c->v[1]}};
    return true;
}

static tsl_status canon(tsl_context *x, const tsl_call *c, tsl_leaf *l)
{
    const tsl_view *A = &c->v[0], *B = &c->v[1];
    tsl_op op = tsl_reduced(B->op, l->type);
    tsl_status st = tsl_input(x, A, tsl_compose(A->op, op), TSL_CONJ, &l->A);
    l->side = op & TSL_TRANS ? (tsl_side)!c->side : c->side; /* (A B)^T = B^T A^T */
    l->alpha = tsl_seen_scalar(c->alpha, op);
    return st;
}

static int64_t order(const tsl_call *c) { return c->v[0].m; }
static int64_t width(const tsl_call *c) { return c->side == TSL_LEFT ? tsl_cols(c->v[1]) : tsl_rows(c->v[1]); }

const tsl_rules tsl_trmm_rules = {.check = check, .simplify = simplify, .canon = canon, .order = order, .width = width};
const tsl_rules tsl_trsm_rules = {.check = check, .simplify = simplify, .canon = canon, .order = order, .width = width};
