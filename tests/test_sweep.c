/* Every routine of the benchmark's table x type x parameters x sizes x placement x interface: scaled residuals, element-wise
 * comparison with a naive reference where that is cheap, and nothing written but what the routine may write. And the rivals. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/rival.h"
#include "tap.h"

enum { REFERENCE_UP_TO = 65 };

#define COUNT(a) (sizeof(a) / sizeof *(a))

static const int64_t all_sizes[] = {0, 1, 2, 3, 5, 7, 16, 31, 33, 64, 65, 100, 129, 200};
static const int64_t few_sizes[] = {0, 1, 3, 33, 65, 129};
static const tsl_scalar scalars[][2] = {
    {1, 0}, {1, 1}, {-0.7 + 0.3 * I, 1}, {-1, 0.6 - 0.8 * I}, {0, 0.5 + 0.25 * I}, {0.3, 0}, {0, 1}, {0, 0}, {1.5, -1},
};
static const char *const tiles[] = {"0", "16", "48"}; /* tuned, and small enough that blocked texts take several steps */
static const char *const variants[] = {"auto", "1", "3", "rec"};
static const struct {
    int64_t row0, col0, pad;
} layouts[] = {{0, 0, 0}, {0, 0, 3}, {1, 2, 0}, {3, 1, 5}};

/* The sweep of one routine, type and device. */
typedef struct sweep {
    tsl_context *ctx;
    const char *devices;
    const bench_routine *r;
    tsl_type type;
    const int64_t *sizes;
    int size_count;
    unsigned turn, ran;
    double worst;
    char failure[400]; /* the first one */
} sweep;

static void describe(sweep *s, const bench_case *c, bench_place place, bench_interface by, const char *what)
{
    if (s->failure[0])
        return;
    char letters[BENCH_FLAGS + 1];
    for (int f = 0; f < BENCH_FLAGS; f++)
        letters[f] = c->flag[f] ? c->flag[f] : '-';
    letters[BENCH_FLAGS] = 0;
    snprintf(s->failure, sizeof s->failure,
             "%s: m=%lld n=%lld k=%lld side,uplo,transa,transb,diag=%s alpha=%g%+gi beta=%g%+gi at (%lld,%lld) pad %lld %s %s",
             what, (long long)c->m, (long long)c->n, (long long)c->k, letters, creal(c->alpha), cimag(c->alpha), creal(c->beta),
             cimag(c->beta), (long long)c->row0, (long long)c->col0, (long long)c->pad,
             place == BENCH_HOST ? "host memory" : "device memory", by == BENCH_TYPED ? "typed" : "views");
}

/* What is wrong with the results of a problem that has run; NULL: nothing. */
static const char *judge(sweep *s, bench_problem *p)
{
    static char text[96];
    const bench_case *c = &p->c;
    double residual = bench_residual(p), deviation = 0;
    const char *where = bench_trespass(p);
    if (c->m <= REFERENCE_UP_TO && c->n <= REFERENCE_UP_TO && c->k <= REFERENCE_UP_TO)
        deviation = bench_deviation(p);
    s->worst = fmax(s->worst, fmax(residual, deviation));
    if (where)
        snprintf(text, sizeof text, "%s changed where it must not", where);
    else if (!(residual < BENCH_OK))
        snprintf(text, sizeof text, "residual %.3g", residual);
    else if (!(deviation < BENCH_OK))
        snprintf(text, sizeof text, "off the reference by %.3g", deviation);
    else
        return NULL;
    return text;
}

static void one_case(sweep *s, const bench_case *c, bench_place place, bench_interface by)
{
    bench_problem p;
    tsl_status st = bench_open(s->ctx, s->r, c, place, &p);
    if (st) {
        describe(s, c, place, by, tsl_status_name(st));
        return;
    }
    st = bench_restore(&p, place);
    if (!st)
        st = bench_run(&p, by);
    for (int i = 0; i < p.count && !st; i++)
        st = bench_fetch(&p, i);
    const char *wrong = st ? tsl_error(s->ctx) : judge(s, &p);
    if (wrong)
        describe(s, &p.c, place, by, wrong);
    s->ran++;
    bench_close(&p);
}

/* A choice among `count` for the turn-th case, the same in every run and independent for different `what`. */
static unsigned pick(unsigned turn, unsigned what, size_t count)
{
    unsigned h = turn * 8 + what + 1;
    h = (h ^ (h >> 16)) * 0x7feb352du;
    h = (h ^ (h >> 15)) * 0x846ca68bu;
    return (h ^ (h >> 16)) % (unsigned)count;
}

/* Square cases of every size, and oblong ones that pair each size with two others, of all these one in `thin`; scalars, layout,
 * block size and variant are drawn anew for each. */
static void all_sizes_of(sweep *s, bench_case *c, unsigned thin, bench_place place, bench_interface by)
{
    int n = s->size_count;
    for (int i = 0; i < 2 * n; i++) {
        unsigned turn = s->turn++;
        if (pick(turn, 4, thin))
            continue;
        c->n = s->sizes[i % n];
        c->m = i < n ? c->n : s->sizes[(5 * i + 3) % n];
        c->k = i < n ? c->n : s->sizes[(3 * i + 1) % n];
        c->alpha = scalars[pick(turn, 0, COUNT(scalars))][0];
        c->beta = scalars[pick(turn, 0, COUNT(scalars))][1];
        unsigned layout = pick(turn, 1, COUNT(layouts));
        c->row0 = layouts[layout].row0;
        c->col0 = layouts[layout].col0;
        c->pad = layouts[layout].pad;
        c->seed = turn;
        if (tsl_set(s->ctx, "tile", tiles[pick(turn, 2, COUNT(tiles))]) ||
            tsl_set(s->ctx, "variant", variants[pick(turn, 3, COUNT(variants))]))
            describe(s, c, place, by, tsl_error(s->ctx));
        one_case(s, c, place, by);
    }
}

/* Counts c's flags through all legal letters; false when all have been seen. */
static bool next_flags(const sweep *s, bench_interface by, bench_case *c)
{
    for (int f = 0; f < BENCH_FLAGS; f++) {
        const char *letters = bench_letters(s->r, s->type, (bench_flag)f, by);
        if (!*letters)
            continue;
        const char *next = strchr(letters, c->flag[f]) + 1;
        c->flag[f] = *next ? *next : *letters;
        if (*next)
            return true;
    }
    return false;
}

/* The more combinations of letters a routine has, the fewer sizes each of them sees. */
static unsigned thinning(const sweep *s, bench_interface by)
{
    size_t combinations = 1;
    for (int f = 0; f < BENCH_FLAGS; f++) {
        size_t letters = strlen(bench_letters(s->r, s->type, (bench_flag)f, by));
        combinations *= letters ? letters : 1;
    }
    return 1 + (unsigned)combinations / 10;
}

static void run_sweep(sweep *s)
{
    for (int place = BENCH_HOST; place <= BENCH_DEVICE; place++)
        for (int by = BENCH_TYPED; by <= BENCH_VIEWS; by++) {
            bench_case c = {.type = s->type};
            for (int f = 0; f < BENCH_FLAGS; f++)
                c.flag[f] = *bench_letters(s->r, s->type, (bench_flag)f, (bench_interface)by);
            do {
                all_sizes_of(s, &c, thinning(s, (bench_interface)by), (bench_place)place, (bench_interface)by);
            } while (next_flags(s, (bench_interface)by, &c));
        }
    ok(!s->failure[0], "%c%s on %s: %u cases, worst %.2g%s%s", tsl_type_letter(s->type), s->r->name, s->devices, s->ran,
       s->worst, s->failure[0] ? "; " : "", s->failure);
}

/* A ratio says something only if the rival computes the same: every letter at one odd size. */
static void check_rival(sweep *s, const bench_rival *rival, void *state)
{
    bench_case c = {.type = s->type, .m = 31, .n = 37, .k = 23, .alpha = s->r->alpha, .beta = s->r->beta, .pad = 2};
    for (int f = 0; f < BENCH_FLAGS; f++)
        c.flag[f] = *bench_letters(s->r, s->type, (bench_flag)f, BENCH_TYPED);
    do {
        bench_problem p;
        double residual = INFINITY;
        if (bench_open(s->ctx, s->r, &c, rival->place, &p)) {
            describe(s, &c, rival->place, BENCH_TYPED, "no problem to solve");
            continue;
        }
        if (rival->prepare(state, &p) && !bench_restore(&p, p.place) && rival->run(state, &p) && !bench_fetch(&p, p.count - 1))
            residual = s->r->residual(&p);
        if (!(residual < BENCH_OK))
            describe(s, &c, rival->place, BENCH_TYPED, "wrong");
        s->worst = fmax(s->worst, residual);
        s->ran++;
        bench_close(&p);
    } while (next_flags(s, BENCH_TYPED, &c));
    ok(!s->failure[0], "%s's %c%s on %s: %u cases, worst %.2g%s%s", rival->name, tsl_type_letter(s->type), s->r->name,
       s->devices, s->ran, s->worst, s->failure[0] ? "; " : "", s->failure);
}

static void check_rivals(tsl_context *ctx, const char *devices)
{
    const char *names = bench_rival_names();
    for (size_t length; *names; names += length + strspn(names + length, ", ")) {
        length = strcspn(names, ",");
        const bench_rival *rival = bench_rival_find(names, length);
        char line[BENCH_LINE] = "no such rival";
        void *state;
        if (!rival || !rival->open(ctx, &state, line)) {
            skip("%.*s on %s: %s", (int)length, names, devices, line);
            continue;
        }
        for (int i = 0; i < bench_routine_count; i++)
            for (int t = TSL_S; t <= TSL_Z && bench_rival_offers(rival, &bench_routines[i]); t++) {
                sweep s = {.ctx = ctx, .devices = devices, .r = &bench_routines[i], .type = (tsl_type)t};
                check_rival(&s, rival, state);
            }
        rival->close(state);
    }
}

static void sweep_devices(const char *devices)
{
    const char *quick = getenv("TESELA_TEST_QUICK");
    bool few = quick && !strcmp(quick, "1");
    tsl_config config = tsl_config_default();
    tsl_context *ctx = NULL;
    config.devices = devices;
    tsl_status st = tsl_context_create(&config, &ctx);
    if (st == TSL_ERR_NO_DEVICE) {
        skip("%s: not here", devices);
        return;
    }
    ok(!st, "%s: context (%s)", devices, tsl_status_name(st));
    for (int i = 0; i < bench_routine_count && !st; i++)
        for (int t = TSL_S; t <= TSL_Z; t++) {
            sweep s = {.ctx = ctx, .devices = devices, .r = &bench_routines[i], .type = (tsl_type)t};
            s.sizes = few ? few_sizes : all_sizes;
            s.size_count = (int)(few ? COUNT(few_sizes) : COUNT(all_sizes));
            run_sweep(&s);
        }
    if (!st)
        check_rivals(ctx, devices);
    tsl_context_destroy(ctx);
}

int main(void)
{
    sweep_devices("host");
    sweep_devices("host:3,mem=64M");
    sweep_devices("cuda");
    return tap_done();
}
