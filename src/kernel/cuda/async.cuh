/* Copies to shared memory that are under way while the thread goes on. */
#ifndef TSL_CUDA_ASYNC_CUH
#define TSL_CUDA_ASYNC_CUH

namespace tsl {

template <int BYTES> __device__ void load_async(void *to, const void *from)
{
    const unsigned at = (unsigned)__cvta_generic_to_shared(to);
    if constexpr (BYTES == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at), "l"(from) : "memory");
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(at), "l"(from), "n"(BYTES) : "memory");
}

/* What the thread has begun since the last call is one group. */
__device__ inline void end_group() { asm volatile("cp.async.commit_group;" ::: "memory"); }
/* Until all of the thread's groups are there but for the last LEFT ones */
template <int LEFT> __device__ void await_groups() { asm volatile("cp.async.wait_group %0;" ::"n"(LEFT) : "memory"); }

/* A block of a matrix, by all threads: a warp takes columns */
template <class T> __device__ void load_block_async(T *to, int ldt, const T *from, int64_t ldf, int rows, int cols)
{
    for (int c = threadIdx.x / 32; c < cols; c += blockDim.x / 32)
        for (int r = threadIdx.x % 32; r < rows; r += 32) load_async<sizeof(T)>(to + r + c * ldt, from + r + c * ldf);
}

/* The same place in the shared memory of another CTA of the cluster */
template <class T> __device__ void store_to_rank(T *place, int rank, T value)
{
#if __CUDA_ARCH__ >= 900
    uint64_t there;
    asm("mapa.u64 %0, %1, %2;" : "=l"(there) : "l"(place), "r"(rank));
    *(T *)there = value;
#else
    *place = value, (void)rank;
#endif
}
__device__ inline void cluster_barrier()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;" ::: "memory");
#else
    __syncthreads();
#endif
}

} // namespace tsl
#endif
