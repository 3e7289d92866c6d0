/* C := alpha A A^T + beta C (syrk) or alpha A A^H + beta C (herk), on a triangle of C */
#include "exec/exec.h"

tsl_status tsl_syrk(tsl_context *x, tsl_scalar alpha, tsl_view A, tsl_scalar beta, tsl_view C)
{
    return tsl_execute(x, &(tsl_call){.op = TSL_OP_SYRK, .alpha = alpha, .beta = beta, .v = {A, C}});
}

tsl_status tsl_herk(tsl_context *x, double alpha, tsl_view A, double beta, tsl_view C)
{
    return tsl_execute(x, &(tsl_call){.op = TSL_OP_HERK, .alpha = alpha, .beta = beta, .v = {A, C}});
}

static bool hermitian(const tsl_call *c) { return c->op == TSL_OP_HERK && tsl_is_complex(c->v[0].mat->type); }

static tsl_status check(tsl_context *x, const tsl_call *c)
{
    tsl_status st = tsl_need_general(x, c, 0);
    if (!st) st = tsl_need_triangle(x, c, 1);
    if (st) return st;
    return tsl_rows(c->v[0]) == c->v[1].m ? TSL_OK : tsl_bad(x, c, 1, TSL_ERR_SHAPE);
}

static tsl_call simplify(const tsl_call *c)
{
    if (c->alpha != 0 && tsl_cols(c->v[0]) != 0) return *c;
    return (tsl_call){.op = TSL_OP_SCALE, .herm = hermitian(c), .alpha = c->beta, .v = {c->v[1]}};
}

/* If the op of C conjugates its values, A is conjugated instead. */
static tsl_status canon(tsl_context *x, const tsl_call *c, tsl_leaf *l)
{
    const tsl_view *A = &c->v[0], *C = &c->v[1];
    tsl_op op = tsl_reduced(C->op, l->type);
    bool herm = hermitian(c), flip = tsl_flips(op, herm);
    tsl_operand a;
    tsl_status st = tsl_input(x, A, flip ? tsl_compose(A->op, TSL_CONJ) : A->op, herm ? TSL_TRANS : TSL_HERM, &a);
    if (st) return st;
    l->alpha = tsl_seen_scalar(c->alpha, flip ? TSL_CONJ : TSL_NOTRANS);
    l->beta = tsl_seen_scalar(c->beta, flip ? TSL_CONJ : TSL_NOTRANS);
    l->herm = herm;
    l->uplo = C->uplo;
    l->n = C->n;
    l->k = tsl_cols(*A);
    l->A = a.p, l->lda = a.ld, l->opA = a.op;
    l->C = tsl_at(C), l->ldc = C->mat->ld;
    return TSL_OK;
}

static int64_t order(const tsl_call *c) { return c->v[1].m; }

const tsl_rules tsl_syrk_rules = {.check = check, .simplify = simplify, .canon = canon, .order = order};
const tsl_rules tsl_herk_rules = {.check = check, .simplify = simplify, .canon = canon, .order = order};
