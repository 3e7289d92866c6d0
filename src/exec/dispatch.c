/* The dispatcher: one public operation on views from its checks to its leaves.
 *
 * At level 1 (the caller's own call) operands are checked and brought to the device; deeper calls, made by the blocked
 * algorithms, go straight to the choice between a leaf and an algorithm. The first error inside a call stops all that follows
 * in it. */
#include <string.h>

#include "exec/batch.h"

/* The last outcome is not a small call's, but with the devices. */
static void outcome_here(tsl_context *x) { __atomic_store_n(&x->small_info, -1, __ATOMIC_RELAXED); }

static tsl_status reset_info(tsl_context *x) { return tsl_clear_words(x, x->run->info, sizeof *x->run->info); }

/* The outcome counts columns from this operand's first. It is not 0 before tsl_info_clear, or a leaf, has made it so. */
static void begin_info(tsl_one_run *run, const tsl_call *c)
{
    run->origin = c->v[0].mat;
    run->origin_at = c->v[0].j;
    run->fresh = true;
}

void tsl_clear_outcome(tsl_context *x) { __atomic_store_n(&x->small_info, 0, __ATOMIC_RELAXED); }

/* An operand in the caller's host memory: the call returns when the work is done. */
static bool on_host(const tsl_call *c)
{
    for (int i = 0; i < tsl_ops[c->op].operands; ++i)
        if (!c->v[i].mat->home) return true;
    return false;
}

/* Is all that it writes a copy of the caller's? */
static bool on_copies(const tsl_call *c, const tsl_staging *s)
{
    bool all = true;
    for (int i = 0; i < tsl_ops[c->op].operands; ++i) all &= s->staged[i] || tsl_only_read(c->op, i) || c->v[i].m == 0 || c->v[i].n == 0;
    return all;
}

/* A call the caller made, on checked operands. *intact: it failed, and the caller's operands are as they were */
static tsl_status outermost(tsl_context *x, const tsl_call *given, bool *intact)
{
    tsl_arena *arena = &x->lanes[TSL_MAIN].arena;
    tsl_call c = *given;
    tsl_staging s = {0};
    tsl_one_run run;
    bool waits = on_host(given);
    tsl_call_begin(x, given, &run);
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
    if (!st && tsl_trait(c.op, TSL_HAS_INFO)) begin_info(&run, &c);
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
        if (!part.failed && !part.dry && tsl_is_to_end(x)) part.failed = TSL_ERR_CANCELLED;
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
        else if (met && has_info) st = reset_info(x);
        if (st && has_info) (void)reset_info(x); /* a call that failed has no outcome */
        if (st && st != TSL_ERR_FILE && !(met && st == TSL_ERR_DEVICE_MEMORY)) /* those have their line */
            tsl_refuse(x, given, st, "%s", tsl_status_text(st));
    }
    return tsl_leave(x, st);
}
