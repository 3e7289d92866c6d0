/* Messages by TCP. A short one is sent at once, and kept where it comes before it is waited for. A long one asks first, and is
 * sent when it has a place, so that nobody needs memory for it but its receiver. */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "grid/comm/tcp.h"

enum { SHORT = 1 << 14, SCRATCH = 1 << 12 }; /* bytes */

static tsl_tcp *tcp_of(tsl_wire *w) { return (tsl_tcp *)w; }

static void append(tsl_parcels *q, tsl_parcel *k)
{
    if (!q->last) q->last = &q->first;
    k->next = NULL;
    *q->last = k;
    q->last = &k->next;
}

static void take_out(tsl_parcels *q, const tsl_parcel *k)
{
    for (tsl_parcel **at = &q->first; *at; at = &(*at)->next)
        if (*at == k) {
            if (q->last == &k->next) q->last = at;
            *at = k->next;
            return;
        }
}

/* The first of this tag or, if that is negative, of this number, taken from the queue */
static tsl_parcel *find(tsl_parcels *q, int tag, uint64_t number)
{
    tsl_parcel *k = q->first;
    while (k && (tag < 0 ? k->frame.number != number : k->frame.tag != tag)) k = k->next;
    if (k) take_out(q, k);
    return k;
}

static tsl_parcel *new_parcel(int peer, tsl_frame_kind kind, int tag, uint64_t number, uint64_t bytes, void *data)
{
    tsl_parcel *k = malloc(sizeof *k);
    if (k) *k = (tsl_parcel){.frame = {kind, tag, number, bytes}, .peer = peer, .data = data};
    return k;
}

/* A frame that is nobody's request */
static bool say(tsl_tcp *w, int to, tsl_frame_kind kind, int tag, uint64_t number)
{
    tsl_parcel *k = w->peer[to].fd < 0 ? NULL : new_parcel(to, kind, tag, number, 0, NULL);
    if (k) append(&w->peer[to].out, k);
    return k;
}

static void finish(tsl_tcp *w, tsl_parcel *k, bool bad)
{
    k->done = true;
    k->bad = bad;
    w->events++;
}

/* A receive and what has come for it, short or asked for */
static void join(tsl_tcp *w, tsl_parcel *want, tsl_parcel *come)
{
    bool fits = want->frame.bytes == come->frame.bytes;
    if (!fits) finish(w, want, true);
    else if (come->frame.kind == TSL_FRAME_SHORT) {
        if (want->data && come->frame.bytes) memcpy(want->data, come->data, come->frame.bytes);
        finish(w, want, false);
    } else {
        want->frame.number = come->frame.number;
        append(&w->peer[want->peer].placed, want);
        if (!say(w, want->peer, TSL_FRAME_TAKE, want->frame.tag, want->frame.number)) finish(w, want, true);
    }
    if (come->kept) free(come->data);
    free(come);
}

/* The peer is gone: what was on its way is not any more. What has come stays. */
static void lose(tsl_tcp *w, int peer)
{
    tsl_peer *p = &w->peer[peer];
    if (p->fd < 0) return;
    close(p->fd);
    p->fd = -1;
    w->events++;
}

/* All of a frame has come: where does what follows it go? */
static void begin(tsl_tcp *w, int peer)
{
    tsl_peer *p = &w->peer[peer];
    tsl_frame f = p->frame;
    tsl_parcel *k = NULL;
    switch ((tsl_frame_kind)f.kind) {
    case TSL_FRAME_SHORT:
        k = f.bytes <= SHORT ? new_parcel(peer, TSL_FRAME_SHORT, f.tag, 0, f.bytes, malloc(SHORT)) : NULL;
        if (!k || !k->data) lose(w, peer), free(k), k = NULL;
        else k->kept = true;
        p->in = k;
        break;
    case TSL_FRAME_ASK:
        k = new_parcel(peer, TSL_FRAME_ASK, f.tag, f.number, f.bytes, NULL);
        if (!k) lose(w, peer);
        else {
            tsl_parcel *want = find(&p->wanted, f.tag, 0);
            if (want) join(w, want, k);
            else append(&p->come, k);
        }
        break;
    case TSL_FRAME_TAKE:
        k = find(&p->asked, -1, f.number);
        if (k) k->frame.kind = TSL_FRAME_LONG, k->moved = 0, append(&p->out, k);
        break;
    case TSL_FRAME_LONG:
        p->in = find(&p->placed, -1, f.number);
        if (!p->in || p->in->frame.bytes != f.bytes) lose(w, peer);
        break;
    case TSL_FRAME_WORD:
        if (f.tag <= 0 || f.tag > TSL_TAG_NEWS) break;
        w->unheard[f.tag] += !w->spoke[f.tag][peer];
        w->spoke[f.tag][peer] = true;
        w->said[f.tag][peer] = (int)f.number;
        w->events++;
    }
    if (p->in) p->in->moved = 0;
    else p->got = 0;
}

/* All that follows it has come, too. */
static void end(tsl_tcp *w, int peer)
{
    tsl_peer *p = &w->peer[peer];
    tsl_parcel *k = p->in, *want;
    p->in = NULL, p->got = 0;
    if (!k->kept) {
        finish(w, k, false);
        if (!k->data) free(k); /* cancelled */
    } else if ((want = find(&p->wanted, k->frame.tag, 0))) join(w, want, k);
    else append(&p->come, k);
}

/* One read; false: there is no more for now. */
static bool read_some(tsl_tcp *w, int peer)
{
    char scratch[SCRATCH];
    tsl_peer *p = &w->peer[peer];
    if (p->in && p->in->moved == p->in->frame.bytes) return end(w, peer), true;
    size_t room = p->in ? p->in->frame.bytes - p->in->moved : sizeof p->frame - p->got;
    char *to = !p->in ? (char *)&p->frame + p->got : p->in->data ? p->in->data + p->in->moved : scratch;
    if (to == scratch && room > SCRATCH) room = SCRATCH;
    ssize_t n = recv(p->fd, to, room, 0);
    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) return false;
    if (n <= 0) return lose(w, peer), false;
    if (p->in) p->in->moved += (size_t)n;
    else if ((p->got += (size_t)n) == sizeof p->frame) begin(w, peer);
    return p->fd >= 0;
}

static void sent(tsl_tcp *w, tsl_parcel *k)
{
    tsl_peer *p = &w->peer[k->peer];
    take_out(&p->out, k);
    if (!k->is_sent) free(k); /* nobody's, or cancelled */
    else if (k->frame.kind == TSL_FRAME_ASK) append(&p->asked, k);
    else finish(w, k, false);
}

/* One write; false: no more can be written for now, or there is none. */
static bool write_some(tsl_tcp *w, int peer)
{
    static const char zeros[SCRATCH];
    tsl_peer *p = &w->peer[peer];
    tsl_parcel *k = p->out.first;
    if (!k) return false;
    bool carries = k->frame.kind == TSL_FRAME_SHORT || k->frame.kind == TSL_FRAME_LONG, heads = k->moved < sizeof k->frame;
    size_t all = sizeof k->frame + (carries ? k->frame.bytes : 0), at = heads ? k->moved : k->moved - sizeof k->frame;
    size_t left = heads ? sizeof k->frame - at : k->frame.bytes - at;
    const char *from = heads ? (const char *)&k->frame + at : k->data ? k->data + at : zeros;
    if (from == zeros && left > SCRATCH) left = SCRATCH;
    ssize_t n = left ? send(p->fd, from, left, MSG_NOSIGNAL | (heads && carries ? MSG_MORE : 0)) : 0;
    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) return false;
    if (n < 0) return lose(w, peer), false;
    k->moved += (size_t)n;
    if (k->moved == all) sent(w, k);
    return true;
}

/* What can be read and written: at once, or after a wait of so many milliseconds */
static void progress(tsl_tcp *w, int wait)
{
    struct pollfd set[64];
    int who[64], rank = 0;
    do { /* some at a time: only the first ones wait */
        int count = 0;
        for (; rank < w->head.size && count < 64; ++rank)
            if (w->peer[rank].fd >= 0) {
                set[count] = (struct pollfd){w->peer[rank].fd, (short)(POLLIN | (w->peer[rank].out.first ? POLLOUT : 0)), 0};
                who[count++] = rank;
            }
        if (count && poll(set, (nfds_t)count, rank < w->head.size ? tsl_min(wait, 1) : wait) > 0)
            for (int i = 0; i < count; ++i) {
                if (set[i].revents & POLLOUT)
                    while (w->peer[who[i]].fd >= 0 && write_some(w, who[i])) continue;
                if (set[i].revents & (POLLIN | POLLHUP | POLLERR))
                    while (w->peer[who[i]].fd >= 0 && read_some(w, who[i])) continue;
            }
        wait = 0;
    } while (rank < w->head.size);
}

static bool keep(tsl_request *req, tsl_parcel *k)
{
    *req = (tsl_request){.pending = k != NULL, .as.at = k};
    return !k;
}

static bool send_to(tsl_wire *wire, int to, int tag, const void *data, size_t bytes, tsl_request *req)
{
    tsl_tcp *w = tcp_of(wire);
    bool is_short = bytes <= SHORT;
    uint64_t number = is_short ? 0 : ++w->peer[to].number;
    tsl_parcel *k = new_parcel(to, is_short ? TSL_FRAME_SHORT : TSL_FRAME_ASK, tag, number, bytes, (void *)data);
    if (!k) return true;
    k->is_sent = true;
    append(&w->peer[to].out, k);
    while (w->peer[to].fd >= 0 && w->peer[to].out.first && write_some(w, to)) continue;
    return keep(req, k);
}

static bool receive_from(tsl_wire *wire, int from, int tag, void *data, size_t bytes, tsl_request *req)
{
    tsl_tcp *w = tcp_of(wire);
    tsl_parcel *k = new_parcel(from, TSL_FRAME_SHORT, tag, 0, bytes, data);
    if (!k) return true;
    tsl_parcel *come = find(&w->peer[from].come, tag, 0);
    if (come) join(w, k, come);
    else append(&w->peer[from].wanted, k);
    return keep(req, k);
}

static bool test(tsl_wire *wire, tsl_request *req)
{
    tsl_tcp *w = tcp_of(wire);
    tsl_parcel *k = req->as.at;
    if (!k->done) progress(w, 0);
    if (k->done) {
        bool bad = k->bad;
        req->pending = false;
        free(k);
        return bad;
    }
    bool left = w->peer[k->peer].fd < 0 && !w->unheard[TSL_TAG_NEWS]; /* its last word comes first */
    if (left) w->head.left = k->peer;
    return left;
}

/* What is partly on its way goes on, without its array. */
static void cancel(tsl_wire *wire, tsl_request *req)
{
    tsl_tcp *w = tcp_of(wire);
    tsl_parcel *k = req->as.at;
    tsl_peer *p = &w->peer[k->peer];
    req->pending = false;
    bool begun = p->fd >= 0 && !k->done && (k->is_sent ? k->moved > 0 && k == p->out.first : k == p->in);
    bool placed = p->fd >= 0 && !k->is_sent && !k->done && k->frame.number;
    if (begun || placed) {
        k->data = NULL, k->is_sent = false;
        return;
    }
    if (!k->done) take_out(&p->out, k), take_out(&p->asked, k), take_out(&p->wanted, k), take_out(&p->placed, k);
    if (p->in == k) p->in = NULL;
    free(k);
}

static void tell(tsl_wire *wire, int to, int tag, const int *word)
{
    tsl_tcp *w = tcp_of(wire);
    say(w, to, TSL_FRAME_WORD, tag, (uint64_t)*word);
    while (w->peer[to].fd >= 0 && write_some(w, to)) continue;
}

static bool hear(tsl_wire *wire, int tag, int *from, int *word)
{
    tsl_tcp *w = tcp_of(wire);
    *from = -1;
    progress(w, 0);
    for (int i = 0; i < wire->size && w->unheard[tag] && *from < 0; ++i)
        if (w->spoke[tag][i]) {
            *from = i, *word = w->said[tag][i];
            w->spoke[tag][i] = false;
            --w->unheard[tag];
        }
    return false;
}

static void idle(tsl_wire *wire)
{
    enum { MILLISECONDS = 20 };
    tsl_tcp *w = tcp_of(wire);
    if (w->events == w->seen) progress(w, MILLISECONDS);
    w->seen = w->events;
}

static const char *refuses(const tsl_wire *w)
{
    (void)w;
    return NULL;
}

static bool there(const tsl_wire *a, int rank, const tsl_wire *b, int *other)
{
    const tsl_tcp *w = (const tsl_tcp *)a, *v = (const tsl_tcp *)b;
    for (*other = 0; *other < b->size; ++*other)
        if (v->name[*other] == w->name[rank]) return false;
    return true;
}

static bool same(const tsl_wire *a, const tsl_wire *b)
{
    int other;
    for (int i = 0; i < a->size && a->size == b->size; ++i)
        if (there(a, i, b, &other)) return false;
    return a->size == b->size;
}

/* What was said last is to reach the others: a second at most. */
static void close_all(tsl_wire *wire, bool broken)
{
    tsl_tcp *w = tcp_of(wire);
    tsl_patience patience = tsl_patience_now(1);
    (void)broken;
    for (bool more = true; more && !tsl_patience_ends(&patience);) {
        more = false;
        for (int i = 0; i < wire->size; ++i) more |= w->peer[i].fd >= 0 && w->peer[i].out.first;
        if (more) progress(w, 1);
    }
    tsl_tcp_free(w);
}

const tsl_wire_ops tsl_tcp_ops = {.name = "TCP", .send = send_to, .receive = receive_from, .test = test, .cancel = cancel,
                                  .tell = tell, .hear = hear, .idle = idle, .refuses = refuses, .same = same,
                                  .there = there, .close = close_all};
