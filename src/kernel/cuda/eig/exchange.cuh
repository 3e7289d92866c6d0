/* What panels by CTAs that are on the device together exchange with each other. */
#ifndef TSL_CUDA_EIG_EXCHANGE_CUH
#define TSL_CUDA_EIG_EXCHANGE_CUH

#include "device/cuda/messages.h"
#include "kernel/cuda/scalar.cuh"

namespace tsl {
namespace eig {

constexpr int MOST_CTAS = 160;

/* The same number, of which the compiler does not know that: else it works out addresses before loops, more of them than there
 * are registers. */
__device__ inline int unknown(int i)
{
    asm volatile("" : "+r"(i));
    return i;
}
__device__ inline int thread() { return unknown((int)threadIdx.x); }

/* ------------------------------------------------------------------------------------------------------------------------------------------
 * Messages, of a number and one of 32 bits, between the CTAs of a panel p, which has their number, `ctas`, and `messages`: a
 * thread of each CTA tells after a barrier, the first warp of each CTA hears from all before one. The fences make what was
 * written before the one barrier known after the other. */

__device__ inline void fence() { asm volatile("fence.acq_rel.gpu;" ::: "memory"); }

template <class P> __device__ void tell(const P &p, int set, unsigned epoch, double value, unsigned number)
{
    fence();
    tsl_cuda_send(p.messages + set * MOST_CTAS + blockIdx.x, (uint64_t)__double_as_longlong(value), (uint64_t)number << 32 | epoch);
}

/* Calls f with what each CTA told, in an order of its own for each lane */
template <class P, class F> __device__ void hear(const P &p, int set, unsigned epoch, F f)
{
    constexpr int EACH = MOST_CTAS / 32;
    const int lane = threadIdx.x % 32;
    tsl_cuda_message m[EACH];
    bool fresh;
    do {
        fresh = true;
#pragma unroll
        for (int i = 0; i < EACH; i++) m[i] = tsl_cuda_look(p.messages + set * MOST_CTAS + min(lane + 32 * i, p.ctas - 1));
#pragma unroll
        for (int i = 0; i < EACH; i++) fresh = fresh && (unsigned)m[i].tag == epoch;
    } while (!__all_sync(0xffffffffu, fresh));
    fence();
#pragma unroll
    for (int i = 0; i < EACH; i++)
        if (lane + 32 * i < p.ctas) f(__longlong_as_double((long long)m[i].word), (unsigned)(m[i].tag >> 32));
}

} // namespace eig
} // namespace tsl
#endif
