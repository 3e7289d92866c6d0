/* y := alpha A x + beta y: gemv, gbmv, and with a symmetric or Hermitian A symv, hemv, sbmv, hbmv, spmv, hpmv */
#include "ops/ops.h"

static tsl_status dense(tsl_context *x, tsl_opcode op, tsl_scalar alpha, tsl_view A, tsl_view X, tsl_scalar beta, tsl_view Y)
{
    return tsl_execute(x, &(tsl_call){.op = op, .alpha = alpha, .beta = beta, .v = {A, X, Y}});
}

static tsl_status stored(tsl_context *x, tsl_opcode op, tsl_uplo uplo, int64_t n, int64_t k, tsl_scalar alpha, tsl_view A, tsl_view X,
                         tsl_scalar beta, tsl_view Y)
{
    return tsl_execute(x, &(tsl_call){.op = op, .uplo = uplo, .n = n, .band = {.kl = k}, .alpha = alpha, .beta = beta,
                                      .v = {A, X, Y}});
}

tsl_status tsl_gemv(tsl_context *x, tsl_scalar alpha, tsl_view A, tsl_view X, tsl_scalar beta, tsl_view Y)
{
    return dense(x, TSL_OP_GEMV, alpha, A, X, beta, Y);
}

tsl_status tsl_symv(tsl_context *x, tsl_scalar alpha, tsl_view A, tsl_view X, tsl_scalar beta, tsl_view Y)
{
    return dense(x, TSL_OP_SYMV, alpha, A, X, beta, Y);
}

tsl_status tsl_hemv(tsl_context *x, tsl_scalar alpha, tsl_view A, tsl_view X, tsl_scalar beta, tsl_view Y)
{
    return dense(x, TSL_OP_HEMV, alpha, A, X, beta, Y);
}

tsl_status tsl_gbmv(tsl_context *x, tsl_op trans, int64_t m, int64_t n, int64_t kl, int64_t ku, tsl_scalar alpha, tsl_view AB,
                    tsl_view X, tsl_scalar beta, tsl_view Y)
{
    return tsl_execute(x, &(tsl_call){.op = TSL_OP_GBMV, .trans = trans, .m = m, .n = n, .band = {.kl = kl, .ku = ku}, .alpha = alpha,
                                      .beta = beta, .v = {AB, X, Y}});
}

tsl_status tsl_sbmv(tsl_context *x, tsl_uplo uplo, int64_t n, int64_t k, tsl_scalar alpha, tsl_view AB, tsl_view X, tsl_scalar beta,
                    tsl_view Y)
{
    return stored(x, TSL_OP_SBMV, uplo, n, k, alpha, AB, X, beta, Y);
}

tsl_status tsl_hbmv(tsl_context *x, tsl_uplo uplo, int64_t n, int64_t k, tsl_scalar alpha, tsl_view AB, tsl_view X, tsl_scalar beta,
                    tsl_view Y)
{
    return stored(x, TSL_OP_HBMV, uplo, n, k, alpha, AB, X, beta, Y);
}

tsl_status tsl_spmv(tsl_context *x, tsl_uplo uplo, int64_t n, tsl_scalar alpha, tsl_view AP, tsl_view X, tsl_scalar beta, tsl_view Y)
{
    return stored(x, TSL_OP_SPMV, uplo, n, 0, alpha, AP, X, beta, Y);
}

tsl_status tsl_hpmv(tsl_context *x, tsl_uplo uplo, int64_t n, tsl_scalar alpha, tsl_view AP, tsl_view X, tsl_scalar beta, tsl_view Y)
{
    return stored(x, TSL_OP_HPMV, uplo, n, 0, alpha, AP, X, beta, Y);
}

static tsl_status need_vectors(tsl_context *x, const tsl_call *c, int64_t rows, int64_t cols)
{
    tsl_status st = tsl_need_vector(x, c, 1, cols);
    return st ? st : tsl_need_vector(x, c, 2, rows);
}

static tsl_status check_gemv(tsl_context *x, const tsl_call *c)
{
    tsl_status st = tsl_need_general(x, c, 0);
    return st ? st : need_vectors(x, c, tsl_rows(c->v[0]), tsl_cols(c->v[0]));
}

static tsl_status check_gbmv(tsl_context *x, const tsl_call *c)
{
    bool turn = c->trans & TSL_TRANS;
    tsl_status st = tsl_need_flag(x, c, (unsigned)c->trans <= TSL_HERM);
    if (!st && c->m < 0) st = tsl_refuse(x, c, TSL_ERR_SIZE, "m is %lld, must not be negative", (long long)c->m);
    if (!st) st = tsl_need_band(x, c, 0, c->n, "kl", c->band.kl, c->band.ku);
    return st ? st : need_vectors(x, c, turn ? c->n : c->m, turn ? c->m : c->n);
}

static tsl_status check_symv(tsl_context *x, const tsl_call *c)
{
    int64_t n = tsl_square_of(c).n;
    tsl_status st = tsl_need_square(x, c);
    return st ? st : need_vectors(x, c, n, n);
}

/* No product: x, and with it A, has nothing to give. */
static bool simplify(const tsl_call *c, tsl_call *less)
{
    if (c->alpha != 0 && c->v[1].m != 0 && c->v[1].n != 0) return false;
    *less = (tsl_call){.op = TSL_OP_SCALE, .alpha = c->beta, .v = {c->v[2]}};
    return true;
}

/* The operands but A. If y is seen conjugated, everything is: flip says so. */
static tsl_status vectors(tsl_context *x, const tsl_call *c, tsl_op flip, tsl_leaf *l)
{
    l->alpha = tsl_seen_scalar(c->alpha, flip);
    l->beta = tsl_seen_scalar(c->beta, flip);
    return tsl_vector_in(x, &c->v[1], tsl_compose(c->v[1].op, flip), &l->B);
}

static tsl_op flip_of(const tsl_call *c, tsl_type t) { return (tsl_op)(tsl_reduced(c->v[2].op, t) & TSL_CONJ); }

static tsl_status canon_gemv(tsl_context *x, const tsl_call *c, tsl_leaf *l)
{
    const tsl_view *A = &c->v[0];
    bool band = tsl_stored(c->op) == TSL_BAND;
    tsl_op flip = flip_of(c, l->type);
    tsl_status st = tsl_input(x, A, tsl_compose(band ? c->trans : A->op, flip), TSL_CONJ, &l->A);
    if (!st) st = vectors(x, c, flip, l);
    l->m = band ? c->m : A->m;
    l->n = A->n;
    return st;
}

/* Of the op on A only a conjugation of its values remains, as in symm.c. */
static tsl_status canon_symv(tsl_context *x, const tsl_call *c, tsl_leaf *l)
{
    tsl_square S = tsl_square_of(c);
    tsl_op flip = flip_of(c, l->type);
    tsl_status st = tsl_input(x, S.v, tsl_conjugated(&S, tsl_compose(S.op, flip)) ? TSL_CONJ : TSL_NOTRANS, TSL_CONJ, &l->A);
    if (!st) st = vectors(x, c, flip, l);
    l->herm = S.herm;
    l->uplo = S.uplo;
    l->m = l->n = S.n;
    l->k = S.k;
    l->A.ld = tsl_square_ld(&S, l->A.ld);
    return st;
}

const tsl_rules tsl_gemv_rules = {.check = check_gemv, .simplify = simplify, .canon = canon_gemv};
const tsl_rules tsl_gbmv_rules = {.check = check_gbmv, .simplify = simplify, .canon = canon_gemv};
const tsl_rules tsl_symv_rules = {.check = check_symv, .simplify = simplify, .canon = canon_symv};
const tsl_rules tsl_hemv_rules = {.check = check_symv, .simplify = simplify, .canon = canon_symv};
const tsl_rules tsl_sbmv_rules = {.check = check_symv, .simplify = simplify, .canon = canon_symv};
const tsl_rules tsl_hbmv_rules = {.check = check_symv, .simplify = simplify, .canon = canon_symv};
const tsl_rules tsl_spmv_rules = {.check = check_symv, .simplify = simplify, .canon = canon_symv};
const tsl_rules tsl_hpmv_rules = {.check = check_symv, .simplify = simplify, .canon = canon_symv};
