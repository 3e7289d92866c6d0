/* A call on views, and the same on arrays, as its leaf has it: each from the other. What an operation adds is a rule beside its
 * function. */
#include "exec/exec.h"

/* Is operand i a vector with an increment? */
static bool has_increment(tsl_opcode op, int i) { return tsl_is_vector(op, i) && !tsl_operand_is(op, i, TSL_IS_PER_COLUMN | TSL_IS_STORED); }

int64_t tsl_length(tsl_view v) { return v.m == 0 || v.n == 0 ? 0 : v.m == 1 ? v.n : v.m; }

tsl_array tsl_block_array(const tsl_view *v)
{
    const tsl_matrix *a = v->mat;
    return (tsl_array){.p = a->each ? NULL : tsl_at(v), .ld = a->ld, .m = v->m, .n = v->n, .op = tsl_reduced(v->op, a->type), .stride = a->stride, .each = a->each,
                       .offset = a->each ? v->i + v->j * a->ld : 0};
}

tsl_array tsl_vector_array(const tsl_view *v)
{
    int64_t step = v->n == 1 ? 1 : v->mat->ld;
    tsl_array a = tsl_block_array(v);
    a.ld = v->mat->reversed ? -step : step, a.m = tsl_length(*v), a.n = 1, a.op = TSL_NOTRANS;
    return a;
}

/* Every operand as it is stored, the sizes those of the result; the triangle is that of the operand that is one. */
tsl_status tsl_canonical(tsl_context *x, const tsl_call *c, tsl_leaf *l)
{
    const tsl_view *result = &c->v[tsl_output(c->op)];
    l->arguments = c->arguments;
    l->alpha = c->alpha;
    l->beta = c->beta;
    l->m = result->m;
    l->n = result->n;
    for (int i = 0; i < tsl_ops[c->op].operands; ++i) {
        l->v[i] = has_increment(c->op, i) ? tsl_vector_array(&c->v[i]) : tsl_block_array(&c->v[i]);
        if (tsl_operand_is(c->op, i, TSL_IS_TRIANGLE)) l->uplo = c->v[i].uplo, l->diag = c->v[i].diag;
    }
    return tsl_rule[c->op]->canon ? tsl_rule[c->op]->canon(x, c, l) : TSL_OK;
}

/* A vector is n x 1 if its increment is 1 or -1, else 1 x n with the increment as leading dimension. */
static tsl_matrix vector_of(tsl_context *x, tsl_type type, const tsl_array *v)
{
    int64_t step = tsl_stride(v->ld);
    tsl_matrix a = step == 1 ? tsl_borrow(x, type, v->m, 1, v->p, tsl_max(1, v->m)) : tsl_borrow(x, type, 1, v->m, v->p, step);
    a.reversed = v->ld < 0;
    return a;
}

tsl_call tsl_on_views(tsl_context *x, const tsl_leaf *l, tsl_matrix mat[TSL_MAX_OPERANDS])
{
    tsl_call c = {.op = l->op, .arguments = l->arguments, .alpha = l->alpha, .beta = l->beta};
    for (int i = 0; i < tsl_ops[l->op].operands; ++i) {
        const tsl_array *v = &l->v[i];
        tsl_type type = tsl_operand_type(l->op, i, l->type);
        mat[i] = has_increment(l->op, i) ? vector_of(x, type, v)
                 : l->count              ? tsl_borrow_batch(x, type, l->count, v)
                                         : tsl_borrow(x, type, v->m, v->n, v->p, v->ld);
        c.v[i] = tsl_whole(&mat[i]);
        if (tsl_operand_is(l->op, i, TSL_IS_STORED)) c.trans = v->op;
        else c.v[i].op = v->op;
        if (tsl_operand_is(l->op, i, TSL_IS_TRIANGLE)) c.v[i].uplo = l->uplo, c.v[i].diag = l->diag;
    }
    if (tsl_rule[l->op]->on_views) tsl_rule[l->op]->on_views(l, &c);
    return c;
}
