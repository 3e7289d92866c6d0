/* Work that is told instead of done (wire.h), and which steps are run then. What a text does in its steps changes little from
 * one to the next, so some of them can speak for all: each that is run says for how many it counts. */
#include <math.h>

#include "grid/grid.h"

static void tell(tsl_grid *g, tsl_told t)
{
    t.times = g->sample.alike;
    if (tsl_is_told(g) && !g->rehearsing) g->wire->ops->work(g->wire, &t);
}

void tsl_tell_call(tsl_grid *g, const tsl_call *c) { tell(g, (tsl_told){.kind = TSL_TOLD_CALL, .call = c}); }

void tsl_tell_move(tsl_grid *g, double bytes, int launches)
{
    if (bytes > 0) tell(g, (tsl_told){.kind = TSL_TOLD_MOVE, .bytes = bytes, .launches = launches});
}

void tsl_tell_cross(tsl_grid *g, double bytes)
{
    if (bytes > 0) tell(g, (tsl_told){.kind = TSL_TOLD_CROSS, .bytes = bytes});
}

void tsl_tell_sums(tsl_grid *g, int64_t sums, int64_t terms)
{
    if (sums > 0) tell(g, (tsl_told){.kind = TSL_TOLD_SUMS, .m = terms, .n = sums});
}

void tsl_tell_chase(tsl_grid *g, tsl_type type, int64_t columns, int64_t kd)
{
    if (columns > 0) tell(g, (tsl_told){.kind = TSL_TOLD_CHASE, .type = type, .m = columns, .n = kd});
}

static void mark(tsl_grid *g)
{
    const tsl_sample *s = &g->sample;
    tell(g, (tsl_told){.kind = TSL_TOLD_STEP, .op = s->part, .weight = s->weight[s->loops]});
}

void tsl_tell_step(tsl_grid *g)
{
    tsl_sample *s = &g->sample;
    int begun = s->step++ - s->first;
    if (!s->steps) return;
    s->weight[0] = begun >= s->lead && begun < s->steps ? s->counts : 0;
    mark(g);
}

void tsl_tell_part(tsl_grid *g, int op)
{
    g->sample.part = op;
    mark(g);
}

/* Gauss and Legendre's places on [0, 1], and their weights */
double tsl_sample_place(int count, int i, double *weight)
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

/* The first step after i that is run, one at a place or the one before it; and for how many it counts */
static int64_t sampled(int places, int64_t i, int64_t count, double *counts)
{
    int64_t next = count;
    *counts = 0;
    for (int k = places - 1; k >= 0; --k) {
        double weight;
        int64_t at = (int64_t)(tsl_sample_place(places, k, &weight) * (double)count);
        if (at <= i) continue;
        next = tsl_max(i + 1, at - 1);
        *counts = next == at ? weight * (double)count : 0;
    }
    return next;
}

int64_t tsl_dist_next_step(tsl_grid *g, int64_t i, int64_t count)
{
    enum { FEW = 4 }; /* steps for each place: then all are run */
    tsl_sample *s = &g->sample;
    double counts;
    if (!tsl_is_told(g) || !s->places || count <= FEW * s->places) return i + 1;
    int64_t next = sampled(s->places, i, count, &counts);
    if (i < 0) ++s->loops;
    if (next < count) s->weight[s->loops] = s->weight[s->loops - 1] * counts;
    else --s->loops;
    mark(g);
    return next;
}
