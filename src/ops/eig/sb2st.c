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

/* Do the chunks lie in W, which has kd diagonals beside the main one? */
static bool chunks_fit(const tsl_sweeps_args *p, int64_t sweeps, int64_t kd, int64_t columns)
{
    const int64_t most = INT64_MAX / 8;
    bool small = p->order >= 0 && p->order < most / kd && p->first > -most && p->first <= p->order;
    bool chunks = p->begin >= 0 && p->begin < most / kd && p->end >= 0 && p->end < most / kd;
    if (!small || !chunks || sweeps < 1 || p->first + sweeps > p->order) return false;
    int64_t last = tsl_min(sweeps - 1, p->begin); /* the sweep with the lowest column */
    bool low = last ? p->first + last - 1 + (p->begin - last) * kd >= 0 : p->first + p->begin * kd - (p->begin == 0) >= 0;
    if (!p->end) return low && p->order <= columns;
    /* two chunks apart: who leaves at the end has not written yet what those at the beginning take in */
    bool wide = p->end > p->begin && (p->begin == 0 || sweeps == 1 || p->end >= p->begin + 2);
    return low && wide && p->first + p->end * kd <= columns;
}

static tsl_status check_some(tsl_context *x, const tsl_call *c)
{
    const tsl_sweeps_args *p = &c->sweeps;
    tsl_view W = c->v[0], V = c->v[3], tau = c->v[4], R = c->v[5];
    int64_t kd = W.m / 2, base = tsl_max(0, p->begin - (c->k - 1));
    tsl_status st = TSL_OK;
    for (int i = 0; i < 6 && !st; ++i)
        if (i != 1 && i != 2) st = tsl_need_plain(x, c, i);
    if (!st) st = tsl_need_column_of(x, c, 1, c->k + 1);
    if (!st) st = tsl_need_column_of(x, c, 2, c->k);
    if (st) return st;
    if (W.m < 2 || W.m % 2) return tsl_misfit(x, c, "W must have two rows for each diagonal beside the main one");
    if (!chunks_fit(p, c->k, kd, W.n)) return tsl_misfit(x, c, "W must have the columns of all chunks");
    if (R.n != c->k || R.m != kd + 1) return tsl_misfit(x, c, "R must have a reflector for each sweep");
    if (is_empty(V) && is_empty(tau)) return TSL_OK;
    if (V.n != c->k || V.m != W.n) return tsl_misfit(x, c, "V must have a column for each sweep, and W's columns as rows");
    int64_t end = p->end ? p->end : tsl_pieces(tsl_max(0, p->order - p->first), kd);
    if (tau.n == c->k && tau.m >= end - base) return TSL_OK;
    return tsl_misfit(x, c, "tau must have a column for each sweep, and a row for each chunk");
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
