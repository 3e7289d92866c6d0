/* Exchanges of rows. All processes learn the pivots; each composes the exchanges to a permutation of the rows they concern, at
 * most two for each. Rows then go straight to their places: one message between two processes that have rows of A, all of them
 * the columns of A that both have. How many rows that is depends on the pivots, so room is taken for the most it can be. */
#include <stdlib.h>
#include <string.h>

#include "grid/form/form.h"

/* The pivots, from a process that has them to all */
static void spread(tsl_context *x, tsl_grid *g, tsl_view p, int64_t *all)
{
    tsl_layout where = tsl_owner_layout(p, 0);
    where.row = tsl_max(where.row, 0), where.col = tsl_max(where.col, 0);
    where.scheme = TSL_IN_HOST;
    tsl_dmatrix S;
    tsl_view there = tsl_work_matrix(x, &S, &where, TSL_INDEX, p.m, 1);
    tsl_transfer_now(x, p, there, false);
    if (g->rehearsing || g->broken) return;
    tsl_channel_watch(x, g);
    if (S.local.data) memcpy(all, S.local.data, (size_t)p.m * sizeof *all);
    tsl_broadcast(g, TSL_OVER_ALL, tsl_rank_at(g, where.row, where.col), all, (size_t)p.m * sizeof *all);
}

/* Pivots as they are found on average, the same on all processes: any row from each one's own on */
static void draw(const tsl_call *c, int64_t *all)
{
    int64_t rows = tsl_rows(c->v[0]);
    uint64_t seed = 1;
    for (int64_t i = 0; i < c->v[1].m; ++i) {
        int64_t own = c->lu.above + i;
        uint64_t mixed = (seed += (uint64_t)(c->lu.first + own) * 0x9e3779b97f4a7c15u + 1) * 0xbf58476d1ce4e5b9u;
        all[i] = c->lu.first + own + (int64_t)((mixed >> 32) % (uint64_t)tsl_max(1, rows - own)) + 1;
    }
}

/* The pivots, the same on all processes whatever has failed on one of them, and whatever a caller's copies of p hold: what
 * follows sends messages by them. NULL: in a rehearsal, or the grid is broken. */
static int64_t *known(tsl_context *x, tsl_grid *g, const tsl_call *c, const tsl_way *sent)
{
    tsl_view p = c->v[1];
    int64_t *all = tsl_work_get(g, false, tsl_times((size_t)p.m, sizeof *all));
    if (!sent) spread(x, g, p, all);
    else if (!g->rehearsing) memcpy(all, sent->D.local.data, (size_t)p.m * sizeof *all);
    if (g->rehearsing || g->broken) return NULL;
    if (tsl_is_told(g)) draw(c, all);
    for (int64_t i = 0, rows = tsl_rows(c->v[0]); i < p.m; ++i) {
        bool good = all[i] > c->lu.first && all[i] - c->lu.first <= rows;
        if (!good) tsl_grid_fail(g, TSL_ERR_PIVOT), all[i] = c->lu.first + c->lu.above + 1 + i;
    }
    return all;
}

static int ascending(const void *a, const void *b)
{
    int64_t i = *(const int64_t *)a, j = *(const int64_t *)b;
    return (i > j) - (i < j);
}

/* Exchanges [k, k + count) of c, composed: row from[t] comes to place to[t]. Of both there is room for twice as many; returns
 * how many. */
static int64_t compose(const tsl_call *c, const int64_t *p, int64_t k, int64_t count, int64_t *from, int64_t *to)
{
    int64_t all = count, last = count, moved = 0;
    int64_t own = c->lu.above + k; /* the row of exchange k */
    for (int64_t i = 0; i < count; ++i) {
        int64_t r = p[k + i] - 1 - c->lu.first;
        to[i] = own + i;
        if (r < own || r >= own + count) to[all++] = r;
    }
    qsort(to + count, (size_t)(all - count), sizeof *to, ascending);
    for (int64_t i = count; i < all; ++i)
        if (i == count || to[i] != to[last - 1]) to[last++] = to[i];
    memcpy(from, to, (size_t)last * sizeof *to);
    for (int64_t s = 0; s < count; ++s) { /* from[i]: the row that is at place to[i] by now */
        int64_t i = c->lu.backward ? count - 1 - s : s, r = p[k + i] - 1 - c->lu.first, row = from[i];
        bool near = r >= own && r < own + count;
        int64_t *place = near ? &to[r - own] : bsearch(&r, to + count, (size_t)(last - count), sizeof *to, ascending);
        from[i] = from[place - to], from[place - to] = row;
    }
    for (int64_t i = 0; i < last; ++i)
        if (from[i] != to[i]) from[moved] = from[i], to[moved++] = to[i];
    return moved;
}

/* Those of the moves whose one end, `mine`, is here, in the order of the processes at the other: counted, then put in place */
static void list(const tsl_exchange *e, int64_t moved, const int64_t *mine, const int64_t *other, int64_t *row, int64_t *at)
{
    const tsl_grid *g = e->t.g;
    for (int q = 0; q <= e->size; ++q) at[q] = 0;
    for (int64_t i = 0; i < moved; ++i)
        if (tsl_axis_owner(g, e->axis, mine[i]) == e->me) ++at[tsl_axis_owner(g, e->axis, other[i]) + 1];
    for (int q = 0; q < e->size; ++q) at[q + 1] += at[q]; /* where those of q end */
    int64_t all = at[e->size];
    for (int64_t i = moved - 1; i >= 0; --i)
        if (tsl_axis_owner(g, e->axis, mine[i]) == e->me)
            row[--at[tsl_axis_owner(g, e->axis, other[i]) + 1]] = tsl_axis_before(g, e->axis, e->me, mine[i]);
    for (int q = 0; q < e->size; ++q) at[q] = at[q + 1]; /* where they begin, by now */
    at[e->size] = all;
}

static bool same_place(const tsl_moves *w, const tsl_exchange *e)
{
    return w->axis.over == e->axis.over && w->axis.nb == e->axis.nb && w->axis.offset == e->axis.offset &&
           w->first == e->c.lu.first && w->above == e->c.lu.above;
}

/* Exchanges [k, k + count): all parts of a matrix whose rows are exchanged by the same pivots have the same moves. */
static void find_moves(tsl_exchange *e, int64_t k, int64_t count)
{
    tsl_moves *w = e->moves;
    if (w->made && !same_place(w, e)) w = e->moves = &e->own_moves;
    if (!w->made || w == &e->own_moves) {
        int64_t moved = compose(&e->c, e->p, k, count, w->from, w->to);
        list(e, moved, w->from, w->to, w->row[0], w->at[0]);
        list(e, moved, w->to, w->from, w->row[1], w->at[1]);
        w->axis = e->axis, w->first = e->c.lu.first, w->above = e->c.lu.above, w->made = true;
    }
    e->out.row = w->row[0], e->out.at = w->at[0];
    e->in.row = w->row[1], e->in.at = w->at[1];
}

static tsl_rows_sent make_side(tsl_exchange *e, int64_t most)
{
    bool device = tsl_on_device(e->own.mat);
    tsl_rows_sent s = {0};
    if (device) s.dev = tsl_message_dense(&e->t, most, e->n, true);
    s.host = device && (e->t.by_channel || e->t.g->wire->device_messages) ? s.dev : tsl_message_dense(&e->t, most, e->n, false);
    return s;
}

/* Process q's rows in a buffer, as a dense matrix */
static tsl_matrix part(const tsl_exchange *e, const tsl_rows_sent *s, const tsl_matrix *buffer, int q)
{
    tsl_matrix p = *buffer;
    p.data = (char *)p.data + tsl_dense_bytes(p.type, s->at[q], e->n);
    p.m = s->at[q + 1] - s->at[q];
    p.ld = tsl_max(1, p.m);
    return p;
}

/* On a device in one launch, which is told of each row where in the buffer it goes, or comes from */
static void move_on_device(tsl_exchange *e, bool out)
{
    tsl_context *x = e->t.x;
    const tsl_rows_sent *s = out ? &e->out : &e->in;
    int64_t count = s->at[e->size], *row = e->list + (out ? 0 : 3 * e->most), *at = row + count, *apart = at + count;
    size_t bytes = 3 * (size_t)count * sizeof *row, size = tsl_type_size(s->dev.type);
    if (!count) return;
    for (int q = 0; q < e->size; ++q) {
        tsl_matrix rows = part(e, q == e->me ? &e->out : s, &(q == e->me ? &e->out : s)->dev, q);
        int64_t first = ((char *)rows.data - (char *)s->dev.data) / (int64_t)size;
        for (int64_t i = 0; i < rows.m; ++i) {
            int64_t k = s->at[q] + i;
            row[k] = s->row[k], at[k] = first + i, apart[k] = rows.ld;
        }
    }
    tsl_status st = x->dev->be->copy2d(x->lanes[TSL_MAIN].q, e->list_there, bytes, row, bytes, bytes, 1, TSL_TO_DEVICE);
    tsl_count_move(&x->count, TSL_TO_DEVICE, bytes);
    if (st) tsl_grid_fail(e->t.g, st);
    bool read = x->dev->be->accelerator && !x->allocator.alloc; /* already, as malloc's memory is not page-locked */
    if (!read) e->t.g->crossing |= 1u << e->t.slot;
    tsl_view own = tsl_general(e->own);
    tsl_leaf_here(x, e->t.g, &(tsl_leaf){.op = TSL_OP_PICK, .type = tsl_kernel_type(own.mat->type), .lapmt = {.backward = !out},
                                         .side = own.op & TSL_TRANS ? TSL_RIGHT : TSL_LEFT,
                                         .A = {.p = tsl_at(&own), .ld = own.mat->ld, .m = own.m, .n = own.n},
                                         .B = {.p = e->list_there, .ld = count, .m = count, .n = 3}, .C = {.p = s->dev.data}});
}

/* Between the local array and the buffer; what stays here is taken from where it was put. */
static void move_rows(tsl_exchange *e, bool out)
{
    tsl_matrix *a = e->own.mat;
    const tsl_rows_sent *s = out ? &e->out : &e->in;
    bool turned = e->own.op & TSL_TRANS, device = tsl_on_device(a);
    /* on a device rows move three times */
    tsl_tell_move(e->t.g, (device ? 3 : 1) * (double)tsl_dense_bytes(a->type, s->at[e->size], e->n), device ? 2 + e->size : 1);
    int64_t down = turned ? a->ld : 1, along = turned ? 1 : a->ld;
    if (e->t.g->failed) return;
    if (device) {
        move_on_device(e, out);
        return;
    }
    for (int q = 0; q < e->size; ++q) {
        const tsl_rows_sent *b = q == e->me ? &e->out : s;
        tsl_matrix rows = part(e, b, &b->host, q);
        tsl_rect_rows(a->type, out, rows.m, s->row + s->at[q], e->n, tsl_at(&e->own), down, along, rows.data);
    }
}

/* Messages to or from all others */
static void post(tsl_exchange *e, const tsl_rows_sent *s, tsl_post_way way)
{
    const tsl_grid *g = e->t.g;
    for (int q = 0; q < e->size; ++q) {
        tsl_message k = {.rank = tsl_line_rank(g, e->axis.over, q), .n = e->n};
        k.mpi = part(e, s, &s->host, q);
        k.m = k.mpi.m;
        if (q != e->me && k.m) tsl_message_post(&e->t, &k, way, TSL_OVER_ALL);
    }
}

static void cross(tsl_exchange *e, const tsl_rows_sent *s, tsl_direction way)
{
    tsl_message k = {.m = s->at[e->size], .n = e->n, .mpi = s->host, .dev = s->dev};
    if (k.m) tsl_message_cross(&e->t, &k, way);
}

/* Some of the exchanges: what leaves sets out. Nothing comes to a buffer before the device is done with what was there. */
static void set_out(tsl_exchange *e)
{
    int64_t pivots = e->c.v[1].m, k = e->c.lu.backward ? (pivots - 1 - e->done) / e->wide * e->wide : e->done;
    find_moves(e, k, tsl_min(e->wide, pivots - k));
    e->t.reqs = 0;
    move_rows(e, true);
    cross(e, &e->out, TSL_TO_HOST);
    if (e->t.by_channel) tsl_channel_fork(&e->t);
    tsl_settle(&e->t, &e->t.from);
    post(e, &e->in, TSL_RECEIVE);
    post(e, &e->out, TSL_SEND);
    tsl_channel_send(&e->t, TSL_OVER_ALL);
    e->done += e->wide;
}

/* The same have arrived: they go to their places. */
static void put_down(tsl_exchange *e)
{
    if (e->t.by_channel) tsl_channel_join(&e->t);
    else if (e->t.reqs && !tsl_await(e->t.g, e->t.reqs, e->t.post)) return;
    cross(e, &e->in, TSL_TO_DEVICE);
    move_rows(e, false);
    bool again = e->done < e->c.v[1].m || e->t.slot == 0; /* buffers and lists are used again, now or by others */
    tsl_status st = again && tsl_on_device(e->own.mat) ? tsl_work_wait(e->t.x, e->t.g) : TSL_OK;
    if (st) tsl_grid_fail(e->t.g, st);
}

/* Room for so many exchanges at a time, so that rows in flight need little. At most as many rows leave this process, or come
 * here, as it has, and as two for each exchange. */
static void make_room(tsl_exchange *e)
{
    enum { EXCHANGES = 1024 };
    tsl_view own = e->own;
    tsl_grid *g = e->t.g;
    e->wide = tsl_min(e->c.v[1].m, EXCHANGES);
    int64_t most = e->most = tsl_min(2 * e->wide, tsl_rows(own));
    e->own_moves = tsl_moves_room(g, e->wide);
    if (!e->moves || e->wide < e->c.v[1].m || e->c.lu.backward) e->moves = &e->own_moves;
    e->out = make_side(e, most);
    e->in = make_side(e, most);
    if (tsl_on_device(own.mat)) {
        e->list = tsl_work_get(g, false, tsl_times((size_t)most, 6 * sizeof *e->list));
        e->list_there = tsl_work_get(g, true, tsl_times((size_t)most, 3 * sizeof *e->list));
    }
    tsl_message_room(&e->t, 2 * (tsl_dense_bytes(own.mat->type, most, e->n) / g->wire->most + (size_t)e->size));
}

/* The rows above A that pivots may name are A's first. */
static tsl_call with_rows_above(const tsl_call *given)
{
    tsl_call c = *given;
    tsl_view *A = &c.v[0];
    if (A->op & TSL_TRANS) A->j -= c.lu.above, A->n += c.lu.above;
    else A->i -= c.lu.above, A->m += c.lu.above;
    c.lu.first -= c.lu.above;
    return c;
}

/* On this process, where all rows are: those above are exchanged with themselves. */
static void within(tsl_exchange *e)
{
    const tsl_call *c = &e->c;
    int64_t count = c->lu.above + c->v[1].m, *all = e->own_moves.to;
    if (!e->p || e->own.m == 0 || e->own.n == 0) return;
    for (int64_t i = 0; i < count; ++i) all[i] = i < c->lu.above ? c->lu.first + i + 1 : e->p[i - c->lu.above];
    tsl_matrix pivots = {.ctx = e->t.x, .type = TSL_INDEX, .m = count, .n = 1, .ld = count, .data = all};
    tsl_locally(e->t.x, e->t.g, &(tsl_call){.op = TSL_OP_LASWP, .lu = {.first = c->lu.first, .backward = c->lu.backward},
                                            .v = {e->own, tsl_whole(&pivots)}});
}

/* opcode: which calls these two functions are for is said here alone */
bool tsl_is_exchange(const tsl_call *c) { return c->op == TSL_OP_LASWP; }

void tsl_exchange_begin(tsl_context *x, const tsl_call *given, tsl_exchange *e)
{
    tsl_call c = with_rows_above(given);
    tsl_view own = tsl_local(c.v[0]);
    tsl_grid *g = tsl_grid_of(c.v[0]);
    tsl_axis axis = tsl_seen_axis(c.v[0], 0);
    tsl_way *sent = tsl_ahead_pivots(x, c.v[1]);
    *e = (tsl_exchange){.t = {.x = x, .g = g, .from.local = own.mat, .to.local = own.mat, .slot = g->slot},
                        .c = c, .own = own, .axis = axis, .size = tsl_axis_size(g, axis.over),
                        .me = tsl_axis_index(g, axis.over, g->at), .n = tsl_cols(own),
                        .moves = sent ? &sent->moves : NULL, .p = known(x, g, &c, sent)};
    if (e->size > 1) e->t.by_channel = tsl_channel_takes(&e->t);
    if (e->size == 1) e->own_moves.to = tsl_work_get(g, false, tsl_times((size_t)(c.lu.above + c.v[1].m), sizeof(int64_t)));
    else if (e->n > 0) make_room(e);
    if (e->wide > 0 && e->p && !g->broken) set_out(e);
}

void tsl_exchange_end(tsl_exchange *e)
{
    if (e->size == 1) within(e);
    else if (e->done > 0) put_down(e);
    while (e->done > 0 && e->done < e->c.v[1].m && !e->t.g->broken) {
        set_out(e);
        put_down(e);
    }
}

void tsl_dist_laswp(tsl_context *x, const tsl_call *c)
{
    tsl_grid *g = tsl_grid_of(c->v[0]);
    tsl_work_mark mark = tsl_work_now(g);
    tsl_exchange e;
    tsl_exchange_begin(x, c, &e);
    tsl_exchange_end(&e);
    tsl_work_back(g, mark);
}
