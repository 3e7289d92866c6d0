/* Rows or columns of a matrix, gathered from it or put back, all in one launch: neighbours in the list are neighbours among the
 * threads, as rows that are packed one after the other are in memory. */
#include "core/values.h"
#include "kernel/cuda/launch.cuh"
#include "kernel/cuda/leaf.h"
#include "kernel/cuda/scalar.cuh"

namespace tsl {
namespace {

constexpr int LINES = 32, STEP = 8; /* a CTA: so many of the list, and elements of each at once */
constexpr int64_t MAX_GRID_Y = 4096;

template <class T> struct picked {
    T *A, *C;
    int64_t across, along; /* strides of A: from a line to the next, and along one */
    int64_t n, count;
    const int64_t *line, *at, *apart; /* of the list */
    bool backward;
};

template <class T> __global__ __launch_bounds__(LINES * STEP) void pick(const picked<T> p)
{
    const int64_t i = (int64_t)blockIdx.x * LINES + threadIdx.x % LINES;
    if (i >= p.count) return;
    T *const a = p.A + p.line[i] * p.across, *const c = p.C + p.at[i];
    const int64_t apart = p.apart[i], first = (int64_t)blockIdx.y * STEP + threadIdx.x / LINES;
    for (int64_t j = first; j < p.n; j += (int64_t)gridDim.y * STEP)
        if (p.backward) a[j * p.along] = c[j * apart];
        else c[j * apart] = a[j * p.along];
}

template <class T> tsl_status run(tsl_queue *q, const tsl_leaf *l)
{
    const bool rows = l->side == TSL_LEFT;
    const int64_t *const list = (const int64_t *)l->B.p;
    const picked<T> p = {(T *)l->A.p, (T *)l->C.p, rows ? 1 : l->A.ld, rows ? l->A.ld : 1, rows ? l->A.n : l->A.m, l->B.m,
                         list, list + l->B.ld, list + 2 * l->B.ld, l->lapmt.backward};
    const dim3 ctas((unsigned)tsl_pieces(p.count, LINES), (unsigned)tsl_min(MAX_GRID_Y, tsl_pieces(p.n, STEP)));
    pick<T><<<ctas, LINES * STEP, 0, tsl_cuda(q)->stream>>>(p);
    return tsl_cuda_check(cudaGetLastError(), "pick");
}

} // namespace
} // namespace tsl

static tsl_status pick(tsl_queue *q, const tsl_leaf *l)
{
    return tsl::by_type(l->type, [=](auto zero) { return tsl::run<decltype(zero)>(q, l); });
}

extern "C" const tsl_kernel_entry tsl_cuda_pick_entry = {TSL_ALL_TYPES(pick), 0, 0, NULL, NULL, NULL};
