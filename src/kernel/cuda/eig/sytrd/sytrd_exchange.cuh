/* A step of sytrd.cuh: p and the next column are told and heard; w, and the next column as this step leaves it. */
#ifndef TSL_CUDA_SYTRD_EXCHANGE_CUH
#define TSL_CUDA_SYTRD_EXCHANGE_CUH

#include "kernel/cuda/eig/sytrd/sytrd.cuh"

namespace tsl {
namespace sytrd {

template <class T, int WARPS, int EACH> __device__ inline void part<T, WARPS, EACH>::tell(int j, int from)
{
    for (int t = tid; t < ((mine - from) * WARPS + 31) / 32 * 32; t += THREADS) {
        const int c = from + t / WARPS;
        T sum = c < mine ? sums[from * WARPS + t] : make<T>(0);
#pragma unroll
        for (int bit = WARPS / 2; bit >= 1; bit /= 2) sum = add(sum, shuffle_xor(sum, bit));
        if (t % WARPS == 0 && c < mine) mail<T>::send(set_of(j), n, first + c * ctas, sum, conj(next[c]), mark_of(j));
    }
}

template <class T, int WARPS, int EACH>
__device__ inline void part<T, WARPS, EACH>::hear(int j, T (&q)[EACH], T (&fresh)[EACH]) const
{
    mail<T> got[EACH];
    unsigned waiting = 0;
#pragma unroll
    for (int i = 0; i < EACH; i++)
        if (row_of(i) > j && row_of(i) < n) waiting |= 1u << i;
    const unsigned all = waiting;
    while (waiting) {
#pragma unroll
        for (int i = 0; i < EACH; i++)
            if (waiting >> i & 1) got[i].look(set_of(j), n, row_of(i));
#pragma unroll
        for (int i = 0; i < EACH; i++)
            if ((waiting >> i & 1) && got[i].fresh(mark_of(j))) waiting &= ~(1u << i);
    }
#pragma unroll
    for (int i = 0; i < EACH; i++) {
        q[i] = fresh[i] = make<T>(0);
        if (all >> i & 1) got[i].open(q[i], fresh[i]);
    }
}

template <class T, int WARPS, int EACH> __device__ inline void part<T, WARPS, EACH>::advance(int j, T tau)
{
    T q[EACH], fresh[EACH];
    double product = 0;
    hear(j, q, fresh);
#pragma unroll
    for (int i = 0; i < EACH; i++) {
        product += (double)real_dot(q[i], a[i]);
        if (row_of(i) == j + 1) s.top = q[i];
    }
    product = over_lanes(product);
    if (lane == 0) s.product[warp] = product;
    __syncthreads();
    const R shift = (R)(-0.5 * (double)real_dot(tau, tau) * over_warps(s.product));
    const T top = add(mul(tau, s.top), make<T>(shift));
#pragma unroll
    for (int i = 0; i < EACH; i++) {
        v[i] = a[i];
        w[i] = add(mul(tau, q[i]), scale(v[i], shift));
        a[i] = add(sub_mul<true>(fresh[i], v[i], top), scale(w[i], R(-1)));
    }
}

} // namespace sytrd
} // namespace tsl
#endif
