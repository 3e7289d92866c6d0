/* What neighbours of a chase by tiles hand each other (chase_tiles.h), packed in one message each way. Reflectors of a sweep
 * that a region makes of columns before its own begin kd - 1 rows further up than those of the sweep before; so together they
 * are a matrix whose columns are so much less apart, and factors one whose columns are one less apart. */
#include "grid/eig/chase_tiles.h"

/* A block of m x n, as far apart as `ld` says, from element (i, j) of A on */
static tsl_matrix block(const tsl_hands *h, tsl_view A, int64_t i, int64_t j, int64_t m, int64_t n, int64_t ld)
{
    bool there = A.mat->data && m && n;
    return (tsl_matrix){.ctx = h->x, .type = A.mat->type, .m = m, .n = n, .ld = ld, .home = h->x->dev,
                        .data = there ? tsl_here(A, i, j) : NULL};
}

static tsl_matrix columns(const tsl_hands *h, int64_t from)
{
    return block(h, h->W, 0, from, h->W.m, h->k->reach, h->W.mat->ld);
}

static tsl_matrix passed_on(const tsl_hands *h) { return block(h, h->R, 0, 0, h->R.m, h->R.n, h->R.mat->ld); }

/* Of a group of sweeps the reflectors that one process has made of columns of the one before it, whose own end before `row` */
static tsl_matrix reflectors(const tsl_hands *h, const tsl_kept_piece *p, int64_t row, int64_t group)
{
    const tsl_tiling *k = h->k;
    return block(h, p->V, row, group % k->per * k->w, k->reach - 1, k->w, p->V.mat->ld - (k->kd - 1));
}

/* The factors of `count` chunks from `from` on, counted from that at the border of process q */
static tsl_matrix factors(const tsl_hands *h, const tsl_kept_piece *p, int64_t q, int64_t from, int64_t count, int64_t group)
{
    const tsl_tiling *k = h->k;
    int64_t row = tsl_factor_row(k, group, tsl_chunk_of(k, group, q) + from);
    return block(h, p->tau, row, group % k->per * k->w, count, k->w, p->tau.mat->ld - 1);
}

/* T's elements of sweeps that begin with process q, whose columns these are no more */
static tsl_matrix elements(const tsl_hands *h, int64_t q, int64_t group)
{
    const tsl_tiling *k = h->k;
    int64_t begins = tsl_chunk_of(k, group, q), sweeps = tsl_min(k->w, k->n - 1 - group * k->w);
    return block(h, h->T, tsl_element_row(k, group) + begins, 0, tsl_max(0, sweeps - begins), 2, h->T.mat->ld);
}

static size_t bytes_of(const tsl_matrix *part) { return tsl_dense_bytes(part->type, part->m, part->n); }

/* In elements of the band */
static int64_t size(const tsl_hands *h, const tsl_matrix *part, int count)
{
    size_t bytes = 0, each = tsl_type_size(h->W.mat->type);
    for (int i = 0; i < count; ++i) bytes += bytes_of(&part[i]);
    return (int64_t)((bytes + each - 1) / each);
}

/* The parts to the buffer, one after the other, or back */
static void pack(const tsl_hands *h, const tsl_matrix *buffer, tsl_matrix *part, int count, bool back)
{
    size_t at = 0;
    for (int i = 0; i < count; at += bytes_of(&part[i]), ++i) {
        tsl_matrix there = part[i];
        if (!part[i].m || !part[i].n) continue;
        there.ld = part[i].m, there.data = buffer->data ? (char *)buffer->data + at : NULL;
        tsl_view from = tsl_whole(back ? &there : &part[i]), to = tsl_whole(back ? &part[i] : &there);
        tsl_locally(h->x, h->g, &(tsl_call){.op = TSL_OP_COPY, .v = {from, to}});
    }
}

/* To or from the process `way` from this one; without any elements there may be none */
static tsl_message message(const tsl_hands *h, const tsl_matrix buffer[2], int way, int64_t elements)
{
    int rank = elements ? tsl_line_rank(h->g, TSL_OVER_ALL, h->k->me + way) : 0;
    return (tsl_message){.rank = rank, .m = elements, .n = 1, .dev = buffer[0], .mpi = buffer[1]};
}

/* `out` to the process `way` from this one, `in` from the other side; of either there may be no parts */
static void pass(tsl_hands *h, int way, tsl_matrix *out, int outs, tsl_matrix *in, int ins)
{
    tsl_transfer *t = &h->t;
    if (h->g->rehearsing || (!outs && !ins)) return;
    tsl_message k[2] = {message(h, h->in, -way, size(h, in, ins)), message(h, h->out, way, size(h, out, outs))};
    t->reqs = 0;
    pack(h, &h->out[0], out, outs, false);
    if (outs) tsl_message_cross(t, &k[1], TSL_TO_HOST);
    if (t->by_channel) tsl_channel_fork(t);
    tsl_settle(t, &t->from);
    if (ins) tsl_message_post(t, &k[0], TSL_RECEIVE, TSL_OVER_ALL);
    if (outs) tsl_message_post(t, &k[1], TSL_SEND, TSL_OVER_ALL);
    tsl_channel_send(t, TSL_OVER_ALL);
    if (t->by_channel) tsl_channel_join(t);
    else if (!tsl_await(h->g, t->reqs, t->post)) return;
    if (ins) tsl_message_cross(t, &k[0], TSL_TO_DEVICE);
    pack(h, &h->in[0], in, ins, true);
}

void tsl_hands_room(tsl_hands *h)
{
    const tsl_tiling *k = h->k;
    int64_t band = k->reach * 2 * k->kd, right = (k->kd + 1 + k->drift) * k->w, left = (k->reach - 1 + k->above + 2) * k->w;
    int64_t most = band + tsl_max(right, left);
    h->t = (tsl_transfer){.x = h->x, .g = h->g, .from.local = h->W.mat, .to.local = h->W.mat, .slot = h->g->slot};
    h->t.by_channel = tsl_channel_takes(&h->t);
    tsl_matrix *const sides[] = {h->out, h->in};
    for (int i = 0; i < 2; ++i) {
        sides[i][0] = tsl_message_dense(&h->t, most, 1, true);
        sides[i][1] = h->t.by_channel || h->g->wire->device_messages ? sides[i][0] : tsl_message_dense(&h->t, most, 1, false);
    }
    tsl_message_room(&h->t, 2 * (tsl_dense_bytes(h->W.mat->type, most, 1) / h->g->wire->most + 1));
}

void tsl_hand_right(tsl_hands *h, const tsl_kept_piece *mine, const tsl_kept_piece *others, int64_t group)
{
    const tsl_tiling *k = h->k;
    tsl_matrix out[3] = {columns(h, k->own), passed_on(h)}, in[3] = {columns(h, 0), passed_on(h)};
    int parts = k->keeps ? 3 : 2;
    if (mine && k->keeps) out[2] = factors(h, mine, k->me + 1, -k->drift, k->drift, group);
    if (others && k->keeps) in[2] = factors(h, others, k->me, -k->drift, k->drift, group + 1);
    pass(h, 1, out, mine ? parts : 0, in, others ? parts : 0);
}

void tsl_hand_left(tsl_hands *h, const tsl_kept_piece *mine, const tsl_kept_piece *others, int64_t group)
{
    const tsl_tiling *k = h->k;
    tsl_matrix out[4] = {columns(h, 0)}, in[4] = {columns(h, k->own)};
    int parts = k->keeps ? 4 : 2;
    if (mine && k->keeps) out[1] = reflectors(h, mine, k->reach, group), out[2] = factors(h, mine, k->me, 0, k->above, group);
    if (others && k->keeps) {
        in[1] = reflectors(h, others, k->reach + k->own, group - 1);
        in[2] = factors(h, others, k->me + 1, 0, k->above, group - 1);
    }
    if (mine) out[parts - 1] = elements(h, k->me, group);
    if (others) in[parts - 1] = elements(h, k->me + 1, group - 1);
    pass(h, -1, out, mine ? parts : 0, in, others ? parts : 0);
}
