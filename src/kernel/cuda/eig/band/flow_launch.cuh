/* Launches of flow_kernel.cuh: chunks in registers; where there are too many of them, in shared memory, else in workspace. */
#ifndef TSL_CUDA_FLOW_LAUNCH_CUH
#define TSL_CUDA_FLOW_LAUNCH_CUH

#include "core/values.h"
#include "kernel/cuda/eig/band/flow_kernel.cuh"

namespace tsl {

constexpr int WIDEST = 64; /* band that goes all at once */
constexpr int MOST_EACH = 16, MOST_CHUNKS = 8192; /* of a CTA, and of all: with more, rounds are faster */

constexpr size_t FLOW_ALIGN = 256;
inline size_t aligned(size_t bytes) { return tsl_rounded(bytes, FLOW_ALIGN); }

template <class T> size_t flow_workspace(size_t slots, int chunks)
{
    const size_t messages = aligned(tsl_times((size_t)chunks + 1, 2 * (slots + 1) * tsl_max(sizeof(T), 8) / 8 * sizeof(tsl_cuda_message)));
    return messages + tsl_times((size_t)chunks, 2 * slots * slots * sizeof(T));
}

/* CTAs of the kernel that are on the device at once; none, if one wants more shared memory than there is */
inline cudaError_t room_for(const void *kernel, int threads, size_t shared, int *ctas)
{
    int device = 0, processors = 0, most = 0, each = 0;
    cudaError_t e = cudaGetDevice(&device);
    if (e == cudaSuccess) e = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    if (e == cudaSuccess) e = cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    *ctas = 0;
    if (e != cudaSuccess || shared > (size_t)most) return e;
    e = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared);
    if (e == cudaSuccess) e = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, threads, shared);
    *ctas = processors * each;
    return e;
}

template <class C> cudaError_t launch_flow(cudaStream_t stream, const typename C::A &a, void *work, int each, size_t shared, bool in_workspace)
{
    using F = typename C::F;
    flow<F, typename C::A> f = {};
    f.a = a;
    f.each = each;
    const int ctas = (f.a.chunks + each - 1) / each;
    const size_t bytes = (size_t)ctas * 2 * F::LINE * F::WORDS * sizeof(tsl_cuda_message);
    f.messages = (tsl_cuda_message *)work;
    if (in_workspace) f.parked = (typename F::T *)((char *)work + aligned(bytes));
    const cudaError_t e = cudaMemsetAsync(work, 0, bytes, stream);
    return e != cudaSuccess ? e : launch(chase<C>, {ctas, F::THREADS, shared, 1, false, true}, stream, f);
}

/* C: the part of a CTA, of any form. *done: it was launched; else the device has no room for all chunks */
template <template <class> class C, class T, int KD, class A> cudaError_t launch_form(cudaStream_t stream, const A &a, void *work, bool *done)
{
    using held = flow_form<T, KD, sizeof(T) * KD <= 512 ? 2 : 1>;
    using parked = flow_form<T, KD, 0>;
    int ctas = 0;
    size_t shared = flow_bytes<C<held>>(held::HELD, false);
    cudaError_t e = room_for((const void *)chase<C<held>>, held::THREADS, shared, &ctas);
    *done = true;
    /* one to a CTA, where there are so many of these: it then waits for others with nothing left to do */
    if (e == cudaSuccess && a.chunks <= ctas * held::HELD)
        return launch_flow<C<held>>(stream, a, work, a.chunks <= ctas ? 1 : held::HELD, shared, false);
    for (int in_workspace = 0; in_workspace < 2 && e == cudaSuccess; in_workspace++)
        for (int each = 2; each <= MOST_EACH && e == cudaSuccess; each += 2) {
            shared = flow_bytes<C<parked>>(each, !in_workspace);
            e = room_for((const void *)chase<C<parked>>, parked::THREADS, shared, &ctas);
            if (e == cudaSuccess && a.chunks <= ctas * each) return launch_flow<C<parked>>(stream, a, work, each, shared, in_workspace);
        }
    *done = false;
    return e;
}

} // namespace tsl
#endif
