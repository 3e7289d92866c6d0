/* In place on a triangle: A = L L^H (potrf), A := inv(A) (trtri), A := L^H L (lauum); and is a triangle singular? */
#include "ops/ops.h"

tsl_status tsl_potrf(tsl_context *x, tsl_view A, int64_t *info)
{
    return tsl_execute_info(x, &(tsl_call){.op = TSL_OP_POTRF, .v = {A}}, info);
}

tsl_status tsl_trtri(tsl_context *x, tsl_view A, int64_t *info)
{
    return tsl_execute_info(x, &(tsl_call){.op = TSL_OP_TRTRI, .v = {A}}, info);
}

tsl_status tsl_lauum(tsl_context *x, tsl_view A) { return tsl_execute(x, &(tsl_call){.op = TSL_OP_LAUUM, .v = {A}}); }

static tsl_status check(tsl_context *x, const tsl_call *c) { return tsl_need_triangle(x, c, 0); }

/* The op of A does not matter, only the stored triangle: it commutes with inv and with conjugation, and A^T is factored by the
 * conjugate of what factors A, transposed. */
static tsl_status canon(tsl_context *x, const tsl_call *c, tsl_leaf *l)
{
    (void)x;
    const tsl_view *A = &c->v[0];
    l->uplo = A->uplo;
    l->diag = A->diag;
    l->n = A->n;
    l->A = tsl_at(A), l->lda = A->mat->ld;
    return TSL_OK;
}

static void lend(tsl_context *x, const tsl_leaf *l, tsl_matrix mat[TSL_MAX_OPERANDS], tsl_call *c)
{
    c->v[0] = tsl_lent_triangle(x, l, &mat[0], l->n, l->A, l->lda);
}

static int64_t order(const tsl_call *c) { return c->v[0].m; }

const tsl_rules tsl_potrf_rules = {.check = check, .canon = canon, .order = order, .lend = lend};
const tsl_rules tsl_singular_rules = {.check = check, .canon = canon};
const tsl_rules tsl_trtri_rules = {.check = check, .canon = canon, .order = order, .takes_unit = true, .lend = lend};
const tsl_rules tsl_lauum_rules = {.check = check, .canon = canon, .order = order, .lend = lend};
