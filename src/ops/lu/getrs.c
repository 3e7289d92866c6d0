/* With LU's factors: solutions (getrs), both steps at once (gesv), the inverse (getri) */
#include "ops/lu/lu.h"

tsl_status tsl_getrs(tsl_context *x, tsl_view A, tsl_view p, tsl_view B)
{
    return tsl_execute(x, &(tsl_call){.op = TSL_OP_GETRS, .v = {A, p, B}});
}

tsl_status tsl_gesv(tsl_context *x, tsl_view A, tsl_view p, tsl_view B, int64_t *info)
{
    return tsl_execute_info(x, &(tsl_call){.op = TSL_OP_GESV, .v = {A, p, B}}, info);
}

tsl_status tsl_getri(tsl_context *x, tsl_view A, tsl_view p, int64_t *info)
{
    return tsl_execute_info(x, &(tsl_call){.op = TSL_OP_GETRI, .v = {A, p}}, info);
}

/* A square matrix with LU's factors, and its pivots */
static tsl_status need_factors(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0];
    tsl_status st = tsl_need_general(x, c, 0);
    if (!st && A.m != A.n)
        st = tsl_refuse(x, c, TSL_ERR_SHAPE, "A is %lld x %lld, must be square", (long long)tsl_rows(A), (long long)tsl_cols(A));
    if (!st && !tsl_only_read(c->op, 0) && tsl_reduced(A.op, A.mat->type) != TSL_NOTRANS)
        st = tsl_refuse(x, c, TSL_ERR_FLAG, "A is seen transposed or conjugated, must be as it is stored");
    return st ? st : tsl_need_pivots(x, c, 1, A.m);
}

static tsl_status indices(tsl_context *x, const tsl_call *c) { return tsl_need_rows(x, c, 1, c->v[0].m); }

static tsl_status check_solve(tsl_context *x, const tsl_call *c)
{
    tsl_status st = need_factors(x, c);
    if (!st) st = tsl_need_general(x, c, 2);
    if (st) return st;
    return tsl_rows(c->v[2]) == c->v[0].m ? TSL_OK : tsl_misfit(x, c, "A's order must be B's rows");
}

/* Of B as it is stored. With the plain conjugate of A the parts' leaves have copies of triangles, which that of the whole has
 * not. */
static bool has_leaf(const tsl_call *c)
{
    tsl_type t = c->v[0].mat->type;
    return tsl_reduced(c->v[2].op, t) == TSL_NOTRANS && tsl_reduced(c->v[0].op, t) != TSL_CONJ;
}

static int64_t order(const tsl_call *c) { return c->v[0].m; }

/* LU, and a solution with its factors */
static int parts_of_gesv(const tsl_context *x, const tsl_call *c, tsl_matrix *none, tsl_call part[])
{
    (void)x;
    (void)none;
    part[0] = part[1] = *c;
    part[0].op = TSL_OP_GETRF;
    part[1].op = TSL_OP_GETRS;
    return 2;
}

int tsl_parts_of_lu(const tsl_context *x, const tsl_call *c, tsl_matrix *mat, tsl_call part[])
{
    tsl_view A = c->v[0];
    (void)x;
    mat[0] = (tsl_matrix){.ctx = A.mat->ctx, .type = TSL_INDEX, .m = A.m, .n = 1};
    mat[1] = (tsl_matrix){.ctx = A.mat->ctx, .type = A.mat->type, .m = A.m, .n = A.n};
    part[0] = (tsl_call){.op = TSL_OP_GETRF, .v = {A, tsl_whole(&mat[0])}};
    part[1] = (tsl_call){.op = TSL_OP_GETRS, .v = {A, tsl_whole(&mat[0]), tsl_whole(&mat[1])}};
    return 2;
}

/* By tiles the inverse is the solution of A X = I. */
static int parts_of_getri(const tsl_context *x, const tsl_call *c, tsl_matrix *X, tsl_call part[])
{
    (void)x;
    const tsl_view *A = &c->v[0];
    *X = (tsl_matrix){.ctx = A->mat->ctx, .type = A->mat->type, .m = A->m, .n = A->n};
    part[0] = *c;
    part[0].op = TSL_OP_GETRS;
    part[0].v[2] = tsl_whole(X);
    return 1;
}

const tsl_rules tsl_getrs_rules = {.check = check_solve, .indices = indices, .has_leaf = has_leaf, .order = order};
const tsl_rules tsl_gesv_rules = {.check = check_solve, .leaf_for_small = true, .order = order, .parts = parts_of_gesv};
const tsl_rules tsl_getri_rules = {.check = need_factors, .indices = indices, .order = order, .parts = parts_of_getri};
