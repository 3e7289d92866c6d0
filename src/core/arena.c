/* Workspace as a stack of chunks of device memory, one stack per lane (core.h says why reuse needs no waiting). */
#include "core/core.h"

enum { ALIGN = 256, SMALLEST = 1 << 20 };

tsl_status tsl_arena_get(tsl_arena *a, size_t bytes, void **p)
{
    if (bytes > SIZE_MAX - ALIGN) return TSL_ERR_OVERFLOW;
    bytes = (bytes + ALIGN - 1) / ALIGN * ALIGN;
    tsl_chunk *c = a->chunk;
    if (!c || c->size - c->top < bytes) {
        size_t size = bytes > SMALLEST ? bytes : SMALLEST;
        void *base;
        tsl_status st = tsl_device_alloc(a->dev, size, &base);
        if (st == TSL_ERR_DEVICE_MEMORY && size > bytes) st = tsl_device_alloc(a->dev, size = bytes, &base);
        if (st) return st;
        tsl_chunk *fresh = tsl_host_alloc(&a->dev->allocator, sizeof *fresh);
        if (!fresh) {
            tsl_device_release(a->dev, base);
            return TSL_ERR_MEMORY;
        }
        *fresh = (tsl_chunk){.prev = c, .base = base, .size = size};
        a->chunk = c = fresh;
        a->held += size;
    }
    *p = c->base + c->top;
    c->top += bytes;
    return TSL_OK;
}

tsl_mark tsl_arena_mark(const tsl_arena *a) { return (tsl_mark){a->chunk, a->chunk ? a->chunk->top : 0}; }

/* Chunks newer than the mark stay, empty: the next operation takes from the newest. */
void tsl_arena_back(tsl_arena *a, tsl_mark m)
{
    for (tsl_chunk *c = a->chunk; c && c != m.chunk; c = c->prev) c->top = 0;
    if (m.chunk) m.chunk->top = m.top;
}

void tsl_arena_trim(tsl_arena *a, size_t keep)
{
    while (a->chunk && a->held > keep) {
        tsl_chunk *c = a->chunk;
        a->chunk = c->prev;
        a->held -= c->size;
        tsl_device_release(a->dev, c->base);
        tsl_host_free(&a->dev->allocator, c, sizeof *c);
    }
}
