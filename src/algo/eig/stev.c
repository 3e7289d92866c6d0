/* Eigenpairs of a real symmetric tridiagonal matrix: all, some by their numbers, or those with values in an interval. */
#include <math.h>

#include "algo/algo.h"
#include "core/values.h"

/* How many elements of w, ascending, are not above the bound; none of NaN. Waits. A dry run supposes them to be all the same */
static int64_t up_to(tsl_context *x, tsl_view w, double bound, double supposed)
{
    int64_t low = 0, high = tsl_rows(w);
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (tsl_read_one(x, tsl_sub(w, middle, 0, 1, 1), supposed) <= bound) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* The numbers of those with values in the interval; *w becomes all eigenvalues, a temporary column. */
static void find(tsl_context *x, const tsl_call *c, tsl_view *w, int64_t *first, int64_t *count)
{
    tsl_view d = c->v[1], e = c->v[2];
    int64_t n = tsl_rows(d);
    tsl_view f = tsl_temp(x, d, n, 1);
    *w = tsl_temp(x, d, n, 1);
    f = tsl_sub(f, 0, 0, n - 1, 1);
    tsl_copy(x, d, *w);
    tsl_copy(x, e, f);
    tsl_sterf(x, *w, f, NULL);
    *first = up_to(x, *w, c->eig.least, NAN);
    *count = tsl_max(0, up_to(x, *w, c->eig.most, -INFINITY) - *first);
}

tsl_status tsl_stev_parts(tsl_context *x, const tsl_call *c)
{
    tsl_view Z = c->v[0], d = c->v[1], e = c->v[2], w = c->v[3], values = d;
    int64_t n = tsl_rows(d), first = 0, count = n;
    if (c->eig.range == TSL_RANGE_INDEX) count = tsl_min(c->eig.count, n), first = tsl_min(c->eig.first, n - count); /* a dry run may be of fewer */
    if (c->eig.range == TSL_RANGE_VALUE) find(x, c, &values, &first, &count);
    if (tsl_is_dry(x) && tsl_cols(Z)) count = tsl_min(count, tsl_cols(Z)); /* it may be of fewer */
    if (c->results) c->results->count = count;
    if (tsl_cols(Z) && tsl_cols(Z) < count) return TSL_ERR_SHAPE;
    if (tsl_cols(Z) && count) {
        tsl_strips P = tsl_block_cols(Z, 0, count);
        /* T = P L P^T, d := L */ tsl_stedc(x, d, e, first, P.A1, NULL);
        tsl_scale(x, 0, P.A2);
    } else {
        if (c->eig.range != TSL_RANGE_VALUE) tsl_sterf(x, d, e, NULL);
        tsl_scale(x, 0, Z);
    }
    tsl_strips W = tsl_block_rows(w, 0, count);
    /* w := those of L that are wanted */ tsl_copy(x, tsl_block_rows(values, first, count).A1, W.A1);
    tsl_scale(x, 0, W.A2);
    return TSL_OK;
}
