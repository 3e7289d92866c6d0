/* The later stages of the reduction to tridiagonal form: from a band to a narrower one, from a band, and products with their
 * Qs. Algorithms call these; no public function does. */
#include "ops/qr/qr.h"

/* Do V and tau have the shapes of the reflectors of a band of order n with kd diagonals beside the main one, or of some sweeps'
 * of them? */
static tsl_status check_reflectors(tsl_context *x, const tsl_call *c, int i, int64_t n, int64_t kd, bool some)
{
    tsl_view V = c->v[i], tau = c->v[i + 1];
    tsl_status st = tsl_need_plain(x, c, i);
    if (!st) st = tsl_need_plain(x, c, i + 1);
    if (st) return st;
    if (V.m != n || V.n > n || (V.n < n && !some)) return tsl_misfit(x, c, "V must be square, of the band's order");
    int64_t chunks = tsl_pieces(tsl_max(0, n - 1), tsl_max(1, tsl_min(kd, n - 1)));
    return tau.n == V.n && tau.m >= chunks ? TSL_OK : tsl_misfit(x, c, "tau must have a column for each of V's, and a row for each reflector of the first");
}

static bool is_empty(tsl_view V) { return V.m == 0 || V.n == 0; }

/* The band, and T's two diagonals */
static tsl_status check_diagonals(tsl_context *x, const tsl_call *c)
{
    int64_t n = c->v[0].n;
    tsl_status st = tsl_need_plain(x, c, 0);
    if (!st) st = tsl_need_column_of(x, c, 1, n);
    return st ? st : tsl_need_column_of(x, c, 2, tsl_max(0, n - 1));
}

static tsl_status check(tsl_context *x, const tsl_call *c)
{
    tsl_view AB = c->v[0], V = c->v[3], tau = c->v[4];
    tsl_status st = check_diagonals(x, c);
    if (st) return st;
    if (AB.m < 1) return tsl_misfit(x, c, "AB must have a row for the diagonal");
    return is_empty(V) && is_empty(tau) ? TSL_OK : check_reflectors(x, c, 3, AB.n, AB.m - 1, false);
}

static tsl_status canon(tsl_context *x, const tsl_call *c, tsl_leaf *l)
{
    (void)x;
    l->k = c->v[0].m - 1;
    return TSL_OK;
}

static tsl_status check_some(tsl_context *x, const tsl_call *c)
{
    tsl_view W = c->v[0], V = c->v[3], tau = c->v[4];
    tsl_status st = check_diagonals(x, c);
    if (st) return st;
    if (W.m < 2 || W.m % 2) return tsl_misfit(x, c, "W must have two rows for each diagonal beside the main one");
    if (c->k < 1 || c->k >= W.n) return tsl_misfit(x, c, "there are less sweeps than W's order");
    if (is_empty(V) && is_empty(tau)) return TSL_OK;
    if (V.n != c->k) return tsl_misfit(x, c, "V must have a column for each sweep");
    return check_reflectors(x, c, 3, W.n, W.m / 2, true);
}

static tsl_status canon_some(tsl_context *x, const tsl_call *c, tsl_leaf *l)
{
    (void)x;
    l->k = c->k;
    return TSL_OK;
}

static tsl_status check_narrower(tsl_context *x, const tsl_call *c)
{
    tsl_view AB = c->v[0], B = c->v[1];
    tsl_status st = tsl_need_plain(x, c, 0);
    if (!st) st = tsl_need_plain(x, c, 1);
    if (st) return st;
    if (B.n != AB.n) return tsl_misfit(x, c, "B must have AB's order");
    if (B.m < 2 || B.m > AB.m) return tsl_misfit(x, c, "B must have 2 rows or more, and no more than AB");
    if (is_empty(c->v[2]) && is_empty(c->v[3])) return TSL_OK;
    return check_reflectors(x, c, 2, tsl_max(0, AB.n - B.m + 2), AB.m - 1, false);
}

static tsl_status canon_narrower(tsl_context *x, const tsl_call *c, tsl_leaf *l)
{
    (void)x;
    l->k = c->v[1].m - 1;
    return TSL_OK;
}

static int64_t order(const tsl_call *c) { return c->v[0].n; }

static tsl_status check_product(tsl_context *x, const tsl_call *c)
{
    tsl_status st = tsl_need_plain(x, c, 2);
    if (!st) st = tsl_refuse_op_of_q(x, c);
    return st ? st : check_reflectors(x, c, 0, c->v[2].m, c->k, true);
}

static tsl_status canon_product(tsl_context *x, const tsl_call *c, tsl_leaf *l)
{
    (void)x;
    l->trans = tsl_reduced(c->trans, l->type);
    return TSL_OK;
}

const tsl_rules tsl_sb2st_rules = {.check = check, .canon = canon, .order = order};
const tsl_rules tsl_sb2st_some_rules = {.check = check_some, .canon = canon_some, .order = order};
const tsl_rules tsl_sb2st_part_rules = {.check = tsl_unchecked};
const tsl_rules tsl_sb2sb_rules = {.check = check_narrower, .canon = canon_narrower, .order = order};
const tsl_rules tsl_ormtr_sb2st_rules = {.check = check_product, .canon = canon_product, .order = order};
