/* A symmetric or Hermitian matrix to a band, A = Q B Q^H, from its lower triangle; products with that Q; the band of columns as
 * LAPACK stores it. A is as it is stored, or the conjugate transpose of an upper triangle. */
#include "ops/qr/qr.h"

tsl_status tsl_sy2sb(tsl_context *x, tsl_view A, tsl_view AB, tsl_view T)
{
    return tsl_execute(x, &(tsl_call){.op = TSL_OP_SY2SB, .v = {A, AB, T}});
}

/* C Q is the conjugate transpose of Q^H C^H. */
tsl_status tsl_ormtr_sy2sb(tsl_context *x, tsl_side side, tsl_op trans, tsl_view A, tsl_view T, tsl_view C)
{
    return tsl_apply_q(x, TSL_OP_ORMTR_SY2SB, side, trans, A, T, C);
}

/* Of the reduction and of products with Q: A is the triangle, operand i the kd x n triangles T. */
static tsl_status check_reflectors(tsl_context *x, const tsl_call *c, int i)
{
    const tsl_view *A = &c->v[0], *T = &c->v[i];
    tsl_op op = A->mat ? tsl_reduced(A->op, A->mat->type) : TSL_NOTRANS;
    tsl_status st = tsl_need_triangle(x, c, 0);
    if (!st) st = tsl_need_diagonal(x, c, 0);
    if (!st && tsl_triangle(*A) != TSL_LOWER) return tsl_refuse(x, c, TSL_ERR_UPLO, "A must be a lower triangle, or the conjugate transpose of an upper one");
    if (!st && op != TSL_NOTRANS && op != tsl_herm_of(A->mat->type))
        return tsl_refuse(x, c, TSL_ERR_FLAG, "A must be as it is stored or conjugated and transposed");
    if (!st) st = tsl_need_general(x, c, i);
    if (!st) st = tsl_need_stored(x, c, i);
    if (st) return st;
    return T->n == A->m && (T->m > 0 || !A->m) ? TSL_OK : tsl_misfit(x, c, "T must have as many columns as A, and a row for each diagonal of the band below the main one");
}

static tsl_status check(tsl_context *x, const tsl_call *c)
{
    tsl_status st = check_reflectors(x, c, 2);
    if (!st) st = tsl_need_general(x, c, 1);
    if (!st) st = tsl_need_stored(x, c, 1);
    if (st) return st;
    return c->v[1].n == c->v[0].m && c->v[1].m == c->v[2].m + 1 ? TSL_OK : tsl_misfit(x, c, "AB must have as many columns as A, and a row more than T");
}

static tsl_status check_product(tsl_context *x, const tsl_call *c)
{
    tsl_status st = check_reflectors(x, c, 1);
    if (!st) st = tsl_need_upright(x, c, 2);
    if (st) return st;
    return c->v[0].m == tsl_rows(c->v[2]) ? TSL_OK : tsl_misfit(x, c, "A, and so Q, must have as many rows as C, or columns if Q is on the right");
}

/* No reflectors */
static bool simplify_product(const tsl_call *c, tsl_call *less)
{
    if (c->v[0].m > c->v[1].m) return false;
    *less = (tsl_call){.op = TSL_OP_SCALE, .alpha = 1, .v = {c->v[2]}};
    return true;
}

static int64_t order(const tsl_call *c) { return c->v[0].m; }

const tsl_rules tsl_band_rules = {.check = tsl_unchecked};
const tsl_rules tsl_sy2sb_rules = {.check = check, .order = order};
const tsl_rules tsl_ormtr_sy2sb_rules = {.check = check_product, .simplify = simplify_product, .order = order};
