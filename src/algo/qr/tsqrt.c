/* A pair of tiles in incremental QR, by operations on one block. n columns of the pair are eliminated, in panels of ib. Of the
 * upper tile, a triangle, a panel has ib rows, those below are zero in it; so are its reflectors there: Y = [I; V], with V in
 * the lower tile. */
#include "algo/qr/qr.h"
#include "core/values.h"

/* [C1; C2] := (I - Y T Y^H) [C1; C2]; W has room for Y^H C, E is the identity */
static void reflect(tsl_context *x, tsl_view V, tsl_view T, tsl_view C1, tsl_view C2, tsl_view W, tsl_view E)
{
    int64_t w = tsl_cols(V);
    W = tsl_sub(W, 0, 0, w, tsl_cols(C1));
    /* W := C1 + V^H C2 */                      tsl_copy(x, C1, W);
                                                tsl_gemm(x, 1, tsl_herm(V), C2, 1, W);
    /* W := T W */                              tsl_trmm(x, TSL_LEFT, 1, T, W);
    /* C1 := C1 - W */                          tsl_gemm(x, -1, tsl_sub(E, 0, 0, w, w), W, 1, C1);
    /* C2 := C2 - V W */                        tsl_gemm(x, -1, V, W, 1, C2);
}

static tsl_view identity(tsl_context *x, tsl_view like, int64_t n)
{
    tsl_view E = tsl_temp(x, like, n, n);
    tsl_scale(x, 0, E);
    tsl_expand(x, TSL_TRIANGULAR, tsl_unit(tsl_lower(E)), E);
    return E;
}

tsl_status tsl_tsqrt_panels(tsl_context *x, const tsl_call *c)
{
    tsl_view U = c->v[0], T = c->v[1], tau = c->v[2], A = c->v[3];
    int64_t m = tsl_rows(A), n = tsl_cols(A), ib = tsl_min(tsl_rows(T), n);
    tsl_view P = tsl_temp(x, A, ib + m, ib), Y = tsl_temp(x, A, ib + m, ib), W = tsl_temp(x, A, ib, n), E = identity(x, A, ib);
    /* zeros where T has nothing */             tsl_scale(x, 0, T);
    for (int64_t k = 0; k < n; k += ib) {
        tsl_strips C = tsl_block_cols(A, k, ib), R = tsl_block_cols(tsl_block_rows(U, k, ib).A1, k, ib); /* the panel A1, what is after it A2 */
        int64_t w = tsl_cols(C.A1);
        tsl_view S = tsl_sub(P, 0, 0, w + m, w), T1 = tsl_sub(T, 0, k, w, w);
        tsl_strips B = tsl_block_rows(S, 0, w); /* A1 above A2 */
        /* S := [U1; A1] */                     tsl_expand(x, TSL_TRIANGULAR, tsl_upper(R.A1), B.A1);
                                                tsl_copy(x, C.A1, B.A2);
        /* S = Q R */
        tsl_factor_panel(x, S, tsl_block_rows(tau, k, w).A1, T1, tsl_sub(Y, 0, 0, w + m, w), false);
        /* U1 := R, A1 := V */                  tsl_copy(x, tsl_upper(B.A1), tsl_upper(R.A1));
                                                tsl_copy(x, B.A2, C.A1);
        /* [U2; A2] := Q^H [U2; A2] */          reflect(x, C.A1, tsl_herm(tsl_upper(T1)), R.A2, C.A2, W, E);
    }
    return TSL_OK;
}

/* From the first panel on of the conjugate transpose, else from the last */
tsl_status tsl_tsmqr_panels(tsl_context *x, const tsl_call *c)
{
    tsl_view V = c->v[0], T = c->v[1], B1 = c->v[2], B2 = c->v[3];
    bool inverse = c->trans != TSL_NOTRANS;
    int64_t n = tsl_cols(V), ib = tsl_min(tsl_rows(T), n);
    tsl_view W = tsl_temp(x, V, ib, tsl_cols(B1)), E = identity(x, V, ib);
    for (int64_t at = 0; at < n; at += ib) {
        int64_t k = inverse ? at : (n - 1 - at) / ib * ib;
        tsl_view V1 = tsl_block_cols(V, k, ib).A1, T1 = tsl_upper(tsl_sub(T, 0, k, tsl_cols(V1), tsl_cols(V1)));
        reflect(x, V1, inverse ? tsl_herm(T1) : T1, tsl_block_rows(B1, k, ib).A1, B2, W, E);
    }
    return TSL_OK;
}
