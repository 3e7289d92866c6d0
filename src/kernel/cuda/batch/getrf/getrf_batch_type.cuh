/* LU and the solution of systems in batches, of one type: which kernel takes which shape, as measured on an H200. */
#ifndef TSL_CUDA_GETRF_BATCH_TYPE_CUH
#define TSL_CUDA_GETRF_BATCH_TYPE_CUH

#include "kernel/cuda/batch/getrf/getrf_cta.cuh"
#include "kernel/cuda/batch/getrf/getrf_warp.cuh"

namespace tsl::lu {

constexpr int SMALL = 32;      /* order of the problems that warps take */
constexpr int RHS_AT_ONCE = 4; /* and right-hand sides, beside the factorization */
constexpr int ROWS = 512;      /* of the problems that CTAs take in shared memory */

template <class T, int RHS> cudaError_t getrf_by_warps(cudaStream_t stream, const lu_batch<T> &p)
{
    const int order = p.m > p.n ? p.m : p.n;
    return order <= 4    ? launch_getrf_warp<T, 4, 1, 4, RHS, 4, 1>(stream, p)
           : order <= 8  ? launch_getrf_warp<T, 8, 1, 8, RHS, 4, 1>(stream, p)
           : order <= 16 ? launch_getrf_warp<T, 16, 1, 16, RHS, 4, 1>(stream, p)
                         : launch_getrf_warp<T, 32, 1, 8, RHS, 4, 1>(stream, p);
}

template <class T> cudaError_t getrf_by_ctas(cudaStream_t stream, const lu_batch<T> &p)
{
    if constexpr (sizeof(T) == 4)
        if (p.m <= 64 && p.n <= 64) return launch_getrf_warp<T, 64, 2, 8, 0, 4, 3>(stream, p);
    return p.m <= 64    ? launch_getrf_cta<T, 2, 1>(stream, p)
           : p.m <= 128 ? launch_getrf_cta<T, 4, 1>(stream, p)
           : p.m <= 256 ? launch_getrf_cta<T, 8, 1>(stream, p)
                        : launch_getrf_cta<T, 8, 2>(stream, p);
}

} // namespace tsl::lu

template <class T> bool tsl_getrf_batch_takes(int m, int n, size_t shared)
{
    return (m <= tsl::lu::SMALL && n <= tsl::lu::SMALL) || (m <= tsl::lu::ROWS && tsl::lu::lu_shared<T, 8>::bytes(m, n) <= shared);
}

template <class T>
cudaError_t tsl_getrf_batch(cudaStream_t stream, int m, int n, Batch<T> A, Batch<int64_t> piv, int64_t count, int64_t *info,
                            int64_t first, int64_t base, bool keep)
{
    if (count == 0) return cudaSuccess;
    if (m == 0 || n == 0) return keep ? cudaSuccess : cudaMemsetAsync(info, 0, (size_t)count * sizeof *info, stream);
    const tsl::lu::lu_batch<T> p = {m, n, A, piv, count, info, first, base, keep, 0, {}};
    return m <= tsl::lu::SMALL && n <= tsl::lu::SMALL ? tsl::lu::getrf_by_warps<T, 0>(stream, p) : tsl::lu::getrf_by_ctas(stream, p);
}

template <class T>
cudaError_t tsl_gesv_batch(cudaStream_t stream, int n, int nrhs, Batch<T> A, Batch<int64_t> piv, Batch<T> B, int64_t count,
                           int64_t *info, int64_t first)
{
    if (count == 0) return cudaSuccess;
    const tsl::lu::lu_batch<T> p = {n, n, A, piv, count, info, first, 0, false, nrhs, B};
    if (n > 0 && n <= tsl::lu::SMALL && nrhs > 0 && nrhs <= tsl::lu::RHS_AT_ONCE)
        return nrhs == 1 ? tsl::lu::getrf_by_warps<T, 1>(stream, p) : tsl::lu::getrf_by_warps<T, tsl::lu::RHS_AT_ONCE>(stream, p);
    const cudaError_t e = tsl_getrf_batch<T>(stream, n, n, A, piv, count, info, first, 0, false);
    return e != cudaSuccess ? e : tsl_getrs_batch<T>(stream, TSL_BATCH_N, n, nrhs, A, piv, first, B, count, info, nullptr);
}

#define FOR_TYPE(T)                                                                                                                                   \
    template bool tsl_getrf_batch_takes<T>(int, int, size_t);                                                                                         \
    template cudaError_t tsl_getrf_batch<T>(cudaStream_t, int, int, Batch<T>, Batch<int64_t>, int64_t, int64_t *, int64_t, int64_t, bool);            \
    template cudaError_t tsl_gesv_batch<T>(cudaStream_t, int, int, Batch<T>, Batch<int64_t>, Batch<T>, int64_t, int64_t *, int64_t);

#endif
