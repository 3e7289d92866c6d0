/* The pseudo-inverse (pinv) and the rank. */
#include "core/values.h"
#include "ops/qr/qr.h"

double tsl_pinv_tolerance(tsl_type t, int64_t m, int64_t n, double given)
{
    return given < 0 ? 2 * tsl_type_eps(t) * (double)tsl_max(m, n) : given;
}

/* only: without P */
static tsl_status by_values(tsl_context *x, bool only, tsl_view A, double tolerance, tsl_view P, int64_t *rank, int64_t *info)
{
    tsl_results r = {0};
    tsl_status st = tsl_enter(&x);
    if (st) return st;
    tsl_call c = {.op = TSL_OP_PINV, .v = {A, only ? tsl_none_of(A) : P}};
    if (A.mat) c.rank.tolerance = tsl_pinv_tolerance(A.mat->type, A.m, A.n, tolerance);
    bool each = rank && tsl_is_batch(&c); /* then it is an operand, an element for each problem */
    tsl_matrix ranks = tsl_per_problem(x, &c, TSL_INDEX, each, each ? rank : NULL);
    c.v[2] = tsl_whole(&ranks);
    c.results = rank && !each ? &r : NULL;
    st = tsl_execute_info(x, &c, info);
    if (!st && rank && !each) *rank = r.count;
    return tsl_leave(x, st);
}

tsl_status tsl_pinv(tsl_context *x, tsl_view A, double tolerance, tsl_view P, int64_t *rank, int64_t *info)
{
    return by_values(x, false, A, tolerance, P, rank, info);
}

tsl_status tsl_matrix_rank(tsl_context *x, tsl_view A, double tolerance, int64_t *rank, int64_t *info)
{
    return by_values(x, true, A, tolerance, (tsl_view){0}, rank, info);
}

static tsl_status check(tsl_context *x, const tsl_call *c)
{
    const tsl_view *A = &c->v[0], *P = &c->v[1];
    tsl_status st = TSL_OK;
    for (int i = 0; i < 2 && !st; ++i) st = tsl_need_plain(x, c, i);
    bool wanted = P->m > 0 && P->n > 0;
    return st || !wanted || (P->m == A->n && P->n == A->m) ? st : tsl_misfit(x, c, "P must have as many rows as A has columns, and as many columns as A has rows");
}

const tsl_rules tsl_pinv_rules = {.check = check, .leaf_for_small = true, .parts = tsl_parts_of_svd};
