/* How the caller's call on flat matrices is computed: as it is on the first device, or by tiles on all of them. */
#include "exec/tiled.h"

enum {
    HOST_TILE = 256,  /* a core's caches hold three, and a few thousand tasks fill all cores */
    GPU_TILE = 2048,  /* a product of such tiles runs near a GPU's peak, and is longer than moving one of them */
    FEWEST = 4,       /* tiles along a side for which cutting pays */
};

static bool on_gpus(const tsl_context *x) { return x->dev->be != &tsl_host_backend; }

/* The longest side of the operands. */
static int64_t longest(const tsl_call *c)
{
    int64_t n = 0;
    for (int i = 0; i < tsl_ops[c->op].operands; ++i) n = tsl_max(n, tsl_max(c->v[i].m, c->v[i].n));
    return n;
}

int64_t tsl_tile_for(const tsl_context *x, const tsl_call *c)
{
    if (x->tile > 0) return x->tile;
    int64_t nb = on_gpus(x) ? GPU_TILE : HOST_TILE, n = longest(c);
    while (nb > 64 && n < 2 * FEWEST * nb) nb /= 2;
    return nb;
}

static bool in_host_memory(const tsl_call *c)
{
    for (int i = 0; i < tsl_ops[c->op].operands; ++i)
        if (c->v[i].mat->home) return false;
    return true;
}

tsl_path tsl_plan(tsl_context *x, const tsl_call *c)
{
    if (x->path[0] == 'o' || !tsl_has_tiled_form(c->op)) return TSL_BY_ONE;
    if (x->path[0] == 't') return TSL_BY_TILES;
    if (x->device_count == 1 || !in_host_memory(c)) return TSL_BY_ONE;
    return longest(c) >= FEWEST * tsl_tile_for(x, c) || x->tile > 0 ? TSL_BY_TILES : TSL_BY_ONE;
}
