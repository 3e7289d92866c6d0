/* How far the work of a context is, and its end before its time. Any thread may ask, or cancel, while a call is at work. */
#include "api/enter.h"

tsl_status tsl_progress(tsl_context *x, double *done, double *total)
{
    tsl_status st = x ? TSL_OK : tsl_default_context(&x);
    if (st) return st;
    int64_t most = 0, now = 0;
    int begun = tsl_busy_begin(x);
    bool there = tsl_lives(x);
    if (there) most = __atomic_load_n(&x->watch.total, __ATOMIC_RELAXED), now = __atomic_load_n(&x->watch.done, __ATOMIC_RELAXED);
    tsl_busy_end(begun);
    if (!there) return tsl_refuse_context(x);
    if (!done || !total) return tsl_fail(NULL, TSL_ERR_NULL, "progress: no place for the result");
    *total = (double)most;
    *done = (double)tsl_min(now, most);
    return TSL_OK;
}

tsl_status tsl_cancel(tsl_context *x)
{
    tsl_status st = x ? TSL_OK : tsl_default_context(&x);
    if (st) return st;
    int begun = tsl_busy_begin(x);
    bool there = tsl_lives(x);
    if (there) __atomic_store_n(&x->cancelled, true, __ATOMIC_RELAXED);
    tsl_busy_end(begun);
    return there ? TSL_OK : tsl_refuse_context(x);
}

tsl_status tsl_on_progress(tsl_context *x, int (*tell)(void *user, double done, double total), void *user)
{
    tsl_status st = tsl_enter_public(&x);
    if (st) return st;
    tsl_watch_by(x, tell, user);
    return tsl_leave(x, TSL_OK);
}
