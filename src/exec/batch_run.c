/* A batch on one device: by its leaf for batches, else by an algorithm whose steps are calls on the whole batch, else one
 * problem after the other. */
#include "exec/algorithm.h"
#include "exec/batch.h"
#include "tune/numbers.h"

/* Are problems that have an outcome left alone? Not in temporaries: what becomes of those does not matter. */
static bool spares(const tsl_context *x, const tsl_call *c)
{
    bool seen = tsl_trait(c->op, TSL_HAS_INFO);
    for (int i = 0; i < tsl_operands(c); ++i) seen |= tsl_writes(c, i) && !tsl_is_temp(x, c->v[i].mat);
    return x->run->skips && seen;
}

static tsl_leaf leaf_of(tsl_context *x, const tsl_call *c)
{
    const tsl_one_run *run = x->run;
    return (tsl_leaf){.op = c->op, .type = tsl_kernel_type(c->v[0].mat->type), .info = run->info, .info_base = tsl_info_base(x, &c->v[0]),
                      .result = c->numbered ? tsl_at(&c->v[tsl_ops[c->op].operands]) : x->result, .products = run->products,
                      .count = tsl_count_of(c), .skip = spares(x, c) ? run->info : NULL,
                      .fault = run->takes_pivots ? x->fault : NULL};
}

/* The host's leaves compute one problem with one thread each, and many at once. */
static tsl_status launch(tsl_context *x, tsl_kernel fn, const tsl_leaf *l)
{
    tsl_queue *q = tsl_current(x)->q;
    tsl_status st;
    if (x->run->dry) return TSL_OK;
    if (x->dev->be->accelerator) {
        st = tsl_launch(x, fn, l);
    } else {
        bool tasks = tsl_head(q)->tasks;
        tsl_blas_hold();
        tsl_head(q)->tasks = true;
        st = tsl_launch(x, fn, l);
        tsl_status late = x->dev->be->queue_wait(q);
        tsl_head(q)->tasks = tasks;
        tsl_blas_let_go();
        if (!st) st = late;
    }
    if (!st) tsl_count_launch(x);
    if (!st && l->fault && x->dev->be->accelerator) x->faults = true;
    return st;
}

/* Leaves of composites see operands as they are stored, but a general A. */
static bool is_plain(const tsl_call *c)
{
    bool plain = true;
    for (int i = 0; i < tsl_operands(c); ++i) {
        tsl_op op = tsl_reduced(c->v[i].op, c->v[i].mat->type);
        plain &= op == TSL_NOTRANS || (i == 0 && op != TSL_CONJ && c->v[0].uplo == TSL_GENERAL);
    }
    return plain || !tsl_trait(c->op, TSL_COMPOSITE);
}

/* The host's leaf for batches is that for one problem, in a loop: its limit holds, and so does what its rule says. Few and large
 * problems are better computed by all cores each. */
static bool host_takes(const tsl_context *x, const tsl_call *c)
{
    const tsl_rules *r = tsl_rule[c->op];
    bool has = !r->has_leaf || r->has_leaf(c) || (r->has_leaf_of_batches && r->has_leaf_of_batches(c));
    if (!has) return false;
    int64_t limit = x->dev->be->kernels[c->op]->limit, side = tsl_max(c->v[0].m, c->v[0].n);
    int64_t order = r->order ? r->order(c) : 0;
    bool alone = side >= tsl_tuned(x, TSL_TUNED_BATCH_ALONE_FROM) && tsl_count_of(c) < tsl_blas_cores();
    return (limit == 0 || order <= limit) && !alone;
}

/* By a leaf that leaves no problem alone: on a copy of the result, from which those come back that are not to be left alone */
static tsl_status on_copy(tsl_context *x, const tsl_call *c)
{
    int out = tsl_output(c->op);
    tsl_view C = c->v[out], F = tsl_temp(x, C, C.m, C.n);
    C.op = TSL_NOTRANS;
    tsl_call in = {.op = TSL_OP_COPY, .v = {C, F}}, by = *c, back = {.op = TSL_OP_COPY, .v = {F, C}};
    by.v[out] = F;
    by.v[out].op = c->v[out].op;
    tsl_status st = x->run->failed ? x->run->failed : tsl_batch_run(x, &in);
    if (!st) st = tsl_batch_run(x, &by);
    return st ? st : tsl_batch_run(x, &back);
}

static bool takes(const tsl_batch_entry *k, const tsl_leaf *l) { return !k->takes || k->takes(l); }

/* *taken: there is a leaf for it; else nothing has been done */
static tsl_status by_leaf(tsl_context *x, const tsl_call *c, bool *taken)
{
    const tsl_batch_entry *k = x->dev->be->batches[c->op];
    tsl_leaf l = leaf_of(x, c);
    tsl_arena *arena = &tsl_current(x)->arena;
    tsl_mark mark = tsl_arena_mark(arena);
    *taken = false;
    if (!k->fn[l.type] || !is_plain(c) || (!x->dev->be->accelerator && !host_takes(x, c))) return TSL_OK;
    tsl_status st = tsl_canonical(x, c, &l);
    *taken = !st && takes(k, &l);
    if (!st && !*taken && l.skip) {
        l.skip = NULL;
        *taken = takes(k, &l);
        return *taken ? tsl_run_algorithm(x, c, on_copy) : TSL_OK;
    }
    size_t bytes = *taken && k->workspace ? k->workspace(&l) : 0;
    if (bytes) st = tsl_arena_get(arena, bytes, &l.work);
    l.fresh = x->run->fresh && tsl_tells(x, c->op);
    if (*taken && !st && !l.fresh) st = tsl_info_clear(x, c);
    if (*taken && !st) st = launch(x, k->fn[l.type], &l);
    if (*taken && !st) x->run->fresh = false;
    tsl_arena_back(arena, mark);
    return *taken || st != TSL_ERR_LAYOUT ? st : TSL_OK; /* that: a canonical form would need copies */
}

/* Pointers that only the device can read are copied to the host; a dry run does without. copied: for the caller to free, also
 * after a failure */
static tsl_status readable(tsl_context *x, tsl_call *c, tsl_matrix mat[TSL_MAX_OPERANDS], void **copied[TSL_MAX_OPERANDS])
{
    for (int i = 0; i < tsl_operands(c); ++i) {
        const tsl_matrix *a = c->v[i].mat;
        copied[i] = NULL;
        if (!a->batch || !a->each || (!x->run->dry && !tsl_pointers_are_far(a))) continue;
        mat[i] = *a;
        c->v[i].mat = &mat[i];
        if (x->run->dry) {
            mat[i].each = NULL, mat[i].data = tsl_nowhere(x, a->type, a->m, a->n).data;
            continue;
        }
        size_t bytes = tsl_times((size_t)a->count, sizeof *a->each);
        mat[i].each = copied[i] = tsl_host_alloc(&x->allocator, bytes);
        if (!copied[i]) return TSL_ERR_MEMORY;
        tsl_status st = tsl_read_word(x, copied[i], a->each, bytes);
        if (st) return st;
    }
    return TSL_OK;
}

static tsl_status one_by_one(tsl_context *x, const tsl_call *given, tsl_some s)
{
    tsl_matrix whole[TSL_MAX_OPERANDS], mat[TSL_MAX_OPERANDS];
    static const int64_t none = 0;
    void **copied[TSL_MAX_OPERANDS] = {NULL};
    tsl_call c = *given;
    int64_t *infos = x->run->info, count = tsl_count_of(given);
    const tsl_matrix *origin = x->run->origin;
    tsl_one_run run;
    bool taken = false;
    tsl_status st = readable(x, &c, whole, copied);
    if (!st) st = tsl_batch_beside(x, &c, s, &taken);
    tsl_run_begin(x, &run);
    for (int64_t k = s.from; k < s.from + (run.dry ? 1 : s.count) && !st && !taken; ++k) {
        if (s.known && s.known[k - s.from] != s.only) continue;
        tsl_call one = tsl_problem_of(&c, k, mat);
        if (tsl_trait(c.op, TSL_HAS_INFO)) run.info = infos + k;
        if (given->v[0].mat == origin) run.origin = one.v[0].mat;
        if (tsl_is_to_end(x)) st = TSL_ERR_CANCELLED;
        else if (s.only == TSL_BATCH_LEFT) st = tsl_copy_word(x, &infos[k], &none, sizeof none, TSL_TO_DEVICE);
        if (!st) st = tsl_run_flat(x, &one);
        if (!st) st = run.failed;
    }
    tsl_part_end(x);
    for (int i = 0; i < TSL_MAX_OPERANDS; ++i) tsl_host_free(&x->allocator, copied[i], tsl_times((size_t)count, sizeof **copied));
    return st;
}

static tsl_some all_of(const tsl_call *c) { return (tsl_some){.count = tsl_count_of(c)}; }

/* Infos are read some at a time: operands have changed by then, and a lack of memory could not be refused any more. */
enum { INFOS = 1024 };

static tsl_status read_infos(tsl_context *x, int64_t from, int64_t count, int64_t known[INFOS])
{
    return tsl_read_word(x, known, x->run->info + from, tsl_times((size_t)count, sizeof *known));
}

tsl_status tsl_batch_count_from(tsl_context *x, int64_t count, int64_t base)
{
    int64_t known[INFOS];
    tsl_status st = TSL_OK;
    for (int64_t at = 0; at < count && !st; at += INFOS) {
        int64_t n = tsl_min(INFOS, count - at);
        bool any = false;
        st = read_infos(x, at, n, known);
        for (int64_t k = 0; k < n && !st; ++k)
            if (known[k]) known[k] += base, any = true;
        if (!any) continue;
        size_t bytes = tsl_times((size_t)n, sizeof *known);
        tsl_status put = tsl_copy_word(x, x->run->info + at, known, bytes, TSL_TO_DEVICE);
        tsl_status late = tsl_drain(x); /* the numbers are this function's */
        st = put ? put : late;
    }
    return st;
}

/* Those that the host's leaf has left */
static tsl_status left_of(tsl_context *x, const tsl_call *c, tsl_some s)
{
    bool any = false;
    for (int64_t k = 0; k < s.count; ++k) any |= s.known[k] == TSL_BATCH_LEFT;
    return any ? one_by_one(x, c, s) : TSL_OK;
}

/* Of the host's leaf: it leaves alone what it cannot do, as least squares that must be scaled. It is waited for. */
static tsl_status rest(tsl_context *x, const tsl_call *c)
{
    int64_t known[INFOS], count = tsl_count_of(c);
    if (x->run->dry || x->dev->be->accelerator) return TSL_OK;
    if (x->dev->shares_host) return left_of(x, c, (tsl_some){0, count, TSL_BATCH_LEFT, x->run->info});
    tsl_status st = TSL_OK;
    for (int64_t at = 0; at < count && !st; at += INFOS) {
        int64_t n = tsl_min(INFOS, count - at);
        st = read_infos(x, at, n, known);
        if (!st) st = left_of(x, c, (tsl_some){at, n, TSL_BATCH_LEFT, known});
    }
    return st;
}

/* The problems of a call that neither a leaf nor an algorithm takes together, but those that have an outcome. It waits for the
 * outcomes. */
static tsl_status spare_failed(tsl_context *x, const tsl_call *c)
{
    int64_t known[INFOS], count = tsl_count_of(c);
    tsl_status st = TSL_OK;
    if (x->run->dry) return one_by_one(x, c, all_of(c));
    for (int64_t at = 0; at < count && !st; at += INFOS) {
        int64_t n = tsl_min(INFOS, count - at);
        st = read_infos(x, at, n, known);
        if (!st) st = one_by_one(x, c, (tsl_some){at, n, 0, known});
    }
    return st;
}

tsl_status tsl_batch_run(tsl_context *x, const tsl_call *c)
{
    const tsl_batch_entry *k = x->dev->be->batches[c->op];
    bool taken;
    tsl_status st = by_leaf(x, c, &taken);
    if (!st && !taken) st = tsl_info_clear(x, c);
    if (st) return st;
    if (taken) return rest(x, c);
    bool cut = x->dev->be->accelerator && (!tsl_rule[c->op]->cuts_batch || tsl_rule[c->op]->cuts_batch(c));
    int variant = cut ? tsl_variant_for(c->op, TSL_ON_BATCHES) : TSL_BY_RULE;
    tsl_call by = *c;
    tsl_leaf l = leaf_of(x, c);
    l.m = c->v[0].m, l.n = c->v[0].n;
    if (variant >= 0 && k->block) by.panel = k->block(&l), cut = by.panel > 0;
    if (variant < 0 || !cut) return spares(x, c) ? spare_failed(x, c) : one_by_one(x, c, all_of(c));
    return tsl_run_algorithm(x, &by, tsl_text_of(variant));
}
