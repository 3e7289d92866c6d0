/* Triangular product: B := alpha A B, in place. A block of B is overwritten once no other needs its old value: an upper
 * triangle is swept from its first block on, a lower one from its last. */
#include "algo/level3/trxm.h"

static bool lower(tsl_tri o) { return tsl_triangle(o.A) == TSL_LOWER; }

/* Matrix-panel: columns of B. */
tsl_status tsl_trmm_mp(tsl_context *x, const tsl_call *c)
{
    tsl_tri o = tsl_from_left(c);
    int64_t n = tsl_cols(o.B), nb = tsl_panel(x, c);
    for (int64_t k = 0; k < n; k += nb) {
        tsl_strips B = tsl_block_cols(o.B, k, nb);
        /* B1 := alpha A B1 */                  tsl_trmm(x, TSL_LEFT, c->alpha, o.A, B.A1);
    }
    return TSL_OK;
}

/* Panel-matrix: each row panel of B is multiplied, then receives all later ones, still old. */
tsl_status tsl_trmm_pm(tsl_context *x, const tsl_call *c)
{
    tsl_tri o = tsl_from_left(c);
    int64_t m = tsl_rows(o.B), nb = tsl_panel(x, c);
    for (int64_t k = 0; k < m; k += nb) {
        tsl_step s = tsl_sweep(o, lower(o), k, nb);
        /* B1 := alpha A11 B1 */                tsl_trmm(x, TSL_LEFT, c->alpha, s.A11, s.B1);
        /* B1 := B1 + alpha A(1,after) B(after) */
        tsl_gemm(x, c->alpha, s.row_after, s.B_after, 1, s.B1);
    }
    return TSL_OK;
}

/* Panel-panel: each row panel of B, still old, is added to all earlier ones, then multiplied. */
tsl_status tsl_trmm_pp(tsl_context *x, const tsl_call *c)
{
    tsl_tri o = tsl_from_left(c);
    int64_t m = tsl_rows(o.B), nb = tsl_panel(x, c);
    for (int64_t k = 0; k < m; k += nb) {
        tsl_step s = tsl_sweep(o, lower(o), k, nb);
        /* B(before) := B(before) + alpha A(before,1) B1 */
        tsl_gemm(x, c->alpha, s.col_before, s.B1, 1, s.B_before);
        /* B1 := alpha A11 B1 */                tsl_trmm(x, TSL_LEFT, c->alpha, s.A11, s.B1);
    }
    return TSL_OK;
}

/* Recursive: A in halves. */
tsl_status tsl_trmm_rec(tsl_context *x, const tsl_call *c)
{
    tsl_tri o = tsl_from_left(c);
    int64_t h = tsl_half(x, c);
    tsl_part2 P = tsl_partition2(o.A, h, h);
    tsl_strips B = tsl_block_rows(o.B, 0, h); /* A1 above A2 */
    if (lower(o)) {
        /* B2 := alpha A22 B2 */                tsl_trmm(x, TSL_LEFT, c->alpha, P.BR, B.A2);
        /* B2 := B2 + alpha A21 B1 */           tsl_gemm(x, c->alpha, P.BL, B.A1, 1, B.A2);
        /* B1 := alpha A11 B1 */                tsl_trmm(x, TSL_LEFT, c->alpha, P.TL, B.A1);
    } else {
        /* B1 := alpha A11 B1 */                tsl_trmm(x, TSL_LEFT, c->alpha, P.TL, B.A1);
        /* B1 := B1 + alpha A12 B2 */           tsl_gemm(x, c->alpha, P.TR, B.A2, 1, B.A1);
        /* B2 := alpha A22 B2 */                tsl_trmm(x, TSL_LEFT, c->alpha, P.BR, B.A2);
    }
    return TSL_OK;
}
