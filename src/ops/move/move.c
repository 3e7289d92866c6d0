/* Operations that move or scale elements: copy, scale, expand. */
#include "ops/ops.h"

tsl_status tsl_copy(tsl_context *x, tsl_view A, tsl_view B)
{
    return tsl_execute(x, &(tsl_call){.op = TSL_OP_COPY, .v = {A, B}});
}

tsl_status tsl_copy_check(tsl_context *x, const tsl_call *c)
{
    const tsl_view A = c->v[0], B = c->v[1];
    if (tsl_rows(A) != tsl_rows(B) || tsl_cols(A) != tsl_cols(B)) return tsl_misfit(x, c, "A and B differ in size");
    if (A.uplo && B.uplo && tsl_triangle(A) != tsl_triangle(B))
        return tsl_refuse(x, c, TSL_ERR_UPLO, "A is seen as one triangle and B as the other");
    return tsl_need_diagonal(x, c, 0);
}

tsl_uplo tsl_copied(tsl_view A, tsl_view B)
{
    if (A.uplo == TSL_GENERAL) return B.uplo;
    return tsl_triangle(A) == TSL_LOWER ? tsl_lower(B).uplo : tsl_upper(B).uplo;
}

tsl_status tsl_copy_canon(tsl_context *x, const tsl_call *c, tsl_leaf *l)
{
    (void)x;
    const tsl_view *A = &c->v[0], *B = &c->v[1];
    l->A.op = tsl_reduced(tsl_compose(A->op, B->op), l->type);
    l->uplo = tsl_copied(*A, *B);
    return TSL_OK;
}

const tsl_rules tsl_copy_rules = {.check = tsl_copy_check, .canon = tsl_copy_canon, .in_place = tsl_by_elements};
const tsl_rules tsl_pick_rules = {.check = tsl_unchecked};

tsl_status tsl_scale(tsl_context *x, tsl_scalar alpha, tsl_view A)
{
    return tsl_execute(x, &(tsl_call){.op = TSL_OP_SCALE, .alpha = alpha, .v = {A}});
}

static tsl_status check_scale(tsl_context *x, const tsl_call *c)
{
    (void)x, (void)c;
    return TSL_OK;
}

static tsl_status canon_scale(tsl_context *x, const tsl_call *c, tsl_leaf *l)
{
    (void)x;
    const tsl_view *A = &c->v[0];
    l->alpha = tsl_seen_scalar(c->alpha, tsl_reduced(A->op, l->type));
    l->uplo = A->uplo;
    return TSL_OK;
}

static bool by_one(const tsl_call *c) { return c->alpha == 1 && !c->herm; }

const tsl_rules tsl_scale_rules = {.check = check_scale, .canon = canon_scale, .idle = by_one};

tsl_status tsl_expand(tsl_context *x, tsl_structure structure, tsl_view A, tsl_view B)
{
    return tsl_execute(x, &(tsl_call){.op = TSL_OP_EXPAND, .norm = {.structure = structure}, .v = {A, B}});
}

static tsl_status check_expand(tsl_context *x, const tsl_call *c)
{
    if ((unsigned)c->norm.structure > TSL_TRIANGULAR) return tsl_fail(x, TSL_ERR_FLAG, "expand: no structure %d", (int)c->norm.structure);
    tsl_status st = tsl_need_triangle(x, c, 0);
    if (!st) st = tsl_need_general(x, c, 1);
    if (st) return st;
    if (c->norm.structure != TSL_TRIANGULAR) st = tsl_need_diagonal(x, c, 0);
    if (st) return st;
    return c->v[1].m == c->v[0].m && c->v[1].n == c->v[0].n ? TSL_OK : tsl_misfit(x, c, "A and B differ in size");
}

static tsl_status canon_expand(tsl_context *x, const tsl_call *c, tsl_leaf *l)
{
    (void)x;
    l->A.op = tsl_reduced(tsl_compose(c->v[0].op, c->v[1].op), l->type);
    return TSL_OK;
}

/* What a triangle is written out to may be the triangle itself, if it stays as it is. */
static bool stays(const tsl_call *c) { return tsl_reduced(tsl_compose(c->v[0].op, c->v[1].op), c->v[0].mat->type) == TSL_NOTRANS; }

const tsl_rules tsl_expand_rules = {.check = check_expand, .canon = canon_expand, .in_place = stays};
