/* The coherence protocol, exhaustively: one tile, three memories, a task that may use it in each of them, and every legal step
 * in every order, with and without transfers that fail. The steps are the runtime's (fetch.c, slot.c), one per stretch under
 * its lock. A state keeps what the directory does not know: which copies really are the tile's present contents. */
#include <stdlib.h>
#include <string.h>

#include "runtime/coherence.h"
#include "tap.h"

enum { SPACES = 3, NONE = 3, OWNER = 1, STATES = 1 << 26, ROOM = 1 << 20 };

/* What the task in a space is doing: there is none; it has let go of its place; that is pinned; it has what it reads, or need
 * not read; it overwrites. */
typedef enum role { AWAY, WAITS, PINNED, READS, OVERWRITES } role;

typedef struct state {
    tsl_line line;
    unsigned fresh;          /* copies equal to the present contents */
    unsigned char from[SPACES]; /* of a transfer to each space that is being put on a queue; NONE */
    unsigned char by;           /* the space whose thread does that, if it is to the home: it does nothing else meanwhile */
    role task[SPACES];
} state;

typedef struct search {
    const tsl_policy *policy;
    int home;
    bool failures;
    unsigned char seen[STATES / 8];
    state *queue;
    long head, tail, steps;
} search;

static unsigned key_of(const state *s)
{
    unsigned k = (unsigned)s->line.valid | (unsigned)s->line.coming << 3 | s->fresh << 6;
    for (int i = 0; i < SPACES; i++) k |= (unsigned)(s->from[i] | (unsigned)s->task[i] << 2) << (9 + 5 * i);
    return k | (s->from[s->line.home] == NONE ? 0 : (unsigned)s->by) << 24;
}

static bool in_use(const state *s, int space)
{
    for (int i = 0; i < SPACES; i++)
        if (s->from[i] == space) return true;
    return s->task[space] >= PINNED || s->from[space] != NONE;
}

/* Is its thread putting a transfer on a queue? */
static bool busy(const state *s, int space)
{
    return s->from[space] != NONE ? space != s->line.home || s->by == space : s->from[s->line.home] != NONE && s->by == space;
}

static bool quiet(const state *s)
{
    for (int i = 0; i < SPACES; i++)
        if (s->task[i] != AWAY || s->from[i] != NONE) return false;
    return true;
}

static void judge(const search *g, const state *s)
{
    const tsl_line *l = &s->line;
    unsigned queued = (unsigned)(l->valid & ~l->coming);
    bool overwritten = false;
    for (int i = 0; i < SPACES; i++) overwritten |= s->task[i] == OVERWRITES;
    check(!(queued & ~s->fresh), "%s: a valid copy is old: valid %x fresh %x", g->policy->name, queued, s->fresh);
    check(!(l->coming & ~l->valid), "%s: coming, but not valid", g->policy->name);
    check(!l->valid || queued, "%s: all copies are on their way", g->policy->name);
    check(!s->fresh || l->valid || overwritten, "%s: the last copy is lost", g->policy->name);
    for (int i = 0; i < SPACES; i++) {
        check((s->from[i] != NONE) == tsl_line_coming(l, i), "%s: a transfer nobody knows of", g->policy->name);
        check(s->from[i] == NONE || queued >> s->from[i] & 1, "%s: the source of a transfer went away", g->policy->name);
        check(s->task[i] != READS || !s->fresh || queued >> i & 1, "%s: a reader's copy went away", g->policy->name);
    }
    if (!quiet(s)) return;
    if (g->policy->write_through && !g->failures)
        check(!tsl_line_dirty(l), "%s: not written through: valid %x", g->policy->name, (unsigned)l->valid);
    if (!g->policy->keep_own && !g->failures)
        check(!(l->valid & ~tsl_space_bit(g->home)), "%s: a copy stays: valid %x", g->policy->name, (unsigned)l->valid);
}

static void reach(search *g, const state *s)
{
    unsigned k = key_of(s);
    g->steps++;
    if (g->seen[k / 8] >> k % 8 & 1) return;
    g->seen[k / 8] |= (unsigned char)(1u << k % 8);
    judge(g, s);
    check(g->tail < ROOM, "%s: too many states", g->policy->name);
    if (g->tail < ROOM) g->queue[g->tail++] = *s;
}

/* The transfer that clean makes possible now, if any: to the home, from the space that has the contents. */
static void begin_clean(const state *s, int by, state *next)
{
    int from;
    *next = *s;
    if (tsl_line_source(&s->line, s->line.home, false, &from) != TSL_VIA_HOME || tsl_line_coming(&s->line, from)) return;
    tsl_line_fetch(&next->line, s->line.home);
    next->from[s->line.home] = (unsigned char)from;
    next->by = (unsigned char)by;
}

/* A pinned task tries to get the contents, as far as it can under one hold of the lock. */
static void bring(search *g, const state *s, int at)
{
    state next = *s;
    int from;
    if (tsl_line_coming(&s->line, at)) return;
    tsl_source source = tsl_line_source(&s->line, at, g->policy->peers, &from);
    check(source != TSL_FROM_PEER || (g->policy->peers && at != TSL_HOST_SPACE), "%s: from a peer", g->policy->name);
    check(source != TSL_NOTHING || !s->line.valid, "%s: there are contents, but none are found", g->policy->name);
    if (source == TSL_HERE || source == TSL_NOTHING) {
        next.task[at] = READS;
    } else if (source == TSL_VIA_HOME) {
        begin_clean(s, at, &next);
    } else {
        check(from != at && tsl_line_valid(&s->line, from), "%s: reads %d from %d", g->policy->name, at, from);
        if (tsl_line_coming(&s->line, from)) return;
        tsl_line_fetch(&next.line, at);
        next.from[at] = (unsigned char)from;
    }
    reach(g, &next);
}

static void drop(state *s, int at)
{
    tsl_line_drop(&s->line, at);
    s->fresh &= ~(1u << at);
}

/* The task is done; what the policy says of its tile happens in the same step. */
static void release(search *g, const state *s, int at, bool writes)
{
    state next = *s;
    const tsl_policy *p = g->policy;
    if (writes) {
        for (int i = 0; i < SPACES; i++)
            if (i != at && i != g->home) drop(&next, i);
        tsl_line_write(&next.line, at);
        check(next.line.valid == tsl_space_bit(at), "%s: others stay valid after a write", p->name);
        next.fresh = 1u << at;
        state written = next;
        if (p->write_through) begin_clean(&written, at, &next);
    }
    next.task[at] = AWAY;
    bool keep = at == OWNER ? p->keep_own : p->keep_alien;
    if (at != g->home && !keep && !in_use(&next, at) && !tsl_line_only(&next.line, at)) drop(&next, at);
    reach(g, &next);
}

static bool alone(const state *s, int at)
{
    for (int i = 0; i < SPACES; i++)
        if (i != at && s->task[i] != AWAY) return false;
    return true;
}

/* A task that has been fetched ahead lets go of its tiles, and begins anew later. */
static void give_way(search *g, const state *s, int at)
{
    state next = *s;
    if (!g->policy->ahead) return;
    next.task[at] = WAITS;
    reach(g, &next);
}

static void task_steps(search *g, const state *s, int at)
{
    state next = *s;
    bool overwriter = false;
    if (busy(s, at)) return;
    for (int i = 0; i < SPACES; i++) overwriter |= s->task[i] == OVERWRITES;
    switch (s->task[at]) {
    case AWAY: /* the graph starts no task beside one that writes */
        if (overwriter) return;
        /* fall through */
    case WAITS:
        next.task[at] = PINNED;
        reach(g, &next);
        return;
    case PINNED:
        bring(g, s, at);
        give_way(g, s, at);
        if (!alone(s, at) || s->line.coming) return; /* or, if it is to overwrite all, the old contents are given up */
        tsl_line_discard(&next.line);
        next.fresh = 0;
        next.task[at] = OVERWRITES;
        reach(g, &next);
        return;
    case READS:
        give_way(g, s, at);
        release(g, s, at, false);
        if (alone(s, at)) release(g, s, at, true);
        return;
    case OVERWRITES: release(g, s, at, true);
    }
}

static void memory_steps(search *g, const state *s, int at)
{
    state next = *s;
    if (s->from[at] != NONE) { /* its transfer is on the queue now, or could not be */
        next.from[at] = NONE;
        if (s->fresh >> s->from[at] & 1) next.fresh |= 1u << at;
        tsl_line_queued(&next.line, at);
        bool used = at == g->home || next.task[at] == PINNED;
        check(used, "%s: a transfer for nobody", g->policy->name);
        int source = s->from[at]; /* what the policy does not keep leaves as soon as it may */
        bool keep = source == OWNER ? g->policy->keep_own : g->policy->keep_alien;
        if (source != g->home && !keep && !in_use(&next, source) && !tsl_line_only(&next.line, source)) drop(&next, source);
        reach(g, &next);
        if (!g->failures) return;
        next = *s;
        next.from[at] = NONE;
        next.fresh &= ~(1u << at);
        tsl_line_lost(&next.line, at);
        reach(g, &next);
    } else if (at != g->home && tsl_line_valid(&s->line, at) && !in_use(s, at) && !busy(s, at)) { /* evicted, after cleaning if it must */
        if (tsl_line_only(&s->line, at)) begin_clean(s, at, &next);
        else drop(&next, at);
        check(key_of(&next) != key_of(s), "%s: a copy not in use cannot leave", g->policy->name);
        reach(g, &next);
    }
}

/* From any state, left alone: transfers are queued, and the contents can be had in every space by two more at most. */
static void find_contents(const search *g, state s)
{
    for (int i = 0; i < SPACES; i++) {
        if (s.from[i] != NONE) tsl_line_queued(&s.line, i);
        s.from[i] = NONE;
    }
    for (int at = 0; at < SPACES && s.line.valid; at++) {
        tsl_line l = s.line;
        int moves = 0, from;
        for (tsl_source src; (src = tsl_line_source(&l, at, g->policy->peers, &from)) != TSL_HERE && moves < 3; moves++) {
            int to = src == TSL_VIA_HOME ? l.home : at;
            tsl_line_fetch(&l, to);
            tsl_line_queued(&l, to);
        }
        check(moves <= 2, "%s: the contents do not reach space %d", g->policy->name, at);
    }
}

static void explore(search *g, bool defined)
{
    state first = {.line = {.home = g->home}, .from = {NONE, NONE, NONE}};
    memset(g->seen, 0, sizeof g->seen);
    g->head = g->tail = g->steps = 0;
    if (defined) first.line.valid = first.fresh = (unsigned)tsl_space_bit(g->home);
    reach(g, &first);
    while (g->head < g->tail) {
        state s = g->queue[g->head++];
        find_contents(g, s);
        for (int at = 0; at < SPACES; at++) task_steps(g, &s, at), memory_steps(g, &s, at);
    }
    check(g->tail > 50, "%s: only %ld states", g->policy->name, g->tail);
}

int main(void)
{
    search *g = calloc(1, sizeof *g);
    if (g) g->queue = malloc(ROOM * sizeof *g->queue);
    if (!g || !g->queue) return 1;
    for (const tsl_policy *p = tsl_policies; p->name; p++)
        for (int failures = 0; failures < 2; failures++) {
            long states = 0, steps = 0;
            for (int home = 0; home < SPACES; home++)
                for (int defined = 0; defined < 2; defined++) {
                    g->policy = p, g->home = home, g->failures = failures;
                    explore(g, defined);
                    states += g->tail, steps += g->steps;
                }
            checked("%s%s: %ld states, %ld steps", p->name, failures ? ", transfers may fail" : "", states, steps);
        }
    ok(tsl_policy_find("auto") && !tsl_policy_find("none") && !tsl_policy_find(""), "policies by name");
    free(g->queue), free(g);
    return tap_done();
}
