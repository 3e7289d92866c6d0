/* What the two gemv kernels share: arguments, loads of the matrix, x in shared memory, and the last steps of the sums. */
#ifndef TSL_CUDA_GEMV_CUH
#define TSL_CUDA_GEMV_CUH

#include <cooperative_groups.h>

#include "kernel/cuda/launch.cuh"
#include "kernel/cuda/level2/gemv_plan.h"
#include "kernel/cuda/loads.cuh"

namespace tsl {

template <class T> struct gemv_args {
    int64_t m, n, lda, incx, incy;
    const T *A, *x; /* x and y point at the element of index 0, whatever the sign of the increment */
    T *y, *part;    /* part: NULL, or the workspace for partial sums, one vector of y's length per split */
    T alpha, beta;
    int64_t chunk;           /* of the summed index, per block */
    unsigned cluster, tiles; /* blocks of a cluster; tiles that y is cut into */
    int columns;             /* op T, H: columns of a tile */
    bool conj;               /* op H */
};

/* Block number -> (split, tile of y, rank in the cluster), the rank fastest: the blocks of a cluster are neighbours, and the
 * clusters that run together read neighbouring tiles of the same part of the matrix. */
struct gemv_place {
    unsigned rank, tile, split;
    int64_t chunk; /* index of the block's chunk */
};
template <class T> __device__ gemv_place place_of(const gemv_args<T> &g)
{
    const unsigned c = blockIdx.x / g.cluster, rank = blockIdx.x - c * g.cluster, split = c / g.tiles;
    return {rank, c - split * g.tiles, split, (int64_t)split * g.cluster + rank};
}

__device__ inline int clamp_count(int64_t left, int64_t most) { return (int)(left < 0 ? 0 : left < most ? left : most); }

/* xs[0..padded) := x[first..first+count), conjugated for H, then zeros: a zero put in the place of an element that does not
 * exist must not meet an Inf or NaN of x. The last `ragged` of the elements are put behind the padding instead. */
template <class T> __device__ void stage_x(const gemv_args<T> &g, T *xs, int64_t first, int count, int padded, int ragged = 0)
{
    const T *x = g.x + first * g.incx;
    const int even = count - ragged;
#pragma unroll 4
    for (int t = threadIdx.x; t < padded; t += GEMV_THREADS) {
        const T v = load_if<T, 1>(t < even, x + t * g.incx).v[0];
        xs[t] = g.conj ? conj(v) : v;
    }
    if (threadIdx.x < ragged) {
        const T v = load<T, 1>(x + (even + threadIdx.x) * g.incx).v[0];
        xs[padded + threadIdx.x] = g.conj ? conj(v) : v;
    }
}

/* sums[0..count) of the block are its chunk's part of y[first..first+count). Adds the cluster's in the order of their ranks and
 * stores them: to y, or as this split's partial sums. H has computed conj(A)^T x as conj(A^T conj(x)). */
template <class T> __device__ void finish(const gemv_args<T> &g, gemv_place at, T *sums, int64_t first, int count, int64_t length)
{
#if __CUDA_ARCH__ >= 900
    const auto cluster = cooperative_groups::this_cluster();
    if (g.cluster > 1)
        cluster.sync();
    else
        __syncthreads();
#else /* never launched with clusters */
    __syncthreads();
#endif
    for (int t = at.rank * GEMV_THREADS + threadIdx.x; t < count; t += g.cluster * GEMV_THREADS) {
        T s = sums[t];
#if __CUDA_ARCH__ >= 900
        if (g.cluster > 1) {
            s = *cluster.map_shared_rank(sums + t, 0);
#pragma unroll 8
            for (unsigned k = 1; k < g.cluster; ++k)
                s = add(s, *cluster.map_shared_rank(sums + t, k));
        }
#endif
        if (g.conj) s = conj(s);
        if (g.part)
            g.part[at.split * length + first + t] = s;
        else
            update(g.y + (first + t) * g.incy, g.alpha, g.beta, s);
    }
#if __CUDA_ARCH__ >= 900
    if (g.cluster > 1) cluster.sync(); /* no CTA leaves while its sums are being read */
#endif
}

/* The kernels of a shape, with loads of 16 bytes or of one element: gemv_n.cu, gemv_t.cu */
template <class T> using gemv_kernel = void (*)(gemv_args<T>);
template <class T> gemv_kernel<T> gemv_n_kernel(int shape, bool wide);
template <class T> gemv_kernel<T> gemv_t_kernel(int shape, bool wide);

} // namespace tsl
#endif
