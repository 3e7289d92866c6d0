/* The threads that have one problem in shared memory: part of a warp, or a CTA. What they do together is written once, for
 * both: each does every size-th piece of a step, and steps are `sync` apart. Sums are the same bits in all of them. */
#ifndef TSL_CUDA_BATCH_SPECTRA_GROUP_CUH
#define TSL_CUDA_BATCH_SPECTRA_GROUP_CUH

#include "kernel/cuda/scalar.cuh"

namespace tsl::spectra {

/* Sum, or largest, over P neighbours, which all call */
template <int P, class R> __device__ R sum_of_part(R a)
{
    const unsigned mask = (P == 32 ? 0xffffffffu : (1u << (P % 32)) - 1) << (threadIdx.x % 32 / P * P);
#pragma unroll
    for (int bit = P / 2; bit > 0; bit /= 2) a += __shfl_xor_sync(mask, a, bit);
    return a;
}

template <int P, class R> __device__ R most_of_part(R a)
{
    const unsigned mask = (P == 32 ? 0xffffffffu : (1u << (P % 32)) - 1) << (threadIdx.x % 32 / P * P);
#pragma unroll
    for (int bit = P / 2; bit > 0; bit /= 2) a = fmax(a, __shfl_xor_sync(mask, a, bit));
    return a;
}

/* L neighbours of a warp; PART of them have a pair of columns */
template <int L> struct lanes {
    static constexpr int PART = L / 2 < 2 ? 1 : 2;
    static constexpr bool AHEAD = false;
    int rank;
    static constexpr int size = L;

    __device__ lanes() : rank((int)threadIdx.x % L) {}
    __device__ int appliers() const { return L; }
    __device__ int applier() const { return rank; }
    __device__ void sync() const { __syncwarp((L == 32 ? 0xffffffffu : (1u << (L % 32)) - 1) << (threadIdx.x % 32 / L * L)); }
    template <class R> __device__ R sum(R a) const { return sum_of_part<L>(a); }
    template <class R> __device__ R most(R a) const { return most_of_part<L>(a); }
    template <class R> __device__ R part_sum(R a) const { return sum_of_part<PART>(a); }
};

/* A CTA; its first warp computes rotations while the others apply those that it has computed before. */
template <int P> struct cta {
    static constexpr int PART = P;
    static constexpr bool AHEAD = true;
    int rank, size;
    void *scratch; /* a double for each warp */

    __device__ cta(void *room) : rank((int)threadIdx.x), size((int)blockDim.x), scratch(room) {}
    __device__ int appliers() const { return size - 32; }
    __device__ int applier() const { return rank - 32; }
    __device__ void sync() const { __syncthreads(); }

    /* The scratch is free: whoever has read it has come to a `sync` since. */
    template <class R> __device__ R sum(R a) const
    {
        R *of_warp = (R *)scratch, all = 0;
        a = sum_of_part<32>(a);
        if (rank % 32 == 0) of_warp[rank / 32] = a;
        __syncthreads();
        for (int i = 0; i < size / 32; i++) all += of_warp[i];
        __syncthreads();
        return all;
    }
    template <class R> __device__ R most(R a) const
    {
        R *of_warp = (R *)scratch, all = 0;
        a = most_of_part<32>(a);
        if (rank % 32 == 0) of_warp[rank / 32] = a;
        __syncthreads();
        for (int i = 0; i < size / 32; i++) all = fmax(all, of_warp[i]);
        __syncthreads();
        return all;
    }
    template <class R> __device__ R part_sum(R a) const { return sum_of_part<P>(a); }
};

template <class G, class T> __device__ T sum_of(const G &g, T a)
{
    if constexpr (is_complex<T>)
        return T{g.sum(a.re), g.sum(a.im)};
    else
        return g.sum(a);
}

template <class G, class T> __device__ T part_sum_of(const G &g, T a)
{
    if constexpr (is_complex<T>)
        return T{g.part_sum(a.re), g.part_sum(a.im)};
    else
        return g.part_sum(a);
}

template <class R> constexpr R EPSILON = std::numeric_limits<R>::epsilon();
/* Elements of a problem are scaled to be about 1: the square of a number that counts is not below this. Above it squares, and
 * sums of them, keep all their digits. */
template <class R> constexpr R NO_SQUARE = std::numeric_limits<R>::min() / (EPSILON<R> * EPSILON<R>);
/* What may be left out of such a problem, and has a square */
template <class R> constexpr R NEGLIGIBLE = sizeof(R) == 4 ? R(1e-12) : R(5e-32);

/* a 2^e, whatever e */
template <class T> __device__ T times_power(T a, int e)
{
    if constexpr (is_complex<T>)
        return T{scalbn(a.re, e), scalbn(a.im, e)};
    else
        return scalbn(a, e);
}

/* The power of two below a > 0 */
template <class R> __device__ int power_of(R a) { return a > 0 ? ilogb(a) : 0; }

template <class T> __device__ real_t<T> square(T a)
{
    if constexpr (is_complex<T>)
        return fma(a.im, a.im, a.re * a.re);
    else
        return a * a;
}

/* a + s b */
template <class T> __device__ T add_scaled(T a, real_t<T> s, T b)
{
    if constexpr (is_complex<T>)
        return T{fma(s, b.re, a.re), fma(s, b.im, a.im)};
    else
        return fma(s, b, a);
}

/* place[i] := where w[i] comes among the n of w, ascending or descending; equal ones in their order */
template <class G, class R> __device__ void find_places(const G &g, const R *w, int n, bool ascend, int *place)
{
    for (int i = g.rank; i < n; i += g.size) {
        int before = 0;
        for (int j = 0; j < n; j++) {
            const bool is_less = ascend ? w[j] < w[i] : w[j] > w[i];
            before += is_less || (w[j] == w[i] && j < i);
        }
        place[i] = before;
    }
}

} // namespace tsl::spectra
#endif
