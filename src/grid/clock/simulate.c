/* All processes on a time axis. A process goes on until it waits for a message that has not arrived; of all messages that are
 * to leave, the earliest does next. It leaves when its sender's link is free, and what is to be passed on leaves again as it
 * arrives. */
#include <math.h>
#include <stdlib.h>

#include "core/numbers/largest.h"
#include "grid/clock/clock.h"
#include "grid/grid.h"

typedef struct process {
    size_t at;       /* the next of its events */
    uint64_t waits;  /* for this message; 0: for none */
    double now, out; /* out: its link is free again */
    double speed, worked, messages, bytes;
} process;

/* A message that is to leave, or to be passed on */
typedef struct leaving {
    double when;
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
    process *p;
    tsl_map arrival, passes; /* by message: when it has arrived; the first of those it is passed on as */
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
    for (; at > 0 && h->of[(at - 1) / 2].when > k.when; at = (at - 1) / 2) h->of[at] = h->of[(at - 1) / 2];
    h->of[at] = k;
}

static leaving pop(axis *a)
{
    leavings *h = &a->heap;
    leaving first = h->of[0], last = h->of[--h->count];
    size_t at = 0, child;
    while ((child = 2 * at + 1) < h->count) {
        if (child + 1 < h->count && h->of[child + 1].when < h->of[child].when) ++child;
        if (h->of[child].when >= last.when) break;
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
        a->passing.of[a->passing.count] = (leaving){0, rank, e, (size_t)*first};
        *first = (double)a->passing.count++;
    }
}

static void go(axis *a, int rank)
{
    process *p = &a->p[rank];
    for (p->waits = 0; p->at < a->log[rank].count && !a->lost; ++p->at) {
        const tsl_event *e = &a->log[rank].event[p->at];
        if (e->kind == TSL_EVENT_WORK) p->now += e->amount * p->speed, p->worked += e->amount * p->speed;
        else if (e->kind == TSL_EVENT_SEND) push(a, (leaving){p->now, rank, e, NONE});
        else if (e->kind == TSL_EVENT_WAIT) {
            const double *here = tsl_map_find(&a->arrival, e->of);
            if (!here) {
                p->waits = e->of;
                return;
            }
            p->now = tsl_larger(p->now, *here);
        }
    }
}

/* The earliest message leaves, and arrives. */
static void leave(axis *a)
{
    leaving k = pop(a);
    const tsl_clock_machine *m = a->m;
    process *p = &a->p[k.from];
    bool near = m->node > 1 && k.from / m->node == k.e->peer / m->node;
    double *arrival = tsl_map_at(&a->arrival, k.e->key);
    a->lost |= !arrival;
    if (!arrival) return;
    p->out = tsl_larger(p->out, k.when) + k.e->amount * (near ? m->near_byte : m->byte);
    *arrival = p->out + (near ? m->near_message : m->message);
    p->messages += 1, p->bytes += k.e->amount;
    double when = *arrival;
    const double *first = tsl_map_find(&a->passes, k.e->key);
    for (size_t i = first ? (size_t)*first : NONE; i != NONE; i = a->passing.of[i].next)
        push(a, (leaving){when, a->passing.of[i].from, a->passing.of[i].e, NONE});
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

tsl_status tsl_clock_simulate(int processes, const tsl_events *log, const tsl_clock_machine *m, tsl_clock_result *out)
{
    axis a = {.m = m, .log = log, .p = calloc((size_t)processes, sizeof *a.p)};
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
        out->seconds = tsl_larger(out->seconds, p->now);
        out->work += p->worked / processes, out->messages += p->messages / processes, out->bytes += p->bytes / processes;
        out->most_messages = tsl_larger(out->most_messages, p->messages);
        out->most_bytes = tsl_larger(out->most_bytes, p->bytes);
    }
    tsl_map_free(&a.arrival), tsl_map_free(&a.passes);
    free(a.p), free(a.heap.of), free(a.passing.of);
    if (a.lost) return tsl_fail(NULL, TSL_ERR_MEMORY, "clock: no host memory");
    return over ? TSL_OK : tsl_fail(NULL, TSL_ERR_MPI, "clock: processes wait for each other for ever");
}

tsl_status tsl_clock_run(const tsl_clock_problem *p, const tsl_clock_machine *m, tsl_clock_result *out)
{
    enum { MOST = 4096 };
    int processes = p->rows * p->cols, done = 0;
    if (p->rows < 1 || p->cols < 1 || p->rows > MOST || p->cols > MOST || processes < 2 || processes > MOST)
        return tsl_fail(NULL, TSL_ERR_GRID, "clock: %d x %d processes; from 2 to %d are wanted", p->rows, p->cols, MOST);
    tsl_events *log = calloc((size_t)processes, sizeof *log);
    tsl_status st = log ? TSL_OK : tsl_fail(NULL, TSL_ERR_MEMORY, "clock: no host memory");
    for (; done < processes && !st; ++done) st = tsl_clock_record(p, m, done, &log[done]);
    if (!st) st = tsl_clock_simulate(processes, log, m, out);
    for (int i = 0; i < done; ++i) free(log[i].event);
    free(log);
    return st;
}
