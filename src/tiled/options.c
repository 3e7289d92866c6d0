/* Options of tiled calls, and what can be counted of them. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "tiled/tiled.h"

static bool one_of(const char *const *names, const char *value)
{
    while (*names && strcmp(*names, value)) ++names;
    return *names;
}

/* The file before is closed, the new one tried now. */
static tsl_status set_graph(tsl_context *x, const char *name)
{
    tsl_status st = x->runtime ? tsl_drawing_close(x->runtime) : TSL_OK;
    FILE *f = *name ? fopen(name, "w") : NULL;
    if (*name && !f) return tsl_fail(x, TSL_ERR_FILE, "set: graph %s: %s", name, strerror(errno));
    if (f && fclose(f)) return tsl_fail(x, TSL_ERR_FILE, "set: graph %s: %s", name, strerror(errno));
    strcpy(x->graph, name);
    return st;
}

tsl_status tsl_set_tiled(tsl_context *x, const char *option, const char *value)
{
    static const char *const dists[] = {"2d", "rows", "cols", NULL}, *const places[] = {"auto", "device", "host", NULL},
                             *const paths[] = {"auto", "one", "tiles", NULL};
    tsl_status st = tsl_region_pause(x, true); /* what runs goes by the options there were */
    if (st) return tsl_fail(x, st, "set: work submitted earlier failed: %s", tsl_status_text(st));
    if (!strcmp(option, "policy") && tsl_policy_find(value)) strcpy(x->policy, value);
    else if (!strcmp(option, "dist") && one_of(dists, value)) strcpy(x->dist, value);
    else if (!strcmp(option, "diag-on") && one_of(places, value)) strcpy(x->diag_on, value);
    else if (!strcmp(option, "path") && one_of(paths, value)) strcpy(x->path, value);
    else if (!strcmp(option, "graph") && strlen(value) < sizeof x->graph) return set_graph(x, value);
    else return tsl_fail(x, TSL_ERR_OPTION, "set: no %s '%s'", option, value);
    return TSL_OK;
}

double tsl_tiled_idle(const tsl_context *x, int device)
{
    tsl_runtime *rt = x->runtime;
    if (!rt) return 0;
    tsl_runtime_lock(rt);
    tsl_count_idle(&rt->site[device]);
    double idle = rt->site[device].idle;
    tsl_runtime_unlock(rt);
    return idle;
}

int64_t tsl_tiled_launches(const tsl_runtime *rt)
{
    int64_t sum = 0;
    for (int s = 0; s < rt->sites; ++s)
        for (int e = 0; e < rt->site[s].executors; ++e)
            sum += __atomic_load_n(&rt->site[s].executor[e]->count.launches, __ATOMIC_RELAXED);
    return sum;
}

static double idle(tsl_runtime *rt)
{
    double sum = 0;
    for (int s = 0; s < rt->sites; ++s) {
        tsl_count_idle(&rt->site[s]);
        sum += rt->site[s].idle;
    }
    return sum;
}

/* Executors' counts and idle times only grow; `before` is what they were at the last reset. */
void tsl_tiled_counters(tsl_context *x, tsl_counters *n)
{
    tsl_runtime *rt = x->runtime;
    if (!rt) return;
    tsl_runtime_lock(rt);
    const tsl_counters *c = &rt->count;
    n->to_device += c->to_device, n->to_host += c->to_host, n->peer += c->peer;
    n->bytes_to_device += c->bytes_to_device, n->bytes_to_host += c->bytes_to_host, n->bytes_peer += c->bytes_peer;
    n->tasks = c->tasks, n->hits = c->hits, n->evictions = c->evictions;
    n->launches += tsl_tiled_launches(rt) - rt->before.launches;
    n->idle = idle(rt) - rt->before.idle;
    tsl_runtime_unlock(rt);
}

void tsl_tiled_counters_reset(tsl_context *x)
{
    tsl_runtime *rt = x->runtime;
    if (!rt) return;
    tsl_runtime_lock(rt);
    rt->count = (tsl_counters){0};
    rt->before = (tsl_counters){.launches = tsl_tiled_launches(rt), .idle = idle(rt)};
    tsl_runtime_unlock(rt);
}
