/* Q of batches of small matrices, from its reflectors. */
#include "kernel/cuda/batch/geqrf/geqrf_batch.cuh"
#include "kernel/cuda/batch/geqrf/ormqr_batch.cuh"
#include "kernel/cuda/batch/geqrf/qr_shapes.cuh"

namespace tsl {

/* Those that one group of lanes has all columns of */
using whole_q = qrb::shapes<qrb::shape<2, 4, 4, 2>, qrb::shape<4, 4, 4, 4>>;

template <typename T> bool tsl_orgqr_batch_in_place(int m, int n) { return whole_q::take(m, n); }

template <typename T>
cudaError_t tsl_orgqr_batch(cudaStream_t s, int m, int n, int k, Batch<T> A, Batch<T> tau, Batch<T> Q, int64_t count)
{
    const auto launch = [=](auto shape) {
        return qrb::launch_ormqr<decltype(shape), qrb::COLUMNS_OF_Q>(s, false, m, n, k, A, tau, Q, count, nullptr);
    };
    if (n == 0 || count == 0) return cudaSuccess;
    return whole_q::take(m, n) ? whole_q::first(m, n, launch) : qrb::shapes_of<sizeof(T)>::ormqr::first(m, 0, launch);
}

#define FOR_TYPE(T)                                           \
    template bool tsl_orgqr_batch_in_place<T>(int, int);      \
    template cudaError_t tsl_orgqr_batch<T>(cudaStream_t, int, int, int, Batch<T>, Batch<T>, Batch<T>, int64_t);
FOR_TYPE(float)
FOR_TYPE(double)
FOR_TYPE(cplx<float>)
FOR_TYPE(cplx<double>)

} // namespace tsl
