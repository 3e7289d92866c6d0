/* C := alpha A B^T + alpha B A^T + beta C (syr2k), or alpha A B^H + conj(alpha) B A^H + beta C (her2k), on a triangle of C */
#include "exec/exec.h"

tsl_status tsl_syr2k(tsl_context *x, tsl_scalar alpha, tsl_view A, tsl_view B, tsl_scalar beta, tsl_view C)
{
    return tsl_execute(x, &(tsl_call){.op = TSL_OP_SYR2K, .alpha = alpha, .beta = beta, .v = {A, B, C}});
}

tsl_status tsl_her2k(tsl_context *x, tsl_scalar alpha, tsl_view A, tsl_view B, double beta, tsl_view C)
{
    return tsl_execute(x, &(tsl_call){.op = TSL_OP_HER2K, .alpha = alpha, .beta = beta, .v = {A, B, C}});
}

static bool hermitian(const tsl_call *c) { return c->op == TSL_OP_HER2K && tsl_is_complex(c->v[0].mat->type); }

static tsl_status check(tsl_context *x, const tsl_call *c)
{
    tsl_status st = tsl_need_general(x, c, 0);
    if (!st) st = tsl_need_general(x, c, 1);
    if (!st) st = tsl_need_triangle(x, c, 2);
    if (st) return st;
    if (tsl_rows(c->v[1]) != tsl_rows(c->v[0]) || tsl_cols(c->v[1]) != tsl_cols(c->v[0])) return tsl_bad(x, c, 1, TSL_ERR_SHAPE);
    return tsl_rows(c->v[0]) == c->v[2].m ? TSL_OK : tsl_bad(x, c, 2, TSL_ERR_SHAPE);
}

static tsl_call simplify(const tsl_call *c)
{
    if (c->alpha != 0 && tsl_cols(c->v[0]) != 0) return *c;
    return (tsl_call){.op = TSL_OP_SCALE, .herm = hermitian(c), .alpha = c->beta, .v = {c->v[2]}};
}

/* The op of C as in rank_k.c. BLAS has one flag for A and B: if theirs differ, both are copied as they are seen. */
static tsl_status canon(tsl_context *x, const tsl_call *c, tsl_leaf *l)
{
    const tsl_view *C = &c->v[2];
    tsl_op op = tsl_reduced(C->op, l->type);
    bool herm = hermitian(c), flip = tsl_flips(op, herm);
    bool same = tsl_reduced(c->v[0].op, l->type) == tsl_reduced(c->v[1].op, l->type);
    tsl_operand in[2];
    for (int i = 0; i < 2; ++i) {
        const tsl_view *v = &c->v[i];
        tsl_op seen = flip ? tsl_compose(v->op, TSL_CONJ) : v->op;
        tsl_status st = same ? tsl_input(x, v, seen, herm ? TSL_TRANS : TSL_HERM, &in[i]) : tsl_plain(x, v, seen, &in[i]);
        if (st) return st;
    }
    l->alpha = tsl_seen_scalar(c->alpha, flip ? TSL_CONJ : TSL_NOTRANS);
    l->beta = tsl_seen_scalar(c->beta, flip ? TSL_CONJ : TSL_NOTRANS);
    l->herm = herm;
    l->uplo = C->uplo;
    l->n = C->n;
    l->k = tsl_cols(c->v[0]);
    l->opA = in[0].op;
    l->A = in[0].p, l->lda = in[0].ld;
    l->B = in[1].p, l->ldb = in[1].ld;
    l->C = tsl_at(C), l->ldc = C->mat->ld;
    return TSL_OK;
}

static int64_t order(const tsl_call *c) { return c->v[2].m; }

const tsl_rules tsl_syr2k_rules = {.check = check, .simplify = simplify, .canon = canon, .order = order};
const tsl_rules tsl_her2k_rules = {.check = check, .simplify = simplify, .canon = canon, .order = order};
