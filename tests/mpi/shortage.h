/* A context whose allocations fail when they are told to. */
#ifndef SHORTAGE_H
#define SHORTAGE_H

#include "grid.h"

static long left; /* allocations until one fails; negative: none does */

static void *take(void *user, int device, size_t bytes)
{
    (void)user, (void)device;
    return left-- == 0 ? NULL : aligned_alloc(256, (bytes + 255) / 256 * 256);
}

static void give(void *user, int device, void *p, size_t bytes)
{
    (void)user, (void)device, (void)bytes;
    free(p);
}

/* All of its memory is by these, and nothing stays from call to call. NULL: it could not be made, which is told. */
static tsl_context *shortage_context(const team *t, const char *devices)
{
    static const tsl_allocator allocator = {take, give, NULL};
    tsl_config config = tsl_config_default();
    tsl_context *x = NULL;
    config.devices = devices;
    config.allocator = &allocator;
    config.workspace_limit = 1;
    left = -1;
    all_ok(t, !tsl_context_create(&config, &x), "%s: context with memory of the caller's", devices);
    return x;
}

#endif
