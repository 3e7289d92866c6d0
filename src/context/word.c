/* A few bytes between the host and the first device, for a caller who waits; and the count of what was moved. */
#include "context/context.h"

tsl_status tsl_copy_word(tsl_context *x, void *to, const void *from, size_t bytes, tsl_direction dir)
{
    tsl_queue *q = x->lanes[TSL_MAIN].q;
    bool before = tsl_head(q)->inline_calls;
    tsl_head(q)->inline_calls = true;
    tsl_status st = x->dev->be->copy2d(q, to, bytes, from, bytes, bytes, 1, dir);
    tsl_head(q)->inline_calls = before;
    return st;
}

tsl_status tsl_read_word(tsl_context *x, void *to, const void *from, size_t bytes)
{
    /* even if the copy failed: it may be on its way */
    tsl_status st = tsl_copy_word(x, to, from, bytes, TSL_TO_HOST), late = tsl_drain(x);
    x->pending = TSL_OK;
    return st ? st : late;
}

void tsl_count_move(tsl_counters *n, tsl_direction dir, size_t bytes)
{
    if (dir == TSL_PEER) n->peer++, n->bytes_peer += (int64_t)bytes;
    else if (dir == TSL_TO_DEVICE) n->to_device++, n->bytes_to_device += (int64_t)bytes;
    else n->to_host++, n->bytes_to_host += (int64_t)bytes;
}
