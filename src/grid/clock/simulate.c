/* All processes on a time axis. A process goes on until it waits for a message that has not arrived; of all messages that are
 * to leave, the earliest does next. Its sender's link is free by then, and waits with it until its receiver's is; then it takes
 * its time on both. There is one of each for messages within a node, and one for others. What is to be passed on leaves again
 * as it arrives, piece by piece. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/numbers/largest.h"
#include "exec/exec.h"
#include "grid/clock/clock.h"

/* A time, and how much of what led to it was work, by its kind */
typedef struct moment {
    double when, path[TSL_CLOCK_WORKS];
} moment;

/* Messages that wait for a link, the earliest first; one of them is called: it is next when the link is free. */
typedef struct link {
    double free;
    uint32_t first, last; /* 0: none */
    bool called;
} link;

typedef struct process {
    size_t at;       /* the next of its events */
    uint64_t waits;  /* for this message; 0: for none */
    moment now;
    link out[2];
    double in[2];         /* free again */
    double speed, counts; /* what it does counts so many times */
    double worked, messages, bytes;
    size_t marks;
} process;

/* A message, and when it arrives; those that are passed on as it does, one after the other */
typedef struct message {
    const tsl_event *e;
    double when; /* below 0: not yet */
    float path[TSL_CLOCK_WORKS];
    int from;
    uint32_t passed, next; /* 0: none */
} message;

/* It is to leave; all pieces of what is passed on are here at `whole` */
typedef struct leaving {
    double when, whole;
    uint32_t number;
    bool called;
} leaving;

/* One that waits for its link, and the one after it */
typedef struct waiting {
    leaving k;
    uint32_t next;
} waiting;

/* From here on what is done counts so many times, and is of that part: when the last process came there */
typedef struct mark {
    moment last;
    double counts;
    int part;
} mark;

typedef struct axis {
    const tsl_clock_machine *m;
    const tsl_events *log;
    process *p;
    message *of;        /* by number */
    leaving *heap;      /* no one is earlier than that at half its place */
    size_t heaped, room;
    waiting *line;      /* from 1 on */
    size_t lined, line_room;
    uint32_t unused;    /* of those, the first that waits no more */
    mark *marks;        /* the first is the beginning */
    size_t marked, mark_room;
    bool lost;          /* no memory */
} axis;

/* Room for one more */
static void *grown(void *array, size_t count, size_t *room, size_t size, bool *lost)
{
    if (count < *room) return array;
    size_t more = *room ? 2 * *room : 1024;
    void *larger = realloc(array, more * size);
    if (larger) *room = more;
    else *lost = true;
    return larger ? larger : array;
}

static void push(axis *a, leaving k)
{
    a->heap = grown(a->heap, a->heaped, &a->room, sizeof *a->heap, &a->lost);
    if (a->lost) return;
    size_t at = a->heaped++;
    for (; at > 0 && a->heap[(at - 1) / 2].when > k.when; at = (at - 1) / 2) a->heap[at] = a->heap[(at - 1) / 2];
    a->heap[at] = k;
}

static leaving pop(axis *a)
{
    leaving first = a->heap[0], last = a->heap[--a->heaped];
    size_t at = 0, child;
    while ((child = 2 * at + 1) < a->heaped) {
        if (child + 1 < a->heaped && a->heap[child + 1].when < a->heap[child].when) ++child;
        if (a->heap[child].when >= last.when) break;
        a->heap[at] = a->heap[child];
        at = child;
    }
    a->heap[at] = last;
    return first;
}

/* The messages of a process, and what it passes on, by what it is passed on of */
static void note_messages(axis *a, int rank)
{
    for (size_t i = 0; i < a->log[rank].count; ++i) {
        const tsl_event *e = &a->log[rank].event[i];
        if (e->kind != TSL_EVENT_SEND && e->kind != TSL_EVENT_PASS) continue;
        message *k = &a->of[e->key];
        k->e = e, k->from = rank, k->when = -1;
        if (e->kind == TSL_EVENT_PASS && e->of) k->next = a->of[e->of].passed, a->of[e->of].passed = (uint32_t)e->key;
    }
}

static void works(process *p, const tsl_event *e)
{
    double seconds = e->amount * p->speed;
    p->now.when += seconds, p->now.path[e->work] += seconds;
    p->worked += p->counts * seconds;
}

static void sends(process *p, const tsl_event *e)
{
    p->messages += p->counts * e->times, p->bytes += p->counts * e->amount;
}

static void take_path(message *k, const moment *m)
{
    for (int i = 0; i < TSL_CLOCK_WORKS; ++i) k->path[i] = (float)m->path[i];
}

static bool arrived(process *p, const message *k)
{
    if (k->when < 0) return false;
    if (k->when <= p->now.when) return true;
    p->now.when = k->when;
    for (int i = 0; i < TSL_CLOCK_WORKS; ++i) p->now.path[i] = k->path[i];
    return true;
}

static void pass_mark(axis *a, process *p, const tsl_event *e)
{
    size_t number = p->marks++;
    p->counts = e->amount;
    if (number == a->marked) {
        a->marks = grown(a->marks, a->marked, &a->mark_room, sizeof *a->marks, &a->lost);
        if (a->lost) return;
        a->marks[a->marked++] = (mark){{0}, e->amount, e->peer};
    }
    if (p->now.when >= a->marks[number].last.when) a->marks[number].last = p->now;
}

static void go(axis *a, int rank)
{
    process *p = &a->p[rank];
    for (p->waits = 0; p->at < a->log[rank].count && !a->lost; ++p->at) {
        const tsl_event *e = &a->log[rank].event[p->at];
        if (e->kind == TSL_EVENT_WORK) works(p, e);
        else if (e->kind == TSL_EVENT_STEP) pass_mark(a, p, e);
        else if (e->kind == TSL_EVENT_WAIT) {
            if (e->of && arrived(p, &a->of[e->of])) continue;
            p->waits = e->of;
            return;
        } else {
            sends(p, e);
            if (e->kind == TSL_EVENT_PASS) continue;
            take_path(&a->of[e->key], &p->now);
            push(a, (leaving){p->now.when, p->now.when, (uint32_t)e->key, false});
        }
    }
}

int tsl_clock_node_of(const tsl_clock_machine *m, int rank)
{
    if (!m->tile[0]) return m->table.node > 1 ? rank / (int)m->table.node : rank;
    int wide = (m->across + m->tile[1] - 1) / m->tile[1];
    return rank / m->across / m->tile[0] * wide + rank % m->across / m->tile[1];
}

/* The first of those that wait for a link is next. */
static void call(axis *a, link *l)
{
    uint32_t number = l->first;
    waiting *w = &a->line[number];
    leaving k = w->k;
    l->first = w->next, l->called = k.called = true;
    k.when = tsl_larger(k.when, l->free);
    w->next = a->unused, a->unused = number;
    push(a, k);
}

/* Behind those that are to leave no later */
static void wait_for(axis *a, link *l, leaving k)
{
    uint32_t number = a->unused, *at = &l->first;
    if (number) a->unused = a->line[number].next;
    else {
        size_t count = a->lined + 1;
        a->line = grown(a->line, count, &a->line_room, sizeof *a->line, &a->lost);
        if (a->lost) return;
        number = (uint32_t)++a->lined;
    }
    if (*at && a->line[l->last].k.when <= k.when) at = &a->line[l->last].next;
    else while (*at && a->line[*at].k.when <= k.when) at = &a->line[*at].next;
    a->line[number] = (waiting){k, *at};
    if (!*at) l->last = number;
    *at = number;
    if (!l->called) call(a, l);
}

/* The earliest message leaves, and arrives. */
static void leave(axis *a)
{
    leaving l = pop(a);
    message *k = &a->of[l.number];
    const tsl_clock_table *m = &a->m->table;
    const tsl_event *e = k->e;
    bool near = tsl_clock_node_of(a->m, k->from) == tsl_clock_node_of(a->m, e->peer), pieces = e->times > 1 && !e->in_turn;
    double late = near ? m->near_message : m->message, time = e->amount * (near ? m->near_byte : m->byte);
    double piece = time / (pieces ? e->times : 1), *in = &a->p[e->peer].in[near];
    link *out = &a->p[k->from].out[near];
    if (!l.called && (out->called || out->free > l.when)) {
        wait_for(a, out, l);
        return;
    }
    double begins = tsl_larger(*in, l.when), last = tsl_larger(begins + time, l.whole + piece);
    out->free = *in = last;
    out->called = false;
    if (out->first) call(a, out);
    k->when = last + late * (e->in_turn ? e->times : 1);
    double first = pieces ? begins + piece + late : k->when;
    for (uint32_t i = k->passed; i; i = a->of[i].next) {
        memcpy(a->of[i].path, k->path, sizeof k->path);
        push(a, (leaving){first, k->when, i, false});
    }
    if (a->p[e->peer].waits == l.number) go(a, e->peer);
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

/* From each mark to the next, as often as that counts */
static void add_up(const axis *a, const moment *end, tsl_clock_result *out)
{
    for (size_t i = 0; i < a->marked; ++i) {
        const mark *k = &a->marks[i];
        const moment *next = i + 1 < a->marked ? &a->marks[i + 1].last : end;
        double seconds = k->counts * (next->when - k->last.when);
        out->seconds += seconds, out->part[k->part] += seconds;
        for (int j = 0; j < TSL_CLOCK_WORKS; ++j) out->path[j] += k->counts * (next->path[j] - k->last.path[j]);
    }
}

/* Are all at their ends? What all together have done, and when the last one has */
static bool ends(const axis *a, int processes, tsl_clock_result *out)
{
    moment end = {0};
    bool over = true;
    for (int i = 0; i < processes; ++i) {
        const process *p = &a->p[i];
        over &= p->at == a->log[i].count && p->marks == a->marked;
        if (p->now.when >= end.when) end = p->now;
        out->work += p->worked / processes, out->messages += p->messages / processes, out->bytes += p->bytes / processes;
        out->most_messages = tsl_larger(out->most_messages, p->messages);
        out->most_bytes = tsl_larger(out->most_bytes, p->bytes);
    }
    add_up(a, &end, out);
    return over;
}

tsl_status tsl_clock_simulate(int processes, tsl_events *log, const tsl_clock_machine *m, bool whole, tsl_clock_result *out)
{
    axis a = {.m = m, .log = log, .p = calloc((size_t)processes, sizeof *a.p), .marked = 1, .mark_room = 1};
    uint64_t seed = m->seed;
    size_t messages = 0;
    bool over = true;
    a.marks = malloc(sizeof *a.marks);
    a.lost = !a.p || !a.marks || !tsl_clock_match(processes, log, &messages) || messages > UINT32_MAX;
    if (!a.lost) a.of = calloc(messages + 1, sizeof *a.of);
    a.lost |= !a.of;
    if (!a.lost) a.marks[0] = (mark){{0}, whole, TSL_CLOCK_NO_PART};
    for (int i = 0; i < processes && !a.lost; ++i) {
        a.p[i].speed = 1 + fabs(normal(&seed)) * m->scatter;
        a.p[i].counts = whole, a.p[i].marks = 1;
        note_messages(&a, i);
    }
    for (int i = 0; i < processes && !a.lost; ++i) go(&a, i);
    while (a.heaped && !a.lost) leave(&a);
    *out = (tsl_clock_result){0};
    if (!a.lost) over = ends(&a, processes, out);
    free(a.p), free(a.of), free(a.heap), free(a.line), free(a.marks);
    if (a.lost) return tsl_fail(NULL, TSL_ERR_MEMORY, "clock: no host memory");
    return over || !whole ? TSL_OK : tsl_fail(NULL, TSL_ERR_MPI, "clock: processes wait for each other for ever");
}
