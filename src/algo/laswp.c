/* Exchanges of rows, A := P(p) A: of some columns at a time, or by some of the exchanges. */
#include "algo/algo.h"

tsl_status tsl_laswp_cols(tsl_context *x, const tsl_call *c)
{
    tsl_call part = *c;
    int64_t n = tsl_cols(c->v[0]), nb = tsl_panel(x, c);
    for (int64_t k = 0; k < n; k += nb) {
        part.v[0] = tsl_block_cols(c->v[0], k, nb).A1;
        /* A1 := P(p) A1 */                     tsl_execute(x, &part);
    }
    return TSL_OK;
}

/* Exchange i concerns row i and another, which may be above the rows a step begins with: they are of the same array. */
tsl_status tsl_laswp_steps(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0], p = c->v[1];
    tsl_call part = *c;
    int64_t count = tsl_rows(p), nb = tsl_panel(x, c);
    for (int64_t s = 0; s < count; s += nb) {
        int64_t k = c->backward ? (count - 1 - s) / nb * nb : s;
        part.first = c->first + k;
        part.v[0] = tsl_block_rows(A, k, tsl_rows(A)).A1;
        part.v[1] = tsl_block_rows(p, k, nb).A1;
        /* A(k:) := P(p1) A(k:) */              tsl_execute(x, &part);
    }
    return TSL_OK;
}
