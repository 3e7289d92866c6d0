/* Messages between devices by their own fabric, NCCL. Packing, messages and unpacking of a transfer go on the lane beside the main
 * one, which follows what the main lane had to do when the transfer began; the main lane follows it when the transfer ends. No
 * process waits in between. All messages of a process are on that one lane, in the order in which its transfers begin, and all
 * processes begin the same transfers in the same order, whichever communicator each is on: so none waits for one that comes
 * after it.
 *
 * Wires are opened when first a call has use for them, by all processes or by none. */
#include <stdlib.h>
#include <string.h>

#include "dist/dist.h"

static int processes(const tsl_grid *g) { return g->size[0] * g->size[1]; }

/* The wires are of one device; another context may have another. */
static bool fits(const tsl_grid *g, const tsl_device *dev)
{
    const tsl_wires *w = &g->wires;
    if (w->state == TSL_WIRES_UNTRIED) return dev->be->fabric != NULL;
    return w->state == TSL_WIRES_OPEN && w->fabric == dev->be->fabric && w->ordinal == dev->ordinal;
}

bool tsl_wire_takes(tsl_transfer *t)
{
    tsl_wires *w = &t->g->wires;
    const tsl_device *dev = t->x->dev;
    bool may = processes(t->g) > 1 && !dev->shares_host && t->from.local->home == dev && t->to.local->home == dev && fits(t->g, dev);
    if (t->g->rehearsing) {
        w->wanted |= may;
        w->kinds = (int64_t)(((uint64_t)w->kinds * 0x9e3779b97f4a7c15u + 1 + may) >> 1);
    }
    return may && w->on;
}

/* True if it is on all processes. */
static bool everywhere(const tsl_grid *g, bool here)
{
    int mine = here, all = 0;
    return !MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, g->comm) && all;
}

typedef struct seat {
    char host[MPI_MAX_PROCESSOR_NAME], place[64];
} seat;

/* Does each process have a device that may be an end beside the others'? */
static bool seats(const tsl_context *x, const tsl_grid *g)
{
    int p = processes(g), me = g->at[0] * g->size[1] + g->at[1], length;
    seat mine = {{0}, {0}}, *all = calloc((size_t)p, sizeof *all);
    bool good = all && !MPI_Get_processor_name(mine.host, &length) && x->dev->be->fabric->there(x->dev, mine.place, sizeof mine.place);
    if (!everywhere(g, good)) {
        tsl_log(TSL_LOG_INFO, "grid: no NCCL, or not on every process");
        free(all);
        return false;
    }
    good = !MPI_Allgather(&mine, sizeof mine, MPI_BYTE, all, sizeof mine, MPI_BYTE, g->comm);
    for (int i = 0; i < p && good && *mine.place; ++i)
        if (i != me && !strcmp(all[i].host, mine.host) && !strcmp(all[i].place, mine.place)) {
            tsl_log(TSL_LOG_INFO, "grid: NCCL is not used: processes %d and %d share GPU %s of %s", me, i, mine.place, mine.host);
            good = false;
        }
    free(all);
    return everywhere(g, good);
}

static bool open_along(const tsl_context *x, tsl_grid *g, tsl_over over)
{
    struct { tsl_status st; tsl_ticket ticket; } first = {TSL_OK, {{0}}};
    MPI_Comm comm = tsl_comm(g, over);
    int rank, size;
    bool good = !MPI_Comm_rank(comm, &rank) && !MPI_Comm_size(comm, &size);
    if (good && rank == 0) first.st = g->wires.fabric->ticket(&first.ticket);
    good = good && !MPI_Bcast(&first, sizeof first, MPI_BYTE, 0, comm) && !first.st;
    if (everywhere(g, good)) good = !g->wires.fabric->open(x->dev, &first.ticket, rank, size, &g->wires.along[over]);
    return everywhere(g, good);
}

static void open_all(const tsl_context *x, tsl_grid *g)
{
    tsl_wires *w = &g->wires;
    bool lines = g->size[0] > 1 && g->size[1] > 1; /* else the one that matters is all of them */
    w->state = TSL_WIRES_NONE;
    if (!seats(x, g)) return;
    w->fabric = x->dev->be->fabric;
    w->ordinal = x->dev->ordinal;
    w->state = TSL_WIRES_OPEN;
    bool good = open_along(x, g, TSL_OVER_ALL);
    for (int d = 0; d < 2 && lines && good; ++d) good = open_along(x, g, d == 0 ? TSL_OVER_ROWS : TSL_OVER_COLS);
    if (good) {
        tsl_log(TSL_LOG_INFO, "grid: messages between devices by NCCL");
        return;
    }
    tsl_log(TSL_LOG_WARN, "grid: NCCL is not used: it did not start on every process");
    tsl_wire_close(g, true);
}

void tsl_wire_close(tsl_grid *g, bool broken)
{
    tsl_wires *w = &g->wires;
    for (int over = TSL_OVER_ALL; over > TSL_OVER_NONE && w->state == TSL_WIRES_OPEN; --over)
        if (w->along[over].comm) w->fabric->close(&w->along[over], broken);
    w->state = TSL_WIRES_NONE;
    w->on = false;
}

bool tsl_wire_turn(tsl_context *x, tsl_grid *g)
{
    tsl_wires *w = &g->wires;
    bool was = w->on;
    if (!w->same) w->on = false;
    else if (w->wanted && w->state == TSL_WIRES_UNTRIED) {
        open_all(x, g);
        w->on = w->state == TSL_WIRES_OPEN;
    }
    return w->on != was;
}

static void follow(tsl_transfer *t, tsl_lane_id lane, tsl_lane_id after)
{
    tsl_context *x = t->x;
    const tsl_backend *be = x->dev->be;
    if (t->g->rehearsing) return;
    tsl_status st = be->event_record(x->lanes[after].q, x->lanes[after].point);
    if (!st) st = be->event_after(x->lanes[lane].q, x->lanes[after].point);
    if (st) tsl_blame(t->g, st);
}

void tsl_wire_fork(tsl_transfer *t) { follow(t, TSL_AHEAD, TSL_MAIN); }
void tsl_wire_join(tsl_transfer *t) { follow(t, TSL_MAIN, TSL_AHEAD); }

void tsl_wire_send(tsl_transfer *t, tsl_over over)
{
    tsl_wires *w = &t->g->wires;
    if (!t->wired || !t->reqs) return;
    if (!w->along[over].comm) over = TSL_OVER_ALL; /* one row or column of processes: in the same order */
    tsl_status st = w->fabric->exchange(&w->along[over], t->x->lanes[TSL_AHEAD].q, t->parcel, t->reqs);
    if (st) tsl_blame(t->g, st);
    t->x->count.peer += t->reqs;
    for (int i = 0; i < t->reqs; ++i) t->x->count.bytes_peer += (int64_t)t->parcel[i].bytes;
}
