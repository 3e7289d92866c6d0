/* Hopper's copy engine: it brings boxes of a matrix into shared memory, zeros where they reach beyond it, and counts the bytes
 * on a barrier. One thread asks for a box, and none waits before it needs it. */
#ifndef TSL_CUDA_TMA_CUH
#define TSL_CUDA_TMA_CUH

#include <cuda.h>
#include <cudaTypedefs.h>
#include <cuda_runtime.h>
#include <stdint.h>

namespace tsl {

/* Of floats: `dims` from the contiguous one on, and the bytes between neighbours along the others, multiples of 16. swizzle:
 * the 16-byte pieces of rows of 64 bytes are exchanged, piece p of row r going to p ^ (r / 2 % 4): eight rows' same piece then
 * lies in different banks. */
inline cudaError_t box_of(CUtensorMap *map, int rank, const float *p, const cuuint64_t *dims, const cuuint64_t *strides,
                          const cuuint32_t *box, bool swizzle)
{
    void *entry = nullptr;
    cudaDriverEntryPointQueryResult found;
    const cudaError_t e = cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &entry, 12000, cudaEnableDefault, &found);
    if (e != cudaSuccess || found != cudaDriverEntryPointSuccess) return e != cudaSuccess ? e : cudaErrorNotSupported;
    const cuuint32_t steps[3] = {1, 1, 1};
    const CUresult r = ((PFN_cuTensorMapEncodeTiled_v12000)entry)(
        map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, (cuuint32_t)rank, (void *)p, dims, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
        swizzle ? CU_TENSOR_MAP_SWIZZLE_64B : CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
        CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    return r == CUDA_SUCCESS ? cudaSuccess : cudaErrorInvalidValue;
}

__device__ inline uint32_t shared_address(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }

__device__ inline void barrier_make(uint32_t barrier, int arrivals)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals) : "memory");
}

/* after making barriers, before others and the copy engine use them */
__device__ inline void barriers_made() { asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); }

__device__ inline void barrier_expect(uint32_t barrier, int bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}

__device__ inline void barrier_arrive(uint32_t barrier)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
}

__device__ inline void barrier_wait(uint32_t barrier, int parity)
{
    asm volatile("{ .reg .pred p; again: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1; @!p bra again; }" ::"r"(barrier),
                 "r"(parity)
                 : "memory");
}

__device__ inline bool barrier_passed(uint32_t barrier, int parity)
{
    uint32_t yes;
    asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                 : "=r"(yes)
                 : "r"(barrier), "r"(parity)
                 : "memory");
    return yes != 0;
}

__device__ inline void box_copy(uint32_t to, const CUtensorMap *map, int x, int y, uint32_t barrier)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(to),
                 "l"(map), "r"(x), "r"(y), "r"(barrier)
                 : "memory");
}

__device__ inline void box_copy(uint32_t to, const CUtensorMap *map, int x, int y, int z, uint32_t barrier)
{
    asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4}], [%5];" ::"r"(to),
                 "l"(map), "r"(x), "r"(y), "r"(z), "r"(barrier)
                 : "memory");
}

/* Neighbouring bytes: both addresses and the count are multiples of 16. */
__device__ inline void bulk_copy(uint32_t to, const void *from, int bytes, uint32_t barrier)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(to), "l"(from),
                 "r"(bytes), "r"(barrier)
                 : "memory");
}

/* what this thread has stored to shared memory comes before what the engine will bring there */
__device__ inline void before_copies() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

/* for 128 threads that call it with the same number, 1 to 15 */
__device__ inline void group_barrier(int number) { asm volatile("bar.sync %0, 128;" ::"r"(number) : "memory"); }

} // namespace tsl
#endif
