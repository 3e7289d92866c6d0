/* The caller's own call on batches: how it is cut, between devices and where memory is short. All memory is there before
 * anything is written. */
#include <string.h>

#include "exec/batch.h"

/* A part of the batch on one device, in the order of its queues. */
typedef struct portion {
    tsl_context *on;
    int64_t most; /* problems at a time; 0: there is no room for one */
    tsl_call c;
    tsl_matrix mat[TSL_MAX_OPERANDS];
    tsl_batch_staging s;
    int64_t *infos, count, *out; /* the infos here, how many they are, and where the caller wants them */
    tsl_device *back;            /* whose memory that is; NULL: the host's */
    tsl_status st;
} portion;

static int64_t *infos_of(const tsl_call *c) { return c->results ? c->results->infos : NULL; }

/* Where the caller wants infos; NULL: in the host's memory, or nowhere. To ask takes as long as small problems do: once a
 * call. */
static tsl_device *home_of_infos(tsl_context *x, const tsl_call *c)
{
    if (!infos_of(c)) return NULL;
    return tsl_borrow(x, TSL_INDEX, tsl_count_of(c), 1, infos_of(c), tsl_max(1, tsl_count_of(c))).home;
}

/* Memory of x's device for operands, and for infos if the caller has none there. The host's leaf says in these which problems
 * it has left. */
static tsl_status take(portion *p)
{
    tsl_context *on = p->on;
    void *infos = NULL;
    tsl_status st = tsl_batch_stage_take(on, &p->c, &p->s);
    bool has = tsl_trait(p->c.op, TSL_HAS_INFO) || !on->dev->be->accelerator || p->out;
    if (p->out && p->back == on->dev && on->dev->be->accelerator) infos = p->out;
    else if (!st && has) st = tsl_arena_get(&on->lanes[TSL_MAIN].arena, tsl_times((size_t)p->count, sizeof *p->infos), &infos);
    p->infos = infos;
    return st;
}

static tsl_status run(portion *p)
{
    tsl_context *on = p->on;
    tsl_one_run run;
    tsl_run_begin(on, &run);
    run.failed = TSL_OK;
    run.lane = TSL_MAIN;
    run.level = 1;
    if (p->infos) run.info = p->infos, run.fresh = true;
    run.skips = false;
    run.heeds = on->parent;
    run.origin = p->c.v[0].mat;
    run.origin_at = p->c.v[0].j;
    run.takes_pivots = tsl_takes_pivots(&p->c);
    tsl_status st = tsl_batch_run(on, &p->c);
    if (!st) st = run.failed;
    tsl_run_end(on);
    on->run->frugal = run.frugal; /* as much memory is there for the next problems */
    return st;
}

static void set(portion *p, const tsl_call *c, int64_t at, int64_t count)
{
    p->count = count;
    p->out = infos_of(c) ? infos_of(c) + at : NULL;
    p->c = tsl_problems_of(c, at, count, p->mat);
}

/* Written operands and infos go back; all has been done then, unless everything is in the device's memory. */
static tsl_status end(portion *p, bool waits)
{
    tsl_context *on = p->on;
    tsl_status st = p->st;
    if (!st) st = tsl_batch_stage_out(on, &p->c, &p->s);
    bool waited = false;
    if (!st && p->out && p->infos && p->infos != p->out) {
        size_t bytes = tsl_times((size_t)p->count, sizeof *p->infos);
        tsl_move m = {p->out, bytes, p->infos, bytes, bytes, 1};
        bool words = !p->back && !on->dev->shares_host;
        st = tsl_computed(on, p->back);
        if (!st) st = words ? tsl_fetch_words(on, p->out, p->infos, bytes) : tsl_carry(on, p->back, &m, true);
        tsl_status late = tsl_carried(on, p->back);
        if (!st) st = late;
        waited = words;
        if (words) tsl_count_move(&on->count, TSL_TO_HOST, bytes);
    }
    if (waits || st) {
        tsl_status late = waited ? tsl_drain_rest(on) : tsl_drain(on);
        on->pending = TSL_OK; /* it is told now, once */
        if (!st) st = late;
    }
    tsl_arena_back(&on->lanes[TSL_MAIN].arena, (tsl_mark){0});
    return st;
}

/* Is an operand elsewhere than in the memory of the first device? */
static bool is_elsewhere(const tsl_context *x, const tsl_call *c)
{
    bool some = false;
    for (int i = 0; i < tsl_operands(c); ++i) some |= !c->v[i].mat->home || c->v[i].mat->home != x->dev;
    return some;
}

/* Is it the host's cores'? On an H200 such a problem takes about 120 us times its order, on a core some 12 ns times the third
 * power of that. */
static bool goes_to_cores(const tsl_context *x, const tsl_call *c)
{
    const tsl_rules *r = tsl_rule[c->op];
    if (!r->batch_on_cores || x->dev->shares_host) return false;
    int64_t n = r->order(c), count = tsl_count_of(c), cores = tsl_blas_cores();
    bool shared = count >= cores || n < tsl_tuned_for(false, TSL_TUNED_BATCH_ALONE_FROM);
    return shared && n * n <= 10000 * count / tsl_pieces(count, cores);
}

enum { BESIDE = 4, PLENTY = 64, ON_CORES = 1 << 28 }; /* ON_CORES: bytes of copies for them */

/* Problems that fit a device at once, with what algorithms need beside them */
static int64_t most_on(tsl_context *x, tsl_device *dev, const tsl_call *c)
{
    if (dev->shares_host && !x->dev->shares_host) return tsl_max(1, ON_CORES / (int64_t)(tsl_batch_stage_bytes(c) + 1));
    size_t each = tsl_times(tsl_batch_stage_bytes(c) + sizeof(int64_t), BESIDE), room = tsl_room(x, dev, false);
    return dev->shares_host && dev->limit == SIZE_MAX ? INT64_MAX : tsl_max(1, (int64_t)(room / each));
}

/* Where memory cannot be the problem nothing is counted. */
static bool is_plenty(const portion *p, const tsl_call *c, int64_t count)
{
    const tsl_device *dev = p->on->dev;
    if (dev->shares_host && dev->limit == SIZE_MAX) return true;
    size_t room = tsl_device_room(dev), used = __atomic_load_n(&dev->used, __ATOMIC_RELAXED);
    size_t bytes = tsl_plus(tsl_times(tsl_batch_stage_bytes(c) + sizeof(int64_t), (size_t)count), PLENTY * TSL_WORKSPACE_ALIGN);
    return used < room && bytes <= (room - used) / PLENTY;
}

/* What a portion needs of its device, found by a dry run, is there from now on. */
static tsl_status reserve(portion *p)
{
    tsl_context *on = p->on;
    portion dry = *p;
    for (int i = 0; i < tsl_operands(&p->c); ++i)
        if (p->c.v[i].mat == &p->mat[i]) dry.c.v[i].mat = &dry.mat[i];
    tsl_one_run counts;
    size_t need[TSL_LANES];
    on->host_need = 0;
    tsl_dry_begin(on, &counts);
    tsl_status st = take(&dry);
    if (!st) st = run(&dry);
    tsl_dry_end(on, need);
    on->run->frugal = counts.frugal;
    bool there = true;
    for (int l = 0; l < TSL_LANES; ++l) there &= tsl_arena_has(&on->lanes[l].arena, need[l]);
    if (!there) (void)tsl_drain(on); /* what is exchanged for more may be in use; an error stays for tsl_wait */
    if (!st) st = tsl_reserve_host(on);
    for (int l = 0; l < TSL_LANES && !st; ++l) st = tsl_arena_reserve(&on->lanes[l].arena, need[l]);
    return st;
}

/* Memory for up to `most` problems: where it is short for fewer, and for none if one is too much. */
static tsl_status prepare(portion *p, const tsl_call *c, int64_t most, bool counts)
{
    for (p->most = most; p->most; p->most /= 2) {
        set(p, c, 0, p->most);
        tsl_status st = !counts && is_plenty(p, c, p->most) ? TSL_OK : reserve(p);
        if (!st) st = tsl_batch_stage_open(p->on, &p->c, &p->s);
        if (st != TSL_ERR_DEVICE_MEMORY) return st;
    }
    return TSL_OK;
}

static tsl_status compute(portion *p)
{
    tsl_status st = tsl_batch_stage_in(p->on, &p->c, &p->s);
    return st ? st : run(p);
}

/* Is all that it writes a copy of the caller's? */
static bool on_copies(const portion *p)
{
    bool all = true;
    for (int i = 0; i < tsl_operands(&p->c); ++i) all &= p->s.staged[i] || !tsl_writes(&p->c, i);
    return all;
}

/* One round: the devices that have room take problems in turn, from *at on; all memory first. If one of them fails, no copy
 * goes back. *intact: it has failed, and changed nothing of the caller's */
static tsl_status go_round(tsl_context *x, portion *part, int parts, const tsl_call *c, int64_t *at, bool waits, bool *intact)
{
    int64_t count = tsl_count_of(c), from = *at;
    tsl_status st = TSL_OK;
    *tsl_computes() = false;
    for (int d = 0; d < parts; ++d) {
        set(&part[d], c, from, st ? 0 : tsl_min(part[d].most, count - from));
        if (!part[d].count) continue;
        st = take(&part[d]);
        from += part[d].count;
    }
    waits |= from - *at < count;
    for (int d = 0; d < parts; ++d) {
        if (!st && tsl_is_cancelled(x)) st = TSL_ERR_CANCELLED;
        if (!st && part[d].count) st = compute(&part[d]);
    }
    *intact = st != TSL_OK;
    for (int d = 0; d < parts; ++d) *intact &= !part[d].count || !*tsl_computes() || on_copies(&part[d]);
    for (int d = 0; d < parts; ++d) {
        part[d].st = st;
        if (!part[d].count) continue;
        tsl_status ended = end(&part[d], waits);
        if (!st) st = ended;
    }
    *at = from;
    return st;
}

static tsl_status tell_room(tsl_context *x, const tsl_call *c)
{
    return tsl_refuse(x, c, TSL_ERR_DEVICE_MEMORY, "a problem and what it needs beside, %zu bytes or more, has no room on any device; %zu are free on device 0 (%s)",
                      tsl_batch_stage_bytes(c), tsl_room(x, x->dev, false), x->dev->name);
}

/* counts: even where there seems to be plenty of memory it is counted, and is there before anything is computed. *less: some
 * device has less room than it could use */
static tsl_status prepare_all(tsl_context *x, portion *part, int parts, const tsl_call *c, bool counts, bool *less)
{
    int64_t each = tsl_pieces(tsl_count_of(c), parts);
    tsl_status st = TSL_OK;
    *less = false;
    for (int d = 0; d < parts && !st; ++d) {
        portion *p = &part[d];
        int64_t most = tsl_min(each, most_on(x, p->on->dev, c));
        tsl_batch_stage_close(p->on, &p->s);
        st = prepare(p, c, most, counts);
        *less |= p->most < most;
    }
    return st;
}

/* The devices have the problems in turn, as many at a time as there is room for. */
static tsl_status in_turn(tsl_context *x, portion *part, int parts, const tsl_call *c, bool waits, bool counts, bool *again)
{
    int64_t count = tsl_count_of(c), at = 0, most = 0;
    bool less, intact = true;
    *again = false;
    tsl_status st = prepare_all(x, part, parts, c, counts, &less);
    if (less && !st) { /* what earlier calls keep may be in the way */
        tsl_trim(x);
        st = prepare_all(x, part, parts, c, counts, &less);
    }
    for (int d = 0; d < parts && !st; ++d) most = tsl_max(most, part[d].most);
    if (!st && !most) return tell_room(x, c);
    while (at < count && !st) {
        bool first = at == 0;
        st = go_round(x, part, parts, c, &at, waits, &intact);
        *again = st == TSL_ERR_DEVICE_MEMORY && first && intact && !counts;
    }
    return st && !*again ? tsl_refuse(x, c, st, "%s", tsl_status_text(st)) : st;
}

/* cores: it is theirs, by an executor of the host's */
static tsl_status share(tsl_context *x, const tsl_call *c, tsl_device *infos, bool waits, bool cores)
{
    int parts = cores ? 1 : x->device_count;
    size_t bytes = tsl_times((size_t)parts, sizeof(portion));
    portion *part = tsl_host_alloc(&x->allocator, bytes);
    bool again;
    tsl_runtime *rt = NULL;
    tsl_status st = !part ? TSL_ERR_MEMORY : parts > 1 || cores ? tsl_by_tiles.runtime(x, &rt) : TSL_OK;
    if (!st && cores) st = tsl_runtime_host(rt);
    if (st) return tsl_host_free(&x->allocator, part, bytes), tsl_refuse(x, c, st, "%s", tsl_status_text(st));
    for (int d = 0; d < parts; ++d) {
        part[d].on = rt ? rt->site[cores ? rt->host_site : d].executor[0] : x;
        part[d].back = infos;
        tsl_enter_own(part[d].on);
        part[d].on->run->products = x->run->products;
        part[d].on->run->frugal = false;
    }
    st = in_turn(x, part, parts, c, waits || parts > 1, false, &again);
    if (again) { /* memory that nobody counts, as other processes', was missing */
        (void)tsl_drain(x);
        x->pending = TSL_OK;
        tsl_trim(x);
        st = in_turn(x, part, parts, c, waits || parts > 1, true, &again);
    }
    for (int d = parts - 1; d >= 0; --d) {
        tsl_batch_stage_close(part[d].on, &part[d].s);
        if (cores) tsl_keep_little(part[d].on);
        tsl_leave(part[d].on, TSL_OK);
    }
    tsl_host_free(&x->allocator, part, bytes);
    return st;
}

/* There was nothing to do: all infos are 0. */
static tsl_status none_failed(tsl_context *x, const tsl_call *c)
{
    size_t bytes = tsl_times((size_t)tsl_count_of(c), sizeof(int64_t));
    tsl_device *home = home_of_infos(x, c);
    if (!home) return memset(infos_of(c), 0, bytes), TSL_OK;
    void *zeros = tsl_host_alloc(&x->allocator, bytes);
    tsl_queue *q;
    tsl_status st = zeros ? tsl_carrier(x, home, &q) : TSL_ERR_MEMORY;
    if (!st) st = tsl_head(q)->dev->be->copy2d(q, infos_of(c), bytes, zeros, bytes, bytes, 1, TSL_TO_DEVICE);
    tsl_status late = st ? st : tsl_head(q)->dev->be->queue_wait(q);
    tsl_host_free(&x->allocator, zeros, bytes);
    return st ? st : late;
}

/* Arrays of pointers in a device's memory come to the host where another device has to go by them, or several have, or `all`
 * must. copied: for the caller to free, also after a failure */
static tsl_status bring_pointers(tsl_context *x, tsl_call *c, bool all, tsl_matrix mat[TSL_MAX_OPERANDS],
                                 void **copied[TSL_MAX_OPERANDS])
{
    tsl_status st = TSL_OK;
    for (int i = 0; i < tsl_operands(c) && !st; ++i) {
        const tsl_matrix *a = c->v[i].mat;
        bool wanted = all || x->device_count > 1 || tsl_is_staged(x, &c->v[i]);
        if (!tsl_is_all(&c->v[i]) || !wanted || !tsl_pointers_are_far(a)) continue;
        size_t bytes = tsl_times((size_t)a->count, sizeof *a->each);
        copied[i] = tsl_host_alloc(&x->allocator, bytes);
        st = copied[i] ? tsl_read_from(x, a->home, copied[i], a->each, bytes) : TSL_ERR_MEMORY;
        mat[i] = *a;
        mat[i].each = copied[i];
        c->v[i].mat = &mat[i];
    }
    return st;
}

/* What the caller has put on the main lane is done before other queues, or the host, touch operands. Infos alone come after it
 * on that lane. */
static bool must_drain(const tsl_context *x, bool cores, bool elsewhere)
{
    return cores || x->device_count > 1 || (elsewhere && (x->follows || x->exposed));
}

static tsl_status compute_all(tsl_context *x, const tsl_call *given, bool has_info)
{
    tsl_matrix mat[TSL_MAX_OPERANDS];
    void **copied[TSL_MAX_OPERANDS] = {NULL};
    tsl_call c = *given;
    tsl_device *infos = home_of_infos(x, &c);
    bool cores = goes_to_cores(x, &c), elsewhere = cores || is_elsewhere(x, &c);
    bool waits = elsewhere || (infos_of(&c) && infos != x->dev);
    size_t bytes = tsl_times((size_t)tsl_count_of(&c), sizeof(void *));
    tsl_status st = must_drain(x, cores, elsewhere) ? tsl_drain(x) : TSL_OK;
    tsl_head(x->lanes[TSL_MAIN].q)->inline_calls = waits;
    if (!st) st = bring_pointers(x, &c, cores, mat, copied);
    if (st) tsl_refuse(x, given, st, "%s", tsl_status_text(st));
    else st = tsl_batch_check_places(x, &c);
    if (!st && has_info) tsl_clear_outcome(x);
    if (!st) st = share(x, &c, infos, waits, cores);
    tsl_head(x->lanes[TSL_MAIN].q)->inline_calls = false;
    for (int i = 0; i < TSL_MAX_OPERANDS; ++i) tsl_host_free(&x->allocator, copied[i], bytes);
    return st;
}

tsl_status tsl_batch_call(tsl_context *x, const tsl_call *given)
{
    tsl_status st = tsl_batch_check(x, given);
    if (st) return st;
    tsl_call c = tsl_simplified(given);
    bool some = tsl_count_of(given) > 0 && !tsl_is_trivial(&c), has_info = tsl_trait(given->op, TSL_HAS_INFO);
    c.results = given->results;
    if (c.op != given->op) c.args = NULL; /* whose arguments are other operands */
    if (x->region) st = tsl_region_pause(x, true);
    if (!st && some) return compute_all(x, &c, has_info);
    if (!st && has_info) tsl_clear_outcome(x);
    if (!st && infos_of(&c) && tsl_count_of(given) > 0) st = none_failed(x, &c);
    return st ? tsl_refuse(x, given, st, "%s", tsl_status_text(st)) : TSL_OK;
}
