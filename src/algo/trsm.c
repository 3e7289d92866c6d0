/* Triangular solve by halves, so that nearly all of the work is in large products. */
#include "algo/algo.h"

tsl_status tsl_algo_trsm(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0], B = c->v[1];
    if (c->side == TSL_RIGHT) { /* X A = B  <=>  A^T X^T = B^T */
        A = tsl_trans(A);
        B = tsl_trans(B);
    }
    int64_t h = tsl_half(x, TSL_OP_TRSM, A);
    tsl_part2 P = tsl_partition2(A, h, h);
    tsl_part2 X = tsl_partition2(B, h, tsl_cols(B)); /* TL above BL */
    if (tsl_triangle(A) == TSL_LOWER) {
        /* X1 := alpha inv(A11) B1 */       tsl_trsm(x, TSL_LEFT, c->alpha, P.TL, X.TL);
        /* B2 := alpha B2 - A21 X1 */       tsl_gemm(x, -1, P.BL, X.TL, c->alpha, X.BL);
        /* X2 := inv(A22) B2 */             tsl_trsm(x, TSL_LEFT, 1, P.BR, X.BL);
    } else {
        /* X2 := alpha inv(A22) B2 */       tsl_trsm(x, TSL_LEFT, c->alpha, P.BR, X.BL);
        /* B1 := alpha B1 - A12 X2 */       tsl_gemm(x, -1, P.TR, X.BL, c->alpha, X.TL);
        /* X1 := inv(A11) B1 */             tsl_trsm(x, TSL_LEFT, 1, P.TL, X.TL);
    }
    return TSL_OK;
}
