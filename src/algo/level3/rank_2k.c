/* Symmetric and Hermitian rank-2k update on a triangle of C:
 * C := alpha A B^T + alpha B A^T + beta C, or C := alpha A B^H + conj(alpha) B A^H + beta C. */
#include <complex.h>

#include "algo/algo.h"

typedef struct operands { tsl_view A, B, C; } operands;

/* C is its own (conjugate) transpose, so an upper triangle is a lower one seen through it. */
static operands on_lower(const tsl_call *c)
{
    tsl_view C = c->v[2];
    if (tsl_triangle(C) == TSL_UPPER) C = tsl_is_hermitian(c->op) ? tsl_herm(C) : tsl_trans(C);
    return (operands){c->v[0], c->v[1], C};
}

static void diagonal(tsl_context *x, const tsl_call *c, tsl_view A, tsl_view B, tsl_scalar beta, tsl_view C)
{
    tsl_execute(x, &(tsl_call){.op = c->op, .alpha = c->alpha, .beta = beta, .v = {A, B, C}});
}

/* An off-diagonal block, from the rows of A and B it lies in and across. */
static void aside(tsl_context *x, const tsl_call *c, tsl_view Ai, tsl_view Bi, tsl_view Aj, tsl_view Bj, tsl_view Cij)
{
    bool herm = tsl_is_hermitian(c->op);
    /* Cij := alpha Ai Bj^T + beta Cij */     tsl_gemm(x, c->alpha, Ai, herm ? tsl_herm(Bj) : tsl_trans(Bj), c->beta, Cij);
    /* Cij := alpha Bi Aj^T + Cij */
    tsl_gemm(x, herm ? conj(c->alpha) : c->alpha, Bi, herm ? tsl_herm(Aj) : tsl_trans(Aj), 1, Cij);
}

/* Matrix-panel: a block column of C at a time, which ends where a tile does. */
tsl_status tsl_rank_2k_mp(tsl_context *x, const tsl_call *c)
{
    operands o = on_lower(c);
    int64_t n = tsl_rows(o.C), width = tsl_panel(x, c);
    for (int64_t k = 0, nb; k < n; k += nb) {
        nb = tsl_to_border(o.C, k, width);
        tsl_part3 P = tsl_partition(o.C, k, nb);
        tsl_strips A = tsl_block_rows(o.A, k, nb), B = tsl_block_rows(o.B, k, nb);
        diagonal(x, c, A.A1, B.A1, c->beta, P.A11);
        aside(x, c, A.A2, B.A2, A.A1, B.A1, P.A21);
    }
    return TSL_OK;
}

/* Panel-matrix: a block row of C at a time. */
tsl_status tsl_rank_2k_pm(tsl_context *x, const tsl_call *c)
{
    operands o = on_lower(c);
    int64_t n = tsl_rows(o.C), nb = tsl_panel(x, c);
    for (int64_t k = 0; k < n; k += nb) {
        tsl_part3 P = tsl_partition(o.C, k, nb);
        tsl_strips A = tsl_block_rows(o.A, k, nb), B = tsl_block_rows(o.B, k, nb);
        aside(x, c, A.A1, B.A1, A.A0, B.A0, P.A10);
        diagonal(x, c, A.A1, B.A1, c->beta, P.A11);
    }
    return TSL_OK;
}

/* Panel-panel: columns of A and B, each pair updating all of C. */
tsl_status tsl_rank_2k_pp(tsl_context *x, const tsl_call *c)
{
    operands o = on_lower(c);
    int64_t n = tsl_cols(o.A), nb = tsl_panel(x, c);
    for (int64_t k = 0; k < n; k += nb) {
        tsl_strips A = tsl_block_cols(o.A, k, nb), B = tsl_block_cols(o.B, k, nb);
        diagonal(x, c, A.A1, B.A1, k == 0 ? c->beta : 1, o.C);
    }
    return TSL_OK;
}

/* Recursive: C in halves. */
tsl_status tsl_rank_2k_rec(tsl_context *x, const tsl_call *c)
{
    operands o = on_lower(c);
    int64_t h = tsl_half(x, c);
    tsl_part2 P = tsl_partition2(o.C, h, h);
    tsl_strips A = tsl_block_rows(o.A, 0, h), B = tsl_block_rows(o.B, 0, h); /* A1 above A2 */
    diagonal(x, c, A.A1, B.A1, c->beta, P.TL);
    aside(x, c, A.A2, B.A2, A.A1, B.A1, P.BL);
    diagonal(x, c, A.A2, B.A2, c->beta, P.BR);
    return TSL_OK;
}

/* Fused: one product of twice the inner size, C := [alpha A | conj(alpha) B] [B | A]^H + beta C, so that C is read and written
 * once. Pays where k is small and C is what moves. */
tsl_status tsl_rank_2k_fused(tsl_context *x, const tsl_call *c)
{
    operands o = on_lower(c);
    int64_t n = tsl_rows(o.A), k = tsl_cols(o.A);
    tsl_view L = tsl_temp(x, o.A, n, 2 * k), R = tsl_temp(x, o.A, n, 2 * k);
    tsl_part2 Lk = tsl_partition2(L, n, k), Rk = tsl_partition2(R, n, k);
    bool herm = tsl_is_hermitian(c->op), real = cimag(c->alpha) == 0;
    tsl_copy(x, o.A, Lk.TL);
    tsl_copy(x, o.B, Lk.TR);
    tsl_copy(x, o.B, Rk.TL);
    tsl_copy(x, o.A, Rk.TR);
    if (!real) {
        tsl_scale(x, c->alpha, Lk.TL);
        tsl_scale(x, herm ? conj(c->alpha) : c->alpha, Lk.TR);
    }
    return tsl_gemmt_of(x, herm, real ? c->alpha : 1, L, herm ? tsl_herm(R) : tsl_trans(R), c->beta, o.C);
}
