/* What the chains' transformations multiply beside their windows, or above them (core/leaf.h): a CTA takes a block of columns or rows at a time, which it holds, with U, in shared
 * memory. Blocks are narrow where there are few columns or rows, so that many CTAs share them. */
#ifndef TSL_CUDA_LAQRU_CUH
#define TSL_CUDA_LAQRU_CUH

#include "core/chase.h"
#include "kernel/cuda/async.cuh"
#include "kernel/cuda/scalar.cuh"

namespace tsl {
namespace laqru {

constexpr int SIDE = 16, THREADS = SIDE * SIDE, WIDE_BLOCK = 4, NARROW_BLOCK = 1; /* blocks: so many times SIDE */

template <class T> struct job {
    T *H, *Z;
    const T *U;
    int64_t ldh, ldz, ldu, n, low, reach;
    tsl_chase sweep;
    bool schur, left, with_z;

    /* Columns after the window's, or rows above it */
    __device__ tsl_chase_span beside(int64_t at, int64_t order) const
    {
        return left ? tsl_chase_beside(at + order, schur ? n : low + sweep.m, reach, true) : tsl_chase_beside(schur ? 0 : low, at, reach, false);
    }
};

/* X, `count` columns of `order` elements or, from the right, rows, := U^H X or X U */
template <int EACH, class T> __device__ void multiply(const job<T> &p, T *X, int64_t ld, int count, const T *U, int order, T *shared)
{
    constexpr int BLOCK = SIDE * EACH, WIDE = (sizeof(T) == 16 ? TSL_CHASE_NARROW : TSL_CHASE_WINDOW) / SIDE; /* rows, or columns, of U that a thread has */
    const int tid = threadIdx.x, ti = tid % SIDE, tj = tid / SIDE, ldu = order | 1, ldx = p.left ? order | 1 : BLOCK + 1;
    T *u = shared, *x = shared + ldu * order;
    load_block_async(u, ldu, U, p.ldu, order, order);
    load_block_async<T>(x, ldx, X, ld, p.left ? order : count, p.left ? count : order);
    end_group(), await_groups<0>();
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
template <int EACH, class T> __device__ void run(const job<T> &p, T *shared)
{
    constexpr int BLOCK = SIDE * EACH;
    int64_t turn = blockIdx.x;
    for (int64_t c = 0; c < tsl_chase_chains(&p.sweep); c++) {
        const tsl_chase_place place = tsl_chase_window(&p.sweep, c);
        const int64_t at = p.low + place.first, order = place.order;
        if (!order) continue;
        const tsl_chase_span span = p.beside(at, order);
        const T *U = p.U + c * p.sweep.window * p.ldu;
        for (int part = 0; part < 1 + p.with_z; part++) {
            const int64_t count = part ? p.n : span.count, blocks = (count + BLOCK - 1) / BLOCK;
            for (; turn < blocks; turn += gridDim.x) {
                const int64_t from = turn * BLOCK, begin = span.begin + from;
                T *X = part ? p.Z + from + at * p.ldz : p.left ? p.H + at + begin * p.ldh : p.H + begin + at * p.ldh;
                multiply<EACH>(p, X, part ? p.ldz : p.ldh, (int)min(count - from, (int64_t)BLOCK), U, (int)order, shared);
            }
            turn -= blocks;
        }
    }
}

} // namespace laqru
} // namespace tsl
#endif
