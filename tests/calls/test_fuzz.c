/* Random programs against a reference that shares nothing with the library: every operation, on views and in its typed form, on matrices
 * stored in every way, on random devices, limits and options, call by call and in regions, in several threads at once. Arrays end
 * at pages nobody may touch, have canaries between their columns, and cannot be written while they are only read.
 * TESELA_TEST_SEED=hex TESELA_TEST_TRIALS=1 repeats one trial; TESELA_TEST_SECONDS says how long; TESELA_TEST_GPU=1: on GPUs. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "fuzz/calls.h"
#include "fuzz/choose.h"
#include "fuzz/rows.h"
#include "fuzz/typed.h"
#include "tap.h"

enum { THREADS = 2, STEPS = 14, CALLS = 6, HANG = 90 };

typedef struct runner {
    pthread_t thread;
    _Atomic uint64_t seed;     /* of the trial at work */
    _Atomic int64_t began;     /* in seconds; 0: none is */
    uint64_t start;
    long trials, steps, typed, calls, of_kind[KINDS], of_routine[ROUTINES];
    char wrong[LINE];
    world w;
} runner;

static runner runners[THREADS];
static time_t ends;
static long trials_wanted; /* 0: as many as there is time for */
static bool on_gpu;

/* A crash must not lose the seed. */
static void crashed(int sig)
{
    char line[LINE];
    for (int k = 0; k < THREADS; k++) {
        const world *w = &runners[k].w;
        int n = snprintf(line, sizeof line, "not ok - signal %d in one of the threads; seed %llx: %s %s%c n=%lld step %d %s\n", sig,
                         (unsigned long long)runners[k].seed, w->spec, w->options, tsl_type_letter(w->t), (long long)w->n, w->steps, w->last);
        if (write(STDOUT_FILENO, line, (size_t)(n < LINE ? n : LINE - 1)) < 0) _exit(3);
    }
    _exit(2);
}

static void protect_inputs(world *w, const step *s, bool readonly)
{
    for (int k = 0; k < THINGS; k++) {
        bool written = false;
        for (int b = s->blocks - s->out; b < s->blocks; b++) written |= s->b[b].of == k;
        if (w->thing[k].g.map && !written) guarded_protect(&w->thing[k].g, readonly);
    }
}

/* What a number should be; the place of the largest element only has to be one. */
static void compare_number(world *w, const step *s, tsl_scalar number)
{
    double size = cabs(s->number), bound = tolerance(w, s->what == DOT ? (double)w->n * 8 : size);
    if (s->what == IAMAX) {
        plain p = column(w, &s->b[0]);
        int64_t at = (int64_t)creal(number) - 1;
        if (p.m == 0 ? at != -1 : at < 0 || at >= p.m) complain(w, "place %lld of %lld", (long long)at + 1, (long long)p.m);
        else if (p.m) {
            double found = fabs(creal(p.a[at])) + fabs(cimag(p.a[at]));
            if (!(found >= size - bound)) complain(w, "the element at %lld has %g, the largest %g", (long long)at + 1, found, size);
        }
        plain_free(&p);
    } else if (!(cabs(number - s->number) <= bound)) {
        complain(w, "%.17g%+.17gi instead of %.17g%+.17gi", creal(number), cimag(number), creal(s->number), cimag(s->number));
    }
}

/* What has become of the matrices that were written. */
static void settle(world *w, const step *s, plain out[2])
{
    thing *a = &w->thing[s->b[0].of];
    for (int k = 0; k < s->out; k++) commit(w, &s->b[s->blocks - s->out + k], &out[k]);
    switch (s->what) {
    case POTRF: case POSV: a->state = s->info ? UNKNOWN : FACTOR, a->half = s->b[0].uplo; break;
    case TRTRI: case LAUUM: case POTRI: case GETRF: case GETRS: case GESV: case GETRI: a->state = GENERAL; break;
    default: break;
    }
}

static void describe_step(world *w, const step *s, bool typed)
{
    static const char *const ops[] = {"", "^T", "^*", "^H"}, *const halves[] = {"", " L", " U"};
    int used = snprintf(w->last, sizeof w->last, "%s%s", kind_name[s->what], typed ? " (typed)" : "");
    for (int k = 0; k < s->blocks && used < (int)sizeof w->last; k++) {
        const block *b = &s->b[k];
        used += snprintf(w->last + used, sizeof w->last - (size_t)used, ", %s %d(%lld,%lld) %lldx%lld%s%s", place_name[w->thing[b->of].place],
                         b->of, (long long)b->i, (long long)b->j, (long long)b->m, (long long)b->n, ops[b->op], halves[b->uplo]);
    }
}

/* Makes the first matrix indefinite from some column on, if the program may write it. */
static void spoil(world *w)
{
    thing *a = &w->thing[SPD];
    if (w->region || !is_array(a) || a->state != DOMINANT || w->n == 0) return;
    int64_t k = below(w, w->n);
    *plain_at(&a->truth, k, k) = -1;
    dense_put(&a->d, k, k, -1);
    a->state = INDEFINITE;
}

static void one_step(world *w, runner *r)
{
    step s;
    plain out[2] = {{0}};
    int64_t info = -99;
    tsl_scalar number = 0;
    if (!choose(w, &s)) return;
    w->steps++, r->steps++, r->of_kind[s.what]++;
    bool typed = has_typed_form(w, &s) && chance(w, 2), asks = !w->region || chance(w, 2);
    r->typed += typed;
    describe_step(w, &s, typed);
    expect(w, &s, out);
    bool guard = !w->region;
    if (guard) protect_inputs(w, &s, true);
    if (by_lu(s.what) && tsl_set(w->x, "path", "one")) complain(w, "path=one: %s", tsl_error(w->x));
    tsl_status st = typed ? call_typed(w, &s, asks ? &info : NULL, &number) : call_views(w, &s, asks ? &info : NULL, &number);
    if (!st && !w->region) st = tsl_wait(w->x); /* what may still be running reads the inputs */
    if (guard) protect_inputs(w, &s, false);
    if (by_lu(s.what) && tsl_set(w->x, "path", w->path)) complain(w, "path=%s: %s", w->path, tsl_error(w->x));
    bool has_info = s.what == POTRF || s.what == POSV || s.what == TRTRI || s.what == POTRI || (by_lu(s.what) && s.what != GETRS);
    if (st) {
        complain(w, "%s: %s", tsl_status_name(st), tsl_error(w->x));
    } else {
        w->outcomes |= has_info;
        if (has_info && !w->first_info) w->first_info = s.info;
        if (has_info && asks && info != s.info) complain(w, "info %lld, not %lld", (long long)info, (long long)s.info);
        if (s.out == 0) compare_number(w, &s, number);
        settle(w, &s, out);
        for (int k = s.blocks - s.out; k < s.blocks && !w->region; k++) compare(w, s.b[k].of);
    }
    plain_free(&out[0]), plain_free(&out[1]);
}

static void open_region(world *w)
{
    if (tsl_begin(w->x)) complain(w, "begin: %s", tsl_error(w->x));
    w->region = true;
    w->outcomes = false;
    w->first_info = 0;
}

static void close_region(world *w)
{
    int64_t info = -99;
    tsl_status st = tsl_wait(w->x);
    if (st) complain(w, "wait: %s %s", tsl_status_name(st), tsl_error(w->x));
    if (!st && w->outcomes && (tsl_info(w->x, &info) || info != w->first_info))
        complain(w, "the region's info is %lld, not %lld", (long long)info, (long long)w->first_info);
    w->region = false;
}

static void trial(runner *r, uint64_t seed)
{
    world *w = &r->w;
    bool calls = seed >> 20 & 1, opened = world_open(w, seed, on_gpu, calls);
    if (opened && calls) {
        for (int k = 0; k < CALLS && !*w->wrong; k++) w->steps++, r->calls++, call_trial(w, r->of_routine);
    } else if (opened && world_make(w)) {
        int steps = 1 + (int)below(w, STEPS);
        for (int k = 0; k < steps && !*w->wrong; k++) {
            if (!w->region && chance(w, 3)) refill(w, (int)below(w, THINGS));
            if (chance(w, 6)) spoil(w);
            if (!w->region && chance(w, 4)) open_region(w);
            one_step(w, r);
            if (w->region && (chance(w, 3) || k == steps - 1)) close_region(w);
        }
        for (int k = 0; k < THINGS; k++) compare(w, k);
    }
    world_end(w);
    if (*w->wrong) memcpy(r->wrong, w->wrong, sizeof r->wrong);
}

static void *run(void *arg)
{
    runner *r = arg;
    uint64_t seed = r->start;
    while (!*r->wrong && (trials_wanted ? r->trials < trials_wanted : time(NULL) < ends || r->trials == 0)) {
        r->seed = seed;
        r->began = (int64_t)time(NULL);
        trial(r, seed);
        r->trials++;
        (void)draw(&seed);
    }
    r->began = 0;
    return NULL;
}

/* A trial that does not end is a failure, with its seed. */
static void *watch(void *unused)
{
    (void)unused;
    for (;; sleep(1))
        for (int k = 0; k < THREADS; k++) {
            int64_t began = runners[k].began;
            if (!began || time(NULL) - began < HANG) continue;
            printf("not ok - the trial of seed %llx does not end\n", (unsigned long long)runners[k].seed);
            fflush(stdout);
            _exit(1);
        }
    return NULL;
}

int main(void)
{
    const char *seconds = getenv("TESELA_TEST_SECONDS"), *from = getenv("TESELA_TEST_SEED"), *count = getenv("TESELA_TEST_TRIALS"),
               *gpu = getenv("TESELA_TEST_GPU");
    uint64_t seed = from ? strtoull(from, NULL, 16) : (uint64_t)time(NULL) * 0x9e3779b97f4a7c15u | 1;
    int threads = count ? 1 : THREADS;
    long trials = 0, steps = 0, typed = 0, calls = 0;
    pthread_t watcher;
    trials_wanted = count ? atol(count) : 0;
    on_gpu = gpu && *gpu == '1';
    ends = time(NULL) + (seconds ? atol(seconds) : 10);
    printf("# TESELA_TEST_SEED=%llx\n", (unsigned long long)seed);
    fflush(stdout);
    signal(SIGSEGV, crashed), signal(SIGBUS, crashed), signal(SIGABRT, crashed), signal(SIGFPE, crashed);
    for (int k = 0; k < threads; k++) {
        runners[k].start = seed;
        for (int j = 0; j < k * 1000; j++) (void)draw(&runners[k].start);
        if (pthread_create(&runners[k].thread, NULL, run, &runners[k])) return 1;
    }
    if (pthread_create(&watcher, NULL, watch, NULL)) return 1;
    for (int k = 0; k < threads; k++) pthread_join(runners[k].thread, NULL);
    for (int k = 0; k < threads; k++) {
        const runner *r = &runners[k];
        trials += r->trials, steps += r->steps, typed += r->typed, calls += r->calls;
        check(r->trials > 0, "thread %d made no trial", k);
        check(!*r->wrong, "%s", r->wrong);
    }
    for (int k = 0; k < ROUTINES && calls > 40 * ROUTINES && !getenv("TESELA_TEST_ROUTINE"); k++)
        check(runners[0].of_routine[k] + runners[1].of_routine[k] > 0, "%s was not called", routines[k].name);
    printf("# steps:");
    for (int k = 0; k < KINDS; k++) printf(" %s %ld", kind_name[k], runners[0].of_kind[k] + runners[1].of_kind[k]);
    printf("\n# calls:");
    for (int k = 0; k < ROUTINES; k++) printf(" %s %ld", routines[k].name, runners[0].of_routine[k] + runners[1].of_routine[k]);
    printf("\n");
    checked("%ld trials: programs of %ld steps, %ld of them typed calls; %ld calls judged by residuals", trials, steps, typed, calls);
    check_rows();
    return tap_done();
}
