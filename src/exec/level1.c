/* Vector operations: dot */
#include "exec/exec.h"

/* result := x^T y; a conjugated view of x gives x^H y */
tsl_status tsl_dot(tsl_context *x, tsl_view X, tsl_view Y, tsl_scalar *result)
{
    tsl_status st = tsl_enter(&x);
    if (st) return st;
    tsl_typed_scalar value = {0};
    if (!result) st = tsl_fail(x, TSL_ERR_NULL, "dot: no place for the result");
    if (!st) st = tsl_execute(x, &(tsl_call){.op = TSL_OP_DOT, .v = {X, Y}});
    if (!st && tsl_length(X) > 0 && X.m && X.n) st = tsl_result(x, &value, tsl_type_size(X.mat->type));
    if (!st) *result = tsl_untyped(X.mat->type, value);
    return tsl_leave(x, st);
}

static tsl_status check_dot(tsl_context *x, const tsl_call *c)
{
    int64_t n = c->v[0].m && c->v[0].n ? tsl_length(c->v[0]) : 0;
    tsl_status st = tsl_need_vector(x, c, 0, n);
    return st ? st : tsl_need_vector(x, c, 1, n);
}

/* x conjugated is what BLAS has a name for; y is conjugated by a copy. */
static tsl_status canon_dot(tsl_context *x, const tsl_call *c, tsl_leaf *l)
{
    tsl_operand a = tsl_vector_out(&c->v[0]), b;
    tsl_status st = tsl_vector_in(x, &c->v[1], c->v[1].op, &b);
    l->herm = (tsl_reduced(c->v[0].op, l->type) & TSL_CONJ) != 0;
    l->n = tsl_length(c->v[0]);
    l->A = a.p, l->lda = a.ld;
    l->B = b.p, l->ldb = b.ld;
    l->result = x->result;
    return st;
}

const tsl_rules tsl_dot_rules = {.check = check_dot, .canon = canon_dot, .has_result = true};
