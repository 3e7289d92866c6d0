/* Which site runs a task, and which task a site runs next: the most urgent one of its queue. */
#include "runtime/runtime.h"

/* Longer paths first; of equal ones the older task. */
bool tsl_goes_before(const tsl_task *a, const tsl_task *b)
{
    return a->urgency != b->urgency ? a->urgency > b->urgency : a->id < b->id;
}

/* Pairing heaps, through the tasks' own pointers: a queue never needs memory. */
static tsl_task *meld(tsl_task *a, tsl_task *b)
{
    if (!a || !b) return a ? a : b;
    if (tsl_goes_before(b, a)) {
        tsl_task *t = a;
        a = b;
        b = t;
    }
    b->next = a->child;
    a->child = b;
    return a;
}

static void push(tsl_heap *h, tsl_task *t)
{
    t->child = t->next = NULL;
    h->top = meld(h->top, t);
    h->count++;
}

/* The children of the top in pairs from the first, then the pairs from the last. */
static tsl_task *pop(tsl_heap *h)
{
    tsl_task *top = h->top, *pairs = NULL, *rest = NULL;
    if (!top) return NULL;
    for (tsl_task *c = top->child; c;) {
        tsl_task *a = c, *b = c->next;
        c = b ? b->next : NULL;
        a->next = NULL;
        if (b) b->next = NULL;
        a = meld(a, b);
        a->next = pairs;
        pairs = a;
    }
    while (pairs) {
        tsl_task *a = pairs;
        pairs = a->next;
        a->next = NULL;
        rest = meld(rest, a);
    }
    h->top = rest;
    h->count--;
    return top;
}

/* One that has nobody below it. */
static tsl_task *pop_last(tsl_heap *h)
{
    tsl_task *above = NULL, *t = h->top;
    for (; t->child; t = t->child) above = t;
    if (above) above->child = t->next;
    else h->top = NULL;
    h->count--;
    return t;
}

/* Results depend on the kind of processor, never on which one of the kind. */
static bool same_kind(const tsl_site *a, const tsl_site *b)
{
    return a->dev->be == b->dev->be && a->dev->shares_host == b->dev->shares_host;
}

static size_t bytes_at(const tsl_task *t, int space)
{
    size_t sum = 0;
    for (int i = 0; i < t->uses; ++i) {
        const tsl_use *u = &t->use[i];
        if (!tsl_line_valid(&u->tile->line, space)) continue;
        sum = tsl_plus(sum, tsl_times(tsl_tile_bytes(u->tile), u->writes ? 2 : 1)); /* moving it would also leave it behind */
    }
    return sum;
}

/* By the owner of what it writes; a free policy prefers, among the owner's kind, where most of its operands are already. */
static tsl_site *choose(tsl_runtime *rt, const tsl_task *t)
{
    int w = 0;
    while (w + 1 < t->uses && !t->use[w].writes) ++w;
    if (t->hints.on_cores) return &rt->site[rt->host_site];
    tsl_site *best = &rt->site[t->use[w].tile->owner];
    if (!rt->policy->free) return best;
    const tsl_site *owner = best;
    size_t most = bytes_at(t, best->space);
    for (int i = 0; i < rt->x->device_count; ++i) {
        tsl_site *s = &rt->site[i];
        size_t bytes = same_kind(s, owner) ? bytes_at(t, s->space) : 0;
        if (bytes > most) most = bytes, best = s;
    }
    return best;
}

static bool idle(const tsl_site *s) { return s->ready.count == 0 && s->fetched == 0 && s->running == 0; }

void tsl_ready(tsl_runtime *rt, tsl_task *t)
{
    tsl_site *s = t->site = choose(rt, t);
    push(&s->ready, t);
    tsl_site_offer(s);
    for (int i = 0; i < rt->x->device_count && rt->policy->free && s->ready.count > 1; ++i) /* others may take it */
        if (idle(&rt->site[i])) tsl_site_offer(&rt->site[i]);
}

void tsl_ready_again(tsl_site *s, tsl_task *t) { push(&s->ready, t); }

/* From the longest queue of its kind, the task that is about the least urgent there. */
static tsl_task *steal(tsl_site *thief)
{
    tsl_runtime *rt = thief->rt;
    tsl_site *victim = NULL;
    for (int i = 0; i < rt->x->device_count; ++i) {
        tsl_site *s = &rt->site[i];
        if (s != thief && same_kind(s, thief) && s->ready.count > (victim ? victim->ready.count : 1)) victim = s;
    }
    return victim ? pop_last(&victim->ready) : NULL;
}

tsl_task *tsl_next_task(tsl_site *s)
{
    tsl_task *t = pop(&s->ready);
    if (!t && s->rt->policy->free && idle(s)) t = steal(s);
    if (t) t->site = s;
    return t;
}
