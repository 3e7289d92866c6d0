/* Matrix-vector products: gemv, symv, hemv */
#include <complex.h>

#include "exec/exec.h"

/* y := alpha A x + beta y */
static tsl_status call(tsl_context *x, tsl_opcode op, tsl_scalar alpha, tsl_view A, tsl_view X, tsl_scalar beta, tsl_view Y)
{
    return tsl_execute(x, &(tsl_call){.op = op, .alpha = alpha, .beta = beta, .v = {A, X, Y}});
}

tsl_status tsl_gemv(tsl_context *x, tsl_scalar alpha, tsl_view A, tsl_view X, tsl_scalar beta, tsl_view Y)
{
    return call(x, TSL_OP_GEMV, alpha, A, X, beta, Y);
}

tsl_status tsl_symv(tsl_context *x, tsl_scalar alpha, tsl_view A, tsl_view X, tsl_scalar beta, tsl_view Y)
{
    return call(x, TSL_OP_SYMV, alpha, A, X, beta, Y);
}

tsl_status tsl_hemv(tsl_context *x, tsl_scalar alpha, tsl_view A, tsl_view X, tsl_scalar beta, tsl_view Y)
{
    return call(x, TSL_OP_HEMV, alpha, A, X, beta, Y);
}

static tsl_status check_gemv(tsl_context *x, const tsl_call *c)
{
    tsl_status st = tsl_need_general(x, c, 0);
    if (!st) st = tsl_need_vector(x, c, 1, tsl_cols(c->v[0]));
    if (!st) st = tsl_need_vector(x, c, 2, tsl_rows(c->v[0]));
    return st;
}

static tsl_status check_symv(tsl_context *x, const tsl_call *c)
{
    tsl_status st = tsl_need_triangle(x, c, 0);
    if (!st && c->v[0].diag == TSL_UNIT) st = tsl_bad(x, c, 0, TSL_ERR_UPLO);
    if (!st) st = tsl_need_vector(x, c, 1, c->v[0].m);
    if (!st) st = tsl_need_vector(x, c, 2, c->v[0].m);
    return st;
}

static tsl_call simplify(const tsl_call *c)
{
    if (c->alpha != 0 && tsl_cols(c->v[0]) != 0) return *c;
    return (tsl_call){.op = TSL_OP_SCALE, .alpha = c->beta, .v = {c->v[2]}};
}

/* The operands but A. If y is seen conjugated, everything is: flip says so. */
static tsl_status vectors(tsl_context *x, const tsl_call *c, tsl_op flip, tsl_leaf *l)
{
    tsl_operand in, out = tsl_vector_out(&c->v[2]);
    tsl_status st = tsl_vector_in(x, &c->v[1], tsl_compose(c->v[1].op, flip), &in);
    l->alpha = tsl_seen_scalar(c->alpha, flip);
    l->beta = tsl_seen_scalar(c->beta, flip);
    l->B = in.p, l->ldb = in.ld;
    l->C = out.p, l->ldc = out.ld;
    return st;
}

static tsl_op flip_of(const tsl_call *c, tsl_type t) { return (tsl_op)(tsl_reduced(c->v[2].op, t) & TSL_CONJ); }

static tsl_status canon_gemv(tsl_context *x, const tsl_call *c, tsl_leaf *l)
{
    const tsl_view *A = &c->v[0];
    tsl_op flip = flip_of(c, l->type);
    tsl_operand a;
    tsl_status st = tsl_input(x, A, tsl_compose(A->op, flip), TSL_CONJ, &a);
    if (!st) st = vectors(x, c, flip, l);
    l->m = A->m;
    l->n = A->n;
    l->A = a.p, l->lda = a.ld, l->opA = a.op;
    return st;
}

/* Of the op on A only a conjugation of its values remains, as in symm.c. */
static tsl_status canon_symv(tsl_context *x, const tsl_call *c, tsl_leaf *l)
{
    const tsl_view *A = &c->v[0];
    tsl_op flip = flip_of(c, l->type), op = tsl_reduced(tsl_compose(A->op, flip), l->type);
    bool herm = c->op == TSL_OP_HEMV, other = herm ? op == TSL_TRANS || op == TSL_CONJ : (op & TSL_CONJ) != 0;
    tsl_operand a;
    tsl_status st = tsl_input(x, A, other ? TSL_CONJ : TSL_NOTRANS, TSL_CONJ, &a);
    if (!st) st = vectors(x, c, flip, l);
    l->herm = herm && tsl_is_complex(l->type);
    l->uplo = A->uplo;
    l->m = l->n = A->n;
    l->A = a.p, l->lda = a.ld;
    return st;
}

const tsl_rules tsl_gemv_rules = {.check = check_gemv, .simplify = simplify, .canon = canon_gemv};
const tsl_rules tsl_symv_rules = {.check = check_symv, .simplify = simplify, .canon = canon_symv};
const tsl_rules tsl_hemv_rules = {.check = check_symv, .simplify = simplify, .canon = canon_symv};
