/* The largest element of a tiled matrix: tile by tile, one after the other, since an executor has one word for a number. */
#include <math.h>

#include "tiled/tiled.h"

/* What the executors have in their words goes to the largest so far, and zeros to the words. NaN stays. */
static tsl_status collect(tsl_runtime *rt, double *most)
{
    static const double zero = 0;
    tsl_status st = TSL_OK;
    for (int s = 0; s < rt->sites && !st; ++s)
        for (int e = 0; e < rt->site[s].executors && !st; ++e) {
            tsl_context *on = rt->site[s].executor[e];
            double value = 0;
            st = tsl_read_word(on, &value, on->result, sizeof value);
            if (!st) st = tsl_copy_word(on, on->result, &zero, sizeof zero, TSL_TO_DEVICE);
            if (!(value <= *most) && !isnan(*most)) *most = value;
        }
    return st;
}

double tsl_tiled_largest(tsl_context *x, tsl_view A)
{
    const struct tsl_tiles *t = A.mat->tiles;
    double most = 0;
    A.op = TSL_NOTRANS;
    if (!x->dry && !x->failed) x->failed = tsl_runtime_quiet(x->runtime);
    if (!x->dry && !x->failed) x->failed = collect(x->runtime, &most);
    most = 0;
    for (int64_t j = 0, n; j < A.n; j += n) {
        n = tsl_min(A.n - j, t->nb - (A.j + j) % t->nb);
        for (int64_t i = 0, m; i < A.m; i += m) {
            m = tsl_min(A.m - i, t->mb - (A.i + i) % t->mb);
            tsl_execute(x, &(tsl_call){.op = TSL_OP_NORM, .kind = TSL_NORM_MAX, .structure = TSL_TRIANGULAR, .v = {tsl_sub(A, i, j, m, n)}});
            if (x->dry || x->failed) continue;
            x->failed = tsl_runtime_quiet(x->runtime);
            if (!x->failed) x->failed = collect(x->runtime, &most);
        }
    }
    return x->dry || x->failed ? 1 : most;
}
