/* A memory as slots for tiles, a device's or the host's for tiles of devices: least recently used first out, never what a task
 * or a transfer has pinned. */
#include "runtime/runtime.h"

static void unlink_slot(tsl_slot *s)
{
    s->prev->next = s->next;
    s->next->prev = s->prev;
}

static void link_last(tsl_slot *list, tsl_slot *s)
{
    s->prev = list->prev;
    s->next = list;
    list->prev->next = s;
    list->prev = s;
}

void tsl_slots_open(tsl_site *s)
{
    s->used.prev = s->used.next = &s->used;
    for (int i = 0; i < TSL_SLOT_SIZES; ++i) s->empty[i].prev = s->empty[i].next = &s->empty[i];
}

/* There may be as many empty ones as tiles of the largest call so far: only those of this one are looked at. */
void tsl_slots_settle(tsl_site *s)
{
    for (tsl_slot *v = s->used.next; v != &s->used; v = v->next) v->arrives = v->leaves = false;
    for (int i = 0; i < TSL_SLOT_SIZES; ++i)
        for (tsl_slot *v = s->empty[i].prev; v != &s->empty[i] && !v->still; v = v->prev) {
            v->arrives = v->leaves = false;
            v->still = true;
        }
}

bool tsl_slots_loose(const tsl_site *s)
{
    int i = 0;
    while (i < TSL_SLOT_SIZES && s->empty[i].next == &s->empty[i]) ++i;
    return i < TSL_SLOT_SIZES;
}

static int size_of(size_t bytes) { return bytes ? TSL_SLOT_SIZES - 1 - __builtin_clzll(bytes) : 0; }

static void put_spare(tsl_site *s, tsl_slot *slot)
{
    slot->next = s->spare;
    s->spare = slot;
}

/* Gives the slot's memory back; not under the lock. Its events stay with the site: a tile may still name them. */
static void empty_out(tsl_site *s, tsl_slot *slot)
{
    const tsl_backend *be = slot->by->be;
    if (slot->arrives) (void)be->event_wait(slot->in);
    if (slot->leaves) (void)be->event_wait(slot->out);
    tsl_device_release(s->dev, slot->p);
    slot->p = NULL;
}

/* The descriptor of a slot that had memory once. */
static tsl_slot *take_spare(tsl_site *s, const tsl_device *by)
{
    tsl_slot **at = &s->spare, *slot;
    while (*at && (*at)->by != by) at = &(*at)->next;
    if ((slot = *at)) *at = slot->next;
    return slot;
}

/* A new one, without memory; not under the lock. */
static tsl_status fresh(tsl_site *s, tsl_device *by, tsl_slot **out)
{
    const tsl_backend *be = by->be;
    tsl_slot *slot = tsl_host_alloc(&s->rt->x->allocator, sizeof *slot);
    if (!slot) return TSL_ERR_MEMORY;
    slot->by = by;
    tsl_status st = be->event_open(by, &slot->in);
    if (!st) st = be->event_open(by, &slot->out);
    if (!st) {
        *out = slot;
        return TSL_OK;
    }
    if (slot->in) be->event_close(by, slot->in);
    tsl_host_free(&s->rt->x->allocator, slot, sizeof *slot);
    return st;
}

/* Its bytes are taken from the site's room first, then the lock is given up. */
static tsl_status create(tsl_site *s, tsl_device *by, size_t bytes, tsl_slot **out)
{
    size_t room = tsl_device_room(s->dev);
    if (bytes > room || s->held > room - bytes) return TSL_ERR_DEVICE_MEMORY;
    tsl_slot *slot = take_spare(s, by);
    s->held += bytes;
    tsl_runtime_unlock(s->rt);
    tsl_status st = slot ? TSL_OK : fresh(s, by, &slot);
    if (!st) st = tsl_device_alloc(s->dev, bytes, &slot->p);
    tsl_runtime_lock(s->rt);
    if (st) {
        s->held -= bytes;
        if (slot) put_spare(s, slot);
        return st;
    }
    slot->bytes = bytes;
    *out = slot;
    return TSL_OK;
}

/* Somewhat larger ones will do, but not under a limit, where the bytes they waste may be those that are missing. */
static tsl_slot *find_empty(tsl_site *s, const tsl_device *by, size_t bytes)
{
    size_t most = s->dev->limit == SIZE_MAX ? tsl_times(2, bytes) : bytes;
    for (int i = size_of(bytes); i <= size_of(most); ++i)
        for (tsl_slot *e = s->empty[i].next; e != &s->empty[i]; e = e->next)
            if (e->by == by && e->bytes >= bytes && e->bytes <= most) {
                unlink_slot(e);
                s->loose -= e->bytes;
                return e;
            }
    return NULL;
}

/* The least recently used tile leaves. False: all are in use. The lock may have been given up. */
static bool evict(tsl_site *s, tsl_status *st)
{
    tsl_slot *v = s->used.next;
    while (v != &s->used && (v->pins || tsl_line_coming(&v->tile->line, s->space))) v = v->next;
    if (v == &s->used) return false;
    tsl_tile *t = v->tile;
    if (tsl_line_only(&t->line, s->space)) {
        v->pins++;
        *st = tsl_clean(t);
        v->pins--;
        /* meanwhile somebody may have overwritten the tile elsewhere, and the slot is no longer its; or wants it after all */
        if (*st || v->tile != t || v->pins || tsl_line_only(&t->line, s->space)) return true;
    }
    tsl_slot_drop(s, v);
    s->rt->count.evictions++;
    return true;
}

/* Out of reach first, then, with the lock given up, out of memory. */
void tsl_slots_release(tsl_site *s, size_t keep)
{
    size_t empty = 0;
    tsl_slot *going = NULL, *slot;
    if (s->loose <= keep) return;
    for (int i = 0; i < TSL_SLOT_SIZES; ++i)
        for (tsl_slot *e = s->empty[i].next, *next; e != &s->empty[i]; e = next) {
            next = e->next;
            if (empty + e->bytes <= keep) {
                empty += e->bytes;
            } else {
                unlink_slot(e);
                s->loose -= e->bytes;
                e->next = going;
                going = e;
            }
        }
    if (!going) return;
    tsl_runtime_unlock(s->rt);
    for (slot = going; slot; slot = slot->next) empty_out(s, slot);
    tsl_runtime_lock(s->rt);
    while ((slot = going)) {
        going = slot->next;
        s->held -= slot->bytes;
        put_spare(s, slot);
    }
}

tsl_status tsl_slot_get(tsl_site *s, tsl_device *by, size_t bytes, tsl_slot **slot)
{
    for (;;) {
        if ((*slot = find_empty(s, by, bytes))) return TSL_OK;
        tsl_status st = create(s, by, bytes, slot);
        if (st != TSL_ERR_DEVICE_MEMORY) return st;
        tsl_slots_release(s, 0); /* of another size, or another's */
        st = create(s, by, bytes, slot);
        if (st != TSL_ERR_DEVICE_MEMORY) return st;
        st = TSL_OK;
        if (!evict(s, &st)) return TSL_ERR_DEVICE_MEMORY;
        if (st) return st;
    }
}

tsl_status tsl_slots_make_room(tsl_site *s)
{
    tsl_status st = TSL_OK;
    if (!tsl_slots_loose(s) && !evict(s, &st)) return TSL_ERR_DEVICE_MEMORY;
    if (!st) tsl_slots_release(s, 0);
    return st;
}

void tsl_slot_use(tsl_site *s, tsl_slot *slot, tsl_tile *t)
{
    slot->tile = t;
    *tsl_slot_at(t, s->space) = slot;
    link_last(&s->used, slot);
}

void tsl_slot_touch(tsl_site *s, tsl_slot *slot)
{
    unlink_slot(slot);
    link_last(&s->used, slot);
}

void tsl_slot_drop(tsl_site *s, tsl_slot *slot)
{
    tsl_line_drop(&slot->tile->line, s->space);
    *tsl_slot_at(slot->tile, s->space) = NULL;
    slot->tile = NULL;
    slot->still = false;
    unlink_slot(slot);
    link_last(&s->empty[size_of(slot->bytes)], slot);
    s->loose += slot->bytes;
}

void tsl_slots_close(tsl_site *s)
{
    tsl_runtime_lock(s->rt);
    while (s->used.next != &s->used) tsl_slot_drop(s, s->used.next);
    tsl_slots_release(s, 0);
    tsl_runtime_unlock(s->rt);
    while (s->spare) {
        tsl_slot *slot = s->spare;
        s->spare = slot->next;
        slot->by->be->event_close(slot->by, slot->in);
        slot->by->be->event_close(slot->by, slot->out);
        tsl_host_free(&s->rt->x->allocator, slot, sizeof *slot);
    }
}
