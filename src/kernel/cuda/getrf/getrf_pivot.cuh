/* Which of several rows the pivot is in: that of the largest element; of equal ones the row whose place in the matrix is the
 * first. */
#ifndef TSL_CUDA_GETRF_PIVOT_CUH
#define TSL_CUDA_GETRF_PIVOT_CUH

#include <climits>

#include "kernel/cuda/lu.cuh"

namespace tsl {

constexpr unsigned ALL_LANES = 0xffffffffu;

/* What is compared instead of sizes, as integers: 0 of no row at all, next that of NaN, so that it is taken only if there is
 * nothing else. Of double precision NaN is known by its upper half: it is a quiet one. */
using key = uint64_t;

template <class T> __device__ key key_of(T a)
{
    const real_t<T> size = size_of(a);
    if constexpr (sizeof(size) == 8) {
        const unsigned high = (unsigned)__double2hiint(size), low = (unsigned)__double2loint(size);
        return (key)(high >= 0x7ff80000u ? 1 : high + 2) << 32 | low;
    } else {
        const unsigned k = __float_as_uint(size);
        return k > 0x7f800000u ? 1 : k + 2;
    }
}

/* The same where the pivot is in a given row */
__device__ inline key key_of_row(bool is_it) { return is_it ? ~(key)0 : 1; }

__device__ inline unsigned largest(unsigned k)
{
#if __CUDA_ARCH__ >= 800
    return __reduce_max_sync(ALL_LANES, k);
#else
#pragma unroll
    for (int bit = 16; bit >= 1; bit /= 2) k = max(k, __shfl_xor_sync(ALL_LANES, k, bit));
    return k;
#endif
}

/* Of the lanes `who`, which agree in the upper halves of their keys, the one with the largest lower half, then the first place.
 * Seldom called, and apart, so that its latency is not everyone's. */
static __device__ __noinline__ int first_of(unsigned who, unsigned low, int place)
{
    bool in = who >> threadIdx.x % 32 & 1;
    const unsigned most = largest(in ? low : 0); /* of all lanes, that is */
    in = in && low == most;
    const unsigned first = largest(in ? ~(unsigned)place : 0);
    return __ffs((int)__ballot_sync(ALL_LANES, in && ~(unsigned)place == first)) - 1;
}

/* What of a key is compared first */
template <class T> __device__ unsigned top_of(key k) { return (unsigned)(sizeof(real_t<T>) == 4 ? k : k >> 32); }

/* The lane with the warp's best key; its row is in `place`. Any where there are no rows. */
template <class T> __device__ int choose(key mine, int place)
{
    const unsigned top = top_of<T>(mine), most = largest(top), who = __ballot_sync(ALL_LANES, top == most);
    return who & (who - 1) && most ? first_of(who, (unsigned)mine, place) : __ffs((int)who) - 1;
}

/* The warp with the best of COUNT keys, given their tops; the rest matters only in the seldom case that these are equal. Every
 * lane looks at all tops: that takes less time than to ask the other lanes. */
template <class T, int COUNT> __device__ int choose_warp(const unsigned *tops, const key *keys, const int *places, int lane)
{
    static_assert(COUNT % 4 == 0, "by 16 bytes");
    unsigned top[COUNT], most = 0, who = 0;
#pragma unroll
    for (int i = 0; i < COUNT; i += 4) {
        const uint4 v = *(const uint4 *)(tops + i);
        top[i] = v.x, top[i + 1] = v.y, top[i + 2] = v.z, top[i + 3] = v.w;
    }
#pragma unroll
    for (int i = 0; i < COUNT; i++) most = max(most, top[i]);
#pragma unroll
    for (int i = 0; i < COUNT; i++) who |= (unsigned)(top[i] == most) << i;
    if (who & (who - 1) && most) return choose<T>(lane < COUNT ? keys[lane] : 0, lane < COUNT ? places[lane] : INT_MAX);
    return __ffs((int)who) - 1;
}

} // namespace tsl
#endif
