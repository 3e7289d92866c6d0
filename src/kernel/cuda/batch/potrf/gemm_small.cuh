/* Products of matrices of order up to GM TM x GN TN: GM x GN lanes, a group, have a problem; a lane has TM x TN elements of C.
 * The operands are in shared memory, both by columns of their sum's index: A(i,p) and B(p,j) at p LD + i and p LD + j. */
#ifndef TSL_CUDA_BATCH_GEMM_SMALL_CUH
#define TSL_CUDA_BATCH_GEMM_SMALL_CUH

#include "kernel/cuda/batch/potrf/gemm_batch.cuh"
#include "kernel/cuda/tile.cuh"

namespace tsl {
namespace {

/* A(i,p) of a problem at i ai + p ap, B(p,j) at p bp + j bj */
template <class T> struct products {
    Batch<const T> A, B;
    Batch<T> C;
    int64_t ai, ap, bp, bj, count;
    int m, n, k;
    bool conj_a, conj_b;
    T alpha, beta;
};

constexpr int GEMM_WARPS = 2;
__host__ __device__ constexpr int leading(int rows)
{
    return rows + 4;
} /* a transposed patch of 8 x 4 then meets every bank once, whatever the type */

/* Starts to(r,p) := from(r,p), r < rows, p < k; to has room for R rows. G lanes work along what is contiguous. */
template <int G, int R, class T> __device__ void stage(T *to, const T *from, int64_t sr, int64_t sp, int rows, int k, int lane)
{
    if (sr == 1) {
        constexpr int W = G < R ? G : R;
        for (int p = lane / W; p < k; p += G / W)
#pragma unroll
            for (int r = lane % W; r < R; r += W)
                if (r < rows) __pipeline_memcpy_async(to + p * leading(R) + r, from + r + p * sp, sizeof(T));
    } else {
        constexpr int W = G < 8 ? G : 8;
        for (int p = lane % W; p < k; p += W)
#pragma unroll
            for (int r = lane / W; r < R; r += G / W)
                if (r < rows) __pipeline_memcpy_async(to + p * leading(R) + r, from + r * sr + p * sp, sizeof(T));
    }
}

template <class T> __device__ T turned(T a, bool conjugate)
{
    return is_complex<T> && conjugate ? conj(a) : a;
}

template <class T, int GM, int GN, int TM, int TN> __global__ __launch_bounds__(32 * GEMM_WARPS) void gemm_small(products<T> q)
{
    constexpr int G = GM * GN, M = GM * TM, N = GN * TN, V = VEC<T> < TN ? VEC<T> : TN;
    extern __shared__ __align__(16) unsigned char memory[];
    const int lane = threadIdx.x % G, gm = lane % GM, gn = lane / GM;
    const int64_t i = (int64_t)blockIdx.x * (32 * GEMM_WARPS / G) + threadIdx.x / G;
    T *A = (T *)memory + threadIdx.x / G * (leading(M) + leading(N)) * q.k, *B = A + leading(M) * q.k;
    if (i < q.count) {
        stage<G, M>(A, q.A.at(i), q.ai, q.ap, q.m, q.k, lane);
        stage<G, N>(B, q.B.at(i), q.bj, q.bp, q.n, q.k, lane);
    }
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncwarp();
    if (i >= q.count) return;

    T c[TM][TN];
#pragma unroll
    for (int t = 0; t < TM; t++)
#pragma unroll
        for (int u = 0; u < TN; u++) c[t][u] = make<T>(0);
#pragma unroll 4
    for (int p = 0; p < q.k; p++) {
        T a[TM], b[TN];
#pragma unroll
        for (int t = 0; t < TM; t++) a[t] = turned(A[p * leading(M) + t * GM + gm], q.conj_a);
#pragma unroll
        for (int u = 0; u < TN; u += V) {
            const pack<T, V> some = get<V>(B + p * leading(N) + (u / V * GN + gn) * V);
#pragma unroll
            for (int v = 0; v < V; v++) b[u + v] = turned(some.x[v], q.conj_b);
        }
#pragma unroll
        for (int t = 0; t < TM; t++)
#pragma unroll
            for (int u = 0; u < TN; u++) c[t][u] = add_mul(c[t][u], a[t], b[u]);
    }
    T *C = q.C.at(i);
#pragma unroll
    for (int u = 0; u < TN; u++) {
        const int col = (u / V * GN + gn) * V + u % V;
#pragma unroll
        for (int t = 0; t < TM; t++)
            if (t * GM + gm < q.m && col < q.n) update(C + t * GM + gm + col * q.C.ld, q.alpha, q.beta, c[t][u]);
    }
}

template <class T, int GM, int GN, int TM, int TN> cudaError_t launch_gemm_small(cudaStream_t s, const products<T> &q)
{
    constexpr int PER_CTA = 32 * GEMM_WARPS / (GM * GN);
    constexpr size_t COLUMN = PER_CTA * (leading(GM * TM) + leading(GN * TN)) * sizeof(T); /* of shared memory, per unit of k */
    const cudaError_t e = cudaFuncSetAttribute((const void *)gemm_small<T, GM, GN, TM, TN>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                               (int)COLUMN * TSL_GEMM_BATCH_LIMIT<T>);
    if (e != cudaSuccess) return e;
    gemm_small<T, GM, GN, TM, TN><<<(unsigned)((q.count + PER_CTA - 1) / PER_CTA), 32 * GEMM_WARPS, COLUMN * q.k, s>>>(q);
    return cudaGetLastError();
}

} // namespace
} // namespace tsl
#endif
