/* The host's leaf for batches, of every operation that has a leaf: one loop over the problems, which the cores share. */
#include "core/values.h"
#include "device/device.h"
#include "kernel/host/leaf.h"

enum { PARTS = 64 };

/* Problems to a part: few parts for all cores, so that each begins with what it needs once */
static int64_t each_of(const tsl_leaf *l) { return tsl_max(1, tsl_pieces(l->count, PARTS)); }

/* What one part needs of workspace */
static size_t part_workspace(const tsl_leaf *l)
{
    const tsl_kernel_entry *k = tsl_host_kernels[l->op];
    return k->workspace ? tsl_rounded(k->workspace(l), 64) : 0;
}

static size_t workspace(const tsl_leaf *l) { return tsl_times(part_workspace(l), (size_t)tsl_pieces(l->count, each_of(l))); }

typedef struct job {
    const tsl_leaf *l;
    size_t bytes;       /* of workspace, for a part */
    tsl_status *failed; /* atomic: the first */
} job;

static void at_problem(const tsl_leaf *l, tsl_leaf *one, int64_t k)
{
    for (int i = 0; i < tsl_ops[l->op].operands; ++i) {
        const tsl_array *a = &l->v[i];
        size_t size = tsl_type_size(tsl_operand_type(l->op, i, l->type));
        one->v[i].p = a->each ? (char *)a->each[k] + (size_t)a->offset * size : (char *)a->p + (size_t)(k * a->stride) * size;
    }
    one->info = l->info + k;
    if (tsl_trait(l->op, TSL_NUMBER)) one->result = (char *)l->result + (size_t)k * tsl_number_bytes(l->op, l->type);
}

static void part(const void *of, size_t number)
{
    const job *j = of;
    const tsl_leaf *l = j->l;
    const tsl_kernel fn = tsl_host_kernels[l->op]->fn[l->type];
    int64_t from = (int64_t)number * each_of(l), to = tsl_min(from + each_of(l), l->count);
    tsl_leaf one = *l;
    one.work = (char *)l->work + number * j->bytes;
    tsl_blas_asks(true);
    for (int64_t k = from; k < to; ++k) {
        if (l->skip && l->skip[k]) continue;
        at_problem(l, &one, k);
        tsl_status st = fn(NULL, &one), none = TSL_OK;
        if (st == TSL_ERR_OVERFLOW) l->info[k] = TSL_BATCH_LEFT; /* a leaf that refuses has touched nothing */
        else if (st) __atomic_compare_exchange_n(j->failed, &none, st, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    }
    tsl_blas_asks(false);
}

static tsl_status batch(struct tsl_queue *q, const tsl_leaf *l)
{
    (void)q;
    tsl_status failed = TSL_OK;
    job j = {l, part_workspace(l), &failed};
    size_t parts = (size_t)tsl_pieces(l->count, each_of(l));
    if (parts == 1) part(&j, 0);
    else tsl_thread_pool_work(part, &j, parts);
    return failed;
}

const tsl_batch_entry tsl_host_batch_entry = {.fn = {batch, batch, batch, batch}, .workspace = workspace};
