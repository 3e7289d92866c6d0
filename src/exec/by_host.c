/* What the host's cores do for an algorithm that runs on a device with a memory of its own: blocks are brought to the host's
 * memory, computed there by the host's leaf on the caller's thread, and put back, in order with the current lane. Other lanes
 * go on meanwhile. */
#include "exec/exec.h"
#include "hostlib/routines.h"

/* At the beginning of the host's memory: what info was, and is */
#define HEAD TSL_WORKSPACE_ALIGN

static tsl_status move(tsl_context *x, const tsl_view *from, const tsl_view *to, tsl_direction dir)
{
    size_t size = tsl_type_size(from->mat->type), rows = tsl_times((size_t)from->m, size), cols = (size_t)from->n;
    if (!rows || !cols) return TSL_OK;
    tsl_count_move(&x->count, dir, tsl_times(rows, cols));
    return x->dev->be->copy2d(tsl_current(x)->q, tsl_at(to), tsl_times((size_t)to->mat->ld, size), tsl_at(from),
                              tsl_times((size_t)from->mat->ld, size), rows, cols, dir);
}

static tsl_status move_info(tsl_context *x, tsl_direction dir)
{
    const size_t bytes = sizeof *x->run->info;
    void *here = x->host_block;
    return x->dev->be->copy2d(tsl_current(x)->q, dir == TSL_TO_HOST ? here : x->run->info, bytes,
                              dir == TSL_TO_HOST ? x->run->info : here, bytes, bytes, 1, dir);
}

static size_t bytes_of(const tsl_view *v)
{
    return tsl_rounded(tsl_dense_bytes(v->mat->type, tsl_padded(v->mat->type, v->m), v->n), TSL_WORKSPACE_ALIGN);
}

static size_t operand_bytes(const tsl_call *c)
{
    size_t bytes = HEAD;
    for (int i = 0; i < tsl_ops[c->op].operands; ++i) bytes = tsl_plus(bytes, bytes_of(&c->v[i]));
    return bytes;
}

/* The call on copies of its operands, one after the other in the host's memory */
static tsl_call copies(tsl_context *x, const tsl_call *c, tsl_matrix mat[TSL_MAX_OPERANDS])
{
    tsl_call here = *c;
    char *at = (char *)x->host_block + HEAD;
    for (int i = 0; i < tsl_ops[c->op].operands; ++i) {
        const tsl_view *v = &c->v[i];
        mat[i] = (tsl_matrix){.ctx = x, .type = v->mat->type, .m = v->m, .n = v->n, .ld = tsl_padded(v->mat->type, v->m), .data = at,
                              .reversed = v->mat->reversed};
        at += bytes_of(v);
        here.v[i].mat = &mat[i];
        here.v[i].i = here.v[i].j = 0;
    }
    return here;
}

/* The host's leaf, on the copies. Info is the first word of the host's memory. */
static tsl_status compute(tsl_context *x, const tsl_call *c, const tsl_call *here)
{
    const tsl_kernel_entry *k = tsl_host_kernels[c->op];
    if (tsl_hostlib_fill()) return TSL_ERR_NO_DEVICE;
    tsl_leaf leaf = {.op = c->op, .type = tsl_kernel_type(c->v[0].mat->type), .info_base = tsl_info_base(x, &c->v[0])};
    tsl_status st = tsl_canonical(x, here, &leaf);
    leaf.info = x->host_block;
    if (st) return st;
    leaf.work = (char *)x->host_block + operand_bytes(c);
    int begun = tsl_blas_begin(false);
    st = begun == TSL_REFUSED ? TSL_ERR_CONTEXT : k->fn[leaf.type](NULL, &leaf);
    if (begun != TSL_REFUSED) tsl_blas_end(begun);
    tsl_count_launch(x);
    if (x->watch.on) tsl_watch_leaf(x, tsl_work_of(c));
    return st;
}

/* How much of the host's memory the step takes: that of its operands, and workspace behind them */
static tsl_status plan(tsl_context *x, const tsl_call *c)
{
    const tsl_kernel_entry *k = tsl_host_kernels[c->op];
    tsl_matrix mat[TSL_MAX_OPERANDS];
    tsl_call here = *c;
    tsl_leaf leaf = {.op = c->op, .type = tsl_kernel_type(c->v[0].mat->type)};
    if (tsl_hostlib_fill()) return TSL_ERR_NO_DEVICE;
    for (int i = 0; i < tsl_ops[c->op].operands; ++i) {
        mat[i] = tsl_nowhere(x, c->v[i].mat->type, c->v[i].m, c->v[i].n);
        here.v[i].mat = &mat[i];
        here.v[i].i = here.v[i].j = 0;
    }
    tsl_status st = tsl_canonical(x, &here, &leaf);
    size_t bytes = st ? 0 : tsl_plus(operand_bytes(c), k->workspace ? k->workspace(&leaf) : 0);
    if (bytes > x->host_need) x->host_need = bytes;
    return st;
}

static tsl_status run(tsl_context *x, const tsl_call *c)
{
    const tsl_backend *be = x->dev->be;
    tsl_lane *lane = tsl_current(x);
    tsl_matrix mat[TSL_MAX_OPERANDS];
    tsl_status st = plan(x, c);
    if (!st) st = tsl_reserve_host(x);
    if (st) return st;
    tsl_call here = copies(x, c, mat);
    bool has_info = tsl_trait(c->op, TSL_HAS_INFO);
    int64_t before = 0, *info = x->host_block;
    if (has_info) st = move_info(x, TSL_TO_HOST);
    for (int i = 0; i < tsl_ops[c->op].operands && !st; ++i)
        if (tsl_needs_contents(c, i)) st = move(x, &c->v[i], &here.v[i], TSL_TO_HOST);
    if (!st) st = be->event_record(lane->q, lane->point);
    if (!st) st = be->event_wait(lane->point);
    if (st) return st;
    if (has_info) before = *info;
    else *info = 0;
    st = compute(x, c, &here);
    for (int i = 0; i < tsl_ops[c->op].operands && !st; ++i)
        if (!tsl_only_read(c->op, i)) st = move(x, &here.v[i], &c->v[i], TSL_TO_DEVICE);
    return !st && has_info && !c->passing && *info != before ? move_info(x, TSL_TO_DEVICE) : st;
}

void tsl_by_host(tsl_context *x, const tsl_call *c)
{
    const tsl_matrix *a = c->v[0].mat;
    if (a->remote || a->tiles) { /* in one place; by tiles it is a task for the cores */
        tsl_one_run part;
        tsl_run_begin(x, &part);
        part.on_cores = a->tiles != NULL;
        if (a->remote) a->remote->place(x, c);
        else if (!part.failed) tsl_by_tiles.place(x, c);
        tsl_part_end(x);
        return;
    }
    /* The parts of a composite are the caller's own: it would be cut as the caller asks, by this very variant. */
    if (x->dev->shares_host && tsl_trait(c->op, TSL_COMPOSITE)) {
        tsl_status st = x->run->failed ? TSL_OK : tsl_leaf_of(x, c);
        if (st) x->run->failed = st;
        return;
    }
    if (x->dev->shares_host) {
        tsl_execute(x, c);
        return;
    }
    if (x->run->failed) return;
    if (tsl_is_trivial(c)) return;
    tsl_status st = x->run->dry ? plan(x, c) : run(x, c);
    if (st) x->run->failed = st;
}

/* Columns that begin at multiples of 16 bytes, as vectors of elements are loaded */
static bool aligned(const tsl_view *A)
{
    size_t size = tsl_type_size(A->mat->type);
    return (size_t)A->mat->ld * size % 16 == 0 && (uintptr_t)tsl_at(A) % 16 == 0;
}

/* The block as it is stored */
static tsl_view stored(tsl_view A)
{
    A.op = TSL_NOTRANS;
    A.uplo = TSL_GENERAL;
    A.diag = TSL_NONUNIT;
    return A;
}

static void copy(tsl_context *x, tsl_view A, tsl_view B) { tsl_execute(x, &(tsl_call){.op = TSL_OP_COPY, .v = {A, B}}); }

tsl_view tsl_padded_in(tsl_context *x, tsl_view A)
{
    if (A.mat->tiles || A.mat->remote || !x->dev->be->accelerator || aligned(&A)) return A;
    tsl_view W = tsl_temp(x, A, A.m, A.n), P = A;
    copy(x, stored(A), W);
    P.mat = W.mat;
    P.i = P.j = 0;
    x->run->origin = P.mat, x->run->origin_at = 0;
    return P;
}

void tsl_padded_out(tsl_context *x, tsl_view P, tsl_view A)
{
    if (P.mat != A.mat) copy(x, stored(P), stored(A));
}
