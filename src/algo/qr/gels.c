/* Least squares by QR: the X of least |A X - B| for an A with at least as many rows as columns, else the X of least |X| with A
 * X = B. */
#include "algo/qr/qr.h"
#include "core/pairs.h"
#include "core/values.h"

tsl_status tsl_gels_parts(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0], B = c->v[1];
    int64_t m = tsl_rows(A), n = tsl_cols(A), d = tsl_min(m, n), longest = tsl_max(m, n);
    if (tsl_cols(B) == 0) return TSL_OK;
    double a = d ? tsl_bring_into_range(x, A) : 0;
    if (a == 0) return tsl_scale(x, 0, B), TSL_OK;
    double b = tsl_bring_into_range(x, tsl_block_rows(B, 0, m).A1);
    bool over = m > n || (m == n && !(A.op & TSL_TRANS)); /* a square one is factored as it is stored */
    tsl_view F = over ? A : tsl_herm(A), R = tsl_upper(tsl_sub(F, 0, 0, d, d)),
             tau = tsl_temp_of(x, F, TSL_PER_COLUMN, TSL_OF_TYPE, d, 1);
    tsl_view X = tsl_block_rows(B, 0, n).A1, Y = tsl_block_rows(B, 0, longest).A1;
    /* F := Q R, A or A^H */                    tsl_geqrf(x, F, tau);
    if (over) {
        /* B := Q^H B */                        tsl_ormqr(x, TSL_LEFT, TSL_HERM, F, tau, Y);
        if (!tsl_invertible(x, R)) return TSL_OK;
        /* X := inv(R) B1 */                    tsl_trsm(x, TSL_LEFT, 1, R, X);
    } else {
        if (!tsl_invertible(x, R)) return TSL_OK;
        tsl_strips S = tsl_block_rows(Y, 0, m);
        /* X1 := inv(R)^H B */                  tsl_trsm(x, TSL_LEFT, 1, tsl_herm(R), S.A1);
        /* X2 := 0 */                           tsl_scale(x, 0, S.A2);
        /* X := Q X */                          tsl_ormqr(x, TSL_LEFT, TSL_NOTRANS, F, tau, Y);
    }
    /* X as A and B were: (a A) X = b B */      tsl_scale(x, b ? a / b : 1, X);
    return TSL_OK;
}

/* The same by incremental QR, for an A with at least as many rows as columns */
tsl_status tsl_gels_inc_parts(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0], B = c->v[1];
    int64_t m = tsl_rows(A), n = tsl_cols(A), nb = tsl_min(tsl_max(1, m), tsl_panel(x, c)), ib = tsl_inner_panel(nb), pairs = tsl_pairs(m, n, nb);
    if (tsl_cols(B) == 0) return TSL_OK;
    double a = n ? tsl_bring_into_range(x, A) : 0;
    if (a == 0) return tsl_scale(x, 0, B), TSL_OK;
    double b = tsl_bring_into_range(x, B);
    tsl_view T = tsl_temp_of(x, A, TSL_IN_PANELS, TSL_OF_TYPE, ib, pairs * nb),
             tau = tsl_temp_of(x, A, TSL_COLUMNS_APART, TSL_OF_TYPE, nb, pairs);
    tsl_view R = tsl_upper(tsl_sub(A, 0, 0, n, n)), X = tsl_block_rows(B, 0, n).A1;
    /* A, T, tau := QR of A */                  tsl_geqrf_inc(x, A, T, tau);
    /* B := Q^H B */                            tsl_ormqr_inc(x, TSL_HERM, A, T, tau, B);
    if (!tsl_invertible(x, R)) return TSL_OK;
    /* X := inv(R) B1 */                        tsl_trsm(x, TSL_LEFT, 1, R, X);
    /* X as A and B were: (a A) X = b B */      tsl_scale(x, b ? a / b : 1, X);
    return TSL_OK;
}
