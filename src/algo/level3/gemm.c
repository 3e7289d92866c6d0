/* C := alpha A B + beta C, cut along one dimension. */
#include "algo/algo.h"

/* Matrix-panel: columns of B and C. */
tsl_status tsl_gemm_mp(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0], B = c->v[1], C = c->v[2];
    int64_t n = tsl_cols(C), nb = tsl_panel(x, c);
    for (int64_t k = 0; k < n; k += nb) {
        tsl_strips Bk = tsl_block_cols(B, k, nb), Ck = tsl_block_cols(C, k, nb);
        /* C1 := alpha A B1 + beta C1 */    tsl_gemm(x, c->alpha, A, Bk.A1, c->beta, Ck.A1);
    }
    return TSL_OK;
}

/* Panel-matrix: rows of A and C. */
tsl_status tsl_gemm_pm(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0], B = c->v[1], C = c->v[2];
    int64_t m = tsl_rows(C), nb = tsl_panel(x, c);
    for (int64_t k = 0; k < m; k += nb) {
        tsl_strips Ak = tsl_block_rows(A, k, nb), Ck = tsl_block_rows(C, k, nb);
        /* C1 := alpha A1 B + beta C1 */    tsl_gemm(x, c->alpha, Ak.A1, B, c->beta, Ck.A1);
    }
    return TSL_OK;
}

/* Panel-panel: columns of A and rows of B. */
tsl_status tsl_gemm_pp(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0], B = c->v[1], C = c->v[2];
    int64_t n = tsl_cols(A), nb = tsl_panel(x, c);
    for (int64_t k = 0; k < n; k += nb) {
        tsl_strips Ak = tsl_block_cols(A, k, nb), Bk = tsl_block_rows(B, k, nb);
        /* C := alpha A1 B1 + C, and beta C the first time */
        tsl_gemm(x, c->alpha, Ak.A1, Bk.A1, k == 0 ? c->beta : 1, C);
    }
    return TSL_OK;
}

/* Recursive: the longest dimension in halves, down to the block size. */
tsl_status tsl_gemm_rec(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0], B = c->v[1], C = c->v[2];
    int64_t m = tsl_rows(C), n = tsl_cols(C), k = tsl_cols(A), nb = tsl_panel(x, c);
    if (m <= nb && n <= nb && k <= nb) return tsl_leaf_of(x, c);
    int64_t h = (m >= n && m >= k ? m : n >= k ? n : k) / 2;
    tsl_call first = *c, last = *c;
    if (m >= n && m >= k) {
        first.v[0] = tsl_partition2(A, h, 0).TR, last.v[0] = tsl_partition2(A, h, 0).BR;
        first.v[2] = tsl_partition2(C, h, 0).TR, last.v[2] = tsl_partition2(C, h, 0).BR;
    } else if (n >= k) {
        first.v[1] = tsl_partition2(B, 0, h).BL, last.v[1] = tsl_partition2(B, 0, h).BR;
        first.v[2] = tsl_partition2(C, 0, h).BL, last.v[2] = tsl_partition2(C, 0, h).BR;
    } else {
        first.v[0] = tsl_partition2(A, 0, h).BL, last.v[0] = tsl_partition2(A, 0, h).BR;
        first.v[1] = tsl_partition2(B, h, 0).TR, last.v[1] = tsl_partition2(B, h, 0).BR;
        last.beta = 1;
    }
    tsl_status st = tsl_gemm_rec(x, &first);
    return st ? st : tsl_gemm_rec(x, &last);
}
