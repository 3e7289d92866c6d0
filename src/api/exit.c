/* What becomes of contexts when the program ends.
 *
 * exit() runs on one thread while all others go on: threads of ours at submitted work, and the program's own in the middle of a
 * call. Nothing that one of them may use is destroyed. Work that has been submitted is waited for, as by tsl_wait. What other
 * threads call is not: on the host no leaf begins once the program's own handlers have run (device/host/threads.c), so these
 * calls fail and touch nothing any more. A GPU's driver ends before that: calls on it are waited for here, for a while, and
 * later ones refused. */
#include <stdlib.h>

#include "api/enter.h"

enum { PATIENCE = 10 }; /* seconds, for a call on a GPU: its thread may have ended in it */

static bool has_gpu(const tsl_context *x)
{
    int d = 0;
    while (d < x->device_count && !x->devices[d].be->accelerator) ++d;
    return d < x->device_count;
}

static void finish(tsl_context *x)
{
    bool gpu = has_gpu(x);
    if (gpu) __atomic_store_n(&x->ending, true, __ATOMIC_RELEASE);
    if (!tsl_try_enter(x, gpu ? PATIENCE : 0)) return;
    (void)tsl_wait(x);
    tsl_leave(x, TSL_OK);
}

/* A program may end on a thread of ours, or in a call of ours, as by an allocator that gives up: that cannot be waited for. */
static void at_exit(void)
{
    if (tsl_own_thread || tsl_is_called() || tsl_in_leaf()) return;
    for (tsl_context *x; (x = tsl_next_alive()); tsl_let(x)) finish(x);
}

/* Handlers run from the last to the first. What a GPU's driver registers when it is opened is to run after ours. */
void tsl_exit_watch(const tsl_context *x)
{
    static bool watched[2]; /* with a GPU or without */
    if (!__atomic_exchange_n(&watched[has_gpu(x)], true, __ATOMIC_RELAXED)) (void)atexit(at_exit);
}
