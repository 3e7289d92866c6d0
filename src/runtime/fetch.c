/* Bringing a task's tiles to where it runs, and what becomes of them afterwards. */
#include "runtime/runtime.h"

typedef struct copy {
    tsl_site *by; /* whose queue makes it */
    tsl_queue *q;
    tsl_direction dir;
    void *to;
    const void *from;
    int64_t ld_to, ld_from;
} copy;

/* Work put on q from now on waits for e. Queues know only events of their own backend. */
static tsl_status after(tsl_queue *q, tsl_event *e, const tsl_device *of)
{
    return tsl_head(q)->dev->be == of->be ? of->be->event_after(q, e) : of->be->event_wait(e);
}

/* Puts it on its queue, and the event behind it; if that fails nothing is left on its way that nobody knows of. */
static tsl_status make(const copy *c, const tsl_tile *t, tsl_event *made)
{
    size_t size = tsl_type_size(t->of->type);
    const tsl_backend *be = c->by->dev->be;
    tsl_status st = be->copy2d(c->q, c->to, (size_t)c->ld_to * size, c->from, (size_t)c->ld_from * size, (size_t)t->m * size,
                               (size_t)t->n, c->dir);
    if (st) return st;
    st = be->event_record(c->q, made);
    if (st) (void)be->queue_wait(c->q);
    return st;
}

/* Storage at home, for a matrix of ours that has been on devices only. */
static tsl_status settle(tsl_tile *t)
{
    if (t->data) return TSL_OK;
    t->data = tsl_host_alloc(&t->of->rt->x->allocator, tsl_tile_bytes(t));
    return t->data ? TSL_OK : TSL_ERR_MEMORY;
}

tsl_status tsl_clean(tsl_tile *t)
{
    tsl_runtime *rt = t->of->rt;
    int from;
    if (tsl_line_source(&t->line, t->line.home, false, &from) != TSL_VIA_HOME || tsl_line_coming(&t->line, from)) return TSL_OK;
    tsl_status st = settle(t);
    if (st) return st;
    tsl_site *s = tsl_site_at(rt, from);
    tsl_slot *slot = *tsl_slot_at(t, from);
    tsl_line_fetch(&t->line, t->line.home);
    slot->pins++;
    copy c = {s, s->out, t->line.home == TSL_HOST_SPACE ? TSL_TO_HOST : TSL_PEER, t->data, slot->p, t->ld, t->m};
    pthread_mutex_unlock(&rt->lock);
    if (slot->arrives) st = after(s->out, slot->in, s->dev);
    if (!st && t->landed) st = after(s->out, t->landed, t->lander); /* an older version may still be on its way */
    if (!st) st = make(&c, t, slot->out);
    pthread_mutex_lock(&rt->lock);
    slot->pins--;
    if (st) {
        tsl_line_lost(&t->line, t->line.home);
    } else {
        slot->leaves = true;
        t->landed = slot->out;
        t->lander = s->dev;
        tsl_line_queued(&t->line, t->line.home);
        tsl_count_move(&rt->count, c.dir, tsl_tile_bytes(t));
    }
    tsl_runtime_moved(rt);
    return st;
}

/* The contents into the tile's slot here, from home or, if `source` is given, from another device's slot. */
static tsl_status load(tsl_site *s, tsl_use *u, tsl_slot *source, const tsl_site *from)
{
    tsl_runtime *rt = s->rt;
    tsl_tile *t = u->tile;
    tsl_slot *slot = u->slot;
    bool peer = source || t->line.home != TSL_HOST_SPACE;
    copy c = {s, s->in, peer ? TSL_PEER : TSL_TO_DEVICE, slot->p, source ? source->p : t->data, t->m, source ? t->m : t->ld};
    tsl_event *landed = source ? NULL : t->landed;
    tsl_device *lander = t->lander;
    tsl_status st = TSL_OK;
    tsl_line_fetch(&t->line, s->space);
    pthread_mutex_unlock(&rt->lock);
    if (slot->leaves) st = after(s->in, slot->out, s->dev);
    if (!st && landed) st = after(s->in, landed, lander);
    if (!st && source && source->arrives) st = after(s->in, source->in, from->dev);
    if (!st) st = make(&c, t, slot->in);
    pthread_mutex_lock(&rt->lock);
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

/* A place for the tile, then its contents. Returns without u->here if somebody else's transfer must be put on a queue first. */
static tsl_status bring(tsl_site *s, tsl_use *u)
{
    tsl_tile *t = u->tile;
    int from;
    if (s->space == t->line.home) {
        tsl_status st = settle(t);
        if (st) return st;
    } else if (s->dev->shares_host) {
        return TSL_ERR_LAYOUT; /* cores have no queue that reaches into a device's memory */
    } else if (!u->slot) {
        tsl_slot **slot = tsl_slot_at(t, s->space);
        if (!*slot) {
            tsl_slot *got;
            /* the matrix's first tile is its largest: slots of one size */
            tsl_status st = tsl_slot_get(s, tsl_tile_bytes(t->of->tile), &got);
            if (st) return st;
            tsl_slot_use(s, got, t);
        }
        u->slot = *slot;
        u->slot->pins++;
        tsl_slot_touch(s, u->slot);
    }
    if (u->overwrites) {
        if (t->line.coming) return TSL_OK;
        invalidate_others(s->rt, t, s->space);
        tsl_line_discard(&t->line);
        u->here = true;
        return TSL_OK;
    }
    if (tsl_line_coming(&t->line, s->space)) return TSL_OK;
    switch (tsl_line_source(&t->line, s->space, s->rt->policy->peers, &from)) {
    case TSL_HERE: s->rt->count.hits += u->slot != NULL; /* fall through */
    case TSL_NOTHING: u->here = true; return TSL_OK;
    case TSL_FROM_HOME: return tsl_line_coming(&t->line, t->line.home) ? TSL_OK : load(s, u, NULL, NULL);
    case TSL_FROM_PEER:
        if (tsl_line_coming(&t->line, from)) return TSL_OK;
        u->source = *tsl_slot_at(t, from);
        u->source->pins++;
        return load(s, u, u->source, tsl_site_at(s->rt, from));
    default: break;
    }
    tsl_status st = tsl_clean(t);
    if (st || tsl_line_dirty(&t->line) || tsl_line_coming(&t->line, t->line.home)) return st;
    return bring(s, u);
}

tsl_status tsl_fetch(tsl_site *s, tsl_task *t, bool *all)
{
    tsl_status st = TSL_OK;
    *all = true;
    for (int i = 0; i < t->uses && !st; ++i) {
        if (!t->use[i].here) st = bring(s, &t->use[i]);
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
    pthread_mutex_unlock(&rt->lock);
    tsl_status st = s->dev->be->queue_wait(s->in);
    pthread_mutex_lock(&rt->lock);
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
        }
        tsl_slot *slot = u->slot;
        unpin(&u->slot);
        if (slot && slot->pins == 0 && !(own ? p->keep_own : p->keep_alien) && !tsl_line_only(&tile->line, s->space))
            tsl_slot_drop(s, slot);
    }
    return st;
}
