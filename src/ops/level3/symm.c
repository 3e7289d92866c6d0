/* C := alpha A B + beta C, or B A, with A symmetric (symm) or Hermitian (hemm), given by a triangle */
#include "ops/ops.h"

static tsl_status call(tsl_context *x, tsl_opcode op, tsl_side side, tsl_scalar alpha, tsl_view A, tsl_view B, tsl_scalar beta,
                       tsl_view C)
{
    return tsl_execute(x, &(tsl_call){.op = op, .side = side, .alpha = alpha, .beta = beta, .v = {A, B, C}});
}

tsl_status tsl_symm(tsl_context *x, tsl_side side, tsl_scalar alpha, tsl_view A, tsl_view B, tsl_scalar beta, tsl_view C)
{
    return call(x, TSL_OP_SYMM, side, alpha, A, B, beta, C);
}

tsl_status tsl_hemm(tsl_context *x, tsl_side side, tsl_scalar alpha, tsl_view A, tsl_view B, tsl_scalar beta, tsl_view C)
{
    return call(x, TSL_OP_HEMM, side, alpha, A, B, beta, C);
}

static tsl_status check(tsl_context *x, const tsl_call *c)
{
    if ((unsigned)c->side > TSL_RIGHT) return tsl_fail(x, TSL_ERR_FLAG, "%s: no side %d", tsl_ops[c->op].name, (int)c->side);
    tsl_status st = tsl_need_triangle(x, c, 0);
    for (int i = 1; i < 3 && !st; ++i) st = tsl_need_general(x, c, i);
    if (!st) st = tsl_need_diagonal(x, c, 0);
    if (st) return st;
    int64_t m = tsl_rows(c->v[2]), n = tsl_cols(c->v[2]);
    if (tsl_rows(c->v[1]) != m || tsl_cols(c->v[1]) != n) return tsl_misfit(x, c, "B and C differ in size");
    if (c->v[0].m == (c->side == TSL_LEFT ? m : n)) return TSL_OK;
    return tsl_misfit(x, c, c->side == TSL_LEFT ? "from the left A's order must be C's rows" : "from the right A's order must be C's columns");
}

static bool simplify(const tsl_call *c, tsl_call *less)
{
    if (c->alpha != 0) return false;
    *less = (tsl_call){.op = TSL_OP_SCALE, .alpha = c->beta, .v = {c->v[2]}};
    return true;
}

/* Of the op on A only a conjugation of its values remains: a symmetric matrix is its own transpose, a Hermitian one its own
 * conjugate transpose. */
static tsl_status canon(tsl_context *x, const tsl_call *c, tsl_leaf *l)
{
    const tsl_view *A = &c->v[0], *B = &c->v[1], *C = &c->v[2];
    tsl_op op = tsl_reduced(C->op, l->type), opA = tsl_reduced(tsl_compose(A->op, op), l->type);
    bool herm = tsl_is_hermitian(c->op), other = tsl_flips(opA, herm);
    tsl_status st = tsl_input(x, A, other ? TSL_CONJ : TSL_NOTRANS, TSL_CONJ, &l->A);
    if (!st) st = tsl_plain(x, B, tsl_compose(B->op, op), &l->B);
    l->side = op & TSL_TRANS ? (tsl_side)!c->side : c->side; /* (A B)^T = B^T A^T */
    l->alpha = tsl_seen_scalar(c->alpha, op);
    l->beta = tsl_seen_scalar(c->beta, op);
    l->herm = herm && tsl_is_complex(l->type);
    return st;
}

static int64_t order(const tsl_call *c) { return c->v[0].m; }
static int64_t width(const tsl_call *c) { return c->side == TSL_LEFT ? tsl_cols(c->v[2]) : tsl_rows(c->v[2]); }

const tsl_rules tsl_symm_rules = {.check = check, .simplify = simplify, .canon = canon, .order = order, .width = width};
const tsl_rules tsl_hemm_rules = {.check = check, .simplify = simplify, .canon = canon, .order = order, .width = width};
