/* The QR iteration's parts on a device: bulges in windows (laqr5.cuh), and where a Hessenberg matrix falls apart (laqrs). */
#include "core/values.h"
#include "kernel/cuda/eig/hessenberg/laqr5.cuh"
#include "kernel/cuda/launch.cuh"
#include "kernel/cuda/leaf.h"

namespace tsl {
namespace laqr5 {

extern __shared__ __align__(16) unsigned char chase_room[];

namespace {

template <class T> __global__ __launch_bounds__(THREADS, 1) void run(const __grid_constant__ job<T> p) { chase<T>(p, (T *)chase_room); }

template <class T> tsl_status launch_chase(tsl_queue *q, const tsl_leaf *l)
{
    const tsl_chase s = l->chase.sweep;
    const job<T> p = {(T *)l->A.p, (T *)l->C.p, (const T *)l->B.p, l->A.ld, l->C.ld, l->B.ld, s};
    const size_t bytes = 2 * (size_t)s.window * (size_t)(s.window + 1) * sizeof(T);
    const auto kernel = run<T>;
    cudaError_t e = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
    if (e == cudaSuccess) e = launch(kernel, {tsl_chase_chains(&s), PAIR * (int)s.chain, bytes, 1, false, false}, tsl_cuda(q)->stream, p);
    return tsl_cuda_check(e, "laqr5");
}

constexpr int SPLITTERS = 1024;
template <class R> constexpr R ROUNDOFF = std::numeric_limits<R>::epsilon();

/* One CTA: each thread looks at some of the elements, and knows the last one that it set to zero. */
template <class T> __global__ __launch_bounds__(SPLITTERS, 1) void split(T *H, int64_t ld, int64_t n, int64_t *last)
{
    using R = real_t<T>;
    __shared__ int of_warp[SPLITTERS / 32];
    constexpr R eps = ROUNDOFF<R>, least = SMALLEST_NORMAL<R> / eps;
    const int tid = threadIdx.x;
    int found = 0;
    for (int64_t i = 1 + tid; i < n; i += SPLITTERS) {
        const R size = one_norm(H[i + i * ld]) + one_norm(H[i - 1 + (i - 1) * ld]), here = one_norm(H[i + (i - 1) * ld]);
        if (!(here <= max(least, eps * size))) continue;
        H[i + (i - 1) * ld] = make<T>(0);
        found = (int)i;
    }
    found = (int)__reduce_max_sync(0xffffffffu, (unsigned)found);
    if (tid % 32 == 0) of_warp[tid / 32] = found;
    __syncthreads();
    if (tid < 32) {
        found = (int)__reduce_max_sync(0xffffffffu, (unsigned)of_warp[tid]);
        if (tid == 0) *last = found;
    }
}

template <class T> tsl_status launch_split(tsl_queue *q, const tsl_leaf *l)
{
    return tsl_cuda_check(launch(split<T>, {1, SPLITTERS, 0, 1, false, false}, tsl_cuda(q)->stream, (T *)l->A.p, l->A.ld, l->n, (int64_t *)l->B.p), "laqrs");
}

} // namespace
} // namespace laqr5
} // namespace tsl

static tsl_status laqr5(tsl_queue *q, const tsl_leaf *l)
{
    return tsl::by_type(l->type, [=](auto zero) { return tsl::laqr5::launch_chase<decltype(zero)>(q, l); });
}

static tsl_status laqrs(tsl_queue *q, const tsl_leaf *l)
{
    return tsl::by_type(l->type, [=](auto zero) { return tsl::laqr5::launch_split<decltype(zero)>(q, l); });
}

extern "C" const tsl_kernel_entry tsl_cuda_laqr5_entry = {TSL_ALL_TYPES(laqr5), 0, 0, NULL, NULL, NULL};
extern "C" const tsl_kernel_entry tsl_cuda_laqrs_entry = {TSL_ALL_TYPES(laqrs), 0, 0, NULL, NULL, NULL};
