/* The threads that have one problem: neighbours of a warp, or a CTA. Each does every size-th piece of a step; steps are `sync`
 * apart. What is decided in sequence is decided by the first P of them, who are of one warp. */
#ifndef TSL_CUDA_BATCH_GROUP_CUH
#define TSL_CUDA_BATCH_GROUP_CUH

#include "kernel/cuda/scalar.cuh"

namespace tsl::many {

/* P neighbours, a power of two */
template <int P> __device__ unsigned mask_of()
{
    return (P == 32 ? 0xffffffffu : (1u << (P % 32)) - 1) << (threadIdx.x % 32 / P * P);
}

template <int P, class T> __device__ T sum_of(T a)
{
    const unsigned mask = mask_of<P>();
#pragma unroll
    for (int bit = P / 2; bit > 0; bit /= 2) {
        if constexpr (is_complex<T>)
            a = T{a.re + __shfl_xor_sync(mask, a.re, bit), a.im + __shfl_xor_sync(mask, a.im, bit)};
        else
            a += __shfl_xor_sync(mask, a, bit);
    }
    return a;
}

/* The larger one, or what is no number */
template <class R> __device__ R larger(R a, R b) { return a > b || isnan(a) ? a : b; }

template <int P, class R> __device__ R largest_of(R a)
{
    const unsigned mask = mask_of<P>();
#pragma unroll
    for (int bit = P / 2; bit > 0; bit /= 2) a = larger(a, __shfl_xor_sync(mask, a, bit));
    return a;
}

/* A number at a place; of equal ones the first, or the last */
template <class R> struct place {
    R size;
    int at;
};

template <int P, class R> __device__ place<R> most_of(place<R> a, bool last)
{
    const unsigned mask = mask_of<P>();
#pragma unroll
    for (int bit = P / 2; bit > 0; bit /= 2) {
        const R size = __shfl_xor_sync(mask, a.size, bit);
        const int at = __shfl_xor_sync(mask, a.at, bit);
        if (size > a.size || (size == a.size && (at < a.at) != last)) a = {size, at};
    }
    return a;
}

template <int L> struct part {
    static constexpr int P = L, size = L;
    int rank;
    __device__ part() : rank((int)threadIdx.x % L) {}
    __device__ void sync() const { __syncwarp(mask_of<L>()); }
};

struct whole {
    static constexpr int P = 32;
    int rank, size;
    __device__ whole() : rank((int)threadIdx.x), size((int)blockDim.x) {}
    __device__ void sync() const { __syncthreads(); }
};

/* The sum of sizes of its parts */
template <class T> __device__ real_t<T> size_of_parts(T a)
{
    if constexpr (is_complex<T>)
        return fabs(a.re) + fabs(a.im);
    else
        return fabs(a);
}

/* a / b, with no overflow but the quotient's */
template <class T> __device__ T divided(T a, T b)
{
    if constexpr (is_complex<T>)
        return mul(a, inverse(b));
    else
        return a / b;
}

/* Bytes of shared memory that a CTA may have; 0: that cannot be known */
inline size_t shared_of_cta()
{
    int device = 0, shared = 0;
    const bool known = cudaGetDevice(&device) == cudaSuccess &&
                       cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device) == cudaSuccess;
    return known ? (size_t)shared : 0;
}

} // namespace tsl::many
#endif
