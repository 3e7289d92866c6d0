/* What the chains' transformations multiply beside their windows, or above them (core/leaf.h): a CTA takes a block of columns
 * or rows at a time, which it holds, with U, in shared memory. Blocks are narrow where there are few columns or rows, so that
 * many CTAs share them. */
#ifndef TSL_CUDA_LAQRU_CUH
#define TSL_CUDA_LAQRU_CUH

#include "core/numbers/chase.h"
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
    bool schur, with_z;
    int64_t z_rows;

    /* Columns after the window's, or rows above it */
    __device__ tsl_chase_span beside(int64_t at, int64_t order, bool left) const
    {
        return left ? tsl_chase_beside(at + order, schur ? n : low + sweep.m, reach, true) : tsl_chase_beside(schur ? 0 : low, at, reach, false);
    }
};

/* X, `count` columns of `order` elements or, from the right, rows, := U^H X or X U. In shared memory zeros fill up what a full
 * block, or a full U, would have. */
template <int EACH, bool LEFT, class T> __device__ void multiply(const job<T> &p, T *X, int64_t ld, int count, const T *U, int order, T *shared)
{
    constexpr int BLOCK = SIDE * EACH, MOST = sizeof(T) == 16 ? TSL_CHASE_NARROW : TSL_CHASE_WINDOW,
                  WIDE = MOST / SIDE; /* rows, or columns, of U that a thread has */
    const int tid = threadIdx.x, ti = tid % SIDE, tj = tid / SIDE, ldu = order | 1, ldx = LEFT ? order | 1 : BLOCK + 1;
    T *const u = shared, *const x = shared + ldu * MOST;
    load_block_async(u, ldu, U, p.ldu, order, order);
    load_block_async<T>(x, ldx, X, ld, LEFT ? order : count, LEFT ? count : order);
    for (int i = tid; i < ldu * (MOST - order); i += THREADS) u[ldu * order + i] = make<T>(0);
    for (int i = tid; i < order * (BLOCK - count); i += THREADS)
        x[LEFT ? i % order + (count + i / order) * ldx : count + i / order + i % order * ldx] = make<T>(0);
    end_group(), await_groups<0>();
    __syncthreads();
    T sum[WIDE][EACH];
#pragma unroll
    for (int a = 0; a < WIDE; a++)
#pragma unroll
        for (int b = 0; b < EACH; b++) sum[a][b] = make<T>(0);
    const T *const of_u = u + (LEFT ? ti : tj) * ldu, *const of_x = LEFT ? x + tj * ldx : x + ti;
#pragma unroll 4
    for (int k = 0; k < order; k++) {
        T y[EACH];
#pragma unroll
        for (int b = 0; b < EACH; b++) y[b] = LEFT ? of_x[k + SIDE * b * ldx] : of_x[SIDE * b + k * ldx];
#pragma unroll
        for (int a = 0; a < WIDE; a++) {
            const T by = of_u[k + SIDE * a * ldu];
#pragma unroll
            for (int b = 0; b < EACH; b++) sum[a][b] = LEFT ? add_mul<true>(sum[a][b], by, y[b]) : add_mul(sum[a][b], y[b], by);
        }
    }
#pragma unroll
    for (int a = 0; a < WIDE; a++)
#pragma unroll
        for (int b = 0; b < EACH; b++) {
            const int at = (LEFT ? ti : tj) + SIDE * a, other = (LEFT ? tj : ti) + SIDE * b;
            if (at < order && other < count) X[LEFT ? at + other * ld : other + at * ld] = sum[a][b];
        }
    __syncthreads();
}

/* The CTAs take blocks by turns: chain by chain, those of H, then those of Z. */
template <int EACH, bool LEFT, class T> __device__ void run(const job<T> &p, T *shared)
{
    constexpr int BLOCK = SIDE * EACH;
    int64_t turn = blockIdx.x;
    for (int64_t c = 0; c < tsl_chase_chains(&p.sweep); c++) {
        const tsl_chase_place place = tsl_chase_window(&p.sweep, c);
        const int64_t at = p.low + place.first, order = place.order;
        if (!order) continue;
        const tsl_chase_span span = p.beside(at, order, LEFT);
        const T *U = p.U + c * p.sweep.window * p.ldu;
        for (int part = 0; part < 1 + p.with_z; part++) {
            const int64_t count = part ? p.z_rows : span.count, blocks = (count + BLOCK - 1) / BLOCK;
            for (; turn < blocks; turn += gridDim.x) {
                const int64_t from = turn * BLOCK, begin = span.begin + from;
                T *X = part ? p.Z + from + at * p.ldz : LEFT ? p.H + at + begin * p.ldh : p.H + begin + at * p.ldh;
                multiply<EACH, LEFT>(p, X, part ? p.ldz : p.ldh, (int)min(count - from, (int64_t)BLOCK), U, (int)order, shared);
            }
            turn -= blocks;
        }
    }
}

} // namespace laqru
} // namespace tsl
#endif
