/* A matrix to bidiagonal form in two stages: to an upper band (ge2gb), and from there by bulge chasing (gb2bd, which algorithms
 * call and no public function). Products with the second stage's reflectors are ormtr_sb2st, with the first one's ormqr. */
#include "ops/qr/qr.h"

tsl_status tsl_ge2gb(tsl_context *x, tsl_view A, tsl_view AB, tsl_view tauq, tsl_view taup)
{
    return tsl_execute(x, &(tsl_call){.op = TSL_OP_GE2GB, .v = {A, AB, tauq, taup}});
}

static tsl_status check(tsl_context *x, const tsl_call *c)
{
    const tsl_view *A = &c->v[0], *AB = &c->v[1];
    tsl_status st = TSL_OK;
    for (int i = 0; i < 2 && !st; ++i) st = tsl_need_plain(x, c, i);
    for (int i = 2; i < 4 && !st; ++i) st = tsl_need_column_of(x, c, i, A->n);
    if (!st && A->m < A->n) st = tsl_misfit(x, c, "A must not have more columns than rows");
    return st || (AB->n == A->n && AB->m > 1) || !A->n ? st : tsl_misfit(x, c, "AB must have as many columns as A, and rows for the diagonal and one beside it at least");
}

/* Do V and tau have the shapes of the reflectors of a band of order n with kd diagonals above the main one, or no elements? */
static tsl_status check_reflectors(tsl_context *x, const tsl_call *c, int i, int64_t n, int64_t kd)
{
    tsl_view V = c->v[i], tau = c->v[i + 1];
    tsl_status st = tsl_need_plain(x, c, i);
    if (!st) st = tsl_need_plain(x, c, i + 1);
    if (st || ((V.m == 0 || V.n == 0) && (tau.m == 0 || tau.n == 0))) return st;
    int64_t chunks = tsl_pieces(tsl_max(0, n - 1), tsl_max(1, tsl_min(kd, n - 1)));
    return V.m == n && V.n == n && tau.n == n && tau.m >= chunks ? TSL_OK : tsl_misfit(x, c, "reflectors must be of the band's order, and their factors a row for each of the first sweep");
}

static tsl_status check_band(tsl_context *x, const tsl_call *c)
{
    tsl_view AB = c->v[0];
    tsl_status st = tsl_need_plain(x, c, 0);
    if (!st) st = tsl_need_column_of(x, c, 1, AB.n);
    if (!st) st = tsl_need_column_of(x, c, 2, tsl_max(0, AB.n - 1));
    if (!st && AB.m < 1) st = tsl_misfit(x, c, "AB must have a row for the diagonal");
    for (int i = 3; i < 7 && !st; i += 2) st = check_reflectors(x, c, i, AB.n, AB.m - 1);
    return st;
}

static tsl_status canon(tsl_context *x, const tsl_call *c, tsl_leaf *l)
{
    (void)x;
    l->k = c->v[0].m - 1;
    return TSL_OK;
}

static int64_t order(const tsl_call *c) { return c->v[0].n; }

const tsl_rules tsl_ge2gb_rules = {.check = check, .order = order};
const tsl_rules tsl_gb2bd_rules = {.check = check_band, .canon = canon, .order = order};
