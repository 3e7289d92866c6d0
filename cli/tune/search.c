/* The best variant, block size and kernel's shape of one problem. A coarse grid of block sizes for each variant, and the leaf
 * in each of its shapes, is thinned by timing: after each round what is clearly slower, or in the slower half, is dropped and
 * the rest is timed for longer; then block sizes around the winner's join in. Times are the shortest seen, since whatever
 * disturbs a run makes it longer. */
#include <math.h>
#include <string.h>

#include "cli/tune/tune.h"

enum { SMALLEST = 64, LARGEST = 8192, ROUNDS = 3, RUNS = 20, LEAF = 0 };

static const double CLEARLY = 1.15, /* times the best: not worth another look */
    TIE = 1.03,                     /* a text must beat the leaf by this much */
    SAMPLE = 2e-3;                  /* seconds that one look at a candidate takes at least, unless RUNS are enough */

typedef struct candidate {
    const char *variant;
    int64_t tile; /* 0: it has none */
    int shape;    /* of the leaf; 0: as it is without a choice */
    double seconds;
    bool dropped;
} candidate;

typedef struct field {
    const tune_search *s;
    bench_problem p;
    candidate c[TUNE_CANDIDATES];
    int count;
    int64_t order;
    bool panel;
    tsl_status st;
} field;

bool tune_has_variants(const bench_routine *r) { return bench_variant(r, 0) && !r->by_bytes; }
bool tune_has_panels(const bench_routine *r) { return !strcmp(r->name, "getrf") || !strcmp(r->name, "geqrf"); }

static bool alike(const candidate *a, const candidate *b) { return !strcmp(a->variant, b->variant) && a->shape == b->shape; }

static void add(field *f, const char *variant, int64_t tile, int shape)
{
    candidate c = {variant, tile, shape, INFINITY, false};
    for (int i = 0; i < f->count; i++)
        if (alike(&f->c[i], &c) && f->c[i].tile == tile)
            return;
    if (f->count < TUNE_CANDIDATES)
        f->c[f->count++] = c;
}

/* A panel is in the one or the other shape; whole matrices take theirs from entries of panels. */
static void coarse_grid(field *f, int64_t n)
{
    const char *v;
    int shapes = tsl_shape_count(f->p.ctx, f->p.routine->name, f->p.c.type);
    if (tune_has_panels(f->p.routine) && !f->panel)
        shapes = 0;
    for (int shape = f->panel; shape <= shapes; shape++)
        add(f, f->panel ? "auto" : "leaf", 0, shape);
    for (int i = 0; !f->panel && (v = bench_variant(f->p.routine, i)); i++) {
        bool whole = !strcmp(v, "fused"); /* one product: nothing to cut */
        if (bench_other_pivots(v) || !strcmp(v, "wide")) /* other lines speak of that: tune/wide.c */
            continue;
        if (whole)
            add(f, v, 0, 0);
        else if (n <= SMALLEST)
            add(f, v, (n + 1) / 2, 0);
        for (int64_t tile = SMALLEST; !whole && tile < n && tile <= LARGEST; tile *= 2)
            add(f, v, tile, 0);
    }
}

static bool over(const field *f) { return f->st || *f->s->stop || bench_now() >= f->s->deadline; }

static void watch(const field *f, const candidate *c)
{
    if (f->s->label)
        fprintf(stderr, "%s: %s:%d %lld ...\033[K\r", f->s->label, c->variant, c->shape, (long long)c->tile);
}

/* A leaf that is not one leaf is a text under another name: then there is no leaf of that size. */
static void check_leaf(field *f, candidate *c)
{
    tsl_counters n;
    f->st = tsl_counters_get(f->p.ctx, &n);
    if (!strcmp(c->variant, "leaf") && n.launches > 1) {
        c->seconds = INFINITY;
        c->dropped = true;
    }
}

static void look(field *f, candidate *c)
{
    char tile[24], shape[16];
    double spent = 0, seconds = INFINITY;
    watch(f, c);
    snprintf(tile, sizeof tile, "%lld", (long long)c->tile);
    snprintf(shape, sizeof shape, "%d", c->shape);
    f->st = tsl_set(f->p.ctx, "variant", c->variant);
    if (!f->st)
        f->st = tsl_set(f->p.ctx, "tile", tile);
    if (!f->st)
        f->st = tsl_set(f->p.ctx, "shape", shape);
    for (int i = 0; i < RUNS && spent < SAMPLE && !f->st && !*f->s->stop; i++) {
        f->st = bench_timed_run(&f->p, 1, &seconds);
        spent += seconds;
        c->seconds = fmin(c->seconds, seconds);
    }
    if (!f->st)
        check_leaf(f, c);
}

static candidate *best_of(field *f)
{
    candidate *best = NULL;
    for (int i = 0; i < f->count; i++)
        if (!f->c[i].dropped && isfinite(f->c[i].seconds) && (!best || f->c[i].seconds < best->seconds))
            best = &f->c[i];
    return best;
}

/* Drops what is clearly slower, and of the rest, if so asked, the slower half. The leaf stays: whoever wins has to beat it as
 * often timed as itself. */
static int thin(field *f, bool halve)
{
    const candidate *best = best_of(f);
    int left = 0, place[TUNE_CANDIDATES] = {0};
    for (int i = 0; i < f->count; i++)
        for (int j = 0; j < f->count; j++)
            place[i] += !f->c[j].dropped && f->c[j].seconds < f->c[i].seconds;
    for (int i = 0; i < f->count && best; i++)
        left += !f->c[i].dropped && f->c[i].seconds <= CLEARLY * best->seconds;
    int keep = halve ? (left + 1) / 2 : left;
    left = 0;
    for (int i = 0; i < f->count; i++) {
        f->c[i].dropped |= place[i] >= keep && i != LEAF;
        left += !f->c[i].dropped;
    }
    return left;
}

static void contest(field *f)
{
    int left = f->count;
    for (int round = 0; round < ROUNDS && left > 1 && !over(f); round++) {
        for (int again = 0; again < 2 << round; again++)
            for (int i = 0; i < f->count && !over(f); i++)
                if (!f->c[i].dropped)
                    look(f, &f->c[i]);
        left = thin(f, round > 0);
    }
}

/* Block sizes between the winner's and its neighbours on the grid, then between those. */
static void refine(field *f)
{
    static const int eighths[][2] = {{6, 12}, {7, 9}};
    for (int step = 0; step < 2 && !over(f); step++) {
        candidate *best = best_of(f);
        if (!best || best->tile < 8)
            return;
        int64_t tile = best->tile;
        const char *variant = best->variant;
        for (int i = 0; i < 2; i++)
            if (tile * eighths[step][i] / 8 < f->order)
                add(f, variant, tile * eighths[step][i] / 8, 0);
        contest(f);
    }
}

/* The winner; the leaf if nothing beats it by more than chance. */
static const candidate *winner(field *f)
{
    const candidate *best = best_of(f), *leaf = &f->c[LEAF];
    return best && isfinite(leaf->seconds) && leaf->seconds <= TIE * best->seconds ? leaf : best;
}

/* ":3", or nothing */
static const char *shape_of(const candidate *c, char out[16])
{
    *out = 0;
    if (c->shape)
        snprintf(out, 16, ":%d", c->shape);
    return out;
}

static int print_rate(char *out, size_t room, const field *f, const candidate *c)
{
    double rate = bench_flops(f->p.routine, &f->p.c) / c->seconds * 1e-9;
    char tile[24] = "", shape[16];
    if (c->tile)
        snprintf(tile, sizeof tile, "/%lld", (long long)c->tile);
    return snprintf(out, room, " %s%s%s=%.4f", c->variant, shape_of(c, shape), tile, fmax(rate, 1e-4));
}

/* The entry: the choice, its rate, and the best of every other variant and shape. */
static void write_entry(const field *f, const candidate *won, const char *key, char entry[TUNE_ENTRY])
{
    char tile[24] = "-", shape[16];
    if (won->tile)
        snprintf(tile, sizeof tile, "%lld", (long long)won->tile);
    int at = snprintf(entry, TUNE_ENTRY, "%s %s %s%s", key, tile, won->variant, shape_of(won, shape));
    at += print_rate(entry + at, TUNE_ENTRY - (size_t)at, f, won);
    for (int i = 0; i < f->count; i++) {
        const candidate *c = &f->c[i];
        bool best = isfinite(c->seconds) && !alike(c, won);
        for (int j = 0; j < f->count && best; j++)
            best = !alike(c, &f->c[j]) || c->seconds < f->c[j].seconds || (c->seconds == f->c[j].seconds && i <= j);
        if (best)
            at += print_rate(entry + at, TUNE_ENTRY - (size_t)at, f, c);
    }
}

bool tune_case(tsl_context *ctx, const tune_search *s, const tune_problem *p, char entry[TUNE_ENTRY], char line[BENCH_LINE])
{
    field f = {.s = s, .order = p->order, .panel = p->width && tune_has_panels(p->r)};
    char key[TUNE_KEY];
    tune_key(p, "", key);
    f.st = bench_open(ctx, p->r, &p->c, bench_place_of(ctx), &f.p);
    bool opened = !f.st;
    *line = 0;
    if (opened) {
        coarse_grid(&f, p->order);
        for (int i = 0; i < f.count && !f.st && !best_of(&f); i++)
            look(&f, &f.c[i]); /* warm-up, and something to save if there is no time for more */
        contest(&f);
        refine(&f);
    }
    const candidate *won = opened && !f.st && !*s->stop ? winner(&f) : NULL;
    if (won)
        write_entry(&f, won, key, entry);
    if (f.st)
        bench_say(f.st, ctx, line);
    if (opened)
        bench_close(&f.p);
    return won != NULL;
}
