/* All processes of a grid, recorded one after the other and put on a time axis: all steps, or a few at some places of a
 * factorization, from which the others follow. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/numbers/largest.h"
#include "grid/clock/clock.h"
#include "grid/grid.h"

static tsl_status all_of(const tsl_clock_problem *p, const tsl_clock_machine *m, tsl_clock_result *out, tsl_clock_marks *marks)
{
    int processes = p->rows * p->cols, done = 0;
    tsl_events *log = calloc((size_t)processes, sizeof *log);
    tsl_status st = log ? TSL_OK : tsl_fail(NULL, TSL_ERR_MEMORY, "clock: no host memory");
    tsl_clock_machine here = *m;
    here.across = p->cols;
    for (; done < processes && !st; ++done) st = tsl_clock_record(p, &here, done, &log[done]);
    if (!st) st = tsl_clock_simulate(processes, log, &here, out, marks);
    for (int i = 0; i < done; ++i) free(log[i].event);
    free(log);
    return st;
}

/* Gauss-Legendre on [0, 1]: the i-th of `count` places, and its weight */
static double place(int count, int i, double *weight)
{
    double x = cos(acos(-1) * (i + 0.75) / (count + 0.5)), slope = 1;
    for (int turn = 0; turn < 20; ++turn) {
        double p[2] = {1, x};
        for (int k = 2; k <= count; ++k) {
            double next = ((2 * k - 1) * x * p[1] - (k - 1) * p[0]) / k;
            p[0] = p[1], p[1] = next;
        }
        slope = count * (x * p[1] - p[0]) / (x * x - 1);
        x -= p[1] / slope;
    }
    *weight = 1 / ((1 - x * x) * slope * slope);
    return (1 - x) / 2;
}

enum { BEFORE = 4 }; /* steps in which what is hidden in later ones is not yet */

/* A step there takes what those of one turn of process columns take on average. */
static tsl_status at(const tsl_clock_problem *p, const tsl_clock_machine *m, double there, double weight, tsl_clock_result *out)
{
    tsl_clock_problem rest = *p;
    tsl_clock_marks t = {0};
    tsl_clock_result r;
    int turn = (int)tsl_max(8, tsl_min(16, p->cols)), first = BEFORE, last = first + turn;
    /* from one mark to the next the step before is updated by: those of the middle are where they are wanted */
    double all = (double)p->n / (double)p->nb, middle = (first + last) / 2. - 1;
    rest.first = (int)tsl_larger(0, there * all - middle);
    rest.steps = last;
    tsl_status st = all_of(&rest, m, &r, &t);
    if (st) return st;
    last = (int)tsl_min(last, t.count - 1);
    if (last <= first) return tsl_fail(NULL, TSL_ERR_OPTION, "clock: too few steps to take some at %d places", p->places);
    double steps = weight * all, each = steps / (last - first), count = steps / t.count;
    out->seconds += each * (t.when[last] - t.when[first]);
    for (int i = 0; i < TSL_CLOCK_WORKS; ++i) out->path[i] += each * (t.path[last][i] - t.path[first][i]);
    out->work += count * r.work, out->messages += count * r.messages, out->bytes += count * r.bytes;
    out->most_messages += count * r.most_messages, out->most_bytes += count * r.most_bytes;
    return TSL_OK;
}

tsl_status tsl_clock_run(const tsl_clock_problem *p, const tsl_clock_machine *m, tsl_clock_result *out)
{
    enum { MOST = 4096 };
    int processes = p->rows * p->cols;
    double weight;
    if (p->rows < 1 || p->cols < 1 || p->rows > MOST || p->cols > MOST || processes < 2 || processes > MOST)
        return tsl_fail(NULL, TSL_ERR_GRID, "clock: %d x %d processes; from 2 to %d are wanted", p->rows, p->cols, MOST);
    if (!p->places) return all_of(p, m, out, NULL);
    if (!strstr("potrf getrf geqrf", p->routine) || p->m != p->n)
        return tsl_fail(NULL, TSL_ERR_OPTION, "clock: only steps of square potrf, getrf, geqrf can be taken at places");
    tsl_status st = TSL_OK;
    *out = (tsl_clock_result){0};
    for (int i = 0; i < p->places && !st; ++i) {
        double there = place(p->places, i, &weight);
        st = at(p, m, there, weight, out);
    }
    return st;
}
