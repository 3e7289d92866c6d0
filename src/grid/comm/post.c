/* Messages under way, and broadcasts made of them: whoever has received one sends it on. Along a line of a few processes the
 * root sends to all. Along a longer one what is small goes down a binary tree; what is large goes from each process to the next
 * in segments. What is to be sent on is looked at in every wait, whatever that is for. */
#include "grid/grid.h"

enum { FEW = 4, TAGS = 4096 };
static const size_t SEGMENT = 1 << 18; /* bytes */

_Static_assert(FEW - 1 <= TSL_FAN, "the root of a short line sends to all others");
_Static_assert(TSL_TAG_BROADCAST + (TSL_OVER_ALL + 1) * TAGS <= 32767, "what MPI has for tags at least");

size_t tsl_post_size(const tsl_grid *g, tsl_over spread)
{
    bool cut = spread && tsl_axis_size(g, spread) > FEW && g->wire->most > SEGMENT;
    return cut ? SEGMENT : g->wire->most;
}

tsl_over tsl_post_over(int tag)
{
    return tag < TSL_TAG_BROADCAST ? TSL_OVER_NONE : (tsl_over)((tag - TSL_TAG_BROADCAST) / TAGS);
}

static void send(tsl_grid *g, tsl_post *k)
{
    k->waits = false;
    for (int i = 0; i < k->outs && !g->broken; ++i) {
        if (g->wire->ops->send(g->wire, k->to[i], k->tag, k->data, k->bytes, &k->out[i])) tsl_break(g);
        g->sent++, g->bytes_sent += (int64_t)k->bytes;
    }
}

static void receive(tsl_grid *g, tsl_post *k, int from)
{
    if (g->wire->ops->receive(g->wire, from, k->tag, k->data, k->bytes, &k->in)) tsl_break(g);
}

void tsl_post_send(tsl_grid *g, tsl_post *k, int to, int tag, const void *data, size_t bytes)
{
    *k = (tsl_post){.data = (void *)data, .bytes = bytes, .tag = tag, .outs = 1, .to = {to}};
    send(g, k);
}

void tsl_post_receive(tsl_grid *g, tsl_post *k, int from, int tag, void *data, size_t bytes)
{
    *k = (tsl_post){.data = data, .bytes = bytes, .tag = tag};
    if (!g->broken) receive(g, k, from);
}

/* All processes of a line begin the same broadcasts in the same order; each has a tag of its own, as what is sent on may be
 * overtaken. Processes are counted from the root on. */
void tsl_post_broadcast(tsl_grid *g, tsl_post *k, tsl_over over, int root, void *data, size_t bytes, bool segment)
{
    int p = tsl_axis_size(g, over), own = over == TSL_OVER_ALL ? g->wire->rank : tsl_axis_index(g, over, g->at);
    int i = (own - root + p) % p, parent = (i - 1) / 2, first = 2 * i + 1, last = first + 1;
    if (p <= FEW) parent = 0, first = i ? p : 1, last = p - 1;
    else if (segment) parent = i - 1, first = last = i + 1;
    int tag = TSL_TAG_BROADCAST + (int)over * TAGS + (int)(g->broadcasts[over]++ % TAGS);
    *k = (tsl_post){.data = data, .bytes = bytes, .tag = tag};
    for (int child = first; child <= last && child < p; ++child) k->to[k->outs++] = tsl_line_place(g, over, (root + child) % p);
    if (i == 0 || g->broken) {
        send(g, k);
        return;
    }
    if (k->outs) k->waits = true, k->next = g->passing, g->passing = k;
    receive(g, k, tsl_line_place(g, over, (root + parent) % p));
    k->in.passes = k->outs > 0;
}

static bool is_done(tsl_grid *g, tsl_request *req)
{
    if (req->pending && g->wire->ops->test(g->wire, req)) tsl_break(g);
    return !req->pending;
}

/* What has come in goes on. */
static void pass_on(tsl_grid *g)
{
    for (tsl_post **at = &g->passing; !g->broken && *at;) {
        tsl_post *k = *at;
        if (!is_done(g, &k->in)) {
            at = &k->next;
            continue;
        }
        *at = k->next;
        send(g, k);
    }
}

static bool arrived(tsl_grid *g, tsl_post *k)
{
    if (k->waits || !is_done(g, &k->in)) return false;
    for (int i = 0; i < k->outs; ++i)
        if (!is_done(g, &k->out[i])) return false;
    return true;
}

bool tsl_posts_done(tsl_grid *g, int count, tsl_post *k)
{
    pass_on(g);
    for (int i = 0; i < count; ++i)
        if (g->broken || !arrived(g, &k[i])) return false;
    return !g->broken;
}

static void cancel(tsl_grid *g, tsl_request *req)
{
    if (req->pending) g->wire->ops->cancel(g->wire, req);
}

bool tsl_await(tsl_grid *g, int count, tsl_post *k)
{
    tsl_patience patience = tsl_patience_now(g->patience);
    while (!g->broken && !tsl_posts_done(g, count, k)) {
        if (g->broken || !tsl_listen(g)) break;
        if (tsl_patience_ends(&patience)) tsl_too_late(g);
        else if (g->wire->ops->idle) g->wire->ops->idle(g->wire);
    }
    for (int i = 0; i < count && g->broken; ++i) {
        cancel(g, &k[i].in);
        for (int j = 0; j < k[i].outs; ++j) cancel(g, &k[i].out[j]);
    }
    return !g->broken;
}
