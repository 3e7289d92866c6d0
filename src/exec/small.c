/* Small calls on the host. Checks, views, staging, tables and queues cost as much as a product of 16 x 16 matrices; where the host's
 * cores are the only device every operand is already at hand, and if the queues are empty too, the leaf may run on the caller's
 * thread straight away (kernel/host/small.inc). It does what the long way would: that ends in the same call of BLAS. */
#include <string.h>

#include "device/host/host.h"
#include "exec/typed.h"

enum { SMALL = 64 }; /* the largest size; nothing this small is cut into blocks unless the caller asks for it */

static bool ready(const tsl_context *x)
{
    if (x->tile > 0 || memcmp(x->variant, "auto", sizeof "auto") || x->pending || tsl_trace_on()) return false;
    return tsl_host_queue_idle(x->lanes[TSL_MAIN].q) && tsl_host_queue_idle(x->lanes[TSL_AHEAD].q);
}

tsl_context *tsl_small_enter(tsl_context *x, int64_t m, int64_t n, int64_t k)
{
    if ((uint64_t)((m - 1) | (n - 1) | (k - 1)) >= SMALL) return NULL; /* SMALL is a power of two: some size is outside 1..SMALL */
    if (!x && tsl_default_context(&x)) return NULL;
    if (x->device_count != 1 || !x->dev->shares_host) return NULL;
    tsl_lock_take(&x->lock);
    if (ready(x)) return x;
    tsl_lock_give(&x->lock);
    return NULL;
}

bool tsl_small_leave(tsl_context *x, bool ran)
{
    x->count.launches += ran;
    tsl_lock_give(&x->lock);
    return ran;
}
