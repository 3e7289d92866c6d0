/* x := A x (trmv, tbmv, tpmv) or inv(A) x (trsv, tbsv, tpsv); A a triangle, dense, by bands or packed */
#include "ops/ops.h"

static tsl_status call(tsl_context *x, tsl_opcode op, tsl_uplo uplo, tsl_op trans, tsl_diag diag, int64_t n, int64_t k, tsl_view A,
                       tsl_view X)
{
    return tsl_execute(x, &(tsl_call){.op = op, .uplo = uplo, .trans = trans, .diag = diag, .n = n, .band = {.kl = k},
                                      .v = {A, X}});
}

tsl_status tsl_trmv(tsl_context *x, tsl_view A, tsl_view X) { return call(x, TSL_OP_TRMV, A.uplo, A.op, A.diag, A.n, 0, A, X); }
tsl_status tsl_trsv(tsl_context *x, tsl_view A, tsl_view X) { return call(x, TSL_OP_TRSV, A.uplo, A.op, A.diag, A.n, 0, A, X); }

tsl_status tsl_tbmv(tsl_context *x, tsl_uplo uplo, tsl_op trans, tsl_diag diag, int64_t n, int64_t k, tsl_view AB, tsl_view X)
{
    return call(x, TSL_OP_TBMV, uplo, trans, diag, n, k, AB, X);
}

tsl_status tsl_tbsv(tsl_context *x, tsl_uplo uplo, tsl_op trans, tsl_diag diag, int64_t n, int64_t k, tsl_view AB, tsl_view X)
{
    return call(x, TSL_OP_TBSV, uplo, trans, diag, n, k, AB, X);
}

tsl_status tsl_tpmv(tsl_context *x, tsl_uplo uplo, tsl_op trans, tsl_diag diag, int64_t n, tsl_view AP, tsl_view X)
{
    return call(x, TSL_OP_TPMV, uplo, trans, diag, n, 0, AP, X);
}

tsl_status tsl_tpsv(tsl_context *x, tsl_uplo uplo, tsl_op trans, tsl_diag diag, int64_t n, tsl_view AP, tsl_view X)
{
    return call(x, TSL_OP_TPSV, uplo, trans, diag, n, 0, AP, X);
}

static tsl_status check(tsl_context *x, const tsl_call *c)
{
    tsl_status st = tsl_need_square(x, c);
    return st ? st : tsl_need_vector(x, c, 1, tsl_square_of(c).n);
}

/* An x seen conjugated conjugates A. */
static tsl_status canon(tsl_context *x, const tsl_call *c, tsl_leaf *l)
{
    tsl_square S = tsl_square_of(c);
    tsl_op flip = (tsl_op)(tsl_reduced(c->v[1].op, l->type) & TSL_CONJ);
    tsl_status st = tsl_input(x, S.v, tsl_compose(S.op, flip), TSL_CONJ, &l->A);
    l->uplo = S.uplo;
    l->diag = S.diag;
    l->n = S.n;
    l->k = S.k;
    l->A.ld = tsl_square_ld(&S, l->A.ld);
    return st;
}

const tsl_rules tsl_trmv_rules = {.check = check, .canon = canon};
const tsl_rules tsl_trsv_rules = {.check = check, .canon = canon};
const tsl_rules tsl_tbmv_rules = {.check = check, .canon = canon};
const tsl_rules tsl_tbsv_rules = {.check = check, .canon = canon};
const tsl_rules tsl_tpmv_rules = {.check = check, .canon = canon};
const tsl_rules tsl_tpsv_rules = {.check = check, .canon = canon};
