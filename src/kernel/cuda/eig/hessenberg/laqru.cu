/* The kernel of laqru.cuh, and its launch. */
#include "core/values.h"
#include "kernel/cuda/eig/hessenberg/laqru.cuh"
#include "kernel/cuda/launch.cuh"
#include "kernel/cuda/leaf.h"

namespace tsl {
namespace laqru {

extern __shared__ __align__(16) unsigned char product_room[];

namespace {

template <class T, int EACH, bool LEFT> __global__ __launch_bounds__(THREADS, 1) void update(const __grid_constant__ job<T> p)
{
    run<EACH, LEFT>(p, (T *)product_room);
}

constexpr int SPARE = 8; /* processors that are left to chains of bulges, where products far from the windows are under way beside these */

template <class T> tsl_status launch_update(tsl_queue *q, const tsl_leaf *l)
{
    const tsl_chase s = l->chase.sweep;
    const bool with_z = l->side == TSL_RIGHT && l->C.m > 0 && l->C.n > 0 && l->chase.reach <= 0, near = l->chase.reach > 0;
    const job<T> p = {(T *)l->A.p, (T *)l->C.p, (const T *)l->B.p, l->A.ld, l->C.ld, l->B.ld, l->n,
                      l->chase.low, l->chase.reach, s, l->chase.schur, with_z, l->C.m};
    const size_t most = (size_t)s.window | 1, bytes = most * (most + tsl_max(most, SIDE * WIDE_BLOCK + 1)) * sizeof(T);
    const bool left = l->side == TSL_LEFT;
    const auto kernel = near   ? left ? update<T, NARROW_BLOCK, true> : update<T, NARROW_BLOCK, false>
                          : left ? update<T, WIDE_BLOCK, true>
                               : update<T, WIDE_BLOCK, false>;
    int device = 0, processors = 0;
    cudaError_t e = cudaGetDevice(&device);
    if (e == cudaSuccess) e = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    if (e == cudaSuccess) e = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
    if (e == cudaSuccess)
        e = launch(kernel, {l->chase.reach < 0 ? tsl_max(1, processors - SPARE) : processors, THREADS, bytes, 1, false, false},
                   tsl_cuda(q)->stream, p);
    return tsl_cuda_check(e, "laqru");
}

} // namespace
} // namespace laqru
} // namespace tsl

static tsl_status laqru(tsl_queue *q, const tsl_leaf *l)
{
    return tsl::by_type(l->type, [=](auto zero) { return tsl::laqru::launch_update<decltype(zero)>(q, l); });
}

extern "C" const tsl_kernel_entry tsl_cuda_laqru_entry = {TSL_ALL_TYPES(laqru), 0, 0, NULL, NULL, NULL};
