/* Reciprocal conditions, by factors (gecon, pocon, sycon) or of a triangle (trcon); and equil, which rows and columns are
 * scaled by. */
#include "ops/lu/lu.h"

static tsl_status condition(tsl_context *x, tsl_call *c, double *rcond)
{
    tsl_typed_scalar value;
    tsl_status st = tsl_enter(&x);
    if (st) return st;
    if (!rcond) c->refused = tsl_fail(x, TSL_ERR_NULL, "%s: no place for the result", tsl_ops[c->op].name);
    if (rcond && tsl_is_batch(c)) return tsl_leave(x, tsl_execute_doubles(x, c, rcond, 1));
    st = tsl_execute_value(x, c, &value);
    if (!st) *rcond = c->v[0].m ? value.d : 1;
    return tsl_leave(x, st);
}

tsl_status tsl_gecon(tsl_context *x, tsl_norm_kind kind, tsl_view A, double anorm, double *rcond)
{
    return condition(x, &(tsl_call){.op = TSL_OP_GECON, .norm = {.kind = kind, .anorm = anorm}, .v = {A}}, rcond);
}

tsl_status tsl_pocon(tsl_context *x, tsl_view A, double anorm, double *rcond)
{
    return condition(x, &(tsl_call){.op = TSL_OP_POCON, .norm = {.kind = TSL_NORM_ONE, .anorm = anorm}, .v = {A}}, rcond);
}

tsl_status tsl_trcon(tsl_context *x, tsl_norm_kind kind, tsl_view A, double *rcond)
{
    return condition(x, &(tsl_call){.op = TSL_OP_TRCON, .norm = {.kind = kind}, .v = {A}}, rcond);
}

tsl_status tsl_sycon(tsl_context *x, tsl_view A, tsl_view p, double anorm, double *rcond)
{
    return condition(x, &(tsl_call){.op = TSL_OP_SYCON, .norm = {.kind = TSL_NORM_ONE, .anorm = anorm}, .v = {A, p}}, rcond);
}

tsl_status tsl_hecon(tsl_context *x, tsl_view A, tsl_view p, double anorm, double *rcond)
{
    return condition(x, &(tsl_call){.op = TSL_OP_SYCON, .herm = true, .norm = {.kind = TSL_NORM_ONE, .anorm = anorm}, .v = {A, p}}, rcond);
}

/* A norm that is no number is one all the same: so is then the condition. */
static tsl_status check_norm(tsl_context *x, const tsl_call *c)
{
    if (c->norm.kind != TSL_NORM_ONE && c->norm.kind != TSL_NORM_INF) return tsl_refuse(x, c, TSL_ERR_FLAG, "the norm must be one or inf");
    return c->norm.anorm < 0 ? tsl_refuse(x, c, TSL_ERR_FLAG, "anorm is %g, must not be negative", c->norm.anorm) : TSL_OK;
}

static tsl_status check_general(tsl_context *x, const tsl_call *c)
{
    tsl_status st = check_norm(x, c);
    if (!st) st = tsl_need_plain(x, c, 0);
    return st || c->v[0].m == c->v[0].n ? st : tsl_misfit(x, c, "A must be square");
}

static tsl_status check_triangle(tsl_context *x, const tsl_call *c)
{
    tsl_status st = check_norm(x, c);
    if (!st) st = tsl_need_triangle(x, c, 0);
    return st ? st : tsl_need_stored(x, c, 0);
}

static tsl_status check_factor(tsl_context *x, const tsl_call *c)
{
    tsl_status st = check_triangle(x, c);
    return st ? st : tsl_need_diagonal(x, c, 0);
}

static tsl_status check_ldl(tsl_context *x, const tsl_call *c)
{
    tsl_status st = check_factor(x, c);
    return st ? st : tsl_need_pivots(x, c, 1, c->v[0].m);
}

static int64_t order(const tsl_call *c) { return c->v[0].m; }

static tsl_status canon_ldl(tsl_context *x, const tsl_call *c, tsl_leaf *l)
{
    (void)x, (void)c;
    l->herm = l->herm && tsl_is_complex(l->type);
    return TSL_OK;
}

const tsl_rules tsl_gecon_rules = {.check = check_general, .order = order};
const tsl_rules tsl_pocon_rules = {.check = check_factor, .order = order};
const tsl_rules tsl_trcon_rules = {.check = check_triangle, .order = order};
const tsl_rules tsl_sycon_rules = {.check = check_ldl, .indices = tsl_ldl_indices, .canon = canon_ldl, .order = order};
const tsl_rules tsl_equil_rules = {.check = tsl_unchecked};
