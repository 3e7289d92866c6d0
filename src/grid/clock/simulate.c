/* All processes on a time axis. A process goes on until it waits for a message that has not arrived; of all messages that are
 * to leave, the earliest does next. It takes its time on its sender's link and on its receiver's, one after the other with
 * others there; there is one of each for messages within a node, and one for others. What is to be passed on leaves again as it
 * arrives, piece by piece. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/numbers/largest.h"
#include "grid/clock/clock.h"
#include "grid/grid.h"

/* A time, and how much of what led to it was work, by its kind */
typedef struct moment {
    double when, path[TSL_CLOCK_WORKS];
} moment;

typedef struct process {
    size_t at;       /* the next of its events */
    uint64_t waits;  /* for this message; 0: for none */
    moment now;
    double out[2], in[2]; /* its links are free again */
    double speed, worked, messages, bytes;
    int marks;
} process;

/* A message that is to leave, or to be passed on */
typedef struct leaving {
    moment at;
    double whole; /* all pieces of what is passed on are here */
    int from;
    const tsl_event *e;
    size_t next; /* to be passed on when the same one arrives; NONE: no more */
} leaving;

enum { NONE = 0 };

typedef struct leavings {
    leaving *of;
    size_t count, room;
} leavings;

typedef struct axis {
    const tsl_clock_machine *m;
    const tsl_events *log;
    tsl_clock_marks *marks;
    process *p;
    tsl_map arrival, passes; /* by message: which of those below; the first of those it is passed on as */
    moment *arrived;         /* from 1 on */
    size_t arrivals, room;
    leavings heap, passing;  /* heap: no one is earlier than that at half its place; passing: from 1 on */
    bool lost;               /* no memory */
} axis;

static bool grow(axis *a, leavings *l)
{
    if (l->count < l->room) return true;
    size_t room = l->room ? 2 * l->room : 1024;
    leaving *larger = realloc(l->of, room * sizeof *larger);
    if (!larger) return !(a->lost = true);
    l->of = larger, l->room = room;
    return true;
}

static void push(axis *a, leaving k)
{
    leavings *h = &a->heap;
    if (!grow(a, h)) return;
    size_t at = h->count++;
    for (; at > 0 && h->of[(at - 1) / 2].at.when > k.at.when; at = (at - 1) / 2) h->of[at] = h->of[(at - 1) / 2];
    h->of[at] = k;
}

static leaving pop(axis *a)
{
    leavings *h = &a->heap;
    leaving first = h->of[0], last = h->of[--h->count];
    size_t at = 0, child;
    while ((child = 2 * at + 1) < h->count) {
        if (child + 1 < h->count && h->of[child + 1].at.when < h->of[child].at.when) ++child;
        if (h->of[child].at.when >= last.at.when) break;
        h->of[at] = h->of[child];
        at = child;
    }
    h->of[at] = last;
    return first;
}

/* What this process passes on, by what it is passed on of */
static void note_passing(axis *a, int rank)
{
    for (size_t i = 0; i < a->log[rank].count && !a->lost; ++i) {
        const tsl_event *e = &a->log[rank].event[i];
        if (e->kind != TSL_EVENT_PASS) continue;
        double *first = tsl_map_at(&a->passes, e->of);
        if (!a->passing.count) a->passing.count = grow(a, &a->passing); /* place 0 is none */
        if (!first || !grow(a, &a->passing)) {
            a->lost = true;
            return;
        }
        a->passing.of[a->passing.count] = (leaving){.from = rank, .e = e, .next = (size_t)*first};
        *first = (double)a->passing.count++;
    }
}

static void works(process *p, const tsl_event *e)
{
    double seconds = e->amount * p->speed;
    p->now.when += seconds, p->now.path[e->work] += seconds;
    p->worked += seconds;
}

static void mark(tsl_clock_marks *all, int number, const moment *now)
{
    if (number >= TSL_CLOCK_STEPS) return;
    all->count = (int)tsl_max(all->count, number + 1);
    if (now->when < all->when[number]) return;
    all->when[number] = now->when;
    memcpy(all->path[number], now->path, sizeof now->path);
}

static void go(axis *a, int rank)
{
    process *p = &a->p[rank];
    for (p->waits = 0; p->at < a->log[rank].count && !a->lost; ++p->at) {
        const tsl_event *e = &a->log[rank].event[p->at];
        if (e->kind == TSL_EVENT_WORK) works(p, e);
        else if (e->kind == TSL_EVENT_SEND) push(a, (leaving){p->now, p->now.when, rank, e, NONE});
        else if (e->kind == TSL_EVENT_WAIT) {
            const double *here = tsl_map_find(&a->arrival, e->of);
            if (!here) {
                p->waits = e->of;
                return;
            }
            const moment *there = &a->arrived[(size_t)*here];
            if (there->when > p->now.when) p->now = *there;
        } else if (e->kind == TSL_EVENT_STEP && a->marks) mark(a->marks, p->marks++, &p->now);
    }
}

static bool arrives(axis *a, uint64_t key, moment m)
{
    double *number = tsl_map_at(&a->arrival, key);
    if (a->arrivals + 1 >= a->room) {
        size_t room = a->room ? 2 * a->room : 1024;
        moment *larger = realloc(a->arrived, room * sizeof *larger);
        if (larger) a->arrived = larger, a->room = room;
        else a->lost = true;
    }
    a->lost |= !number;
    if (!a->lost) *number = (double)++a->arrivals, a->arrived[a->arrivals] = m;
    return !a->lost;
}

int tsl_clock_node_of(const tsl_clock_machine *m, int rank)
{
    if (!m->tile[0]) return m->table.node > 1 ? rank / (int)m->table.node : rank;
    int wide = (m->across + m->tile[1] - 1) / m->tile[1];
    return rank / m->across / m->tile[0] * wide + rank % m->across / m->tile[1];
}

/* The earliest message leaves, and arrives. */
static void leave(axis *a)
{
    leaving k = pop(a);
    const tsl_clock_table *m = &a->m->table;
    int times = k.e->times;
    process *p = &a->p[k.from];
    bool near = tsl_clock_node_of(a->m, k.from) == tsl_clock_node_of(a->m, k.e->peer), pieces = times > 1 && !k.e->in_turn;
    double late = near ? m->near_message : m->message, time = k.e->amount * (near ? m->near_byte : m->byte);
    double piece = time / (pieces ? times : 1), *out = &p->out[near], *in = &a->p[k.e->peer].in[near];
    double begins = tsl_larger(tsl_larger(*out, *in), k.at.when), last = tsl_larger(begins + time, k.whole + piece);
    moment end = k.at, first = k.at;
    *out = *in = last;
    p->messages += times, p->bytes += k.e->amount;
    end.when = last + late * (k.e->in_turn ? times : 1);
    first.when = pieces ? begins + piece + late : end.when;
    if (!arrives(a, k.e->key, end)) return;
    const double *passed = tsl_map_find(&a->passes, k.e->key);
    for (size_t i = passed ? (size_t)*passed : NONE; i != NONE; i = a->passing.of[i].next)
        push(a, (leaving){first, end.when, a->passing.of[i].from, a->passing.of[i].e, NONE});
    if (a->p[k.e->peer].waits == k.e->key) go(a, k.e->peer);
}

/* Twelve uniform numbers less six are nearly normal. */
static double normal(uint64_t *seed)
{
    double sum = -6;
    for (int i = 0; i < 12; ++i) {
        *seed = *seed * 6364136223846793005u + 1442695040888963407u;
        sum += (double)(*seed >> 11) / 9007199254740992.0;
    }
    return sum;
}

tsl_status tsl_clock_simulate(int processes, const tsl_events *log, const tsl_clock_machine *m, tsl_clock_result *out,
                              tsl_clock_marks *marks)
{
    axis a = {.m = m, .log = log, .marks = marks, .p = calloc((size_t)processes, sizeof *a.p)};
    uint64_t seed = m->seed;
    bool over = true;
    a.lost = !a.p;
    for (int i = 0; i < processes && !a.lost; ++i) {
        a.p[i].speed = 1 + fabs(normal(&seed)) * m->scatter;
        note_passing(&a, i);
    }
    for (int i = 0; i < processes && !a.lost; ++i) go(&a, i);
    while (a.heap.count && !a.lost) leave(&a);
    *out = (tsl_clock_result){0};
    for (int i = 0; i < processes && !a.lost; ++i) {
        const process *p = &a.p[i];
        over &= p->at == log[i].count;
        if (p->now.when >= out->seconds) {
            out->seconds = p->now.when;
            memcpy(out->path, p->now.path, sizeof out->path);
        }
        out->work += p->worked / processes, out->messages += p->messages / processes, out->bytes += p->bytes / processes;
        out->most_messages = tsl_larger(out->most_messages, p->messages);
        out->most_bytes = tsl_larger(out->most_bytes, p->bytes);
    }
    tsl_map_free(&a.arrival), tsl_map_free(&a.passes);
    free(a.p), free(a.arrived), free(a.heap.of), free(a.passing.of);
    if (a.lost) return tsl_fail(NULL, TSL_ERR_MEMORY, "clock: no host memory");
    return over || marks ? TSL_OK : tsl_fail(NULL, TSL_ERR_MPI, "clock: processes wait for each other for ever");
}
