/* What the two gemv kernels share: arguments, loads of the matrix, x in shared memory, and the last steps of the sums. */
#ifndef TSL_CUDA_GEMV_CUH
#define TSL_CUDA_GEMV_CUH

#include <cooperative_groups.h>

#include "kernel/cuda/gemv_plan.h"
#include "kernel/cuda/launch.cuh"
#include "kernel/cuda/scalar.cuh"

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

/* V neighbouring elements, loaded together. */
template <class T, int V> struct alignas(V * sizeof(T)) frag {
    T v[V];
};

/* The load instructions, by the number and type of the reals: either *p or, if not in, zeros without touching the memory.
 * A is read once, so 16-byte loads bypass L1; smaller ones do not, since unaligned neighbours share sectors. Predicated rather
 * than branched around, and volatile, so that loads follow one another and stay where they are put: ahead of the barrier. */
__device__ inline void load_reals(float (&r)[1], const void *p, bool in)
{
    asm volatile("{ .reg .pred q; setp.ne.u32 q, %2, 0; mov.f32 %0, 0f00000000; @q ld.global.nc.f32 %0, [%1]; }"
                 : "=&f"(r[0])
                 : "l"(p), "r"((unsigned)in));
}
__device__ inline void load_reals(float (&r)[2], const void *p, bool in)
{
    asm volatile("{ .reg .pred q; setp.ne.u32 q, %3, 0; mov.f32 %0, 0f00000000; mov.f32 %1, 0f00000000;\n"
                 "@q ld.global.nc.v2.f32 {%0, %1}, [%2]; }"
                 : "=&f"(r[0]), "=&f"(r[1])
                 : "l"(p), "r"((unsigned)in));
}
__device__ inline void load_reals(float (&r)[4], const void *p, bool in)
{
    asm volatile("{ .reg .pred q; setp.ne.u32 q, %5, 0; mov.f32 %0, 0f00000000; mov.f32 %1, 0f00000000;\n"
                 "mov.f32 %2, 0f00000000; mov.f32 %3, 0f00000000;\n"
                 "@q ld.global.nc.L1::no_allocate.v4.f32 {%0, %1, %2, %3}, [%4]; }"
                 : "=&f"(r[0]), "=&f"(r[1]), "=&f"(r[2]), "=&f"(r[3])
                 : "l"(p), "r"((unsigned)in));
}
__device__ inline void load_reals(double (&r)[1], const void *p, bool in)
{
    asm volatile("{ .reg .pred q; setp.ne.u32 q, %2, 0; mov.f64 %0, 0d0000000000000000; @q ld.global.nc.f64 %0, [%1]; }"
                 : "=&d"(r[0])
                 : "l"(p), "r"((unsigned)in));
}
__device__ inline void load_reals(double (&r)[2], const void *p, bool in)
{
    asm volatile("{ .reg .pred q; setp.ne.u32 q, %3, 0; mov.f64 %0, 0d0000000000000000; mov.f64 %1, 0d0000000000000000;\n"
                 "@q ld.global.nc.L1::no_allocate.v2.f64 {%0, %1}, [%2]; }"
                 : "=&d"(r[0]), "=&d"(r[1])
                 : "l"(p), "r"((unsigned)in));
}

template <class T, int V> __device__ frag<T, V> load_if(bool in, const T *p)
{
    constexpr int PARTS = is_complex<T> ? 2 : 1;
    real_t<T> r[V * PARTS];
    load_reals(r, p, in);
    frag<T, V> f;
#pragma unroll
    for (int v = 0; v < V; ++v) {
        if constexpr (is_complex<T>)
            f.v[v] = T{r[2 * v], r[2 * v + 1]};
        else
            f.v[v] = r[v];
    }
    return f;
}
template <class T, int V> __device__ frag<T, V> load(const T *p) { return load_if<T, V>(true, p); }

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
