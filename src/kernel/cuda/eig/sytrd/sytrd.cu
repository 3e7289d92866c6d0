/* The reduction of sytrd.cuh: its shapes, workspace and launch. */
#include "core/values.h"
#include "kernel/cuda/eig/sytrd/sytrd_column.cuh"
#include "kernel/cuda/eig/sytrd/sytrd_exchange.cuh"
#include "kernel/cuda/launch.cuh"
#include "kernel/cuda/leaf.h"

namespace tsl {
namespace sytrd {
namespace {

constexpr int WARPS = 16, THREADS = 32 * WARPS;
static_assert(4 * THREADS >= TSL_CUDA_SYTRD_WHOLE, "rows of a thread");

template <class T> size_t message_bytes(int64_t n) { return (size_t)(2 * n * mail<T>::COUNT) * sizeof(tsl_cuda_message); }

/* What the device has no room for on the chip is in workspace: at most all of it. */
template <class T> size_t room(int64_t n) { return message_bytes<T>(n) + (size_t)(n * n) * sizeof(T); }

struct chip {
    int processors, shared;
};

inline cudaError_t chip_of(chip *c)
{
    int device = 0;
    cudaError_t e = cudaGetDevice(&device);
    if (e == cudaSuccess) e = cudaDeviceGetAttribute(&c->processors, cudaDevAttrMultiProcessorCount, device);
    if (e == cudaSuccess) e = cudaDeviceGetAttribute(&c->shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    return e;
}

template <class T> job<T> job_of(const tsl_leaf *l)
{
    const bool lower = l->uplo == TSL_LOWER;
    const int64_t n = l->n, less = tsl_max(0, n - 2);
    job<T> p = {};
    p.n = (int)n, p.step = lower ? 1 : -1, p.lda = l->A.ld * p.step;
    p.A = (T *)l->A.p, p.d = (real_t<T> *)l->B.p, p.e = (real_t<T> *)l->C.p, p.tau = (T *)l->D.p;
    if (!lower) p.A += (n - 1) * (l->A.ld + 1), p.d += n - 1, p.e += less, p.tau += less;
    p.messages = (tsl_cuda_message *)l->work, p.rest = (T *)((char *)l->work + message_bytes<T>(n));
    return p;
}

/* CTAs have two columns at least, so that all take part in step 1. */
template <class T, int EACH> cudaError_t launch_on(const chip &c, job<T> p, cudaStream_t stream)
{
    const auto kernel = reduce<T, WARPS, EACH>;
    const int ctas = tsl_max(1, tsl_min(c.processors, p.n / 2)), columns = most_columns(p.n, ctas);
    const size_t own = (sizeof(shared<T, WARPS>) + 255) / 256 * 256; /* of the kernel, and what may be lost between that and the rest */
    const size_t all = (size_t)c.shared - own, beside = bytes_beside<T, WARPS>(columns), each = (size_t)p.n * sizeof(T);
    const int held = all > beside ? (int)tsl_min((int64_t)((all - beside) / each), columns) : 0; /* the rest is spilled */
    p.spilled = columns - held;
    cudaError_t e = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)all);
    if (e == cudaSuccess) e = cudaMemsetAsync(p.messages, 0, message_bytes<T>(p.n), stream);
    return e != cudaSuccess ? e : launch(kernel, {ctas, THREADS, beside + held * each, 1, false, true}, stream, p);
}

template <class T> tsl_status launch_sytrd(tsl_queue *q, const tsl_leaf *l)
{
    chip c = {};
    const cudaStream_t stream = tsl_cuda(q)->stream;
    const job<T> p = job_of<T>(l);
    cudaError_t e = chip_of(&c);
    if (e == cudaSuccess)
        e = p.n <= THREADS       ? launch_on<T, 1>(c, p, stream)
            : p.n <= 2 * THREADS ? launch_on<T, 2>(c, p, stream)
                                 : launch_on<T, 4>(c, p, stream);
    return tsl_cuda_check(e, "sytrd");
}

} // namespace
} // namespace sytrd
} // namespace tsl

static size_t workspace(const tsl_leaf *l)
{
    size_t bytes = 0;
    tsl::by_type(l->type, [&](auto zero) { return bytes = tsl::sytrd::room<decltype(zero)>(l->n), TSL_OK; });
    return bytes;
}

static tsl_status sytrd(tsl_queue *q, const tsl_leaf *l)
{
    return tsl::by_type(l->type, [=](auto zero) { return tsl::sytrd::launch_sytrd<decltype(zero)>(q, l); });
}

extern "C" const tsl_kernel_entry tsl_cuda_sytrd_entry = {TSL_ALL_TYPES(sytrd), TSL_CUDA_SYTRD_LIMIT, TSL_CUDA_SYTRD_WHOLE, workspace, NULL, NULL};
