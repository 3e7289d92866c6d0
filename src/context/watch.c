/* How far the work of a context is, for who watches it (tsl_progress). */
#include "context/context.h"

enum { STEPS = 100 }; /* marks a call makes at most: each is a word from the device's queue to a thread of the host */

static int64_t read(const int64_t *n) { return __atomic_load_n(n, __ATOMIC_RELAXED); }
static void add(int64_t *n, int64_t more) { __atomic_fetch_add(n, more, __ATOMIC_RELAXED); }

tsl_status tsl_progress(tsl_context *x, double *done, double *total)
{
    tsl_status st = tsl_find(&x);
    if (st) return st;
    if (!done || !total) return tsl_fail(NULL, TSL_ERR_NULL, "progress: no place for the result");
    int64_t most = read(&x->watch.total), now = read(&x->watch.done);
    *total = (double)most;
    *done = (double)tsl_min(now, most);
    return TSL_OK;
}

void tsl_watch_call(tsl_context *x, double flops)
{
    x->watch.call = (int64_t)flops;
    add(&x->watch.total, x->watch.call);
}

/* On any thread, the driver's too. */
static void reached(void *arg, tsl_status st)
{
    struct tsl_mark_ahead *m = arg;
    (void)st;
    add(&m->of->done, m->flops);
    __atomic_store_n(&m->taken, false, __ATOMIC_RELEASE);
}

/* A mark behind what is on the main lane. If all are under way, or the queue refuses it, the next one speaks for this one too. */
static void mark(tsl_context *x)
{
    tsl_watch *w = &x->watch;
    tsl_queue *q = x->lanes[TSL_MAIN].q;
    int i = 0;
    while (i < TSL_MARKS && __atomic_load_n(&w->mark[i].taken, __ATOMIC_ACQUIRE)) ++i;
    if (i == TSL_MARKS) return;
    struct tsl_mark_ahead *m = &w->mark[i];
    *m = (struct tsl_mark_ahead){.notice = {reached, m}, .of = w, .flops = w->unmarked, .taken = true};
    if (x->dev->be->notify(q, &m->notice)) m->taken = false;
    else w->unmarked = 0;
}

void tsl_watch_leaf(tsl_context *x, double flops)
{
    tsl_watch *w = &x->watch;
    add(&w->launched, (int64_t)flops);
    w->unmarked += (int64_t)flops;
    if (w->unmarked && w->unmarked >= w->call / STEPS) mark(x);
}

void tsl_watch_submitted(tsl_context *x, double flops) { add(&x->watch.launched, (int64_t)flops); }
void tsl_watch_task(tsl_context *x, double flops) { add(&x->watch.done, (int64_t)flops); }

/* Blocked algorithms take a little more or less than the formula of the whole: from now on the total is what was launched. Marks that are
 * still on their way bring `done` there. */
void tsl_watch_settle(tsl_context *x)
{
    tsl_watch *w = &x->watch;
    add(&w->done, w->unmarked);
    w->unmarked = 0;
    __atomic_store_n(&w->total, read(&w->launched), __ATOMIC_RELAXED);
}
