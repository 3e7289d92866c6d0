/* Vectors as operands, and the values of reductions. */
#include "ops/ops.h"

int64_t tsl_length(tsl_view v) { return v.m == 0 || v.n == 0 ? 0 : v.m == 1 ? v.n : v.m; }

tsl_status tsl_need_vector(tsl_context *x, const tsl_call *c, int i, int64_t length)
{
    const tsl_view *v = &c->v[i];
    tsl_status st = tsl_need_general(x, c, i);
    bool flat = v->m <= 1 || v->n <= 1;
    if (st || (flat && tsl_length(*v) == length)) return st;
    return tsl_refuse(x, c, TSL_ERR_SHAPE, "%s is %lld x %lld, must be a vector of %lld elements", tsl_ops[c->op].operand[i],
                      (long long)tsl_rows(*v), (long long)tsl_cols(*v), (long long)length);
}

tsl_status tsl_need_vectors(tsl_context *x, const tsl_call *c)
{
    tsl_status st = TSL_OK;
    for (int i = 0; i < tsl_ops[c->op].operands && !st; ++i) st = tsl_need_vector(x, c, i, tsl_length(c->v[0]));
    return st;
}

tsl_operand tsl_vector_out(const tsl_view *v)
{
    int64_t step = v->n == 1 ? 1 : v->mat->ld;
    return (tsl_operand){tsl_at(v), v->mat->reversed ? -step : step, TSL_NOTRANS};
}

tsl_status tsl_vector_in(tsl_context *x, const tsl_view *v, tsl_op op, tsl_operand *out)
{
    *out = tsl_vector_out(v);
    if (!(tsl_reduced(op, v->mat->type) & TSL_CONJ)) return TSL_OK;
    tsl_status st = tsl_plain(x, v, v->n == 1 ? TSL_CONJ : TSL_HERM, out); /* as a column */
    out->ld = v->mat->reversed ? -1 : 1;
    return st;
}

tsl_view tsl_array_view(tsl_context *x, const tsl_leaf *l, tsl_matrix *a, int64_t m, int64_t n, const void *p, int64_t ld)
{
    *a = tsl_borrow(x, l->type, m, n, p, ld);
    return tsl_whole(a);
}

/* n x 1 if the increment is 1 or -1, else 1 x n with the increment as leading dimension */
tsl_view tsl_array_vector(tsl_context *x, const tsl_leaf *l, tsl_matrix *a, int64_t n, const void *p, int64_t inc)
{
    int64_t step = tsl_stride(inc);
    tsl_view v = step == 1 ? tsl_array_view(x, l, a, n, 1, p, tsl_max(1, n)) : tsl_array_view(x, l, a, 1, n, p, step);
    a->reversed = inc < 0;
    return v;
}

tsl_view tsl_array_as_seen(tsl_context *x, const tsl_leaf *l, tsl_matrix *a, int64_t m, int64_t n, tsl_op op, const void *p, int64_t ld)
{
    bool turned = op & TSL_TRANS;
    tsl_view v = tsl_array_view(x, l, a, turned ? n : m, turned ? m : n, p, ld);
    v.op = op;
    return v;
}

tsl_view tsl_array_triangle(tsl_context *x, const tsl_leaf *l, tsl_matrix *a, int64_t n, const void *p, int64_t ld)
{
    tsl_view v = tsl_array_view(x, l, a, n, n, p, ld);
    v.op = l->opA;
    v.uplo = l->uplo;
    v.diag = l->diag;
    return v;
}

tsl_status tsl_result(tsl_context *x, void *value, size_t bytes)
{
    return tsl_read_word(x, value, x->result, bytes);
}
