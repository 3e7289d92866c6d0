/* The panel of latrd.cuh: its shapes, workspace and launch. */
#include "core/values.h"
#include "kernel/cuda/eig/latrd.cuh"
#include "kernel/cuda/launch.cuh"
#include "kernel/cuda/leaf.h"

namespace tsl {
namespace {

using namespace latrd;

/* Tiles: small ones are shared out more evenly, large ones read longer runs and leave fewer partial sums. From an order on, on an H200. */
template <class T> struct shapes {
    using small = shape<2, 8>;
    using large = shape<4, sizeof(T) == 4 ? 8 : 4>;
};
template <> struct shapes<cplx<double>> {
    using small = shape<2, 4>;
    using large = small;
};
constexpr int64_t LARGE_FROM = 6144;
constexpr int FEW_CTAS = 32; /* though there are fewer tiles: they share the rest of the work */

template <class T, class F> auto with_shape(int64_t n, F f)
{
    return n >= LARGE_FROM ? f(typename shapes<T>::large()) : f(typename shapes<T>::small());
}

/* Workspace: two columns, partial sums, p and q */
template <class T> struct room {
    size_t column, part, bytes;

    explicit room(int64_t n)
    {
        column = (size_t)n * sizeof(T);
        part = with_shape<T>(n, [=](auto s) {
            const size_t blocks = (size_t)((n + s.B - 1) / s.B);
            return blocks * blocks * s.B * sizeof(T);
        });
        bytes = part + 2 * column + 2 * LIMIT * sizeof(T);
    }
};

template <class T> panel<T> panel_of(const tsl_leaf *l)
{
    const bool lower = l->uplo == TSL_LOWER;
    const room<T> r(l->n);
    panel<T> p = {};
    p.n = (int)l->n, p.k = (int)l->k, p.reflectors = (int)tsl_min(l->k, l->n - 1);
    p.step = lower ? 1 : -1;
    p.lda = l->A.ld * p.step, p.ldy = l->E.ld * p.step, p.ldw = l->F.ld * p.step;
    p.A = (T *)l->A.p, p.Y = (T *)l->E.p, p.W = (T *)l->F.p, p.tau = (T *)l->D.p;
    p.d = (real_t<T> *)l->B.p, p.e = (real_t<T> *)l->C.p;
    if (!lower) {
        p.A += (l->n - 1) * (l->A.ld + 1);
        p.Y += l->n - 1 + (l->k - 1) * l->E.ld;
        p.W += l->n - 1 + (l->k - 1) * l->F.ld;
        p.d += l->k - 1, p.e += p.reflectors - 1, p.tau += p.reflectors - 1;
    }
    p.part = (T *)l->work, p.a = p.part + r.part / sizeof(T), p.dots = p.a + 2 * l->n;
    return p;
}

template <class T, class S> tsl_status launch_panel(tsl_queue *q, panel<T> &p)
{
    int device = 0, processors = 0;
    p.blocks = (p.n + S::B - 1) / S::B, p.tiles = p.blocks * (p.blocks + 1) / 2;
    cudaError_t e = cudaGetDevice(&device);
    if (e == cudaSuccess) e = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    if (e != cudaSuccess) return tsl_cuda_check(e, "latrd");
    p.ctas = (int)tsl_min(tsl_min(processors, MOST_CTAS), tsl_max(FEW_CTAS, p.tiles));
    const tsl_status st = tsl_cuda_messages(tsl_cuda(q), 2 * (unsigned)p.k, &p.messages, &p.epoch);
    if (st != TSL_OK) return st;
    const launch_shape all = {p.ctas, THREADS, 0, 1, false, true};
    const cudaStream_t stream = tsl_cuda(q)->stream;
    return tsl_cuda_check(p.step > 0 ? launch(reduce<T, S, 1>, all, stream, p) : launch(reduce<T, S, -1>, all, stream, p), "latrd");
}

template <class T> tsl_status launch_latrd(tsl_queue *q, const tsl_leaf *l)
{
    panel<T> p = panel_of<T>(l);
    return with_shape<T>(l->n, [&](auto s) { return launch_panel<T, decltype(s)>(q, p); });
}

} // namespace
} // namespace tsl

static size_t workspace(const tsl_leaf *l)
{
    size_t bytes = 0;
    tsl::by_type(l->type, [&](auto zero) { return bytes = tsl::room<decltype(zero)>(l->n).bytes, TSL_OK; });
    return bytes;
}

static tsl_status latrd(tsl_queue *q, const tsl_leaf *l)
{
    return tsl::by_type(l->type, [=](auto zero) { return tsl::launch_latrd<decltype(zero)>(q, l); });
}

extern "C" const tsl_kernel_entry tsl_cuda_latrd_entry = {TSL_ALL_TYPES(latrd), tsl::latrd::LIMIT, 0, workspace, NULL, NULL};
