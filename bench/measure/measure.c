#include "bench/measure/measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    MIN_REPS = 5,
    FRESH_ELEMENTS = 1 << 24, /* above, repeats reuse the data: generating it would take longer than the runs */
    MAX_CALLS = 20,
};

/* Repeats go on for at least SHORT seconds, and end after LONG as soon as there is a median of three. */
static const double SHORT = 0.1, LONG = 2;

/* After calls that lasted so long it is worth the wait until the machine is quiet. */
static const double LASTING = 0.1;

/* Against this a warm-up is nothing: the first round counts. */
static const double LONG_ENOUGH = 30;

/* A sample is of as many calls in a row as take about this long, if a call may be repeated: what a caller waits for who does
 * not wait for each, without the host's way to the device. */
static const double SAMPLE = 5e-3;

double bench_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void bench_say(tsl_status st, tsl_context *ctx, char line[BENCH_LINE])
{
    const char *more = tsl_error(ctx); /* there is none where memory ended in this program */
    snprintf(line, BENCH_LINE, "%s%s%s", tsl_status_text(st), *more ? ": " : "", more);
}

bench_place bench_place_of(tsl_context *ctx)
{
    tsl_device_info d;
    if (tsl_device_count(ctx) > 1 || tsl_device_query(ctx, 0, &d) || (!strcmp(d.backend, "host") && !d.is_virtual))
        return BENCH_HOST;
    return BENCH_DEVICE;
}

/* Seconds of the processor's time the process has had. */
static double busy(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Until the threads of who came before are at rest: OpenBLAS's spin on for a while after a call, and would take the cores from
 * who comes next. Not between short calls, which would wait for hours. */
static void settle(const bench_session *s, const bench_problem *p)
{
    double before, end = bench_now() + 1;
    if (s->grid || s->rivals == 0 || p->place != BENCH_HOST || s->last < LASTING)
        return;
    do {
        before = busy();
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    } while (busy() - before > 2e-3 && bench_now() < end);
}

/* Seconds of the runs so far, a row per contender: 0 is the library, the others are the rivals. */
typedef struct samples {
    double seconds[1 + BENCH_RIVALS][BENCH_MAX_REPS];
    int count;
    double total;
} samples;

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *v, int n)
{
    qsort(v, (size_t)n, sizeof *v, ascending);
    return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

static bool enough(const bench_session *s, const samples *t)
{
    if (s->reps)
        return t->count >= s->reps;
    return t->count == BENCH_MAX_REPS || (t->count >= MIN_REPS && t->total >= SHORT) || (t->count >= 3 && t->total >= LONG);
}

tsl_status bench_timed_run(bench_problem *p, int calls, double *seconds)
{
    tsl_status st = bench_restore(p, p->place);
    if (!st)
        st = tsl_wait(p->ctx);
    if (!st)
        st = tsl_timer_start(p->ctx);
    for (int i = 0; i < calls && !st; i++) {
        st = tsl_counters_reset(p->ctx);
        if (!st)
            st = bench_run(p, BENCH_TYPED);
    }
    if (!st)
        st = tsl_timer_stop(p->ctx, seconds);
    if (!st)
        *seconds /= calls;
    return st;
}

/* The same on a grid: from when all processes are there until the last one is through. */
static tsl_status grid_run(const bench_grid *g, bench_problem *p, double *seconds, bench_record *out)
{
    int64_t messages[2], bytes[2];
    tsl_status st = bench_restore(p, p->place);
    if (!st)
        st = tsl_wait(p->ctx);
    if (!st)
        st = tsl_counters_reset(p->ctx);
    g->together(g);
    g->sent(g, &messages[0], &bytes[0]);
    double start = bench_now();
    if (!st)
        st = bench_run(p, BENCH_VIEWS);
    if (!st)
        st = tsl_wait(p->ctx);
    double own = bench_now() - start;
    g->sent(g, &messages[1], &bytes[1]);
    *seconds = g->longest(g, own);
    out->messages = g->longest(g, (double)(messages[1] - messages[0]));
    out->bytes_sent = g->longest(g, (double)(bytes[1] - bytes[0]));
    return st;
}

static bool grid_rival(const bench_grid *g, const bench_rival *r, void *state, bench_problem *p, double *seconds)
{
    bool done = !bench_restore(p, r->place) && !tsl_wait(p->ctx);
    g->together(g);
    double start = bench_now();
    done = done && r->run(state, p);
    *seconds = g->longest(g, bench_now() - start);
    return done;
}

bool bench_timed_rival(const bench_rival *r, void *state, bench_problem *p, int calls, double *seconds)
{
    if (bench_restore(p, r->place) || tsl_wait(p->ctx))
        return false;
    bool device = r->place == BENCH_DEVICE, done = true; /* on the context's queue: its timer brackets the rival's work too */
    double start = bench_now();
    if (device && tsl_timer_start(p->ctx))
        return false;
    for (int i = 0; i < calls && done; i++)
        done = r->run(state, p);
    *seconds = bench_now() - start;
    if (device && tsl_timer_stop(p->ctx, seconds))
        return false;
    *seconds /= calls;
    return done;
}

static bool run_rivals(bench_session *s, bench_problem *p, int calls, double *seconds, char line[BENCH_LINE])
{
    for (int i = 0; i < s->rivals; i++) {
        if (!bench_rival_runs(s->rival[i], p))
            continue;
        settle(s, p);
        if (!(s->grid ? grid_rival(s->grid, s->rival[i], s->state[i], p, &seconds[1 + i])
                      : bench_timed_rival(s->rival[i], s->state[i], p, calls, &seconds[1 + i]))) {
            snprintf(line, BENCH_LINE, "%s failed on it", s->rival[i]->name);
            return false;
        }
        s->last = calls * seconds[1 + i];
    }
    return true;
}

static bool run_library(bench_session *s, bench_problem *p, int calls, bench_record *out, double *seconds, char line[BENCH_LINE])
{
    settle(s, p);
    tsl_status st = s->grid ? grid_run(s->grid, p, seconds, out) : bench_timed_run(p, calls, seconds);
    s->last = calls * *seconds;
    if (!st)
        st = tsl_counters_get(p->ctx, &out->moved);
    if (st)
        bench_say(st, p->ctx, line);
    return !st;
}

/* The calls of each contender, in turn, on the same data. Who comes later may find the device warmer and slower: the order
 * alternates from round to round. */
static bool one_round(bench_session *s, bench_problem *p, int round, int calls, bench_record *out, double *seconds, char line[BENCH_LINE])
{
    return round % 2 ? run_library(s, p, calls, out, &seconds[0], line) && run_rivals(s, p, calls, seconds, line)
                     : run_rivals(s, p, calls, seconds, line) && run_library(s, p, calls, out, &seconds[0], line);
}

/* Keeps the worst residual; NaN is worse than any. */
static void check(bench_problem *p, bench_record *out)
{
    tsl_status st = TSL_OK;
    for (int i = 0; i < p->count && !st; i++)
        st = bench_writes(p, i) ? bench_fetch(p, i) : TSL_OK;
    double residual = st ? INFINITY : bench_residual(p);
    if (!(residual <= out->residual))
        out->residual = residual;
}

/* Of single elements, of the library's result and of the rivals' */
static bool look_closer(bench_session *s, bench_problem *p, bench_record *out, char line[BENCH_LINE])
{
    double ignored;
    int result = p->count - 1;
    if (!run_library(s, p, 1, out, &ignored, line) || bench_fetch(p, result))
        return false;
    out->accuracy[0] = p->routine->accuracy(p);
    for (int i = 0; i < s->rivals; i++) {
        const bench_rival *r = s->rival[i];
        if (!bench_rival_runs(r, p))
            continue;
        bool done = bench_timed_rival(r, s->state[i], p, 1, &ignored) && (!r->finish || r->finish(s->state[i], p));
        if (!done || (r->place == BENCH_DEVICE && bench_fetch(p, result)))
            return !snprintf(line, BENCH_LINE, "%s failed on it", r->name);
        out->accuracy[1 + i] = p->routine->accuracy(p);
    }
    return true;
}

static bool in_place(const bench_problem *p) { return p->a[p->count - 1].is.fill != BENCH_NOT_READ; }

static bool repeatable(const bench_session *s, const bench_problem *p)
{
    return !s->grid && ((!in_place(p) && !p->routine->writes_all) || p->routine->steady);
}

/* How many calls a sample has. */
static int calls_in(double seconds)
{
    return seconds * MAX_CALLS < SAMPLE ? MAX_CALLS : seconds < SAMPLE ? (int)(SAMPLE / seconds) : 1;
}

/* A round's times; returns the sum of all so far. */
static double record(const bench_session *s, samples *t, int calls, const double *seconds)
{
    for (int i = 0; i <= s->rivals; i++) {
        t->seconds[i][t->count] = seconds[i];
        t->total += calls * seconds[i];
    }
    t->count++;
    return t->total;
}

static bool repeat(bench_session *s, bench_problem *p, bench_record *out, samples *t, char line[BENCH_LINE])
{
    int64_t elements = 0;
    double seconds[1 + BENCH_RIVALS] = {0}, ignored;
    for (int i = 0; i < p->count; i++)
        elements += p->a[i].ld * p->a[i].width;
    bool fresh = elements <= FRESH_ELEMENTS && !p->routine->batch_of; /* a batch has many problems as it is */
    if (!one_round(s, p, 0, 1, out, seconds, line)) /* warm-up: libraries load, workspace and threads come up */
        return false;
    if (record(s, t, 1, seconds) < LONG_ENOUGH)
        *t = (samples){.count = 0};
    else if (s->check)
        check(p, out);
    int calls = 1;
    if (t->count == 0 && repeatable(s, p)) {
        if (!one_round(s, p, 0, 1, out, seconds, line))
            return false;
        calls = calls_in(seconds[0]);
    }
    while (!enough(s, t)) {
        int round = t->count;
        /* meanwhile the device slowed down and caches were filled with other things: a round that does not count */
        if (fresh) {
            bench_generate(p, p->c.seed + 1 + (uint64_t)t->count);
            if (!one_round(s, p, round, 1, out, seconds, line))
                return false;
        }
        if (!one_round(s, p, round, calls, out, seconds, line))
            return false;
        record(s, t, calls, seconds);
        if (s->check && (fresh || enough(s, t))) {
            bool ours = round % 2 == 0 || s->rivals == 0, single = calls == 1 || !in_place(p); /* what is there now */
            if (!(ours && single) && !run_library(s, p, 1, out, &ignored, line))
                return false;
            check(p, out);
        }
    }
    return true;
}

bool bench_measure(bench_session *s, const bench_routine *r, const bench_case *c, bench_record *out, char line[BENCH_LINE])
{
    *out = (bench_record){.routine = r, .c = *c, .seconds = NAN, .residual = s->check ? 0 : NAN};
    for (int i = 0; i < BENCH_RIVALS; i++)
        out->rival_seconds[i] = NAN;
    for (int i = 0; i <= BENCH_RIVALS; i++)
        out->joules[i][BENCH_GPU] = out->joules[i][BENCH_CPU] = out->accuracy[i] = NAN;
    bench_date(out->date);
    bench_problem p;
    tsl_status st = bench_open(s->ctx, r, c, s->grid ? BENCH_HOST : s->place, &p);
    if (!st && s->grid && (st = s->grid->distribute(s->grid, &p)))
        bench_close(&p);
    if (st) {
        bench_say(st, s->ctx, line);
        out->residual = NAN;
        return false;
    }
    samples t = {.count = 0};
    bool done = !s->pinned || bench_pin_all(&p);
    if (!done)
        snprintf(line, BENCH_LINE, "the host's memory cannot be page-locked");
    for (int i = 0; i < s->rivals && done; i++)
        if (bench_rival_runs(s->rival[i], &p) && !(done = s->rival[i]->prepare(s->state[i], &p)))
            snprintf(line, BENCH_LINE, "%s has no function or no workspace for it", s->rival[i]->name);
    done = done && repeat(s, &p, out, &t, line);
    if (done) {
        out->seconds = median(t.seconds[0], t.count);
        for (int i = 0; i < s->rivals; i++)
            if (bench_rival_runs(s->rival[i], &p))
                out->rival_seconds[i] = median(t.seconds[1 + i], t.count);
    }
    if (done && s->check && s->products && !s->grid && p.routine->accuracy)
        done = look_closer(s, &p, out, line);
    if (done && s->meter && !(done = bench_energy_case(s, &p, repeatable(s, &p) ? calls_in(out->seconds) : 1, out)))
        snprintf(line, BENCH_LINE, "a run for its energy failed");
    if (!done)
        out->residual = NAN; /* of what did not come to its end there is none */
    out->ok = done && (!s->check || out->residual < BENCH_OK);
    bench_close(&p);
    return done;
}
