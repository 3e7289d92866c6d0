/* Memory for tasks, edges and readers: pieces of one size from slabs, so that a graph of a million tasks costs few
 * allocations. */
#include "runtime/runtime.h"

enum { PIECES = 256 };

struct tsl_slab {
    struct tsl_slab *next;
    max_align_t pieces[];
};

static size_t slab_bytes(const tsl_pool *p) { return tsl_plus(sizeof(struct tsl_slab), tsl_times(PIECES, p->size)); }

void *tsl_pool_get(tsl_runtime *rt, tsl_pool *p)
{
    if (!p->free) {
        tsl_runtime_unlock(rt);
        struct tsl_slab *s = tsl_host_alloc(&rt->x->allocator, slab_bytes(p));
        tsl_runtime_lock(rt);
        if (!s) return NULL;
        s->next = p->slabs;
        p->slabs = s;
        p->held += slab_bytes(p);
        for (int i = PIECES - 1; i >= 0; --i) tsl_pool_put(p, (char *)s->pieces + (size_t)i * p->size);
    }
    void *piece = p->free;
    p->free = *(void **)piece;
    return piece;
}

/* A piece's first word is the list's. Whatever is left of it stays: a task's number tells that it is over. */
void tsl_pool_put(tsl_pool *p, void *piece)
{
    *(void **)piece = p->free;
    p->free = piece;
}

void tsl_pool_free(tsl_runtime *rt, tsl_pool *p)
{
    while (p->slabs) {
        struct tsl_slab *s = p->slabs;
        p->slabs = s->next;
        tsl_host_free(&rt->x->allocator, s, slab_bytes(p));
    }
    p->free = NULL;
    p->held = 0;
}
