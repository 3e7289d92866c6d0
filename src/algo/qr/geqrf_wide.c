/* QR for products by residues, which pay the more the wider they are. */
#include "algo/qr/qr.h"
#include "core/values.h"

/* Blocks of columns as wide as such products want them: each is factored as a matrix of its own, and all its reflectors are
 * applied at once. Their triangle takes more products than those of narrow panels, which is what limits the width. */
tsl_status tsl_geqrf_wide(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0], tau = c->v[1];
    int64_t m = tsl_rows(A), n = tsl_cols(A), d = tsl_min(m, n), w = tsl_min(d, tsl_wide_panel(x, c));
    tsl_view Y = tsl_temp_of(x, A, TSL_ALONG_ROWS, TSL_OF_TYPE, m, w), T = tsl_temp_of(x, A, TSL_IN_ONE, TSL_OF_TYPE, w, w);
    tsl_view W = tsl_temp_of(x, A, TSL_ALONG_COLS, TSL_OF_TYPE, w, n);
    for (int64_t k = 0; k < d; k += w) {
        int64_t b = tsl_min(w, d - k);
        tsl_strips S = tsl_block_cols(tsl_block_rows(A, k, m - k).A1, k, b); /* the block A1, the columns after it A2 */
        tsl_view t = tsl_block_rows(tau, k, b).A1, Y1 = tsl_sub(Y, k, 0, m - k, b), T1 = tsl_upper(tsl_sub(T, 0, 0, b, b));
        /* A1 := Q1 R1 */                       tsl_geqrf(x, S.A1, t);
        if (tsl_cols(S.A2) == 0) break;
        /* Y := its reflectors */               tsl_write_out(x, S.A1, Y1);
        /* T := Y^H Y */                        tsl_herk(x, 1, tsl_herm(Y1), 0, T1);
        /* T := the triangle of Y and tau */    tsl_larft(x, tsl_sub(T, 0, 0, b, b), t);
        /* A2 := Q1^H A2 */                     tsl_reflect(x, Y1, tsl_herm(T1), S.A2, tsl_sub(W, 0, k + b, b, n - k - b));
    }
    return TSL_OK;
}
