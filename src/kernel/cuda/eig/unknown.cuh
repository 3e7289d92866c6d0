/* Numbers that the compiler is to know nothing of. */
#ifndef TSL_CUDA_EIG_UNKNOWN_CUH
#define TSL_CUDA_EIG_UNKNOWN_CUH

namespace tsl {
namespace eig {

/* The same number, of which the compiler does not know that: else it works out addresses before loops, more of them than there
 * are registers. */
__device__ inline int unknown(int i)
{
    asm volatile("" : "+r"(i));
    return i;
}
__device__ inline int thread() { return unknown((int)threadIdx.x); }

} // namespace eig
} // namespace tsl
#endif
