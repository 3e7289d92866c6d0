/* The panel of lahr2.cuh: its kernel, workspace and launch. */
#include "core/values.h"
#include "kernel/cuda/eig/hessenberg/lahr2_column.cuh"
#include "kernel/cuda/eig/hessenberg/lahr2_product.cuh"
#include "kernel/cuda/launch.cuh"
#include "kernel/cuda/leaf.h"

namespace tsl {
namespace lahr2 {
namespace {

template <class T> __global__ __launch_bounds__(THREADS, 1) void reduce(const __grid_constant__ panel<T> p)
{
    __shared__ shared<T> s;
    for (int j = 0; j < p.k; j++) step<T>(s, p, j).run();
}

constexpr int FEW_ROWS = 8; /* of a CTA */

int ctas_of(int64_t m, int processors) { return (int)tsl_min(tsl_min(processors, MOST_CTAS), tsl_max(1, m / FEW_ROWS)); }

/* Workspace: the column, partial sums, those of V^H a and V^H v; CTAs that share a block of rows are at most so many */
template <class T> struct room {
    int blocks, slots;
    size_t parts, bytes;

    explicit room(int64_t m)
    {
        blocks = (int)((m + B - 1) / B);
        slots = MOST_CTAS / blocks + 3;
        parts = (size_t)blocks * (size_t)slots * B;
        bytes = (parts + (size_t)m + 2 * (size_t)LIMIT * MOST_CTAS) * sizeof(T);
    }
};

template <class T> tsl_status launch_lahr2(tsl_queue *q, const tsl_leaf *l)
{
    int device = 0, processors = 0;
    const room<T> r(l->m);
    panel<T> p = {};
    p.A = (T *)l->A.p, p.tau = (T *)l->B.p, p.tri = (T *)l->C.p, p.V = (T *)l->D.p, p.Y = (T *)l->E.p;
    p.lda = l->A.ld, p.ldt = l->C.ld, p.ldv = l->D.ld, p.ldy = l->E.ld;
    p.m = (int)l->m, p.k = (int)l->k, p.blocks = r.blocks, p.slots = r.slots;
    p.part = (T *)l->work, p.a = p.part + r.parts, p.va = p.a + l->m, p.vv = p.va + LIMIT * MOST_CTAS;
    cudaError_t e = cudaGetDevice(&device);
    if (e == cudaSuccess) e = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    if (e != cudaSuccess) return tsl_cuda_check(e, "lahr2");
    p.ctas = ctas_of(l->m, processors);
    const tsl_status st = tsl_cuda_messages(tsl_cuda(q), 3 * (unsigned)p.k, &p.messages, &p.first_epoch);
    if (st != TSL_OK) return st;
    return tsl_cuda_check(launch(reduce<T>, {p.ctas, THREADS, 0, 1, false, true}, tsl_cuda(q)->stream, p), "lahr2");
}

} // namespace
} // namespace lahr2
} // namespace tsl

static size_t workspace(const tsl_leaf *l)
{
    size_t bytes = 0;
    tsl::by_type(l->type, [&](auto zero) { return bytes = tsl::lahr2::room<decltype(zero)>(l->m).bytes, TSL_OK; });
    return bytes;
}

static tsl_status lahr2(tsl_queue *q, const tsl_leaf *l)
{
    return tsl::by_type(l->type, [=](auto zero) { return tsl::lahr2::launch_lahr2<decltype(zero)>(q, l); });
}

extern "C" const tsl_kernel_entry tsl_cuda_lahr2_entry = {TSL_ALL_TYPES(lahr2), tsl::lahr2::LIMIT, 0, workspace, NULL, NULL};
