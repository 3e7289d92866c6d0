/* What travels between two processes in a transfer: packed where it lies, staged through host memory if neither the channel nor
 * MPI takes device memory, and cut into pieces that can be counted. */
#include "grid/grid.h"

tsl_matrix tsl_message_dense(tsl_transfer *t, int64_t m, int64_t n, bool device)
{
    size_t bytes = tsl_dense_bytes(t->from.local->type, m, n);
    return (tsl_matrix){.ctx = t->x,
                        .type = t->from.local->type,
                        .m = m,
                        .n = n,
                        .ld = tsl_max(1, m),
                        .home = device ? t->x->dev : NULL,
                        .data = tsl_work_get(t->g, device, bytes)};
}

/* Buffers for what leaves or reaches this end. Device memory: by the channel if there is one, else by MPI if it can, else
 * staged. */
void tsl_message_buffers(tsl_transfer *t, tsl_message *k, const tsl_end *e, const int from[2], const int to[2])
{
    bool device = tsl_on_device(e->local), taken = t->by_channel || t->g->wire->device_messages;
    void *p;
    if ((!device || taken) && !(t->sum && e == &t->to) && tsl_part_dense(t, e, from, to, &p)) {
        k->mpi = (tsl_matrix){.data = p};
        k->direct = true;
        return;
    }
    if (device) k->dev = tsl_message_dense(t, k->m, k->n, true);
    k->mpi = device && taken ? k->dev : tsl_message_dense(t, k->m, k->n, false);
}

/* Between the two buffers of a message. */
void tsl_message_cross(tsl_transfer *t, tsl_message *k, tsl_direction way)
{
    tsl_context *x = t->x;
    size_t bytes = tsl_dense_bytes(t->from.local->type, k->m, k->n);
    if (!k->dev.data || k->dev.data == k->mpi.data || t->g->failed) return;
    bool out = way == TSL_TO_HOST;
    tsl_status st = x->dev->be->copy2d(x->lanes[TSL_MAIN].q, out ? k->mpi.data : k->dev.data, bytes,
                                       out ? k->dev.data : k->mpi.data, bytes, bytes, 1, way);
    if (out) x->count.to_host++, x->count.bytes_to_host += (int64_t)bytes;
    else x->count.to_device++, x->count.bytes_to_device += (int64_t)bytes;
    if (!out) t->g->crossing |= 1u << t->slot;
    if (st) tsl_grid_fail(t->g, st);
}

void tsl_settle(tsl_transfer *t, const tsl_end *e)
{
    if (t->by_channel || t->g->rehearsing || !e->local->home) return;
    tsl_status st = tsl_work_wait(t->x, t->g);
    if (st) tsl_grid_fail(t->g, st);
}

void tsl_message_pack(tsl_transfer *t, tsl_message *k, const int from[2], const int to[2])
{
    if (k->direct || t->g->rehearsing) return;
    tsl_part_move(t, from, to, TSL_PACK, k->dev.data ? &k->dev : &k->mpi);
    tsl_message_cross(t, k, TSL_TO_HOST);
    if (k->dev.data) tsl_settle(t, &t->from);
}

size_t tsl_message_pieces(const tsl_transfer *t, const tsl_message *k)
{
    size_t bytes = tsl_dense_bytes(t->from.local->type, k->m, k->n);
    size_t most = tsl_post_size(t->g, t->spread);
    return t->by_channel ? 1 : bytes / most + (bytes % most != 0);
}

void tsl_message_room(tsl_transfer *t, size_t pieces)
{
    if (t->by_channel) t->message = tsl_work_get(t->g, false, tsl_times(pieces, sizeof *t->message));
    else t->post = tsl_work_get(t->g, false, tsl_times(pieces, sizeof *t->post));
}

/* A message, in pieces. */
void tsl_message_post(tsl_transfer *t, const tsl_message *k, tsl_post_way way, tsl_over over)
{
    tsl_grid *g = t->g;
    size_t bytes = tsl_dense_bytes(t->from.local->type, k->m, k->n);
    size_t most = tsl_post_size(g, way == TSL_BROADCAST ? over : TSL_OVER_NONE);
    size_t step = way == TSL_BROADCAST && tsl_is_told(g) ? bytes : most; /* as one message of many pieces */
    if (g->rehearsing) return;
    if (t->by_channel) {
        t->message[t->reqs++] = (tsl_channel_message){way, k->mpi.data, bytes, k->rank};
        return;
    }
    for (size_t done = 0; done < bytes; done += step) {
        char *p = (char *)k->mpi.data + done;
        size_t part = bytes - done < step ? bytes - done : step;
        tsl_post *post = &t->post[t->reqs++];
        if (way == TSL_BROADCAST) tsl_post_broadcast(g, post, over, k->rank, p, part, bytes > most);
        else if (way == TSL_SEND) tsl_post_send(g, post, k->rank, TSL_TAG_TRANSFER, p, part);
        else tsl_post_receive(g, post, k->rank, TSL_TAG_TRANSFER, p, part);
    }
}
