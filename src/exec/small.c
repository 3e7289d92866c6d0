/* Small calls on the host. Views, staging, tables and queues cost as much as a product of 16 x 16 matrices; where the host's cores
 * are the only device every operand is already at hand, and if the queues are empty too, the leaf may run on the caller's thread
 * straight away. It does what the long way would: that ends in the same leaf. */
#include <string.h>

#include "exec/typed.h"

enum { SMALL = 64 }; /* the largest size; nothing this small is cut into blocks unless the caller asks for it */

static bool ready(const tsl_context *x)
{
    const tsl_backend *be = x->dev->be;
    if (x->device_count != 1 || !x->dev->shares_host || x->tile > 0 || memcmp(x->variant, "auto", sizeof "auto")) return false;
    if (x->pending || tsl_trace_on()) return false;
    return be->queue_idle(x->lanes[TSL_MAIN].q) && be->queue_idle(x->lanes[TSL_AHEAD].q);
}

bool tsl_at_once(tsl_door *d, const tsl_leaf *l)
{
    tsl_context *x = d->x;
    if (l->m > SMALL || l->n > SMALL || l->k > SMALL || !ready(x)) return false;
    if (x->dev->be->kernels[l->op].fn[l->type](x->lanes[TSL_MAIN].q, l)) return false; /* the long way says what is wrong */
    x->count.launches++;
    return true;
}
