/* Opening channels: one for all processes of a grid, one for those of a row, one for those of a column. When first a call has
 * use for them, and by all processes or by none. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device/near.h"
#include "grid/grid.h"

/* True if it is on all processes. */
static bool everywhere(tsl_grid *g, bool here)
{
    int64_t mine = here, all = 0;
    return tsl_all_reduce(g, &mine, &all, 1, TSL_SMALLEST) && all;
}

typedef struct seat {
    char host[256], place[64];
} seat;

/* One process speaks for all. */
static bool speaks(const tsl_grid *g) { return g->at[0] == 0 && g->at[1] == 0; }

/* Is there a GPU that two of them sit on? */
static bool shared(const seat *all, int p, int *i, int *j)
{
    for (*i = 0; *i < p; ++*i)
        for (*j = *i + 1; *j < p && *all[*i].place; ++*j)
            if (!strcmp(all[*i].host, all[*j].host) && !strcmp(all[*i].place, all[*j].place)) return true;
    return false;
}

/* Does each process have a device that may be an end beside the others'? */
static bool seats(const tsl_context *x, tsl_grid *g)
{
    int p = g->wire->size, i, j;
    seat mine = {{0}, {0}}, *all = calloc((size_t)p, sizeof *all);
    bool good = all && !gethostname(mine.host, sizeof mine.host - 1);
    good = everywhere(g, good && x->dev->be->fabric->there(x->dev, mine.place, sizeof mine.place));
    if (!good && speaks(g)) tsl_log(TSL_LOG_INFO, "grid: no NCCL, or not on every process");
    good = good && tsl_all_gather(g, &mine, all, sizeof mine);
    if (good && shared(all, p, &i, &j)) {
        if (speaks(g)) tsl_log(TSL_LOG_INFO, "grid: NCCL is not used: processes %d and %d share GPU %s of %s", i, j, all[i].place, all[i].host);
        good = false;
    }
    if (!tsl_held(g)) free(all);
    return good;
}

static bool open_along(const tsl_context *x, tsl_grid *g, const tsl_fabric *f, tsl_over over, tsl_channel *channel)
{
    struct { tsl_status st; tsl_ticket ticket; } first = {TSL_OK, {{0}}};
    int rank = over == TSL_OVER_ALL ? g->wire->rank : tsl_axis_index(g, over, g->at), size = tsl_axis_size(g, over);
    if (rank == 0) first.st = f->ticket(&first.ticket);
    bool made = rank == 0 && !first.st;
    memcpy(g->heard, &first, sizeof first);
    bool good = tsl_broadcast(g, over, 0, g->heard, sizeof first);
    memcpy(&first, g->heard, sizeof first);
    good = good && !first.st;
    if (everywhere(g, good)) good = !f->open(x->dev, &first.ticket, rank, size, &channel[over]);
    good = everywhere(g, good);
    if (made && f->drop) f->drop(&first.ticket);
    return good;
}

/* Are all processes threads of one program, with devices that know each other's memory? */
static bool near(const tsl_context *x, tsl_grid *g)
{
    int64_t mine = (int64_t)(intptr_t)x->dev->be, least = 0, most = 1;
    return g->wire->ops->is_near && tsl_all_reduce(g, &mine, &least, 1, TSL_SMALLEST) &&
           tsl_all_reduce(g, &mine, &most, 1, TSL_LARGEST) && least == most;
}

/* Do the devices of all processes see each other's memory? */
static bool seen(const tsl_context *x, tsl_grid *g)
{
    int p = g->wire->size, *all = calloc((size_t)p, sizeof *all);
    bool good = everywhere(g, all != NULL) && tsl_all_gather(g, &x->dev->ordinal, all, sizeof *all);
    for (int i = 0; i < p && good; ++i) good = x->dev->be->seen_by(x->dev, all[i]);
    if (!tsl_held(g)) free(all);
    return everywhere(g, good);
}

static bool open_lines(const tsl_context *x, tsl_grid *g, const tsl_fabric *f, tsl_channel *channel)
{
    bool lines = g->size[0] > 1 && g->size[1] > 1; /* else the one that matters is all of them */
    bool good = open_along(x, g, f, TSL_OVER_ALL, channel);
    for (int d = 0; d < 2 && lines && good; ++d) good = open_along(x, g, f, d == 0 ? TSL_OVER_ROWS : TSL_OVER_COLS, channel);
    return good;
}

/* By NCCL where each process has a GPU of its own, else by copies between threads */
bool tsl_channel_open(const tsl_context *x, tsl_grid *g)
{
    tsl_channels *ch = &g->channels;
    bool own = seats(x, g), threads = near(x, g);
    ch->state = TSL_CHANNELS_NONE;
    if (!own && !threads) return false;
    ch->fabric = own ? x->dev->be->fabric : &tsl_near_fabric;
    ch->be = x->dev->be;
    ch->ordinal = x->dev->ordinal;
    ch->state = TSL_CHANNELS_OPEN;
    bool good = open_lines(x, g, ch->fabric, ch->along);
    if (good && threads && seen(x, g)) good = open_lines(x, g, &tsl_near_fabric, ch->peers);
    const char *name = ch->fabric == &tsl_near_fabric ? "copies" : "NCCL";
    if (good && speaks(g)) tsl_log(TSL_LOG_INFO, "grid: messages between devices by %s", name);
    else if (speaks(g)) tsl_log(TSL_LOG_WARN, "grid: no messages between devices: %s did not start on every process", name);
    if (!good) tsl_channel_close(g, true), ch->state = TSL_CHANNELS_NONE;
    return good;
}

void tsl_channel_close(tsl_grid *g, bool broken)
{
    tsl_channels *ch = &g->channels;
    for (int over = TSL_OVER_ALL; over > TSL_OVER_NONE; --over) {
        if (ch->along[over].comm) ch->fabric->close(&ch->along[over], broken);
        if (ch->peers[over].comm) tsl_near_fabric.close(&ch->peers[over], broken);
    }
}
