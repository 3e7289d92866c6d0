/* The launch of getrf_flow.cuh's kernel: CTAs wait for each other, so all are on the device at once. */
#include "kernel/cuda/getrf/getrf_flow_steps.cuh"
#include "kernel/cuda/getrf/getrf_flow_store.cuh"
#include "kernel/cuda/launch.cuh"
#include "kernel/cuda/leaf.h"

namespace tsl {
namespace flow {
namespace {

static_assert(form<float>::ROWS == TSL_CUDA_GETRF_WHOLE, "what others know of it");

/* Has the device what the kernel needs? */
template <class F> cudaError_t fits(int ctas, bool *yes)
{
    int device = 0, shared = 0, processors = 0;
    cudaError_t e = cudaGetDevice(&device);
    if (e == cudaSuccess) e = cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    if (e == cudaSuccess) e = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    *yes = F::SHARED + sizeof(rows<F>) <= (size_t)shared && ctas <= processors;
    return e;
}

template <class T> tsl_status launch_flow(tsl_queue *q, const tsl_leaf *l, bool *done)
{
    using F = form<T>;
    const int m = (int)l->m, steps = (int)(l->m < l->n ? l->m : l->n), threads = ((m + F::HAS - 1) / F::HAS + 31) / 32 * 32;
    const int64_t ctas = (l->n + F::COLS - 1) / F::COLS;
    const job<T> p = {(T *)l->A.p, l->A.ld, m, (int)l->n, steps, (int64_t *)l->B.p, l->lu.first,
                      l->info, l->info_base, (unsigned char *)l->work};
    const auto kernel = factor_flow<F>;
    cudaError_t e = fits<F>((int)ctas, done);
    if (e != cudaSuccess || !*done) return tsl_cuda_check(e, "getrf_flow");
    const cudaStream_t stream = tsl_cuda(q)->stream;
    e = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)F::SHARED);
    if (e == cudaSuccess) e = cudaMemsetAsync(p.messages, 0xff, F::message_bytes(steps), stream);
    if (e == cudaSuccess) e = launch(kernel, {ctas, threads, F::SHARED, 1, false, true}, stream, p);
    return tsl_cuda_check(e, "getrf_flow");
}

} // namespace
} // namespace flow
} // namespace tsl

extern "C" size_t tsl_cuda_getrf_flow_workspace(const tsl_leaf *l)
{
    const int64_t steps = l->m < l->n ? l->m : l->n;
    size_t bytes = 0;
    (void)tsl::by_type(l->type, [&](auto zero) {
        bytes = tsl::flow::form<decltype(zero)>::message_bytes(steps);
        return TSL_OK;
    });
    return bytes;
}

extern "C" const void *tsl_cuda_kernel_of_getrf_flow(void) { return (const void *)tsl::flow::factor_flow<tsl::flow::form<float>>; }

extern "C" tsl_status tsl_cuda_getrf_flow(tsl_queue *q, const tsl_leaf *l, bool *done)
{
    return tsl::by_type(l->type, [=](auto zero) { return tsl::flow::launch_flow<decltype(zero)>(q, l, done); });
}
