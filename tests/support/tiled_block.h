/* Operands for tests by tiles: blocks of flat matrices, and matrices of the caller's own tiles; and an allocator that fails
 * when told to. */
#ifndef TILED_BLOCK_H
#define TILED_BLOCK_H

#include <limits.h>
#include <stdlib.h>

#include "dense.h"
#include "tiled.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* A context whose calls on flat matrices go by tiles of that size */
static inline tsl_context *by_tiles(const char *devices, const char *tile)
{
    tsl_context *x = make(devices);
    check(!tsl_set(x, "path", "tiles") && !tsl_set(x, "tile", tile), "%s: %s", devices, tsl_error(x));
    return x;
}

/* A block of a larger flat matrix: `at` rows and columns of it come before. */
typedef struct block {
    tsl_matrix *mat;
    tsl_view v;
} block;

static inline block wrap(tsl_context *x, const dense *d, int64_t at)
{
    block b = {0};
    check(!tsl_matrix_wrap(x, d->t, d->m, d->n, d->data, d->ld, &b.mat), "%s", tsl_error(x));
    b.v = tsl_sub(tsl_whole(b.mat), at, d->n > 1 ? at : 0, d->m - at, d->n > 1 ? d->n - at : d->n);
    return b;
}

/* The same, of tiles of the caller's own */
static inline block tiled(tsl_context *x, const dense *d, int64_t nb, bool own)
{
    block b = {0}, from;
    if (!own) check(!tsl_tiled_wrap(x, d->t, d->m, d->n, d->data, d->ld, nb, &b.mat), "%s", tsl_error(x));
    else {
        from = wrap(x, d, 0);
        check(!tsl_tiled_create(x, d->t, d->m, d->n, nb, &b.mat) && !tsl_copy(x, from.v, tsl_whole(b.mat)), "%s", tsl_error(x));
        tsl_matrix_free(from.mat);
    }
    b.v = tsl_whole(b.mat);
    return b;
}

static inline void take_back(tsl_context *x, block *b, const dense *d, bool own)
{
    block to = wrap(x, d, 0);
    if (own) check(!tsl_copy(x, tsl_whole(b->mat), to.v), "%s", tsl_error(x));
    tsl_matrix_free(to.mat);
    tsl_matrix_free(b->mat);
}

/* Counts what is live. Allocations from..to fail. */
typedef struct hook {
    long calls, live, fail_from, fail_to;
} hook;

/* From the allocation `fail` from now on, or that one only, they fail; and no longer */
static inline void hook_fail(hook *h, long fail, int all) { h->fail_from = h->calls + fail, h->fail_to = all ? LONG_MAX : h->fail_from + 1; }
static inline void hook_rest(hook *h) { h->fail_from = h->fail_to = 0; }

/* Called from the library's threads too. */
static inline void *hook_alloc(void *user, int device, size_t bytes)
{
    hook *h = user;
    (void)device;
    long call = __atomic_add_fetch(&h->calls, 1, __ATOMIC_RELAXED);
    void *p = call >= h->fail_from && call < h->fail_to ? NULL : aligned_alloc(256, (bytes + 255) / 256 * 256);
    if (p) __atomic_add_fetch(&h->live, 1, __ATOMIC_RELAXED);
    return p;
}

static inline void hook_free(void *user, int device, void *p, size_t bytes)
{
    hook *h = user;
    (void)device, (void)bytes;
    __atomic_sub_fetch(&h->live, 1, __ATOMIC_RELAXED);
    free(p);
}

#endif
