/* Contexts on devices that may not be here */
#ifndef CONTEXT_H
#define CONTEXT_H

#include <stdlib.h>
#include <string.h>

#include "extent.h"
#include "tap.h"
#include "tesela.h"

/* Memory full of NaN, so that a result that depends on what was there is none */
static inline void *context_poisoned(void *user, int device, size_t bytes)
{
    (void)user, (void)device;
    void *p = aligned_alloc(256, (bytes + 255) / 256 * 256);
    if (p) memset(p, 0xff, bytes);
    return p;
}

static inline void context_free(void *user, int device, void *p, size_t bytes)
{
    (void)user, (void)device, (void)bytes;
    free(p);
}

/* A context on these devices, or NULL: there are none, or they are not asked for, which is told as skipped, or it failed. On
 * the host no workspace is kept from call to call, and it is poisoned. */
static inline tsl_context *context_on(const char *devices)
{
    static const tsl_allocator poisoned = {context_poisoned, context_free, NULL};
    tsl_config cfg = tsl_config_default();
    tsl_context *x = NULL;
    if (in_short() && strcmp(devices, "host") != 0) {
        skip("%s: not in a short run", devices);
        return NULL;
    }
    cfg.devices = devices;
    if (!strncmp(devices, "host", 4)) cfg.allocator = &poisoned, cfg.workspace_limit = 1;
    tsl_status st = tsl_context_create(&cfg, &x);
    if (st == TSL_ERR_NO_DEVICE) skip("%s: not here", devices);
    else ok(!st, "%s: context (%s)", devices, tsl_status_name(st));
    return x;
}

/* The same with all that has a tiled form by tiles of that size; "0": as the library chooses */
static inline tsl_context *context_by(const char *devices, const char *tile)
{
    tsl_context *x = context_on(devices);
    if (x && *tile != '0') ok(!tsl_set(x, "path", "tiles") && !tsl_set(x, "tile", tile), "%s: by tiles of %s", devices, tile);
    return x;
}

#endif
