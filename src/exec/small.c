/* Small calls on the host. Checks, views, staging, tables and queues cost as much as a product of 16 x 16 matrices; where the host's
 * cores are the only device every operand is already at hand, and if the queues are empty too, the leaf may run on the caller's
 * thread straight away (kernel/host/small.inc). It does what the long way would: that ends in the same call of BLAS. It needs
 * nothing of the context that changes, so it does without its lock, which would take as long as all else. */
#include <string.h>

#include "device/host/host.h"
#include "exec/typed.h"

enum { SMALL = 64 }; /* the largest size; nothing this small is cut into blocks unless the caller asks for it */

void tsl_small_allow(tsl_context *x)
{
    bool plain = x->device_count == 1 && x->dev->shares_host && x->tile == 0 && !strcmp(x->variant, "auto") && x->path[0] != 't' &&
                 !x->region; /* there others may be at work on the same memory (exec/region.c) */
    __atomic_store_n(&x->small, plain, __ATOMIC_RELAXED);
}

tsl_context *tsl_small(tsl_context *x, int64_t m, int64_t n, int64_t k)
{
    /* SMALL is a power of two: some size is outside 1..SMALL */
    if ((((uint64_t)m - 1) | ((uint64_t)n - 1) | ((uint64_t)k - 1)) >= SMALL) return NULL;
    if (!x && tsl_default_context(&x)) return NULL;
    if (!__atomic_load_n(&x->small, __ATOMIC_RELAXED) || tsl_trace_on()) return NULL;
    return tsl_host_queue_idle(x->lanes[TSL_MAIN].q) && tsl_host_queue_idle(x->lanes[TSL_AHEAD].q) ? x : NULL;
}

tsl_status tsl_small_done(tsl_context *x)
{
    __atomic_fetch_add(&x->small_launches, 1, __ATOMIC_RELAXED);
    return TSL_OK;
}
