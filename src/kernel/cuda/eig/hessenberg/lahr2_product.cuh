/* A step of lahr2.cuh: A v by tiles, and what follows of it for Y and T. */
#ifndef TSL_CUDA_LAHR2_PRODUCT_CUH
#define TSL_CUDA_LAHR2_PRODUCT_CUH

#include "kernel/cuda/eig/hessenberg/lahr2.cuh"

namespace tsl {
namespace lahr2 {

template <class T> __device__ inline void step<T>::tile(int block, int from, int to, T (&y)[K]) const
{
    constexpr int EACH = sizeof(T) > 8 ? 4 : 8; /* columns under way */
    const int row = block * B + lane, count = to - from;
    const T *rows[K];
#pragma unroll
    for (int i = 0; i < K; i++) rows[i] = p.A + min(row + 32 * i, p.m - 1), y[i] = make<T>(0);
    for (int g = 0; g < count; g += EACH) { /* first all loads; past the end the last element again, times zero */
        T x[EACH], v[EACH][K];
        int at[EACH];
#pragma unroll
        for (int e = 0; e < EACH; e++) {
            const int group = min(g + e, count - 1), column = j + (j % 2 ? to - 1 - group : from + group) * WARPS + warp;
            at[e] = g + e < count && column < p.m ? column : -1;
            x[e] = far(p.a + min(column, p.m - 1));
#pragma unroll
            for (int i = 0; i < K; i++) v[e][i] = far(rows[i] + (int64_t)(min(column, p.m - 1) + 1) * p.lda);
        }
#pragma unroll
        for (int e = 0; e < EACH; e++) {
            const T by = at[e] < 0 ? make<T>(0) : element(x[e], at[e]);
#pragma unroll
            for (int i = 0; i < K; i++) y[i] = add_mul(y[i], v[e][i], by);
        }
    }
}

template <class T> __device__ inline void step<T>::product()
{
    const shares all(p.blocks, p.m - j, p.ctas);
    const int64_t first = all.first(blockIdx.x), last = all.first(blockIdx.x + 1);
    const int low = (int)(first / all.groups), count = first < last ? (int)((last - 1) / all.groups) - low + 1 : 0;
    for (int i = 0; i < count; i++) {
        const int block = j % 2 ? low + count - 1 - i : low + i;
        const int64_t start = (int64_t)block * all.groups;
        T y[K];
        tile(block, (int)(max(first, start) - start), (int)(min(last, start + all.groups) - start), y);
#pragma unroll
        for (int r = 0; r < K; r++) s.sums[warp][lane + 32 * r] = y[r];
        __syncthreads();
        if (tid < B) {
            T sum = s.sums[0][tid];
            for (int w = 1; w < WARPS; w++) sum = add(sum, s.sums[w][tid]);
            p.part[((int64_t)block * p.slots + (blockIdx.x - all.cta_of(start))) * B + tid] = sum;
        }
        __syncthreads();
    }
    tell_dots(p.vv, 2);
}

template <class T> __device__ inline T step<T>::sum_of_parts(const shares &all, int row) const
{
    const int block = row / B;
    const int64_t start = (int64_t)block * all.groups;
    const int parts = all.cta_of(start + all.groups - 1) - all.cta_of(start) + 1;
    T sum = make<T>(0);
    for (int i = 0; i < parts; i++) sum = add(sum, far(p.part + ((int64_t)block * p.slots + i) * B + row % B));
    return sum;
}

template <class T> __device__ inline void step<T>::finish()
{
    const shares all(p.blocks, p.m - j, p.ctas);
    hear_dots(p.vv, 2);
    const T tau = s.h.tau;
    if (tid < j) s.by[tid] = s.dots[tid];
    T above = make<T>(0);
    if (tid < j)
        for (int i = tid; i < j; i++) above = add_mul(above, s.tri[i][tid], s.dots[i]);
    __syncthreads();
    if (tid <= j) {
        const T t = tid < j ? scale(mul(tau, above), real_t<T>(-1)) : tau;
        s.tri[j][tid] = t;
        if (blockIdx.x == 0) p.tri[tid + j * p.ldt] = t;
    }
    if (blockIdx.x == 0 && tid > j && tid < p.k) p.tri[tid + j * p.ldt] = make<T>(0);
    for (int row = begin + lane; row - lane < end; row += 32) {
        const T product = times(p.Y, p.ldy, row);
        if (warp == 0 && row < end) p.Y[row + j * p.ldy] = mul(tau, add(sum_of_parts(all, row), scale(product, real_t<T>(-1))));
    }
    __syncthreads();
}

} // namespace lahr2
} // namespace tsl
#endif
