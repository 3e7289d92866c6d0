/* A context whose allocations fail when they are told to. */
#ifndef SHORTAGE_H
#define SHORTAGE_H

#include "whole.h"

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

/* Each allocation of the last process fails in turn, up to `most` of them: all processes hear of it, or none where it was tried
 * again. `ready` comes before each trial; `call` is what runs out of memory; `same` says whether then, or done again, it leaves
 * what it should. */
typedef struct trial {
    tsl_status (*ready)(void *problem, tsl_context *x), (*call)(void *problem, tsl_context *x);
    int (*same)(void *problem, tsl_context *x, tsl_status st);
    void *problem;
} trial;

static void shortage_trials(const team *t, tsl_context *x, const char *devices, int most, const trial *of)
{
    int last = t->rank == t->size - 1, good = 1, refused = 0;
    for (int i = 0, done = 0; i < most && !done && good; i++) {
        good = !of->ready(of->problem, x) && tsl_set(x, "none", "such"); /* a line that the call has nothing to do with */
        left = last ? i : -1;
        tsl_status st = of->call(of->problem, x);
        done = everywhere(left >= 0 || !last);
        left = -1;
        good = good && same_everywhere(st) && (!st || st == TSL_ERR_MEMORY || st == TSL_ERR_DEVICE_MEMORY) && (!st || !strstr(tsl_error(x), "none")) && of->same(of->problem, x, st);
        if (!good) printf("# rank %d: allocation %d: %s: %s\n", t->rank, i, tsl_status_name(st), tsl_error(x));
        refused += st != TSL_OK;
    }
    all_ok(t, good && refused > 0 && refused < most, "%s: one process's allocations fail in turn, %d of them for good; then the same bits", devices, refused);
}

#endif
