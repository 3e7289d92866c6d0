/* Which Cholesky factorization: in one multiprocessor's shared memory up to its limit; past it by one kernel that all of them work at,
 * where the device has what it needs, else by blocks and products. */
#include "core/values.h"
#include "kernel/cuda/leaf.h"
#include "kernel/cuda/level3.h"

static void *at(const tsl_leaf *l, int64_t i, int64_t j) { return (char *)l->A + (size_t)(i + j * l->lda) * tsl_type_size(l->type); }

static size_t most(size_t a, size_t b) { return a > b ? a : b; }

static tsl_leaf update_of(const tsl_leaf *l, int64_t n)
{
    const bool lower = l->uplo == TSL_LOWER, herm = tsl_is_complex(l->type);
    return (tsl_leaf){.op = TSL_OP_HERK, .type = l->type, .herm = herm, .uplo = l->uplo, .n = n, .k = TSL_CUDA_POTRF_LIMIT, .alpha = -1,
                      .beta = 1, .opA = lower ? TSL_NOTRANS : herm ? TSL_HERM : TSL_TRANS, .lda = l->lda, .ldc = l->lda, .work = l->work};
}

/* Each block on the diagonal is factored, its column of L or row of U solved for, and that leaves the rest. */
static tsl_status sweep(tsl_queue *q, const tsl_leaf *l)
{
    const bool lower = l->uplo == TSL_LOWER;
    tsl_status st = TSL_OK;
    for (int64_t k = 0, nb; k < l->n && st == TSL_OK; k += nb) {
        nb = tsl_min(l->n - k, TSL_CUDA_POTRF_LIMIT);
        const int64_t next = k + nb, rest = l->n - next;
        tsl_leaf block = *l, update = update_of(l, rest);
        block.n = nb, block.A = at(l, k, k), block.info_base = l->info_base + k;
        update.A = lower ? at(l, next, k) : at(l, k, next);
        update.C = at(l, next, next);
        const tsl_leaf solve = {.op = TSL_OP_TRSM, .type = l->type, .side = lower ? TSL_RIGHT : TSL_LEFT, .uplo = l->uplo, .diag = TSL_NONUNIT,
                                .opA = tsl_is_complex(l->type) ? TSL_HERM : TSL_TRANS, .m = lower ? rest : nb, .n = lower ? nb : rest,
                                .alpha = 1, .A = block.A, .lda = l->lda, .B = update.A, .ldb = l->lda};
        /* A11 := chol(A11) */              st = tsl_cuda_potrf_block(q, &block);
        if (st != TSL_OK || rest == 0) continue;
        /* A21 := A21 inv(tril(A11))^H */   st = tsl_cuda_trsm_block(q, &solve);
        /* A22 := A22 - A21 A21^H */        if (st == TSL_OK) st = tsl_cuda_syrk(q, &update);
    }
    return st;
}

static tsl_status potrf(tsl_queue *q, const tsl_leaf *l)
{
    bool done = false;
    if (l->n <= TSL_CUDA_POTRF_LIMIT) return tsl_cuda_potrf_block(q, l);
    const tsl_status st = tsl_cuda_potrf_flow(q, l, &done);
    return st != TSL_OK || done ? st : sweep(q, l);
}

static size_t workspace(const tsl_leaf *l)
{
    if (l->n <= TSL_CUDA_POTRF_LIMIT) return 0;
    const tsl_leaf update = update_of(l, l->n);
    return most(tsl_cuda_potrf_flow_workspace(l), tsl_cuda_syrk_entry.workspace(&update));
}

static const void *kernel(int i)
{
    return i == 0 ? tsl_cuda_kernel_of_potrf() : i == 1 ? tsl_cuda_kernel_of_potrf_flow() : NULL;
}

const tsl_kernel_entry tsl_cuda_potrf_entry = {TSL_ALL_TYPES(potrf), TSL_CUDA_POTRF_LIMIT, TSL_CUDA_POTRF_WHOLE, workspace, kernel};
