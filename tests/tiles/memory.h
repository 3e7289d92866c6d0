/* What tests of memory limits share. */
#ifndef MEMORY_H
#define MEMORY_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "exec/exec.h"
#include "tiled.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* A lower limit than what is kept already would not be one. */
static inline void limit(tsl_context *x, size_t bytes)
{
    size_t most = 0;
    for (int d = 0; d < x->device_count; d++) {
        most = x->devices[d].used > most ? x->devices[d].used : most;
        x->devices[d].limit = bytes;
    }
    if (most > bytes) tsl_trim(x);
    for (int d = 0; d < x->device_count; d++) x->devices[d].peak = x->devices[d].used;
}

static inline bool within(const tsl_context *x)
{
    int d = 0;
    while (d < x->device_count && x->devices[d].peak <= x->devices[d].limit) d++;
    return d == x->device_count;
}

static inline tsl_status set(tsl_context *x, const char *path, const char *tile)
{
    tsl_status st = tsl_set(x, "path", path);
    return st ? st : tsl_set(x, "tile", tile);
}

/* The two numbers of an error line. */
static inline bool told(tsl_context *x, size_t *need, size_t *free)
{
    const char *line = tsl_error(x), *first = strstr(line, "needs "), *last = strstr(line, "and ");
    return first && last && sscanf(first, "needs %zu bytes", need) == 1 && sscanf(last, "and %zu are free", free) == 1 && *need > *free;
}

#endif
