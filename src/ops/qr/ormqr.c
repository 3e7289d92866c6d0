/* With the reflectors of geqrf: products with Q (ormqr, unmqr), and Q itself (orgqr, ungqr); with A seen through its conjugate
 * transpose, those of LQ, whose Q is the conjugate transpose of that. */
#include "ops/qr/qr.h"

tsl_status tsl_refuse_op_of_q(tsl_context *x, const tsl_call *c)
{
    tsl_type t = c->v[0].mat ? c->v[0].mat->type : TSL_D;
    if ((unsigned)c->trans <= TSL_HERM && (tsl_reduced(c->trans, t) == TSL_NOTRANS || tsl_reduced(c->trans, t) == tsl_herm_of(t))) return TSL_OK;
    return tsl_refuse(x, c, TSL_ERR_FLAG, "Q's op is %d, must be none or the conjugate transpose", (int)c->trans);
}

/* C Q is the conjugate transpose of Q^H C^H. */
tsl_call tsl_product_with_q(tsl_context *x, tsl_opcode op, struct tsl_args *args, tsl_side side, tsl_op trans, tsl_view A, tsl_view tau, tsl_view C)
{
    tsl_call c = {.op = op, .args = args, .trans = trans, .v = {A, tau, C}};
    tsl_type t = A.mat ? A.mat->type : TSL_D;
    if ((unsigned)side > TSL_RIGHT) c.refused = tsl_refuse(x, &c, TSL_ERR_FLAG, "no side %d", (int)side);
    else c.refused = tsl_refuse_op_of_q(x, &c);
    if (side == TSL_RIGHT) c.v[2] = tsl_herm(C), c.trans = tsl_inverse_op(tsl_reduced(trans, t), t);
    return c;
}

tsl_status tsl_apply_q(tsl_context *x, tsl_opcode op, tsl_side side, tsl_op trans, tsl_view A, tsl_view tau, tsl_view C)
{
    tsl_status st = tsl_enter(&x);
    if (st) return st;
    tsl_call c = tsl_product_with_q(x, op, NULL, side, trans, A, tau, C);
    return tsl_leave(x, tsl_execute(x, &c));
}

tsl_status tsl_ormqr(tsl_context *x, tsl_side side, tsl_op trans, tsl_view A, tsl_view tau, tsl_view C)
{
    return tsl_apply_q(x, TSL_OP_ORMQR, side, trans, A, tau, C);
}

tsl_status tsl_orgqr(tsl_context *x, tsl_view A, tsl_view tau)
{
    return tsl_execute(x, &(tsl_call){.op = TSL_OP_ORGQR, .v = {A, tau}});
}

static tsl_status check_product(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0], C = c->v[2];
    tsl_status st = tsl_need_upright(x, c, 0);
    if (!st) st = tsl_need_column_of(x, c, 1, c->v[1].m);
    if (!st) st = tsl_need_upright(x, c, 2);
    if (st) return st;
    if (tsl_rows(A) != tsl_rows(C)) return tsl_misfit(x, c, "A, and so Q, must have as many rows as C, or columns if Q is on the right");
    if (c->v[1].m > tsl_min(A.m, A.n)) return tsl_misfit(x, c, "there must not be more factors than columns or rows of A");
    return TSL_OK;
}

/* No reflectors */
bool tsl_apply_q_simplify(const tsl_call *c, tsl_call *less)
{
    if (c->v[1].m) return false;
    *less = (tsl_call){.op = TSL_OP_SCALE, .alpha = 1, .v = {c->v[2]}};
    return true;
}

tsl_status tsl_apply_q_canon(tsl_context *x, const tsl_call *c, tsl_leaf *l)
{
    (void)x;
    bool right = c->v[2].op & TSL_TRANS;
    tsl_op trans = tsl_reduced(c->trans, l->type);
    l->side = right ? TSL_RIGHT : TSL_LEFT;
    l->trans = right ? tsl_inverse_op(trans, l->type) : trans;
    l->k = c->v[1].m;
    return TSL_OK;
}

/* From the right it is the conjugate transpose of a product from the left. */
void tsl_apply_q_on_views(const tsl_leaf *l, tsl_call *c)
{
    if (l->side == TSL_LEFT) return;
    c->side = TSL_LEFT;
    c->v[2].op = tsl_herm_of(l->type);
    c->trans = tsl_inverse_op(l->trans, l->type);
}

static tsl_status check(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0];
    tsl_status st = tsl_need_upright(x, c, 0);
    if (!st) st = tsl_need_column_of(x, c, 1, c->v[1].m);
    if (st) return st;
    if (tsl_cols(A) > tsl_rows(A)) return tsl_misfit(x, c, "Q must not have more columns than rows");
    return c->v[1].m <= tsl_cols(A) ? TSL_OK : tsl_misfit(x, c, "there must not be more factors than columns");
}

static tsl_status canon(tsl_context *x, const tsl_call *c, tsl_leaf *l)
{
    (void)x;
    l->k = c->v[1].m;
    return TSL_OK;
}

static int64_t order(const tsl_call *c) { return c->v[1].m; }

const tsl_rules tsl_ormqr_rules = {.check = check_product, .simplify = tsl_apply_q_simplify, .canon = tsl_apply_q_canon, .order = order,
                                    .on_views = tsl_apply_q_on_views};
const tsl_rules tsl_orgqr_rules = {.check = check, .canon = canon, .order = order};
