/* Updates of rank 1 and 2: A := alpha x y^T + A (ger); on a triangle, dense or packed, A := alpha x x^T + A (syr, spr),
 * alpha x x^H + A (her, hpr), alpha x y^T + alpha y x^T + A (syr2, spr2), alpha x y^H + conj(alpha) y x^H + A (her2, hpr2) */
#include "ops/ops.h"

/* beta = 1: the old contents matter */
tsl_status tsl_ger(tsl_context *x, tsl_scalar alpha, tsl_view X, tsl_view Y, tsl_view A)
{
    return tsl_execute(x, &(tsl_call){.op = TSL_OP_GER, .alpha = alpha, .beta = 1, .v = {X, Y, A}});
}

static tsl_status one(tsl_context *x, tsl_opcode op, tsl_uplo uplo, int64_t n, tsl_scalar alpha, tsl_view X, tsl_view A)
{
    return tsl_execute(x, &(tsl_call){.op = op, .uplo = uplo, .n = n, .alpha = alpha, .beta = 1, .v = {X, A}});
}

static tsl_status two(tsl_context *x, tsl_opcode op, tsl_uplo uplo, int64_t n, tsl_scalar alpha, tsl_view X, tsl_view Y, tsl_view A)
{
    return tsl_execute(x, &(tsl_call){.op = op, .uplo = uplo, .n = n, .alpha = alpha, .beta = 1, .v = {X, Y, A}});
}

tsl_status tsl_syr(tsl_context *x, tsl_scalar alpha, tsl_view X, tsl_view A) { return one(x, TSL_OP_SYR, A.uplo, A.n, alpha, X, A); }
tsl_status tsl_her(tsl_context *x, double alpha, tsl_view X, tsl_view A) { return one(x, TSL_OP_HER, A.uplo, A.n, alpha, X, A); }

tsl_status tsl_spr(tsl_context *x, tsl_uplo uplo, int64_t n, tsl_scalar alpha, tsl_view X, tsl_view AP)
{
    return one(x, TSL_OP_SPR, uplo, n, alpha, X, AP);
}

tsl_status tsl_hpr(tsl_context *x, tsl_uplo uplo, int64_t n, double alpha, tsl_view X, tsl_view AP)
{
    return one(x, TSL_OP_HPR, uplo, n, alpha, X, AP);
}

tsl_status tsl_syr2(tsl_context *x, tsl_scalar alpha, tsl_view X, tsl_view Y, tsl_view A)
{
    return two(x, TSL_OP_SYR2, A.uplo, A.n, alpha, X, Y, A);
}

tsl_status tsl_her2(tsl_context *x, tsl_scalar alpha, tsl_view X, tsl_view Y, tsl_view A)
{
    return two(x, TSL_OP_HER2, A.uplo, A.n, alpha, X, Y, A);
}

tsl_status tsl_spr2(tsl_context *x, tsl_uplo uplo, int64_t n, tsl_scalar alpha, tsl_view X, tsl_view Y, tsl_view AP)
{
    return two(x, TSL_OP_SPR2, uplo, n, alpha, X, Y, AP);
}

tsl_status tsl_hpr2(tsl_context *x, tsl_uplo uplo, int64_t n, tsl_scalar alpha, tsl_view X, tsl_view Y, tsl_view AP)
{
    return two(x, TSL_OP_HPR2, uplo, n, alpha, X, Y, AP);
}

static tsl_status check_ger(tsl_context *x, const tsl_call *c)
{
    tsl_status st = tsl_need_general(x, c, 2);
    if (!st) st = tsl_need_vector(x, c, 0, tsl_rows(c->v[2]));
    return st ? st : tsl_need_vector(x, c, 1, tsl_cols(c->v[2]));
}

static tsl_status check_square(tsl_context *x, const tsl_call *c)
{
    int64_t n = tsl_square_of(c).n;
    tsl_status st = tsl_need_square(x, c);
    for (int i = 0; i < tsl_ops[c->op].operands - 1 && !st; ++i) st = tsl_need_vector(x, c, i, n);
    return st;
}

/* alpha = 0: as in BLAS nothing is touched, not even the imaginary part of a Hermitian diagonal. */
static bool simplify(const tsl_call *c, tsl_call *less)
{
    if (c->alpha != 0) return false;
    *less = (tsl_call){.op = TSL_OP_SCALE, .alpha = 1, .v = {c->v[tsl_ops[c->op].operands - 1]}};
    return true;
}

/* An A seen transposed exchanges x and y, (x y^T)^T = y x^T. The second vector may be conjugated (gerc), the first by a
 * copy. */
static tsl_status canon_ger(tsl_context *x, const tsl_call *c, tsl_leaf *l)
{
    const tsl_view *A = &c->v[2];
    tsl_op op = tsl_reduced(A->op, l->type), flip = (tsl_op)(op & TSL_CONJ);
    bool swap = op & TSL_TRANS;
    const tsl_view *X = &c->v[swap ? 1 : 0], *Y = &c->v[swap ? 0 : 1];
    tsl_status st = tsl_vector_in(x, X, tsl_compose(X->op, flip), &l->A);
    l->B = tsl_vector_array(Y);
    l->herm = (tsl_reduced(tsl_compose(Y->op, flip), l->type) & TSL_CONJ) != 0;
    l->alpha = tsl_seen_scalar(c->alpha, op);
    return st;
}

/* The op of A as in rank_k.c: only a conjugation remains, which goes to the vectors. */
static tsl_status canon_square(tsl_context *x, const tsl_call *c, tsl_leaf *l)
{
    tsl_square S = tsl_square_of(c);
    tsl_op flip = tsl_conjugated(&S, S.op) ? TSL_CONJ : TSL_NOTRANS;
    int count = tsl_ops[c->op].operands - 1;
    for (int i = 0; i < count; ++i) {
        tsl_status st = tsl_vector_in(x, &c->v[i], tsl_compose(c->v[i].op, flip), &l->v[i]);
        if (st) return st;
    }
    l->herm = S.herm;
    l->uplo = S.uplo;
    l->n = S.n;
    l->alpha = tsl_seen_scalar(c->alpha, flip);
    l->v[count].ld = tsl_square_ld(&S, l->v[count].ld);
    return TSL_OK;
}

const tsl_rules tsl_ger_rules = {.check = check_ger, .simplify = simplify, .canon = canon_ger};
const tsl_rules tsl_syr_rules = {.check = check_square, .simplify = simplify, .canon = canon_square};
const tsl_rules tsl_her_rules = {.check = check_square, .simplify = simplify, .canon = canon_square};
const tsl_rules tsl_spr_rules = {.check = check_square, .simplify = simplify, .canon = canon_square};
const tsl_rules tsl_hpr_rules = {.check = check_square, .simplify = simplify, .canon = canon_square};
const tsl_rules tsl_syr2_rules = {.check = check_square, .simplify = simplify, .canon = canon_square};
const tsl_rules tsl_her2_rules = {.check = check_square, .simplify = simplify, .canon = canon_square};
const tsl_rules tsl_spr2_rules = {.check = check_square, .simplify = simplify, .canon = canon_square};
const tsl_rules tsl_hpr2_rules = {.check = check_square, .simplify = simplify, .canon = canon_square};
