/* With the reflectors of geqrf: products with Q (ormqr, unmqr), and Q itself (orgqr, ungqr); with A seen through its conjugate transpose,
 * those of LQ, whose Q is the conjugate transpose of that. */
#include "ops/qr.h"

tsl_status tsl_refuse_op_of_q(tsl_context *x, const tsl_call *c)
{
    tsl_type t = c->v[0].mat ? c->v[0].mat->type : TSL_D;
    if ((unsigned)c->trans <= TSL_HERM && (tsl_reduced(c->trans, t) == TSL_NOTRANS || tsl_reduced(c->trans, t) == tsl_herm_of(t))) return TSL_OK;
    return tsl_refuse(x, c, TSL_ERR_FLAG, "Q's op is %d, must be none or the conjugate transpose", (int)c->trans);
}

/* C Q is the conjugate transpose of Q^H C^H. */
tsl_status tsl_ormqr(tsl_context *x, tsl_side side, tsl_op trans, tsl_view A, tsl_view tau, tsl_view C)
{
    tsl_status st = tsl_enter(&x);
    if (st) return st;
    tsl_call c = {.op = TSL_OP_ORMQR, .trans = trans, .v = {A, tau, C}};
    tsl_type t = A.mat ? A.mat->type : TSL_D;
    if ((unsigned)side > TSL_RIGHT) c.refused = tsl_fail(x, TSL_ERR_FLAG, "ormqr: no side %d", (int)side);
    else c.refused = tsl_refuse_op_of_q(x, &c);
    if (side == TSL_RIGHT) c.v[2] = tsl_herm(C), c.trans = tsl_inverse_op(tsl_reduced(trans, t), t);
    return tsl_leave(x, tsl_execute(x, &c));
}

tsl_status tsl_orgqr(tsl_context *x, tsl_view A, tsl_view tau)
{
    return tsl_execute(x, &(tsl_call){.op = TSL_OP_ORGQR, .v = {A, tau}});
}

static tsl_status check_product(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0], C = c->v[2];
    tsl_status st = tsl_need_upright(x, c, 0);
    if (!st) st = tsl_need_factors_of(x, c, 1, c->v[1].m);
    if (!st) st = tsl_need_upright(x, c, 2);
    if (st) return st;
    if (tsl_rows(A) != tsl_rows(C)) return tsl_misfit(x, c, "A, and so Q, must have as many rows as C, or columns if Q is on the right");
    if (c->v[1].m > tsl_min(A.m, A.n)) return tsl_misfit(x, c, "there must not be more factors than columns or rows of A");
    return TSL_OK;
}

/* No reflectors */
static bool simplify(const tsl_call *c, tsl_call *less)
{
    if (c->v[1].m) return false;
    *less = (tsl_call){.op = TSL_OP_SCALE, .alpha = 1, .v = {c->v[2]}};
    return true;
}

static tsl_status canon_product(tsl_context *x, const tsl_call *c, tsl_leaf *l)
{
    (void)x;
    const tsl_view *A = &c->v[0], *C = &c->v[2];
    bool right = C->op & TSL_TRANS;
    tsl_op trans = tsl_reduced(c->trans, l->type);
    l->side = right ? TSL_RIGHT : TSL_LEFT;
    l->opB = right ? tsl_inverse_op(trans, l->type) : trans;
    l->opA = tsl_reduced(A->op, l->type);
    l->m = C->m;
    l->n = C->n;
    l->k = c->v[1].m;
    l->A = tsl_at(A), l->lda = A->mat->ld;
    l->C = tsl_at(C), l->ldc = C->mat->ld;
    l->tau = tsl_at(&c->v[1]);
    return TSL_OK;
}

static void as_call_product(tsl_context *x, const tsl_leaf *l, tsl_matrix mat[TSL_MAX_OPERANDS], tsl_call *c)
{
    bool right = l->side == TSL_RIGHT;
    c->v[0] = tsl_array_as_seen(x, l, &mat[0], right ? l->n : l->m, l->k, l->opA, l->A, l->lda);
    c->v[1] = tsl_array_factors(x, l, &mat[1], l->k);
    c->v[2] = tsl_array_view(x, l, &mat[2], l->m, l->n, l->C, l->ldc);
    if (right) c->v[2].op = tsl_herm_of(l->type);
    c->side = TSL_LEFT;
    c->trans = right ? tsl_inverse_op(l->opB, l->type) : l->opB;
}

static tsl_status check(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0];
    tsl_status st = tsl_need_upright(x, c, 0);
    if (!st) st = tsl_need_factors_of(x, c, 1, c->v[1].m);
    if (st) return st;
    if (tsl_cols(A) > tsl_rows(A)) return tsl_misfit(x, c, "Q must not have more columns than rows");
    return c->v[1].m <= tsl_cols(A) ? TSL_OK : tsl_misfit(x, c, "there must not be more factors than columns");
}

static tsl_status canon(tsl_context *x, const tsl_call *c, tsl_leaf *l)
{
    (void)x;
    const tsl_view *A = &c->v[0];
    l->opA = tsl_reduced(A->op, l->type);
    l->m = A->m;
    l->n = A->n;
    l->k = c->v[1].m;
    l->A = tsl_at(A), l->lda = A->mat->ld;
    l->tau = tsl_at(&c->v[1]);
    return TSL_OK;
}

static void as_call(tsl_context *x, const tsl_leaf *l, tsl_matrix mat[TSL_MAX_OPERANDS], tsl_call *c)
{
    c->v[0] = tsl_array_view(x, l, &mat[0], l->m, l->n, l->A, l->lda);
    c->v[0].op = l->opA;
    c->v[1] = tsl_array_factors(x, l, &mat[1], l->k);
}

static int64_t order(const tsl_call *c) { return c->v[1].m; }

const tsl_rules tsl_ormqr_rules = {.check = check_product, .simplify = simplify, .canon = canon_product, .order = order, .as_call = as_call_product};
const tsl_rules tsl_orgqr_rules = {.check = check, .canon = canon, .order = order, .as_call = as_call};
