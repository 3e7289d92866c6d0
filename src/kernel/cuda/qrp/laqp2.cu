/* The kernel of laqp2.cuh: its shape, workspace and launch. */
#include "core/values.h"
#include "kernel/cuda/launch.cuh"
#include "kernel/cuda/leaf.h"
#include "kernel/cuda/qrp/laqp2_follow.cuh"
#include "kernel/cuda/qrp/laqp2_take.cuh"

namespace tsl {
namespace laqp2 {
namespace {

constexpr int FEW_COLUMNS = 16; /* of a CTA: fewer cost more in messages than they save */
constexpr int MOST_BESIDE = 4, LEAST_BESIDE = 2, COLUMNS_BESIDE = 2048; /* see beside() */
constexpr int FEW = 2;          /* candidates, where only the longest column will do: rarely is it known which is the next */

/* Workspace: what CTAs tell, of even and of odd rounds; columns and candidates, where they have no room on the chip */
template <class T> size_t room(int64_t m, int64_t n)
{
    return ((size_t)(2 * MOST_CTAS) * (size_t)record_count<T>((int)m) + (size_t)m * (size_t)n +
            (size_t)MOST_CTAS * (size_t)scratch_count<T>((int)m, GROUP)) *
           sizeof(T);
}

/* Of the processors one in so many for pivots of a sketch, as far as its columns have room on the chip: products are under way
 * beside it, which take the longer the more columns are left */
inline int64_t beside(int64_t n) { return tsl_max(LEAST_BESIDE, tsl_min(MOST_BESIDE, n / COLUMNS_BESIDE)); }

/* Of a column on the chip, with what belongs to it */
template <class T> size_t column_bytes(int64_t m) { return (size_t)m * sizeof(T) + place_bytes<T>(1); }

template <class T> tsl_status launch_factor(tsl_queue *q, const tsl_leaf *l)
{
    int device = 0, processors = 0, most = 0;
    problem<T> p = {};
    const auto kernel = factor<T>;
    cudaError_t e = cudaGetDevice(&device);
    if (e == cudaSuccess) e = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    if (e == cudaSuccess) e = cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    if (e != cudaSuccess) return tsl_cuda_check(e, "laqp2");
    p.A = (T *)l->A.p, p.lda = l->A.ld, p.q = (int64_t *)l->B.p, p.tau = (T *)l->C.p;
    p.m = (int)l->m, p.n = (int)l->n, p.steps = (int)l->k, p.share = l->laqp2.share > 0 ? l->laqp2.share : 1.;
    p.group = p.share < 1 ? GROUP : FEW;
    const size_t chip = ((size_t)most - sizeof(shared<T>)) / 256 * 256, aside = (size_t)scratch_count<T>(p.m, p.group) * sizeof(T);
    p.width = (int)tsl_max(tsl_min(FEW_COLUMNS, l->n), tsl_pieces(l->n, tsl_min(processors, MOST_CTAS)));
    if (p.share < 1 && aside < chip)
        p.width = (int)tsl_max(p.width, tsl_min((int64_t)((chip - aside) / column_bytes<T>(p.m)),
                                                tsl_pieces(l->n, tsl_max(1, processors / beside(l->n)))));
    p.ctas = (int)tsl_pieces(l->n, p.width);
    p.records = (T *)l->work;
    const size_t place = place_bytes<T>(p.width), columns = (size_t)p.width * (size_t)p.m * sizeof(T);
    size_t taken = place;
    if (taken > chip) return TSL_ERR_OVERFLOW;
    if (taken + aside <= chip) taken += aside;
    else p.scratch = p.records + 2 * MOST_CTAS * record_count<T>(p.m) + l->m * l->n;
    if (taken + columns <= chip) taken += columns;
    else p.columns = p.records + 2 * MOST_CTAS * record_count<T>(p.m);
    e = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)chip);
    if (e != cudaSuccess) return tsl_cuda_check(e, "laqp2");
    const tsl_status st = tsl_cuda_messages(tsl_cuda(q), (unsigned)p.steps, &p.messages, &p.epoch);
    if (st != TSL_OK) return st;
    const launch_shape all = {p.ctas, THREADS, taken, 1, false, true};
    return tsl_cuda_check(launch(kernel, all, tsl_cuda(q)->stream, p), "laqp2");
}

} // namespace
} // namespace laqp2
} // namespace tsl

/* Most rows: with more, panels move fewer elements */
enum { ROWS = 1536 };

static size_t workspace(const tsl_leaf *l)
{
    size_t bytes = 0;
    tsl::by_type(l->type, [&](auto zero) { return bytes = tsl::laqp2::room<decltype(zero)>(l->m, l->n), TSL_OK; });
    return bytes;
}

static tsl_status laqp2(tsl_queue *q, const tsl_leaf *l)
{
    return tsl::by_type(l->type, [=](auto zero) { return tsl::laqp2::launch_factor<decltype(zero)>(q, l); });
}

extern "C" const tsl_kernel_entry tsl_cuda_laqp2_entry = {TSL_ALL_TYPES(laqp2), ROWS, 0, workspace, NULL, NULL};
