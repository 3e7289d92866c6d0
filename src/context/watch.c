/* How far the work of a context is, for who watches it (tsl_progress, tsl_on_progress), and its end before its time
 * (tsl_cancel). */
#include <time.h>

#include "context/context.h"

enum { STEPS = 100 }; /* marks a call makes at most: each is a word from the device's queue to a thread of the host */

static int64_t read(const int64_t *n) { return __atomic_load_n(n, __ATOMIC_RELAXED); }
static void add(int64_t *n, int64_t more) { __atomic_fetch_add(n, more, __ATOMIC_RELAXED); }

void tsl_cancel_none(tsl_context *x)
{
    if (!x->region && tsl_is_cancelled(x)) __atomic_store_n(&x->cancelled, false, __ATOMIC_RELAXED);
}

/* Who is to be told is told again when a hundredth more of the call is done. */
static void decide(tsl_watch *w)
{
    w->on = w->asked || w->tell;
    __atomic_store_n(&w->due, w->tell ? w->told + 1 + w->call / STEPS : INT64_MAX, __ATOMIC_RELAXED);
}

void tsl_watch_option(tsl_context *x, bool on)
{
    x->watch.asked = on;
    decide(&x->watch);
}

void tsl_watch_by(tsl_context *x, int (*tell)(void *user, double done, double total), void *user)
{
    x->watch.tell = tell;
    x->watch.user = user;
    x->watch.told = read(&x->watch.done);
    decide(&x->watch);
}

bool tsl_watch_due(const tsl_context *x) { return read(&x->watch.done) >= read(&x->watch.due); }

void tsl_watch_tell(tsl_context *x, bool over)
{
    tsl_watch *w = &x->watch;
    if (!w->tell || w->telling || x->run->dry) return;
    int64_t total = read(&w->total), done = tsl_min(read(&w->done), total);
    if (over ? done == w->told : !tsl_watch_due(x)) return;
    w->told = done;
    w->telling = true;
    int stop = w->tell(w->user, (double)done, (double)total);
    w->telling = false;
    decide(w);
    if (stop && !over) __atomic_store_n(&x->cancelled, true, __ATOMIC_RELAXED);
}

static bool under_way(const tsl_watch *w)
{
    int i = 0;
    while (i < TSL_MARKS && !__atomic_load_n(&w->mark[i].taken, __ATOMIC_ACQUIRE)) ++i;
    return i < TSL_MARKS;
}

void tsl_watch_rest(tsl_context *x)
{
    static const struct timespec moment = {.tv_nsec = 2000000};
    while (x->watch.tell && under_way(&x->watch)) {
        tsl_watch_tell(x, false);
        nanosleep(&moment, NULL);
    }
}

void tsl_watch_call(tsl_context *x, double flops)
{
    x->watch.call = (int64_t)flops;
    add(&x->watch.total, x->watch.call);
    decide(&x->watch);
}

/* On any thread, the driver's too. */
static void reached(void *arg, tsl_status st)
{
    struct tsl_mark_ahead *m = arg;
    (void)st;
    add(&m->of->done, m->flops);
    __atomic_store_n(&m->taken, false, __ATOMIC_RELEASE);
}

/* A mark behind what is on the main lane. If all are under way, or the queue refuses it, the next one speaks for this one
 * too. */
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

/* Blocked algorithms take a little more or less than the formula of the whole: from now on the total is what was launched.
 * Marks that are still on their way bring `done` there. */
void tsl_watch_settle(tsl_context *x)
{
    tsl_watch *w = &x->watch;
    add(&w->done, w->unmarked);
    w->unmarked = 0;
    __atomic_store_n(&w->total, read(&w->launched), __ATOMIC_RELAXED);
}
