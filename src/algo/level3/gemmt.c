/* A triangle of a product: C := alpha A B + beta C on a triangle of C. */
#include "algo/algo.h"

static void diagonal(tsl_context *x, const tsl_call *c, tsl_view A, tsl_view B, tsl_scalar beta, tsl_view C)
{
    tsl_gemmt_of(x, c->herm, c->alpha, A, B, beta, C);
}

/* Panel-panel: columns of A and rows of B, each pair updating all of C. */
tsl_status tsl_gemmt_pp(tsl_context *x, const tsl_call *c)
{
    int64_t n = tsl_cols(c->v[0]), nb = tsl_panel(x, c);
    for (int64_t k = 0; k < n; k += nb) {
        tsl_strips A = tsl_block_cols(c->v[0], k, nb), B = tsl_block_rows(c->v[1], k, nb);
        diagonal(x, c, A.A1, B.A1, k == 0 ? c->beta : 1, c->v[2]);
    }
    return TSL_OK;
}

/* Recursive: C in halves. */
tsl_status tsl_gemmt_rec(tsl_context *x, const tsl_call *c)
{
    tsl_view C = c->v[2];
    int64_t h = tsl_half(x, c);
    tsl_part2 P = tsl_partition2(C, h, h);
    tsl_strips A = tsl_block_rows(c->v[0], 0, h), B = tsl_block_cols(c->v[1], 0, h); /* A1 above A2, B1 beside B2 */
    /* C11 := alpha A1 B1 + beta C11 */         diagonal(x, c, A.A1, B.A1, c->beta, P.TL);
    if (tsl_triangle(C) == TSL_LOWER) /* C21 := alpha A2 B1 + beta C21 */
        tsl_gemm(x, c->alpha, A.A2, B.A1, c->beta, P.BL);
    else /* C12 := alpha A1 B2 + beta C12 */
        tsl_gemm(x, c->alpha, A.A1, B.A2, c->beta, P.TR);
    /* C22 := alpha A2 B2 + beta C22 */         diagonal(x, c, A.A2, B.A2, c->beta, P.BR);
    return TSL_OK;
}
