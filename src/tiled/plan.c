/* How the caller's call on flat matrices is computed: as it is on the first device, or by tiles on all of them. The numbers it
 * goes by, and their reasons, are in tune/numbers.def. */
#include "tiled/tiled.h"

/* The number for the first device */
#define OF(name) tsl_tuned(x, TSL_TUNED_##name)

typedef struct shape {
    int64_t longest, shortest; /* side of an operand */
    size_t bytes;     /* of all operands */
    size_t triangles; /* of those that are one */
    bool on_host;     /* all of them in the caller's host memory */
} shape;

static shape measure(const tsl_call *c)
{
    shape s = {.shortest = INT64_MAX, .on_host = true};
    for (int i = 0; i < tsl_ops[c->op].operands; ++i) {
        const tsl_view *v = &c->v[i];
        s.longest = tsl_max(s.longest, tsl_max(v->m, v->n));
        s.shortest = tsl_min(s.shortest, tsl_min(v->m, v->n));
        size_t bytes = tsl_dense_bytes(v->mat->type, v->m, v->n);
        s.bytes = tsl_plus(s.bytes, bytes);
        if (v->uplo) s.triangles = tsl_plus(s.triangles, bytes);
        s.on_host = s.on_host && !v->mat->home;
    }
    return s;
}

static bool on_gpus(const tsl_context *x) { return x->dev->be->accelerator; }

static bool tall(const tsl_call *c) { return tsl_trait(c->op, TSL_TALL); }

/* Shortest side of what panels are taken of, or applied to: columns that cores can share. Those of a composite are of its
 * factorization. */
static int64_t breadth(const tsl_call *c)
{
    const tsl_view *A = &c->v[0], *out = tsl_trait(c->op, TSL_COMPOSITE) ? A : &c->v[tsl_output(c->op)];
    return tsl_min(tsl_min(A->m, A->n), tsl_min(out->m, out->n));
}

static int64_t usual_panel(const tsl_context *x, const tsl_call *c)
{
    int64_t step = OF(TILE_STEP), few = tsl_min(OF(PANEL), measure(c).longest / OF(PANELS_ALONG) / step * step);
    if (x->dev->shares_host) few = tsl_min(few, tsl_max(OF(PANEL_LEAST), breadth(c) / (OF(PANELS_A_CORE) * tsl_blas_cores()) / step * step));
    return tsl_max(step, few);
}

/* What all devices can hold beside workspace, each tile once. */
static size_t room_together(tsl_context *x, size_t enough)
{
    size_t sum = 0;
    for (int d = 0; d < x->device_count && sum < enough; ++d) {
        size_t room = x->devices[d].shares_host ? SIZE_MAX / 2 : tsl_room(x, &x->devices[d], true);
        sum = tsl_plus(sum, room - room / 8);
    }
    return sum;
}

/* Is there twice the room of its operands? */
static bool is_roomy(tsl_context *x, const tsl_call *c)
{
    size_t bytes = measure(c).bytes;
    return bytes <= room_together(x, tsl_times(2, bytes)) / 2;
}

/* Tiles that are not as large as they should be travel more slowly, and are computed so. */
static bool hides_transfers(tsl_context *x, const tsl_call *c, const shape *s)
{
    bool product = tsl_is_general_product(c->op) && s->shortest >= OF(TILES_ALONG_OF_ONE) * OF(TILE) &&
                   (x->tile <= 0 || x->tile >= OF(TILE)) && is_roomy(x, c);
    return s->bytes >= (size_t)(product || s->triangles > s->bytes / 2 ? OF(MOVED_SOONER_FROM) : OF(MOVED_FROM));
}

/* Where memory has no say. */
static int64_t usual_tile(tsl_context *x, const tsl_call *c)
{
    int64_t n = measure(c).longest, nb = OF(TILE);
    if (!on_gpus(x)) { /* up to twice as many tiles along a side as there are cores keep all of them busy to the end */
        int64_t cores = x->dev->shares_host ? tsl_blas_cores() : OF(VIRTUAL_CORES), step = OF(TILE_STEP);
        if (tall(c)) return usual_panel(x, c);
        nb = tsl_max(n / tsl_max(OF(TILES_ALONG), 2 * cores), tsl_min(OF(TILE_LEAST), n / cores));
        return tsl_min(OF(TILE), tsl_pieces(tsl_max(nb, 1), step) * step);
    }
    if (tall(c)) return OF(PANEL);
    bool of_one = tsl_is_general_product(c->op) && x->device_count == 1;
    while (nb > OF(TILE_LEAST) && n < (of_one ? OF(TILES_ALONG_OF_ONE) : OF(TILES_ALONG)) * nb) nb /= 2;
    if (n > OF(TILES_MANY) * nb || (of_one && measure(c).shortest >= OF(TILES_TWICE_AS_LARGE) * 2 * nb && is_roomy(x, c))) nb *= 2;
    return nb;
}

/* Measured (2 and 16 cores): OpenBLAS's own threads lose more than tasks do in a large Cholesky factorization, and where there
 * are many of them in what follows it, in LU, and most in QR, where LAPACK's panels are narrow; elsewhere not, or not always
 * (docs/tiles.md). */
static bool suits_cores(const tsl_context *x, const tsl_call *c, int64_t cores)
{
    bool enough = cores >= OF(CORES_MANY) && tsl_trait(c->op, TSL_TILES_ON_CORES);
    if (!enough && !(cores > 1 && tsl_trait(c->op, TSL_TILES_ON_FEW_CORES))) return false;
    if (tall(c)) return breadth(c) >= tsl_max(OF(CORES_BREADTH), OF(CORES_BREADTH_EACH) * cores);
    return measure(c).longest >= tsl_max(OF(CORES_FROM), OF(CORES_FROM_EACH) * cores);
}

/* Products have no critical path, and where not all fits nothing matters more than using tiles while they are there. */
bool tsl_goes_in_order(tsl_context *x, const tsl_call *c)
{
    return !is_roomy(x, c) || tsl_trait(c->op, TSL_PRODUCT) || tsl_takes_any_tiles(c->op);
}

static int64_t wanted(const tsl_context *x, int64_t nb) { return on_gpus(x) && nb > OF(TILE_GOOD) ? OF(TILES_FOR_REUSE) : OF(TILES_IN_FLIGHT); }

/* The next size to try where memory is short. */
static int64_t smaller(const tsl_context *x, int64_t nb)
{
    return on_gpus(x) && nb <= OF(TILE_GOOD) ? nb / 2 : nb - OF(TILE_STEP);
}

static size_t free_now(const tsl_device *dev)
{
    size_t room = tsl_device_room(dev), used = __atomic_load_n(&dev->used, __ATOMIC_RELAXED);
    return used < room ? room - used : 0;
}

/* Tiles of nb each device has room for, if nothing else is there. */
static int64_t tiles_for(tsl_context *x, const tsl_call *c, int64_t nb)
{
    int64_t longest = measure(c).longest;
    double side = (double)tsl_max(1, tsl_min(nb, longest)), height = tall(c) ? (double)longest : side;
    double tile = height * side * (double)tsl_type_size(c->v[0].mat->type);
    int64_t least = INT64_MAX;
    for (int d = 0; d < x->device_count; ++d) least = tsl_min(least, (int64_t)((double)tsl_room(x, &x->devices[d], true) / tile));
    return least;
}

/* What one task needs on the device where that is tightest, and how many tiles all have room for beside every executor's
 * workspace. */
static tsl_status weigh(tsl_context *x, const tsl_call *c, tsl_tile_plan *p)
{
    tsl_task_need need = {0};
    tsl_status st = TSL_OK;
    double least = 0;
    p->slots = INT64_MAX;
    for (int d = 0; d < x->device_count && !st; ++d) {
        tsl_device *dev = &x->devices[d];
        if (d == 0 || dev[-1].be != dev->be || dev[-1].shares_host != dev->shares_host) st = tsl_need_of_task(x, c, p->nb, dev, &need);
        size_t room = tsl_room(x, dev, true), work = tsl_times((size_t)x->runtime->site[d].executors, need.workspace);
        double left = (double)room - (double)need.tiles - (double)need.workspace;
        if (need.tiles) p->slots = tsl_min(p->slots, (int64_t)((room > work ? room - work : 0) / need.tile));
        if (d > 0 && left >= least) continue;
        least = left;
        p->device = d;
        p->room = room;
        p->need = tsl_plus(need.tiles, need.workspace);
    }
    return st;
}

/* Room for as many tiles as are wanted, or for all there are. */
static bool suits(const tsl_context *x, const tsl_call *c, const tsl_tile_plan *p)
{
    return p->need <= p->room && (p->slots >= wanted(x, p->nb) || measure(c).bytes <= p->room - p->need);
}

/* What the device that has least has room for, before the call's tasks take it */
static size_t least_room(tsl_context *x)
{
    size_t least = SIZE_MAX;
    for (int d = 0; d < x->device_count; ++d) {
        size_t room = tsl_room(x, &x->devices[d], true);
        if (room < least) least = room;
    }
    return least;
}

/* Has it a task that is a whole routine of the host library or of a device? Workspace of those is counted as they are
 * submitted, and until then assumed to be several times their operands, or, on a device with a limit, all there is. */
static bool wants_workspace(const tsl_call *c)
{
    return tsl_is_one_task(c->op) || tsl_trait(c->op, TSL_COMPOSITE) || tsl_trait(c->op, TSL_BY_VECTORS) ||
           tsl_trait(c->op, TSL_REREADS);
}

static size_t most_of(const tsl_context *x, size_t bytes)
{
    enum { TIMES = 64 };
    return x->dev->limit == SIZE_MAX ? tsl_times(TIMES, bytes) : SIZE_MAX;
}

tsl_status tsl_plan_tiles(tsl_context *x, const tsl_call *c, int64_t given, tsl_tile_plan *p)
{
    enum { OF_ITS_OWN = 1 << 20 }; /* workspace that a task by vectors may take however small its tiles are */
    size_t bytes = measure(c).bytes;
    bool fixed = given || x->tile > 0;
    int64_t least_tile = tall(c) || tsl_rule[c->op]->parts ? OF(PANEL_SHORT) : OF(TILE_SHORT); /* parts are by panels */
    tsl_status st = TSL_OK;
    x->run->task_room = least_room(x);
    *p = (tsl_tile_plan){.nb = given ? given : x->tile > 0 ? x->tile : usual_tile(x, c)};
    p->why = given ? "an operand has such tiles" : fixed ? "the option \"tile\" says so" : "sizes and devices suggest it";
    p->slots = tiles_for(x, c, p->nb);
    bool little = tsl_trait(c->op, TSL_BY_VECTORS) && x->run->task_room < OF_ITS_OWN;
    if (p->slots < 2 * wanted(x, p->nb) || little) st = weigh(x, c, p);
    while (!st && p->need && !fixed && !suits(x, c, p) && p->nb > least_tile) {
        p->nb = tsl_max(least_tile, smaller(x, p->nb));
        p->why = "there is little memory";
        st = weigh(x, c, p);
    }
    if (bytes <= room_together(x, bytes)) p->slots = 0;
    p->tight = p->need || free_now(x->dev) < (wants_workspace(c) ? most_of(x, bytes) : bytes);
    return !st && p->need > p->room ? tsl_tell_tiles(x, c, p) : st;
}

tsl_status tsl_tell_tiles(tsl_context *x, const tsl_call *c, tsl_tile_plan *p)
{
    tsl_shape tile = tsl_shape_of(c, tsl_output(c->op), p->nb);
    if (!p->need) (void)weigh(x, c, p); /* there seemed to be plenty */
    if (p->need <= p->room)             /* of parts that are counted as they run, such as those the host's cores take */
        return tsl_refuse(x, c, TSL_ERR_DEVICE_MEMORY, "by tiles of %lld x %lld it needs more device memory than the %zu bytes that are free on device %d (%s)",
                          (long long)tile.mb, (long long)tile.nb, p->room, p->device, x->devices[p->device].name);
    return tsl_refuse(x, c, TSL_ERR_DEVICE_MEMORY, "a task on tiles of %lld x %lld needs %zu bytes of device memory, and %zu are free on device %d (%s)",
                      (long long)tile.mb, (long long)tile.nb, p->need, p->room, p->device, x->devices[p->device].name);
}

static tsl_decision tiles(const char *why) { return (tsl_decision){TSL_BY_TILES, why, true}; }
static tsl_decision one(const char *why) { return (tsl_decision){TSL_BY_ONE, why, true}; }
static tsl_decision only_one(const char *why) { return (tsl_decision){TSL_BY_ONE, why, false}; }

tsl_decision tsl_decide(tsl_context *x, const tsl_call *c)
{
    const tsl_device *dev = x->dev;
    shape s = measure(c);
    if (x->path[0] == 'o') return only_one("the option \"path\" says so");
    if (tsl_trait(c->op, TSL_NEVER_BY_TILES)) return only_one("what does not fit goes another way");
    if (tsl_stands_still(c)) return only_one("a vector has an increment of zero"); /* its tiles would be one element, too */
    if (x->path[0] == 't') return tiles("the option \"path\" says so");
    if (!tsl_takes_variant(x, c->op, tsl_tiled_takes)) return only_one("the variant asked for is not one by tiles");
    if (!tsl_fits_one(x, c)) return tiles("it is larger than the device's memory");
    if (!s.on_host) return one("an operand is in device memory already");
    if (tsl_is_one_task(c->op) || tsl_trait(c->op, TSL_BY_VECTORS)) return one("one device computes it");
    if (tsl_is_in_pieces(c->op) || tsl_trait(c->op, TSL_NUMBER))
        return one("it takes no longer than its operands' way to the device");
    if (x->device_count > 1) {
        int64_t from = x->tile > 0 ? x->tile + 1 : OF(SHARED_FROM); /* a side, also where tiles are as high as it */
        if (s.longest >= from) return tiles("there are several devices");
        return one("it is too small to be shared out");
    }
    if (dev->shares_host) {
        if (x->tile > 0 || !suits_cores(x, c, tsl_blas_cores()))
            return one("OpenBLAS's threads do it as well");
        return tiles("tasks keep the cores busier than OpenBLAS's threads");
    }
    if (on_gpus(x) && !tsl_trait(c->op, TSL_REREADS) && hides_transfers(x, c, &s))
        return tiles("transfers hide behind computation");
    return one("it fits the device, and moving it whole is faster than by tiles");
}
