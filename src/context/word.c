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

tsl_status tsl_clear_words(tsl_context *x, void *words, size_t bytes)
{
    static const int64_t zeros[TSL_INFOS + 1];
    tsl_queue *q = x->lanes[TSL_MAIN].q;
    const tsl_backend *be = x->dev->be;
    return be->clear ? be->clear(q, words, bytes) : be->copy2d(q, words, bytes, zeros, bytes, bytes, 1, TSL_TO_DEVICE);
}

tsl_status tsl_fetch_words(tsl_context *x, void *to, const void *from, size_t bytes)
{
    tsl_queue *q = x->lanes[TSL_MAIN].q;
    if (x->dev->be->read) return x->dev->be->read(q, to, from, bytes);
    /* even if the copy failed: it may be on its way */
    tsl_status st = tsl_copy_word(x, to, from, bytes, TSL_TO_HOST), late = x->dev->be->queue_wait(q);
    return st ? st : late;
}

tsl_status tsl_read_word(tsl_context *x, void *to, const void *from, size_t bytes)
{
    tsl_status st = tsl_fetch_words(x, to, from, bytes), late = tsl_drain_rest(x);
    x->pending = TSL_OK;
    return st ? st : late;
}

void tsl_count_move(tsl_counters *n, tsl_direction dir, size_t bytes)
{
    if (dir == TSL_PEER) n->peer++, n->bytes_peer += (int64_t)bytes;
    else if (dir == TSL_TO_DEVICE) n->to_device++, n->bytes_to_device += (int64_t)bytes;
    else n->to_host++, n->bytes_to_host += (int64_t)bytes;
}
