/* Arrays that end at a page nobody may touch, with a margin of canaries between the columns; and whole arrays made read-only. */
#ifndef FUZZ_ARENA_H
#define FUZZ_ARENA_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef struct guarded {
    unsigned char *map, *data; /* data ends where the forbidden page begins, as nearly as its alignment allows */
    size_t mapped, bytes;
} guarded;

enum { CANARY = 0x5a };

static inline guarded guarded_make(size_t bytes, size_t align)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), body = (bytes + page - 1) / page * page;
    guarded g = {.bytes = bytes, .mapped = body + 2 * page};
    g.map = mmap(NULL, g.mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (g.map == MAP_FAILED || (body && mprotect(g.map + page, body, PROT_READ | PROT_WRITE))) abort();
    g.data = g.map + page + (body - bytes) / align * align;
    memset(g.map + page, CANARY, body);
    return g;
}

static inline void guarded_protect(const guarded *g, int readonly)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    if (g->mapped > 2 * page && mprotect(g->map + page, g->mapped - 2 * page, readonly ? PROT_READ : PROT_READ | PROT_WRITE)) abort();
}

static inline void guarded_free(guarded *g)
{
    if (g->map) munmap(g->map, g->mapped);
    g->map = NULL;
}

#endif
