/* The functions of geqrf_batch.cuh, of a type. */
#ifndef TSL_CUDA_GEQRF_BATCH_TYPE_CUH
#define TSL_CUDA_GEQRF_BATCH_TYPE_CUH

#include "kernel/cuda/batch/geqrf/geqrf_batch.cuh"
#include "kernel/cuda/batch/geqrf/geqrf_batch_block.cuh"
#include "kernel/cuda/batch/geqrf/geqrf_batch_small.cuh"
#include "kernel/cuda/batch/geqrf/ormqr_batch.cuh"
#include "kernel/cuda/batch/geqrf/qr_shapes.cuh"

namespace tsl {

template <class T> using qr_shapes = qrb::shapes_of<sizeof(T)>;

template <typename T> bool tsl_geqrf_batch_takes(int m, int n)
{
    return qr_shapes<T>::small::take(m, n) || qr_shapes<T>::block::take(m, n);
}

template <typename T> cudaError_t tsl_geqrf_batch(cudaStream_t s, int m, int n, Batch<T> A, Batch<T> tau, int64_t count)
{
    if (m == 0 || n == 0 || count == 0) return cudaSuccess;
    if (qr_shapes<T>::small::take(m, n))
        return qr_shapes<T>::small::first(m, n, [=](auto shape) { return qrb::launch_small<decltype(shape)>(s, m, n, A, tau, count); });
    return qr_shapes<T>::block::first(m, n, [=](auto shape) {
        using S = decltype(shape);
        qrb::geqrf<S, T><<<qrb::ctas_for(count), S::LANES, 0, s>>>(m, n, A, tau, count);
        return cudaGetLastError();
    });
}

template <typename T> bool tsl_geqrt_batch_takes(int m, int n) { return m >= n && qr_shapes<T>::panel::take(m, n); }

template <typename T>
cudaError_t tsl_geqrt_batch(cudaStream_t s, int m, int n, Batch<T> A, Batch<T> tau, Batch<T> Y, Batch<T> triangle, int64_t count)
{
    if (n == 0 || count == 0) return cudaSuccess;
    return qr_shapes<T>::panel::first(m, n, [=](auto shape) {
        using S = decltype(shape);
        qrb::geqrt<S><<<qrb::ctas_for(count), S::LANES, 0, s>>>(m, n, A, tau, Y, triangle, count);
        return cudaGetLastError();
    });
}

template <typename T> bool tsl_ormqr_batch_takes(int m) { return qr_shapes<T>::ormqr::take(m, 0); }

/* Q C, or least squares by the factors */
template <qrb::purpose FOR, typename T>
cudaError_t apply_q(cudaStream_t s, bool hermitian, int m, int n, int k, Batch<T> A, Batch<T> tau, Batch<T> C, int64_t count, int64_t *info)
{
    const auto launch = [=](auto shape) {
        return qrb::launch_ormqr<decltype(shape), FOR>(s, hermitian, m, n, k, A, tau, C, count, info);
    };
    return qr_shapes<T>::narrow::take(m, n) ? qr_shapes<T>::narrow::first(m, n, launch) : qr_shapes<T>::ormqr::first(m, 0, launch);
}

template <typename T>
cudaError_t tsl_ormqr_batch(cudaStream_t s, bool hermitian, int m, int n, int k, Batch<T> A, Batch<T> tau, Batch<T> C, int64_t count)
{
    if (n == 0 || k == 0 || count == 0) return cudaSuccess;
    return apply_q<qrb::PRODUCT>(s, hermitian, m, n, k, A, tau, C, count, nullptr);
}

template <typename T> bool tsl_gels_batch_takes(int m, int n) { return m >= n && tsl_geqrf_batch_takes<T>(m, n) && tsl_ormqr_batch_takes<T>(m); }

template <typename T>
cudaError_t tsl_gels_batch(cudaStream_t s, int m, int n, int nrhs, Batch<T> A, Batch<T> tau, Batch<T> B, int64_t count, int64_t *info)
{
    if (count == 0) return cudaSuccess;
    if (n == 0) return cudaMemsetAsync(info, 0, (size_t)count * sizeof *info, s);
    const cudaError_t e = tsl_geqrf_batch<T>(s, m, n, A, tau, count);
    return e != cudaSuccess ? e : apply_q<qrb::SOLUTION>(s, true, m, nrhs, n, A, tau, B, count, info);
}

} // namespace tsl

/* In a source file of its own for each type */
#define TSL_QR_BATCH_OF(T) \
    template bool tsl::tsl_geqrf_batch_takes<T>(int, int); \
    template cudaError_t tsl::tsl_geqrf_batch<T>(cudaStream_t, int, int, Batch<T>, Batch<T>, int64_t); \
    template bool tsl::tsl_geqrt_batch_takes<T>(int, int); \
    template cudaError_t tsl::tsl_geqrt_batch<T>(cudaStream_t, int, int, Batch<T>, Batch<T>, Batch<T>, Batch<T>, int64_t); \
    template bool tsl::tsl_ormqr_batch_takes<T>(int); \
    template cudaError_t tsl::tsl_ormqr_batch<T>(cudaStream_t, bool, int, int, int, Batch<T>, Batch<T>, Batch<T>, int64_t); \
    template bool tsl::tsl_gels_batch_takes<T>(int, int); \
    template cudaError_t tsl::tsl_gels_batch<T>(cudaStream_t, int, int, int, Batch<T>, Batch<T>, Batch<T>, int64_t, int64_t *)

#endif
