/* Sums over the lanes of a warp. */
#ifndef TSL_CUDA_LANES_CUH
#define TSL_CUDA_LANES_CUH

#include "kernel/cuda/scalar.cuh"

namespace tsl {

/* Lane l of each LANES neighbours gets the sum over them of t[l / (LANES/G)]: while more than one t is left, a lane keeps half
 * of them and sends its sums of the others to the lane that keeps those. G - 1 + log2(LANES/G) shuffles instead of log2(LANES)
 * G. */
template <int G, int LANES, int N, class T> __device__ T halved_sums(T (&t)[N], int lane)
{
    if constexpr (G > 1) {
        const bool upper = lane & LANES / 2;
#pragma unroll
        for (int i = 0; i < G / 2; i++) {
            const T keep = upper ? t[i + G / 2] : t[i], send = upper ? t[i] : t[i + G / 2];
            t[i] = add(keep, shuffle_xor(send, LANES / 2));
        }
        return halved_sums<G / 2, LANES / 2>(t, lane);
    } else {
#pragma unroll
        for (int bit = LANES / 2; bit >= 1; bit /= 2) t[0] = add(t[0], shuffle_xor(t[0], bit));
        return t[0];
    }
}

template <int G, int LANES = 32, class T> __device__ T lane_sums(T (&t)[G], int lane) { return halved_sums<G, LANES>(t, lane); }

} // namespace tsl
#endif
