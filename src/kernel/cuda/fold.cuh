/* Folding many states into one in a fixed order, so that the result's bits are the same every time. A kind of reduction K has
 * its State, none() the state of no elements, take() an element into a state, fold() another state into it, and leave() the
 * result. */
#ifndef TSL_CUDA_FOLD_CUH
#define TSL_CUDA_FOLD_CUH

#include <cmath>

#include "core/numbers/blue.h"
#include "kernel/cuda/scalar.cuh"

namespace tsl {

constexpr int THREADS = 256, WARP = 32, WARPS = THREADS / WARP;

template <class T> __device__ double size_of(T a)
{
    if constexpr (is_complex<T>)
        return tsl_modulus(a.re, a.im);
    else
        return fabs((double)a);
}

/* Sums of squares as Blue keeps them */
template <class T> struct squares {
    using State = tsl_blue;

    static __device__ State none() { return State{0, 0, 0}; }

    static __device__ void take(State &s, T a)
    {
        if constexpr (is_complex<T>) {
            tsl_blue_add(&s, a.re);
            tsl_blue_add(&s, a.im);
        } else {
            tsl_blue_add(&s, a);
        }
    }

    static __device__ void fold(State &s, const State &t) { tsl_blue_merge(&s, &t); }
};

/* v[c] added up over the lanes of a warp, for the c that is the lane's own number: at each step a lane keeps half of its
 * columns and gives the others to the lane across. */
template <int HALF = WARP / 2, class T> __device__ T add_lanes(T (&v)[WARP], int lane)
{
    const bool upper = lane & HALF;
#pragma unroll
    for (int c = 0; c < HALF; c++) {
        const T give = upper ? v[c] : v[c + HALF], keep = upper ? v[c + HALF] : v[c];
        v[c] = add(keep, shuffle_xor(give, HALF));
    }
    if constexpr (HALF > 1)
        return add_lanes<HALF / 2>(v, lane);
    else
        return v[0];
}

/* The states of all threads folded into that of thread 0 */
template <class K> __device__ void fold_cta(typename K::State &s)
{
    __shared__ typename K::State all[THREADS];
    const int t = threadIdx.x;
    all[t] = s;
    for (int half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (t < half) K::fold(all[t], all[t + half]);
    }
    s = all[t]; /* of thread 0 its own last write */
}

/* One CTA folds what the CTAs before it have left. */
template <class K> __global__ __launch_bounds__(THREADS) void fold_states(int64_t count, const typename K::State *states, void *result)
{
    typename K::State s = K::none();
    for (int64_t i = threadIdx.x; i < count; i += THREADS) K::fold(s, states[i]);
    fold_cta<K>(s);
    if (threadIdx.x == 0) K::leave(s, result);
}

} // namespace tsl
#endif
