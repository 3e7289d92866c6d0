/* Cholesky factorization: A = L L^H. */
#include "algo/algo.h"

/* Right-looking: each block column of L is computed, then leaves all of A behind it. */
tsl_status tsl_potrf_1(tsl_context *x, const tsl_call *c)
{
    tsl_view A = tsl_as_lower(c->v[0]);
    int64_t n = tsl_rows(A), nb = tsl_panel(x, c);
    for (int64_t k = 0; k < n; k += nb) {
        tsl_part3 P = tsl_partition(A, k, nb);
        /* A11 := chol(A11) */              tsl_potrf(x, P.A11, NULL);
        /* A21 := A21 inv(tril(A11))^H */   tsl_trsm(x, TSL_RIGHT, 1, tsl_herm(tsl_lower(P.A11)), P.A21);
        /* A22 := A22 - A21 A21^H */        tsl_herk(x, -1, P.A21, 1, tsl_lower(P.A22));
    }
    return TSL_OK;
}

/* Bordered: A00 holds its factor already; each block row of L is solved for with it. */
tsl_status tsl_potrf_2(tsl_context *x, const tsl_call *c)
{
    tsl_view A = tsl_as_lower(c->v[0]);
    int64_t n = tsl_rows(A), nb = tsl_panel(x, c);
    for (int64_t k = 0; k < n; k += nb) {
        tsl_part3 P = tsl_partition(A, k, nb);
        /* A10 := A10 inv(tril(A00))^H */   tsl_trsm(x, TSL_RIGHT, 1, tsl_herm(tsl_lower(P.A00)), P.A10);
        /* A11 := A11 - A10 A10^H */        tsl_herk(x, -1, P.A10, 1, tsl_lower(P.A11));
        /* A11 := chol(A11) */              tsl_potrf(x, P.A11, NULL);
    }
    return TSL_OK;
}

/* Left-looking: each block column of A receives all of L before it, then is factored. What is before it is read once a column,
 * so the columns are as wide as there is room for. */
tsl_status tsl_potrf_3(tsl_context *x, const tsl_call *c)
{
    tsl_view A = tsl_as_lower(c->v[0]);
    int64_t n = tsl_rows(A), nb;
    for (int64_t k = 0; k < n; k += nb) {
        nb = tsl_panel_from(x, c, k);
        tsl_part3 P = tsl_partition(A, k, nb);
        /* A11 := A11 - A10 A10^H */        tsl_herk(x, -1, P.A10, 1, tsl_lower(P.A11));
        /* A11 := chol(A11) */              tsl_potrf(x, P.A11, NULL);
        /* A21 := A21 - A20 A10^H */        tsl_gemm(x, -1, P.A20, tsl_herm(P.A10), 1, P.A21);
        /* A21 := A21 inv(tril(A11))^H */   tsl_trsm(x, TSL_RIGHT, 1, tsl_herm(tsl_lower(P.A11)), P.A21);
    }
    return TSL_OK;
}

/* By halves: most of the work is two products as wide as half of A. */
tsl_status tsl_potrf_wide(tsl_context *x, const tsl_call *c)
{
    tsl_view A = tsl_as_lower(c->v[0]);
    int64_t h = tsl_half(x, c);
    tsl_part2 P = tsl_partition2(A, h, h);
    /* A11 := chol(A11) */                  tsl_potrf(x, tsl_lower(P.TL), NULL);
    /* A21 := A21 inv(tril(A11))^H */       tsl_trsm(x, TSL_RIGHT, 1, tsl_herm(tsl_lower(P.TL)), P.BL);
    /* A22 := A22 - A21 A21^H */            tsl_herk(x, -1, P.BL, 1, tsl_lower(P.BR));
    /* A22 := chol(A22) */                  tsl_potrf(x, tsl_lower(P.BR), NULL);
    return TSL_OK;
}

/* The left-looking one for a batch, whose leaf takes off what is to the left of a diagonal block itself. */
tsl_status tsl_potrf_batch(tsl_context *x, const tsl_call *c)
{
    tsl_view A = tsl_as_lower(c->v[0]);
    int64_t n = tsl_rows(A), nb = tsl_panel(x, c);
    for (int64_t k = 0; k < n; k += nb) {
        tsl_part3 P = tsl_partition(A, k, nb);
        /* A11 := chol(A11 - A10 A10^H) */  tsl_potrf_after(x, k, tsl_lower(P.A11));
        /* A21 := A21 - A20 A10^H */        tsl_gemm(x, -1, P.A20, tsl_herm(P.A10), 1, P.A21);
        /* A21 := A21 inv(tril(A11))^H */   tsl_trsm(x, TSL_RIGHT, 1, tsl_herm(tsl_lower(P.A11)), P.A21);
    }
    return TSL_OK;
}

/* Factors a tall panel: with A1 its square top, A1 = L1 L1^H, and A2 := A2 inv(L1)^H below; by halves of its columns, so that
 * the whole height is worked on at once. */
static void panel(tsl_context *x, tsl_view A, int64_t leaf)
{
    int64_t n = tsl_cols(A), h = n <= leaf ? n : leaf;
    while (n > leaf && 2 * h < n) h *= 2;
    tsl_part2 P = tsl_partition2(A, h, h);
    if (n <= leaf) {
        /* A1 := chol(A1) */                tsl_potrf(x, tsl_lower(P.TL), NULL);
        /* A2 := A2 inv(tril(A1))^H */      tsl_trsm(x, TSL_RIGHT, 1, tsl_herm(tsl_lower(P.TL)), P.BL);
        return;
    }
    tsl_strips L = tsl_block_rows(P.BL, 0, n - h), R = tsl_block_rows(P.BR, 0, n - h);
    panel(x, tsl_block_cols(A, 0, h).A1, leaf);
    /* R1 := R1 - L1 L1^H */                tsl_herk(x, -1, L.A1, 1, tsl_lower(R.A1));
    /* R2 := R2 - L2 L1^H */                tsl_gemm(x, -1, L.A2, tsl_herm(L.A1), 1, R.A2);
    panel(x, P.BR, leaf);
}

/* The same, with the square top factored by the host's cores; what is below it follows at once. */
static void panel_by_host(tsl_context *x, tsl_view A, int64_t leaf)
{
    (void)leaf;
    tsl_part2 P = tsl_partition2(A, tsl_cols(A), tsl_cols(A));
    /* A1 := chol(A1) */                    tsl_by_host(x, &(tsl_call){.op = TSL_OP_POTRF, .v = {tsl_lower(P.TL)}});
    /* A2 := A2 inv(tril(A1))^H */          tsl_trsm(x, TSL_RIGHT, 1, tsl_herm(tsl_lower(P.TL)), P.BL);
}

/* Right-looking, with the next panel updated and factored on its own lane while the rest of A22 is updated on the main one.
 * At each meeting the main lane has applied all panels before k to A22, and the ahead lane has factored panel k. When a leaf
 * takes the rest whole, being of an order up to `whole`, it does: towards the end panels take longer than what hides them. */
static tsl_status ahead(tsl_context *x, const tsl_call *c, tsl_view A, int64_t whole, void (*factor)(tsl_context *x, tsl_view A, int64_t leaf))
{
    int64_t n = tsl_rows(A), nb = tsl_panel_ahead(x, c, 0), leaf = tsl_leaf_order(x, c), next;
    tsl_meet(x, c);
    for (int64_t k = 0; k < n; k += nb, nb = next) {
        tsl_part3 P = tsl_partition(A, k, nb);
        if (k > 0 && n - k <= whole) {
            tsl_meet(x, c);
            /* A11 := chol(A11), all that is left */ tsl_potrf(x, tsl_partition(A, k, n - k).A11, NULL);
            break;
        }
        tsl_on(x, TSL_ON_AHEAD);
        /* [A11; A21] := their columns of L */
        factor(x, tsl_block_cols(tsl_block_rows(A, k, n).A1, k, nb).A1, leaf);
        /* L = A21, R = L^H */
        tsl_view L21 = tsl_for_rows(x, P.A21, P.A22), R12 = tsl_for_cols(x, tsl_herm(L21), P.A22);
        tsl_meet(x, c);
        next = tsl_panel_ahead(x, c, k + nb);
        tsl_part3 N = tsl_partition(P.A22, 0, next);
        tsl_strips L = tsl_block_rows(L21, 0, next), R = tsl_block_cols(R12, 0, next);
        /* N11 := N11 - L1 L1^H */          tsl_herk(x, -1, L.A1, 1, tsl_lower(N.A11));
        /* N21 := N21 - L2 R1 */            tsl_gemm(x, -1, L.A2, R.A1, 1, N.A21);
        tsl_on(x, TSL_ON_MAIN);
        /* N22 := N22 - L2 L2^H */          tsl_herk(x, -1, L.A2, 1, tsl_lower(N.A22));
    }
    tsl_meet(x, c);
    return TSL_OK;
}

tsl_status tsl_potrf_ahead(tsl_context *x, const tsl_call *c) { return ahead(x, c, tsl_as_lower(c->v[0]), tsl_leaf_whole(x, c), panel); }

/* All diagonal blocks by the host's cores, while the device updates. */
tsl_status tsl_potrf_hybrid(tsl_context *x, const tsl_call *c)
{
    tsl_view A = tsl_padded_in(x, c->v[0]);
    tsl_status st = ahead(x, c, tsl_as_lower(A), 0, panel_by_host);
    tsl_padded_out(x, A, c->v[0]);
    return st;
}
