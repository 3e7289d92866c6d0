/* Launches of geqrf_panel_kernel.cuh: its form, workspace and messages. */
#ifndef TSL_CUDA_GEQRF_PANEL_LAUNCH_CUH
#define TSL_CUDA_GEQRF_PANEL_LAUNCH_CUH

#include "kernel/cuda/geqrf/geqrf_panel_kernel.cuh"
#include "kernel/cuda/geqrf/geqrf_panel_type.h"
#include "kernel/cuda/launch.cuh"

namespace tsl {
namespace qr {

template <class F> cudaError_t fits(int64_t m, bool *yes)
{
    int device = 0, processors = 0, most = 0;
    const int64_t ctas = (m + F::ROWS - 1) / F::ROWS;
    cudaError_t e = cudaGetDevice(&device);
    if (e == cudaSuccess) e = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    if (e == cudaSuccess) e = cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    *yes = ctas < processors && store<F>::BYTES <= (size_t)most && F::can_hear(ctas);
    return e;
}

/* Workspace: the parts of all CTAs, their sums, and products between blocks */
template <class F> struct workspace {
    static size_t parts(int64_t m, int64_t n) { return (size_t)((m + F::ROWS - 1) / F::ROWS) * STEPS * (size_t)n; }
    static size_t bytes(int64_t m, int64_t n)
    {
        return F::can_hear((m + F::ROWS - 1) / F::ROWS) ? (parts(m, n) + (size_t)n * (STEPS + n + STEPS)) * sizeof(typename F::T) : 0;
    }
};

template <class F> tsl_status launch_form(tsl_queue *q, const tsl_leaf *l, bool *done)
{
    using T = typename F::T;
    tsl_status st = tsl_cuda_check(fits<F>(l->m, done), "geqrt_panel");
    if (st != TSL_OK || !*done) return st;
    const int ctas = (int)((l->m + F::ROWS - 1) / F::ROWS), blocks = (int)(l->n + STEPS - 1) / STEPS;
    T *const parts = (T *)l->work, *const sums = parts + workspace<F>::parts(l->m, l->n), *const between = sums + l->n * STEPS;
    panel<T> p = {(T *)l->D.p, l->D.ld, (int)l->m, (int)l->n, ctas, (T *)l->C.p, (T *)l->A.p, (T *)l->B.p,
                  l->A.ld,    l->B.ld, parts,       sums,        between, NULL, 0};
    st = tsl_cuda_messages(tsl_cuda(q), (unsigned)(blocks * EPOCHS), &p.messages, &p.epoch);
    *done = st != TSL_ERR_MEMORY && st != TSL_ERR_DEVICE_MEMORY; /* else without messages */
    if (st != TSL_OK) return *done ? st : TSL_OK;
    const int joiner = blocks > 1;
    cudaError_t e = cudaFuncSetAttribute(factor<F>, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)store<F>::BYTES);
    if (e == cudaSuccess) e = launch(factor<F>, {ctas + joiner, THREADS, store<F>::BYTES, 1, false, true}, tsl_cuda(q)->stream, p);
    return tsl_cuda_check(e, "geqrt_panel");
}

/* Calls f with a form: that of the shape asked for; else, for m rows, CTAs of few rows, up to where there would be too many
 * that hear of each other, on an H200. */
template <class T, class Do> auto with_form(const tsl_leaf *l, Do f)
{
    static_assert(TSL_CUDA_GEQRT_SHAPES == 3, "");
    const int shape = l->shape ? l->shape : l->m <= 4096 ? 1 : l->m <= 8192 ? 2 : 3;
    return shape == 1 ? f(form<T, 2>{}) : shape == 2 ? f(form<T, 4>{}) : f(form<T, 8>{});
}

template <class T> size_t bytes(const tsl_leaf *l)
{
    const size_t one = with_form<T>(l, [=](auto f) { return workspace<decltype(f)>::bytes(l->m, l->n); });
    const size_t highest = workspace<form<T, 8>>::bytes(l->m, l->n);
    return one > highest ? one : highest;
}

/* Where there are too few multiprocessors for that, the highest CTAs, which are fewer */
template <class T> tsl_status launch_typed(tsl_queue *q, const tsl_leaf *l, bool *done)
{
    const tsl_status st = with_form<T>(l, [=](auto f) { return launch_form<decltype(f)>(q, l, done); });
    return st == TSL_OK && !*done ? launch_form<form<T, 8>>(q, l, done) : st;
}

template <class T> const void *some_kernel() { return (const void *)factor<form<T, 2>>; }

template <class T> constexpr tsl_geqrt_panel entry() { return {launch_typed<T>, bytes<T>, some_kernel<T>}; }

} // namespace qr
} // namespace tsl
#endif
