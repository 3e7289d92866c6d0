/* A general matrix to Hessenberg form, A = Q H Q^H, by panels of columns. Reflectors of a panel are Q1 = I - V T V^H; A becomes
 * Q1^H A Q1: of the panel's own columns, and of Y = A V T in the rows below them, the leaf has done that. */
#include "algo/qr/qr.h"
#include "core/values.h"

tsl_status tsl_gehrd_panels(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0], tau = c->v[1];
    int64_t n = tsl_rows(A), end = c->schur.first + c->schur.order, last = end - 1; /* there is a reflector for each column before the last of the block */
    int64_t most = tsl_leaf_order(x, &(tsl_call){.op = TSL_OP_LAHR2, .v = {A, tau}}), nb = tsl_min(tsl_max(1, n), tsl_min(most, tsl_panel(x, c)));
    tsl_view V = tsl_temp(x, A, n, nb), Y = tsl_temp(x, A, n, nb), T = tsl_temp(x, A, nb, nb), W = tsl_temp(x, A, nb, n);
    /* factors that are not used */             tsl_laset(x, 0, 0, tau);
    for (int64_t k = c->schur.first, b; k < last; k += b) {
        b = tsl_min(nb, last - k);
        int64_t top = k + 1, below = end - top, right = end - k - b, all = n - k - b;
        tsl_view T1 = tsl_sub(T, 0, 0, b, b), V1 = tsl_sub(V, 0, 0, below, b), V2 = tsl_sub(V, b - 1, 0, right, b);
        tsl_view Y0 = tsl_sub(Y, 0, 0, top, b), Y1 = tsl_sub(Y, top, 0, below, b), above = tsl_sub(A, 0, top, top, below);
        /* [A1, tau, T, V, Y] := its panel */
        tsl_lahr2(x, tsl_sub(A, top, k, below, below + 1), tsl_sub(tau, k, 0, b, 1), T1, V1, Y1);
        /* Y0 := A0 V T */                      tsl_gemm(x, 1, above, V1, 0, Y0);
                                                tsl_trmm(x, TSL_RIGHT, 1, tsl_upper(T1), Y0);
        /* A0 := A0 - Y0 V^H */                 tsl_gemm(x, -1, Y0, tsl_herm(V1), 1, above);
        /* A2 := A2 - Y1 V2^H */                tsl_gemm(x, -1, Y1, tsl_herm(V2), 1, tsl_sub(A, top, k + b, below, right));
        /* A2 := Q1^H A2 */
        if (all > 0) tsl_reflect(x, V1, tsl_herm(tsl_upper(T1)), tsl_sub(A, top, k + b, below, all), tsl_sub(W, 0, 0, b, all));
    }
    return TSL_OK;
}
