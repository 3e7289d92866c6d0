/* Contexts on devices that may not be here */
#ifndef CONTEXT_H
#define CONTEXT_H

#include "tap.h"
#include "tesela.h"

/* A context on these devices, or NULL: there are none, which is told as skipped, or it failed */
static inline tsl_context *context_on(const char *devices)
{
    tsl_config cfg = tsl_config_default();
    tsl_context *x = NULL;
    cfg.devices = devices;
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
