/* The choice between the kernels of potrf_batch.cuh, which are compiled per type. */
#ifndef TSL_CUDA_POTRF_BATCH_KERNEL_CUH
#define TSL_CUDA_POTRF_BATCH_KERNEL_CUH

#include "kernel/cuda/batch/potrf/potrf_batch.cuh"
#include "kernel/cuda/batch/potrf/potrf_rows.cuh"
#include "kernel/cuda/batch/potrf/potrf_tiles.cuh"

namespace tsl {
namespace {

template <class T, bool SOLVES>
cudaError_t factor_rows_batch(cudaStream_t s, bool lower, int n, int64_t nrhs, Batch<T> A, Batch<T> B, int64_t count, int64_t *info)
{
    constexpr int L = sizeof(T) == 4 || SOLVES ? 8 : 16; /* lanes for orders to 16 */
    return n <= 4    ? launch_factor_small<T, 4, 1, SOLVES>(s, lower, n, nrhs, A, B, count, info)
           : n <= 8  ? launch_factor_small<T, 8, 1, SOLVES>(s, lower, n, nrhs, A, B, count, info)
           : n <= 16 ? launch_factor_small<T, L, 16 / L, SOLVES>(s, lower, n, nrhs, A, B, count, info)
           : n <= 24 ? launch_factor_small<T, 8, 3, SOLVES>(s, lower, n, nrhs, A, B, count, info)
                     : launch_factor_small<T, 16, 2, SOLVES>(s, lower, n, nrhs, A, B, count, info);
}

} // namespace
} // namespace tsl

template <typename T> cudaError_t tsl_potrf_batch(cudaStream_t s, bool lower, int n, Batch<T> A, int64_t count, int64_t *info, int before)
{
    if (count == 0 || (n == 0 && before)) return cudaSuccess;
    if (n == 0) return cudaMemsetAsync(info, 0, count * sizeof *info, s);
    if (before) return tsl::launch_potrf_tiles<T, 4>(s, lower, n, before, A, count, info);
    if (n <= 32) return tsl::factor_rows_batch<T, false>(s, lower, n, 0, A, {}, count, info);
    if constexpr (!tsl::is_complex<T>) /* registers for 96 elements */
        if (n <= 48) return tsl::launch_factor_small<T, 16, 3, false>(s, lower, n, 0, A, {}, count, info);
    if constexpr (sizeof(T) == 4)
        if (n <= 64) return tsl::launch_factor_small<T, 32, 2, false>(s, lower, n, 0, A, {}, count, info);
    if (n <= 64) return tsl::launch_potrf_tiles<T, 1>(s, lower, n, 0, A, count, info);
    return tsl::launch_potrf_tiles<T, 4>(s, lower, n, 0, A, count, info);
}

template <typename T> bool tsl_posv_batch_fits(int n, int64_t nrhs) { return nrhs <= (n <= 24 ? 4 : n <= 32 ? 2 : 0); }

template <typename T>
cudaError_t tsl_posv_batch(cudaStream_t s, bool lower, int n, int64_t nrhs, Batch<T> A, Batch<T> B, int64_t count, int64_t *info)
{
    if (n == 0 || nrhs == 0 || count == 0) return tsl_potrf_batch(s, lower, n, A, count, info);
    return tsl::factor_rows_batch<T, true>(s, lower, n, nrhs, A, B, count, info);
}

template <typename T> const void *tsl_potrf_batch_kernel() { return (const void *)tsl::potrf_tiles<T, 4>; }

#define FOR_TYPE(T)                                                                                                   \
    template cudaError_t tsl_potrf_batch<T>(cudaStream_t, bool, int, Batch<T>, int64_t, int64_t *, int);              \
    template bool tsl_posv_batch_fits<T>(int, int64_t);                                                               \
    template cudaError_t tsl_posv_batch<T>(cudaStream_t, bool, int, int64_t, Batch<T>, Batch<T>, int64_t, int64_t *); \
    template const void *tsl_potrf_batch_kernel<T>();

#endif
