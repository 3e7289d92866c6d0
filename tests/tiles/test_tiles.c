/* Every routine with a tiled form x type x letters: on 1 to 7 devices and on the host's cores, under all policies and
 * distributions, with memory for a few tiles, from tiled matrices made in place or by copies, mixed with flat ones, and by
 * typed calls. Scaled residuals and the naive reference as in test_sweep.c; and for one tile size the same bits from all
 * devices, and of two runs on cores. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "context/context.h"
#include "extent.h"
#include "tiled.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

enum { OTHERS = 3, TIGHT_NB = 16, PLACES = 8, CORES = 5 };

static const int64_t sizes[] = {33, 64, 1, 65, 7, 48, 90, 17, 100, 23};
static const int64_t tile_sizes[] = {16, 8, 23, 16, 11, 128};
static const tsl_scalar scalars[][2] = {{1, 0}, {-0.7 + 0.3 * I, 1}, {1, 1}, {-1, 0.6 - 0.8 * I}, {0, 0.5 + 0.25 * I}, {1.5, -1}};
static const struct {
    int64_t row0, col0, pad;
} layouts[] = {{0, 0, 0}, {0, 0, 3}, {1, 2, 0}, {19, 3, 5}, {16, 32, 1}};
static const char *const dists[] = {"2d", "rows", "cols"};

/* How the operands become tiles. */
typedef enum way { WRAPPED, COPIED, MIXED, FLAT, TYPED, WAYS } way;
static const char *const way_name[] = {"wrapped", "copied", "mixed", "flat", "typed"};

/* One run of a case. */
typedef struct setting {
    int place;
    const char *policy, *dist;
    way by;
    bool diag_on_host;
} setting;

/* Contexts: without limits, and, for the type at hand, some whose devices hold little more than what one task needs. */
static const char *const place_name[PLACES] = {"host:1", "host:2", "host:3", "host:4", "host:7", "host", "host:2 tight", "host:3 tight"};
static tsl_context *context[PLACES];

typedef struct sweep {
    const bench_routine *r;
    tsl_type type;
    unsigned turn, ran;
    double worst;
    int64_t evictions;
    char failure[400];
} sweep;

/* A choice among `count` for the turn-th case, the same in every run and independent for different `what`. */
static unsigned pick(unsigned turn, unsigned what, size_t count)
{
    return drawn_by(turn * 16 + what + 1) % (unsigned)count;
}

static void describe(sweep *s, const bench_case *c, int64_t nb, const setting *g, const char *what)
{
    if (s->failure[0]) return;
    char letters[BENCH_FLAGS + 1] = {0};
    for (int f = 0; f < BENCH_FLAGS; f++) letters[f] = c->flag[f] ? c->flag[f] : '-';
    snprintf(s->failure, sizeof s->failure,
             "%s: m=%lld n=%lld k=%lld nb=%lld %s alpha=%g%+gi beta=%g%+gi at (%lld,%lld) pad %lld on %s %s %s %s%s", what,
             (long long)c->m, (long long)c->n, (long long)c->k, (long long)nb, letters, creal(c->alpha), cimag(c->alpha),
             creal(c->beta), cimag(c->beta), (long long)c->row0, (long long)c->col0, (long long)c->pad, place_name[g->place],
             g->policy, g->dist, way_name[g->by], g->diag_on_host ? ", diagonal on the host" : "");
}

static bool has_typed_letters(const sweep *s, const bench_case *c)
{
    if (!s->r->typed[s->type]) return false;
    for (int f = 0; f < BENCH_FLAGS; f++)
        if (c->flag[f] && !strchr(bench_letters(s->r, s->type, (bench_flag)f, BENCH_TYPED), c->flag[f])) return false;
    return true;
}

/* The operands' arrays as tiled matrices: of the same memory, or of ours, filled by a copy. */
static tsl_status make_tiled(bench_problem *p, int64_t nb, way by, tsl_matrix *flat[BENCH_OPERANDS])
{
    tsl_status st = TSL_OK;
    for (int i = 0; i < p->count && !st; i++) {
        bench_array *a = &p->a[i];
        tsl_matrix *tiled = NULL;
        if (by == MIXED && (i + (int)p->c.n) % 2) continue;
        if (by == COPIED) st = tsl_tiled_create(p->ctx, a->type, a->ld, a->width, nb, &tiled);
        else st = tsl_tiled_wrap(p->ctx, a->type, a->ld, a->width, a->work, a->ld, nb, &tiled);
        if (!st && by == COPIED) st = tsl_copy(p->ctx, tsl_whole(a->result), tsl_whole(tiled));
        if (st) tsl_matrix_free(tiled);
        if (!st) flat[i] = a->result, a->result = tiled;
    }
    return st;
}

static tsl_status unmake_tiled(bench_problem *p, way by, tsl_matrix *flat[BENCH_OPERANDS], tsl_status st)
{
    for (int i = 0; i < p->count; i++) {
        if (!flat[i]) continue;
        tsl_matrix *tiled = p->a[i].result;
        p->a[i].result = flat[i];
        if (by == COPIED && !st) st = tsl_copy(p->ctx, tsl_whole(tiled), tsl_whole(flat[i]));
        tsl_matrix_free(tiled);
    }
    return st;
}

static tsl_status run(bench_problem *p, int64_t nb, const setting *g)
{
    char tile[24];
    tsl_matrix *flat[BENCH_OPERANDS] = {0};
    snprintf(tile, sizeof tile, "%lld", (long long)nb);
    tsl_status st = tsl_set(p->ctx, "policy", g->policy);
    if (!st) st = tsl_set(p->ctx, "dist", g->dist);
    if (!st) st = tsl_set(p->ctx, "diag-on", g->diag_on_host ? "host" : "device");
    if (!st) st = tsl_set(p->ctx, "tile", g->by >= MIXED ? tile : "0");
    if (!st) st = tsl_set(p->ctx, "path", g->by >= FLAT || g->by == MIXED ? "tiles" : "auto");
    if (!st && g->by < FLAT) st = make_tiled(p, nb, g->by, flat);
    if (!st) st = bench_run(p, g->by == TYPED ? BENCH_TYPED : BENCH_VIEWS);
    return unmake_tiled(p, g->by, flat, st);
}

static const char *judge(sweep *s, bench_problem *p)
{
    static char text[96];
    double residual = bench_residual(p), deviation = bench_deviation(p);
    const char *where = bench_trespass(p);
    s->worst = worse(worse(s->worst, residual), deviation);
    if (where) snprintf(text, sizeof text, "%s changed where it must not", where);
    else if (!(residual < BENCH_OK)) snprintf(text, sizeof text, "residual %.3g", residual);
    else if (!(deviation < BENCH_OK)) snprintf(text, sizeof text, "off the reference by %.3g", deviation);
    else return NULL;
    return text;
}

/* Runs the case once more; `bits` are those of the first run. */
static void run_one(sweep *s, const bench_case *c, int64_t nb, const setting *g, void **bits)
{
    bench_problem p;
    tsl_context *x = context[g->place];
    tsl_counters n;
    tsl_status st = bench_open(x, s->r, c, BENCH_HOST, &p);
    if (st) {
        describe(s, c, nb, g, tsl_status_name(st));
        return;
    }
    const bench_array *out = &p.a[p.count - 1];
    size_t bytes = (size_t)(out->ld * out->width) * tsl_type_size(s->type);
    st = bench_restore(&p, BENCH_HOST);
    if (!st) st = run(&p, nb, g);
    const char *wrong = st ? tsl_error(x) : judge(s, &p);
    if (wrong) describe(s, &p.c, nb, g, wrong);
    if (!*bits && (*bits = malloc(bytes + 1))) memcpy(*bits, out->work, bytes);
    else if (*bits && memcmp(*bits, out->work, bytes)) describe(s, &p.c, nb, g, "other bits");
    if (!tsl_counters_get(x, &n)) s->evictions += n.evictions;
    (void)tsl_counters_reset(x);
    s->ran++;
    bench_close(&p);
}

static void run_twice(sweep *s, const bench_case *c, int64_t nb, const setting *g)
{
    void *bits = NULL;
    for (int i = 0; i < 2; i++) run_one(s, c, nb, g, &bits);
    free(bits);
}

/* Does a tight place have room for the tiles of a task? Those of LU are as high as the matrix. */
static bool few(const sweep *s, const bench_case *c, int64_t nb)
{
    tsl_opcode op;
    bool tall = tsl_find_op(s->r->name, strlen(s->r->name), &op) && tsl_trait(op, TSL_TALL);
    return nb <= TIGHT_NB && (!tall || nb * c->n <= 2 * TIGHT_NB * TIGHT_NB);
}

static void run_case(sweep *s, bench_case *c)
{
    unsigned turn = s->turn++;
    setting g = {0, "basic", "2d", WRAPPED, false};
    int64_t nb = tile_sizes[pick(turn, 0, COUNT(tile_sizes))];
    unsigned layout = pick(turn, 4, COUNT(layouts)), scalar = pick(turn, 5, COUNT(scalars));
    void *bits = NULL;
    c->n = sizes[pick(turn, 1, COUNT(sizes))], c->m = sizes[pick(turn, 2, COUNT(sizes))], c->k = sizes[pick(turn, 3, COUNT(sizes))];
    c->row0 = layouts[layout].row0, c->col0 = layouts[layout].col0, c->pad = layouts[layout].pad;
    c->alpha = scalars[scalar][0], c->beta = scalars[scalar][1];
    c->seed = turn;
    run_one(s, c, nb, &g, &bits);
    for (unsigned o = 0; o < OTHERS; o++) { /* the place goes round; a tight one has room for small tiles only */
        unsigned t = OTHERS * turn + o;
        g.place = (int)(t % (few(s, c, nb) ? PLACES : PLACES - 2));
        g.policy = policies[pick(t, 6, COUNT(policies))], g.dist = dists[pick(t, 7, COUNT(dists))];
        g.by = (way)pick(t, 8, WAYS);
        if (g.by == TYPED && !has_typed_letters(s, c)) g.by = FLAT;
        g.diag_on_host = pick(t, 9, 3) == 0;
        if (g.place == CORES) run_twice(s, c, nb, &g);
        else run_one(s, c, nb, &g, &bits);
    }
    free(bits);
}

/* Counts c's flags through all letters a view can have. */
static void next_flags(const sweep *s, bench_case *c)
{
    for (int f = 0; f < BENCH_FLAGS; f++) {
        const char *letters = bench_letters(s->r, s->type, (bench_flag)f, BENCH_VIEWS);
        if (!*letters) continue;
        const char *next = strchr(letters, c->flag[f]) + 1;
        c->flag[f] = *next ? *next : *letters;
        if (*next) return;
    }
}

static void run_sweep(sweep *s)
{
    bench_case c = {.type = s->type};
    unsigned combinations = 1, cases = 0, most = in_full() ? 16 : 8;
    for (int f = 0; f < BENCH_FLAGS; f++) {
        const char *letters = bench_letters(s->r, s->type, (bench_flag)f, BENCH_VIEWS);
        c.flag[f] = *letters;
        combinations *= *letters ? (unsigned)strlen(letters) : 1;
    }
    for (unsigned i = 0; cases < most; i++) { /* all combinations if there are few, else a random choice of them */
        if (combinations <= most || pick(i, s->type, combinations) < most) run_case(s, &c), cases++;
        next_flags(s, &c);
    }
    ok(!s->failure[0], "%c%s: %u runs, worst %.2g, %lld evictions%s%s", tsl_type_letter(s->type), s->r->name, s->ran, s->worst,
       (long long)s->evictions, s->failure[0] ? "; " : "", s->failure);
}

/* What one task needs at most: three tiles, workspace for two more, and the few bytes of context and executors. */
static size_t tight(tsl_type t) { return 5 * TIGHT_NB * TIGHT_NB * tsl_type_size(t) + 4096; }

static void open_contexts(tsl_type t)
{
    for (int place = 0; place < PLACES; place++) {
        char spec[64];
        tsl_config cfg = tsl_config_default();
        if (place < PLACES - 2) snprintf(spec, sizeof spec, "%s", place_name[place]);
        else snprintf(spec, sizeof spec, "%.6s,mem=%zu", place_name[place], tight(t));
        cfg.devices = spec;
        tsl_status st = tsl_context_create(&cfg, &context[place]);
        check(!st, "%s: %s", spec, tsl_status_name(st));
    }
    checked("contexts");
}

/* Level 1, level 2 and norms have no tiled form. */
static bool is_tiled(const bench_routine *r) { return r->reference && !r->by_bytes; }

int main(void)
{
    unsigned turn = 0;
    int64_t evictions = 0;
    for (int t = TSL_S; t <= TSL_Z && !tap_failed; t++) {
        open_contexts((tsl_type)t);
        const bench_routine *r;
        for (int i = 0; (r = bench_routine_at(i)) && !tap_failed; i++) {
            sweep s = {.r = r, .type = (tsl_type)t, .turn = turn};
            if (!is_tiled(s.r)) continue;
            run_sweep(&s);
            turn = s.turn;
            evictions += s.evictions;
        }
        for (int place = 0; place < PLACES; place++) tsl_context_destroy(context[place]);
    }
    ok(evictions > 0, "tiles had to leave: %lld times", (long long)evictions);
    return tap_done();
}
