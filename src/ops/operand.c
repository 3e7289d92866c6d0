/* Operands as kernels see them. */
#include <complex.h>

#include "ops/ops.h"

bool tsl_flips(tsl_op op, bool herm) { return herm ? op == TSL_TRANS || op == TSL_CONJ : (op & TSL_CONJ) != 0; }

/* 0 - 0 is 0 where -0 is not: libraries recognise a beta of zero by its bits. */
tsl_scalar tsl_seen_scalar(tsl_scalar a, tsl_op op) { return op & TSL_CONJ ? CMPLX(creal(a), 0 - cimag(a)) : a; }

/* op(v) in workspace of the present lane; of a triangle only that triangle. */
static tsl_status copied(tsl_context *x, const tsl_view *v, tsl_op op, tsl_array *out)
{
    if (v->mat->batch) return TSL_ERR_LAYOUT; /* of a batch there are no copies: its problems are taken one by one */
    tsl_lane *lane = tsl_current(x);
    bool turn = op & TSL_TRANS;
    int64_t m = turn ? v->n : v->m, n = turn ? v->m : v->n;
    size_t bytes;
    if (!tsl_block_bytes(v->mat->type, m, n, m, &bytes)) return TSL_ERR_OVERFLOW;
    tsl_status st = tsl_arena_get(&lane->arena, bytes, &out->p);
    if (st) return st;
    *out = (tsl_array){.p = out->p, .ld = m, .m = m, .n = n, .op = out->op};
    tsl_leaf copy = {.op = TSL_OP_COPY, .type = v->mat->type, .m = m, .n = n, .uplo = turn && v->uplo ? TSL_LOWER + TSL_UPPER - v->uplo : v->uplo,
                     .A = tsl_block_array(v), .B = *out};
    copy.A.op = op;
    copy.B.op = TSL_NOTRANS;
    return tsl_launch(x, x->dev->be->kernels[TSL_OP_COPY]->fn[copy.type], &copy);
}

tsl_status tsl_plain(tsl_context *x, const tsl_view *v, tsl_op op, tsl_array *out)
{
    op = tsl_reduced(op, v->mat->type);
    *out = tsl_block_array(v);
    out->op = TSL_NOTRANS;
    return op == TSL_NOTRANS ? TSL_OK : copied(x, v, op, out);
}

tsl_status tsl_input(tsl_context *x, const tsl_view *v, tsl_op op, tsl_op avoid, tsl_array *out)
{
    op = tsl_reduced(op, v->mat->type);
    if (op == TSL_CONJ || (tsl_is_complex(v->mat->type) && op == avoid)) {
        out->op = tsl_compose(op, TSL_CONJ);
        return copied(x, v, TSL_CONJ, out);
    }
    *out = tsl_block_array(v);
    out->op = op;
    return TSL_OK;
}

int64_t tsl_problems(const tsl_call *c) { return tsl_is_batch(c) ? tsl_count_of(c) : 1; }

tsl_matrix tsl_per_problem(tsl_context *x, const tsl_call *c, tsl_type t, int64_t m, void *p)
{
    if (!tsl_is_batch(c)) return tsl_borrow(x, t, m, 1, p, tsl_max(1, m));
    return tsl_borrow_batch(x, t, tsl_count_of(c), &(tsl_array){.p = p, .ld = tsl_max(1, m), .m = m, .n = 1, .stride = m});
}

tsl_status tsl_need_stored(tsl_context *x, const tsl_call *c, int i)
{
    const tsl_view *v = &c->v[i];
    if (tsl_reduced(v->op, v->mat->type) == TSL_NOTRANS) return TSL_OK;
    return tsl_refuse(x, c, TSL_ERR_FLAG, "%s is seen transposed or conjugated, must be as it is stored", tsl_ops[c->op].operand[i].name);
}

tsl_status tsl_need_plain(tsl_context *x, const tsl_call *c, int i)
{
    tsl_status st = tsl_need_general(x, c, i);
    return st ? st : tsl_need_stored(x, c, i);
}

tsl_status tsl_unchecked(tsl_context *x, const tsl_call *c) { return (void)x, (void)c, TSL_OK; }

tsl_view tsl_none_of(tsl_view A) { return (tsl_view){.mat = A.mat, .i = A.i, .j = A.j}; }
tsl_view tsl_or_none(tsl_view v, tsl_view A) { return v.mat ? v : tsl_none_of(A); }
