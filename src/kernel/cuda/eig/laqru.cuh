/* What the chains' transformations multiply beside their windows, or above them (core/leaf.h): a CTA takes BLOCK columns or rows at a time, which it holds, with U, in shared memory. */
#ifndef TSL_CUDA_LAQRU_CUH
#define TSL_CUDA_LAQRU_CUH

#include "core/chase.h"
#include "kernel/cuda/scalar.cuh"

namespace tsl {
namespace laqru {

constexpr int SIDE = 16, THREADS = SIDE * SIDE, BLOCK = 64, EACH = BLOCK / SIDE;

template <class T> struct job {
    T *H, *Z;
    const T *U;
    int64_t ldh, ldz, ldu, n, low;
    tsl_chase sweep;
    bool schur, left, with_z;

    /* Columns after the window's, rows above it and those of Z: how many, in blocks */
    __device__ int64_t beside(int64_t at, int64_t order) const { return left ? (schur ? n : low + sweep.m) - at - order : at - (schur ? 0 : low); }
};

__device__ inline int64_t blocks_of(int64_t count) { return count > 0 ? (count + BLOCK - 1) / BLOCK : 0; }

/* X, `count` columns of `order` elements or, from the right, rows, := U^H X or X U */
template <class T> __device__ void multiply(const job<T> &p, T *X, int64_t ld, int count, const T *U, int order, T *shared)
{
    constexpr int WIDE = (sizeof(T) == 16 ? TSL_CHASE_NARROW : TSL_CHASE_WINDOW) / SIDE; /* rows, or columns, of U that a thread has */
    const int tid = threadIdx.x, ti = tid % SIDE, tj = tid / SIDE, ldu = order | 1, ldx = p.left ? order | 1 : BLOCK + 1;
    T *u = shared, *x = shared + ldu * order;
    for (int i = tid; i < order * order; i += THREADS) u[i % order + i / order * ldu] = U[i % order + i / order * p.ldu];
    const int rows = p.left ? order : count, cols = p.left ? count : order;
    for (int i = tid; i < rows * cols; i += THREADS) x[i % rows + i / rows * ldx] = X[i % rows + i / rows * ld];
    __syncthreads();
    T sum[WIDE][EACH];
#pragma unroll
    for (int a = 0; a < WIDE; a++)
#pragma unroll
        for (int b = 0; b < EACH; b++) sum[a][b] = make<T>(0);
    for (int k = 0; k < order; k++) {
        T y[EACH];
#pragma unroll
        for (int b = 0; b < EACH; b++) {
            const int at = (p.left ? tj : ti) + SIDE * b;
            y[b] = at < count ? p.left ? x[k + at * ldx] : x[at + k * ldx] : make<T>(0);
        }
#pragma unroll
        for (int a = 0; a < WIDE; a++) {
            const int at = (p.left ? ti : tj) + SIDE * a;
            const T by = at < order ? u[k + at * ldu] : make<T>(0);
#pragma unroll
            for (int b = 0; b < EACH; b++) sum[a][b] = p.left ? add_mul<true>(sum[a][b], by, y[b]) : add_mul(sum[a][b], y[b], by);
        }
    }
#pragma unroll
    for (int a = 0; a < WIDE; a++)
#pragma unroll
        for (int b = 0; b < EACH; b++) {
            const int of_u = (p.left ? ti : tj) + SIDE * a, other = (p.left ? tj : ti) + SIDE * b;
            if (of_u < order && other < count) X[p.left ? of_u + other * ld : other + of_u * ld] = sum[a][b];
        }
    __syncthreads();
}

/* The CTAs take blocks by turns: chain by chain, those of H, then those of Z. */
template <class T> __device__ void run(const job<T> &p, T *shared)
{
    int64_t turn = blockIdx.x;
    for (int64_t c = 0; c < tsl_chase_chains(&p.sweep); c++) {
        const tsl_chase_place place = tsl_chase_window(&p.sweep, c);
        const int64_t at = p.low + place.first, order = place.order, top = p.left ? at + order : p.schur ? 0 : p.low;
        if (!order) continue;
        const T *U = p.U + c * p.sweep.window * p.ldu;
        for (int part = 0; part < 1 + p.with_z; part++) {
            const int64_t count = part ? p.n : p.beside(at, order), blocks = blocks_of(count);
            for (; turn < blocks; turn += gridDim.x) {
                const int64_t from = turn * BLOCK;
                T *X = part ? p.Z + from + at * p.ldz : p.left ? p.H + at + (top + from) * p.ldh : p.H + top + from + at * p.ldh;
                multiply(p, X, part ? p.ldz : p.ldh, (int)min(count - from, (int64_t)BLOCK), U, (int)order, shared);
            }
            turn -= blocks;
        }
    }
}

} // namespace laqru
} // namespace tsl
#endif
