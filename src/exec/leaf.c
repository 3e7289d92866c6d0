/* What a call is, and its leaf: whether the backend has one for this size, what it needs beside the operands, its launch. */
#include <string.h>

#include "exec/batch.h"

static int64_t order(const tsl_call *c) { return tsl_rule[c->op]->order ? tsl_rule[c->op]->order(c) : 0; }

/* Does the backend have a leaf for the call? Those of composites are for small calls; a few know views, unless a variant of a
 * part is asked for. */
bool tsl_has_leaf(const tsl_context *x, const tsl_call *c)
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

int64_t tsl_info_base(const tsl_context *x, const tsl_view *v)
{
    return v->mat == x->run->origin ? v->j - x->run->origin_at : 0;
}

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

bool tsl_tells(const tsl_context *x, tsl_opcode op) { return x->dev->be->accelerator && tsl_trait(op, TSL_TELLS); }

tsl_status tsl_info_clear(tsl_context *x, const tsl_call *c)
{
    tsl_one_run *run = x->run;
    int64_t count = tsl_is_batch(c) ? tsl_count_of(c) : 1;
    if (!run->fresh) return TSL_OK;
    run->fresh = false;
    if (!tsl_is_batch(c)) return tsl_clear_words(x, run->info, sizeof *run->info);
    tsl_leaf zero = {.op = TSL_OP_SCALE, .type = tsl_kernel_type(TSL_INDEX), .m = count, .n = 1,
                     .A = {.p = run->info, .ld = count, .m = count, .n = 1}};
    return tsl_launch(x, x->dev->be->kernels[zero.op]->fn[zero.type], &zero);
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
tsl_status tsl_run_leaf(tsl_context *x, const tsl_call *c, bool *begun)
{
    const tsl_kernel_entry *k = x->dev->be->kernels[c->op];
    tsl_lane *lane = tsl_current(x);
    tsl_mark mark = tsl_arena_mark(&lane->arena);
    tsl_leaf leaf = {.op = c->op, .type = tsl_kernel_type(c->v[0].mat->type), .info = x->run->info,
                     .info_base = tsl_info_base(x, &c->v[0]), .products = x->run->products,
                     .emulated = tsl_tuned_emulated(x, c->v[0].mat->type), .shape = tsl_leaf_shape(x, c),
                     .result = c->numbered ? tsl_at(&c->v[tsl_ops[c->op].operands]) : x->result};
    if (x->run->takes_pivots) leaf.fault = x->fault;
    tsl_status st = tsl_canonical(x, c, &leaf);
    if (!st && k->workspace) st = take_workspace(x, k, &leaf);
    leaf.fresh = x->run->fresh && tsl_tells(x, c->op);
    if (!st && !leaf.fresh) st = tsl_info_clear(x, c);
    *begun = !st;
    if (!st && !x->run->dry) *tsl_computes() = true; /* also where it ends half-way */
    if (!st) st = tsl_launch(x, k->fn[leaf.type], &leaf);
    if (!st) x->run->fresh = false;
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

tsl_status tsl_leaf_of(tsl_context *x, const tsl_call *c)
{
    bool begun;
    return tsl_run_leaf(x, c, &begun);
}

bool tsl_takes_pivots(const tsl_call *c)
{
    int i = 0;
    while (i < tsl_ops[c->op].operands && !(tsl_ops[c->op].operand[i].element == TSL_OF_INDEX && tsl_only_read(c->op, i))) ++i;
    return i < tsl_ops[c->op].operands;
}

bool tsl_is_tiled(const tsl_call *c)
{
    for (int i = 0; i < tsl_ops[c->op].operands; ++i)
        if (c->v[i].mat->tiles) return true;
    return false;
}

void *tsl_number_at(const tsl_context *x)
{
    const tsl_call *c = x->run->cut;
    return c && c->numbered ? tsl_at(&c->v[tsl_ops[c->op].operands]) : x->result;
}

bool tsl_in_batch(const tsl_context *x) { return x->run->cut && tsl_is_batch(x->run->cut); }

/* The work, by the formulas of ops.def: which size of the typed call a side of an operand is, its row says. */
double tsl_work_of(const tsl_call *c)
{
    const tsl_op_info *op = &tsl_ops[c->op];
    static const char names[] = "mnk";
    int64_t size[3] = {0};
    if (tsl_rule[c->op]->flops) return tsl_rule[c->op]->flops(c);
    if (!*op->flops) return 0;
    for (int i = 0; i < op->operands; ++i) {
        int64_t side[2] = {tsl_rows(c->v[i]), tsl_cols(c->v[i])};
        bool turned = c->side == TSL_RIGHT && i == tsl_output(c->op); /* the formulas are for the left */
        for (int s = 0; s < 2; ++s) {
            const char *size_name = s ? op->operand[i].cols : op->operand[i].rows,
                       *known = size_name[0] && !size_name[1] ? strchr(names, size_name[0]) : NULL;
            if (known && !size[known - names]) size[known - names] = side[s != turned];
        }
    }
    return tsl_flops_of(op->flops, c->v[0].mat->type, size[0], size[1], size[2]);
}
