/* x := alpha x, and nothing but that: 0 times NaN or Inf is NaN. */
#include "kernel/cuda/leaf.h"
#include "kernel/cuda/scalar.cuh"

namespace tsl {
namespace {

constexpr int THREADS = 256;
constexpr int64_t MAX_CTAS = 1 << 16;

template <class T> __global__ __launch_bounds__(THREADS) void scale_vector(int64_t n, T alpha, bool parts_apart, T *x, int64_t inc)
{
    const int64_t step = (int64_t)gridDim.x * THREADS;
    for (int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x; i < n; i += step)
        x[i * inc] = parts_apart ? scale(x[i * inc], re(alpha)) : mul(alpha, x[i * inc]);
}

template <class T> tsl_status launch_scal(tsl_queue *q, const tsl_leaf *l)
{
    const int64_t ctas = (l->n + THREADS - 1) / THREADS, inc = l->A.ld < 0 ? -l->A.ld : l->A.ld;
    scale_vector<T><<<(unsigned)(ctas < MAX_CTAS ? ctas : MAX_CTAS), THREADS, 0, tsl_cuda(q)->stream>>>(
        l->n, from_scalar<T>(l->alpha), l->scal.real != 0, (T *)l->A.p, inc);
    return tsl_cuda_check(cudaGetLastError(), "scal");
}

} // namespace
} // namespace tsl

static tsl_status scal(tsl_queue *q, const tsl_leaf *l)
{
    return tsl::by_type(l->type, [=](auto zero) { return tsl::launch_scal<decltype(zero)>(q, l); });
}

extern "C" const tsl_kernel_entry tsl_cuda_scal_entry = {TSL_ALL_TYPES(scal), 0, 0, NULL, NULL, NULL};
