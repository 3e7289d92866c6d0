/* Copies between the computing device and memory of another one. The host's queues copy what the host can address. What is in a
 * memory of its device's, only a queue of such a device can reach. */
#include "exec/exec.h"

tsl_status tsl_carrier(tsl_context *x, tsl_device *home, tsl_queue **q)
{
    tsl_context *of = x->parent ? x->parent : x;
    tsl_runtime *rt;
    *q = x->lanes[TSL_MAIN].q;
    if (!home || home == x->dev || home->shares_host || !x->dev->shares_host) return TSL_OK;
    tsl_status st = tsl_by_tiles.runtime(of, &rt);
    if (!st) *q = rt->site[home - of->devices].executor[0]->lanes[TSL_AHEAD].q; /* which no batch computes on */
    return st;
}

tsl_status tsl_carry(tsl_context *x, tsl_device *home, const tsl_move *m, bool out)
{
    tsl_queue *own = x->lanes[TSL_MAIN].q, *q;
    tsl_status st = tsl_carrier(x, home, &q);
    bool foreign = q != own;
    tsl_direction dir = home && !foreign ? TSL_PEER : out == foreign ? TSL_TO_DEVICE : TSL_TO_HOST;
    if (!st) tsl_count_move(&x->count, dir, tsl_times(m->rows, m->cols));
    return st ? st : tsl_head(q)->dev->be->copy2d(q, m->to, m->to_pitch, m->from, m->from_pitch, m->rows, m->cols, dir);
}

tsl_status tsl_carried(tsl_context *x, tsl_device *home)
{
    tsl_queue *q;
    tsl_status st = tsl_carrier(x, home, &q);
    return st || q == x->lanes[TSL_MAIN].q ? st : tsl_head(q)->dev->be->queue_wait(q);
}

tsl_status tsl_computed(tsl_context *x, tsl_device *home)
{
    tsl_queue *q;
    tsl_status st = tsl_carrier(x, home, &q);
    for (int l = 0; l < TSL_LANES && !st && q != x->lanes[TSL_MAIN].q; ++l) st = x->dev->be->queue_wait(x->lanes[l].q);
    return st;
}

tsl_status tsl_read_from(tsl_context *x, tsl_device *home, void *to, const void *from, size_t bytes)
{
    tsl_queue *q;
    tsl_status st = tsl_carrier(x, home, &q), late;
    if (st || q == x->lanes[TSL_MAIN].q) return st ? st : tsl_read_word(x, to, from, bytes);
    st = home->be->copy2d(q, to, bytes, from, bytes, bytes, 1, TSL_TO_HOST);
    late = home->be->queue_wait(q); /* even if the copy failed: it may be on its way */
    return st ? st : late;
}
