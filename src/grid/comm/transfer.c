/* Copies and sums between two layouts. What travels from one process to another is the common part of what the one has of the
 * source and the other of the destination. Where the destination has copies along a direction of the grid, and along the others
 * every process gets its part from its own row or column, the parts are broadcast; else they go from process to process. */
#include "grid/grid.h"

enum { TRACK = 1000 }; /* row of the trace: below those of the device's queues */

static tsl_end end_of(tsl_view v, bool turned)
{
    tsl_dmatrix *D = tsl_dist(v);
    tsl_end e = {.g = D->layout.grid, .layout = D->layout, .local = &D->local, .turned = turned};
    e.base[turned] = D->layout.rows;
    e.base[!turned] = D->layout.cols;
    e.axis[turned] = tsl_axis_shift(D->layout.rows, v.i);
    e.axis[!turned] = tsl_axis_shift(D->layout.cols, v.j);
    return e;
}

static bool has_copies(const tsl_layout *l, int d) { return !tsl_layout_uses(l, d) && tsl_layout_fixed(l, d) == TSL_EVERY; }
static bool copies(const tsl_end *e, int d) { return has_copies(&e->layout, d); }

/* Along direction d, does axis b place every index where a does? */
static bool follows(const tsl_grid *g, tsl_axis a, tsl_axis b, int d)
{
    tsl_over bit = d == 0 ? TSL_OVER_ROWS : TSL_OVER_COLS;
    if (!(a.over & bit) || !(b.over & bit) || a.nb != b.nb) return false;
    if (d == 0) return (a.offset - b.offset) % (a.nb * g->size[0]) == 0;
    return a.over == b.over && tsl_axis_same(g, a, b);
}

/* Along direction d, does every process get its part from processes at its own place? */
static bool stays(const tsl_transfer *t, int d)
{
    const tsl_end *A = &t->from, *B = &t->to;
    if (t->g->size[d] == 1 || copies(A, d)) return true;
    if (!tsl_layout_uses(&A->layout, d))
        return tsl_layout_fixed(&A->layout, d) == tsl_layout_fixed(&B->layout, d) && !tsl_layout_uses(&B->layout, d);
    return follows(t->g, A->axis[0], B->axis[0], d) || follows(t->g, A->axis[1], B->axis[1], d);
}

/* The directions of a broadcast; false: it is none. */
static bool broadcasts(tsl_transfer *t)
{
    int spread = TSL_OVER_NONE;
    for (int d = 0; d < 2; ++d) {
        if (t->g->size[d] > 1 && copies(&t->to, d) && !copies(&t->from, d)) spread |= 1 << d;
        else if (!stays(t, d)) return false;
    }
    t->spread = (tsl_over)spread;
    return true;
}

/* Place in the grid of a rank of one of its communicators. */
static void coordinates(const tsl_grid *g, tsl_over over, int rank, int at[2])
{
    at[0] = over == TSL_OVER_ROWS ? rank : g->at[0];
    at[1] = over == TSL_OVER_COLS ? rank : g->at[1];
    if (over == TSL_OVER_ALL) tsl_place_of(g, rank, at);
}

/* Place in the source's grid, which may be another of the same processes. */
static void source_place(const tsl_transfer *t, int rank, int at[2])
{
    int there = rank;
    const tsl_wire *own = t->g->wire;
    if (t->from.g != t->g && own->ops->there(own, rank, t->from.g->wire, &there)) tsl_grid_fail(t->g, TSL_ERR_MPI);
    coordinates(t->from.g, TSL_OVER_ALL, there, at);
}

static bool is_own(const tsl_grid *g, const int at[2]) { return at[0] == g->at[0] && at[1] == g->at[1]; }

static void broadcast(tsl_transfer *t)
{
    tsl_grid *g = t->g;
    int p = tsl_axis_size(g, t->spread), from[2];
    size_t total = 0;
    t->in = tsl_work_get(g, false, tsl_times((size_t)p, sizeof *t->in));
    tsl_message *some = tsl_work_get(g, false, tsl_times((size_t)p, sizeof *some)), k;
    int parts = 0;
    for (int rank = 0; rank < p; ++rank) {
        int64_t size[2];
        coordinates(g, t->spread, rank, from);
        tsl_part_size(t, from, g->at, size);
        k = (tsl_message){.rank = rank, .m = size[0], .n = size[1]};
        if (k.m == 0 || k.n == 0) continue;
        total += tsl_message_pieces(t, &k);
        if (!g->rehearsing) some[parts] = k;
        else tsl_message_buffers(t, &k, is_own(g, from) ? &t->from : &t->to, from, g->at);
        ++parts;
    }
    tsl_message_room(t, total);
    for (int i = 0; i < parts && !g->rehearsing; ++i) {
        k = some[i];
        coordinates(g, t->spread, k.rank, from);
        bool own = is_own(g, from);
        tsl_message *in = own ? &some[i] : &t->in[t->ins++];
        tsl_message_buffers(t, &k, own ? &t->from : &t->to, from, g->at);
        if (own) tsl_message_pack(t, &k, from, g->at);
        *in = k;
        tsl_message_post(t, in, TSL_BROADCAST, t->spread);
    }
    tsl_channel_send(t, t->spread);
}

/* Does the process at `from` give to the one at `to`, which is at `there` in the source's grid? Of copies a process takes that
 * at its own place; for a sum it takes all. */
static bool gives(const tsl_transfer *t, const int from[2], const int there[2])
{
    for (int d = 0; d < 2 && !t->sum; ++d)
        if (copies(&t->from, d) && from[d] != there[d]) return false;
    return true;
}

/* The places that may give to this process, or take from it: along each direction of the grid one, or all */
typedef struct partners { int low[2], high[2]; } partners;

static partners between(const tsl_transfer *t, bool giving)
{
    const tsl_end *A = &t->from, *B = &t->to;
    partners p;
    for (int d = 0; d < 2; ++d) {
        enum { ALL = TSL_EVERY };
        int at = ALL, mine = t->g->at[d];
        bool used = tsl_layout_uses(&A->layout, d);
        if (A->g != t->g) at = ALL;
        else if (copies(A, d) && !t->sum) at = mine;
        else if (used && stays(t, d)) at = mine;
        else if (giving && !used) at = tsl_layout_fixed(&A->layout, d);
        else if (!giving && !tsl_layout_uses(&B->layout, d)) at = tsl_layout_fixed(&B->layout, d);
        p.low[d] = at == ALL ? 0 : at;
        p.high[d] = at == ALL ? t->g->size[d] : at + 1;
    }
    return p;
}

/* How much of an axis this process and others have in common. Where the others' axis is distributed along one direction of the
 * grid that is a number for each of its places, so that most pairs that have nothing need no look. */
typedef struct shared {
    int along;    /* that direction; BOTH: it is none */
    int64_t *of;
} shared;
enum { BOTH = -1 };

static shared shared_along(const tsl_transfer *t, bool giving, const int self[2], int d)
{
    const tsl_grid *g = t->g;
    const tsl_end *other = giving ? &t->from : &t->to;
    tsl_over over = other->axis[d].over;
    shared s = {over == TSL_OVER_ROWS ? 0 : over == TSL_OVER_COLS ? 1 : BOTH, NULL};
    if (other->g != g || s.along == BOTH) return (shared){BOTH, NULL};
    s.of = tsl_work_get(t->g, false, tsl_times((size_t)g->size[s.along], sizeof *s.of));
    for (int i = 0, at[2] = {0, 0}; i < g->size[s.along] && s.of; ++i) {
        at[s.along] = i;
        s.of[i] = tsl_part_common(t, d, giving ? at : self, giving ? g->at : at);
    }
    return s;
}

/* With which of so many to begin. Processes of a row, of a column and of all begin with others, lest all send to one first, and
 * wait for each other. */
static int beginning(const tsl_grid *g, const partners *p)
{
    int rows = p->high[0] - p->low[0], cols = p->high[1] - p->low[1];
    return (int)((g->at[0] * (int64_t)(cols > 1 ? cols + 1 : 1) + g->at[1]) % (rows * cols));
}

/* Messages to or from those; returns how many. To this process itself: of a sum, which takes all in the order of places. */
static int list(tsl_transfer *t, bool giving, const int self[2], tsl_message **messages, size_t *pieces)
{
    tsl_grid *g = t->g;
    partners p = between(t, giving);
    int me = g->wire->rank, wide = p.high[1] - p.low[1], all = (p.high[0] - p.low[0]) * wide, count = 0, there[2], at[2];
    tsl_message *out = tsl_work_get(g, false, tsl_times((size_t)all, sizeof *out)), spare;
    shared s[2] = {shared_along(t, giving, self, 0), shared_along(t, giving, self, 1)};
    for (int i = 0, first = giving ? 0 : beginning(g, &p); i < all; ++i) {
        int64_t size[2];
        int place = (first + i) % all;
        at[0] = p.low[0] + place / wide, at[1] = p.low[1] + place % wide;
        if ((s[0].of && !s[0].of[at[s[0].along]]) || (s[1].of && !s[1].of[at[s[1].along]])) continue;
        int rank = tsl_rank_at(g, at[0], at[1]);
        const int *from = giving ? there : self, *to = giving ? g->at : at;
        source_place(t, rank, there);
        if ((rank == me && !(t->sum && giving)) || !gives(t, from, giving ? self : there)) continue;
        tsl_part_size(t, from, to, size);
        tsl_message *k = g->rehearsing ? &spare : &out[count];
        *k = (tsl_message){.rank = rank, .m = size[0], .n = size[1]};
        if (k->m == 0 || k->n == 0) continue;
        if (rank != me) *pieces += tsl_message_pieces(t, k);
        if (rank != me) tsl_message_buffers(t, k, giving ? &t->to : &t->from, from, to);
        else k->mpi = tsl_message_dense(t, k->m, k->n, tsl_on_device(t->from.local));
        ++count;
    }
    *messages = out;
    return count;
}

static void exchange(tsl_transfer *t)
{
    tsl_grid *g = t->g;
    int me = g->wire->rank, self[2], to[2];
    size_t pieces = 0;
    tsl_message *out;
    source_place(t, me, self);
    t->ins = list(t, true, self, &t->in, &pieces);
    int outs = list(t, false, self, &out, &pieces);
    tsl_message_room(t, pieces);
    if (g->rehearsing) return;
    for (int i = 0; i < t->ins; ++i)
        if (t->in[i].rank != me) tsl_message_post(t, &t->in[i], TSL_RECEIVE, TSL_OVER_ALL);
    for (int i = 0; i < outs; ++i) {
        coordinates(g, TSL_OVER_ALL, out[i].rank, to);
        tsl_message_pack(t, &out[i], self, to);
        tsl_message_post(t, &out[i], TSL_SEND, TSL_OVER_ALL);
    }
    tsl_channel_send(t, TSL_OVER_ALL);
}

/* What was received, to its places. */
static void unpack(tsl_transfer *t)
{
    tsl_grid *g = t->g;
    int me = g->wire->rank, from[2];
    for (int i = 0; i < t->ins; ++i) {
        tsl_message *k = &t->in[i];
        if (t->spread) coordinates(g, t->spread, k->rank, from);
        else source_place(t, k->rank, from);
        if (!t->spread && k->rank == me) tsl_part_move(t, from, g->at, TSL_PACK, &k->mpi); /* its turn in a sum */
        if (k->direct) continue;
        tsl_message_cross(t, k, TSL_TO_DEVICE);
        tsl_part_move(t, from, g->at, t->sum ? TSL_ADD : TSL_UNPACK, k->dev.data ? &k->dev : &k->mpi);
    }
}

/* Which row or column of a matrix a text takes may depend on numbers, so a vector may lie elsewhere than its rehearsal
 * supposes: there is room for all of it to leave from here, and to come here, in a message for each process. */
static void vector_room(const tsl_transfer *t)
{
    const tsl_end *ends[] = {&t->from, &t->to};
    size_t p = (size_t)(t->g->size[0] * t->g->size[1]);
    size_t bytes = tsl_plus(tsl_dense_bytes(t->from.local->type, t->m, t->n), tsl_times(p, TSL_WORK_UNIT));
    size_t lists = sizeof *t->in + sizeof *t->post + sizeof *t->message;
    size_t messages = p + bytes / tsl_post_size(t->g, t->spread);
    if (t->sum || (t->m > 1 && t->n > 1)) return;
    for (int i = 0; i < 2; ++i) {
        tsl_work_get(t->g, false, tsl_plus(bytes, tsl_times(messages, lists)));
        if (tsl_on_device(ends[i]->local)) tsl_work_get(t->g, true, bytes);
    }
}

void tsl_transfer_begin(tsl_transfer *t, tsl_context *x, tsl_view A, tsl_view B, bool sum)
{
    tsl_op op = tsl_reduced(tsl_compose(A.op, B.op), A.mat->type);
    *t = (tsl_transfer){.x = x,
                        .g = tsl_grid_of(B),
                        .from = end_of(A, op & TSL_TRANS),
                        .to = end_of(B, false),
                        .op = op,
                        .m = B.m,
                        .n = B.n,
                        .sum = sum,
                        .slot = tsl_grid_of(B)->slot};
    int self[2];
    t->began = tsl_trace_on() ? tsl_now() : 0;
    bool same = t->from.g == t->to.g;
    t->by_channel = tsl_channel_takes(t);
    if (t->by_channel) tsl_channel_fork(t);
    else if (!t->g->rehearsing) tsl_listen(t->g); /* others may have given up long ago: nothing is sent to their arrays then */
    tsl_settle(t, &t->from);
    /* messages may be received straight into it, whatever the source's scheme: nothing may still read it */
    if (!sum) tsl_settle(t, &t->to);
    if (!sum && same && broadcasts(t)) {
        if (t->spread) broadcast(t);
    } else exchange(t);
    if (t->g->rehearsing) {
        vector_room(t);
        return;
    }
    if (t->by_channel) unpack(t);
    if (sum) return;
    source_place(t, t->g->wire->rank, self);
    int64_t size[2];
    tsl_part_size(t, self, t->g->at, size);
    if (size[0] && size[1]) tsl_part_move(t, self, t->g->at, TSL_THROUGH, NULL);
}

static const char *pattern(const tsl_transfer *t) { return t->sum ? "sum" : t->spread ? "broadcast" : "exchange"; }

bool tsl_transfer_done(tsl_transfer *t)
{
    if (t->by_channel) return false;
    return !t->reqs || t->g->rehearsing || t->g->broken || tsl_posts_done(t->g, t->reqs, t->post);
}

void tsl_transfer_end(tsl_transfer *t)
{
    tsl_grid *g = t->g;
    if (g->rehearsing) return;
    if (t->by_channel) {
        tsl_channel_join(t);
        return;
    }
    if (t->reqs && !tsl_await(g, t->reqs, t->post)) return;
    if (tsl_trace_on() && t->reqs) {
        char lane[64];
        tsl_print(lane, sizeof lane, "messages by %s", g->wire->ops->name);
        if (!g->traced) tsl_trace_lane(t->x->dev->trace, TRACK, lane);
        g->traced = true;
        tsl_trace_event(pattern(t), "messages", t->x->dev->trace, TRACK, t->began, tsl_now());
    }
    if (t->ins && !tsl_on_device(t->to.local)) tsl_settle(t, &t->to);
    unpack(t);
    if (t->ins && t->slot == 0 && tsl_on_device(t->to.local)) tsl_settle(t, &t->to); /* the buffers are free again */
}

bool tsl_transfer_shares(tsl_view A, tsl_view B, tsl_layout *l)
{
    const tsl_layout *from = &tsl_dist(A)->layout, *to = &tsl_dist(B)->layout;
    const tsl_grid *g = to->grid;
    int over = TSL_OVER_NONE;
    for (int d = 0; d < 2 && from->grid == g; ++d)
        if (g->size[d] > 1 && has_copies(from, d) && has_copies(to, d)) over |= 1 << d;
    int p = tsl_axis_size(g, (tsl_over)over);
    bool rows = !to->rows.over && B.m >= p, cols = !rows && !to->cols.over && B.n >= p;
    if (p <= 2 || (!rows && !cols)) return false;
    *l = *to;
    l->rows = tsl_axis_shift(l->rows, B.i), l->cols = tsl_axis_shift(l->cols, B.j);
    *(rows ? &l->rows : &l->cols) = (tsl_axis){(tsl_over)over, ((rows ? B.m : B.n) - 1) / p + 1, 0};
    if (has_copies(to, 0)) l->row = tsl_layout_fixed(from, 0);
    if (has_copies(to, 1)) l->col = tsl_layout_fixed(from, 1);
    return true;
}

/* Where the result has copies each process sums a share, in the same order as it would sum all, and sends that to the
 * others. */
void tsl_transfer_now(tsl_context *x, tsl_view A, tsl_view B, bool sum)
{
    tsl_transfer t;
    tsl_grid *g = tsl_grid_of(B);
    tsl_work_mark mark = tsl_work_now(g);
    tsl_layout l;
    if (sum && tsl_transfer_shares(A, B, &l)) {
        tsl_dmatrix S;
        tsl_view C = tsl_work_matrix(x, &S, &l, B.mat->type, B.m, B.n); /* as B is stored */
        C.op = B.op;
        tsl_transfer_now(x, B, C, false);
        tsl_transfer_now(x, A, C, true);
        tsl_transfer_now(x, C, B, false);
    } else {
        tsl_transfer_begin(&t, x, A, B, sum);
        tsl_transfer_end(&t);
    }
    tsl_work_back(g, mark);
}
