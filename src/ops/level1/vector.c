/* Vectors as operands, and the values of reductions. */
#include <string.h>

#include "ops/ops.h"

tsl_status tsl_need_vector(tsl_context *x, const tsl_call *c, int i, int64_t length)
{
    const tsl_view *v = &c->v[i];
    tsl_status st = tsl_need_general(x, c, i);
    bool flat = v->m <= 1 || v->n <= 1;
    if (st || (flat && tsl_length(*v) == length)) return st;
    return tsl_refuse(x, c, TSL_ERR_SHAPE, "%s is %lld x %lld, must be a vector of %lld elements", tsl_ops[c->op].operand[i].name,
                      (long long)tsl_rows(*v), (long long)tsl_cols(*v), (long long)length);
}

tsl_status tsl_need_vectors(tsl_context *x, const tsl_call *c)
{
    tsl_status st = TSL_OK;
    for (int i = 0; i < tsl_ops[c->op].operands && !st; ++i) st = tsl_need_vector(x, c, i, tsl_length(c->v[0]));
    return st;
}

tsl_status tsl_vectors_canon(tsl_context *x, const tsl_call *c, tsl_leaf *l)
{
    (void)x;
    l->n = tsl_length(c->v[0]);
    return TSL_OK;
}

tsl_status tsl_vector_in(tsl_context *x, const tsl_view *v, tsl_op op, tsl_array *out)
{
    *out = tsl_vector_array(v);
    if (!(tsl_reduced(op, v->mat->type) & TSL_CONJ)) return TSL_OK;
    tsl_status st = tsl_plain(x, v, v->n == 1 ? TSL_CONJ : TSL_HERM, out); /* as a column */
    *out = (tsl_array){.p = out->p, .ld = v->mat->reversed ? -1 : 1, .m = tsl_length(*v), .n = 1};
    return st;
}

tsl_status tsl_result(tsl_context *x, void *value, size_t bytes)
{
    return tsl_read_word(x, value, x->result, bytes);
}

tsl_status tsl_read_column(tsl_context *x, tsl_view column, int64_t from, int64_t count, void *to)
{
    size_t size = tsl_type_size(column.mat->type), bytes = tsl_times((size_t)count, size);
    if (column.mat->remote) return column.mat->remote->fetch(x, TSL_OK, tsl_sub(column, from, 0, count, 1), to, count);
    if (column.mat->tiles) return tsl_by_tiles.read(x, tsl_sub(column, from, 0, count, 1), to);
    const char *at = (const char *)tsl_at(&column) + (size_t)from * size;
    if (column.mat->home) return tsl_read_word(x, to, at, bytes);
    memcpy(to, at, bytes);
    return TSL_OK;
}
