/* Symmetric and Hermitian rank-k update: C := alpha A A^T + beta C, or with A^H, on a triangle of C. */
#include "algo/algo.h"

typedef struct operands { tsl_view A, C; } operands;

/* C is its own (conjugate) transpose, so an upper triangle is a lower one seen through it. */
static operands on_lower(const tsl_call *c)
{
    tsl_view C = c->v[1];
    if (tsl_triangle(C) == TSL_UPPER) C = tsl_is_hermitian(c->op) ? tsl_herm(C) : tsl_trans(C);
    return (operands){c->v[0], C};
}

static tsl_view turned(const tsl_call *c, tsl_view A) { return tsl_is_hermitian(c->op) ? tsl_herm(A) : tsl_trans(A); }

static void diagonal(tsl_context *x, const tsl_call *c, tsl_view A, tsl_scalar beta, tsl_view C)
{
    tsl_execute(x, &(tsl_call){.op = c->op, .alpha = c->alpha, .beta = beta, .v = {A, C}});
}

/* Matrix-panel: a block column of C at a time. */
tsl_status tsl_rank_k_mp(tsl_context *x, const tsl_call *c)
{
    operands o = on_lower(c);
    int64_t n = tsl_rows(o.C), nb = tsl_panel(x, c);
    for (int64_t k = 0; k < n; k += nb) {
        tsl_part3 P = tsl_partition(o.C, k, nb);
        tsl_strips A = tsl_block_rows(o.A, k, nb);
        /* C11 := alpha A1 A1^T + beta C11 */   diagonal(x, c, A.A1, c->beta, P.A11);
        /* C21 := alpha A2 A1^T + beta C21 */   tsl_gemm(x, c->alpha, A.A2, turned(c, A.A1), c->beta, P.A21);
    }
    return TSL_OK;
}

/* Panel-matrix: a block row of C at a time. */
tsl_status tsl_rank_k_pm(tsl_context *x, const tsl_call *c)
{
    operands o = on_lower(c);
    int64_t n = tsl_rows(o.C), nb = tsl_panel(x, c);
    for (int64_t k = 0; k < n; k += nb) {
        tsl_part3 P = tsl_partition(o.C, k, nb);
        tsl_strips A = tsl_block_rows(o.A, k, nb);
        /* C10 := alpha A1 A0^T + beta C10 */   tsl_gemm(x, c->alpha, A.A1, turned(c, A.A0), c->beta, P.A10);
        /* C11 := alpha A1 A1^T + beta C11 */   diagonal(x, c, A.A1, c->beta, P.A11);
    }
    return TSL_OK;
}

/* Panel-panel: columns of A, each updating all of C. */
tsl_status tsl_rank_k_pp(tsl_context *x, const tsl_call *c)
{
    operands o = on_lower(c);
    int64_t n = tsl_cols(o.A), nb = tsl_panel(x, c);
    for (int64_t k = 0; k < n; k += nb) {
        tsl_strips A = tsl_block_cols(o.A, k, nb);
        /* C := alpha A1 A1^T + C, and beta C the first time */
        diagonal(x, c, A.A1, k == 0 ? c->beta : 1, o.C);
    }
    return TSL_OK;
}

/* Recursive: C in halves. */
tsl_status tsl_rank_k_rec(tsl_context *x, const tsl_call *c)
{
    operands o = on_lower(c);
    int64_t h = tsl_half(x, c);
    tsl_part2 P = tsl_partition2(o.C, h, h);
    tsl_strips A = tsl_block_rows(o.A, 0, h); /* A1 above A2 */
    /* C11 := alpha A1 A1^T + beta C11 */       diagonal(x, c, A.A1, c->beta, P.TL);
    /* C21 := alpha A2 A1^T + beta C21 */       tsl_gemm(x, c->alpha, A.A2, turned(c, A.A1), c->beta, P.BL);
    /* C22 := alpha A2 A2^T + beta C22 */       diagonal(x, c, A.A2, c->beta, P.BR);
    return TSL_OK;
}
