/* A step of sytrd.cuh: the reflector of its column, and the pass over the CTA's columns. */
#ifndef TSL_CUDA_SYTRD_COLUMN_CUH
#define TSL_CUDA_SYTRD_COLUMN_CUH

#include "kernel/cuda/eig/sytrd/sytrd.cuh"

namespace tsl {
namespace sytrd {

template <class T, int WARPS, int EACH> __device__ inline void part<T, WARPS, EACH>::load()
{
#pragma unroll 1
    for (int c = 0; c < mine; c++) {
        T *const to = column(c);
        const int k = first + c * ctas;
#pragma unroll
        for (int i = 0; i < EACH; i++) {
            const int r = row_of(i);
            if (r < n) to[r] = r > k ? p.at(r, k) : r < k ? conj(p.at(k, r)) : make<T>(re(p.at(k, k)));
        }
    }
#pragma unroll
    for (int i = 0; i < EACH; i++) {
        const int r = row_of(i);
        own[i] = r < n && r % ctas == first ? r / ctas : -1;
        a[i] = r < n ? p.at(r, 0) : make<T>(0);
        v[i] = w[i] = make<T>(0);
    }
}

template <class T, int WARPS, int EACH> __device__ inline scaled_reflector<T> part<T, WARPS, EACH>::reflect(int j)
{
    double squares = 0;
#pragma unroll
    for (int i = 0; i < EACH; i++) {
        const int r = row_of(i);
        if (r > j + 1 && r < n) {
            if constexpr (is_complex<T>)
                squares = fma((double)a[i].re, (double)a[i].re, fma((double)a[i].im, (double)a[i].im, squares));
            else
                squares = fma((double)a[i], (double)a[i], squares);
        }
        if (r == j + 1) s.alpha = a[i];
        if (own[i] >= 0) own_v[own[i]] = v[i], own_w[own[i]] = w[i];
    }
    squares = over_lanes(squares);
    if (lane == 0) s.norm[warp] = squares;
    __syncthreads();
    squares = over_warps(s.norm);
    const T alpha = s.alpha;
    if (squares >= LEAST<R> && squares <= MOST<R> && magnitude(alpha) <= MOST_ALPHA<R>) {
        const reflector<T> h(alpha, (R)squares);
        scaled_reflector<T> x;
        x.inv = h.inv, x.tau = h.tau, x.by = 1, x.beta = h.beta, x.none = h.none;
        return x;
    }
    return reflect_extreme(j, alpha);
}

template <class T, int WARPS, int EACH>
__device__ __forceinline__ scaled_reflector<T> part<T, WARPS, EACH>::reflect_extreme(int j, T alpha)
{
    sum_of_squares squares = sum_of_squares::zero();
#pragma unroll
    for (int i = 0; i < EACH; i++)
        if (row_of(i) > j + 1 && row_of(i) < n) squares.take(a[i]);
    squares.merge_lanes();
    if (lane == 0) s.squares[warp] = squares;
    __syncthreads();
    squares = lane < WARPS ? s.squares[lane] : sum_of_squares::zero();
    squares.merge_lanes();
    return scaled_reflector<T>(alpha, squares);
}

template <class T, int WARPS, int EACH>
__device__ __forceinline__ void part<T, WARPS, EACH>::pass(T *at, int from, int end, int j)
{
#pragma unroll 1
    for (int c = from; c < end; c += G, at += (int64_t)G * n) {
        T sum[G], by_v[G], by_w[G];
#pragma unroll
        for (int g = 0; g < G; g++) {
            sum[g] = by_v[g] = by_w[g] = make<T>(0);
            if (c + g < end) by_v[g] = own_v[c + g], by_w[g] = own_w[c + g];
        }
#pragma unroll
        for (int i = 0; i < EACH; i++) {
            const int r = row_of(i);
            if (r <= j || r >= n) continue;
            T x[G];
#pragma unroll
            for (int g = 0; g < G; g++) x[g] = c + g < end ? at[g * n + r] : make<T>(0);
#pragma unroll
            for (int g = 0; g < G; g++) {
                x[g] = sub_mul<true>(sub_mul<true>(x[g], v[i], by_w[g]), w[i], by_v[g]);
                sum[g] = add_mul<true>(sum[g], x[g], a[i]);
                if (c + g < end) at[g * n + r] = x[g];
            }
            if (r == j + 1)
#pragma unroll
                for (int g = 0; g < G; g++)
                    if (c + g < end) next[c + g] = x[g];
        }
        const T total = lane_sums(sum, lane);
        const int to = c + lane / (32 / G);
        if (lane % (32 / G) == 0 && to < end) sums[to * WARPS + warp] = total;
    }
}

template <class T, int WARPS, int EACH>
__device__ inline void part<T, WARPS, EACH>::write(int j, const T (&x)[EACH], const scaled_reflector<T> &h) const
{
#pragma unroll
    for (int i = 0; i < EACH; i++) {
        const int r = row_of(i);
        if (r == j + 1) p.at(r, j) = make<T>(h.beta), p.e[(int64_t)j * p.step] = h.beta, p.tau[(int64_t)j * p.step] = h.tau;
        if (r > j + 1 && r < n) p.at(r, j) = x[i];
    }
}

} // namespace sytrd
} // namespace tsl
#endif
