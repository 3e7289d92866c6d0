/* Typed calls that have been accepted: the short way and the long one.
 *
 * Staging, plans, tables, queues and the context's lock cost more than a product of 16 x 16 matrices. Where the host's cores are the
 * only device every operand is already at hand, and if the queues are empty too, the leaf may run on the caller's thread straight
 * away. It is the leaf the long way comes to, and so are the bits. What it needs of the context does not change, or is atomic: threads
 * run side by side. Tuning tables are not asked for so small a call; options are. */
#include <string.h>

#include "device/host/host.h"
#include "api/typed.h"

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
static bool apart(const tsl_door *d, const tsl_leaf *l)
{
    const char *access = tsl_ops[l->op].access, *kinds = tsl_ops[l->op].kinds;
    size_t size = tsl_type_size(l->type);
    for (int k = 1; k < d->arrays; ++k)
        for (int i = 0; i < k; ++i)
            if ((access[i] != 'R' || access[k] != 'R') &&
                !tsl_blocks_apart(kinds[i] == 'I' ? sizeof(int64_t) : size, d->array[i].p, d->array[i].m, d->array[i].n, d->array[i].ld,
                                  kinds[k] == 'I' ? sizeof(int64_t) : size, d->array[k].p, d->array[k].m, d->array[k].n, d->array[k].ld))
                return false;
    return true;
}

/* True: the leaf has run, and *number is its info or its value. False: it has touched nothing. */
static bool run_here(const tsl_door *d, tsl_leaf *l, tsl_typed_scalar *number)
{
    tsl_context *x = d->x;
    const tsl_kernel_entry *k = tsl_host_kernels[l->op];
    double work[4 * TSL_SMALL]; /* a line of the widest type, and the factors of as many reflectors */
    if (!__atomic_load_n(&x->small, __ATOMIC_RELAXED) || tsl_trace_on() || !idle(x) || !apart(d, l)) return false;
    if (k->workspace && k->workspace(l) > sizeof work) return false;
    number->i = 0;
    l->info = &number->i;
    l->result = number;
    l->work = work;
    int begun = tsl_blas_begin(false);
    tsl_status st = k->fn[l->type](NULL, l);
    tsl_blas_end(begun);
    if (st) return false; /* a leaf that refuses has touched nothing */
    if (tsl_trait(l->op, TSL_HAS_INFO)) keep_info(x, number->i);
    count_launch(x);
    return true;
}

/* The call on views, its operands lent for the length of it */
static tsl_call views(tsl_door *d, const tsl_leaf *l, tsl_matrix mat[TSL_MAX_OPERANDS])
{
    tsl_call c = {.op = l->op, .door = d, .side = l->side, .real = l->real, .structure = l->structure, .kind = l->kind, .trans = l->opA,
                  .uplo = l->uplo, .diag = l->diag, .m = l->m, .n = l->n, .kl = l->kl, .ku = l->ku, .alpha = l->alpha, .beta = l->beta};
    tsl_rule[l->op]->lend(d->x, l, mat, &c);
    return c;
}

tsl_status tsl_run(tsl_door *d, bool plain, tsl_leaf *l)
{
    tsl_typed_scalar none;
    tsl_matrix mat[TSL_MAX_OPERANDS];
    if (plain && run_here(d, l, &none)) return TSL_OK;
    tsl_call c = views(d, l, mat);
    return tsl_execute(d->x, &c);
}

tsl_status tsl_run_info(tsl_door *d, bool plain, tsl_leaf *l, int64_t *info)
{
    tsl_typed_scalar outcome;
    tsl_matrix mat[TSL_MAX_OPERANDS];
    if (plain && run_here(d, l, &outcome)) {
        if (info) *info = outcome.i;
        return TSL_OK;
    }
    tsl_call c = views(d, l, mat);
    return tsl_execute_info(d->x, &c, info);
}

tsl_status tsl_run_value(tsl_door *d, bool plain, tsl_leaf *l, tsl_typed_scalar *value)
{
    tsl_matrix mat[TSL_MAX_OPERANDS];
    if (plain && run_here(d, l, value)) return TSL_OK;
    tsl_call c = views(d, l, mat);
    return tsl_execute_value(d->x, &c, value);
}
