/* Strips of a panel of LU on devices: a leaf for a few columns (kernel/lu_strip.h), and the host beside it, until it has ended.
 * A leaf that has left is launched again. Where the processes are threads whose devices see each other's memory the leaves
 * exchange, and the host only waits; else the host answers a leaf, column by column, with what the hosts find together. */
#include <sched.h>

#include "device/near.h"
#include "grid/form/lu_panel.h"
#include "tune/numbers.h"

static int processes(const tsl_lu_panel *p) { return tsl_axis_size(p->g, p->over); }
static int number(const tsl_lu_panel *p) { return tsl_axis_index(p->g, p->over, p->g->at); }
static tsl_type type(const tsl_lu_panel *p) { return p->all.mat->type; }
static int words(const tsl_lu_panel *p) { return tsl_strip_words(type(p)); }
/* The width of the leaf's blocks */
static int64_t block(const tsl_lu_panel *p) { return p->x->dev->be->kernels[TSL_OP_LU_STRIP]->limit; }

/* What each process tells of itself before the first strip */
typedef struct seat {
    void *inbox; /* NULL: it is not told, or its device is not to be written to */
    int64_t device;
} seat;

static void join(void *mine, const void *other, const void *with)
{
    seat *a = mine;
    const seat *b = other;
    for (int i = 0; i < *(const int *)with; ++i)
        if (!a[i].inbox) a[i] = b[i];
}

void tsl_lu_strips_room(tsl_lu_panel *p)
{
    int64_t rows = p->top.m + p->here.m;
    if (p->all.m > TSL_STRIP_ROWS || p->n > TSL_STRIP_WIDEST) tsl_grid_fail(p->g, TSL_ERR_OVERFLOW);
    p->inbox = tsl_work_get(p->g, true, tsl_strip_inbox_of(type(p), p->n, rows, processes(p)).bytes);
    p->shared = tsl_work_shared(p->g, tsl_strip_shared_bytes(type(p), p->n));
    p->inboxes = tsl_work_get(p->g, false, tsl_times((size_t)processes(p), sizeof *p->inboxes));
}

/* The inbox begins as zeros, before others write there. */
static void clear(const tsl_lu_panel *p)
{
    static const char zeros[4096];
    tsl_context *x = p->x;
    const tsl_backend *be = x->dev->be;
    tsl_queue *q = x->lanes[TSL_MAIN].q;
    size_t bytes = tsl_strip_inbox_of(type(p), p->n, p->top.m + p->here.m, processes(p)).cleared, whole = sizeof zeros;
    tsl_status st = TSL_OK;
    memset(p->shared, 0, tsl_strip_shared_bytes(type(p), p->n));
    if (be->clear) st = be->clear(q, p->inbox, bytes);
    for (size_t at = 0; at < bytes && !be->clear && !st; at += whole) {
        size_t part = bytes - at < whole ? bytes - at : whole;
        st = be->copy2d(q, p->inbox + at, part, zeros, part, part, 1, TSL_TO_DEVICE);
    }
    if (st) tsl_grid_fail(p->g, st);
}

/* Until the device has done all that it was given */
static void settle(const tsl_lu_panel *p)
{
    const tsl_backend *be = p->x->dev->be;
    tsl_lane *lane = &p->x->lanes[TSL_MAIN];
    tsl_status st = be->event_record(lane->q, lane->point);
    if (!st) st = be->event_wait(lane->point);
    if (st) tsl_grid_fail(p->g, st);
}

/* All processes of the panel have come so far. They know where each other's inbox is, or that one is not to be written to. */
static void meet(tsl_lu_panel *p)
{
    tsl_grid *g = p->g;
    int count = processes(p), me = number(p);
    tsl_work_mark mark = tsl_work_now(g);
    size_t bytes = tsl_times((size_t)count, sizeof(seat));
    seat *all = tsl_work_get(g, false, bytes), *other = tsl_work_get(g, false, bytes);
    if (!g->rehearsing) {
        memset(all, 0, bytes);
        all[me] = (seat){count == 1 || (count <= TSL_STRIP_PEERS && tsl_channel_peers(g, p->over)) ? p->inbox : NULL,
                         p->x->dev->ordinal};
        tsl_line_combine(g, p->over, all, other, bytes, join, &count);
        for (int i = 0; i < count; ++i) {
            p->inboxes[i] = all[i].inbox;
            p->by_host |= !all[i].inbox;
            p->sharers += all[i].inbox && all[i].device == p->x->dev->ordinal;
        }
        if (p->by_host) p->sharers = 1;
        else if (count > 1) p->peers = tsl_channel_peers(g, p->over);
    }
    tsl_work_back(g, mark);
}

void tsl_lu_strips_open(tsl_lu_panel *p)
{
    tsl_context *x = p->x;
    if (!p->g->rehearsing) {
        tsl_channel_watch(x, p->g);
        clear(p);
        settle(p);
    }
    meet(p);
    if (p->g->rehearsing || p->by_host) return;
    size_t bytes = (size_t)processes(p) * sizeof *p->inboxes;
    tsl_status st = x->dev->be->copy2d(x->lanes[TSL_MAIN].q, p->inbox, bytes, p->inboxes, bytes, bytes, 1, TSL_TO_DEVICE);
    tsl_count_move(&x->count, TSL_TO_DEVICE, bytes);
    if (st) tsl_grid_fail(p->g, st);
}

/* Whatever has failed before: others wait for what it tells. */
static tsl_status launch(const tsl_lu_panel *p, const tsl_leaf *l)
{
    tsl_context *x = p->x;
    const tsl_backend *be = x->dev->be;
    tsl_lane *lane = &x->lanes[TSL_MAIN];
    p->shared->left = 0;
    tsl_status st = be->launch(lane->q, be->kernels[l->op]->fn[l->type], l);
    tsl_count_launch(x);
    if (!st) st = be->event_record(lane->q, lane->point);
    if (st) (void)be->queue_wait(lane->q);
    return st;
}

/* The leaf is over. Its outcome: where work before it had failed it has not begun. */
static tsl_status outcome(const tsl_lu_panel *p, const tsl_leaf *l)
{
    const tsl_backend *be = p->x->dev->be;
    const tsl_lane *lane = &p->x->lanes[TSL_MAIN];
    tsl_status st = be->event_wait(lane->point);
    if (st || p->shared->left || p->shared->chosen[l->lu_strip.end - 1 - l->k].size >= 0) return st;
    st = be->queue_wait(lane->q);
    return st ? st : TSL_ERR_DEVICE;
}

/* ---- the host's answers */

/* What the hosts tell each other of a column: a candidate, who has its row, and what of that is in the block */
typedef struct told {
    tsl_lu_candidate best;
    int64_t who; /* as broadcasts count the processes of a line */
    tsl_cdouble elements[TSL_STRIP_BLOCK];
} told;

typedef struct service {
    tsl_lu_panel *p;
    const tsl_leaf *l;
    int64_t j, b; /* the next column to be answered, and the first of its block */
    told mine, other;
    int me, roots[TSL_STRIP_BLOCK]; /* this process, and who have the rows of the block's pivots */
} service;

/* Of equal ones the first process's: two that propose nothing more may say the same. */
static void better(void *mine, const void *other, const void *with)
{
    told *a = mine;
    const told *b = other;
    bool same = a->best.size == b->best.size && a->best.row == b->best.row;
    (void)with;
    if (same ? b->who < a->who : tsl_lu_better(&b->best, &a->best)) *a = *b;
}

static int64_t width(const service *s) { return tsl_min(block(s->p), s->l->lu_strip.end - s->b); }

/* Has the leaf told of its candidate for column j? Then that is `mine`. */
static bool asks(service *s)
{
    const tsl_letter *from = tsl_strip_question(s->p->shared);
    uint32_t tag = tsl_strip_tag(s->j);
    told *t = &s->mine;
    return tsl_strip_get(from, tag, &t->best) && tsl_strip_get_elements(t->elements, type(s->p), width(s), from + 2, tag);
}

static void answer(service *s)
{
    tsl_lu_panel *p = s->p;
    told *t = &s->mine;
    t->who = s->me;
    tsl_line_combine(p->g, p->over, t, &s->other, sizeof *t, better, NULL);
    if (p->g->broken) return;
    tsl_lu_note(p, s->j, t->best);
    s->roots[s->j - s->b] = (int)t->who;
    tsl_letter *to = tsl_strip_answer(p->shared, words(p), s->j);
    tsl_strip_put_elements(t->elements, type(p), width(s), to + 2, tsl_strip_tag(s->j));
    tsl_strip_put(&t->best, to, tsl_strip_tag(s->j));
    s->j++;
}

/* Has the leaf told of the rows that it has had of the present block, which has been answered? */
static bool has_told_rows(const service *s)
{
    const tsl_letter *from = tsl_strip_row_told(s->p->shared, words(s->p), 0);
    bool all = s->j == s->b + width(s);
    uint64_t none;
    for (int64_t i = 0; i < s->j - s->b && all; ++i)
        all = s->roots[i] != s->me || tsl_letter_get(from + i, tsl_strip_tag(s->b + i), &none);
    return all;
}

/* Rows go from who has had them to all. */
static void spread_rows(service *s)
{
    tsl_lu_panel *p = s->p;
    size_t size = tsl_type_size(type(p)), bytes = (size_t)p->n * size;
    bool whole = bytes <= tsl_post_size(p->g, p->over);
    int count = (int)width(s);
    tsl_post post[TSL_STRIP_BLOCK];
    for (int i = 0; i < count; ++i) {
        char *row = tsl_strip_row(p->shared, words(p), p->n, size, i);
        if (whole) tsl_post_broadcast(p->g, &post[i], p->over, s->roots[i], row, bytes, false);
        else tsl_broadcast(p->g, p->over, s->roots[i], row, bytes);
    }
    if (whole) tsl_await(p->g, count, post);
    s->b = s->j;
    if (!p->g->broken) tsl_letter_put(tsl_strip_rows_there(p->shared, words(p)), 0, tsl_strip_tag(s->j - 1));
}

/* While the leaf is at work, it is answered. */
static void serve(service *s)
{
    enum { LOOKS = 64 }; /* to ask the device takes longer than to look at a letter */
    const tsl_backend *be = s->p->x->dev->be;
    tsl_event *over = s->p->x->lanes[TSL_MAIN].point;
    const tsl_grid *g = s->p->g;
    int64_t end = s->l->lu_strip.end;
    for (int looks = 0;; ++looks) {
        bool ended = looks % LOOKS == 0 && be->event_reached(over); /* asked first: what it told before is then there */
        if (!g->broken && s->b < end && has_told_rows(s)) spread_rows(s), looks = 0;
        else if (!g->broken && s->j < end && s->j < s->b + width(s) && asks(s)) answer(s), looks = 0;
        else if (ended) return;
        else sched_yield();
    }
}

/* Where the leaf cannot be launched, or has failed, this process proposes nothing more, and its rows are whatever is there. */
static void go_through(service *s)
{
    tsl_lu_panel *p = s->p;
    while (s->b < s->l->lu_strip.end && !p->g->broken) {
        for (; s->j < s->b + width(s) && !p->g->broken; answer(s)) s->mine.best = (tsl_lu_candidate){0, s->j};
        if (!p->g->broken) spread_rows(s);
    }
}

static void by_host(tsl_lu_panel *p, const tsl_leaf *l)
{
    service s = {.p = p, .l = l, .j = l->k, .b = l->k, .me = p->over == TSL_OVER_ALL ? p->g->wire->rank : number(p)};
    tsl_status st = p->g->failed;
    while (!st && !p->g->broken) {
        st = launch(p, l);
        if (st) break;
        serve(&s);
        st = outcome(p, l);
        if (!p->shared->left) break;
    }
    if (st) tsl_grid_fail(p->g, st);
    go_through(&s);
}

/* ---- leaves that exchange themselves */

static void by_peers(tsl_lu_panel *p, const tsl_leaf *l)
{
    tsl_grid *g = p->g;
    const tsl_backend *be = p->x->dev->be;
    tsl_event *over = p->x->lanes[TSL_MAIN].point;
    tsl_patience patience = tsl_patience_now(g->patience);
    tsl_status st = TSL_OK;
    do {
        if (p->peers && (g->channels.given_up || !tsl_near_kernel_begins(p->peers))) return;
        st = launch(p, l);
        if (!st && p->peers && !tsl_channel_await(g, be, over, &patience)) st = TSL_ERR_DEVICE;
        tsl_status late = outcome(p, l);
        if (p->peers) tsl_near_kernel_ended(p->peers);
        if (!st) st = late;
        if (!st && p->shared->left) tsl_pause();
    } while (!st && p->shared->left);
    if (st && p->peers) tsl_channel_give_up(g, st);
    if (st) tsl_grid_fail(g, st);
    for (int64_t j = l->k; j < l->lu_strip.end && !st; ++j) tsl_lu_note(p, j, p->shared->chosen[j - l->k]);
}

void tsl_lu_strip(tsl_lu_panel *p, int64_t k, int64_t end)
{
    tsl_cyclic rows = tsl_axis_cyclic(p->g, tsl_seen_axis(p->all, 0));
    rows.before = p->before;
    tsl_leaf l = {.op = TSL_OP_LU_STRIP, .type = tsl_kernel_type(p->top.mat->type), .k = k,
                  .lu_strip = {.rows = rows, .end = end, .patience = tsl_tuned(p->x, TSL_TUNED_STRIP_PATIENCE), .me = number(p),
                               .sharers = p->sharers, .by_host = p->by_host, .speaks = number(p) == 0},
                  .A = tsl_lu_array(p->top), .B = tsl_lu_array(p->here), .C = {.p = p->inbox}, .D = {.p = p->shared}};
    if (p->g->broken) return;
    for (int64_t j = k; j < end; ++j) p->shared->chosen[j - k].size = -1;
    (p->by_host ? by_host : by_peers)(p, &l);
}
