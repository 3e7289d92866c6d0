/* What is finished goes home while others compute: the last result leaves soon after the last task, and where memory is short
 * room is free before anybody asks for it. A thread of its own carries, because memory of the caller's that is not pinned takes
 * one's time, in which the device's own thread has to fetch. */
#include "runtime/runtime.h"
#include "tune/numbers.h"

/* Has t written the tile for the last time? Where memory is short: in the order of the program the tiles of a block are written
 * in turn until they are finished, so the next to write it would be one of as many tasks as there are slots. Where nothing more
 * will be submitted: if no writer after it was. Several devices read each other's tiles before they leave. */
static bool is_finished(const tsl_runtime *rt, const tsl_task *t, const tsl_tile *tile)
{
    if (tile->writer.task != t) return false;
    if (rt->slots && rt->submitted - t->id >= (uint64_t)rt->slots) return true;
    return rt->ending && tsl_tile_bytes(tile) >= (size_t)tsl_tuned(rt->x, TSL_TUNED_SENT_FROM) && (rt->x->device_count == 1 || !tile->readers);
}

/* Those that stay on devices when all is over would be moved for nothing. */
void tsl_send_home(tsl_site *s, const tsl_task *t, tsl_slot *slot)
{
    tsl_runtime *rt = s->rt;
    if (!s->porter_runs || slot->leaving || !slot->tile->of->wraps || !is_finished(rt, t, slot->tile)) return;
    slot->leaving = true;
    slot->behind = NULL;
    if (s->leaving_last) s->leaving_last->behind = slot;
    else s->leaving = slot;
    s->leaving_last = slot;
    rt->leaving++;
    pthread_cond_signal(&s->carry);
}

static tsl_slot *next(tsl_site *s)
{
    tsl_slot *slot = s->leaving;
    s->leaving = slot->behind;
    if (!s->leaving) s->leaving_last = NULL;
    slot->leaving = false;
    return slot;
}

/* A slot may have become another tile's meanwhile, even one without storage at home, and a writer may have been submitted after
 * all: it need not wait for us. Where there is no memory for the copy it is not made: whoever needs the slot will try again,
 * and tell. */
static tsl_status send(tsl_runtime *rt, tsl_tile *t)
{
    if (!t || !t->of->wraps || rt->failed || tsl_at_work(t->writer)) return TSL_OK;
    tsl_status st = tsl_clean(t);
    return st == TSL_ERR_DEVICE_MEMORY ? TSL_OK : st;
}

void *tsl_porter(void *site)
{
    tsl_site *s = site;
    tsl_runtime *rt = s->rt;
    tsl_own_thread = true;
    tsl_runtime_lock(rt);
    while (!rt->closing) {
        if (!s->leaving) {
            pthread_cond_wait(&s->carry, &rt->lock);
            continue;
        }
        tsl_task_failed(rt, send(rt, next(s)->tile));
        if (--rt->leaving == 0) pthread_cond_broadcast(&rt->over);
    }
    tsl_runtime_unlock(rt);
    return NULL;
}
