/* LU with incremental pivoting: the factors (getrf_incpiv), solutions with them (getrs_incpiv), both at once (gesv_incpiv); and
 * the two operations on a pair of tiles they are made of (tstrf, ssssm) */
#include "core/pairs.h"
#include "ops/lu/lu.h"

tsl_status tsl_getrf_incpiv(tsl_context *x, tsl_view A, tsl_view L, tsl_view p, int64_t *info)
{
    return tsl_execute_info(x, &(tsl_call){.op = TSL_OP_GETRF_INCPIV, .v = {A, L, p}}, info);
}

tsl_status tsl_getrs_incpiv(tsl_context *x, tsl_view A, tsl_view L, tsl_view p, tsl_view B)
{
    return tsl_execute(x, &(tsl_call){.op = TSL_OP_GETRS_INCPIV, .v = {A, L, p, B}});
}

tsl_status tsl_gesv_incpiv(tsl_context *x, tsl_view A, tsl_view B, int64_t *info)
{
    return tsl_execute_info(x, &(tsl_call){.op = TSL_OP_GESV_INCPIV, .v = {A, B}}, info);
}

static tsl_status need_square(tsl_context *x, const tsl_call *c)
{
    const tsl_view *A = &c->v[0];
    tsl_status st = tsl_need_plain(x, c, 0);
    if (st || A->m == A->n) return st;
    return tsl_refuse(x, c, TSL_ERR_SHAPE, "A is %lld x %lld, must be square", (long long)A->m, (long long)A->n);
}

static tsl_status need_rows(tsl_context *x, const tsl_call *c, int i)
{
    tsl_status st = tsl_need_plain(x, c, i);
    if (st) return st;
    return tsl_rows(c->v[i]) == c->v[0].m ? TSL_OK : tsl_misfit(x, c, "A's order must be B's rows");
}

/* As many columns of p as A, cut into tiles of as many rows as p has, has pairs of tiles; L has those times as many, and no
 * more rows. */
static tsl_status check_factor(tsl_context *x, const tsl_call *c)
{
    const tsl_view *A = &c->v[0], *L = &c->v[1], *p = &c->v[2];
    tsl_status st = need_square(x, c);
    for (int i = 1; i < 3 && !st; ++i) st = tsl_need_plain(x, c, i);
    if (st || !A->n) return st;
    if (p->m > 0 && p->n == tsl_pairs(A->n, A->n, p->m) && L->m > 0 && L->m <= p->m && L->n / p->m == p->n && L->n % p->m == 0) return TSL_OK;
    return tsl_misfit(x, c, "p must be nb x t (t + 1) / 2, t = ceil(n / nb) tiles along A's side, L ib x nb times p's columns, ib <= nb");
}

/* Pivots of the pair of tiles i >= k: rows of tile i on top of which is tile k, or of tile k alone */
static tsl_status indices(tsl_context *x, const tsl_call *c)
{
    const tsl_view *p = &c->v[2];
    int64_t n = c->v[0].n, nb = p->m, t = n ? tsl_pieces(n, nb) : 0, ld;
    const int64_t *at = t ? tsl_pivots_at_hand(x, p, &ld) : NULL;
    for (int64_t k = 0; at && k < t; ++k)
        for (int64_t i = k; i < t; ++i) {
            int64_t pair = tsl_pair(t, i, k), own = tsl_min(nb, n - i * nb), count = i == k ? own : nb, rows = i == k ? own : nb + own;
            for (int64_t s = 0; s < count; ++s) {
                int64_t row = at[s + pair * ld];
                if (row < 1 || row > rows) return tsl_bad_pivot(x, c, 2, s + 1 + pair * nb, row, 1, rows);
            }
        }
    return TSL_OK;
}

static tsl_status check_solve(tsl_context *x, const tsl_call *c)
{
    tsl_status st = check_factor(x, c);
    return st ? st : need_rows(x, c, 3);
}

static tsl_status check_both(tsl_context *x, const tsl_call *c)
{
    tsl_status st = need_square(x, c);
    return st ? st : need_rows(x, c, 1);
}

static int64_t order(const tsl_call *c) { return c->v[0].m; }

static tsl_status check_pair(tsl_context *x, const tsl_call *c)
{
    bool factors = !tsl_only_read(c->op, 1); /* it makes L */
    const tsl_view *v = c->v, *A = factors ? &v[3] : &v[0]; /* the lower tile's part of L */
    tsl_status st = TSL_OK;
    for (int i = 0; i < tsl_ops[c->op].operands && !st; ++i) st = tsl_need_plain(x, c, i);
    if (st) return st;
    bool fit = v[1].n == A->n && v[1].m > 0 && v[2].m == A->n && v[2].n == 1;
    fit = fit && (factors ? v[0].m == A->n && v[0].n == A->n : v[3].m == A->n && v[4].m == A->m && v[3].n == v[4].n);
    return fit ? TSL_OK : tsl_misfit(x, c, "the tiles of a pair must be as wide, and go with L and p");
}

static tsl_status canon_ssssm(tsl_context *x, const tsl_call *c, tsl_leaf *l)
{
    (void)x;
    l->k = c->v[0].n;
    return TSL_OK;
}

const tsl_rules tsl_tstrf_rules = {.check = check_pair};
const tsl_rules tsl_ssssm_rules = {.check = check_pair, .canon = canon_ssssm};
const tsl_rules tsl_getrf_incpiv_rules = {.check = check_factor, .order = order};
const tsl_rules tsl_getrs_incpiv_rules = {.check = check_solve, .indices = indices, .order = order};
const tsl_rules tsl_gesv_incpiv_rules = {.check = check_both, .order = order};
