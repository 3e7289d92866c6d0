/* Triangular solves of order up to 128: a CTA keeps M and up to G tiles of 32 lines in shared memory (tile.cuh); a lane holds a
 * line while it passes a diagonal tile. Right-looking by tile columns of M. In place of a pivot there is what a division by it
 * multiplies with. */
#ifndef TSL_CUDA_BATCH_TRSM_TILES_CUH
#define TSL_CUDA_BATCH_TRSM_TILES_CUH

#include "kernel/cuda/batch/potrf/trsm_lines.cuh"

namespace tsl {
namespace {

constexpr int TRSM_WARPS = 4, TRSM_THREADS = 32 * TRSM_WARPS; /* a thread per pivot */

template <class T> constexpr size_t trsm_tiles_bytes(int nt, int G)
{
    return TRSM_THREADS * sizeof(real_t<T>) + (size_t)(tri(nt) + nt * G) * TILE * sizeof(T);
}

template <class T> constexpr int TRSM_TILES = sizeof(T) == 16 ? 3 : 4; /* tile rows of M at most */

template <class T> __global__ __launch_bounds__(TRSM_THREADS) void trsm_tiles(lines<T> p, int G)
{
    using R = real_t<T>;
    extern __shared__ __align__(16) unsigned char memory[];
    const int tid = threadIdx.x, warp = tid / 32, lane = tid % 32, nt = (p.order + TB - 1) / TB;
    T *M = (T *)memory, *X = M + tri(nt) * TILE;
    R *power = (R *)(X + nt * G * TILE);
    const int64_t problem = blockIdx.x / p.parts;
    if (!p.has(problem)) return;
    const block<const T> A = p.triangle(problem, true);
    T *const B = p.B.at(problem) + p.b0;

    auto m = [=](int i, int j) { return M + tri(i, j) * TILE; };
    auto x = [=](int k, int g) { return X + (g * nt + k) * TILE; };
    auto lines_at = [=](int k, int64_t l) {
        return block<T>{B + k * TB * p.sk + l * p.sl, p.sl, p.sk, (int)min((int64_t)TB, p.lines - l), min(TB, p.order - k * TB)};
    };
#pragma unroll 1
    for (int i = 0; i < nt; i++)
#pragma unroll 1
        for (int j = 0; j <= i; j++)
            fetch(m(i, j), block<const T>{A.p + i * TB * A.sr + j * TB * A.sc, A.sr, A.sc, min(TB, p.order - i * TB), min(TB, p.order - j * TB)},
                  i == j ? 1 : WHOLE, warp, lane, TRSM_WARPS);

    if (tid < p.order && !p.unit) {
        const divisor<T> d = make_divisor(A.p[tid * (A.sr + A.sc)]);
        m(warp, warp)[lane * (TB + 1)] = d.inv;
        power[tid] = d.power;
    } else {
        power[tid] = 1;
    }

    for (int64_t l0 = (int64_t)(blockIdx.x % p.parts) * G * TB; l0 < p.lines; l0 += (int64_t)p.parts * G * TB) {
        const int tiles = (int)min((int64_t)G, (p.lines - l0 + TB - 1) / TB);
#pragma unroll 1
        for (int t = 0; t < tiles * nt; t++) {
            const block<T> from = lines_at(t % nt, l0 + t / nt * TB);
            fetch(X + t * TILE, block<const T>{from.p, from.sr, from.sc, from.rows, from.cols}, WHOLE, warp, lane, TRSM_WARPS);
        }
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        if (p.scaled || p.conjugate) {
            for (int e = tid; e < tiles * nt * TILE; e += TRSM_THREADS) X[e] = p.enter(X[e]);
            __syncthreads();
        }

        for (int k = 0; k < nt; k++) {
            if (warp < tiles) {
                T *t = x(k, warp), *d = m(k, k), v[TB];
#pragma unroll
                for (int c = 0; c < TB; c++) v[c] = t[c * TB + lane];
                substitute<false>(v, d, [=](int j, T b) { return p.unit ? b : divisor<T>{d[j * (TB + 1)], power[k * TB + j]}(b); });
#pragma unroll
                for (int c = 0; c < TB; c++) t[c * TB + lane] = v[c];
            }
            __syncthreads();
            const int below = nt - 1 - k;
            for (int u = warp; u < 2 * below * tiles; u += TRSM_WARPS) { /* strips of 16 unknowns */
                const int g = u / (2 * below), i = k + 1 + u / 2 % below;
                update<false, 4>(x(i, g), x(k, g), m(i, k), u % 2 * 16, lane);
            }
            __syncthreads();
        }
#pragma unroll 1
        for (int t = 0; t < tiles * nt; t++) put(lines_at(t % nt, l0 + t / nt * TB), X + t * TILE, WHOLE, p.conjugate, warp, lane, TRSM_WARPS);
        __syncthreads();
    }
}

template <class T> cudaError_t launch_trsm_tiles(cudaStream_t s, lines<T> p)
{
    constexpr size_t HALF = 113 * 1024; /* of a multiprocessor: two CTAs, one loads while the other computes */
    constexpr int64_t ENOUGH = 512; /* CTAs that fill a device */
    const int nt = (p.order + TB - 1) / TB;
    const int64_t tiles = (p.lines + TB - 1) / TB;
    int G = 1;
    while (G < TRSM_WARPS && G < tiles && trsm_tiles_bytes<T>(nt, G + 1) <= HALF) G++;
    const int64_t rounds = (tiles + G - 1) / G;
    p.parts = (int)max((int64_t)1, min(rounds, ENOUGH / p.count));
    const size_t bytes = trsm_tiles_bytes<T>(nt, G);
    const cudaError_t e = cudaFuncSetAttribute((const void *)trsm_tiles<T>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                               (int)max(HALF, trsm_tiles_bytes<T>(TRSM_TILES<T>, 1)));
    if (e != cudaSuccess) return e;
    trsm_tiles<T><<<(unsigned)(p.count * p.parts), TRSM_THREADS, bytes, s>>>(p, G);
    return cudaGetLastError();
}

} // namespace
} // namespace tsl
#endif
