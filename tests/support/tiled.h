/* What tests of tiled matrices begin with: the policies, and a context on given devices. */
#ifndef TESTS_TILED_H
#define TESTS_TILED_H

#include "tap.h"
#include "tesela.h"

static const char *const policies[] = {"auto", "basic", "affinity", "cache", "write-back"};

static inline tsl_context *make(const char *devices)
{
    tsl_config cfg = tsl_config_default();
    tsl_context *x = NULL;
    cfg.devices = devices;
    tsl_status st = tsl_context_create(&cfg, &x);
    check(!st, "%s: context (%s)", devices, tsl_status_name(st));
    return x;
}

#endif
