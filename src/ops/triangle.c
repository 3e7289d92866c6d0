/* Operations in place on a triangle: their rules */
#include "ops/triangle.h"

tsl_status tsl_triangle_check(tsl_context *x, const tsl_call *c) { return tsl_need_triangle(x, c, 0); }

/* The op of A does not matter, only the stored triangle: it commutes with inv and with conjugation, and A^T is factored by the
 * conjugate of what factors A, transposed. */
tsl_status tsl_triangle_canon(tsl_context *x, const tsl_call *c, tsl_leaf *l)
{
    (void)x;
    const tsl_view *A = &c->v[0];
    l->uplo = A->uplo;
    l->diag = A->diag;
    l->n = A->n;
    l->A = tsl_at(A), l->lda = A->mat->ld;
    return TSL_OK;
}

void tsl_triangle_as_call(tsl_context *x, const tsl_leaf *l, tsl_matrix mat[TSL_MAX_OPERANDS], tsl_call *c)
{
    c->v[0] = tsl_array_triangle(x, l, &mat[0], l->n, l->A, l->lda);
}

int64_t tsl_triangle_order(const tsl_call *c) { return c->v[0].m; }
