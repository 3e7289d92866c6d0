/* P, L and U of getrf's factors. */
#include "ops/lu/lu.h"

tsl_status tsl_plu(tsl_context *x, tsl_view A, tsl_view p, tsl_view P, tsl_view L, tsl_view U)
{
    return tsl_execute(x, &(tsl_call){.op = TSL_OP_PLU, .v = {A, p, tsl_or_none(P, A), L, U}});
}

static bool is(tsl_view v, int64_t m, int64_t n) { return v.m == m && v.n == n; }

static tsl_status check(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0], P = c->v[2];
    int64_t d = tsl_min(A.m, A.n);
    tsl_status st = tsl_need_plain(x, c, 0);
    if (!st) st = tsl_need_pivots(x, c, 1, d);
    for (int i = 2; i < 5 && !st; ++i) st = tsl_need_plain(x, c, i);
    if (st) return st;
    if (!is(P, A.m, A.m) && !is(P, 0, 0)) return tsl_misfit(x, c, "P must be square and have as many rows as A");
    if (is(c->v[3], A.m, d) && is(c->v[4], d, A.n)) return TSL_OK;
    return tsl_misfit(x, c, "L must have A's rows and U A's columns, and each as many of the others as A's shorter side");
}

static tsl_status indices(tsl_context *x, const tsl_call *c) { return tsl_need_rows(x, c, 1, c->v[0].m); }

/* What the kernel's limit speaks of: rows */
static int64_t order(const tsl_call *c) { return c->v[0].m; }

const tsl_rules tsl_plu_rules = {.check = check, .indices = indices, .order = order};
