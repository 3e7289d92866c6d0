/* LU and the solution of systems in batches, of one type: which kernel takes which shape. */
#include "kernel/cuda/batch/getrf/getrf_cta.cuh"
#include "kernel/cuda/batch/getrf/getrf_square.cuh"
#include "kernel/cuda/batch/getrf/getrf_warp.cuh"

namespace tsl {

template <class T, int RHS> cudaError_t getrf_by_warps(cudaStream_t stream, const lu_batch<T> &p)
{
    const int order = p.m > p.n ? p.m : p.n;
    constexpr int R = RHS == 0 && sizeof(T) == 4 ? 2 : 1;
    return order <= 4    ? launch_getrf_warp<T, 4, 1, 4, RHS, 4, 1>(stream, p)
           : order <= 8  ? launch_getrf_warp<T, 8, 1, 8, RHS, 4, 1>(stream, p)
           : order <= 16 ? launch_getrf_warp<T, 16, 1, 8, RHS, 4, 1>(stream, p)
                         : launch_getrf_warp<T, 32, R, 8, RHS, 4, 1>(stream, p);
}

template <class T> constexpr int SMALL = 32;

template <class T> cudaError_t getrf_by_ctas(cudaStream_t stream, const lu_batch<T> &p)
{
    constexpr bool WIDE = sizeof(T) == 16;
    if (p.m <= 64 && p.n <= 64) {
        if constexpr (sizeof(T) == 4)
            return launch_getrf_warp<T, 64, 2, 8, 0, 4, 3>(stream, p);
        else
            return launch_getrf_square<T, 2, WIDE ? 4 : 2, WIDE ? 2 : 4, WIDE ? 2 : 4>(stream, p);
    }
    return p.m <= 128 ? launch_getrf_cta<T, 4, 1, 8>(stream, p) : p.m <= 256 ? launch_getrf_cta<T, 8, 1, 8>(stream, p) : launch_getrf_cta<T, 8, 2, 8>(stream, p);
}

} // namespace tsl

template <class T> bool tsl_getrf_batch_takes(int m, int n, size_t shared)
{
    return (m <= tsl::SMALL<T> && n <= tsl::SMALL<T>) || (m <= 512 && tsl::lu_shared<T, 8, 8>::bytes(m, n) <= shared);
}

template <class T>
cudaError_t tsl_getrf_batch(cudaStream_t stream, int m, int n, Batch<T> A, Batch<int64_t> piv, int64_t count, int64_t *info, int64_t first, int64_t base,
                            bool keep)
{
    if (count == 0) return cudaSuccess;
    if (m == 0 || n == 0) return keep ? cudaSuccess : cudaMemsetAsync(info, 0, (size_t)count * sizeof *info, stream);
    const tsl::lu_batch<T> p = {m, n, A, piv, count, info, first, base, keep, 0, {}};
    return m <= tsl::SMALL<T> && n <= tsl::SMALL<T> ? tsl::getrf_by_warps<T, 0>(stream, p) : tsl::getrf_by_ctas(stream, p);
}

#define FOR_TYPE(T)                                                                                                                                   \
    template bool tsl_getrf_batch_takes<T>(int, int, size_t);                                                                                         \
    template cudaError_t tsl_getrf_batch<T>(cudaStream_t, int, int, Batch<T>, Batch<int64_t>, int64_t, int64_t *, int64_t, int64_t, bool);
