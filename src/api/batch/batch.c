/* The typed calls on batches: arguments checked in their order, then the call on views of the batches. */
#include "api/batch/batch.h"

/* A call while its arguments are checked: `next` is the number of the one to come; unread: operands that come now cannot
 * influence the result */
typedef struct check {
    tsl_args d;
    tsl_leaf l;
    int next;
    bool unread;
} check;

static check begin(tsl_context *ctx, tsl_type t, tsl_opcode op, const char *name, int64_t count)
{
    check k = {.d = tsl_args_begin(ctx, t, name), .l = {.op = op, .type = t, .count = count}, .next = 1};
    for (int i = 0; i < TSL_MAX_OPERANDS; ++i) k.d.array[i].argument = 0;
    return k;
}

static int64_t size(check *k, const char *what, int64_t value)
{
    tsl_arg_size(&k->d, k->next++, what, value);
    return value;
}

/* Operand i, m x n as stored: the array, its leading dimension unless it is a column, its stride unless it is given by
 * pointers */
static void operand(check *k, int i, const char *what, tsl_many a, int64_t m, int64_t n, tsl_op op)
{
    tsl_args *d = &k->d;
    bool column = tsl_per_column(k->l.op, i);
    int64_t ld = column ? tsl_max(1, m) : a.ld;
    const void *at = a.at_pointers ? (const void *)a.each : a.p;
    tsl_type type = tsl_operand_type(k->l.op, i, k->l.type);
    d->array[i].argument = k->next;
    if (!k->unread && k->l.count) tsl_weigh_array(d, k->next, what, type, at, tsl_max(0, m), tsl_max(0, n), tsl_max(ld, m));
    k->next++;
    if (!column) tsl_arg_ld(d, k->next++, "leading dimension", ld, m);
    /* to where the last one begins */
    if (!a.at_pointers && a.stride > 0 && k->l.count > 1)
        tsl_weigh_array(d, k->next, "stride", type, d, 1, k->l.count, a.stride);
    if (!a.at_pointers) tsl_arg_size(d, k->next++, "stride", a.stride);
    k->l.v[i] = (tsl_array){.p = (void *)a.p, .ld = ld, .m = m, .n = n, .op = op, .stride = a.stride, .each = a.each};
}

static tsl_status finish(check *k, int64_t *infos)
{
    tsl_args *d = &k->d;
    int64_t count = k->l.count;
    tsl_matrix mat[TSL_MAX_OPERANDS];
    tsl_arg_size(d, k->next, "count", count);
    if (d->st || count == 0) return d->st;
    tsl_status st = tsl_enter(&d->x);
    if (st) return st;
    tsl_call c = tsl_on_views(d->x, &k->l, mat);
    c.args = d;
    tsl_results results = {.infos = infos};
    c.results = &results;
    return tsl_leave(d->x, tsl_execute(d->x, &c));
}

tsl_status tsl_batch_gemm(tsl_context *ctx, tsl_type t, char transa, char transb, int64_t m, int64_t n, int64_t k, tsl_scalar alpha, tsl_many A,
                          tsl_many B, tsl_scalar beta, tsl_many C, int64_t count)
{
    check c = begin(ctx, t, TSL_OP_GEMM, "gemm_batch", count);
    tsl_op opA = tsl_arg_op(&c.d, 1, transa, "NTC", tsl_is_complex(t)), opB = tsl_arg_op(&c.d, 2, transb, "NTC", tsl_is_complex(t));
    bool tA = opA & TSL_TRANS, tB = opB & TSL_TRANS, product = alpha != 0 && m && n && k;
    c.next = 3;
    c.l.m = size(&c, "m", m), c.l.n = size(&c, "n", n), c.l.k = size(&c, "k", k);
    c.l.alpha = alpha, c.l.beta = beta;
    c.next++;
    c.unread = !product;
    operand(&c, 0, "A", A, tA ? k : m, tA ? m : k, opA);
    operand(&c, 1, "B", B, tB ? n : k, tB ? k : n, opB);
    c.unread = false;
    c.next++;
    operand(&c, 2, "C", C, m, n, TSL_NOTRANS);
    return finish(&c, NULL);
}

tsl_status tsl_batch_trsm(tsl_context *ctx, tsl_type t, char side, char uplo, char transa, char diag, int64_t m, int64_t n,
                          tsl_scalar alpha, tsl_many A, tsl_many B, int64_t count)
{
    check c = begin(ctx, t, TSL_OP_TRSM, "trsm_batch", count);
    c.l.side = tsl_arg_side(&c.d, 1, side);
    c.l.uplo = tsl_arg_uplo(&c.d, 2, uplo);
    tsl_op opA = tsl_arg_op(&c.d, 3, transa, "NTC", tsl_is_complex(t));
    c.l.diag = tsl_arg_diag(&c.d, 4, diag);
    c.next = 5;
    c.l.m = size(&c, "m", m), c.l.n = size(&c, "n", n);
    c.l.alpha = alpha;
    c.next++;
    int64_t order = c.l.side == TSL_LEFT ? m : n;
    operand(&c, 0, "A", A, order, order, opA);
    operand(&c, 1, "B", B, m, n, TSL_NOTRANS);
    return finish(&c, NULL);
}

tsl_status tsl_batch_potrf(tsl_context *ctx, tsl_type t, char uplo, int64_t n, tsl_many A, int64_t count, int64_t *infos)
{
    check c = begin(ctx, t, TSL_OP_POTRF, "potrf_batch", count);
    c.l.uplo = tsl_arg_uplo(&c.d, c.next++, uplo);
    c.l.n = size(&c, "n", n);
    operand(&c, 0, "A", A, n, n, TSL_NOTRANS);
    return finish(&c, infos);
}

tsl_status tsl_batch_definite(tsl_context *ctx, tsl_type t, tsl_opcode op, const char *name, char uplo, int64_t n, int64_t nrhs,
                              tsl_many A, tsl_many B, int64_t count, int64_t *infos)
{
    check c = begin(ctx, t, op, name, count);
    c.l.uplo = tsl_arg_uplo(&c.d, c.next++, uplo);
    c.l.m = size(&c, "n", n), c.l.n = size(&c, "nrhs", nrhs);
    operand(&c, 0, "A", A, n, n, TSL_NOTRANS);
    operand(&c, 1, "B", B, n, nrhs, TSL_NOTRANS);
    return finish(&c, infos);
}

tsl_status tsl_batch_getrf(tsl_context *ctx, tsl_type t, int64_t m, int64_t n, tsl_many A, tsl_many ipiv, int64_t count, int64_t *infos)
{
    check c = begin(ctx, t, TSL_OP_GETRF, "getrf_batch", count);
    c.l.m = size(&c, "m", m), c.l.n = size(&c, "n", n);
    operand(&c, 0, "A", A, m, n, TSL_NOTRANS);
    operand(&c, 1, "ipiv", ipiv, tsl_min(m, n), 1, TSL_NOTRANS);
    return finish(&c, infos);
}

tsl_status tsl_batch_getrs(tsl_context *ctx, tsl_type t, char trans, int64_t n, int64_t nrhs, tsl_many A, tsl_many ipiv, tsl_many B, int64_t count)
{
    check c = begin(ctx, t, TSL_OP_GETRS, "getrs_batch", count);
    tsl_op op = tsl_arg_op(&c.d, c.next++, trans, "NTC", tsl_is_complex(t));
    c.l.m = size(&c, "n", n), c.l.n = size(&c, "nrhs", nrhs);
    operand(&c, 0, "A", A, n, n, op);
    operand(&c, 1, "ipiv", ipiv, n, 1, TSL_NOTRANS);
    operand(&c, 2, "B", B, n, nrhs, TSL_NOTRANS);
    return finish(&c, NULL);
}

tsl_status tsl_batch_gesv(tsl_context *ctx, tsl_type t, int64_t n, int64_t nrhs, tsl_many A, tsl_many ipiv, tsl_many B, int64_t count, int64_t *infos)
{
    check c = begin(ctx, t, TSL_OP_GESV, "gesv_batch", count);
    c.l.m = size(&c, "n", n), c.l.n = size(&c, "nrhs", nrhs);
    operand(&c, 0, "A", A, n, n, TSL_NOTRANS);
    operand(&c, 1, "ipiv", ipiv, n, 1, TSL_NOTRANS);
    operand(&c, 2, "B", B, n, nrhs, TSL_NOTRANS);
    return finish(&c, infos);
}

tsl_status tsl_batch_geqrf(tsl_context *ctx, tsl_type t, int64_t m, int64_t n, tsl_many A, tsl_many tau, int64_t count)
{
    check c = begin(ctx, t, TSL_OP_GEQRF, "geqrf_batch", count);
    c.l.m = size(&c, "m", m), c.l.n = size(&c, "n", n);
    operand(&c, 0, "A", A, m, n, TSL_NOTRANS);
    operand(&c, 1, "tau", tau, tsl_min(m, n), 1, TSL_NOTRANS);
    return finish(&c, NULL);
}

tsl_status tsl_batch_gels(tsl_context *ctx, tsl_type t, char trans, int64_t m, int64_t n, int64_t nrhs, tsl_many A, tsl_many B, int64_t count,
                          int64_t *infos)
{
    check c = begin(ctx, t, TSL_OP_GELS, "gels_batch", count);
    tsl_op op = tsl_arg_op(&c.d, c.next++, trans, tsl_is_complex(t) ? "NC" : "NT", tsl_is_complex(t));
    c.l.m = size(&c, "m", m), c.l.n = size(&c, "n", n), c.l.k = size(&c, "nrhs", nrhs);
    operand(&c, 0, "A", A, m, n, op);
    operand(&c, 1, "B", B, tsl_max(m, n), nrhs, TSL_NOTRANS);
    return finish(&c, infos);
}

#define STRIDED(a, ld, stride) (tsl_many){a, NULL, ld, stride, false}
#define POINTERS(a, ld) (tsl_many){NULL, (void *const *)(a), ld, 0, true}
#define FN(name) PASTE3(tsl_, P, name)
#define BODY "api/batch/batch.inc"
#include "core/types.inc"
