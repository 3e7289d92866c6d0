/* Cholesky factorisation of a block of order n <= 128 by one CTA, the block in shared memory.
 *
 * The algorithm is the lower one, A = L L^H. For an upper triangle, conj(A) = U^T conj(U) = (U^T)(U^T)^H, and the lower
 * triangle of conj(A) is the stored upper triangle transposed: so L = U^T is found by the same steps, with no conjugation, only
 * by exchanging the strides.
 *
 * Right-looking by tile columns k, the pivots' chain of dependent operations kept short:
 *   warp 0 factors tile (k,k); meanwhile the other warps bring the rest of the trailing tiles up to date with column k-1 and
 *   store column k-1;
 *   a lane per row solves the tiles below (k,k);
 *   all warps update tile (k+1,k+1), the only one the next step waits for. */
#include "kernel/cuda/leaf.h"
#include "kernel/cuda/potrf/potrf_tile.cuh"

namespace tsl {
namespace {

constexpr int WARPS = 8, THREADS = 32 * WARPS;

template <class T> constexpr size_t bytes(int nt) { return sizeof(head<T>) + (size_t)tri(nt) * TILE * sizeof(T); }
static_assert(bytes<cplx<double>>(TSL_CUDA_POTRF_LIMIT / TB) <= 163 * 1024, "shared memory of a CTA on sm_80");

template <class T>
__global__ __launch_bounds__(THREADS, 1) void potrf(T *A, int64_t sr, int64_t sc, int n, int64_t *info, int64_t info_base,
                                                    bool fresh)
{
    if (!fresh && *info != 0) return; /* an earlier block failed */
    extern __shared__ __align__(16) unsigned char memory[];
    head<T> *h = (head<T> *)memory;
    T *tiles = (T *)(h + 1);
    const int tid = threadIdx.x, warp = tid / 32, lane = tid % 32, nt = (n + TB - 1) / TB;

    auto tile = [=](int i, int j) { return tiles + tri(i, j) * TILE; };
    auto global = [=](int i, int j) {
        return block<T>{A + i * TB * sr + j * TB * sc, sr, sc, min(TB, n - i * TB), min(TB, n - j * TB)};
    };
    auto load = [=](int i, int j) {
        const block<T> g = global(i, j);
        fetch(tile(i, j), block<const T>{g.p, g.sr, g.sc, g.rows, g.cols}, i == j ? 0 : WHOLE, warp, lane, WARPS);
    };
    auto store = [=](int k, int w, int warps) {
#pragma unroll 1
        for (int i = k; i < nt; i++) put(global(i, k), tile(i, k), i == k ? 0 : WHOLE, false, w, lane, warps);
    };

    load(0, 0);
    __pipeline_commit();
#pragma unroll 1
    for (int j = 0; j < nt; j++)
#pragma unroll 1
        for (int i = j + (j == 0); i < nt; i++) load(i, j);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();

    int k = 0;
    for (;; k++) {
        if (warp == 0) {
            const int cols = min(TB, n - k * TB), good = factor(tile(k, k), h, cols, lane);
            if (lane == 0) {
                h->good = good;
                if (good < TB) *info = info_base + k * TB + good + 1;
                else if (fresh && k + 1 == nt) *info = 0;
            }
        } else if (k > 0) {
            const int strips = 4 * (tri(nt - k) - 1); /* of 8 columns, of the tiles from (k,k) on but (k,k) itself */
            for (int u = warp - 1; u < strips; u += WARPS - 1) {
                const int t = u / 4 + 1, di = t < tri(2) ? 1 : 2, i = k + di, j = k + t - tri(di);
                update<true, 2>(tile(i, j), tile(i, k - 1), tile(j, k - 1), u % 4 * 8, lane);
            }
            if (warp >= 4) store(k - 1, warp - 4, 4);
        }
        __pipeline_wait_prior(0);
        __syncthreads();

        const int good = h->good;
        if (k + 1 + warp < nt) {
            T *t = tile(k + 1 + warp, k), x[TB];
#pragma unroll
            for (int c = 0; c < TB; c++) x[c] = t[c * TB + lane];
            substitute<true>(x, tile(k, k), [=](int j, T b) { return scale(b, h->inv[j]); });
#pragma unroll
            for (int c = 0; c < TB; c++)
                if (c < good) t[c * TB + lane] = x[c];
        }
        __syncthreads();
        if (good < TB || k + 1 == nt) break;

        update<true, 1>(tile(k + 1, k + 1), tile(k + 1, k), tile(k + 1, k), warp * 4, lane);
        __syncthreads();
    }
    store(k, warp, WARPS);
}

template <class T> tsl_status launch(tsl_queue *q, const tsl_leaf *l)
{
    const bool lower = l->uplo == TSL_LOWER;
    const int n = (int)l->n;
    const cudaError_t e = cudaFuncSetAttribute((const void *)potrf<T>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                               (int)bytes<T>(TSL_CUDA_POTRF_LIMIT / TB));
    if (e != cudaSuccess) return tsl_cuda_check(e, "potrf");
    potrf<T><<<1, THREADS, bytes<T>((n + TB - 1) / TB), tsl_cuda(q)->stream>>>(
        (T *)l->A.p, lower ? 1 : l->A.ld, lower ? l->A.ld : 1, n, l->info, l->info_base, l->fresh != 0);
    return tsl_cuda_check(cudaGetLastError(), "potrf");
}

} // namespace
} // namespace tsl

extern "C" const void *tsl_cuda_kernel_of_potrf(void) { return (const void *)tsl::potrf<float>; }

extern "C" tsl_status tsl_cuda_potrf_block(tsl_queue *q, const tsl_leaf *l)
{
    return tsl::by_type(l->type, [=](auto zero) { return tsl::launch<decltype(zero)>(q, l); });
}
