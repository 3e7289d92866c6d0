/* Triangular solves of order up to 128 with few lines: a warp has a line of a problem, the tiles of M stream past it through
 * shared memory. By tile rows of M: a lane has a row of the tile and the sum of that row. */
#ifndef TSL_CUDA_BATCH_TRSM_STREAM_CUH
#define TSL_CUDA_BATCH_TRSM_STREAM_CUH

#include "kernel/cuda/batch/potrf/trsm_lines.cuh"

namespace tsl {
namespace {

constexpr int STREAM_RING = 3; /* tiles of M: two on their way, one in use */

template <class T> constexpr size_t trsm_stream_bytes(int nt) { return (STREAM_RING * TILE + nt * TB) * sizeof(T); }

/* x := inv(M) x for a diagonal tile, row `lane` of it; divide: by the lane's pivot */
template <class T, class Divide> __device__ T solve_tile(T x, const T *M, Divide divide, int lane)
{
#pragma unroll 8
    for (int k = 0; k < TB; k++) {
        const T m = M[k * TB + lane], found = of_lane(divide(x), k);
        x = lane == k ? found : lane > k ? sub_mul<false>(x, m, found) : x;
    }
    return x;
}

template <class T> __global__ __launch_bounds__(32) void trsm_stream(lines<T> p)
{
    extern __shared__ __align__(16) unsigned char memory[];
    T *ring = (T *)memory, *X = ring + STREAM_RING * TILE;
    const int lane = threadIdx.x, nt = (p.order + TB - 1) / TB;
    const int64_t problem = blockIdx.x / p.lines;
    if (!p.has(problem)) return;
    const block<const T> A = p.triangle(problem, true);
    T *const B = p.B.at(problem) + p.b0 + blockIdx.x % p.lines * p.sl;

    int fi = 0, fj = 0, slot = 0; /* the next tile to fetch, and its place */
    auto start = [&] {
        if (fi < nt) {
            const block<const T> from = {A.p + fi * TB * A.sr + fj * TB * A.sc, A.sr, A.sc, min(TB, p.order - fi * TB), min(TB, p.order - fj * TB)};
#pragma unroll 1
            for (int w = 0; w < 4; w++) fetch(ring + slot * TILE, from, fi == fj ? 1 : WHOLE, w, lane, 4);
            slot = slot + 1 < STREAM_RING ? slot + 1 : 0;
            fj++;
            if (fj > fi) fi++, fj = 0;
        }
        __pipeline_commit();
    };
    start();
    start();

    int use = 0;
    for (int i = 0; i < nt; i++) {
        const int row = i * TB + lane;
        const bool in = row < p.order;
        T x = in ? p.enter(B[row * p.sk]) : make<T>(0);
        const divisor<T> by = make_divisor(p.unit || !in ? make<T>(1) : A.p[row * (A.sr + A.sc)]);
        const bool plain = __all_sync(~0u, by.power == 1);
        for (int j = 0; j <= i; j++) {
            start();
            __pipeline_wait_prior(2);
            __syncwarp();
            const T *M = ring + use * TILE;
            if (j < i)
#pragma unroll 8
                for (int k = 0; k < TB; k++) x = sub_mul<false>(x, M[k * TB + lane], X[j * TB + k]);
            else if (p.unit)
                x = solve_tile(x, M, [](T b) { return b; }, lane);
            else if (plain)
                x = solve_tile(x, M, [&](T b) { return mul(b, by.inv); }, lane);
            else
                x = solve_tile(x, M, by, lane);
            use = use + 1 < STREAM_RING ? use + 1 : 0;
            __syncwarp(); /* the tile's place is free */
        }
        X[row] = x;
        if (in) B[row * p.sk] = p.leave(x);
    }
}

template <class T> cudaError_t launch_trsm_stream(cudaStream_t s, lines<T> p)
{
    const cudaError_t e = cudaFuncSetAttribute((const void *)trsm_stream<T>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                               (int)trsm_stream_bytes<T>(4));
    if (e != cudaSuccess) return e;
    trsm_stream<T><<<(unsigned)(p.count * p.lines), 32, trsm_stream_bytes<T>((p.order + TB - 1) / TB), s>>>(p);
    return cudaGetLastError();
}

} // namespace
} // namespace tsl
#endif
