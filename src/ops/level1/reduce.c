/* Operations that make a number: dot, nrm2, asum, iamax of vectors, and norms (norm.c). They wait for it. */
#include "ops/ops.h"

tsl_status tsl_execute_value(tsl_context *x, const tsl_call *c, tsl_typed_scalar *value)
{
    tsl_status st = tsl_enter(&x);
    if (st) return st;
    *value = (tsl_typed_scalar){.z = 0};
    st = tsl_execute(x, c);
    if (!st && tsl_length(c->v[0]) && !x->dry) st = tsl_result(x, value, tsl_number_bytes(c->op, c->v[0].mat->type));
    if (st && x->level > 0 && !x->failed) x->failed = st; /* of an algorithm, which need not look */
    return tsl_leave(x, st);
}

/* The value of the call; place: where the caller wants it. */
static tsl_status reduce(tsl_context *x, tsl_call *c, const void *place, tsl_typed_scalar *value)
{
    if (!place) c->refused = tsl_fail(x, TSL_ERR_NULL, "%s: no place for the result", tsl_ops[c->op].name);
    return tsl_execute_value(x, c, value);
}

/* result := x^T y; a conjugated view of x gives x^H y */
tsl_status tsl_dot(tsl_context *x, tsl_view X, tsl_view Y, tsl_scalar *result)
{
    tsl_typed_scalar value;
    tsl_status st = tsl_enter(&x);
    if (st) return st;
    st = reduce(x, &(tsl_call){.op = TSL_OP_DOT, .v = {X, Y}}, result, &value);
    if (!st) *result = tsl_untyped(X.mat->type, value);
    return tsl_leave(x, st);
}

static tsl_status real_number(tsl_context *x, tsl_opcode op, tsl_view X, double *result)
{
    tsl_typed_scalar value;
    tsl_status st = tsl_enter(&x);
    if (st) return st;
    st = reduce(x, &(tsl_call){.op = op, .v = {X}}, result, &value);
    if (!st) *result = tsl_real_type(X.mat->type) == TSL_S ? value.s : value.d;
    return tsl_leave(x, st);
}

tsl_status tsl_nrm2(tsl_context *x, tsl_view X, double *result) { return real_number(x, TSL_OP_NRM2, X, result); }
tsl_status tsl_asum(tsl_context *x, tsl_view X, double *result) { return real_number(x, TSL_OP_ASUM, X, result); }

tsl_status tsl_iamax(tsl_context *x, tsl_view X, int64_t *result)
{
    tsl_typed_scalar value;
    tsl_status st = tsl_enter(&x);
    if (st) return st;
    st = reduce(x, &(tsl_call){.op = TSL_OP_IAMAX, .v = {X}}, result, &value);
    if (!st) *result = value.i;
    return tsl_leave(x, st);
}

/* x conjugated is what BLAS has a name for; y is conjugated by a copy. */
static tsl_status canon_dot(tsl_context *x, const tsl_call *c, tsl_leaf *l)
{
    l->herm = (tsl_reduced(c->v[0].op, l->type) & TSL_CONJ) != 0;
    l->n = tsl_length(c->v[0]);
    return tsl_vector_in(x, &c->v[1], c->v[1].op, &l->B);
}

const tsl_rules tsl_dot_rules = {.check = tsl_need_vectors, .canon = canon_dot};
const tsl_rules tsl_nrm2_rules = {.check = tsl_need_vectors, .canon = tsl_vectors_canon};
const tsl_rules tsl_asum_rules = {.check = tsl_need_vectors, .canon = tsl_vectors_canon};
const tsl_rules tsl_iamax_rules = {.check = tsl_need_vectors, .canon = tsl_vectors_canon};
