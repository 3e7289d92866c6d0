/* To bidiagonal form, A = Q B P^H, by panels of columns and rows. What is left of A, less V Y^H + X U^H, is Q^H A P so far; it
 * is multiplied by two vectors for each column of a panel, and changed once for all of them. A wide A is the conjugate
 * transpose of a tall one. */
#include <math.h>

#include "algo/svd/bidiagonal.h"
#include "core/values.h"

static void reduce(tsl_context *x, const tsl_call *c, tsl_view A, tsl_view d, tsl_view e, tsl_view tauq, tsl_view taup)
{
    int64_t m = tsl_rows(A), n = tsl_cols(A), most = tsl_leaf_order(x, &(tsl_call){.op = TSL_OP_LABRD, .v = {A, d}}), nb = tsl_min(n, tsl_min(most, tsl_panel(x, c)));
    tsl_view L = tsl_temp(x, A, m, 2 * nb), R = tsl_temp(x, A, n, 2 * nb);
    int at = tsl_exponent_of(tsl_largest(x, TSL_TRIANGULAR, A));
    /* A := A / 2^at */     tsl_scale_by(x, -at, A);
    for (int64_t k = 0, b; k < n; k += b) {
        b = tsl_min(nb, n - k);
        tsl_view A1 = tsl_partition2(A, k, k).BR, L1 = tsl_sub(L, 0, 0, m - k, 2 * b), R1 = tsl_sub(R, 0, 0, n - k, 2 * b);
        tsl_view of[] = {tsl_sub(d, k, 0, b, 1), tsl_sub(e, k, 0, tsl_min(b, n - k - 1), 1), tsl_sub(tauq, k, 0, b, 1), tsl_sub(taup, k, 0, b, 1)};
        /* [A1, d, e, tauq, taup, L, R] := its panel */ tsl_labrd(x, ldexp(1, at), A1, of[0], of[1], of[2], of[3], L1, R1);
        /* A2 := A2 - [V X] [Y U]^H */
        if (k + b < n)
            tsl_gemm(x, -1, tsl_block_rows(L1, b, m - k - b).A1, tsl_herm(tsl_block_rows(R1, b, n - k - b).A1), 1,
                     tsl_partition2(A1, b, b).BR);
    }
}

tsl_status tsl_bidiagonal_by(tsl_context *x, const tsl_call *c, tsl_bidiagonal_method *by)
{
    tsl_view A = c->v[0], d = c->v[1], e = c->v[2], tauq = c->v[3], taup = c->v[4];
    int64_t m = tsl_rows(A), n = tsl_cols(A);
    if (m >= n) return by(x, c, A, d, e, tauq, taup), TSL_OK;
    tsl_view W = tsl_temp(x, A, n, m);
    /* W := A^H */      tsl_copy(x, tsl_herm(A), W);
    by(x, c, W, d, e, taup, tauq);
    /* A := W^H */      tsl_copy(x, tsl_herm(W), A);
    return TSL_OK;
}

tsl_status tsl_gebrd_panels(tsl_context *x, const tsl_call *c) { return tsl_bidiagonal_by(x, c, reduce); }
