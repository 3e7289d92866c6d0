/* Columns that column pivoting leaves in front. */
#include "algo/qr/qrp.h"
#include "core/values.h"

/* Columns 0..f: A1 = Q1 R1, A2 := Q1^H A2 */
static void factor_fixed(tsl_context *x, tsl_view A, tsl_view tau, int64_t f)
{
    tsl_strips C = tsl_block_cols(A, 0, f);
    int64_t steps = tsl_min(f, tsl_rows(A));
    tsl_view tau1 = tsl_sub(tau, 0, 0, steps, 1);
    /* A1 := Q1 R1 */           tsl_geqrf(x, C.A1, tau1);
    /* A2 := Q1^H A2 */         tsl_ormqr(x, TSL_LEFT, TSL_HERM, tsl_sub(C.A1, 0, 0, tsl_rows(A), steps), tau1, C.A2);
}

int64_t tsl_fixed_first(tsl_context *x, tsl_view A, tsl_view p, tsl_view tau, tsl_arrangement arrange)
{
    tsl_view count = tsl_temp_of(x, A, TSL_IN_ONE, TSL_OF_INDEX, 1, 1);
    /* p := fixed ones first */ tsl_fixed(x, p, count);
    int64_t f = (int64_t)tsl_read_one(x, count, (double)(tsl_min(tsl_rows(A), tsl_cols(A)) / 2));
    if (f > 0) {
        /* A := A P */          arrange(x, A, p, f);
        factor_fixed(x, A, tau, f);
    }
    return tsl_is_dry(x) ? 0 : f;
}
