/* Workspace as a stack over a list of chunks of device memory, one per lane (core.h says why reuse needs no waiting).
 * Chunks after the current one are empty; they stay for the next who needs more. */
#include "context/context.h"

enum { SMALLEST = 1 << 20, SHARE = 16 };

/* A new last chunk with room for `bytes`; *c stays when there is no memory. */
static tsl_status grow(tsl_arena *a, size_t bytes, tsl_chunk **c)
{
    size_t least = tsl_device_room(a->dev) / SHARE, size; /* a chunk for later, where it is in nobody's way */
    void *base;
    if (least > SMALLEST) least = SMALLEST;
    size = bytes > least ? bytes : least;
    tsl_status st = tsl_device_alloc(a->dev, size, &base);
    if (st == TSL_ERR_DEVICE_MEMORY && size > bytes) st = tsl_device_alloc(a->dev, size = bytes, &base);
    if (st) return st;
    tsl_chunk *fresh = tsl_host_alloc(&a->dev->allocator, sizeof *fresh);
    if (!fresh) {
        tsl_device_release(a->dev, base);
        return TSL_ERR_MEMORY;
    }
    *fresh = (tsl_chunk){.base = base, .size = size};
    tsl_chunk **end = &a->first;
    while (*end) end = &(*end)->next;
    *end = fresh;
    __atomic_store_n(&a->held, a->held + size, __ATOMIC_RELAXED); /* others may look, none of them changes it */
    *c = fresh;
    return TSL_OK;
}

tsl_status tsl_arena_get(tsl_arena *a, size_t bytes, void **p)
{
    bytes = tsl_rounded(bytes, TSL_WORKSPACE_ALIGN);
    if (bytes > PTRDIFF_MAX) return TSL_ERR_OVERFLOW;
    if (a->dry) {
        *p = NULL;
        a->dry_top = tsl_plus(a->dry_top, bytes);
        if (a->dry_top > a->dry_peak) a->dry_peak = a->dry_top;
        return TSL_OK;
    }
    tsl_chunk *c = a->current ? a->current : a->first;
    while (c && c->size - (c == a->current ? c->top : 0) < bytes) c = c->next;
    if (!c) {
        tsl_status st = grow(a, bytes, &c);
        if (st) return st;
    }
    if (c != a->current) c->top = 0;
    a->current = c;
    *p = c->base + c->top;
    c->top += bytes;
    return TSL_OK;
}

tsl_mark tsl_arena_mark(const tsl_arena *a)
{
    return a->dry ? (tsl_mark){NULL, a->dry_top} : (tsl_mark){a->current, a->current ? a->current->top : 0};
}

/* One chunk that holds it all: a stack in it cannot be fragmented. */
bool tsl_arena_has(const tsl_arena *a, size_t bytes)
{
    const tsl_chunk *c = a->first;
    while (c && c->size < bytes) c = c->next;
    return c || !bytes;
}

tsl_status tsl_arena_reserve(tsl_arena *a, size_t bytes)
{
    tsl_chunk *c;
    if (tsl_arena_has(a, bytes)) return TSL_OK;
    if (a->busy) return TSL_ERR_DEVICE_MEMORY;
    tsl_arena_trim(a, 0);
    return grow(a, bytes, &c);
}

void tsl_arena_back(tsl_arena *a, tsl_mark m)
{
    if (a->dry) {
        a->dry_top = m.top;
        return;
    }
    a->current = m.chunk;
    if (m.chunk) m.chunk->top = m.top;
}

void tsl_arena_strip(tsl_arena *a, size_t keep, tsl_chunk **taken)
{
    while (a->first && a->held > keep) {
        tsl_chunk *c = a->first;
        a->first = c->next;
        __atomic_store_n(&a->held, a->held - c->size, __ATOMIC_RELAXED);
        c->next = *taken;
        *taken = c;
    }
    a->current = NULL;
}

void tsl_chunks_release(tsl_device *dev, tsl_chunk *c)
{
    for (tsl_chunk *next; c; c = next) {
        next = c->next;
        tsl_device_release(dev, c->base);
        tsl_host_free(&dev->allocator, c, sizeof *c);
    }
}

void tsl_arena_trim(tsl_arena *a, size_t keep)
{
    tsl_chunk *taken = NULL;
    tsl_arena_strip(a, keep, &taken);
    tsl_chunks_release(a->dev, taken);
}
