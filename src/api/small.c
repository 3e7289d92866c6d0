/* Typed calls that have been accepted: the short way and the long one.
 *
 * Staging, plans, tables, queues and the context's lock cost more than a product of 16 x 16 matrices. Where the host's cores
 * are the only device every operand is already at hand, and if the queues are empty too, the leaf may run on the caller's
 * thread straight away. It is the leaf the long way comes to, and so are the bits. What it needs of the context does not
 * change, or is atomic: threads run side by side. Tuning tables are not asked for so small a call; options are. */
#include <string.h>

#include "device/host/host.h"
#include "api/typed.h"
#include "ops/eig/syev.h"

static bool idle(const tsl_context *x)
{
    return tsl_host_queue_idle(x->lanes[TSL_MAIN].q) && tsl_host_queue_idle(x->lanes[TSL_AHEAD].q);
}

/* Threads that all succeed only read it. */
static void keep_info(tsl_context *x, int64_t info)
{
    if (__atomic_load_n(&x->small_info, __ATOMIC_RELAXED) != info) __atomic_store_n(&x->small_info, info, __ATOMIC_RELAXED);
}

static void count_launch(tsl_context *x)
{
    unsigned slot = tsl_thread_slot();
    int64_t *count = &x->small_launches[slot].count;
    if (tsl_slot_is_own(slot)) __atomic_store_n(count, *count + 1, __ATOMIC_RELAXED);
    else __atomic_fetch_add(count, 1, __ATOMIC_RELAXED);
}

/* Does no array that is written share elements with another? If one does, the long way knows whether it may. */
static bool apart(const tsl_args *d, const tsl_leaf *l)
{
    const tsl_operand_info *o = tsl_ops[l->op].operand;
    for (int k = 1; k < d->arrays; ++k)
        for (int i = 0; i < k; ++i)
            if ((o[i].access != TSL_READS || o[k].access != TSL_READS) &&
                !tsl_blocks_apart(tsl_type_size(tsl_element_type(o[i].element, l->type)), d->array[i].p, d->array[i].m,
                                  d->array[i].n, d->array[i].ld, tsl_type_size(tsl_element_type(o[k].element, l->type)),
                                  d->array[k].p, d->array[k].m, d->array[k].n, d->array[k].ld))
                return false;
    return true;
}

/* May the leaf run here? x is there. */
static bool is_free(const tsl_context *x, const tsl_args *d, const tsl_leaf *l, size_t room)
{
    const tsl_kernel_entry *k = tsl_host_kernels[l->op];
    return __atomic_load_n(&x->small, __ATOMIC_RELAXED) && !tsl_trace_on() && idle(x) && apart(d, l) && (!k->workspace || k->workspace(l) <= room);
}

static void set_unit(const tsl_leaf *l)
{
    const tsl_array *Z = &l->v[l->unit - 1];
    tsl_leaf unit = {.op = TSL_OP_LASET, .type = l->type, .m = Z->m, .n = Z->n, .beta = 1, .A = *Z};
    (void)tsl_host_kernels[TSL_OP_LASET]->fn[l->type](NULL, &unit);
}

/* True: the leaf has run, and *number is its info or its value. False: it has touched nothing. Without the lock: this thread is
 * busy with the context before it looks whether that is there, so one who destroys it waits. Where leaves take turns it holds
 * the context meanwhile. */
static bool run_here(const tsl_args *d, tsl_leaf *l, tsl_typed_scalar *number)
{
    tsl_context *x = d->x;
    double work[4 * TSL_SMALL]; /* a line of the widest type, and the factors of as many reflectors */
    int begun = tsl_busy_begin(x);
    bool can = tsl_lives(x) && is_free(x, d, l, sizeof work), turns = can && tsl_leaves_attended();
    if (turns) tsl_hold(x);
    if (!can || turns) tsl_busy_end(begun);
    if (!can) return false;
    begun = turns ? tsl_blas_begin(false) : tsl_blas_begin_at(begun);
    number->i = 0;
    l->info = &number->i;
    l->result = number;
    l->work = work;
    if (l->unit && begun != TSL_REFUSED) set_unit(l);
    tsl_status st = begun == TSL_REFUSED ? TSL_ERR_CONTEXT : tsl_host_kernels[l->op]->fn[l->type](NULL, l);
    l->work = NULL;
    if (!st && tsl_trait(l->op, TSL_HAS_INFO)) keep_info(x, number->i);
    if (!st) count_launch(x);
    if (begun != TSL_REFUSED) tsl_blas_end(begun);
    if (turns) tsl_let(x);
    return !st; /* a leaf that refuses has touched nothing */
}

tsl_status tsl_args_apart(tsl_args *d, const tsl_leaf *l)
{
    const tsl_operand_info *o = tsl_ops[l->op].operand;
    if (apart(d, l)) return TSL_OK;
    for (int k = 1; k < d->arrays; ++k)
        for (int i = 0; i < k; ++i) {
            tsl_area at[2];
            for (int j = 0; j < 2; ++j) {
                int is = j ? k : i;
                at[j] = (tsl_area){.at = (uintptr_t)d->array[is].p, .m = d->array[is].m, .n = d->array[is].n, .ld = d->array[is].ld,
                                   .size = tsl_type_size(tsl_element_type(o[is].element, l->type))};
            }
            if ((o[i].access == TSL_READS && o[k].access == TSL_READS) || !at[0].m || !at[0].n || !at[1].m || !at[1].n ||
                !tsl_areas_meet(&at[0], &at[1], false))
                continue;
            tsl_status st = tsl_enter(&d->x);
            return st ? st : tsl_leave(d->x, tsl_shared(d->x, &(tsl_call){.op = l->op, .args = d}, k, i));
        }
    return TSL_OK;
}

/* The long way */
typedef tsl_status (*executes)(tsl_context *x, const tsl_call *c, void *result);

static tsl_status run_long(tsl_args *d, const tsl_leaf *l, executes how, void *result)
{
    tsl_matrix mat[TSL_MAX_OPERANDS];
    tsl_status st = tsl_enter(&d->x); /* whose memory arrays are in, the context says */
    if (st) return st;
    tsl_call c = tsl_on_views(d->x, l, mat);
    c.args = d;
    return tsl_leave(d->x, how(d->x, &c, result));
}

static tsl_status execute(tsl_context *x, const tsl_call *c, void *none) { return (void)none, tsl_execute(x, c); }
static tsl_status execute_info(tsl_context *x, const tsl_call *c, void *info) { return tsl_execute_info(x, c, info); }

/* Eigenpairs */
typedef struct pairs {
    int64_t *m, *info;
} pairs;
static tsl_status execute_pairs(tsl_context *x, const tsl_call *c, void *told)
{
    tsl_call call = *c;
    return tsl_execute_pairs(x, &call, ((pairs *)told)->m, ((pairs *)told)->info);
}
static tsl_status execute_value(tsl_context *x, const tsl_call *c, void *value) { return tsl_execute_value(x, c, value); }

tsl_status tsl_run(tsl_args *d, bool plain, tsl_leaf *l)
{
    tsl_typed_scalar none;
    return plain && run_here(d, l, &none) ? TSL_OK : run_long(d, l, execute, NULL);
}

tsl_status tsl_run_info(tsl_args *d, bool plain, tsl_leaf *l, int64_t *info)
{
    tsl_typed_scalar outcome;
    if (!plain || !run_here(d, l, &outcome)) return run_long(d, l, execute_info, info);
    if (info) *info = outcome.i;
    return TSL_OK;
}

tsl_status tsl_run_value(tsl_args *d, bool plain, tsl_leaf *l, tsl_typed_scalar *value)
{
    return plain && run_here(d, l, value) ? TSL_OK : run_long(d, l, execute_value, value);
}

/* A leaf has them all. */
tsl_status tsl_run_pairs(tsl_args *d, bool plain, tsl_leaf *l, int64_t *m, int64_t *info)
{
    tsl_typed_scalar outcome;
    if (!plain || !run_here(d, l, &outcome)) return run_long(d, l, execute_pairs, &(pairs){m, info});
    *m = l->n;
    if (info) *info = outcome.i;
    return TSL_OK;
}
