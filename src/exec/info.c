/* The numerical outcome of a call. It lives in the device's memory; whoever wants to know it waits. */
#include "algo/algo.h"
#include "exec/tiled.h"

tsl_status tsl_execute_info(tsl_context *x, const tsl_call *c, int64_t *info)
{
    tsl_status st = tsl_enter(&x);
    if (st) return st;
    st = tsl_execute(x, c);
    if (!st && info) st = tsl_info(x, info);
    return tsl_leave(x, st);
}

bool tsl_good_so_far(tsl_context *x)
{
    int64_t info = 0;
    if (x->failed || x->dry) return !x->failed;
    if (x->by_tiles) return tsl_tiled_good(x);
    tsl_status st = tsl_copy_word(x, &info, x->info, sizeof info, TSL_TO_HOST);
    tsl_status late = tsl_drain(x); /* even if the copy failed: it may be on its way */
    x->failed = st ? st : late;
    return !x->failed && info == 0;
}
