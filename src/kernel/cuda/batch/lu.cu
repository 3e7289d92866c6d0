/* LU of a batch: factors, exchanges of rows, solutions. */
#include "kernel/cuda/batch/entry.cuh"
#include "kernel/cuda/batch/getrf/getrf_batch.cuh"

namespace tsl {

template <class T> static tsl_status getrf(tsl_queue *q, const tsl_leaf *l)
{
    return tsl_cuda_check(tsl_getrf_batch<T>(tsl_cuda(q)->stream, (int)l->m, (int)l->n, batch_of<T>(l->A),
                                             batch_of<int64_t>(l->B), l->count, l->info, l->lu.first, l->info_base, !l->fresh),
                          "getrf_batch");
}

template <class T> static bool takes(int64_t m, int64_t n)
{
    int device = 0, shared = 0;
    if (cudaGetDevice(&device) != cudaSuccess ||
        cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device) != cudaSuccess)
        return false;
    return m < INT32_MAX && n < INT32_MAX && tsl_getrf_batch_takes<T>((int)m, (int)n, (size_t)shared);
}

template <class T> static tsl_status laswp(tsl_queue *q, const tsl_leaf *l)
{
    return tsl_cuda_check(tsl_laswp_batch<T>(tsl_cuda(q)->stream, (int)l->m, (int)l->n, batch_of<T>(l->A), (int)l->k,
                                             batch_of<int64_t>(l->B), l->lu.first, l->lu.backward, l->count, l->fault, l->skip),
                          "laswp_batch");
}

template <class T> static tsl_status getrs(tsl_queue *q, const tsl_leaf *l)
{
    const tsl_batch_op op = l->A.op == TSL_NOTRANS ? TSL_BATCH_N : l->A.op == TSL_TRANS ? TSL_BATCH_T : TSL_BATCH_C;
    return tsl_cuda_check(tsl_getrs_batch<T>(tsl_cuda(q)->stream, op, (int)l->m, (int)l->n, batch_of<T>(l->A),
                                             batch_of<int64_t>(l->B), l->lu.first, batch_of<T>(l->C), l->count, l->skip, l->fault),
                          "getrs_batch");
}

/* Problems that are singular keep their right-hand sides, so nothing else needs l->skip. */
template <class T> static tsl_status gesv(tsl_queue *q, const tsl_leaf *l)
{
    return tsl_cuda_check(tsl_gesv_batch<T>(tsl_cuda(q)->stream, (int)l->m, (int)l->n, batch_of<T>(l->A),
                                            batch_of<int64_t>(l->B), batch_of<T>(l->C), l->count, l->info, l->lu.first),
                          "gesv_batch");
}

} // namespace tsl

static bool takes_getrf(const tsl_leaf *l)
{
    return l->lu.pivoting == TSL_PIVOTS_PARTIAL && !l->passing && TSL_OF_TYPE_OF(l, tsl::takes, l->m, l->n);
}
static bool takes_laswp(const tsl_leaf *l)
{
    return l->side == TSL_LEFT && l->lu.above == 0 && l->m < INT32_MAX && l->n < INT32_MAX;
}
static bool takes_getrs(const tsl_leaf *l) { return l->m <= TSL_GETRS_BATCH_LIMIT && l->n <= INT32_MAX; }
static bool takes_gesv(const tsl_leaf *l) { return l->A.op == TSL_NOTRANS && takes_getrs(l) && TSL_OF_TYPE_OF(l, tsl::takes, l->m, l->m); }

/* The widest panel that getrf takes; of more rows than it takes there is none. */
static int64_t block(const tsl_leaf *l)
{
    int64_t nb = 64;
    while (nb >= 8 && !TSL_OF_TYPE_OF(l, tsl::takes, l->m, nb)) nb /= 2;
    return nb >= 8 ? nb : 0;
}

extern "C" const tsl_batch_entry tsl_cuda_getrf_batch_entry = {TSL_BY_TYPE(tsl::getrf), takes_getrf, NULL, block};
extern "C" const tsl_batch_entry tsl_cuda_laswp_batch_entry = {TSL_BY_TYPE(tsl::laswp), takes_laswp, NULL, NULL};
extern "C" const tsl_batch_entry tsl_cuda_getrs_batch_entry = {TSL_BY_TYPE(tsl::getrs), takes_getrs, NULL, NULL};
extern "C" const tsl_batch_entry tsl_cuda_gesv_batch_entry = {TSL_BY_TYPE(tsl::gesv), takes_gesv, NULL, block};
