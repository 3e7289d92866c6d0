/* C := alpha A B + beta C (gemm), or only a triangle of C (gemmt) */
#include "ops/ops.h"

tsl_status tsl_gemm(tsl_context *x, tsl_scalar alpha, tsl_view A, tsl_view B, tsl_scalar beta, tsl_view C)
{
    return tsl_execute(x, &(tsl_call){.op = TSL_OP_GEMM, .alpha = alpha, .beta = beta, .v = {A, B, C}});
}

tsl_status tsl_gemmt(tsl_context *x, tsl_scalar alpha, tsl_view A, tsl_view B, tsl_scalar beta, tsl_view C)
{
    return tsl_execute(x, &(tsl_call){.op = TSL_OP_GEMMT, .alpha = alpha, .beta = beta, .v = {A, B, C}});
}

static tsl_status check(tsl_context *x, const tsl_call *c)
{
    tsl_status st = tsl_need_general(x, c, 0);
    if (!st) st = tsl_need_general(x, c, 1);
    if (!st) st = tsl_operand_is(c->op, 2, TSL_IS_TRIANGLE) ? tsl_need_triangle(x, c, 2) : tsl_need_general(x, c, 2);
    if (st) return st;
    if (tsl_rows(c->v[1]) != tsl_cols(c->v[0])) return tsl_misfit(x, c, "the inner dimensions differ");
    if (tsl_rows(c->v[2]) == tsl_rows(c->v[0]) && tsl_cols(c->v[2]) == tsl_cols(c->v[1])) return TSL_OK;
    return tsl_misfit(x, c, "C must have A's rows and B's columns");
}

static bool simplify(const tsl_call *c, tsl_call *less)
{
    if (c->alpha != 0 && tsl_cols(c->v[0]) != 0) return false;
    *less = (tsl_call){.op = TSL_OP_SCALE, .herm = c->herm && c->beta != 1, .alpha = c->beta, .v = {c->v[2]}};
    return true;
}

static tsl_status canon(tsl_context *x, const tsl_call *c, tsl_leaf *l)
{
    const tsl_view *C = &c->v[2];
    tsl_op op = tsl_reduced(C->op, l->type);
    bool swap = op & TSL_TRANS; /* (A B)^T = B^T A^T */
    const tsl_view *A = &c->v[swap ? 1 : 0], *B = &c->v[swap ? 0 : 1];
    tsl_status st = tsl_input(x, A, tsl_compose(A->op, op), TSL_CONJ, &l->A);
    if (!st) st = tsl_input(x, B, tsl_compose(B->op, op), TSL_CONJ, &l->B);
    l->alpha = tsl_seen_scalar(c->alpha, op);
    l->beta = tsl_seen_scalar(c->beta, op);
    l->k = tsl_cols(c->v[0]);
    return st;
}

static int64_t order_gemmt(const tsl_call *c) { return c->v[2].m; }

const tsl_rules tsl_gemm_rules = {.check = check, .simplify = simplify, .canon = canon};
const tsl_rules tsl_gemmt_rules = {.check = check, .simplify = simplify, .canon = canon, .order = order_gemmt};
