/* Symmetric and Hermitian rank-k update by halves: C := alpha A A^T + beta C, or with A^H, on a triangle of C. */
#include "algo/algo.h"

tsl_status tsl_algo_rank_k(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0], C = c->v[1];
    bool herm = c->op == TSL_OP_HERK;
    if (tsl_triangle(C) == TSL_UPPER) C = herm ? tsl_herm(C) : tsl_trans(C); /* C is its own (conjugate) transpose */
    int64_t h = tsl_half(x, c->op, C);
    tsl_part2 P = tsl_partition2(C, h, h);
    tsl_part2 S = tsl_partition2(A, h, tsl_cols(A)); /* A1 above A2 */
    /* C11 := alpha A1 A1^H + beta C11 */
    tsl_call first = {.op = c->op, .alpha = c->alpha, .beta = c->beta, .v = {S.TL, P.TL}};
    /* C22 := alpha A2 A2^H + beta C22 */
    tsl_call last = {.op = c->op, .alpha = c->alpha, .beta = c->beta, .v = {S.BL, P.BR}};
    tsl_execute(x, &first);
    /* C21 := alpha A2 A1^H + beta C21 */
    tsl_gemm(x, c->alpha, S.BL, herm ? tsl_herm(S.TL) : tsl_trans(S.TL), c->beta, P.BL);
    tsl_execute(x, &last);
    return TSL_OK;
}
