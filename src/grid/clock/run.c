/* All processes of a grid, recorded and put on a time axis: all steps, or a few at some places, from which the others
 * follow. */
#include <stdlib.h>
#include <string.h>

#include "device/device.h"
#include "grid/clock/clock.h"
#include "grid/grid.h"

typedef struct recording {
    const tsl_clock_problem *p;
    const tsl_clock_machine *m;
    const tsl_sample *steps;
    tsl_events *log;
    tsl_status *st;
} recording;

static void record(const void *job, size_t rank)
{
    const recording *r = job;
    r->st[rank] = tsl_clock_record(r->p, r->m, r->steps, (int)rank, &r->log[rank]);
}

/* All processes, by all cores. What has failed does so once more here, where its message is the caller's. */
static tsl_status record_all(const recording *r, int processes)
{
    tsl_status st = TSL_OK;
    tsl_thread_pool_work(record, r, (size_t)processes);
    for (int i = 0; i < processes && !st; ++i) {
        if (!r->st[i]) continue;
        free(r->log[i].event);
        st = tsl_clock_record(r->p, r->m, r->steps, i, &r->log[i]);
    }
    return st;
}

/* steps: a window of a text that looks ahead; NULL: none */
static tsl_status all_of(const tsl_clock_problem *p, const tsl_clock_machine *m, const tsl_sample *steps, tsl_clock_result *out)
{
    int processes = p->rows * p->cols;
    tsl_clock_machine here = *m;
    here.across = p->cols;
    recording r = {p, &here, steps, calloc((size_t)processes, sizeof *r.log), calloc((size_t)processes, sizeof *r.st)};
    tsl_status st = r.log && r.st ? TSL_OK : tsl_fail(NULL, TSL_ERR_MEMORY, "clock: no host memory");
    if (!st) st = record_all(&r, processes);
    if (!st) st = tsl_clock_simulate(processes, r.log, &here, !steps, out);
    for (int i = 0; i < processes && r.log; ++i) free(r.log[i].event);
    free(r.log), free(r.st);
    return st;
}

static void add(tsl_clock_result *sum, const tsl_clock_result *r)
{
    double *a = (double *)sum;
    const double *b = (const double *)r;
    for (size_t i = 0; i < sizeof *sum / sizeof *a; ++i) a[i] += b[i];
}

enum { LEAD = 4 };  /* steps in which what is hidden in later ones is not yet */
/* Steps before a window, of a text that asks how wide each is: one, and one in which its panel comes to be known */
enum { LEAST = 3 };

/* A step there takes what those of one turn of process columns take on average. */
static tsl_status at(const tsl_clock_problem *p, const tsl_clock_machine *m, double there, double weight, tsl_clock_result *out)
{
    tsl_clock_result r;
    bool asks = strcmp(p->routine, "geqrf");
    int turn = (int)tsl_max(8, tsl_min(16, p->cols)), last = LEAD + turn, steps = (int)tsl_pieces(p->n, p->nb);
    /* from one mark to the next the step before is updated by: those of the middle are where they are wanted */
    int64_t wanted = (int64_t)(there * (double)p->n / (double)p->nb - (LEAD + last) / 2. + 1);
    int first = (int)tsl_max(0, tsl_min(wanted, steps - last));
    tsl_sample s = {.first = asks ? (int)tsl_min(first, LEAST) : first, .steps = last, .lead = LEAD,
                    .jump = asks && first > LEAST ? (first - LEAST + 1) * p->nb : 0,
                    .counts = weight * (double)p->n / (double)p->nb / turn, .part = TSL_CLOCK_NO_PART, .alike = 1};
    if (steps < last) return tsl_fail(NULL, TSL_ERR_OPTION, "clock: too few steps to take some at %d places", p->places);
    tsl_status st = all_of(p, m, &s, &r);
    if (!st) add(out, &r);
    return st;
}

tsl_status tsl_clock_run(const tsl_clock_problem *p, const tsl_clock_machine *m, tsl_clock_result *out)
{
    enum { MOST = 4096 };
    int processes = p->rows * p->cols;
    bool windows = strstr("potrf getrf geqrf", p->routine) && p->m == p->n, loops = !strcmp(p->routine, "syev");
    double weight;
    if (p->rows < 1 || p->cols < 1 || p->rows > MOST || p->cols > MOST || processes < 2 || processes > MOST)
        return tsl_fail(NULL, TSL_ERR_GRID, "clock: %d x %d processes; from 2 to %d are wanted", p->rows, p->cols, MOST);
    if (p->places && !windows && !loops)
        return tsl_fail(NULL, TSL_ERR_OPTION, "clock: steps at places are those of square potrf, getrf, geqrf, and syev");
    if (!p->places || loops) return all_of(p, m, NULL, out);
    tsl_status st = TSL_OK;
    *out = (tsl_clock_result){0};
    for (int i = 0; i < p->places && !st; ++i) {
        double there = tsl_sample_place(p->places, i, &weight);
        st = at(p, m, there, weight, out);
    }
    return st;
}
