/* Sweeps over the routines of the benchmark's table: one case is a routine, type, letters, sizes, scalars, layout, placement
 * and interface. It is judged by its scaled residual, where that is cheap by comparison with a naive reference, and by whether
 * anything was written but what the routine may write. */
#ifndef SWEEP_H
#define SWEEP_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "context.h"
#include "extent.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* The sweep of one routine and type on some devices. */
typedef struct sweep {
    tsl_context *ctx;
    const char *devices;
    const bench_routine *r;
    tsl_type type;
    unsigned turn, ran;
    double worst;
    char failure[400]; /* the first one */
} sweep;

static inline void sweep_describe(sweep *s, const bench_case *c, bench_place place, bench_interface by, const char *what)
{
    if (s->failure[0])
        return;
    char letters[BENCH_FLAGS + 1];
    for (int f = 0; f < BENCH_FLAGS; f++)
        letters[f] = c->flag[f] ? c->flag[f] : '-';
    letters[BENCH_FLAGS] = 0;
    snprintf(s->failure, sizeof s->failure,
             "%s: m=%lld n=%lld k=%lld side,uplo,transa,transb,diag,norm=%s alpha=%g%+gi beta=%g%+gi at (%lld,%lld) pad %lld %s %s",
             what, (long long)c->m, (long long)c->n, (long long)c->k, letters, creal(c->alpha), cimag(c->alpha), creal(c->beta),
             cimag(c->beta), (long long)c->row0, (long long)c->col0, (long long)c->pad,
             place == BENCH_HOST ? "host memory" : "device memory", by == BENCH_TYPED ? "typed" : "views");
}

static inline void sweep_report(sweep *s, const char *whose)
{
    ok(!s->failure[0], "%s%c%s on %s: %u cases, worst %.2g%s%s", whose, tsl_type_letter(s->type), s->r->name, s->devices, s->ran,
       s->worst, s->failure[0] ? "; " : "", s->failure);
}

/* A number below `count` for the turn-th case, the same in every run and independent for different `what`. */
static inline unsigned sweep_pick(unsigned turn, unsigned what, size_t count)
{
    return drawn_by(turn * 8 + what + 1) % (unsigned)count;
}

/* What is wrong with the results of a problem that has run; NULL: nothing. The reference costs m n k operations: it is asked if
 * those are few, else now and then. */
static inline const char *sweep_judge(sweep *s, bench_problem *p)
{
    static char text[96];
    const bench_case *c = &p->c;
    double residual = bench_residual(p), deviation = 0, work = (double)c->m * (double)c->n * (double)c->k;
    const char *where = bench_trespass(p);
    if (work < 5e3 || (work < 4e5 && sweep_pick(s->turn, 6, 16) == 0))
        deviation = bench_deviation(p);
    s->worst = worse(worse(s->worst, residual), deviation);
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

/* The variant of that name if the routine has it */
static inline const char *sweep_variant(const bench_routine *r, const char *name)
{
    const char *v;
    for (int i = 0; (v = bench_variant(r, i)); i++)
        if (!strcmp(v, name))
            return name;
    return "auto";
}

/* Runs c, of which type, letters and sizes are given: scalars, layout (most are sub-matrices), block size (tuned, and small
 * enough that blocked texts take several steps), variant and placement are drawn anew for each turn. */
static inline void sweep_case(sweep *s, bench_case *c, bench_interface by)
{
    static const tsl_scalar scalars[][2] = {
        {1, 0}, {1, 1}, {-0.7 + 0.3 * I, 1}, {-1, 0.6 - 0.8 * I}, {0, 0.5 + 0.25 * I}, {0.3, 0}, {0, 1}, {0, 0}, {1.5, -1},
    };
    static const char *const tiles[][2] = {{"0", "0"}, {"16", "48"}, {"48", "160"}};
    static const char *const variants[] = {"auto", "1", "2", "3", "ahead", "fused", "rec", "mp", "pm", "pp"};
    static const struct {
        int64_t row0, col0, pad;
    } layouts[] = {{0, 0, 0}, {0, 0, 3}, {1, 2, 0}, {3, 1, 5}};
    const unsigned turn = s->turn, layout = sweep_pick(turn, 1, COUNT(layouts));
    const bench_place place = sweep_pick(turn, 5, 2) ? BENCH_DEVICE : BENCH_HOST;
    const bool large = c->m > 128 || c->n > 128 || c->k > 128;
    const char *tile = tiles[sweep_pick(turn, 2, COUNT(tiles))][large];
    const char *variant = sweep_variant(s->r, variants[sweep_pick(turn, 3, COUNT(variants))]);
    bench_problem p;
    c->alpha = scalars[sweep_pick(turn, 0, COUNT(scalars))][0];
    c->beta = scalars[sweep_pick(turn, 0, COUNT(scalars))][1];
    c->row0 = layouts[layout].row0;
    c->col0 = layouts[layout].col0;
    c->pad = layouts[layout].pad;
    c->seed = turn;
    tsl_status st = tsl_set(s->ctx, "tile", tile);
    if (!st)
        st = tsl_set(s->ctx, "variant", variant);
    if (!st)
        st = bench_open(s->ctx, s->r, c, place, &p);
    if (st) {
        sweep_describe(s, c, place, by, tsl_status_name(st));
        return;
    }
    st = bench_restore(&p, place);
    if (!st)
        st = bench_run(&p, by);
    for (int i = 0; i < p.count && !st; i++)
        st = bench_fetch(&p, i);
    const char *wrong = st ? tsl_error(s->ctx) : sweep_judge(s, &p);
    if (wrong)
        sweep_describe(s, &p.c, place, by, wrong);
    s->ran++;
    bench_close(&p);
}

static inline void sweep_first_flags(const sweep *s, bench_interface by, bench_case *c)
{
    for (int f = 0; f < BENCH_FLAGS; f++)
        c->flag[f] = *bench_letters(s->r, s->type, (bench_flag)f, by);
}

/* Counts c's flags through all legal letters; false when all have been seen. */
static inline bool sweep_next_flags(const sweep *s, bench_interface by, bench_case *c)
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

/* Is the routine of this type in the sweep of small sizes? All that have a reference, and of the others, by the residual alone,
 * those of more than a few operations an element: factorizations and spectra. Vectors, bands, packed triangles, norms and
 * batches have tests of their own. */
static inline bool sweep_takes(const bench_routine *r, tsl_type t)
{
    enum { N = 64, FEW = 8 };
    bench_case c = {.type = t, .m = N, .n = N, .k = N};
    for (int f = 0; f < BENCH_FLAGS; f++)
        c.flag[f] = *bench_letters(r, t, (bench_flag)f, BENCH_TYPED);
    return r->reference || (!r->batch_of && bench_has_type(r, t) && bench_flops(r, &c) > (double)FEW * N * N * (bench_is_complex(t) ? 4 : 1));
}

static inline bool sweep_has(const bench_routine *r, tsl_type t, bench_interface by) { return r->reference || (by == BENCH_TYPED ? r->typed[t] != NULL : r->views != NULL); }

/* Calls fn with a context on these devices, unless there are none. */
static inline void sweep_on(const char *devices, void (*fn)(tsl_context *ctx, const char *devices))
{
    tsl_context *ctx = context_on(devices);
    if (ctx) fn(ctx, devices);
    tsl_context_destroy(ctx);
}

#endif
