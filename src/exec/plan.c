/* How the caller's call on flat matrices is computed: as it is on the first device, or by tiles on all of them. */
#include "exec/tiled.h"

enum {
    CORE_TILE = 640,      /* on a core larger ones are no faster (Neoverse N1, double) */
    CORE_SIDE = 6,        /* at least so many along the longest side: with fewer, one or two cores lose more at the ends than they gain */
    CORE_LEAST = 192,     /* smaller ones are slower, unless some cores would have none */
    CORE_STEP = 32,
    GPU_TILE = 2048,      /* a product of such tiles runs near a GPU's peak and is longer than moving one of them */
    GPU_LEAST = 512,
    MANY_TILES = 32,      /* along a side: larger ones move less */
    LONG_SIDE = 8,        /* tiles along the longest side: fewer give neither overlap nor balance */
    SHARED_FROM = 512,    /* side of what is shared out over several devices of the host's */
    CORES_FROM = 3000,    /* side from which cutting costs less than OpenBLAS's own threads lose: this, */
    SIDE_A_CORE = 300,    /* or this for each core */
    MANY_CORES = 8,       /* of which OpenBLAS's own threads leave some waiting */
};
static const size_t MOVED_FROM = (size_t)64 << 20; /* bytes for which overlapping transfers with computation pays */

typedef struct shape {
    int64_t longest;  /* side of an operand */
    size_t bytes;     /* of all operands */
    bool on_host;     /* all of them in the caller's host memory */
} shape;

static shape measure(const tsl_call *c)
{
    shape s = {.on_host = true};
    for (int i = 0; i < tsl_ops[c->op].operands; ++i) {
        const tsl_view *v = &c->v[i];
        s.longest = tsl_max(s.longest, tsl_max(v->m, v->n));
        s.bytes += (size_t)v->m * (size_t)v->n * tsl_type_size(v->mat->type);
        s.on_host = s.on_host && !v->mat->home;
    }
    return s;
}

static bool on_gpus(const tsl_context *x) { return x->dev->be != &tsl_host_backend; }

int64_t tsl_tile_for(const tsl_context *x, const tsl_call *c)
{
    if (x->tile > 0) return x->tile;
    int64_t n = measure(c).longest, nb = GPU_TILE;
    if (!on_gpus(x)) { /* up to twice as many tiles along a side as there are cores keep all of them busy to the end */
        int64_t cores = tsl_max(x->device_count, x->dev->shares_host ? tsl_blas_cores() : 1);
        nb = tsl_max(n / tsl_max(CORE_SIDE, 2 * cores), tsl_min(CORE_LEAST, n / cores));
        return tsl_min(CORE_TILE, (tsl_max(nb, 1) + CORE_STEP - 1) / CORE_STEP * CORE_STEP);
    }
    while (nb > GPU_LEAST && n < LONG_SIDE * nb) nb /= 2;
    if (n > MANY_TILES * nb) nb *= 2;
    return nb;
}

/* Measured (2 and 16 cores): OpenBLAS's own threads lose more than tasks do in a large Cholesky factorization, and where there are many
 * of them in what follows it; elsewhere not, or not always (docs/tiles.md). */
static bool suits_cores(tsl_opcode op, int64_t side, int64_t cores)
{
    if (cores == 1 || side < tsl_max(CORES_FROM, SIDE_A_CORE * cores)) return false;
    return op == TSL_OP_POTRF || (cores >= MANY_CORES && (op == TSL_OP_POTRI || op == TSL_OP_LAUUM));
}

/* What a device can hold beside workspace. */
static size_t room_on(const tsl_device *dev)
{
    size_t room = tsl_device_room(dev);
    return room - room / 8;
}

/* Products have no critical path, and where not all fits nothing matters more than using tiles while they are there. */
bool tsl_goes_in_order(const tsl_context *x, const tsl_call *c)
{
    size_t room = 0, bytes = measure(c).bytes;
    for (int d = 0; d < x->device_count && room < bytes; ++d)
        room = x->devices[d].shares_host ? SIZE_MAX : room + room_on(&x->devices[d]) / 2; /* half: others' tiles are cached too */
    return bytes > room || c->op == TSL_OP_GEMM || c->op == TSL_OP_SYMM || c->op == TSL_OP_HEMM || c->op == TSL_OP_SYRK ||
           c->op == TSL_OP_HERK || c->op == TSL_OP_SYR2K || c->op == TSL_OP_HER2K;
}

tsl_decision tsl_decide(const tsl_context *x, const tsl_call *c)
{
    const tsl_device *dev = x->dev;
    shape s = measure(c);
    if (x->path[0] == 'o') return (tsl_decision){TSL_BY_ONE, "the option \"path\" says so"};
    if (!tsl_has_tiled_form(c->op)) return (tsl_decision){TSL_BY_ONE, "the operation has no tiled form"};
    if (x->path[0] == 't') return (tsl_decision){TSL_BY_TILES, "the option \"path\" says so"};
    if (!tsl_takes_variant(x, c->op, tsl_tiled_takes)) return (tsl_decision){TSL_BY_ONE, "the variant asked for is not one by tiles"};
    if (!s.on_host) return (tsl_decision){TSL_BY_ONE, "an operand is in device memory already"};
    if (x->device_count > 1) {
        if (x->tile > 0 || s.longest >= (on_gpus(x) ? LONG_SIDE * GPU_LEAST : SHARED_FROM)) return (tsl_decision){TSL_BY_TILES, "there are several devices"};
        return (tsl_decision){TSL_BY_ONE, "it is too small to be shared out"};
    }
    if (dev->shares_host) {
        if (x->tile > 0 || !suits_cores(c->op, s.longest, tsl_blas_cores()))
            return (tsl_decision){TSL_BY_ONE, "OpenBLAS's threads do it as well"};
        return (tsl_decision){TSL_BY_TILES, "tasks keep the cores busier than OpenBLAS's threads"};
    }
    if (s.bytes > room_on(dev)) return (tsl_decision){TSL_BY_TILES, "it is larger than the device's memory"};
    if (on_gpus(x) && s.bytes >= MOVED_FROM) return (tsl_decision){TSL_BY_TILES, "transfers hide behind computation"};
    return (tsl_decision){TSL_BY_ONE, "it fits the device, and moving it takes no time worth hiding"};
}
