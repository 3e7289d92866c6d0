/* A round of laqp2.cuh: the candidates are factored, one after the other, as far as they may be taken. */
#ifndef TSL_CUDA_LAQP2_TAKE_CUH
#define TSL_CUDA_LAQP2_TAKE_CUH

#include "kernel/cuda/qrp/laqp2.cuh"

namespace tsl {
namespace laqp2 {

template <class T> __device__ inline eig::scaled_reflector<T> steps<T>::reflector_of(const T *x, int k, double below)
{
    const double size = below + squared(x[k]), most = sizeof(real_t<T>) == 8 ? 1e280 : 1e30;
    if (size < most && size > 1 / most) {
        const reflector<T> h(x[k], (real_t<T>)below);
        eig::scaled_reflector<T> like;
        like.inv = h.inv, like.tau = h.tau, like.by = 1, like.beta = h.beta, like.none = h.none;
        return like;
    }
    eig::sum_of_squares sum = eig::sum_of_squares::zero();
    for (int r = k + 1 + lane; r < p.m; r += 32) sum.take(x[r]);
    sum.merge_lanes();
    return eig::scaled_reflector<T>(x[k], sum);
}

template <class T> __device__ inline double steps<T>::reflect(T *x, const T *v1, T tau, int k)
{
    T sum = make<T>(0);
    double left = 0;
    if (p.m - k <= 32 * LINES) {
        T a[LINES], y[LINES];
#pragma unroll
        for (int t = 0; t < LINES; t++) {
            const int r = k + lane + 32 * t;
            a[t] = r < p.m ? x[r] : make<T>(0), y[t] = r < p.m ? v1[r] : make<T>(0);
        }
#pragma unroll
        for (int t = 0; t < LINES; t++) sum = add_mul<true>(sum, y[t], a[t]);
        sum = mul(conj(tau), eig::over_lanes(sum));
#pragma unroll
        for (int t = 0; t < LINES; t++) {
            const int r = k + lane + 32 * t;
            a[t] = sub_mul<false>(a[t], y[t], sum);
            if (r < p.m) x[r] = a[t];
            if (r > k + 1) left += squared(a[t]);
        }
        return eig::over_lanes(left);
    }
    for (int r = k + lane; r < p.m; r += 32) sum = add_mul<true>(sum, v1[r], x[r]);
    sum = mul(conj(tau), eig::over_lanes(sum));
    for (int r = k + lane; r < p.m; r += 32) {
        const T a = sub_mul<false>(x[r], v1[r], sum);
        x[r] = a;
        if (r > k + 1) left += squared(a);
    }
    return eig::over_lanes(left);
}

template <class T> __device__ inline bool steps<T>::take(int k, int i, unsigned &used)
{
    const int row = k + i;
    int g = -1;
    double most = -1;
#pragma unroll
    for (int c = 0; c < GROUP; c++) {
        const double left = s.left[c];
        if (c < p.group && s.from[c] >= 0 && !(used >> c & 1) && left > most) most = left, g = c;
    }
    if (row >= p.steps || g < 0 || (i > 0 && !(most >= p.share * s.rest))) return false;
    T *const x = candidate + (int64_t)g * p.m, *const y = v + (int64_t)i * p.m;
    const eig::scaled_reflector<T> h = reflector_of(x, row, s.tail[g]);
    for (int r = k + tid; r < p.m; r += THREADS) y[r] = h.element(x[r], r, row - 1);
    if (tid == 0) {
        s.order[i] = g, s.to[i] = s.at[g], s.slot[i] = -1, s.tau[i] = h.tau, s.beta[i] = h.beta;
        if (cta == 0) p.tau[row] = h.tau;
    }
    used |= 1u << g;
    __syncthreads();
    if (warp < p.group && s.from[warp] >= 0 && !(used >> warp & 1)) {
        T *const other = candidate + (int64_t)warp * p.m;
        const double tail = reflect(other, y, h.tau, row);
        __syncwarp();
        if (lane == 0) {
            s.tail[warp] = tail, s.left[warp] = row + 1 < p.m ? length_of(tail + squared(other[row + 1])) : 0.;
            if (s.at[warp] == row) s.at[warp] = s.to[i];
        }
    }
    __syncthreads();
    return true;
}

template <class T> __device__ inline void steps<T>::move(int k, int taken)
{
    for (int j = tid; j < mine; j += THREADS) {
        int at = position[j];
        for (int i = 0; i < taken; i++) {
            if (at == s.to[i]) at = k + i, s.slot[i] = j;
            else if (at == k + i) at = s.to[i];
        }
        position[j] = at;
    }
    __syncthreads();
    for (int i = 0; i < taken; i++) {
        const T *x = candidate + (int64_t)s.order[i] * p.m, *y = v + (int64_t)i * p.m;
        if (s.slot[i] >= 0)
            for (int r = tid; r < p.m; r += THREADS) column(s.slot[i])[r] = r < k + i ? x[r] : r == k + i ? make<T>(s.beta[i]) : y[r];
    }
}

} // namespace laqp2
} // namespace tsl
#endif
