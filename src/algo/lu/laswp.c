/* Exchanges of rows, A := P(p) A, some of them at a time. */
#include "algo/algo.h"

/* Exchange i concerns row i and another, which may be above the rows a step begins with: they are of the same array. */
tsl_status tsl_laswp_steps(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0], p = c->v[1];
    tsl_call part = *c;
    int64_t count = tsl_rows(p), nb = tsl_panel(x, c);
    for (int64_t s = 0; s < count; s += nb) {
        int64_t k = c->lu.backward ? (count - 1 - s) / nb * nb : s;
        part.lu.first = c->lu.first + k;
        part.lu.above = c->lu.above + k;
        part.v[0] = tsl_block_rows(A, k, tsl_rows(A)).A1;
        part.v[1] = tsl_block_rows(p, k, nb).A1;
        /* A(k:) := P(p1) A(k:) */              tsl_execute(x, &part);
    }
    return TSL_OK;
}
