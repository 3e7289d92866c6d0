/* A symmetric or Hermitian matrix to tridiagonal form, A = Q T Q^H, in place on a triangle; products with Q (ormtr, unmtr) and
 * Q itself (orgtr, ungtr). Which triangle is stored decides which reflectors there are, so A is as it is stored. */
#include "ops/qr/qr.h"

tsl_status tsl_sytrd(tsl_context *x, tsl_view A, tsl_view d, tsl_view e, tsl_view tau)
{
    return tsl_execute(x, &(tsl_call){.op = TSL_OP_SYTRD, .v = {A, d, e, tau}});
}

/* C Q is the conjugate transpose of Q^H C^H. */
tsl_status tsl_ormtr(tsl_context *x, tsl_side side, tsl_op trans, tsl_view A, tsl_view tau, tsl_view C)
{
    return tsl_apply_q(x, TSL_OP_ORMTR, side, trans, A, tau, C);
}

tsl_status tsl_orgtr(tsl_context *x, tsl_view A, tsl_view tau)
{
    tsl_status st = tsl_enter(&x);
    if (st) return st;
    tsl_call c = {.op = TSL_OP_ORGTR, .v = {A, tau}};
    tsl_put_triangle(x, &c, 0, A);
    return tsl_leave(x, tsl_execute(x, &c));
}

/* Reflectors of a matrix of order n */
static int64_t reflectors(int64_t n) { return tsl_max(0, n - 1); }

static tsl_status check(tsl_context *x, const tsl_call *c)
{
    int64_t n = c->v[0].m;
    tsl_status st = tsl_need_triangle(x, c, 0);
    if (!st) st = tsl_need_stored(x, c, 0);
    if (!st) st = tsl_need_column_of(x, c, 1, n);
    for (int i = 2; i < 4 && !st; ++i) st = tsl_need_column_of(x, c, i, reflectors(n));
    return st;
}

static int64_t order(const tsl_call *c) { return c->v[0].m; }

static tsl_status check_product(tsl_context *x, const tsl_call *c)
{
    tsl_status st = tsl_need_triangle(x, c, 0);
    if (!st) st = tsl_need_stored(x, c, 0);
    if (!st) st = tsl_need_column_of(x, c, 1, reflectors(c->v[0].m));
    if (!st) st = tsl_need_upright(x, c, 2);
    if (st) return st;
    return c->v[0].m == tsl_rows(c->v[2]) ? TSL_OK : tsl_misfit(x, c, "A, and so Q, must have as many rows as C, or columns if Q is on the right");
}

static tsl_status check_q(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0];
    if (c->uplo == TSL_GENERAL) return tsl_refuse(x, c, TSL_ERR_UPLO, "A must be a triangle (tsl_lower or tsl_upper)");
    if (A.m != A.n) return tsl_misfit(x, c, "A must be square");
    tsl_status st = tsl_need_stored(x, c, 0);
    return st ? st : tsl_need_column_of(x, c, 1, reflectors(A.m));
}

/* The columns of the panel */

static int64_t columns(const tsl_call *c) { return c->v[1].m; }

static tsl_status canon_panel(tsl_context *x, const tsl_call *c, tsl_leaf *l)
{
    (void)x;
    l->k = columns(c);
    return TSL_OK;
}

const tsl_rules tsl_latrd_rules = {.check = tsl_unchecked, .canon = canon_panel, .order = columns};
const tsl_rules tsl_sytrd_rules = {.check = check, .order = order, .width = order};
const tsl_rules tsl_ormtr_rules = {.check = check_product, .simplify = tsl_apply_q_simplify, .canon = tsl_apply_q_canon, .order = order,
                                    .on_views = tsl_apply_q_on_views};
const tsl_rules tsl_orgtr_rules = {.check = check_q, .order = order};
