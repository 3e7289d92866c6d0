/* A triangle times itself, in place: A := L^H L, the lower triangle of it. */
#include "algo/algo.h"

/* Each block row of L joins the product of the rows above it. */
tsl_status tsl_lauum_sweep(tsl_context *x, const tsl_call *c)
{
    tsl_view A = tsl_as_lower(c->v[0]);
    int64_t n = tsl_rows(A), nb = tsl_panel(x, c);
    for (int64_t k = 0; k < n; k += nb) {
        tsl_part3 P = tsl_partition(A, k, nb);
        /* A00 := A00 + A10^H A10 */        tsl_herk(x, 1, tsl_herm(P.A10), 1, P.A00);
        /* A10 := A11^H A10 */              tsl_trmm(x, TSL_LEFT, 1, tsl_herm(P.A11), P.A10);
        /* A11 := A11^H A11 */              tsl_lauum(x, P.A11);
    }
    return TSL_OK;
}

/* By halves */
tsl_status tsl_lauum_wide(tsl_context *x, const tsl_call *c)
{
    tsl_view A = tsl_as_lower(c->v[0]);
    int64_t h = tsl_half(x, c);
    tsl_part2 P = tsl_partition2(A, h, h);
    /* A11 := A11^H A11 */                  tsl_lauum(x, P.TL);
    /* A11 := A11 + A21^H A21 */            tsl_herk(x, 1, tsl_herm(P.BL), 1, P.TL);
    /* A21 := A22^H A21 */                  tsl_trmm(x, TSL_LEFT, 1, tsl_herm(P.BR), P.BL);
    /* A22 := A22^H A22 */                  tsl_lauum(x, P.BR);
    return TSL_OK;
}
