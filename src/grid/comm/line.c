/* What the processes along an axis find together: in log2 p rounds each exchanges what it has with another one and combines
 * the two. Of p that is no power of two the last ones give what they have to others first, and are told in the end. All have
 * the same bits then, if combining two is commutative. */
#include <string.h>

#include "grid/grid.h"

int tsl_line_place(const tsl_grid *g, tsl_over over, int i)
{
    return over == TSL_OVER_ALL ? i : over == TSL_OVER_ROWS ? tsl_rank_at(g, i, g->at[1]) : tsl_rank_at(g, g->at[0], i);
}

/* Those along ALL are numbered down the grid's columns. */
int tsl_line_rank(const tsl_grid *g, tsl_over over, int q)
{
    return tsl_line_place(g, over, over == TSL_OVER_ALL ? tsl_rank_at(g, q % g->size[0], q / g->size[0]) : q);
}

/* Sends `out` to process q of the line and receives `in`; either may be NULL. */
static bool exchange(tsl_grid *g, tsl_over over, int q, const void *out, void *in, size_t bytes)
{
    tsl_post post[2];
    int rank = tsl_line_rank(g, over, q), posts = 0;
    if (in) tsl_post_receive(g, &post[posts++], rank, TSL_TAG_LINE, in, bytes);
    if (out) tsl_post_send(g, &post[posts++], rank, TSL_TAG_LINE, out, bytes);
    return tsl_await(g, posts, post);
}

/* With what has come in. Where work is told that is what this process has itself: all have found the same. */
static void take(const tsl_grid *g, void *mine, const void *other, tsl_combine combine, const void *with)
{
    if (!tsl_is_told(g)) combine(mine, other, with);
}

void tsl_line_combine(tsl_grid *g, tsl_over over, void *mine, void *other, size_t bytes, tsl_combine combine, const void *with)
{
    int p = tsl_axis_size(g, over), me = tsl_axis_index(g, over, g->at), even = 1;
    if (p == 1 || g->rehearsing || g->broken) return;
    while (2 * even <= p) even *= 2;
    if (me >= even) {
        if (exchange(g, over, me - even, mine, NULL, bytes)) exchange(g, over, me - even, NULL, mine, bytes);
        return;
    }
    if (me + even < p && exchange(g, over, me + even, NULL, other, bytes)) take(g, mine, other, combine, with);
    for (int bit = 1; bit < even && !g->broken; bit *= 2)
        if (exchange(g, over, me ^ bit, mine, other, bytes)) take(g, mine, other, combine, with);
    if (me + even < p && !g->broken) exchange(g, over, me + even, mine, NULL, bytes);
}

bool tsl_line_told(tsl_grid *g, tsl_over over, tsl_opcode op, tsl_type type, int64_t m, int64_t n, size_t bytes)
{
    tsl_told t = {.kind = TSL_TOLD_COLUMNS, .op = op, .type = type, .m = m, .n = n, .times = 1,
                  .bytes = (double)bytes, .by_peers = true};
    char none[1];
    if (!tsl_is_told(g)) return false;
    for (int i = 0; i < tsl_axis_size(g, over); ++i)
        t.by_peers = t.by_peers && g->wire->ops->peers(g->wire, g->wire->rank, tsl_line_rank(g, over, i));
    g->wire->ops->work(g->wire, &t);
    g->wire->times = t.by_peers ? 1 : (int)n; /* by peers the messages stand for their waiting for each other */
    tsl_line_combine(g, over, none, none, bytes, NULL, NULL);
    g->wire->times = 0;
    return true;
}

typedef struct reduction {
    tsl_reduction kind;
    int count;
} reduction;

static void reduce(void *mine, const void *other, const void *with)
{
    const reduction *r = with;
    int64_t *a = mine;
    const int64_t *b = other;
    for (int i = 0; i < r->count; ++i)
        a[i] = r->kind == TSL_SUM ? a[i] + b[i] : r->kind == TSL_LARGEST ? tsl_max(a[i], b[i]) : tsl_min(a[i], b[i]);
}

bool tsl_all_reduce(tsl_grid *g, const int64_t *mine, int64_t *all, int count, tsl_reduction kind)
{
    size_t bytes = (size_t)count * sizeof *mine;
    reduction r = {kind, count};
    if (g->broken) return false;
    memcpy(g->said, mine, bytes);
    tsl_line_combine(g, TSL_OVER_ALL, g->said, g->heard, bytes, reduce, &r);
    if (!g->broken) memcpy(all, g->said, bytes);
    return !g->broken;
}

/* Of [begin, begin + count) modulo p, what lies before p and what comes round, to or from one process */
static int post_blocks(tsl_grid *g, tsl_post *post, bool out, int rank, int begin, int count, char *all, size_t bytes)
{
    int p = g->wire->size, posts = 0;
    for (int done = 0; done < count; ++posts) {
        int at = (begin + done) % p, run = (int)tsl_min(count - done, p - at);
        char *data = all + (size_t)at * bytes;
        if (out) tsl_post_send(g, &post[posts], rank, TSL_TAG_LINE, data, (size_t)run * bytes);
        else tsl_post_receive(g, &post[posts], rank, TSL_TAG_LINE, data, (size_t)run * bytes);
        done += run;
    }
    return posts;
}

/* In each round a process sends what it has to the one that many before it, so has twice as many after it, if one message
 * can carry them. */
bool tsl_all_gather(tsl_grid *g, const void *mine, void *all, size_t bytes)
{
    int p = g->wire->size, me = g->wire->rank;
    tsl_post post[4];
    if (g->broken) return false;
    memcpy((char *)all + (size_t)me * bytes, mine, bytes);
    for (int have = 1, count; have < p && !g->broken; have += count) {
        count = (int)tsl_min(tsl_min(have, p - have), tsl_max(1, (int64_t)(g->wire->most / bytes)));
        int posts = post_blocks(g, post, false, (me + have) % p, me + have, count, all, bytes);
        posts += post_blocks(g, post + posts, true, (me - have + p) % p, me, count, all, bytes);
        tsl_await(g, posts, post);
    }
    return !g->broken;
}

bool tsl_broadcast(tsl_grid *g, tsl_over over, int root, void *data, size_t bytes)
{
    size_t most = tsl_post_size(g, over);
    tsl_post post;
    for (size_t done = 0; done < bytes && !g->broken; done += most) {
        size_t part = bytes - done < most ? bytes - done : most;
        tsl_post_broadcast(g, &post, over, root, (char *)data + done, part, bytes > most);
        tsl_await(g, 1, &post);
    }
    return !g->broken;
}
