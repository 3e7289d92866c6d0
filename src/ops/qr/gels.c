/* Least squares: B := the X of least |A X - B|, or the X of least |X| with A X = B */
#include "ops/qr/qr.h"

tsl_status tsl_gels(tsl_context *x, tsl_view A, tsl_view B, int64_t *info)
{
    return tsl_execute_info(x, &(tsl_call){.op = TSL_OP_GELS, .v = {A, B}}, info);
}

static tsl_status check(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0];
    tsl_status st = tsl_need_upright(x, c, 0);
    if (!st) st = tsl_need_upright(x, c, 1);
    if (st) return st;
    return tsl_rows(c->v[1]) == tsl_max(A.m, A.n) ? TSL_OK : tsl_misfit(x, c, "B must have as many rows as the longer side of A");
}

static tsl_status canon(tsl_context *x, const tsl_call *c, tsl_leaf *l)
{
    (void)x;
    l->m = c->v[0].m;
    l->n = c->v[0].n;
    l->k = tsl_cols(c->v[1]);
    return TSL_OK;
}

static int64_t order(const tsl_call *c) { return tsl_min(c->v[0].m, c->v[0].n); }

/* QR of A, or of A^H, so that it has no more columns than rows, and a product with Q^H */
static int parts(const tsl_context *x, const tsl_call *c, tsl_matrix *tau, tsl_call part[])
{
    (void)x;
    tsl_view F = c->v[0];
    *tau = (tsl_matrix){.ctx = F.mat->ctx, .type = F.mat->type, .m = tsl_min(F.m, F.n), .n = 1};
    F.op = F.m < F.n ? TSL_HERM : TSL_NOTRANS;
    part[0] = (tsl_call){.op = TSL_OP_GEQRF, .v = {F, tsl_whole(tau)}};
    part[1] = (tsl_call){.op = TSL_OP_ORMQR, .trans = TSL_HERM, .v = {F, tsl_whole(tau), c->v[1]}};
    return 2;
}

const tsl_rules tsl_gels_rules = {.check = check, .canon = canon, .leaf_for_small = true, .order = order, .parts = parts};
