/* Every named variant of every operation that has some, at block sizes that cut odd problems unevenly, on all flags and types:
 * within the bounds of the sweep (residual, naive reference, nothing written but the result), the same bits when repeated. */
#include "extent.h"
#include "sweep.h"

enum { REFERENCE_UP_TO = 41 };

/* Routines that are others in a row: variants of these, and of their own */
static const struct family {
    const char *routine, *variant[11]; /* NULL ends them */
} composites[] = {
    {"potri", {"wide", "sweep", "parts"}},
    {"potrs", {"rec", "pm"}},
    {"posv", {"ahead", "1", "2", "3"}},
    {"getrs", {"rec", "pm"}},
    {"gesv", {"ahead", "lazy", "apart", "window", "1", "2", "3", "parts", "tournament", "nopiv"}},
    {"getri", {"wide", "rows", "sweep", "parts"}},
    {"gels", {"wide", "right", "blocks", "rec"}},
    {"gels_inc", {"right", "late", "pairs", "parts"}},
    {"gesvd", {"polar", "bidiagonal", "two"}}, {"gebrd", {"panels"}}, /* host is one leaf */
    {"geev", {"parts", "panels"}},
    {"gees", {"parts", "panels"}},
};

static const char *variant_of(const bench_routine *r, int i)
{
    for (size_t c = 0; c < COUNT(composites); c++)
        if (!strcmp(composites[c].routine, r->name))
            return composites[c].variant[i];
    return bench_variant(r, i);
}

static const char *const tiles[] = {"8", "16", "33"};
static const struct sizes {
    int64_t m, n, k;
} sizes[] = {{35, 35, 35}, {67, 19, 41}, {13, 53, 37}, {41, 1, 9}, {1, 39, 71}, {33, 34, 1}, {17, 67, 0}};
static const tsl_scalar scalars[][2] = {{-0.7 + 0.3 * I, 1}, {1, 0}, {1.5, 0.6 - 0.8 * I}, {-1, 1}, {0.5 * I, -0.25}, {0, 0.5}};

/* One routine, type, device and variant. */
typedef struct subject {
    tsl_context *ctx;
    const char *devices, *variant;
    const bench_routine *r;
    tsl_type type;
    unsigned turn;
    int64_t cases, launches;
    double worst;
} subject;

static const char *described(const subject *s, const bench_case *c, const char *tile)
{
    static char text[240];
    char letters[BENCH_FLAGS + 1] = {0};
    for (int f = 0; f < BENCH_FLAGS; f++)
        letters[f] = c->flag[f] ? c->flag[f] : '-';
    snprintf(text, sizeof text, "%c%s %s tile %s: m=%d n=%d k=%d side,uplo,transa,transb,diag=%s alpha=%g%+gi beta=%g%+gi",
             tsl_type_letter(s->type), s->r->name, s->variant, tile, (int)c->m, (int)c->n, (int)c->k, letters, creal(c->alpha),
             cimag(c->alpha), creal(c->beta), cimag(c->beta));
    return text;
}

static tsl_status run_once(subject *s, bench_problem *p)
{
    tsl_counters seen;
    tsl_status st = bench_restore(p, p->place);
    if (!st)
        st = tsl_counters_reset(s->ctx);
    if (!st)
        st = bench_run(p, BENCH_VIEWS);
    if (!st)
        st = tsl_counters_get(s->ctx, &seen);
    if (!st)
        s->launches += seen.launches;
    for (int i = 0; i < p->count && !st; i++)
        st = bench_fetch(p, i);
    return st;
}

/* Runs it twice and compares what the whole array of the result holds. */
static void run_twice(subject *s, bench_problem *p, const char *tile)
{
    const bench_case *c = &p->c;
    bench_array *out = &p->a[p->count - 1];
    size_t bytes = (size_t)(out->ld * out->width) * tsl_type_size(s->type);
    void *first = malloc(bytes + 1);
    tsl_status st = first ? run_once(s, p) : TSL_ERR_MEMORY;
    if (!st) {
        const char *where = bench_trespass(p);
        double residual = bench_residual(p), deviation = 0;
        if (c->m <= REFERENCE_UP_TO && c->n <= REFERENCE_UP_TO && c->k <= REFERENCE_UP_TO)
            deviation = bench_deviation(p);
        s->worst = worse(worse(s->worst, residual), deviation);
        check(!where, "%s: %s changed where it must not", described(s, c, tile), where ? where : "none");
        check(residual < BENCH_OK, "%s: residual %.3g", described(s, c, tile), residual);
        check(deviation < BENCH_OK, "%s: off the reference by %.3g", described(s, c, tile), deviation);
        memcpy(first, out->work, bytes);
        st = run_once(s, p);
    }
    check(!st, "%s: %s", described(s, c, tile), tsl_error(s->ctx));
    check(st || !memcmp(first, out->work, bytes), "%s: other bits the second time", described(s, c, tile));
    free(first);
}

/* One case of these letters; size, scalars, block size, place and layout go by turns of lengths without a common factor, as far
 * as that is possible, so that they meet in all combinations. */
static void one_case(subject *s, bench_case *c)
{
    unsigned turn = s->turn++;
    const struct sizes *z = &sizes[turn % COUNT(sizes)];
    const char *tile = tiles[turn % COUNT(tiles)];
    c->m = z->m, c->n = z->n, c->k = z->k;
    c->alpha = scalars[turn / 5 % COUNT(scalars)][0], c->beta = scalars[turn / 5 % COUNT(scalars)][1];
    c->row0 = turn % 2, c->col0 = turn % 5, c->pad = turn % 4;
    c->seed = turn;
    c->dominant = bench_no_pivots(s->variant);
    bench_problem p;
    tsl_status st = tsl_set(s->ctx, "tile", tile);
    if (!st)
        st = bench_open(s->ctx, s->r, c, turn % 11 < 5 ? BENCH_HOST : BENCH_DEVICE, &p);
    check(!st, "%s: %s", described(s, c, tile), tsl_status_name(st));
    if (st)
        return;
    s->cases++;
    run_twice(s, &p, tile);
    bench_close(&p);
}

/* Counts c's flags through the letters of views; false when all have been seen. */
static bool next_flags(const subject *s, bench_case *c)
{
    for (int f = 0; f < BENCH_FLAGS; f++) {
        const char *letters = bench_letters(s->r, s->type, (bench_flag)f, BENCH_VIEWS);
        const char *next = *letters ? strchr(letters, c->flag[f]) + 1 : "";
        c->flag[f] = *next ? *next : *letters;
        if (*next)
            return true;
    }
    return false;
}

static void run_variant(subject *s)
{
    const int passes = in_full() ? 3 : 1;
    const unsigned cases = COUNT(sizes) * COUNT(tiles) * (in_full() ? 2 : 1); /* at least: letters meet several sizes and block sizes */
    tsl_status st = tsl_set(s->ctx, "variant", s->variant);
    check(!st, "%s: %s", s->variant, tsl_error(s->ctx));
    for (int pass = 0; (pass < passes || s->turn < cases) && !st; pass++) {
        bench_case c = {.type = s->type};
        for (int f = 0; f < BENCH_FLAGS; f++)
            c.flag[f] = *bench_letters(s->r, s->type, (bench_flag)f, BENCH_VIEWS);
        do
            one_case(s, &c);
        while (next_flags(s, &c));
    }
    check(s->launches > 3 * s->cases, "%lld leaves in %lld cases: it was not this text that ran", (long long)s->launches,
          (long long)s->cases);
    checked("%s: %c%s by %s: %lld cases, worst %.2g", s->devices, tsl_type_letter(s->type), s->r->name, s->variant,
            (long long)s->cases, s->worst);
}

static void all_variants(tsl_context *ctx, const char *devices)
{
    const bench_routine *r;
    for (int i = 0; (r = bench_routine_at(i)); i++)
        for (int v = 0; r->views && variant_of(r, v); v++)
            for (int t = TSL_S; t <= TSL_Z; t++) {
                subject s = {.ctx = ctx, .devices = devices, .variant = variant_of(r, v), .r = r, .type = (tsl_type)t};
                run_variant(&s);
            }
}

int main(void)
{
    sweep_on("host", all_variants);
    sweep_on("host:2,mem=64M", all_variants);
    sweep_on("cuda", all_variants);
    return tap_done();
}
