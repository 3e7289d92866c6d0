/* Sums over the lanes of a warp. */
#ifndef TSL_CUDA_LANES_CUH
#define TSL_CUDA_LANES_CUH

#include "kernel/cuda/scalar.cuh"

namespace tsl {

/* Lane l of each LANES neighbours gets the sum over them of t[l / (LANES/G)]: while more than one t is left, a lane keeps half of
 * them and sends its sums of the others to the lane that keeps those. G - 1 + log2(LANES/G) shuffles instead of log2(LANES) G. */
template <int G, int LANES = 32, class T> __device__ T lane_sums(T (&t)[G], int lane)
{
#pragma unroll
    for (int m = G / 2; m >= 1; m /= 2) {
        const int bit = LANES * m / G;
        const bool upper = lane & bit;
#pragma unroll
        for (int i = 0; i < m; i++) {
            const T keep = upper ? t[i + m] : t[i], send = upper ? t[i] : t[i + m];
            t[i] = add(keep, shuffle_xor(send, bit));
        }
    }
#pragma unroll
    for (int bit = LANES / 2 / G; bit >= 1; bit /= 2) t[0] = add(t[0], shuffle_xor(t[0], bit));
    return t[0];
}

} // namespace tsl
#endif
