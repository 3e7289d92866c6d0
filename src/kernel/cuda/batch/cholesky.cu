/* Cholesky's factors and solutions with them, and triangular solves, of a batch. */
#include "kernel/cuda/batch/entry.cuh"
#include "kernel/cuda/batch/potrf/potrf_batch.cuh"
#include "kernel/cuda/batch/potrf/trsm_batch.cuh"

namespace tsl {

template <class T> static tsl_status potrf(tsl_queue *q, const tsl_leaf *l)
{
    return tsl_cuda_check(tsl_potrf_batch<T>(tsl_cuda(q)->stream, l->uplo == TSL_LOWER, (int)l->n, batch_of<T>(l->A), l->count, l->info, (int)l->block.before), "potrf_batch");
}

template <class T> static bool takes_potrf(const tsl_leaf *l)
{
    return l->n <= (l->block.before ? TSL_POTRF_BATCH_BLOCK_LIMIT<T> : TSL_POTRF_BATCH_LIMIT);
}

template <class T> static tsl_status posv(tsl_queue *q, const tsl_leaf *l)
{
    return tsl_cuda_check(tsl_posv_batch<T>(tsl_cuda(q)->stream, l->uplo == TSL_LOWER, (int)l->m, l->n, batch_of<T>(l->A),
                                            batch_of<T>(l->B), l->count, l->info),
                          "posv_batch");
}

template <class T> static bool takes_posv(const tsl_leaf *l) { return l->m <= TSL_POTRF_BATCH_LIMIT && tsl_posv_batch_fits<T>((int)l->m, l->n); }

template <class T> static tsl_status trsm(tsl_queue *q, const tsl_leaf *l)
{
    return tsl_cuda_check(tsl_trsm_batch<T>(tsl_cuda(q)->stream, l->side, l->uplo, l->A.op, l->diag, l->m, l->n,
                                            from_scalar<T>(l->alpha), batch_of<const T>(l->A), batch_of<T>(l->B), l->count,
                                            l->skip),
                          "trsm_batch");
}

template <class T> static bool takes_trsm(const tsl_leaf *l) { return (l->side == TSL_LEFT ? l->m : l->n) <= TSL_TRSM_BATCH_LIMIT<T>; }

} // namespace tsl

static bool takes_potrf(const tsl_leaf *l) { return TSL_OF_TYPE_OF(l, tsl::takes_potrf, l); }
static bool takes_posv(const tsl_leaf *l) { return TSL_OF_TYPE_OF(l, tsl::takes_posv, l); }
static bool takes_trsm(const tsl_leaf *l) { return TSL_OF_TYPE_OF(l, tsl::takes_trsm, l); }
static int64_t block(const tsl_leaf *l) { return (void)l, 64; }

extern "C" const tsl_batch_entry tsl_cuda_potrf_batch_entry = {TSL_BY_TYPE(tsl::potrf), takes_potrf, NULL, block};
extern "C" const tsl_batch_entry tsl_cuda_posv_batch_entry = {TSL_BY_TYPE(tsl::posv), takes_posv, NULL, NULL};
extern "C" const tsl_batch_entry tsl_cuda_trsm_batch_entry = {TSL_BY_TYPE(tsl::trsm), takes_trsm, NULL, NULL};
