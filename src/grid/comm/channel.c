/* Messages between devices by their own fabric, NCCL, or that of threads (device/near.c). Packing, messages and unpacking of a
 * transfer go on the lane beside the main one, which follows what the main lane had to do when the transfer began; the main
 * lane follows it when the transfer ends. No process waits for a device in between. All messages of a process are on that one
 * lane, in the order in which its transfers begin, and all processes begin the same transfers in the same order, whichever
 * communicator each is on: so none waits for one that comes after it.
 *
 * Where a message is not sent the other end would wait for ever, on its device. So who gives up tells all others, by a word,
 * and they listen while they wait. */
#include <sched.h>

#include "grid/grid.h"

/* A channel is between devices; another context of the process may have another device. */
static bool fits(const tsl_grid *g, const tsl_device *dev)
{
    const tsl_channels *ch = &g->channels;
    if (ch->state == TSL_CHANNELS_UNTRIED) return dev->be->fabric || g->wire->ops->is_near;
    return ch->state == TSL_CHANNELS_OPEN && ch->be == dev->be && ch->ordinal == dev->ordinal;
}

bool tsl_channel_takes(tsl_transfer *t)
{
    tsl_channels *ch = &t->g->channels;
    const tsl_device *dev = t->x->dev;
    bool here = !dev->shares_host && t->from.local->home == dev && t->to.local->home == dev;
    bool may = here && t->g->wire->size > 1 && fits(t->g, dev);
    if (t->g->rehearsing) {
        ch->wanted |= may;
        ch->kinds = (int64_t)(((uint64_t)ch->kinds * 0x9e3779b97f4a7c15u + 1 + may) & INT64_MAX);
    }
    return may && ch->on;
}

bool tsl_channel_turn(tsl_context *x, tsl_grid *g)
{
    tsl_channels *ch = &g->channels;
    bool was = ch->on;
    if (!ch->same) ch->on = false;
    else if (ch->wanted && ch->state == TSL_CHANNELS_UNTRIED) ch->on = tsl_channel_open(x, g);
    return ch->on != was;
}

/* Along one row or column of processes there is but the channel of all. */
static tsl_over line_of(const tsl_channel *channel, tsl_over over) { return channel[over].comm ? over : TSL_OVER_ALL; }

const tsl_channel *tsl_channel_peers(const tsl_grid *g, tsl_over over)
{
    const tsl_channels *ch = &g->channels;
    const tsl_channel *peers = &ch->peers[line_of(ch->peers, over)];
    return ch->on && !ch->given_up && peers->comm ? peers : NULL;
}

static void follow(tsl_transfer *t, tsl_lane_id lane, tsl_lane_id after)
{
    tsl_context *x = t->x;
    const tsl_backend *be = x->dev->be;
    if (t->g->rehearsing) return;
    tsl_status st = be->event_record(x->lanes[after].q, x->lanes[after].point);
    if (!st) st = be->event_after(x->lanes[lane].q, x->lanes[after].point);
    if (st) tsl_grid_fail(t->g, st);
}

void tsl_channel_fork(tsl_transfer *t) { follow(t, TSL_AHEAD, TSL_MAIN); }
void tsl_channel_join(tsl_transfer *t) { follow(t, TSL_MAIN, TSL_AHEAD); }

void tsl_channel_give_up(tsl_grid *g, tsl_status st)
{
    static const int word = 0;
    tsl_grid_fail(g, st);
    if (!g->channels.on || g->channels.given_up) return;
    g->channels.given_up = true;
    for (int rank = 0; rank < g->wire->size; ++rank)
        if (rank != g->wire->rank) g->wire->ops->tell(g->wire, rank, TSL_TAG_CHANNEL, &word);
    tsl_channel_close(g, true);
}

/* Has another given up? */
static bool heard(tsl_grid *g)
{
    int from, word;
    bool bad = g->wire->ops->hear(g->wire, TSL_TAG_CHANNEL, &from, &word);
    if (bad) tsl_break(g);
    else if (from >= 0) ++g->channels.told;
    return bad || from >= 0;
}

static bool bad_news(tsl_grid *g)
{
    bool bad = !tsl_listen(g) || heard(g);
    if (g->channels.told && !g->failed) g->channels.heard = true;
    for (int over = TSL_OVER_ROWS; over <= TSL_OVER_ALL && !bad; ++over)
        bad = g->channels.along[over].comm && g->channels.fabric->check(&g->channels.along[over]);
    return bad;
}

/* In an exchange that waits for other processes */
typedef struct waiting {
    tsl_grid *g;
    tsl_patience patience;
} waiting;

static bool ends(void *asks)
{
    waiting *w = asks;
    if (tsl_patience_ends(&w->patience)) tsl_too_late(w->g);
    return bad_news(w->g);
}

void tsl_channel_send(tsl_transfer *t, tsl_over over)
{
    tsl_channels *ch = &t->g->channels;
    if (!t->by_channel || !t->reqs || ch->given_up) return;
    waiting w = {t->g, tsl_patience_now(t->g->patience)};
    tsl_channel to = ch->along[line_of(ch->along, over)]; /* in the same order */
    to.ends = ends, to.asks = &w;
    tsl_status st = ch->fabric->exchange(&to, t->x->lanes[TSL_AHEAD].q, t->message, t->reqs);
    if (st) tsl_channel_give_up(t->g, st);
    t->x->count.peer += t->reqs;
    for (int i = 0; i < t->reqs; ++i) t->x->count.bytes_peer += (int64_t)t->message[i].bytes;
}

bool tsl_channel_await(tsl_grid *g, const tsl_backend *be, tsl_event *e, tsl_patience *patience)
{
    for (bool reached = false; !reached;) {
        reached = be->event_reached(e); /* asked first: what went wrong before is then known */
        if (!reached && tsl_patience_ends(patience)) tsl_too_late(g);
        if (bad_news(g)) return false;
        if (!reached) sched_yield();
    }
    return true;
}

void tsl_channel_watch(tsl_context *x, tsl_grid *g)
{
    const tsl_backend *be = x->dev->be;
    tsl_lane *lane = &x->lanes[TSL_AHEAD];
    if (g->rehearsing || !g->channels.on || g->channels.given_up) return;
    tsl_status st = be->event_record(lane->q, lane->point);
    tsl_patience patience = tsl_patience_now(g->patience);
    if (st) tsl_channel_give_up(g, st); /* nothing to look at while waiting */
    else if (!tsl_channel_await(g, be, lane->point, &patience)) tsl_channel_give_up(g, TSL_ERR_DEVICE);
}

/* Every process that has given up has told all others; what was not heard is still to be received. */
void tsl_channel_close_failed(tsl_grid *g)
{
    int64_t mine = g->channels.given_up, all = 0;
    bool agreed = tsl_all_reduce(g, &mine, &all, 1, TSL_SUM);
    if (agreed && all == 0) return;
    tsl_patience patience = tsl_patience_now(g->patience);
    while (mine + g->channels.told < all && tsl_listen(g))
        if (!heard(g) && tsl_patience_ends(&patience)) tsl_too_late(g);
    tsl_channel_close(g, true);
    g->channels.state = TSL_CHANNELS_NONE;
    g->channels.given_up = g->channels.heard = false;
    g->channels.told = 0;
    if (g->at[0] == 0 && g->at[1] == 0)
        tsl_log(TSL_LOG_WARN, "grid: a message between devices, or work before it, has failed: no more go this way");
}
