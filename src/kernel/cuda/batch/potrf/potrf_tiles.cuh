/* Cholesky factorisation of a matrix of order up to 128 per CTA, as tiles in shared memory (tile.cuh). Right-looking by tile
 * columns. Other CTAs of the multiprocessor fill the time that a CTA waits for its pivots.
 *
 * A may be a diagonal block of a larger matrix, with `before` columns of the factor to its left, P: then A - P P^H is factored.
 * So a blocked algorithm needs no product that would write past the diagonal. */
#ifndef TSL_CUDA_BATCH_POTRF_TILES_CUH
#define TSL_CUDA_BATCH_POTRF_TILES_CUH

#include "kernel/cuda/batch/batch.cuh"
#include "kernel/cuda/potrf/potrf_tile.cuh"

namespace tsl {
namespace {

/* the matrix, and a tile column of P if there is one */
template <class T> constexpr size_t potrf_tiles_bytes(int nt, bool after)
{
    return sizeof(head<T>) + (size_t)(tri(nt) + (after ? nt : 0)) * TILE * sizeof(T);
}

template <class T, int WARPS>
__global__ __launch_bounds__(32 * WARPS) void potrf_tiles(bool lower, int n, int before, Batch<T> A, int64_t *info)
{
    if (before && info[blockIdx.x] != 0) return; /* an earlier block failed */
    extern __shared__ __align__(16) unsigned char memory[];
    head<T> *h = (head<T> *)memory;
    T *tiles = (T *)(h + 1);
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, nt = (n + TB - 1) / TB;
    T *a = A.at(blockIdx.x);
    const int64_t sr = lower ? 1 : A.ld, sc = lower ? A.ld : 1;

    auto tile = [=](int i, int j) { return tiles + tri(i, j) * TILE; };
    auto load = [=](T *to, int i, int column, int columns, int below) {
        const block<const T> from = {a + i * TB * sr + column * sc, sr, sc, min(TB, n - i * TB), min(TB, columns - column)};
        for (int w = warp; w < 4; w += WARPS) fetch(to, from, below, w, lane, 4);
    };
    /* the trailing triangle, from tile k on, -= its product with rows of P(i) */
    auto subtract = [=](int k, auto P) {
        for (int u = warp; u < 2 * tri(nt - k); u += WARPS) { /* strips of 16 columns */
            const int t = u / 2, di = t < tri(1) ? 0 : t < tri(2) ? 1 : t < tri(3) ? 2 : 3, i = k + di, j = k + t - tri(di);
            update<true, 4>(tile(i, j), P(i), P(j), u % 2 * 16, lane);
        }
        __syncthreads();
    };
#pragma unroll 1
    for (int t = 0; t < tri(nt); t++) {
        const int i = t < tri(1) ? 0 : t < tri(2) ? 1 : t < tri(3) ? 2 : 3, j = t - tri(i);
        load(tile(i, j), i, j * TB, n, i == j ? 0 : WHOLE);
    }
    T *left = tile(nt, 0);
    for (int c = -before; c < 0; c += TB) {
#pragma unroll 1
        for (int i = 0; i < nt; i++) load(left + i * TILE, i, c, 0, WHOLE);
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        subtract(0, [=](int i) { return left + i * TILE; });
    }
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();

    int done = 0; /* columns that hold the factor */
    for (int k = 0; k < nt; k++) {
        if (warp == 0) {
            const int good = factor(tile(k, k), h, min(TB, n - k * TB), lane);
            if (lane == 0) h->good = good;
        }
        __syncthreads();
        const int good = h->good;
        for (int i = k + 1 + warp; i < nt; i += WARPS) {
            T *t = tile(i, k), x[TB];
#pragma unroll
            for (int c = 0; c < TB; c++) x[c] = t[c * TB + lane];
            substitute<true>(x, tile(k, k), [=](int j, T b) { return scale(b, h->inv[j]); });
#pragma unroll
            for (int c = 0; c < TB; c++) t[c * TB + lane] = x[c];
        }
        done += good;
        __syncthreads();
        if (good < TB) break;
        subtract(k + 1, [=](int i) { return tile(i, k); });
    }
    done = min(done, n);
    if (threadIdx.x == 0) info[blockIdx.x] = done < n ? before + done + 1 : 0;
#pragma unroll 1
    for (int j = 0; j < nt && j * TB < done; j++)
#pragma unroll 1
        for (int i = j; i < nt; i++) {
            const block<T> to = {a + i * TB * sr + j * TB * sc, sr, sc, min(TB, n - i * TB), min(TB, done - j * TB)};
            for (int w = warp; w < 4; w += WARPS) put(to, tile(i, j), i == j ? 0 : WHOLE, false, w, lane, 4);
        }
}

template <class T, int WARPS>
cudaError_t launch_potrf_tiles(cudaStream_t s, bool lower, int n, int before, Batch<T> A, int64_t count, int64_t *info)
{
    constexpr int MOST = (int)potrf_tiles_bytes<T>(sizeof(T) == 16 ? 3 : 4, true), ALONE = (int)potrf_tiles_bytes<T>(4, false);
    const cudaError_t e = cudaFuncSetAttribute((const void *)potrf_tiles<T, WARPS>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                               MOST > ALONE ? MOST : ALONE);
    if (e != cudaSuccess) return e;
    potrf_tiles<T, WARPS>
        <<<(unsigned)count, 32 * WARPS, potrf_tiles_bytes<T>((n + TB - 1) / TB, before > 0), s>>>(lower, n, before, A, info);
    return cudaGetLastError();
}

} // namespace
} // namespace tsl
#endif
