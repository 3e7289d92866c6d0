/* y := alpha op(A) x + beta y, A of m x n stored by columns. Each sum has a fixed order, given by type, sizes, leading
 * dimension and, for op T and H, by whether A is aligned to 16 bytes: there the lanes of a warp share a sum, and which elements
 * a lane adds up depends on how many it loads at once, which the memory's full speed does. */
#include "kernel/cuda/leaf.h"
#include "kernel/cuda/level2/gemv.cuh"

namespace tsl {
namespace {

/* y := alpha sum_p part[p] + beta y: 32 outputs by 8 groups of splits, each in the order of p, the groups in theirs. */
template <class T>
__global__ __launch_bounds__(GEMV_THREADS) void gemv_combine(const T *part, int splits, int64_t length, T alpha, T beta, T *y,
                                                             int64_t incy)
{
    constexpr int GROUPS = GEMV_THREADS / 32;
    __shared__ T sums[GROUPS][33];
    const int lane = threadIdx.x % 32, group = threadIdx.x / 32;
    const int64_t i = (int64_t)blockIdx.x * 32 + lane;
    wait_for_previous_grid();
    T s = make<T>(0);
    if (i < length) {
#pragma unroll 4
        for (int p = group; p < splits; p += GROUPS) s = add(s, part[p * length + i]);
    }
    sums[group][lane] = s;
    __syncthreads();
    if (group > 0 || i >= length) return;
#pragma unroll
    for (int k = 1; k < GROUPS; ++k) s = add(s, sums[k][lane]);
    update(y + i * incy, alpha, beta, s);
}

/* One row without gaps is a column. */
bool is_column(const tsl_leaf *l) { return l->A.op == TSL_NOTRANS && l->m == 1 && l->A.ld == 1; }

gemv_problem problem_of(const tsl_leaf *l)
{
    const int64_t bytes = (int64_t)tsl_type_size(l->type);
    if (is_column(l)) return {true, bytes, l->n, 1};
    return {l->A.op != TSL_NOTRANS, bytes, l->m, l->n};
}

template <class T> cudaError_t run(cudaStream_t stream, const tsl_leaf *l)
{
    bool sm90 = false;
    cudaError_t e = has_sm90(&sm90);
    if (e != cudaSuccess) return e;
    const gemv_problem p = problem_of(l);
    const gemv_plan c = gemv_plan_of(p, sm90, l->shape);
    gemv_args<T> g;
    g.m = p.m, g.n = p.n, g.lda = is_column(l) ? p.m : l->A.ld, g.incx = l->B.ld, g.incy = l->C.ld;
    g.A = (const T *)l->A.p;
    g.x = (const T *)l->B.p - (l->B.ld < 0 ? (p.inner() - 1) * l->B.ld : 0);
    g.y = (T *)l->C.p - (l->C.ld < 0 ? (p.length() - 1) * l->C.ld : 0);
    g.part = c.splits > 1 ? (T *)l->work : nullptr;
    g.alpha = from_scalar<T>(l->alpha);
    g.beta = from_scalar<T>(l->beta);
    g.chunk = c.chunk;
    g.cluster = (unsigned)c.cluster, g.tiles = (unsigned)c.tiles, g.columns = (int)c.outputs;
    g.conj = is_complex<T> && l->A.op == TSL_HERM;

    const bool wide = (uintptr_t)l->A.p % 16 == 0 && (p.n == 1 || g.lda * sizeof(T) % 16 == 0);
    const launch_shape shape = {c.tiles * c.cluster * c.splits, GEMV_THREADS, c.x_bytes + c.sums_bytes, c.cluster, false, false};
    e = launch(p.turned ? gemv_t_kernel<T>(c.shape, wide) : gemv_n_kernel<T>(c.shape, wide), shape, stream, g);
    if (e != cudaSuccess || c.splits == 1) return e;
    return launch(gemv_combine<T>, {ceil_div(p.length(), 32), GEMV_THREADS, 0, 1, sm90, false}, stream, (const T *)g.part, c.splits,
                  p.length(), g.alpha, g.beta, g.y, g.incy);
}

/* Which device will run it is not known when workspace is asked for; without clusters it takes more. */
bool all_have_sm90()
{
    int count = 0;
    bool all = cudaGetDeviceCount(&count) == cudaSuccess;
    for (int i = 0; i < count && all; i++)
        if (device_has_sm90(i, &all) != cudaSuccess) all = false;
    return all;
}

} // namespace
} // namespace tsl

static size_t workspace(const tsl_leaf *l)
{
    static const bool clusters = tsl::all_have_sm90();
    const tsl::gemv_problem p = tsl::problem_of(l);
    const int most = tsl::gemv_plan_of(p, clusters, l->shape).splits;
    return most > 1 ? (size_t)most * (size_t)(p.length() * p.bytes) : 0;
}

static tsl_status gemv(tsl_queue *q, const tsl_leaf *l)
{
    return tsl::by_type(l->type, [=](auto zero) {
        return tsl_cuda_check(tsl::run<decltype(zero)>(tsl_cuda(q)->stream, l), "gemv");
    });
}

static int shapes(tsl_type) { return tsl::GEMV_SHAPES; }

extern "C" const tsl_kernel_entry tsl_cuda_gemv_entry = {TSL_ALL_TYPES(gemv), 0, 0, workspace, NULL, shapes};
