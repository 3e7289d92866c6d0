/* The numerical outcomes of calls. That of a call on one device is in the device's memory, at x->run->info; a call that is cut
 * into tasks has a word on each executor. In a region every call with an outcome has a word of its own, and the region's outcome is
 * the first in the order of the program that is not zero. Whoever wants to know an outcome waits. */
#include <string.h>

#include "exec/batch.h"

/* The first outcome that is not zero of the calls from..calls, if *info is zero. An executor's word counts columns of the
 * caller's operand: of those that are set the least is the call's. Nothing runs. */
static tsl_status collect(tsl_context *x, int from, int64_t *info)
{
    const tsl_outcomes *o = &x->outcomes;
    tsl_runtime *rt = x->runtime;
    int64_t words[TSL_INFOS], least[TSL_INFOS];
    int count = o->calls - from;
    size_t bytes = tsl_times((size_t)count, sizeof *words);
    tsl_status st = TSL_OK;
    memcpy(least, o->told + from, bytes);
    for (int s = 0; rt && count && s < rt->sites && !st; ++s)
        for (int e = 0; e < rt->site[s].executors && !st; ++e) {
            tsl_context *on = rt->site[s].executor[e];
            st = on->dev->be->copy2d(on->lanes[TSL_MAIN].q, words, bytes, on->infos + from, bytes, bytes, 1, TSL_TO_HOST);
            if (!st) st = on->dev->be->queue_wait(on->lanes[TSL_MAIN].q); /* draining would keep its error for a later call */
            for (int i = 0; i < count && !st; ++i)
                least[i] = tsl_first_info(least[i], words[i]);
        }
    for (int i = 0; i < count && !st && !*info; ++i) *info = least[i];
    return st;
}

/* Words from..TSL_INFOS, for tasks yet to be submitted */
static tsl_status clear(tsl_context *x, int from)
{
    static const int64_t zeros[TSL_INFOS];
    tsl_runtime *rt = x->runtime;
    size_t bytes = tsl_times((size_t)(TSL_INFOS - from), sizeof *zeros);
    tsl_status st = TSL_OK;
    for (int s = 0; rt && s < rt->sites; ++s)
        for (int e = 0; e < rt->site[s].executors && !st; ++e) {
            tsl_context *on = rt->site[s].executor[e];
            st = on->dev->be->copy2d(on->lanes[TSL_MAIN].q, on->infos + from, bytes, zeros, bytes, bytes, 1, TSL_TO_DEVICE);
        }
    return st;
}

/* Waits for the tasks so far, and adds up the account: the words are free again. */
static tsl_status add_up(tsl_context *x)
{
    tsl_status st = x->runtime ? tsl_runtime_quiet(x->runtime) : TSL_OK;
    if (!st) st = collect(x, 0, &x->outcomes.first);
    x->outcomes.calls = 0;
    return st;
}

tsl_status tsl_outcome_take(tsl_context *x)
{
    tsl_outcomes *o = &x->outcomes;
    tsl_status st = o->calls == TSL_INFOS ? add_up(x) : TSL_OK;
    if (!st && o->calls == 0) st = clear(x, 0);
    if (!st) o->told[o->calls++] = 0;
    return st;
}

void tsl_outcome_drop(tsl_context *x)
{
    int calls = --x->outcomes.calls;
    tsl_status st = calls ? clear(x, calls) : TSL_OK; /* the first word is cleared when it is taken */
    if (st && !x->region_failed) x->region_failed = st;
}

tsl_status tsl_outcomes_end(tsl_context *x, tsl_status st)
{
    tsl_outcomes *o = &x->outcomes;
    int64_t first = o->first;
    if (!o->calls && !first) return st;
    if (!st) st = collect(x, 0, &first);
    if (st) first = 0;
    *o = (tsl_outcomes){0};
    tsl_status put = tsl_copy_word(x, x->run->info, &first, sizeof first, TSL_TO_DEVICE), late = x->dev->be->queue_wait(x->lanes[TSL_MAIN].q);
    return st ? st : put ? put : late;
}

tsl_status tsl_region_info(tsl_context *x, int64_t *info)
{
    const tsl_outcomes *o = &x->outcomes;
    tsl_status st = x->runtime ? tsl_runtime_quiet(x->runtime) : TSL_OK;
    if (x->region_failed) st = x->region_failed;
    if (st || (!o->calls && !o->first)) return st;
    *info = o->first;
    return collect(x, 0, info);
}

/* The call has run; of its own failure it has told itself. */
static tsl_status told(tsl_context *x, const tsl_call *c, tsl_status st)
{
    return st ? tsl_refuse(x, c, st, "its outcome: %s", tsl_status_text(st)) : TSL_OK;
}

/* Other processes take part, and know nothing of the region. What came before is added up, and the call is one outside of it;
 * it is made even if something has failed here, for they wait for it. */
static tsl_status distributed(tsl_context *x, const tsl_call *c, int64_t *value)
{
    tsl_outcomes *o = &x->outcomes;
    tsl_status before = tsl_region_pause(x, true);
    if (!before) before = add_up(x);
    int64_t first = o->first;
    *o = (tsl_outcomes){0};
    x->region = false;
    tsl_status st = tsl_execute(x, c);
    x->region = true;
    if (!st) st = told(x, c, tsl_read_word(x, value, x->run->info, sizeof *value));
    *o = (tsl_outcomes){.first = first || st ? first : *value};
    return st ? st : before;
}

static tsl_status own(tsl_context *x, const tsl_call *c, bool wanted, int64_t *value)
{
    tsl_outcomes *o = &x->outcomes;
    int before = o->calls;
    tsl_status st = tsl_execute(x, c);
    if (st) return st;
    if (o->calls != before) { /* it was cut into tasks */
        if (wanted) st = tsl_runtime_quiet(x->runtime);
        if (wanted && !st) st = collect(x, o->calls - 1, value);
        return told(x, c, st);
    }
    st = tsl_read_word(x, value, x->run->info, sizeof *value);
    if (!st) st = tsl_outcome_take(x);
    if (!st) o->told[o->calls - 1] = *value;
    return told(x, c, st);
}

/* The caller's own call in a region: its outcome is the call's, and one of the region's. */
static tsl_status in_region(tsl_context *x, const tsl_call *c, int64_t *info)
{
    int64_t value = 0;
    tsl_status st = tsl_remote_of(x, c) ? distributed(x, c, &value) : own(x, c, info != NULL, &value);
    if (!st && info) *info = value;
    return st;
}

/* Is it a place in the memory of the device that computes? */
static bool is_there(tsl_context *x, const int64_t *info)
{
    return info && !x->dev->shares_host && tsl_borrow(x, TSL_INDEX, 1, 1, info, 1).home == x->dev;
}

/* The outcome is written there as the call goes on: nobody waits. To whoever asks for the last one it is as of a batch. */
static tsl_status tell_there(tsl_context *x, const tsl_call *c, int64_t *info)
{
    int64_t *own = x->run->info;
    x->run->info = info;
    tsl_status st = tsl_execute(x, c);
    x->run->info = own;
    tsl_clear_outcome(x);
    return st;
}

tsl_status tsl_execute_info(tsl_context *x, const tsl_call *c, int64_t *info)
{
    tsl_status st = tsl_enter(&x);
    if (st) return st;
    if (x->run->level == 0 && tsl_is_batch(c) && c->results)
        return tsl_leave(x, tsl_refuse(x, c, TSL_ERR_LAYOUT, "of a batch it tells no number; its problems, each a view (tsl_problem), can be asked one by one"));
    if (x->run->level == 0 && tsl_is_batch(c)) {
        tsl_results results = {.infos = info};
        tsl_call batch = *c;
        batch.results = &results;
        return tsl_leave(x, tsl_execute(x, &batch));
    }
    bool there = x->run->level == 0 && is_there(x, info);
    if (there && x->region)
        return tsl_leave(x, tsl_refuse(x, c, TSL_ERR_CONTEXT, "between tsl_begin and tsl_wait info must be in host memory"));
    if (x->region && x->run->level == 0) return tsl_leave(x, in_region(x, c, info));
    if (there) return tsl_leave(x, tell_there(x, c, info));
    int64_t value = 0;
    st = tsl_execute(x, c);
    /* not tsl_info: another thread's small call may be the last by now */
    if (!st && info) st = told(x, c, tsl_read_word(x, &value, x->run->info, sizeof value));
    if (!st && info) *info = value;
    return tsl_leave(x, st);
}

/* The outcome so far. All processes of a grid know it; by tiles it is waited for. */
static tsl_status told_so_far(tsl_context *x, tsl_view A, int64_t *info)
{
    *info = 0;
    if (A.mat->remote) return *info = A.mat->remote->info(A), TSL_OK;
    if (!x->run->by_tiles) return tsl_read_word(x, info, x->run->info, sizeof *info);
    tsl_status st = tsl_runtime_quiet(x->runtime);
    return st ? st : collect(x, x->outcomes.calls - 1, info);
}

/* It is another from here on: by tiles instead of the executors' words. */
static tsl_status retell(tsl_context *x, tsl_view A, int64_t info)
{
    int last = x->outcomes.calls - 1;
    if (A.mat->remote) return A.mat->remote->tell(x, A, info), TSL_OK;
    if (!x->run->by_tiles) return tsl_copy_word(x, x->run->info, &info, sizeof info, TSL_TO_DEVICE);
    tsl_status st = clear(x, last);
    if (!st) x->outcomes.told[last] = info;
    return st;
}

static void change(tsl_context *x, tsl_view A, int64_t before, int64_t after, tsl_status st)
{
    if (!st && after != before) st = retell(x, A, after);
    tsl_status late = A.mat->remote || x->run->by_tiles ? TSL_OK : tsl_drain(x); /* the number is this function's */
    if (st || late) x->run->failed = st ? st : late;
}

void tsl_forget(tsl_context *x, tsl_view A)
{
    static const int64_t zero = 0;
    tsl_status st = TSL_OK;
    if (x->run->dry || x->run->failed) return;
    if (A.mat->remote || x->run->by_tiles) {
        if (x->run->by_tiles) st = tsl_runtime_quiet(x->runtime);
        change(x, A, 1, 0, st);
        return;
    }
    st = tsl_copy_word(x, x->run->info, &zero, sizeof zero, TSL_TO_DEVICE);
    if (st) x->run->failed = st;
}

void tsl_count_from(tsl_context *x, tsl_view A, int64_t base)
{
    int64_t info;
    if (x->run->dry || x->run->failed) return;
    if (tsl_in_batch(x)) {
        x->run->failed = tsl_batch_count_from(x, tsl_count_of(x->run->cut), base);
        return;
    }
    tsl_status st = told_so_far(x, A, &info);
    change(x, A, info, info ? info + base : 0, st);
}

void tsl_tell_outcome(tsl_context *x, tsl_view A, int64_t info)
{
    int64_t before;
    if (x->run->dry || x->run->failed) return;
    tsl_status st = told_so_far(x, A, &before);
    change(x, A, before, before ? before : info, st);
}

bool tsl_good_so_far(tsl_context *x)
{
    int64_t info = 0;
    if (x->run->failed) return false;
    if (tsl_in_batch(x)) return x->run->skips = true; /* some may be: the others are left alone */
    if (x->run->dry) return true;
    if (x->run->by_tiles) {
        x->run->failed = tsl_runtime_quiet(x->runtime);
        if (!x->run->failed) x->run->failed = collect(x, x->outcomes.calls - 1, &info);
    } else {
        tsl_status st = tsl_fetch_words(x, &info, x->run->info, sizeof info), late = tsl_drain(x);
        x->run->failed = st ? st : late;
    }
    return !x->run->failed && info == 0;
}

double tsl_largest(tsl_context *x, tsl_structure structure, tsl_view A) { return tsl_size_of(x, TSL_NORM_MAX, structure, A); }

double tsl_size_of(tsl_context *x, tsl_norm_kind kind, tsl_structure structure, tsl_view A)
{
    double value = 1;
    tsl_execute(x, &(tsl_call){.op = TSL_OP_NORM, .norm = {.kind = kind, .structure = structure}, .v = {A}});
    if (x->run->failed || x->run->dry) return value;
    tsl_status st = tsl_fetch_words(x, &value, x->result, sizeof value), late = tsl_drain(x);
    x->run->failed = st ? st : late;
    return value;
}
