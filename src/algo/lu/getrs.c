/* What the factors P A = L U are for: solutions of A X = B, A^T X = B, A^H X = B, and the inverse. */
#include "algo/lu/lu.h"

void tsl_divide_by_factors(tsl_context *x, tsl_view A, tsl_view B)
{
    /* B := inv(L) B */                         tsl_trsm(x, TSL_LEFT, 1, tsl_unit_lower(A), B);
    /* B := inv(U) B */                         tsl_trsm(x, TSL_LEFT, 1, tsl_upper(A), B);
}

tsl_status tsl_getrs_parts(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0], p = c->v[1], B = c->v[2];
    if (A.op & TSL_TRANS) { /* seen so, U is below and L above: A^T = U^T L^T P */
        /* B := inv(U)^T B */                   tsl_trsm(x, TSL_LEFT, 1, tsl_lower(A), B);
        /* B := inv(L)^T B */                   tsl_trsm(x, TSL_LEFT, 1, tsl_unit(tsl_upper(A)), B);
        /* B := P^T B */                        tsl_laswp(x, B, p, true);
        return TSL_OK;
    }
    /* B := P B */                              tsl_exchange(x, B, p, 0);
    /* B := inv(U) inv(L) B */                  tsl_divide_by_factors(x, A, B);
    return TSL_OK;
}

/* B is touched only if U has no zero on its diagonal. */
tsl_status tsl_gesv_parts(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0], p = c->v[1], B = c->v[2];
    /* A, p := LU of A */                       tsl_getrf(x, A, p, NULL);
    if (!tsl_good_so_far(x)) return TSL_OK;
    /* B := inv(A) B */                         tsl_getrs(x, A, p, B);
    return TSL_OK;
}

/* inv(A) = inv(U) inv(L) P, in place: the columns of L are taken out, from the last panel on, as those of X = inv(U) inv(L)
 * come in. */
static tsl_status invert(tsl_context *x, const tsl_call *c, int64_t nb)
{
    tsl_view A = c->v[0], p = c->v[1];
    int64_t n = tsl_rows(A);
    if (!tsl_invertible(x, tsl_upper(A))) return TSL_OK;
    /* U := inv(U) */                           tsl_inverse(x, tsl_upper(A));
    tsl_view W = tsl_temp(x, A, n, nb);
    for (int64_t at = 0; at < n; at += nb) {
        int64_t k = (n - 1 - at) / nb * nb;
        tsl_strips C = tsl_block_cols(A, k, nb);
        tsl_view L = tsl_block_cols(W, 0, tsl_cols(C.A1)).A1, below = tsl_block_rows(L, k, n).A1;
        tsl_strips S = tsl_block_rows(tsl_block_rows(C.A1, k, n).A1, 0, tsl_cols(C.A1)), T = tsl_block_rows(below, 0, tsl_cols(C.A1));
        /* T1 := L11 */                         tsl_copy(x, tsl_lower(S.A1), tsl_lower(T.A1));
        /* T2 := L21 */                         tsl_copy(x, S.A2, T.A2);
        /* X1 := U11 above zeros */             tsl_expand(x, TSL_TRIANGULAR, tsl_upper(S.A1), S.A1);
                                                tsl_scale(x, 0, S.A2);
        /* X1 := X1 - X2 L21 */                 tsl_gemm(x, -1, C.A2, T.A2, 1, C.A1);
        /* X1 := X1 inv(L11) */                 tsl_trsm(x, TSL_RIGHT, 1, tsl_unit_lower(T.A1), C.A1);
    }
    /* A := X P: its columns exchanged */       tsl_laswp(x, tsl_trans(A), p, true);
    return TSL_OK;
}

tsl_status tsl_getri_parts(tsl_context *x, const tsl_call *c) { return invert(x, c, tsl_panel(x, c)); }
tsl_status tsl_getri_wide(tsl_context *x, const tsl_call *c) { return invert(x, c, tsl_wide_panel(x, c)); }

/* A X = I: more work, but it goes column by column, and no column is exchanged with another. */
tsl_status tsl_getri_solve(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0], p = c->v[1];
    int64_t n = tsl_rows(A), nb = tsl_panel(x, c);
    if (!tsl_invertible(x, tsl_upper(A))) return TSL_OK;
    tsl_view X = tsl_temp(x, A, n, n);
    /* X := 0 */                                tsl_scale(x, 0, X);
    for (int64_t k = 0; k < n; k += nb) {
        tsl_part3 P = tsl_partition(X, k, nb);
        /* X11 := I */                          tsl_expand(x, TSL_TRIANGULAR, tsl_unit_lower(P.A11), P.A11);
    }
    /* X := inv(A) X */                         tsl_getrs(x, A, p, X);
    /* A := X */                                tsl_copy(x, X, A);
    return TSL_OK;
}

/* Of small problems, many at once: X = inv(U) inv(L) P */
tsl_status tsl_getri_batch(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0], p = c->v[1], X = tsl_temp(x, A, tsl_rows(A), tsl_rows(A));
    if (!tsl_invertible(x, tsl_upper(A))) return TSL_OK;
    /* X := P */                                tsl_laset(x, 0, 1, X);
                                                tsl_exchange(x, X, p, 0);
    /* X := inv(U) inv(L) X */                  tsl_divide_by_factors(x, A, X);
    /* A := X */                                tsl_copy(x, X, A);
    return TSL_OK;
}
