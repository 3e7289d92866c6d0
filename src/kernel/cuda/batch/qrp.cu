/* QR with column pivoting of a batch, and least squares of any rank by it. */
#include "core/values.h"
#include "kernel/cuda/batch/entry.cuh"
#include "kernel/cuda/batch/geqrf/geqrf_batch.cuh"
#include "kernel/cuda/batch/potrf/trsm_batch.cuh"
#include "kernel/cuda/batch/qrp/qrp_batch.cuh"

namespace tsl {

template <class T> static tsl_status geqp3(tsl_queue *q, const tsl_leaf *l)
{
    const many::qrp_batch<T> b = {(int)l->m, (int)l->n, batch_of<T>(l->A), batch_of<int64_t>(l->B), batch_of<T>(l->C),
                                  l->count, l->skip, NULL};
    return tsl_cuda_check(tsl_geqp3_batch<T>(tsl_cuda(q)->stream, b, many::shared_of_cta()), "geqp3_batch");
}

/* What gelsy has beside its operands: fates, powers of two, factors of reflectors, and room for problems of less than full
 * rank */
template <class T> struct gelsy_room {
    size_t fate, powers, tau, F, all;
    explicit gelsy_room(const tsl_leaf *l)
    {
        const size_t count = (size_t)l->count, d = (size_t)(l->A.m < l->A.n ? l->A.m : l->A.n), n = (size_t)l->A.n;
        fate = 0;
        powers = fate + count * sizeof(int64_t);
        tau = powers + 2 * count * sizeof(int) + 15 & ~(size_t)15;
        F = tau + tsl_times(count, d * sizeof(T));
        all = F + tsl_times(count, (n + 1) * d * sizeof(T));
    }
};

template <class T> static size_t gelsy_workspace(const tsl_leaf *l) { return gelsy_room<T>(l).all; }

template <class T> static tsl_status gelsy(tsl_queue *q, const tsl_leaf *l)
{
    const cudaStream_t s = tsl_cuda(q)->stream;
    const gelsy_room<T> at(l);
    char *const work = (char *)l->work;
    const int m = (int)l->A.m, n = (int)l->A.n, d = m < n ? m : n, nrhs = (int)l->n;
    int64_t *const fate = (int64_t *)(work + at.fate);
    int *const power = (int *)(work + at.powers);
    const Batch<T> A = batch_of<T>(l->A), B = batch_of<T>(l->C), tau = {(T *)(work + at.tau), nullptr, d, 0, d};
    const Batch<int64_t> piv = batch_of<int64_t>(l->B);
    const many::gelsy_batch<T> b = {m, n, nrhs, A, piv, B, batch_of<int64_t>(l->D), l->rank.tolerance, l->count, fate, power,
                                    power + l->count, tau, (T *)(work + at.F)};
    const Batch<const T> R = batch_of<const T>(l->A);
    /* A P = Q R */
    cudaError_t e = tsl_gelsy_look_batch<T>(s, b);
    if (e == cudaSuccess) e = tsl_geqp3_batch<T>(s, {m, n, A, piv, tau, l->count, fate, power}, many::shared_of_cta());
    /* B := Q^H B; X := inv(R) B, or that of least size */
    if (e == cudaSuccess) e = tsl_ormqr_batch<T>(s, true, m, nrhs, d, A, tau, B, l->count);
    if (e == cudaSuccess) e = tsl_gelsy_rank_batch<T>(s, b);
    if (e == cudaSuccess && m >= n)
        e = tsl_trsm_batch<T>(s, TSL_LEFT, TSL_UPPER, TSL_NOTRANS, TSL_NONUNIT, n, nrhs, make<T>(1), R, B, l->count, fate);
    /* X := P X */
    if (e == cudaSuccess) e = tsl_gelsy_finish_batch<T>(s, b);
    return tsl_cuda_check(e, "gelsy_batch");
}

template <class T> static bool takes_gelsy(const tsl_leaf *l)
{
    const int64_t m = l->A.m, n = l->A.n;
    return l->A.op == TSL_NOTRANS && m > 0 && n > 0 && l->n > 0 && l->n < INT32_MAX && m <= TSL_GEQP3_BATCH_LIMIT &&
           tsl_ormqr_batch_takes<T>((int)m) && n <= (m >= n ? TSL_TRSM_BATCH_LIMIT<T> : TSL_GEQP3_BATCH_LIMIT);
}

} // namespace tsl

static bool takes_geqp3(const tsl_leaf *l)
{
    return l->A.op == TSL_NOTRANS && l->m <= TSL_GEQP3_BATCH_LIMIT && l->n <= TSL_GEQP3_BATCH_LIMIT;
}

static bool takes_gelsy(const tsl_leaf *l) { return TSL_OF_TYPE_OF(l, tsl::takes_gelsy, l); }
static size_t gelsy_workspace(const tsl_leaf *l) { return TSL_OF_TYPE_OF(l, tsl::gelsy_workspace, l); }

extern "C" const tsl_batch_entry tsl_cuda_geqp3_batch_entry = {TSL_BY_TYPE(tsl::geqp3), takes_geqp3, NULL, NULL};
extern "C" const tsl_batch_entry tsl_cuda_gelsy_batch_entry = {TSL_BY_TYPE(tsl::gelsy), takes_gelsy, gelsy_workspace, NULL};
