/* A = L D L^T, or L D L^H, with symmetric pivoting (sytrf, hetrf), in place on a triangle; with these factors solutions (sytrs,
 * hetrs), both steps at once (sysv, hesv), and the inverse (sytri, hetri). Which triangle is stored decides which factors there
 * are, so A is as it is stored. */
#include "ops/lu/lu.h"

tsl_status tsl_sytrf(tsl_context *x, tsl_view A, tsl_view p, int64_t *info)
{
    return tsl_execute_info(x, &(tsl_call){.op = TSL_OP_SYTRF, .v = {A, p}}, info);
}

tsl_status tsl_hetrf(tsl_context *x, tsl_view A, tsl_view p, int64_t *info)
{
    return tsl_execute_info(x, &(tsl_call){.op = TSL_OP_SYTRF, .herm = true, .v = {A, p}}, info);
}

tsl_status tsl_sytrs(tsl_context *x, tsl_view A, tsl_view p, tsl_view B) { return tsl_execute(x, &(tsl_call){.op = TSL_OP_SYTRS, .v = {A, p, B}}); }

tsl_status tsl_hetrs(tsl_context *x, tsl_view A, tsl_view p, tsl_view B)
{
    return tsl_execute(x, &(tsl_call){.op = TSL_OP_SYTRS, .herm = true, .v = {A, p, B}});
}

tsl_status tsl_sysv(tsl_context *x, tsl_view A, tsl_view p, tsl_view B, int64_t *info)
{
    return tsl_execute_info(x, &(tsl_call){.op = TSL_OP_SYSV, .v = {A, p, B}}, info);
}

tsl_status tsl_hesv(tsl_context *x, tsl_view A, tsl_view p, tsl_view B, int64_t *info)
{
    return tsl_execute_info(x, &(tsl_call){.op = TSL_OP_SYSV, .herm = true, .v = {A, p, B}}, info);
}

tsl_status tsl_sytri(tsl_context *x, tsl_view A, tsl_view p, int64_t *info)
{
    return tsl_execute_info(x, &(tsl_call){.op = TSL_OP_SYTRI, .v = {A, p}}, info);
}

tsl_status tsl_hetri(tsl_context *x, tsl_view A, tsl_view p, int64_t *info)
{
    return tsl_execute_info(x, &(tsl_call){.op = TSL_OP_SYTRI, .herm = true, .v = {A, p}}, info);
}

static tsl_status check(tsl_context *x, const tsl_call *c)
{
    tsl_status st = tsl_need_triangle(x, c, 0);
    if (!st) st = tsl_need_diagonal(x, c, 0);
    if (!st) st = tsl_need_stored(x, c, 0);
    return st ? st : tsl_need_pivots(x, c, 1, c->v[0].m);
}

static tsl_status check_solve(tsl_context *x, const tsl_call *c)
{
    tsl_status st = check(x, c);
    if (!st) st = tsl_need_general(x, c, 2);
    if (st) return st;
    return tsl_rows(c->v[2]) == c->v[0].m ? TSL_OK : tsl_misfit(x, c, "A's order must be B's rows");
}

/* Each names a row, and those of blocks of order 2 are there in pairs, as far as they are at hand. */
tsl_status tsl_ldl_indices(tsl_context *x, const tsl_call *c)
{
    int64_t ld, n = c->v[1].m;
    const int64_t *p = tsl_pivots_at_hand(x, &c->v[1], &ld);
    bool upper = c->v[0].uplo == TSL_UPPER;
    for (int64_t s = 0; p && s < n; ++s) {
        int64_t k = upper ? n - 1 - s : s, next = upper ? k - 1 : k + 1;
        bool pair = p[k] < 0;
        if (p[k] == 0 || p[k] > n || p[k] < -n) return tsl_bad_pivot(x, c, 1, k + 1, p[k], 1, n);
        if (pair && (++s == n || p[next] != p[k])) return tsl_bad_pivot(x, c, 1, k + 1, p[k], 1, n);
    }
    return TSL_OK;
}

static int64_t order(const tsl_call *c) { return c->v[0].m; }

static void only_complex(tsl_leaf *l) { l->herm = l->herm && tsl_is_complex(l->type); }

static tsl_status canon(tsl_context *x, const tsl_call *c, tsl_leaf *l)
{
    (void)x, (void)c;
    only_complex(l);
    return TSL_OK;
}

/* Of B as it is stored */
static bool has_leaf(const tsl_call *c) { return tsl_reduced(c->v[2].op, c->v[0].mat->type) == TSL_NOTRANS; }

static int64_t columns(const tsl_call *c) { return c->k; }

/* A zero that is no outcome is written where nobody looks. */
static tsl_status canon_passing(tsl_context *x, const tsl_call *c, tsl_leaf *l)
{
    only_complex(l);
    if (c->passing) l->info = x->result;
    return TSL_OK;
}

static int solution(const tsl_call *c, tsl_call part[])
{
    part[0] = *c;
    part[0].op = TSL_OP_SYTRS;
    return 1;
}

/* By tiles: a solution with the factors, and these */
static int parts_of_sysv(const tsl_context *x, const tsl_call *c, tsl_matrix *none, tsl_call part[])
{
    (void)x, (void)none;
    part[1] = *c;
    part[1].op = TSL_OP_SYTRF;
    return 1 + solution(c, part);
}

/* The inverse is that of A X = I. */
static int parts_of_sytri(const tsl_context *x, const tsl_call *c, tsl_matrix *X, tsl_call part[])
{
    (void)x;
    const tsl_view *A = &c->v[0];
    *X = (tsl_matrix){.ctx = A->mat->ctx, .type = A->mat->type, .m = A->m, .n = A->n};
    int count = solution(c, part);
    part[0].v[2] = tsl_whole(X);
    return count;
}

const tsl_rules tsl_lasyf_rules = {.check = tsl_unchecked, .canon = canon, .order = columns};
const tsl_rules tsl_lasyf_columns_rules = {.check = tsl_unchecked, .canon = canon};
const tsl_rules tsl_syconv_rules = {.check = tsl_unchecked, .canon = canon_passing};
const tsl_rules tsl_sydiv_rules = {.check = tsl_unchecked, .canon = canon};
const tsl_rules tsl_sytrf_rules = {.check = check, .canon = canon, .order = order, .width = order};
const tsl_rules tsl_sytrs_rules = {.check = check_solve, .indices = tsl_ldl_indices, .canon = canon, .has_leaf = has_leaf, .order = order};
const tsl_rules tsl_sysv_rules = {.check = check_solve, .canon = canon, .has_leaf = has_leaf, .order = order,
                                  .parts = parts_of_sysv};
const tsl_rules tsl_sytri_rules = {.check = check, .indices = tsl_ldl_indices, .canon = canon, .order = order,
                                   .parts = parts_of_sytri};
