/* A = Q R in place: A := R and the reflectors Q is made of, tau := their factors. Seen through its conjugate transpose: A = L
 * Q. A panel's with its reflectors written out and their triangle; the triangle alone. */
#include "ops/qr/qr.h"

tsl_status tsl_geqrf(tsl_context *x, tsl_view A, tsl_view tau)
{
    return tsl_execute(x, &(tsl_call){.op = TSL_OP_GEQRF, .v = {A, tau}});
}

tsl_status tsl_need_upright(tsl_context *x, const tsl_call *c, int i)
{
    tsl_view A = c->v[i];
    tsl_op op = tsl_reduced(A.op, A.mat->type);
    tsl_status st = tsl_need_general(x, c, i);
    if (st || op == TSL_NOTRANS || op == tsl_herm_of(A.mat->type)) return st;
    return tsl_refuse(x, c, TSL_ERR_FLAG, "%s is seen %s, must be as it is stored or conjugated and transposed", tsl_ops[c->op].operand[i].name,
                      op == TSL_CONJ ? "conjugated" : "transposed");
}

tsl_status tsl_need_column_of(tsl_context *x, const tsl_call *c, int i, int64_t count)
{
    const tsl_view *tau = &c->v[i];
    tsl_status st = tsl_need_general(x, c, i);
    if (st) return st;
    if (tau->n == 1 && tau->m == count && tau->op == TSL_NOTRANS) return TSL_OK;
    return tsl_refuse(x, c, TSL_ERR_SHAPE, "%s is %lld x %lld%s, must be a column of %lld elements", tsl_ops[c->op].operand[i].name,
                      (long long)tsl_rows(*tau), (long long)tsl_cols(*tau), tau->op ? ", seen through an op" : "", (long long)count);
}

static tsl_status check(tsl_context *x, const tsl_call *c)
{
    tsl_status st = tsl_need_upright(x, c, 0);
    return st ? st : tsl_need_column_of(x, c, 1, tsl_min(c->v[0].m, c->v[0].n));
}

static int64_t order(const tsl_call *c) { return tsl_min(c->v[0].m, c->v[0].n); }

const tsl_rules tsl_geqrf_rules = {.check = check, .order = order};

static tsl_status canon_triangle(tsl_context *x, const tsl_call *c, tsl_leaf *l)
{
    (void)x;
    l->k = c->v[0].n;
    return TSL_OK;
}

/* Reflectors, as many as T has columns */
static int64_t reflectors(const tsl_call *c) { return c->v[0].n; }

const tsl_rules tsl_geqrt_rules = {.check = tsl_unchecked, .order = reflectors};
const tsl_rules tsl_larft_rules = {.check = tsl_unchecked, .canon = canon_triangle, .order = reflectors};
