/* The panel of lasyf.cuh: its shapes, workspace and launch. */
#include "core/values.h"
#include "kernel/cuda/ldl/lasyf_finish.cuh"
#include "kernel/cuda/ldl/lasyf_pivot.cuh"
#include "kernel/cuda/launch.cuh"
#include "kernel/cuda/leaf.h"

namespace tsl {
namespace lasyf {
namespace {

constexpr int FEW_ROWS = 64; /* of a CTA: fewer cost more in messages than they save */

/* Workspace: records and elements, and Y where it has no room on the chip: MOST_CTAS shares of it have one row too many at
 * most */
template <class T> size_t room(int64_t n, int64_t k)
{
    return (size_t)(record_count<T>() + value_count<T>() + (n + MOST_CTAS) * (k + 1)) * sizeof(T);
}

template <class T> panel<T> panel_of(const tsl_leaf *l)
{
    const int64_t last = l->n - 1;
    panel<T> p = {};
    p.n = (int)l->n, p.k = (int)l->k, p.before = l->block.before, p.step = l->uplo == TSL_UPPER ? -1 : 1;
    p.A = (T *)l->A.p, p.Y = (T *)l->C.p, p.W = (T *)l->D.p, p.p = (int64_t *)l->B.p;
    p.lda = l->A.ld * p.step, p.ldy = l->C.ld, p.ldw = l->D.ld;
    p.state = (int64_t *)l->E.p, p.info = l->info;
    if (p.step < 0) p.A += last * (l->A.ld + 1), p.Y += last, p.W += last, p.p += l->B.m - 1;
    p.records = (T *)l->work, p.values = p.records + record_count<T>();
    return p;
}

template <class T, bool HERM> tsl_status launch_panel(tsl_queue *q, const tsl_leaf *l)
{
    int device = 0, processors = 0, most = 0;
    panel<T> p = panel_of<T>(l);
    const auto kernel = factor<T, HERM>;
    cudaError_t e = cudaGetDevice(&device);
    if (e == cudaSuccess) e = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    if (e == cudaSuccess) e = cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    if (e != cudaSuccess) return tsl_cuda_check(e, "lasyf");
    p.rows = (int)tsl_max(tsl_min(FEW_ROWS, l->n), tsl_pieces(l->n, tsl_min(processors, MOST_CTAS)));
    p.ctas = (int)tsl_pieces(l->n, p.rows);
    const size_t room = (size_t)most - (sizeof(shared<T>) + 255) / 256 * 256, lines = line_bytes<T>(p.rows), y = y_bytes<T>(p.rows, p.k);
    if (lines > room) return TSL_ERR_OVERFLOW;
    if (lines + y > room) p.far_y = p.values + value_count<T>();
    e = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)room);
    if (e != cudaSuccess) return tsl_cuda_check(e, "lasyf");
    const tsl_status st = tsl_cuda_messages(tsl_cuda(q), 2 * (unsigned)p.k + 1, &p.messages, &p.epoch);
    if (st != TSL_OK) return st;
    const launch_shape all = {p.ctas, THREADS, p.far_y ? lines : lines + y, 1, false, true};
    return tsl_cuda_check(launch(kernel, all, tsl_cuda(q)->stream, p), "lasyf");
}

} // namespace
} // namespace lasyf
} // namespace tsl

static size_t workspace(const tsl_leaf *l)
{
    size_t bytes = 0;
    tsl::by_type(l->type, [&](auto zero) { return bytes = tsl::lasyf::room<decltype(zero)>(l->n, l->k), TSL_OK; });
    return bytes;
}

static tsl_status lasyf(tsl_queue *q, const tsl_leaf *l)
{
    return tsl::by_type(l->type, [=](auto zero) {
        using T = decltype(zero);
        if constexpr (tsl::is_complex<T>)
            if (l->herm) return tsl::lasyf::launch_panel<T, true>(q, l);
        return tsl::lasyf::launch_panel<T, false>(q, l);
    });
}

extern "C" const tsl_kernel_entry tsl_cuda_lasyf_entry = {TSL_ALL_TYPES(lasyf), tsl::lasyf::LIMIT, 0, workspace, NULL, NULL};
