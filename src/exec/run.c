/* A call on flat operands of its device, which nobody has to check or bring there: by its leaf or by a blocked algorithm. Dry,
 * it only finds out what workspace that takes. */
#include <string.h>

#include "exec/batch.h"

/* Arguments are compared as bytes, and where operands lie */
static bool same_call(const tsl_call *a, const tsl_call *b)
{
    int64_t mine[TSL_ARGUMENT_WORDS], others[TSL_ARGUMENT_WORDS];
    if (a->op != b->op || a->alpha != b->alpha || a->beta != b->beta) return false;
    tsl_argument_words(a, mine), tsl_argument_words(b, others);
    bool same = !memcmp(mine, others, sizeof mine);
    for (int i = 0; same && i < tsl_ops[a->op].operands; ++i) {
        const tsl_view *v = &a->v[i], *w = &b->v[i];
        same = v->mat == w->mat && v->i == w->i && v->j == w->j && v->m == w->m && v->n == w->n && v->op == w->op && v->uplo == w->uplo;
    }
    return same;
}

/* An algorithm may be given once more the call that it is cutting, as one block: its blocks are smaller inside of another. One
 * that is given it again and again would cut it for ever. */
static bool is_endless(const tsl_context *x, const tsl_call *c, tsl_algo algorithm)
{
    enum { OFTEN = 4 };
    int times = 0;
    for (const tsl_one_run *at = x->run; at; at = at->outer) times += at->algorithm == algorithm && same_call(at->cut, c);
    return times >= OFTEN;
}

/* A blocked algorithm, and its workspace taken back. */
tsl_status tsl_run_algorithm(tsl_context *x, const tsl_call *c, tsl_algo algorithm)
{
    tsl_arena *arena = &tsl_current(x)->arena;
    tsl_mark mark = tsl_arena_mark(arena);
    tsl_one_run text;
    int temps = x->temps;
    if (is_endless(x, c, algorithm)) return tsl_refuse(x, c, TSL_ERR_LAYOUT, "its algorithm cannot cut operands that lie like these");
    tsl_run_begin(x, &text);
    text.cut = c;
    text.algorithm = algorithm;
    text.composites += tsl_trait(c->op, TSL_COMPOSITE);
    tsl_status st = algorithm(x, c);
    tsl_part_end(x);
    x->temps = temps;
    tsl_arena_back(arena, mark);
    return x->run->failed ? x->run->failed : st; /* what it says of numbers that were not computed does not count */
}

/* A leaf where there is one for this size and memory for its workspace, else a blocked algorithm; that first if it is better,
 * or asked for by name or by a tile size. */
tsl_status tsl_run_flat(tsl_context *x, const tsl_call *c)
{
    bool before_leaf, begun;
    if (tsl_is_batch(c)) return tsl_batch_run(x, c);
    tsl_algo algorithm = tsl_choose(x, c, &before_leaf);
    tsl_status st = TSL_OK;
    if (tsl_has_leaf(x, c) && !(algorithm && before_leaf)) {
        st = tsl_run_leaf(x, c, &begun);
        if (begun || st != TSL_ERR_DEVICE_MEMORY) return st;
        x->run->frugal = true;
        if (tsl_has_leaf(x, c) || !algorithm) return st;
    }
    st = tsl_info_clear(x, c);
    return st ? st : algorithm ? tsl_run_algorithm(x, c, algorithm) : TSL_ERR_DEVICE;
}

void tsl_by(tsl_context *x, const tsl_call *c, tsl_algo algorithm)
{
    tsl_one_run part;
    tsl_run_begin(x, &part);
    ++part.level;
    tsl_status st = part.failed || tsl_is_trivial(c) ? TSL_OK : tsl_run_algorithm(x, c, algorithm);
    if (!part.failed) part.failed = st;
    tsl_part_end(x);
}

void tsl_call_begin(tsl_context *x, const tsl_call *c, tsl_one_run *run)
{
    tsl_run_begin(x, run);
    run->level = 1;
    run->failed = TSL_OK;
    run->lane = TSL_MAIN;
    run->takes_pivots = tsl_takes_pivots(c);
}

/* What the runtime asks of an executor: a call on operands in its device's memory, and before it, room for its workspace. */
tsl_status tsl_compute(tsl_context *x, const tsl_call *c)
{
    tsl_one_run run;
    tsl_enter_own(x);
    tsl_call_begin(x, c, &run);
    tsl_status st = tsl_run_flat(x, c);
    if (!st) st = run.failed;
    tsl_run_end(x);
    return tsl_leave(x, st);
}

void tsl_dry_begin(tsl_context *x, tsl_one_run *run)
{
    tsl_run_begin(x, run);
    run->dry = true;
    run->fresh = false;
    for (int l = 0; l < TSL_LANES; ++l) {
        x->lanes[l].arena.dry = true;
        x->lanes[l].arena.dry_top = x->lanes[l].arena.dry_peak = 0;
    }
}

void tsl_dry_end(tsl_context *x, size_t bytes[TSL_LANES])
{
    tsl_run_end(x);
    for (int l = 0; l < TSL_LANES; ++l) {
        x->lanes[l].arena.dry = false;
        bytes[l] = x->lanes[l].arena.dry_peak;
    }
}

tsl_status tsl_workspace_of(tsl_context *x, const tsl_call *c, size_t bytes[TSL_LANES])
{
    tsl_one_run run;
    tsl_dry_begin(x, &run);
    tsl_status st = tsl_compute(x, c);
    tsl_dry_end(x, bytes);
    return st;
}

tsl_status tsl_reserve(tsl_context *x, const tsl_call *c)
{
    size_t bytes[TSL_LANES];
    x->run->frugal = false;
    x->host_need = 0;
    tsl_status st = tsl_workspace_of(x, c, bytes);
    if (!st) st = tsl_reserve_host(x);
    for (int l = 0; l < TSL_LANES && !st; ++l) st = tsl_arena_reserve(&x->lanes[l].arena, bytes[l]);
    return st;
}
