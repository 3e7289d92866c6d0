/* C := alpha A B + beta C with A symmetric or Hermitian, a triangle of it stored. From the right, C := alpha B A + beta C, it
 * is the same of the transposes: C^T := alpha A^T B^T + beta C^T. */
#include "algo/algo.h"

typedef struct operands { tsl_view A, B, C; } operands;

static operands from_left(const tsl_call *c)
{
    operands o = {c->v[0], c->v[1], c->v[2]};
    if (c->side == TSL_RIGHT) o = (operands){tsl_trans(o.A), tsl_trans(o.B), tsl_trans(o.C)};
    return o;
}

/* The mirror image of an off-diagonal block. */
static tsl_view mirror(const tsl_call *c, tsl_view A) { return tsl_is_hermitian(c->op) ? tsl_herm(A) : tsl_trans(A); }

static void diagonal(tsl_context *x, const tsl_call *c, tsl_view A, tsl_view B, tsl_scalar beta, tsl_view C)
{
    tsl_execute(x, &(tsl_call){.op = c->op, .side = TSL_LEFT, .alpha = c->alpha, .beta = beta, .v = {A, B, C}});
}

/* Matrix-panel: columns of B and C. */
tsl_status tsl_symm_mp(tsl_context *x, const tsl_call *c)
{
    operands o = from_left(c);
    int64_t n = tsl_cols(o.C), nb = tsl_panel(x, c);
    for (int64_t k = 0; k < n; k += nb) {
        tsl_strips B = tsl_block_cols(o.B, k, nb), C = tsl_block_cols(o.C, k, nb);
        /* C1 := alpha A B1 + beta C1 */    diagonal(x, c, o.A, B.A1, c->beta, C.A1);
    }
    return TSL_OK;
}

/* Panel-matrix: rows of C, each from a whole row of A. */
tsl_status tsl_symm_pm(tsl_context *x, const tsl_call *c)
{
    operands o = from_left(c);
    bool lower = tsl_triangle(o.A) == TSL_LOWER;
    int64_t m = tsl_rows(o.C), nb = tsl_panel(x, c);
    for (int64_t k = 0; k < m; k += nb) {
        tsl_part3 P = tsl_partition(o.A, k, nb);
        tsl_strips B = tsl_block_rows(o.B, k, nb), C = tsl_block_rows(o.C, k, nb);
        tsl_view A10 = lower ? P.A10 : mirror(c, P.A01), A12 = lower ? mirror(c, P.A21) : P.A12;
        /* C1 := alpha A11 B1 + beta C1 */  diagonal(x, c, P.A11, B.A1, c->beta, C.A1);
        /* C1 := alpha A10 B0 + C1 */       tsl_gemm(x, c->alpha, A10, B.A0, 1, C.A1);
        /* C1 := alpha A12 B2 + C1 */       tsl_gemm(x, c->alpha, A12, B.A2, 1, C.A1);
    }
    return TSL_OK;
}

/* Panel-panel: a block column of A times a row panel of B updates all of C. */
tsl_status tsl_symm_pp(tsl_context *x, const tsl_call *c)
{
    operands o = from_left(c);
    bool lower = tsl_triangle(o.A) == TSL_LOWER;
    int64_t m = tsl_rows(o.C), nb = tsl_panel(x, c);
    tsl_scale(x, c->beta, o.C);
    for (int64_t k = 0; k < m; k += nb) {
        tsl_part3 P = tsl_partition(o.A, k, nb);
        tsl_strips B = tsl_block_rows(o.B, k, nb), C = tsl_block_rows(o.C, k, nb);
        tsl_view A01 = lower ? mirror(c, P.A10) : P.A01, A21 = lower ? P.A21 : mirror(c, P.A12);
        /* C0 := alpha A01 B1 + C0 */       tsl_gemm(x, c->alpha, A01, B.A1, 1, C.A0);
        /* C1 := alpha A11 B1 + C1 */       diagonal(x, c, P.A11, B.A1, 1, C.A1);
        /* C2 := alpha A21 B1 + C2 */       tsl_gemm(x, c->alpha, A21, B.A1, 1, C.A2);
    }
    return TSL_OK;
}

/* Recursive: A in halves. */
tsl_status tsl_symm_rec(tsl_context *x, const tsl_call *c)
{
    operands o = from_left(c);
    bool lower = tsl_triangle(o.A) == TSL_LOWER;
    int64_t h = tsl_half(x, c);
    tsl_part2 P = tsl_partition2(o.A, h, h);
    tsl_strips B = tsl_block_rows(o.B, 0, h), C = tsl_block_rows(o.C, 0, h); /* A1 above A2 */
    tsl_view A21 = lower ? P.BL : mirror(c, P.TR), A12 = lower ? mirror(c, P.BL) : P.TR;
    /* C1 := alpha A11 B1 + beta C1 */      diagonal(x, c, P.TL, B.A1, c->beta, C.A1);
    /* C1 := alpha A12 B2 + C1 */           tsl_gemm(x, c->alpha, A12, B.A2, 1, C.A1);
    /* C2 := alpha A21 B1 + beta C2 */      tsl_gemm(x, c->alpha, A21, B.A1, c->beta, C.A2);
    /* C2 := alpha A22 B2 + C2 */           diagonal(x, c, P.BR, B.A2, 1, C.A2);
    return TSL_OK;
}
