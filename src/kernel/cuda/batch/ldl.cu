/* A = L D L^T and L D L^H of a batch, and solutions with them. */
#include "kernel/cuda/batch/entry.cuh"
#include "kernel/cuda/batch/ldl/ldl_batch.cuh"

namespace tsl {

/* With nrhs right-hand sides in C */
template <class T> static many::ldl_batch<T> problems(const tsl_leaf *l, int64_t nrhs)
{
    return {(int)l->A.n, (int)nrhs, l->uplo == TSL_LOWER, l->herm, batch_of<T>(l->A), batch_of<int64_t>(l->B),
            batch_of<T>(l->C), l->count, l->info_base, l->info, l->skip, l->fault};
}

template <class T> static tsl_status sytrf(tsl_queue *q, const tsl_leaf *l)
{
    return tsl_cuda_check(tsl_sytrf_batch<T>(tsl_cuda(q)->stream, problems<T>(l, 0)), "sytrf_batch");
}

template <class T> static tsl_status sytrs(tsl_queue *q, const tsl_leaf *l)
{
    return tsl_cuda_check(tsl_sytrs_batch<T>(tsl_cuda(q)->stream, problems<T>(l, l->n)), "sytrs_batch");
}

template <class T> static bool takes_sytrf(const tsl_leaf *l)
{
    return tsl_sytrf_batch_takes<T>(l->A.n, many::shared_of_cta());
}

template <class T> static bool takes_sytrs(const tsl_leaf *l)
{
    return l->n < INT32_MAX && tsl_sytrs_batch_takes<T>(l->A.n, many::shared_of_cta());
}

} // namespace tsl

static bool takes_sytrf(const tsl_leaf *l) { return TSL_OF_TYPE_OF(l, tsl::takes_sytrf, l); }
static bool takes_sytrs(const tsl_leaf *l) { return TSL_OF_TYPE_OF(l, tsl::takes_sytrs, l); }

extern "C" const tsl_batch_entry tsl_cuda_sytrf_batch_entry = {TSL_BY_TYPE(tsl::sytrf), takes_sytrf, NULL, NULL};
extern "C" const tsl_batch_entry tsl_cuda_sytrs_batch_entry = {TSL_BY_TYPE(tsl::sytrs), takes_sytrs, NULL, NULL};
