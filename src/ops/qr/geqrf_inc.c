/* Incremental QR: the factors (geqrf_inc), products with Q (ormqr_inc), least squares (gels_inc); and the two operations on a
 * pair of tiles they are made of (tsqrt, tsmqr) */
#include "ops/qr/qr.h"

tsl_status tsl_geqrf_inc(tsl_context *x, tsl_view A, tsl_view T, tsl_view tau)
{
    return tsl_execute(x, &(tsl_call){.op = TSL_OP_GEQRF_INC, .v = {A, T, tau}});
}

tsl_status tsl_ormqr_inc(tsl_context *x, tsl_op trans, tsl_view A, tsl_view T, tsl_view tau, tsl_view C)
{
    tsl_status st = tsl_enter(&x);
    if (st) return st;
    tsl_call c = {.op = TSL_OP_ORMQR_INC, .trans = trans, .v = {A, T, tau, C}};
    c.refused = tsl_refuse_op_of_q(x, &c);
    return tsl_leave(x, tsl_execute(x, &c));
}

tsl_status tsl_gels_inc(tsl_context *x, tsl_view A, tsl_view B, int64_t *info)
{
    return tsl_execute_info(x, &(tsl_call){.op = TSL_OP_GELS_INC, .v = {A, B}}, info);
}

/* As many rows as columns at least; all operands as they are stored */
static tsl_status need_tall(tsl_context *x, const tsl_call *c)
{
    tsl_status st = TSL_OK;
    for (int i = 0; i < tsl_ops[c->op].operands && !st; ++i) st = tsl_need_plain(x, c, i);
    if (st || c->v[0].m >= c->v[0].n) return st;
    return tsl_misfit(x, c, "A must not have more columns than rows");
}

static tsl_status need_rows(tsl_context *x, const tsl_call *c, int i)
{
    return c->v[i].m == c->v[0].m ? TSL_OK : tsl_misfit(x, c, "A must have as many rows as what it is applied to");
}

/* As many columns of tau as A, cut into tiles of as many rows as tau has, has pairs of tiles; T has those times as many, and no
 * more rows. */
static tsl_status check_factor(tsl_context *x, const tsl_call *c)
{
    const tsl_view *A = &c->v[0], *T = &c->v[1], *tau = &c->v[2];
    tsl_status st = need_tall(x, c);
    if (st || !A->n) return st;
    if (tau->m > 0 && tau->n == tsl_pairs(A->m, A->n, tau->m) && T->m > 0 && T->m <= tau->m && T->n / tau->m == tau->n &&
        T->n % tau->m == 0)
        return TSL_OK;
    return tsl_misfit(x, c, "tau must be nb x pairs of tiles of nb x nb of A, T ib x nb times tau's columns, ib <= nb");
}

static tsl_status check_product(tsl_context *x, const tsl_call *c)
{
    tsl_status st = check_factor(x, c);
    return st ? st : need_rows(x, c, 3);
}

static tsl_status check_both(tsl_context *x, const tsl_call *c)
{
    tsl_status st = need_tall(x, c);
    return st ? st : need_rows(x, c, 1);
}

static int64_t order(const tsl_call *c) { return c->v[0].n; }

static tsl_status check_pair(tsl_context *x, const tsl_call *c)
{
    bool factors = !tsl_only_read(c->op, 1); /* it makes T */
    const tsl_view *v = c->v, *A = factors ? &v[3] : &v[0]; /* the lower tile's part of the reflectors */
    tsl_status st = TSL_OK;
    for (int i = 0; i < tsl_ops[c->op].operands && !st; ++i) st = tsl_need_plain(x, c, i);
    if (st) return st;
    bool fit = v[1].n == A->n && v[1].m > 0;
    fit = fit && (factors ? v[0].m == A->n && v[0].n == A->n && v[2].m == A->n && v[2].n == 1 : v[2].m == A->n && v[3].m == A->m && v[2].n == v[3].n);
    return fit ? TSL_OK : tsl_misfit(x, c, "the tiles of a pair must be as wide, and go with T and tau");
}

static tsl_status canon_tsmqr(tsl_context *x, const tsl_call *c, tsl_leaf *l)
{
    (void)x;
    l->trans = tsl_reduced(c->trans, l->type);
    l->k = c->v[0].n;
    return TSL_OK;
}

const tsl_rules tsl_tsqrt_rules = {.check = check_pair};
const tsl_rules tsl_tsmqr_rules = {.check = check_pair, .canon = canon_tsmqr};
const tsl_rules tsl_geqrf_inc_rules = {.check = check_factor, .order = order};
const tsl_rules tsl_ormqr_inc_rules = {.check = check_product, .order = order};
const tsl_rules tsl_gels_inc_rules = {.check = check_both, .order = order};
