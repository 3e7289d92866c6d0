/* The dispatcher: one public operation on views from its checks to its leaves.
 *
 * At level 1 (the caller's own call) operands are checked and brought to the device; deeper calls, made by the blocked
 * algorithms, go straight to the choice between a leaf and an algorithm. The first error inside a call stops all that follows
 * in it. */
#include <string.h>

#include "exec/batch.h"

static int64_t order(const tsl_call *c) { return tsl_rule[c->op]->order ? tsl_rule[c->op]->order(c) : 0; }

/* Does the backend have a leaf for the call? Those of composites are for small calls; a few know views, unless a variant of a
 * part is asked for. */
static bool fits(const tsl_context *x, const tsl_call *c)
{
    const tsl_kernel_entry *k = x->dev->be->kernels[c->op];
    const tsl_rules *r = tsl_rule[c->op];
    int variant;
    if (!k->fn[tsl_kernel_type(c->v[0].mat->type)] || r->leaf_for_small || (r->has_leaf && !r->has_leaf(c))) return false;
    if (tsl_trait(c->op, TSL_COMPOSITE) && !tsl_find_variant(c->op, x->variant, &variant)) return false;
    if (k->limit == 0 || order(c) <= k->limit) return true;
    if (!r->width || r->width(c) > k->skinny || x->run->frugal) return false;
    return !tsl_trait(c->op, TSL_SHAPED) || order(c) <= tsl_leaf_block(x, c); /* of others a tile is that of the algorithms */
}

int64_t tsl_leaf_order(tsl_context *x, const tsl_call *c)
{
    int64_t limit = x->dev->be->kernels[c->op]->limit;
    return limit && !tsl_remote_of(x, c) ? limit : order(c);
}

int64_t tsl_place_order(tsl_context *x, const tsl_call *c, int64_t alone)
{
    int64_t limit = x->dev->be->kernels[c->op]->limit;
    if (!c->v[0].mat->tiles && !tsl_remote_of(x, c)) return alone;
    return limit ? tsl_min(limit, tsl_panel(x, c)) : tsl_panel(x, c);
}

int64_t tsl_leaf_whole(tsl_context *x, const tsl_call *c)
{
    const tsl_kernel_entry *k = x->dev->be->kernels[c->op];
    return k->limit && !tsl_remote_of(x, c) && !x->run->frugal ? k->skinny : 0;
}

/* All that is written is empty; of an operation that only reads, its last operand; and where there is an outcome, what that is
 * about. */
bool tsl_is_trivial(const tsl_call *c)
{
    int out = tsl_output(c->op);
    bool empty = !tsl_trait(c->op, TSL_HAS_INFO) || c->v[0].m == 0 || c->v[0].n == 0;
    for (int i = 0; i < tsl_ops[c->op].operands; ++i)
        if (i == out || !tsl_only_read(c->op, i)) empty &= c->v[i].m == 0 || c->v[i].n == 0;
    return empty || (tsl_rule[c->op]->idle && tsl_rule[c->op]->idle(c));
}

tsl_status tsl_launch(tsl_context *x, tsl_kernel fn, const tsl_leaf *l)
{
    return x->run->dry ? TSL_OK : x->dev->be->launch(tsl_current(x)->q, fn, l);
}

int64_t tsl_info_base(const tsl_context *x, const tsl_view *v) { return v->mat == x->run->origin ? v->j - x->run->origin_at : 0; }

bool *tsl_computes(void)
{
    static _Thread_local bool begun;
    return &begun;
}

void tsl_count_launch(tsl_context *x)
{
    __atomic_fetch_add(&x->count.launches, 1, __ATOMIC_RELAXED); /* an executor's are read while tasks run */
    *tsl_computes() = true;
}

/* What the leaf needs, and what it may have to be faster: that is not to be much of the device's memory, which the caller may
 * want. Where room is counted beforehand, in dry runs and for tasks by tiles, it is without. */
static tsl_status take_workspace(tsl_context *x, const tsl_kernel_entry *k, tsl_leaf *l)
{
    tsl_arena *arena = &tsl_current(x)->arena;
    enum { SHARE = 16 };
    size_t bytes = k->workspace(l);
    l->frugal = x->run->frugal || x->parent || x->run->dry || bytes > tsl_device_room(x->dev) / SHARE;
    if (l->frugal) bytes = k->workspace(l);
    tsl_status st = bytes ? tsl_arena_get(arena, bytes, &l->work) : TSL_OK;
    if (st != TSL_ERR_DEVICE_MEMORY || l->frugal) return st;
    l->frugal = true;
    size_t less = k->workspace(l);
    return less == bytes ? st : less ? tsl_arena_get(arena, less, &l->work) : TSL_OK;
}

/* *begun: it had its workspace, and may have changed its operands */
static tsl_status run_leaf(tsl_context *x, const tsl_call *c, bool *begun)
{
    const tsl_kernel_entry *k = x->dev->be->kernels[c->op];
    tsl_lane *lane = tsl_current(x);
    tsl_mark mark = tsl_arena_mark(&lane->arena);
    tsl_leaf leaf = {.op = c->op, .type = tsl_kernel_type(c->v[0].mat->type), .info = x->run->info, .info_base = tsl_info_base(x, &c->v[0]),
                     .result = c->numbered ? tsl_at(&c->v[tsl_ops[c->op].operands]) : x->result, .products = x->run->products, .shape = tsl_leaf_shape(x, c)};
    if (x->run->takes_pivots) leaf.fault = x->fault;
    tsl_status st = tsl_canonical(x, c, &leaf);
    if (!st && k->workspace) st = take_workspace(x, k, &leaf);
    *begun = !st;
    if (!st && !x->run->dry) *tsl_computes() = true; /* also where it ends half-way */
    if (!st) st = tsl_launch(x, k->fn[leaf.type], &leaf);
    if (st == TSL_ERR_OVERFLOW && x->dev->be->counts_to)
        st = tsl_fail(x, st, "more than %lld rows or columns, which the host library cannot count; TESELA_HOST_BLAS may name one that has 64-bit integers",
                      (long long)x->dev->be->counts_to());
    if (!st && !x->run->dry) tsl_count_launch(x);
    if (!st && !x->run->dry && leaf.fault && x->run->takes_pivots && x->dev->be->accelerator) x->faults = true;
    if (!st && !x->run->dry && x->watch.on) {
        tsl_watch_leaf(x, tsl_work_of(c));
        tsl_watch_tell(x, false);
    }
    tsl_arena_back(&lane->arena, mark);
    return st;
}

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

void *tsl_number_at(const tsl_context *x)
{
    const tsl_call *c = x->run->cut;
    return c && c->numbered ? tsl_at(&c->v[tsl_ops[c->op].operands]) : x->result;
}

bool tsl_in_batch(const tsl_context *x) { return x->run->cut && tsl_is_batch(x->run->cut); }

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
    if (fits(x, c) && !(algorithm && before_leaf)) {
        tsl_status st = run_leaf(x, c, &begun);
        if (begun || st != TSL_ERR_DEVICE_MEMORY) return st;
        x->run->frugal = true;
        if (fits(x, c) || !algorithm) return st;
    }
    return algorithm ? tsl_run_algorithm(x, c, algorithm) : TSL_ERR_DEVICE;
}

tsl_status tsl_leaf_of(tsl_context *x, const tsl_call *c)
{
    bool begun;
    return run_leaf(x, c, &begun);
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

/* The last outcome is not a small call's, but with the devices. */
static void outcome_here(tsl_context *x) { __atomic_store_n(&x->small_info, -1, __ATOMIC_RELAXED); }

static tsl_status reset_info(tsl_context *x, const tsl_call *c)
{
    static const int64_t zero = 0;
    x->run->origin = c->v[0].mat;
    x->run->origin_at = c->v[0].j;
    return x->dev->be->copy2d(x->lanes[TSL_MAIN].q, x->run->info, sizeof zero, &zero, sizeof zero, sizeof zero, 1, TSL_TO_DEVICE);
}

tsl_status tsl_clear_outcome(tsl_context *x, const tsl_call *c)
{
    outcome_here(x);
    return reset_info(x, c);
}

/* An operand in the caller's host memory: the call returns when the work is done. */
static bool on_host(const tsl_call *c)
{
    for (int i = 0; i < tsl_ops[c->op].operands; ++i)
        if (!c->v[i].mat->home) return true;
    return false;
}

bool tsl_takes_pivots(const tsl_call *c)
{
    int i = 0;
    while (i < tsl_ops[c->op].operands && !(tsl_ops[c->op].operand[i].element == TSL_OF_INDEX && tsl_only_read(c->op, i))) ++i;
    return i < tsl_ops[c->op].operands;
}

/* Is all that it writes a copy of the caller's? */
static bool on_copies(const tsl_call *c, const tsl_staging *s)
{
    bool all = true;
    for (int i = 0; i < tsl_ops[c->op].operands; ++i) all &= s->staged[i] || tsl_only_read(c->op, i) || c->v[i].m == 0 || c->v[i].n == 0;
    return all;
}

/* A call that begins on this context: level 1, on the main lane */
static void begin_call(tsl_context *x, const tsl_call *c, tsl_one_run *run)
{
    tsl_run_begin(x, run);
    run->level = 1;
    run->failed = TSL_OK;
    run->lane = TSL_MAIN;
    run->takes_pivots = tsl_takes_pivots(c);
}

/* A call the caller made, on checked operands. *intact: it failed, and the caller's operands are as they were */
static tsl_status outermost(tsl_context *x, const tsl_call *given, bool *intact)
{
    tsl_arena *arena = &x->lanes[TSL_MAIN].arena;
    tsl_call c = *given;
    tsl_staging s = {0};
    tsl_one_run run;
    bool waits = on_host(given);
    begin_call(x, given, &run);
    /* it is read while the call is made: not before what the caller has on the main lane, which may write it */
    tsl_status st = waits && !x->dev->shares_host && (x->follows || x->exposed) ? tsl_drain(x) : TSL_OK;
    tsl_head(x->lanes[TSL_MAIN].q)->inline_calls = waits;
    if (!st) st = tsl_make_room_for_one(x, &c);
    if (!st) st = tsl_stage_in(x, &c, &s);
    if (st == TSL_ERR_DEVICE_MEMORY && x->dev->limit == SIZE_MAX) { /* workspace of earlier calls may be in the way */
        tsl_trim(x);
        c = *given;
        st = tsl_stage_in(x, &c, &s);
    }
    *intact = st || on_copies(&c, &s);
    if (!st && tsl_trait(c.op, TSL_HAS_INFO)) st = reset_info(x, &c);
    if (!st && c.unit) st = tsl_execute(x, &(tsl_call){.op = TSL_OP_LASET, .beta = 1, .v = {c.v[c.unit - 1]}});
    if (!st) st = tsl_run_flat(x, &c);
    if (!st) st = run.failed;
    if (!st) *intact = false;
    if (!st) st = tsl_stage_out(x, &c, &s);
    tsl_head(x->lanes[TSL_MAIN].q)->inline_calls = false;
    tsl_run_end(x);
    if (waits || st) {
        tsl_watch_rest(x);
        tsl_status late = tsl_drain(x);
        x->pending = TSL_OK;
        if (!st) st = late;
        tsl_watch_settle(x);
        tsl_watch_tell(x, true);
    }
    tsl_arena_back(arena, (tsl_mark){0});
    if (waits) tsl_keep_little(x);
    return st;
}

/* In one piece, if that was the choice. Memory that nobody counts (other processes', the vendor's libraries') may be missing in
 * the midst of it: then by tiles, unless an operand was changed. */
static tsl_status one_or_tiles(tsl_context *x, const tsl_call *c, bool may_tile)
{
    bool intact;
    tsl_status st = outermost(x, c, &intact);
    if (st != TSL_ERR_DEVICE_MEMORY) return st;
    if (!may_tile || !intact) return tsl_tell_one(x, c);
    tsl_trim(x);
    return tsl_by_tiles.call(x, c);
}

bool tsl_is_tiled(const tsl_call *c)
{
    for (int i = 0; i < tsl_ops[c->op].operands; ++i)
        if (c->v[i].mat->tiles) return true;
    return false;
}

/* What the runtime asks of an executor: a call on operands in its device's memory, and before it, room for its workspace. */
tsl_status tsl_compute(tsl_context *x, const tsl_call *c)
{
    tsl_one_run run;
    tsl_enter_own(x);
    begin_call(x, c, &run);
    tsl_status st = tsl_run_flat(x, c);
    if (!st) st = run.failed;
    tsl_run_end(x);
    return tsl_leave(x, st);
}

void tsl_dry_begin(tsl_context *x, tsl_one_run *run)
{
    tsl_run_begin(x, run);
    run->dry = true;
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

/* To conjugate what is real is to do nothing: whoever asks for an op, however, sees none. One that there is not stays as it
 * is. */
static tsl_op plain_op(tsl_op op, const tsl_matrix *a)
{
    return a && !tsl_is_complex(a->type) && (unsigned)op <= TSL_HERM ? op & TSL_TRANS : op;
}

static tsl_call with_plain_ops(const tsl_call *given)
{
    tsl_call c = *given;
    c.trans = plain_op(c.trans, c.v[0].mat);
    for (int i = 0; i < tsl_ops[c.op].operands; ++i) c.v[i].op = plain_op(c.v[i].op, c.v[i].mat);
    return c;
}

/* All that is checked of a call of the caller's own, before anything is written; contents: pivots too. *c: what it comes to;
 * *some: there is something to compute */
static tsl_status accept(tsl_context *x, const tsl_call *given, bool contents, tsl_call *c, bool *some, tsl_decision *d)
{
    tsl_status st = tsl_check_operands(x, given);
    if (!st) st = tsl_rule[given->op]->check(x, given);
    if (st) return st;
    *c = tsl_simplified(given);
    *some = !tsl_is_trivial(c);
    *d = *some && !tsl_is_tiled(c) ? tsl_by_tiles.decide(x, c) : (tsl_decision){.path = *some ? TSL_BY_TILES : TSL_BY_ONE};
    st = tsl_check_variant(x, given, NULL, "");
    if (!st) st = tsl_check_shape(x, given);
    if (!st && d->path == TSL_BY_TILES) st = tsl_check_variant(x, c, tsl_by_tiles.takes, " by tiles");
    if (!st && *some) st = tsl_check_apart(x, c, tsl_locate_here);
    if (!st && *some && contents && tsl_rule[c->op]->indices) st = tsl_rule[c->op]->indices(x, c);
    return st;
}

tsl_status tsl_check_call(tsl_context *x, const tsl_call *asked, bool contents)
{
    tsl_matrix picked[TSL_MAX_OPERANDS];
    tsl_call outer = with_plain_ops(asked), c;
    bool some;
    tsl_decision d;
    if (x->run->level > 0) return TSL_OK; /* an algorithm's */
    const tsl_remote_ops *remote = tsl_remote_of(x, &outer);
    if (remote) return remote->check(x, &outer);
    tsl_status st = tsl_need_problems(x, &outer, picked);
    return st ? st : accept(x, &outer, contents, &c, &some, &d);
}

tsl_status tsl_execute(tsl_context *x, const tsl_call *asked)
{
    tsl_status st = tsl_enter(&x);
    if (st) return st;
    tsl_call outer;
    const tsl_call *given = asked;
    if (x->run->level == 0) outer = with_plain_ops(asked), given = &outer;
    tsl_matrix picked[TSL_MAX_OPERANDS];
    if (x->run->level == 0) st = tsl_pick_problems(x, &outer, picked);
    if (st) return tsl_leave(x, st);
    if (x->run->level == 0 && tsl_is_batch(given)) return tsl_leave(x, tsl_batch_call(x, given));
    const tsl_remote_ops *remote = tsl_remote_of(x, given);
    if (remote) {
        st = remote->execute(x, given);
        if (!st && tsl_trait(given->op, TSL_HAS_INFO)) outcome_here(x);
        return tsl_leave(x, st);
    }
    if (x->run->level > 0) {
        tsl_call c = tsl_simplified(given);
        tsl_one_run part;
        tsl_run_begin(x, &part);
        ++part.level;
        if (!part.failed && !part.dry && tsl_is_cancelled(x)) part.failed = TSL_ERR_CANCELLED;
        if (!part.failed && !tsl_is_trivial(&c)) {
            st = c.v[0].mat->tiles ? tsl_by_tiles.run(x, &c) : tsl_run_flat(x, &c);
            if (!part.failed) part.failed = st;
        }
        tsl_part_end(x);
        return tsl_leave(x, part.failed);
    }
    tsl_call c;
    tsl_decision d;
    bool some;
    st = accept(x, given, true, &c, &some, &d);
    if (!st) {
        bool has_info = tsl_trait(c.op, TSL_HAS_INFO);
        if (has_info) outcome_here(x);
        if (some && tsl_is_cancelled(x)) st = x->region && !x->region_failed ? (x->region_failed = TSL_ERR_CANCELLED) : TSL_ERR_CANCELLED;
        if (!st && x->region) st = tsl_region_meet(x, &c);
        bool met = !st;
        if (met && some && x->watch.on) tsl_watch_call(x, tsl_work_of(&c));
        if (met && some) st = d.path == TSL_BY_TILES ? tsl_by_tiles.call(x, &c) : one_or_tiles(x, &c, d.chosen);
        else if (met && has_info) st = reset_info(x, &c);
        if (st && has_info) (void)reset_info(x, &c); /* a call that failed has no outcome */
        if (st && st != TSL_ERR_FILE && !(met && st == TSL_ERR_DEVICE_MEMORY)) /* those have their line */
            tsl_refuse(x, given, st, "%s", tsl_status_text(st));
    }
    return tsl_leave(x, st);
}
