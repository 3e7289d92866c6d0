/* Triangular solve: B := alpha inv(A) B. A lower triangle is swept from its first block on, an upper one from its last. */
#include "algo/level3/trxm.h"

static bool upper(tsl_tri o) { return tsl_triangle(o.A) == TSL_UPPER; }

/* Matrix-panel: columns of B. */
tsl_status tsl_trsm_mp(tsl_context *x, const tsl_call *c)
{
    tsl_tri o = tsl_from_left(c);
    int64_t n = tsl_cols(o.B), nb = tsl_panel(x, c);
    for (int64_t k = 0; k < n; k += nb) {
        tsl_strips B = tsl_block_cols(o.B, k, nb);
        /* B1 := alpha inv(A) B1 */             tsl_trsm(x, TSL_LEFT, c->alpha, o.A, B.A1);
    }
    return TSL_OK;
}

/* Panel-matrix: each row panel of B receives all earlier ones, then is solved. */
tsl_status tsl_trsm_pm(tsl_context *x, const tsl_call *c)
{
    tsl_tri o = tsl_from_left(c);
    int64_t m = tsl_rows(o.B), nb = tsl_panel(x, c);
    for (int64_t k = 0; k < m; k += nb) {
        tsl_step s = tsl_sweep(o, upper(o), k, nb);
        /* B1 := alpha B1 - A(1,before) X(before) */
        tsl_gemm(x, -1, s.row_before, s.B_before, c->alpha, s.B1);
        /* B1 := inv(A11) B1 */                 tsl_trsm(x, TSL_LEFT, 1, s.A11, s.B1);
    }
    return TSL_OK;
}

/* Panel-panel: each row panel of B is solved, then leaves all later ones. */
tsl_status tsl_trsm_pp(tsl_context *x, const tsl_call *c)
{
    tsl_tri o = tsl_from_left(c);
    int64_t m = tsl_rows(o.B), nb = tsl_panel(x, c);
    for (int64_t k = 0; k < m; k += nb) {
        tsl_step s = tsl_sweep(o, upper(o), k, nb);
        tsl_scalar alpha = k == 0 ? c->alpha : 1;
        /* B1 := alpha inv(A11) B1 */           tsl_trsm(x, TSL_LEFT, alpha, s.A11, s.B1);
        /* B(after) := alpha B(after) - A(after,1) B1 */
        tsl_gemm(x, -1, s.col_after, s.B1, alpha, s.B_after);
    }
    return TSL_OK;
}

/* Panel-panel, with the next panel updated and solved on its own lane while those after it are updated on the main one. With
 * fewer right-hand sides than a panel has rows there is too little to do meanwhile. */
tsl_status tsl_trsm_ahead(tsl_context *x, const tsl_call *c)
{
    tsl_tri o = tsl_from_left(c);
    int64_t m = tsl_rows(o.B), nb = tsl_panel_ahead(x, c, 0), next;
    if (tsl_cols(o.B) < nb) return tsl_trsm_pp(x, c);
    tsl_meet(x, c);
    for (int64_t k = 0; k < m; k += nb, nb = next) {
        tsl_step s = tsl_sweep(o, upper(o), k, nb);
        tsl_scalar alpha = k == 0 ? c->alpha : 1;
        tsl_on(x, TSL_ON_AHEAD);
        /* B1 := alpha inv(A11) B1 */           tsl_trsm(x, TSL_LEFT, alpha, s.A11, s.B1);
        /* L = A(after,1), R = B1 */
        tsl_view R = tsl_for_cols(x, s.B1, s.B_after), col = tsl_for_rows(x, s.col_after, s.B_after);
        tsl_meet(x, c);
        next = tsl_panel_ahead(x, c, k + nb);
        tsl_step N = tsl_sweep(o, upper(o), k + nb, next);
        int64_t w = tsl_rows(N.B1);
        tsl_strips L = upper(o) ? tsl_block_rows_back(col, 0, w) : tsl_block_rows(col, 0, w);
        /* N1 := alpha N1 - L1 R */             tsl_gemm(x, -1, L.A1, R, alpha, N.B1);
        tsl_on(x, TSL_ON_MAIN);
        /* N(after) := alpha N(after) - L(after) R */
        tsl_gemm(x, -1, upper(o) ? L.A0 : L.A2, R, alpha, N.B_after);
    }
    tsl_meet(x, c);
    return TSL_OK;
}

/* Recursive: A in halves, so that nearly all of the work is in large products. */
tsl_status tsl_trsm_rec(tsl_context *x, const tsl_call *c)
{
    tsl_tri o = tsl_from_left(c);
    int64_t h = tsl_half(x, c);
    tsl_part2 P = tsl_partition2(o.A, h, h);
    tsl_strips B = tsl_block_rows(o.B, 0, h); /* A1 above A2 */
    if (!upper(o)) {
        /* B1 := alpha inv(A11) B1 */           tsl_trsm(x, TSL_LEFT, c->alpha, P.TL, B.A1);
        /* B2 := alpha B2 - A21 B1 */           tsl_gemm(x, -1, P.BL, B.A1, c->alpha, B.A2);
        /* B2 := inv(A22) B2 */                 tsl_trsm(x, TSL_LEFT, 1, P.BR, B.A2);
    } else {
        /* B2 := alpha inv(A22) B2 */           tsl_trsm(x, TSL_LEFT, c->alpha, P.BR, B.A2);
        /* B1 := alpha B1 - A12 B2 */           tsl_gemm(x, -1, P.TR, B.A2, c->alpha, B.A1);
        /* B1 := inv(A11) B1 */                 tsl_trsm(x, TSL_LEFT, 1, P.TL, B.A1);
    }
    return TSL_OK;
}
