/* Messages by numbers: what is sent, and what is waited for or passed on, are brought together by their keys, once, for each
 * process by itself. From then on `key` is the message's own number, from 1 on, and `of` that of the other one; 0: nobody sends
 * it. */
#include <stdlib.h>

#include "device/device.h"
#include "grid/clock/clock.h"

/* A message to a process: its key, and its event, whose place is its number but for one */
typedef struct posted {
    uint64_t key;
    size_t number;
} posted;

typedef struct matching {
    tsl_events *log;
    posted *all;
    size_t *begin; /* of those to each process, and where the last ones' end */
    bool *lost;    /* no memory, by process */
} matching;

static bool leaves(const tsl_event *e) { return e->kind == TSL_EVENT_SEND || e->kind == TSL_EVENT_PASS; }
static bool looks_back(const tsl_event *e) { return e->kind == TSL_EVENT_WAIT || e->kind == TSL_EVENT_PASS; }

static void match(const void *job, size_t to)
{
    const matching *m = job;
    tsl_map numbers = {0};
    for (size_t i = m->begin[to]; i < m->begin[to + 1] && !m->lost[to]; ++i) {
        double *number = tsl_map_at(&numbers, m->all[i].key);
        if (number) *number = (double)m->all[i].number;
        else m->lost[to] = true;
    }
    for (size_t i = 0; i < m->log[to].count && !m->lost[to]; ++i) {
        tsl_event *e = &m->log[to].event[i];
        if (!looks_back(e)) continue;
        const double *number = tsl_map_find(&numbers, e->of);
        e->of = number ? (uint64_t)*number : 0;
    }
    tsl_map_free(&numbers);
}

/* Those to each process, one process's after the other's */
static void sort(const matching *m, int processes)
{
    size_t number = 0;
    for (int p = 0; p < processes; ++p)
        for (size_t i = 0; i < m->log[p].count; ++i) {
            tsl_event *e = &m->log[p].event[i];
            if (!leaves(e)) continue;
            m->all[m->begin[e->peer]++] = (posted){e->key, ++number};
            e->key = number;
        }
    for (int p = processes; p > 0; --p) m->begin[p] = m->begin[p - 1];
    m->begin[0] = 0;
}

bool tsl_clock_match(int processes, tsl_events *log, size_t *messages)
{
    size_t *begin = calloc((size_t)processes + 1, sizeof *begin);
    bool *lost = calloc((size_t)processes, sizeof *lost), good = begin && lost;
    *messages = 0;
    for (int p = 0; p < processes && good; ++p)
        for (size_t i = 0; i < log[p].count; ++i)
            if (leaves(&log[p].event[i])) ++begin[log[p].event[i].peer + 1];
    for (int p = 0; p < processes && good; ++p) begin[p + 1] += begin[p];
    if (good) *messages = begin[processes];
    matching m = {log, good ? malloc((*messages + 1) * sizeof *m.all) : NULL, begin, lost};
    good = good && m.all;
    if (good) {
        sort(&m, processes);
        tsl_thread_pool_work(match, &m, (size_t)processes);
    }
    for (int p = 0; p < processes && good; ++p) good = !lost[p];
    free(m.all), free(begin), free(lost);
    return good;
}
