/* A round of laqp2.cuh: the CTA's columns are reflected by what was taken, and measured anew. */
#ifndef TSL_CUDA_LAQP2_FOLLOW_CUH
#define TSL_CUDA_LAQP2_FOLLOW_CUH

#include "kernel/cuda/qrp/laqp2.cuh"

namespace tsl {
namespace laqp2 {

template <class T> template <int AT_ONCE>
__device__ inline void steps<T>::reflect_all(int k, int taken)
{
    const int next = k + taken;
    for (int from = warp * AT_ONCE; from < mine; from += WARPS * AT_ONCE) {
        T *x[AT_ONCE];
        bool open[AT_ONCE];
#pragma unroll
        for (int c = 0; c < AT_ONCE; c++) {
            const int j = min(from + c, mine - 1);
            x[c] = column(j), open[c] = from + c < mine && position[j] >= next;
        }
        for (int i = 0; i < taken; i++) {
            const T *const y = v + (int64_t)i * p.m;
            T sum[AT_ONCE];
#pragma unroll
            for (int c = 0; c < AT_ONCE; c++) sum[c] = make<T>(0);
#pragma unroll 4
            for (int r = k + lane; r < p.m; r += 32) /* v is zero above row k + i */
#pragma unroll
                for (int c = 0; c < AT_ONCE; c++) sum[c] = add_mul<true>(sum[c], y[r], x[c][r]);
#pragma unroll
            for (int bit = 16; bit >= 1; bit /= 2)
#pragma unroll
                for (int c = 0; c < AT_ONCE; c++) sum[c] = add(sum[c], shuffle_xor(sum[c], bit));
            const T by = conj(s.tau[i]);
#pragma unroll
            for (int c = 0; c < AT_ONCE; c++) sum[c] = mul(by, sum[c]);
#pragma unroll 4
            for (int r = k + lane; r < p.m; r += 32)
#pragma unroll
                for (int c = 0; c < AT_ONCE; c++)
                    if (open[c]) x[c][r] = sub_mul<false>(x[c][r], y[r], sum[c]);
        }
        __syncwarp(); /* rows by other lanes */
        double left[AT_ONCE] = {};
        for (int r = next + 1 + lane; r < p.m; r += 32)
#pragma unroll
            for (int c = 0; c < AT_ONCE; c++) left[c] += squared(x[c][r]);
#pragma unroll
        for (int bit = 16; bit >= 1; bit /= 2)
#pragma unroll
            for (int c = 0; c < AT_ONCE; c++) left[c] += shuffle_xor(left[c], bit);
#pragma unroll
        for (int c = 0; c < AT_ONCE; c++)
            if (lane == c && open[c]) tail[from + c] = left[c], length[from + c] = next < p.m ? length_of(left[c] + squared(x[c][next])) : 0.;
    }
}

template <class T> template <int AT_ONCE>
__device__ inline void steps<T>::reflect_short(int k, int taken)
{
    const int next = k + taken;
    for (int from = warp * AT_ONCE; from < mine; from += WARPS * AT_ONCE) {
        T a[LINES][AT_ONCE];
        bool open[AT_ONCE];
        double left[AT_ONCE], head[AT_ONCE];
#pragma unroll
        for (int c = 0; c < AT_ONCE; c++) {
            const int j = min(from + c, mine - 1);
            open[c] = from + c < mine && position[j] >= next, left[c] = head[c] = 0;
#pragma unroll
            for (int t = 0; t < LINES; t++) a[t][c] = k + lane + 32 * t < p.m ? column(j)[k + lane + 32 * t] : make<T>(0);
        }
        for (int i = 0; i < taken; i++) {
            const T *const v1 = v + (int64_t)i * p.m;
            T y[LINES], sum[AT_ONCE];
#pragma unroll
            for (int t = 0; t < LINES; t++) y[t] = k + lane + 32 * t < p.m ? v1[k + lane + 32 * t] : make<T>(0);
#pragma unroll
            for (int c = 0; c < AT_ONCE; c++) {
                sum[c] = make<T>(0);
#pragma unroll
                for (int t = 0; t < LINES; t++) sum[c] = add_mul<true>(sum[c], y[t], a[t][c]);
            }
#pragma unroll
            for (int bit = 16; bit >= 1; bit /= 2)
#pragma unroll
                for (int c = 0; c < AT_ONCE; c++) sum[c] = add(sum[c], shuffle_xor(sum[c], bit));
            const T by = conj(s.tau[i]);
#pragma unroll
            for (int c = 0; c < AT_ONCE; c++) {
                sum[c] = mul(by, sum[c]);
#pragma unroll
                for (int t = 0; t < LINES; t++) a[t][c] = sub_mul<false>(a[t][c], y[t], sum[c]);
            }
        }
#pragma unroll
        for (int c = 0; c < AT_ONCE; c++)
#pragma unroll
            for (int t = 0; t < LINES; t++) {
                const int r = k + lane + 32 * t;
                if (r < p.m && open[c]) column(from + c)[r] = a[t][c];
                if (r == next) head[c] = squared(a[t][c]);
                if (r > next) left[c] += squared(a[t][c]);
            }
#pragma unroll
        for (int bit = 16; bit >= 1; bit /= 2)
#pragma unroll
            for (int c = 0; c < AT_ONCE; c++) left[c] += shuffle_xor(left[c], bit);
#pragma unroll
        for (int c = 0; c < AT_ONCE; c++)
            if (lane == taken % 32 && open[c])
                tail[from + c] = left[c], length[from + c] = length_of(left[c] + head[c]); /* the lane with row next */
    }
}

template <class T> __device__ inline void steps<T>::follow(int k, int taken)
{
    if (p.m - k <= 32 * LINES && mine > 2 * WARPS) reflect_short<4>(k, taken);
    else if (p.m - k <= 32 * LINES) reflect_short<2>(k, taken);
    else if (mine <= WARPS) reflect_all<1>(k, taken);
    else if (mine <= 2 * WARPS) reflect_all<2>(k, taken);
    else reflect_all<4>(k, taken);
    __syncthreads();
}

} // namespace laqp2
} // namespace tsl
#endif
