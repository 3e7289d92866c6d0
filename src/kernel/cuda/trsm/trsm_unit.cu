/* B := inv(L) B with a unit lower triangle of order up to 128: what LU solves for beside each panel, mostly of few columns, one
 * launch after the other. So it is short, and spread over many multiprocessors. The bits are trsm.cu's. */
#include "kernel/cuda/launch.cuh"
#include "kernel/cuda/leaf.h"
#include "kernel/cuda/trsm/trsm_unit.cuh"

namespace tsl {
namespace {

constexpr int WARPS = 8, THREADS = 32 * WARPS;
constexpr size_t MOST_BYTES = 96 * 1024; /* which a CTA may have on every device from sm_80 on */

template <class T> struct unit_problem {
    const T *L;
    T *B;
    int64_t ldl, ldb, columns;
    int order;
};

template <class T, int TILES, int COLUMNS> __global__ __launch_bounds__(THREADS) void solve(unit_problem<T> p)
{
    extern __shared__ __align__(16) unsigned char raw[];
    T *const L = (T *)raw;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int64_t first = ((int64_t)blockIdx.x * WARPS + warp) * COLUMNS;
    wait_for_previous_grid();
    let_next_grid_start();
    fetch_unit<TILES>(L, p.L, p.ldl, p.order, warp, lane, WARPS);
    __pipeline_commit();
    T x[TILES][COLUMNS];
#pragma unroll
    for (int i = 0; i < TILES; i++)
#pragma unroll
        for (int c = 0; c < COLUMNS; c++) {
            const int r = i * TB + lane;
            x[i][c] = r < p.order && first + c < p.columns ? p.B[r + (first + c) * p.ldb] : make<T>(0);
        }
    __pipeline_wait_prior(0);
    __syncthreads();
    solve_unit(x, L, lane);
#pragma unroll
    for (int i = 0; i < TILES; i++)
#pragma unroll
        for (int c = 0; c < COLUMNS; c++) {
            const int r = i * TB + lane;
            if (r < p.order && first + c < p.columns) p.B[r + (first + c) * p.ldb] = x[i][c];
        }
}

template <class T, int TILES, int COLUMNS> cudaError_t launch_columns(const unit_problem<T> &p, cudaStream_t stream)
{
    const auto kernel = solve<T, TILES, COLUMNS>;
    constexpr int64_t each = WARPS * COLUMNS;
    const cudaError_t e = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)UNIT_BYTES<T, TILES>);
    return e != cudaSuccess ? e : launch_early(kernel, {(p.columns + each - 1) / each, THREADS, UNIT_BYTES<T, TILES>, 1, true, false}, stream, p);
}

/* With many columns a tile of L that is read serves several of them. */
template <class T, int TILES> cudaError_t launch_tiles(const unit_problem<T> &p, cudaStream_t stream)
{
    constexpr int64_t MANY = 1024;
    return p.columns <= MANY ? launch_columns<T, TILES, 1>(p, stream) : launch_columns<T, TILES, 4>(p, stream);
}

/* The largest triangle that has room */
template <class T> constexpr int MOST = UNIT_BYTES<T, 4> <= MOST_BYTES ? 128 : 64;

template <class T> cudaError_t run(const unit_problem<T> &p, cudaStream_t stream)
{
    if (p.order <= 32) return launch_tiles<T, 1>(p, stream);
    if constexpr (MOST<T> > 64)
        if (p.order > 64) return launch_tiles<T, 4>(p, stream);
    return launch_tiles<T, 2>(p, stream);
}

} // namespace
} // namespace tsl

extern "C" const void *tsl_cuda_kernel_of_trsm_unit(void) { return (const void *)tsl::solve<float, 1, 1>; }

extern "C" bool tsl_cuda_trsm_is_unit(const tsl_leaf *l)
{
    const bool lu = l->side == TSL_LEFT && l->uplo == TSL_LOWER && l->diag == TSL_UNIT && l->A.op == TSL_NOTRANS && l->alpha == 1.0;
    return lu && l->m <= (l->type == TSL_Z ? tsl::MOST<tsl::cplx<double>> : tsl::MOST<double>);
}

extern "C" tsl_status tsl_cuda_trsm_unit(tsl_queue *q, const tsl_leaf *l)
{
    return tsl::by_type(l->type, [=](auto zero) {
        using T = decltype(zero);
        const tsl::unit_problem<T> p = {(const T *)l->A.p, (T *)l->B.p, l->A.ld, l->B.ld, l->n, (int)l->m};
        return tsl_cuda_check(tsl::run(p, tsl_cuda(q)->stream), "trsm");
    });
}
