/* Eigenproblems in batches, of one type: which threads take which order. */
#ifndef TSL_CUDA_SYEV_BATCH_TYPE_CUH
#define TSL_CUDA_SYEV_BATCH_TYPE_CUH

#include "kernel/cuda/batch/spectra/spectra_batch.cuh"
#include "kernel/cuda/batch/spectra/syev_problem.cuh"

namespace tsl::spectra {

constexpr int SMALL = 32;        /* order of the problems that parts of warps take */
constexpr int SMALL_CTA = 64;    /* threads */
constexpr int MOST_THREADS = 544; /* four slices of 128 rows, or two of 256, and the warp that is ahead */
constexpr int WARPS = 32;
constexpr int LARGEST_ORDER = 256; /* a row for each thread but the warp that is ahead */

/* Shared memory of a CTA */
template <class T> size_t room_for(int n) { return eig_room<T>::bytes(n) + WARPS * sizeof(double); }

template <class T, int L> __global__ __launch_bounds__(SMALL_CTA, 10) void syev_lanes(eig_batch<T> p)
{
    extern __shared__ __align__(16) unsigned char memory[];
    const int own = (int)threadIdx.x / L;
    const int64_t k = (int64_t)blockIdx.x * (SMALL_CTA / L) + own;
    if (k >= p.count) return;
    solve_eig(lanes<L>(), p, k, eig_room<T>(memory + own * eig_room<T>::bytes(p.n), p.n));
}

template <class T> __global__ __launch_bounds__(MOST_THREADS, 1) void syev_cta(eig_batch<T> p)
{
    extern __shared__ __align__(16) unsigned char memory[];
    __shared__ double scratch[WARPS];
    solve_eig(cta<1>(scratch), p, (int64_t)blockIdx.x, eig_room<T>(memory, p.n));
}

template <class T, int L> cudaError_t launch_syev_lanes(cudaStream_t s, const eig_batch<T> &p)
{
    constexpr int EACH = SMALL_CTA / L;
    const size_t bytes = EACH * eig_room<T>::bytes(p.n);
    const cudaError_t e = cudaFuncSetAttribute((const void *)syev_lanes<T, L>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                               (int)(EACH * eig_room<T>::bytes(L)));
    if (e != cudaSuccess) return e;
    syev_lanes<T, L><<<(unsigned)((p.count + EACH - 1) / EACH), SMALL_CTA, bytes, s>>>(p);
    return cudaGetLastError();
}

/* Where one CTA fills a multiprocessor it has more slices. */
template <class T> cudaError_t launch_syev_cta(cudaStream_t s, const eig_batch<T> &p)
{
    const size_t bytes = eig_room<T>::bytes(p.n);
    const int rows = (p.n + 31) / 32 * 32, slices = bytes > 100000 && rows <= 128 ? SLICES : 2;
    const cudaError_t e =
        cudaFuncSetAttribute((const void *)syev_cta<T>, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
    if (e != cudaSuccess) return e;
    syev_cta<T><<<(unsigned)p.count, 32 + slices * rows, bytes, s>>>(p);
    return cudaGetLastError();
}

} // namespace tsl::spectra

template <class T> bool tsl_syev_batch_takes(int64_t n, size_t shared)
{
    using namespace tsl::spectra;
    return n <= SMALL || (n <= LARGEST_ORDER && room_for<T>((int)n) <= shared);
}

template <class T> cudaError_t tsl_syev_batch(cudaStream_t s, const tsl::spectra::eig_batch<T> &p)
{
    using namespace tsl::spectra;
    if (p.count == 0 || p.n == 0) return cudaSuccess;
    if (p.n <= 8) return launch_syev_lanes<T, 8>(s, p);
    if (p.n <= 16) return launch_syev_lanes<T, 16>(s, p);
    return p.n <= SMALL ? launch_syev_lanes<T, 32>(s, p) : launch_syev_cta<T>(s, p);
}

#define FOR_TYPE(T)                                                      \
    template bool tsl_syev_batch_takes<T>(int64_t, size_t);              \
    template cudaError_t tsl_syev_batch<T>(cudaStream_t, const tsl::spectra::eig_batch<T> &);

#endif
