/* What a panel of LU does to the columns beside it, before they are multiplied: rows are exchanged, and those on the right are
 * solved for with L11, in one launch. The exchanges amount to one permutation, which each CTA finds. It reads all elements of
 * its columns that move, and when all are read writes them where they belong; those of the top rows on the right are solved for
 * on the way, a warp a column. */
#include "kernel/cuda/launch.cuh"
#include "kernel/cuda/leaf.h"
#include "kernel/cuda/trsm/trsm_unit.cuh"

namespace tsl {
namespace {

constexpr int STEPS = TSL_CUDA_GETRF_PANEL, TILES = STEPS / TB, PLACES = 2 * STEPS, WARPS = 8, THREADS = 32 * WARPS, COLUMNS = WARPS;
constexpr int GROUPS = THREADS / PLACES, EACH = COLUMNS / GROUPS; /* threads of a place, and the columns that one takes */
static_assert(TILES * TB == STEPS && GROUPS * PLACES == THREADS, "whole tiles, and places for all threads");

template <class T> struct rest {
    T *A; /* the panel's first row, of the first column on the left */
    int64_t lda;
    int left, width, right; /* columns before the panel, its own, and after it */
    int steps;
    const int64_t *piv;
    int64_t first;
};

/* The permutation of exchanges e = 0, 1, .. of rows e and piv[e] >= e. At exchange e row e has what it had first, or what the
 * last exchange that named it brought there, from its own row, and so on back: chains of namers. */
template <class I> struct permutation {
    I piv[STEPS], to[PLACES], from[PLACES];
    int namer[STEPS]; /* the last exchange before e with piv = e */

    __device__ I held_by(int e) const
    {
        while (namer[e] >= 0) e = namer[e];
        return e;
    }

    /* All threads call. Row to[t] receives row from[t]; where they are the same nothing moves. */
    __device__ void find(const int64_t *p, int64_t first, int steps, int tid)
    {
        if (tid < steps) {
            piv[tid] = (I)(p[tid] - 1 - first);
            namer[tid] = -1;
        }
        __syncthreads();
        const I mine = tid < steps ? piv[tid] : 0;
        if (tid < steps && mine > tid && mine < steps) atomicMax(&namer[mine], tid);
        int before = -1, last = tid; /* exchanges that name the same row */
        if (tid < steps)
#pragma unroll 8
            for (int e = 0; e < steps; e++)
                if (piv[e] == mine) e < tid ? before = e : last = e;
        __syncthreads();
        if (tid >= STEPS) return;
        const bool step = tid < steps, outside = step && mine >= steps && last == tid;
        to[tid] = tid;
        from[tid] = !step ? tid : mine == tid ? held_by(tid) : before >= 0 ? held_by(before) : mine;
        to[STEPS + tid] = outside ? mine : 0;
        from[STEPS + tid] = outside ? held_by(tid) : 0;
    }
};

/* Columns on the left are other CTAs' than those on the right. I: numbers of rows */
template <class T, class I> __global__ __launch_bounds__(THREADS) void apply(rest<T> r)
{
    extern __shared__ __align__(16) unsigned char raw[];
    T *const L = (T *)raw, *const X = L + tri(TILES) * TILE; /* columns of the right-hand sides */
    __shared__ permutation<I> rows;
    const int tid = threadIdx.x, warp = tid / 32, lane = tid % 32, lefts = (r.left + COLUMNS - 1) / COLUMNS;
    const bool solves = (int)blockIdx.x >= lefts;
    const int c0 = (solves ? blockIdx.x - lefts : blockIdx.x) * COLUMNS, count = min(COLUMNS, (solves ? r.right : r.left) - c0);
    T *const B = r.A + (int64_t)(c0 + (solves ? r.left + r.width : 0)) * r.lda;
    wait_for_previous_grid();
    let_next_grid_start();
    if (solves) fetch_unit<TILES>(L, r.A + r.left * r.lda, r.lda, r.steps, warp, lane, WARPS);
    __pipeline_commit();
    rows.find(r.piv, r.first, r.steps, tid);
    __syncthreads();

    const int place = tid % PLACES, group = tid / PLACES;
    const int64_t there = rows.to[place], here = rows.from[place];
    const bool top = place < STEPS, moves = here != there, reads = moves || (solves && place < r.steps);
    T v[EACH];
#pragma unroll
    for (int k = 0; k < EACH; k++) {
        const int c = group + k * GROUPS;
        v[k] = reads && c < count ? B[here + c * r.lda] : make<T>(0);
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < EACH; k++) {
        const int c = group + k * GROUPS;
        if (solves && top)
            X[c * STEPS + place] = v[k];
        else if (moves && c < count)
            B[there + c * r.lda] = v[k];
    }
    __pipeline_wait_prior(0);
    __syncthreads();
    if (!solves || warp >= count) return;
    T x[TILES][1];
#pragma unroll
    for (int i = 0; i < TILES; i++) x[i][0] = X[warp * STEPS + i * TB + lane];
    solve_unit(x, L, lane);
#pragma unroll
    for (int i = 0; i < TILES; i++)
        if (i * TB + lane < r.steps) B[i * TB + lane + warp * r.lda] = x[i][0];
}

template <class T> cudaError_t run(const rest<T> &r, bool many_rows, cudaStream_t stream)
{
    const auto kernel = many_rows ? apply<T, int64_t> : apply<T, int32_t>;
    constexpr size_t bytes = UNIT_BYTES<T, TILES> + COLUMNS * STEPS * sizeof(T);
    const launch_shape s = {(r.left + COLUMNS - 1) / COLUMNS + (r.right + COLUMNS - 1) / COLUMNS, THREADS, bytes, 1, true, false};
    const cudaError_t e = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
    return e != cudaSuccess ? e : launch_early(kernel, s, stream, r);
}

} // namespace
} // namespace tsl

extern "C" const void *tsl_cuda_kernel_of_getrf_rest(void) { return (const void *)tsl::apply<float, int32_t>; }

extern "C" tsl_status tsl_cuda_getrf_rest(tsl_queue *q, const tsl_leaf *panel, int64_t left, int64_t right)
{
    const int64_t steps = panel->m < panel->n ? panel->m : panel->n;
    return tsl::by_type(panel->type, [=](auto zero) {
        using T = decltype(zero);
        const tsl::rest<T> r = {(T *)panel->A.p - left * panel->A.ld,
                                panel->A.ld,
                                (int)left,
                                (int)panel->n,
                                (int)right,
                                (int)steps,
                                (int64_t *)panel->B.p,
                                panel->lu.first};
        return tsl_cuda_check(tsl::run(r, panel->m > INT32_MAX, tsl_cuda(q)->stream), "getrf_rest");
    });
}
