/* Bringing a task's tiles to where it runs, and what becomes of them afterwards. */
#include "runtime/runtime.h"

typedef struct copy {
    tsl_queue *q;
    tsl_direction dir;
    void *to;
    const void *from;
    int64_t ld_to, ld_from;
} copy;

static tsl_direction direction(int from, int to)
{
    return to == TSL_HOST_SPACE ? TSL_TO_HOST : from == TSL_HOST_SPACE ? TSL_TO_DEVICE : TSL_PEER;
}

/* Whose queues carry to and from the tile's slot in a space. */
static tsl_site *carrier(const tsl_tile *t, int space)
{
    return tsl_site_at(t->of->rt, space == TSL_HOST_SPACE ? t->line.home : space);
}

/* Work put on q from now on waits for e. Queues know only events of their own backend. */
static tsl_status after(tsl_queue *q, tsl_event *e, const tsl_device *of)
{
    return tsl_head(q)->dev->be == of->be ? of->be->event_after(q, e) : of->be->event_wait(e);
}

/* Puts it on its queue, and the event behind it; if that fails nothing is left on its way that nobody knows of. */
static tsl_status make(const copy *c, const tsl_tile *t, tsl_event *made)
{
    size_t size = tsl_type_size(t->of->type);
    const tsl_backend *be = tsl_head(c->q)->dev->be;
    tsl_status st = be->copy2d(c->q, c->to, tsl_times((size_t)c->ld_to, size), c->from, tsl_times((size_t)c->ld_from, size),
                               tsl_times((size_t)t->m, size), (size_t)t->n, c->dir);
    if (st) return st;
    st = be->event_record(c->q, made);
    if (st) (void)be->queue_wait(c->q);
    return st;
}

/* Storage at home, for a matrix of ours that has been on devices only. May give up the lock. */
static tsl_status settle(tsl_tile *t)
{
    tsl_runtime *rt = t->of->rt;
    if (t->data) return TSL_OK;
    tsl_runtime_unlock(rt);
    void *p = tsl_host_alloc(&rt->x->allocator, tsl_tile_storage(t));
    tsl_runtime_lock(rt);
    if (!t->data) {
        t->data = p;
    } else { /* somebody else was faster */
        tsl_runtime_unlock(rt);
        tsl_host_free(&rt->x->allocator, p, tsl_tile_storage(t));
        tsl_runtime_lock(rt);
    }
    return t->data ? TSL_OK : TSL_ERR_MEMORY;
}

/* Are the tile's contents elsewhere only, and on a queue there? */
static bool must_go_home(const tsl_tile *t, int *from)
{
    return tsl_line_source(&t->line, t->line.home, false, from) == TSL_VIA_HOME && !tsl_line_coming(&t->line, *from);
}

tsl_status tsl_clean(tsl_tile *t)
{
    tsl_runtime *rt = t->of->rt;
    int from;
    if (!must_go_home(t, &from)) return TSL_OK;
    tsl_status st = settle(t);
    if (st || !must_go_home(t, &from)) return st;
    tsl_site *by = carrier(t, from);
    tsl_queue *q = from == TSL_HOST_SPACE ? by->in : by->out;
    tsl_slot *slot = *tsl_slot_at(t, from);
    tsl_line_fetch(&t->line, t->line.home);
    slot->pins++;
    copy c = {q, direction(from, t->line.home), t->data, slot->p, t->ld, tsl_slot_ld(t)};
    tsl_runtime_unlock(rt);
    if (slot->arrives) st = after(q, slot->in, slot->by);
    if (!st && t->landed) st = after(q, t->landed, t->lander); /* an older version may still be on its way */
    if (!st) st = make(&c, t, slot->out);
    tsl_runtime_lock(rt);
    slot->pins--;
    if (st) {
        tsl_line_lost(&t->line, t->line.home);
    } else {
        slot->leaves = true;
        t->landed = slot->out;
        t->lander = slot->by;
        tsl_line_queued(&t->line, t->line.home);
        tsl_count_move(&rt->count, c.dir, tsl_tile_bytes(t));
    }
    tsl_runtime_moved(rt);
    return st;
}

tsl_status tsl_come_home(tsl_tile *t)
{
    tsl_status st = settle(t);
    return st ? st : tsl_clean(t);
}

/* The contents into the tile's slot here, from home or from the slot of another space, which is pinned. */
static tsl_status load(tsl_site *s, tsl_use *u, int from)
{
    tsl_runtime *rt = s->rt;
    tsl_tile *t = u->tile;
    tsl_slot *slot = u->slot, *source = u->source;
    tsl_site *by = carrier(t, s->space);
    tsl_queue *q = s->space == TSL_HOST_SPACE ? by->out : by->in;
    copy c = {q, direction(from, s->space), slot->p, source ? source->p : t->data, tsl_slot_ld(t), source ? tsl_slot_ld(t) : t->ld};
    tsl_event *landed = source ? NULL : t->landed;
    tsl_device *lander = t->lander;
    tsl_status st = TSL_OK;
    tsl_line_fetch(&t->line, s->space);
    tsl_runtime_unlock(rt);
    if (slot->leaves) st = after(q, slot->out, slot->by);
    if (!st && landed) st = after(q, landed, lander);
    if (!st && source && source->arrives) st = after(q, source->in, source->by);
    if (!st) st = make(&c, t, slot->in);
    tsl_runtime_lock(rt);
    if (st) {
        tsl_line_lost(&t->line, s->space);
    } else {
        slot->arrives = true;
        tsl_line_queued(&t->line, s->space);
        tsl_count_move(&rt->count, c.dir, tsl_tile_bytes(t));
        u->here = true;
    }
    tsl_runtime_moved(rt);
    return st;
}

/* Copies that the new contents make worthless */
static void invalidate_others(tsl_runtime *rt, tsl_tile *t, int space)
{
    for (int s = 0; s < t->of->spaces; ++s) {
        tsl_slot *slot = s == space ? NULL : *tsl_slot_at(t, s);
        if (slot) tsl_slot_drop(tsl_site_at(rt, s), slot);
    }
}

/* A slot for the tile, pinned. One thread at a time takes slots of a memory: the device's own, or a core whose turn it is. */
static tsl_status place(tsl_site *s, tsl_use *u)
{
    tsl_tile *t = u->tile;
    tsl_site *memory = tsl_site_at(s->rt, s->space);
    tsl_slot **slot = tsl_slot_at(t, s->space);
    if (!*slot) {
        tsl_slot *got;
        tsl_status st = tsl_slot_get(memory, carrier(t, s->space)->dev, tsl_slot_bytes(t), &got);
        if (st) return st;
        tsl_slot_use(memory, got, t);
    }
    u->slot = *slot;
    u->slot->pins++;
    tsl_slot_touch(memory, u->slot);
    return TSL_OK;
}

/* A place for the tile, then its contents. Returns without u->here if somebody else's transfer must be put on a queue first. */
static tsl_status bring(tsl_site *s, tsl_use *u)
{
    tsl_tile *t = u->tile;
    int from;
    tsl_status st = s->space == t->line.home ? settle(t) : u->slot ? TSL_OK : place(s, u);
    if (st) return st;
    if (u->overwrites) {
        if (t->line.coming) return TSL_OK;
        invalidate_others(s->rt, t, s->space);
        tsl_line_discard(&t->line);
        u->here = true;
        return TSL_OK;
    }
    if (tsl_line_coming(&t->line, s->space)) return TSL_OK;
    if (u->writes && tsl_line_coming(&t->line, t->line.home)) return TSL_OK; /* its old contents are about to be copied home */
    switch (tsl_line_source(&t->line, s->space, s->rt->policy->peers, &from)) {
    case TSL_HERE: s->rt->count.hits += u->slot != NULL; /* fall through */
    case TSL_NOTHING: u->here = true; return TSL_OK;
    case TSL_FROM_HOME: return tsl_line_coming(&t->line, t->line.home) ? TSL_OK : load(s, u, from);
    case TSL_FROM_PEER:
        if (tsl_line_coming(&t->line, from)) return TSL_OK;
        u->source = *tsl_slot_at(t, from);
        u->source->pins++;
        return load(s, u, from);
    default: break;
    }
    st = tsl_clean(t);
    if (st || tsl_line_dirty(&t->line) || tsl_line_coming(&t->line, t->line.home)) return st;
    return bring(s, u);
}

tsl_status tsl_fetch(tsl_site *s, tsl_task *t, bool *all)
{
    tsl_status st = TSL_OK;
    *all = true;
    for (int i = 0; i < t->uses && !st; ++i) {
        bool ended = __atomic_load_n(&s->ended, __ATOMIC_RELAXED); /* looked at first: copying may take a while, and the device may be idle */
        if (!t->use[i].here && !ended) st = bring(s, &t->use[i]);
        *all = *all && t->use[i].here;
    }
    return st;
}

static void unpin(tsl_slot **slot)
{
    if (*slot) (*slot)->pins--;
    *slot = NULL;
}

void tsl_unfetch(tsl_task *t)
{
    for (int i = 0; i < t->uses; ++i) {
        unpin(&t->use[i].slot);
        unpin(&t->use[i].source);
        t->use[i].here = false;
    }
}

tsl_status tsl_let_sources_go(tsl_site *s)
{
    tsl_runtime *rt = s->rt;
    tsl_runtime_unlock(rt);
    tsl_status st = s->dev->be->queue_wait(s->in);
    tsl_runtime_lock(rt);
    for (tsl_task *t = s->fetching.first; t; t = t->next)
        for (int i = 0; i < t->uses; ++i) unpin(&t->use[i].source);
    tsl_runtime_moved(rt);
    return st;
}

tsl_status tsl_use_after(tsl_queue *q, const tsl_use *u)
{
    const tsl_tile *t = u->tile;
    const tsl_device *dev = tsl_head(q)->dev;
    tsl_status st = TSL_OK;
    if (!u->slot) return t->landed ? after(q, t->landed, t->lander) : TSL_OK;
    if (u->slot->arrives) st = after(q, u->slot->in, dev);
    if (!st && u->writes && u->slot->leaves) st = after(q, u->slot->out, dev);
    return st;
}

tsl_status tsl_release(tsl_site *s, tsl_task *t)
{
    tsl_runtime *rt = s->rt;
    const tsl_policy *p = rt->policy;
    tsl_status st = TSL_OK;
    for (int i = 0; i < t->uses; ++i) {
        tsl_use *u = &t->use[i];
        tsl_tile *tile = u->tile;
        bool own = tile->owner == (int)(s - rt->site);
        unpin(&u->source);
        if (rt->failed) { /* its order may have been lost with an edge: the directory is made anew when all are over */
            unpin(&u->slot);
            continue;
        }
        if (u->writes) {
            invalidate_others(rt, tile, s->space);
            tsl_line_write(&tile->line, s->space);
            if (p->write_through && u->slot && !st) st = tsl_clean(tile);
            else if (u->slot) tsl_send_home(s, t, u->slot);
        }
        tsl_slot *slot = u->slot;
        unpin(&u->slot);
        if (slot && slot->pins == 0 && !(own ? p->keep_own : p->keep_alien) && !tsl_line_only(&tile->line, s->space))
            tsl_slot_drop(tsl_site_at(rt, s->space), slot);
    }
    return st;
}
