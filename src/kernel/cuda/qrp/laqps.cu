/* The panel of laqps.cuh: its shape, workspace and launch. */
#include "core/values.h"
#include "kernel/cuda/launch.cuh"
#include "kernel/cuda/leaf.h"
#include "kernel/cuda/qrp/laqps_column.cuh"
#include "kernel/cuda/qrp/laqps_lengths.cuh"

namespace tsl {
namespace laqps {
namespace {

constexpr int FEW_ROWS = 64, FEW_COLUMNS = 8; /* of a CTA: fewer cost more in messages than they save */

template <class T> size_t room(int64_t n) { return 2 * (size_t)n * sizeof(double) + LIMIT * sizeof(T); }

template <class T> tsl_status launch_panel(tsl_queue *q, const tsl_leaf *l)
{
    int device = 0, processors = 0, most = 0;
    problem<T> p = {};
    const auto kernel = factor<T>;
    cudaError_t e = cudaGetDevice(&device);
    if (e == cudaSuccess) e = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    if (e == cudaSuccess) e = cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    if (e != cudaSuccess) return tsl_cuda_check(e, "laqps");
    p.A = (T *)l->A.p, p.lda = l->A.ld, p.q = (int64_t *)l->B.p, p.tau = (T *)l->C.p, p.F = (T *)l->D.p, p.ldf = l->D.ld;
    p.length = (double *)l->work, p.before = p.length + l->n, p.aux = (T *)(p.before + l->n);
    p.m = (int)l->m, p.n = (int)l->n, p.k = (int)l->k;
    p.ctas = (int)tsl_min(tsl_min(processors, MOST_CTAS), tsl_max(tsl_pieces(l->m, FEW_ROWS), tsl_pieces(l->n, FEW_COLUMNS)));
    p.rows = (int)tsl_pieces(l->m, p.ctas), p.width = (int)tsl_pieces(l->n, p.ctas);
    const size_t chip = (size_t)most - (sizeof(shared<T>) + 255) / 256 * 256, bytes = (size_t)p.m * sizeof(T);
    p.staged = bytes <= chip;
    e = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)chip);
    if (e != cudaSuccess) return tsl_cuda_check(e, "laqps");
    const tsl_status st = tsl_cuda_messages(tsl_cuda(q), 3 * (unsigned)p.k + 1, &p.messages, &p.epoch);
    if (st != TSL_OK) return st;
    const launch_shape all = {p.ctas, THREADS, p.staged ? bytes : 0, 1, false, true};
    return tsl_cuda_check(launch(kernel, all, tsl_cuda(q)->stream, p), "laqps");
}

} // namespace
} // namespace laqps
} // namespace tsl

static size_t workspace(const tsl_leaf *l)
{
    size_t bytes = 0;
    tsl::by_type(l->type, [&](auto zero) { return bytes = tsl::laqps::room<decltype(zero)>(l->n), TSL_OK; });
    return bytes;
}

static tsl_status laqps(tsl_queue *q, const tsl_leaf *l)
{
    return tsl::by_type(l->type, [=](auto zero) { return tsl::laqps::launch_panel<decltype(zero)>(q, l); });
}

extern "C" const tsl_kernel_entry tsl_cuda_laqps_entry = {TSL_ALL_TYPES(laqps), tsl::laqps::LIMIT, 0, workspace, NULL, NULL};
