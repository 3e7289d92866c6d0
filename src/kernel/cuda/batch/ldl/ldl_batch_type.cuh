/* The functions of ldl_batch.cuh, of a type: which threads take which order. */
#ifndef TSL_CUDA_LDL_BATCH_TYPE_CUH
#define TSL_CUDA_LDL_BATCH_TYPE_CUH

#include "kernel/cuda/batch/ldl/ldl_batch.cuh"
#include "kernel/cuda/batch/ldl/ldl_solve.cuh"

namespace tsl::many {

constexpr int SMALL = 32, SMALL_CTA = 64; /* the order of problems that parts of warps take, and the threads of their CTAs */

template <class T, int L> __global__ __launch_bounds__(SMALL_CTA) void sytrf_part(ldl_batch<T> b, unsigned room)
{
    extern __shared__ __align__(16) unsigned char memory[];
    const int own = (int)threadIdx.x / L;
    const int64_t k = (int64_t)blockIdx.x * (SMALL_CTA / L) + own;
    if (k < b.count && !(b.skip && b.skip[k])) factor(part<L>(), b, k, memory + own * room);
}

template <class T> __global__ __launch_bounds__(256) void sytrf_cta(ldl_batch<T> b)
{
    extern __shared__ __align__(16) unsigned char memory[];
    if (!(b.skip && b.skip[blockIdx.x])) factor(whole(), b, blockIdx.x, memory);
}

template <class T, int L> __global__ __launch_bounds__(SMALL_CTA) void sytrs_part(ldl_batch<T> b, unsigned room)
{
    extern __shared__ __align__(16) unsigned char memory[];
    const int own = (int)threadIdx.x / L;
    const int64_t k = (int64_t)blockIdx.x * (SMALL_CTA / L) + own;
    if (k < b.count && !(b.skip && b.skip[k])) solve(part<L>(), b, k, memory + own * room, 0, COLUMNS);
}

template <class T> __global__ __launch_bounds__(256) void sytrs_cta(ldl_batch<T> b)
{
    extern __shared__ __align__(16) unsigned char memory[];
    if (b.skip && b.skip[blockIdx.x]) return;
    solve(whole(), b, blockIdx.x, memory, (int)blockIdx.y * COLUMNS, (int)gridDim.y * COLUMNS);
}

/* Parts of warps, room bytes for each of their problems */
template <int L, class T, class K> cudaError_t launch_part(cudaStream_t s, K kernel, const ldl_batch<T> &b, size_t room)
{
    constexpr int EACH = SMALL_CTA / L;
    const cudaError_t e =
        cudaFuncSetAttribute((const void *)kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)(EACH * room));
    if (e != cudaSuccess) return e;
    kernel<<<(unsigned)((b.count + EACH - 1) / EACH), SMALL_CTA, EACH * room, s>>>(b, (unsigned)room);
    return cudaGetLastError();
}

template <class T, class K>
cudaError_t launch_cta(cudaStream_t s, K kernel, const ldl_batch<T> &b, dim3 grid, int threads, size_t room)
{
    const cudaError_t e = cudaFuncSetAttribute((const void *)kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)room);
    if (e != cudaSuccess) return e;
    kernel<<<grid, threads, room, s>>>(b);
    return cudaGetLastError();
}

} // namespace tsl::many

template <class T> bool tsl_sytrf_batch_takes(int64_t n, size_t shared)
{
    return n <= 1024 && tsl::many::factor_room<T>((int)n) <= shared;
}

template <class T> bool tsl_sytrs_batch_takes(int64_t n, size_t shared)
{
    return n <= 1024 && tsl::many::ldl_room<T>::bytes((int)n) <= shared;
}

template <class T> cudaError_t tsl_sytrf_batch(cudaStream_t s, const tsl::many::ldl_batch<T> &b)
{
    using namespace tsl::many;
    const size_t room = factor_room<T>(b.n);
    if (b.count == 0 || b.n == 0) return cudaSuccess;
    if (b.n <= 8) return launch_part<8>(s, sytrf_part<T, 8>, b, room);
    if (b.n <= 16) return launch_part<16>(s, sytrf_part<T, 16>, b, room);
    if (b.n <= SMALL) return launch_part<32>(s, sytrf_part<T, 32>, b, room);
    return launch_cta(s, sytrf_cta<T>, b, (unsigned)b.count, b.n <= 64 ? 128 : 256, room);
}

template <class T> cudaError_t tsl_sytrs_batch(cudaStream_t s, const tsl::many::ldl_batch<T> &b)
{
    using namespace tsl::many;
    const size_t room = ldl_room<T>::bytes(b.n);
    if (b.count == 0 || b.n == 0 || b.nrhs == 0) return cudaSuccess;
    if (b.n <= 8) return launch_part<8>(s, sytrs_part<T, 8>, b, room);
    if (b.n <= 16) return launch_part<16>(s, sytrs_part<T, 16>, b, room);
    if (b.n <= SMALL) return launch_part<32>(s, sytrs_part<T, 32>, b, room);
    const int parts = (b.nrhs + COLUMNS - 1) / COLUMNS;
    return launch_cta(s, sytrs_cta<T>, b, dim3((unsigned)b.count, parts < 4 ? parts : 4), 256, room);
}

#define FOR_TYPE(T)                                                                    \
    template bool tsl_sytrf_batch_takes<T>(int64_t, size_t);                           \
    template bool tsl_sytrs_batch_takes<T>(int64_t, size_t);                           \
    template cudaError_t tsl_sytrf_batch<T>(cudaStream_t, const tsl::many::ldl_batch<T> &); \
    template cudaError_t tsl_sytrs_batch<T>(cudaStream_t, const tsl::many::ldl_batch<T> &);

#endif
