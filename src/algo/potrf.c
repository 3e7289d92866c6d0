/* Cholesky factorization, right-looking: A = L L^H. */
#include "algo/algo.h"

/* An upper triangle holds U = L^H: seen through its conjugate transpose it is a lower one. */
static tsl_view as_lower(tsl_view A) { return tsl_triangle(A) == TSL_UPPER ? tsl_herm(A) : A; }

tsl_status tsl_potrf_plain(tsl_context *x, const tsl_call *c)
{
    tsl_view A = as_lower(c->v[0]);
    int64_t n = tsl_rows(A), nb = tsl_panel(x, c);
    for (int64_t k = 0; k < n; k += nb) {
        tsl_part3 P = tsl_partition(A, k, nb);
        /* A11 := chol(A11) */              tsl_potrf(x, P.A11, NULL);
        /* A21 := A21 inv(tril(A11))^H */   tsl_trsm(x, TSL_RIGHT, 1, tsl_herm(tsl_lower(P.A11)), P.A21);
        /* A22 := A22 - A21 A21^H */        tsl_herk(x, -1, P.A21, 1, tsl_lower(P.A22));
    }
    return TSL_OK;
}

/* The same, with the next panel updated and factored on its own lane while the rest of A22 is updated on the main one.
 * At each meeting the main lane has applied all panels before k to A22, and the ahead lane has factored panel k. */
tsl_status tsl_potrf_ahead(tsl_context *x, const tsl_call *c)
{
    tsl_view A = as_lower(c->v[0]);
    int64_t n = tsl_rows(A), nb = tsl_panel(x, c);
    tsl_meet(x);
    for (int64_t k = 0; k < n; k += nb) {
        tsl_part3 P = tsl_partition(A, k, nb);
        tsl_on(x, TSL_ON_AHEAD);
        /* A11 := chol(A11) */              tsl_potrf(x, P.A11, NULL);
        /* A21 := A21 inv(tril(A11))^H */   tsl_trsm(x, TSL_RIGHT, 1, tsl_herm(tsl_lower(P.A11)), P.A21);
        tsl_meet(x);
        tsl_part3 N = tsl_partition(P.A22, 0, nb);
        tsl_strips S = tsl_block_rows(P.A21, 0, nb);
        /* N11 := N11 - S1 S1^H */          tsl_herk(x, -1, S.A1, 1, tsl_lower(N.A11));
        /* N21 := N21 - S2 S1^H */          tsl_gemm(x, -1, S.A2, tsl_herm(S.A1), 1, N.A21);
        tsl_on(x, TSL_ON_MAIN);
        /* N22 := N22 - S2 S2^H */          tsl_herk(x, -1, S.A2, 1, tsl_lower(N.A22));
    }
    tsl_meet(x);
    return TSL_OK;
}
