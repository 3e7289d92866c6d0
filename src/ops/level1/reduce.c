/* Operations that make a number: dot, nrm2, asum, iamax of vectors, and norms (norm.c). They wait for it. */
#include <string.h>

#include "ops/ops.h"

tsl_status tsl_execute_value(tsl_context *x, const tsl_call *c, tsl_typed_scalar *value)
{
    tsl_status st = tsl_enter(&x);
    if (st) return st;
    *value = (tsl_typed_scalar){.z = 0};
    st = tsl_execute(x, c);
    if (!st && tsl_length(c->v[0]) && !x->run->dry) st = tsl_result(x, value, tsl_number_bytes(c->op, c->v[0].mat->type));
    if (st && x->run->level > 0 && !x->run->failed) x->run->failed = st; /* of an algorithm, which need not look */
    return tsl_leave(x, st);
}

tsl_status tsl_execute_numbers(tsl_context *x, tsl_call *c, void *numbers)
{
    tsl_matrix mat = tsl_per_problem(x, c, tsl_element_type(tsl_number_element(c->op), c->v[0].mat->type), 1, numbers);
    c->numbered = true;
    c->v[tsl_ops[c->op].operands] = tsl_whole(&mat);
    return tsl_execute(x, c);
}

tsl_status tsl_execute_doubles(tsl_context *x, tsl_call *c, double *numbers, double of_none)
{
    tsl_status st = tsl_execute_numbers(x, c, numbers);
    int64_t count = tsl_problems(c);
    if (st || tsl_length(c->v[0]) || !count) return st;
    tsl_matrix all = tsl_borrow(x, TSL_D, count, 1, numbers, count);
    return tsl_laset(x, of_none, of_none, tsl_whole(&all));
}

static bool makes_numbers(const tsl_call *c, const void *place) { return place && tsl_is_batch(c); }

/* Of a batch: as elements of the operation's type, where the caller wants the numbers, which are wider */
static tsl_status reduce_each(tsl_context *x, tsl_call *c, void *place)
{
    tsl_type t = tsl_element_type(tsl_number_element(c->op), c->v[0].mat->type);
    tsl_status st = tsl_execute_numbers(x, c, place);
    if (!st && !tsl_length(c->v[0])) memset(place, 0, tsl_times((size_t)tsl_problems(c), tsl_type_size(t)));
    return st;
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
    tsl_call c = {.op = TSL_OP_DOT, .v = {X, Y}};
    if (makes_numbers(&c, result)) {
        st = reduce_each(x, &c, result);
        if (!st) tsl_widen(c.v[0].mat->type, tsl_problems(&c), result);
        return tsl_leave(x, st);
    }
    st = reduce(x, &c, result, &value);
    if (!st) *result = tsl_untyped(X.mat->type, value);
    return tsl_leave(x, st);
}

static tsl_status real_number(tsl_context *x, tsl_opcode op, tsl_view X, double *result)
{
    tsl_typed_scalar value;
    tsl_status st = tsl_enter(&x);
    if (st) return st;
    tsl_call c = {.op = op, .v = {X}};
    if (makes_numbers(&c, result)) {
        st = reduce_each(x, &c, result);
        bool narrow = tsl_real_type(X.mat->type) == TSL_S;
        for (int64_t k = tsl_problems(&c) - 1; k >= 0 && narrow && !st; --k) { /* in place: the last ones first */
            float number;
            memcpy(&number, (char *)result + (size_t)k * sizeof number, sizeof number);
            result[k] = number;
        }
        return tsl_leave(x, st);
    }
    st = reduce(x, &c, result, &value);
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
    tsl_call c = {.op = TSL_OP_IAMAX, .v = {X}};
    if (makes_numbers(&c, result)) return tsl_leave(x, reduce_each(x, &c, result));
    st = reduce(x, &c, result, &value);
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
