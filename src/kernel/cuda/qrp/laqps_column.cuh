/* A step of laqps.cuh: column j, its reflector v, and the products of all columns with v. */
#ifndef TSL_CUDA_LAQPS_COLUMN_CUH
#define TSL_CUDA_LAQPS_COLUMN_CUH

#include "kernel/cuda/qrp/laqps.cuh"

namespace tsl {
namespace laqps {

template <class T> __device__ inline T part<T>::finished(int r, int j) const
{
    const T a = far(p.at(r, j - 1));
    return r == j - 1 ? make<T>(s.h.beta) : r < j ? a : s.h.element(a, r, j - 2);
}

template <class T> __device__ inline void part<T>::make_column(int j, int with)
{
    for (int l = tid; l < j; l += THREADS) s.row[l] = conj(far(p.f(with, l)));
    __syncthreads();
    eig::sum_of_squares squares = eig::sum_of_squares::zero();
    for (int r = first_row + tid; r < end_row; r += THREADS) {
        T a = far(p.at(r, with));
        const T last = j ? finished(r, j) : make<T>(0);
        if (j) *p.at(r, j - 1) = last;
        if (with != j) *p.at(r, with) = far(p.at(r, j));
        if (r >= j) {
#pragma unroll 8
            for (int l = 0; l < j - 1; l++) a = sub_mul<false>(a, far(p.at(r, l)), s.row[l]);
            if (j) a = sub_mul<false>(a, last, s.row[j - 1]);
        }
        *p.at(r, j) = a;
        if (r > j) squares.take(a);
    }
    squares.merge_lanes();
    if (lane == 0) s.squares[warp] = squares;
    __syncthreads();
    for (int w = 0; w < WARPS; w++)
        if (w == 0) squares = s.squares[0];
        else squares.merge(s.squares[w]);
    exchange(squares.sum, squares.exponent);
}

template <class T> __device__ inline void part<T>::make_reflector(int j)
{
    if (warp == 0) {
        eig::sum_of_squares squares = eig::sum_of_squares::zero();
        for (int c = lane; c < p.ctas; c += 32) squares.merge({s.word[c], s.high[c]});
        squares.merge_lanes();
        const eig::scaled_reflector<T> h(far(p.at(j, j)), squares);
        if (lane == 0) {
            s.h = h;
            if (cta == 0) p.tau[j] = h.tau;
        }
    }
    __syncthreads();
    for (int r = j + tid; r < p.m && p.staged; r += THREADS) v[r - j] = s.h.element(far(p.at(r, j)), r, j - 1);
    __syncthreads();
}

template <class T> __device__ inline void part<T>::make_dots(int j)
{
    const int groups = (p.n - 1 + AT_ONCE - 1) / AT_ONCE;
    for (int g = warp * p.ctas + cta; g < groups; g += WARPS * p.ctas) {
        const T *x[AT_ONCE];
        int c[AT_ONCE];
        T sum[AT_ONCE];
#pragma unroll
        for (int i = 0; i < AT_ONCE; i++) {
            const int e = min(g * AT_ONCE + i, p.n - 2);
            c[i] = e < j ? e : e + 1, x[i] = p.at(0, c[i]), sum[i] = make<T>(0);
        }
        int r = j + lane;
        for (; r + 32 * (BATCH - 1) < p.m; r += 32 * BATCH) {
            T a[BATCH][AT_ONCE];
#pragma unroll
            for (int b = 0; b < BATCH; b++)
#pragma unroll
                for (int i = 0; i < AT_ONCE; i++) a[b][i] = far(x[i] + r + 32 * b);
#pragma unroll
            for (int b = 0; b < BATCH; b++) {
                const T y = of_v(r + 32 * b, j);
#pragma unroll
                for (int i = 0; i < AT_ONCE; i++) sum[i] = add_mul<true>(sum[i], a[b][i], y);
            }
        }
        for (; r < p.m; r += 32) {
            const T y = of_v(r, j);
#pragma unroll
            for (int i = 0; i < AT_ONCE; i++) sum[i] = add_mul<true>(sum[i], far(x[i] + r), y);
        }
#pragma unroll
        for (int i = 0; i < AT_ONCE; i++) {
            sum[i] = eig::over_lanes(sum[i]);
            if (lane == 0) *(c[i] < j ? p.aux + c[i] : p.f(c[i], j)) = sum[i];
        }
    }
    exchange(0, 0);
}

} // namespace laqps
} // namespace tsl
#endif
