/* The caller's own call on batches: what must hold of its operands, and how it is cut: between devices, and where memory is short. */
#include <string.h>

#include "exec/batch.h"

static bool is_all(const tsl_view *v) { return v->mat && v->mat->batch && !v->problem; }

bool tsl_is_batch(const tsl_call *c)
{
    bool any = false;
    for (int i = 0; i < tsl_ops[c->op].operands; ++i) any |= is_all(&c->v[i]);
    return any;
}

int64_t tsl_count_of(const tsl_call *c)
{
    int i = 0;
    while (!is_all(&c->v[i])) ++i;
    return c->v[i].mat->count;
}

static int64_t *infos_of(const tsl_call *c) { return c->results ? c->results->infos : NULL; }

/* Problems from..from + count of an operand */
static tsl_matrix part_of(const tsl_matrix *a, int64_t from, int64_t count)
{
    tsl_matrix part = *a;
    part.count = count;
    if (a->each) part.each = a->each + from;
    else part.data = (char *)a->data + (size_t)(from * a->stride) * tsl_type_size(a->type);
    return part;
}

static tsl_matrix one_of(const tsl_matrix *a, int64_t k, void *place)
{
    tsl_matrix one = part_of(a, k, 1);
    one.batch = false;
    if (a->each) one.data = place;
    one.each = NULL;
    one.count = one.stride = 0;
    return one;
}

static tsl_call cut(const tsl_call *c, int64_t from, int64_t count, tsl_matrix mat[TSL_MAX_OPERANDS])
{
    tsl_call part = *c;
    for (int i = 0; i < tsl_ops[c->op].operands; ++i) {
        if (!is_all(&c->v[i])) continue;
        mat[i] = part_of(c->v[i].mat, from, count);
        part.v[i].mat = &mat[i];
    }
    return part;
}

tsl_call tsl_problem_of(const tsl_call *c, int64_t k, tsl_matrix mat[TSL_MAX_OPERANDS])
{
    tsl_call one = *c;
    for (int i = 0; i < tsl_ops[c->op].operands; ++i) {
        const tsl_matrix *a = c->v[i].mat;
        if (!is_all(&c->v[i])) continue;
        mat[i] = one_of(a, k, a->each ? a->each[k] : NULL);
        one.v[i].mat = &mat[i];
    }
    return one;
}

tsl_status tsl_pick_problems(tsl_context *x, tsl_call *c, tsl_matrix mat[TSL_MAX_OPERANDS])
{
    for (int i = 0; i < tsl_ops[c->op].operands; ++i) {
        tsl_view *v = &c->v[i];
        if (!v->mat || !v->problem) continue;
        const tsl_matrix *a = v->mat;
        int64_t k = v->problem - 1;
        if (!a->batch || k < 0 || k >= a->count)
            return tsl_refuse(x, c, TSL_ERR_VIEW, "%s is problem %lld of %s", tsl_ops[c->op].operand[i].name, (long long)k, a->batch ? "a batch that has fewer" : "what is no batch");
        void *place = NULL;
        tsl_status st = TSL_OK;
        if (a->each && x->dev->be->owns(x->dev, a->each) && !x->dev->shares_host) st = tsl_read_word(x, &place, &a->each[k], sizeof place);
        else if (a->each) place = a->each[k];
        if (st) return st;
        mat[i] = one_of(a, k, place);
        v->mat = &mat[i];
        v->problem = 0;
    }
    return TSL_OK;
}

static tsl_status refuse_batch(tsl_context *x, const tsl_call *c) { return tsl_refuse(x, c, TSL_ERR_LAYOUT, "it has no form for batches"); }

tsl_status tsl_need_problems(tsl_context *x, tsl_call *c, tsl_matrix mat[TSL_MAX_OPERANDS])
{
    tsl_status st = tsl_pick_problems(x, c, mat);
    return st || !tsl_is_batch(c) ? st : refuse_batch(x, c);
}

/* Do no two problems share elements? Those of one array by pointers are the caller's word. */
static bool apart(const tsl_matrix *a)
{
    int64_t extent = a->m > 0 && a->n > 0 ? (a->n - 1) * a->ld + a->m : 0;
    if (a->each || a->count <= 1 || extent == 0 || a->stride >= extent) return true;
    return a->stride >= a->m && a->stride <= (a->ld - a->m) / (a->count - 1); /* side by side in each column */
}

/* How batches are cut is not the caller's choice. */
static bool no_variant(int variant) { return (void)variant, false; }

static tsl_status check(tsl_context *x, const tsl_call *c)
{
    tsl_status st = tsl_check_operands(x, c);
    int64_t count = tsl_count_of(c);
    for (int i = 0; i < tsl_ops[c->op].operands && !st; ++i) {
        const char *name = tsl_ops[c->op].operand[i].name;
        bool all = is_all(&c->v[i]);
        const tsl_matrix *a = c->v[i].mat;
        if (all && a->count != count) st = tsl_refuse(x, c, TSL_ERR_SHAPE, "%s has %lld problems, another operand %lld", name, (long long)a->count, (long long)count);
        else if (a->tiles || a->remote) st = tsl_refuse(x, c, TSL_ERR_LAYOUT, "%s is tiled or distributed, and others are batches", name);
        else if (!all && !tsl_only_read(c->op, i)) st = tsl_refuse(x, c, TSL_ERR_SHAPE, "%s is one matrix, must have a problem for each of the batch", name);
        else if (all && !tsl_only_read(c->op, i) && !apart(a)) st = tsl_refuse(x, c, TSL_ERR_OVERLAP, "problems of %s, %lld elements apart, overlap", name, (long long)a->stride);
    }
    if (!st && tsl_trait(c->op, TSL_NUMBER)) st = refuse_batch(x, c);
    if (!st) st = tsl_check_variant(x, c, no_variant, " for batches");
    return st ? st : tsl_rule[c->op]->check(x, c);
}

/* Of operands whose problems are equally far apart the first ones tell whether they share elements. */
static tsl_status check_apart(tsl_context *x, const tsl_call *c)
{
    tsl_matrix mat[TSL_MAX_OPERANDS];
    bool alike = true;
    for (int i = 0; i < tsl_ops[c->op].operands; ++i) alike &= is_all(&c->v[i]) && !c->v[i].mat->each;
    if (!alike) return TSL_OK;
    tsl_call first = tsl_problem_of(c, 0, mat);
    return tsl_check_apart(x, &first, tsl_locate_here);
}

/* The infos of a call, in the memory of x's device: zeros at first. */
static tsl_status take_infos(tsl_context *x, int64_t count, int64_t **infos)
{
    void *p;
    tsl_status st = tsl_arena_get(&x->lanes[TSL_MAIN].arena, tsl_times((size_t)count, sizeof **infos), &p);
    if (st) return st;
    *infos = p;
    tsl_leaf zero = {.op = TSL_OP_SCALE, .type = tsl_kernel_type(TSL_INDEX), .m = count, .n = 1, .A = {.p = p, .ld = count, .m = count, .n = 1}};
    return tsl_launch(x, x->dev->be->kernels[zero.op]->fn[zero.type], &zero);
}

/* A part of the batch on one device, in the order of its queues. */
typedef struct portion {
    tsl_context *on;
    tsl_call c;
    tsl_matrix mat[TSL_MAX_OPERANDS];
    tsl_batch_staging s;
    int64_t *infos, count, *out; /* the infos here, how many they are, and where the caller wants them */
    tsl_direction back; /* the way there */
    bool runs;          /* it may have written operands */
    tsl_status st;
} portion;

static tsl_status begin(portion *p)
{
    tsl_context *on = p->on;
    int64_t *info = on->info;
    tsl_status st = tsl_batch_stage_in(on, &p->c, &p->s);
    /* the host's leaf says there which problems it has left */
    if (!st && (tsl_trait(p->c.op, TSL_HAS_INFO) || !on->dev->be->accelerator || p->out)) st = take_infos(on, p->count, &p->infos);
    if (st) return st;
    on->failed = TSL_OK;
    on->lane = TSL_MAIN;
    on->level = 1;
    on->info = p->infos ? p->infos : info;
    on->skips = false;
    on->origin = p->c.v[0].mat;
    on->origin_at = p->c.v[0].j;
    on->takes_pivots = tsl_takes_pivots(&p->c);
    p->runs = true;
    st = tsl_batch_run(on, &p->c);
    if (!st) st = on->failed;
    on->level = 0;
    on->info = info;
    on->skips = false;
    return st;
}

/* Written operands and infos go back; all has been done then, unless everything is in the device's memory. */
static tsl_status end(portion *p, bool waits)
{
    tsl_context *on = p->on;
    tsl_status st = p->st;
    if (!st) st = tsl_batch_stage_out(on, &p->c, &p->s);
    if (!st && p->out && p->infos) {
        size_t bytes = tsl_times((size_t)p->count, sizeof *p->infos);
        st = on->dev->be->copy2d(on->lanes[TSL_MAIN].q, p->out, bytes, p->infos, bytes, bytes, 1, p->back);
    }
    if (waits || st) {
        tsl_status late = tsl_drain(on);
        if (!st) st = late;
    }
    tsl_batch_stage_end(on, &p->s);
    tsl_arena_back(&on->lanes[TSL_MAIN].arena, (tsl_mark){0});
    return tsl_leave(on, st);
}

/* Where the caller wants infos; NULL: in the host's memory */
static const tsl_device *home_of_infos(tsl_context *x, const tsl_call *c)
{
    return tsl_borrow(x, TSL_INDEX, tsl_count_of(c), 1, infos_of(c), tsl_max(1, tsl_count_of(c))).home;
}

/* Does the call return when all is done? If anything of it is not in the memory of the first device. */
static bool waits_for(tsl_context *x, const tsl_call *c)
{
    bool waits = infos_of(c) && home_of_infos(x, c) != x->dev;
    for (int i = 0; i < tsl_ops[c->op].operands; ++i) waits |= !c->v[i].mat->home || c->v[i].mat->home != x->dev;
    return waits;
}

/* Problems that fit a device at once, with what algorithms need beside them */
static int64_t most_on(tsl_context *x, tsl_device *dev, const tsl_call *c)
{
    enum { BESIDE = 4 };
    size_t each = tsl_times(tsl_batch_stage_bytes(c) + sizeof(int64_t), BESIDE), room = tsl_room(x, dev, false);
    return x->dev->shares_host && dev->limit == SIZE_MAX ? INT64_MAX : tsl_max(1, (int64_t)(room / each));
}

static void forget(portion *p)
{
    tsl_batch_stage_end(p->on, &p->s);
    for (int l = 0; l < TSL_LANES; ++l) {
        tsl_arena_back(&p->on->lanes[l].arena, (tsl_mark){0});
        tsl_arena_trim(&p->on->lanes[l].arena, 0);
    }
}

/* Is all that it writes a copy of the caller's? */
static bool on_copies(const portion *p)
{
    bool all = true;
    for (int i = 0; i < tsl_ops[p->c.op].operands; ++i) all &= p->s.staged[i] || tsl_only_read(p->c.op, i);
    return all;
}

/* Problems from `at` on, at most `some` of them, are begun on a device: where memory is short fewer, unless one is too much. */
static void begin_some(portion *p, tsl_context *on, const tsl_call *c, int64_t at, int64_t some, tsl_direction back)
{
    for (;; some /= 2) {
        *p = (portion){.on = on, .count = some, .out = infos_of(c) ? infos_of(c) + at : NULL, .back = back};
        p->c = cut(c, at, some, p->mat);
        tsl_enter_own(on);
        p->st = begin(p);
        if (p->st != TSL_ERR_DEVICE_MEMORY || some <= 1 || (p->runs && !on_copies(p))) return;
        (void)tsl_drain(on);
        forget(p);
        tsl_leave(on, TSL_OK);
    }
}

/* The devices have the problems in turn, as many at a time as there is room for. */
static tsl_status share(tsl_context *x, const tsl_call *c)
{
    int64_t count = tsl_count_of(c), at = 0, each = tsl_pieces(count, x->device_count);
    size_t bytes = tsl_times((size_t)x->device_count, sizeof(portion));
    portion *part = tsl_host_alloc(&x->allocator, bytes);
    bool waits = waits_for(x, c) || x->device_count > 1;
    tsl_direction back = home_of_infos(x, c) ? TSL_PEER : TSL_TO_HOST;
    tsl_runtime *rt = NULL;
    tsl_status st = !part ? TSL_ERR_MEMORY : x->device_count > 1 ? tsl_by_tiles.runtime(x, &rt) : TSL_OK;
    while (at < count && !st) {
        int used = 0;
        for (int d = 0; d < x->device_count && at < count && !st; ++d, ++used) {
            portion *p = &part[used];
            tsl_context *on = rt ? rt->site[d].executor[0] : x;
            begin_some(p, on, c, at, tsl_min(tsl_min(each, count - at), most_on(x, on->dev, c)), back);
            waits |= p->count < count;
            at += p->count;
            if (tsl_is_cancelled(x)) st = TSL_ERR_CANCELLED;
        }
        for (int i = 0; i < used; ++i) {
            tsl_status ended = end(&part[i], waits);
            if (!st) st = ended;
        }
    }
    tsl_host_free(&x->allocator, part, bytes);
    return st;
}

/* There was nothing to do: all infos are 0. */
static tsl_status none_failed(tsl_context *x, const tsl_call *c)
{
    size_t bytes = tsl_times((size_t)tsl_count_of(c), sizeof(int64_t));
    if (!home_of_infos(x, c)) return memset(infos_of(c), 0, bytes), TSL_OK;
    void *zeros = tsl_host_alloc(&x->allocator, bytes);
    tsl_status st = zeros ? tsl_copy_word(x, infos_of(c), zeros, bytes, TSL_TO_DEVICE) : TSL_ERR_MEMORY, late = tsl_drain(x);
    if (zeros) tsl_host_free(&x->allocator, zeros, bytes);
    return st ? st : late;
}

tsl_status tsl_batch_call(tsl_context *x, const tsl_call *given)
{
    tsl_status st = check(x, given);
    if (st) return st;
    tsl_call c = tsl_simplified(given);
    bool some = tsl_count_of(given) > 0 && !tsl_is_trivial(&c);
    c.results = given->results;
    st = some ? check_apart(x, &c) : TSL_OK;
    if (!st && x->region) st = tsl_region_pause(x, true);
    if (!st && tsl_trait(given->op, TSL_HAS_INFO)) st = tsl_clear_outcome(x, given);
    if (st) return st;
    bool waits = waits_for(x, &c);
    tsl_head(x->lanes[TSL_MAIN].q)->inline_calls = waits;
    /* what the caller has put on the main lane is done before other queues, or the host, touch operands */
    if (some && (waits || x->device_count > 1) && (x->follows || x->exposed)) st = tsl_drain(x);
    if (some && !st) st = share(x, &c);
    else if (!st && infos_of(&c) && tsl_count_of(given) > 0) st = none_failed(x, &c);
    tsl_head(x->lanes[TSL_MAIN].q)->inline_calls = false;
    return st ? tsl_refuse(x, given, st, "%s", tsl_status_text(st)) : TSL_OK;
}
