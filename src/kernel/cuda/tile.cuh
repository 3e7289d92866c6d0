/* Triangles of order up to 128 as 32 x 32 tiles in shared memory. Element (r,c) of a tile is t[c*32 + r]: a warp that holds a
 * row per lane reads a column without bank conflicts, and the entries of one column below its diagonal, which all lanes need at
 * once, come as 16-byte broadcasts. So no padding is needed for any type. */
#ifndef TSL_CUDA_TILE_CUH
#define TSL_CUDA_TILE_CUH

#include <cuda_pipeline.h>

#include "kernel/cuda/scalar.cuh"

namespace tsl {

constexpr int TB = 32, TILE = TB * TB;
constexpr int WHOLE = -TB; /* as `below`: every (r,c) has r - c >= WHOLE */

/* Tiles of a lower triangle, row by row. */
__host__ __device__ constexpr int tri(int i, int j = 0) { return i * (i + 1) / 2 + j; }

template <class T, int N> struct alignas(N * sizeof(T) < 16 ? N * sizeof(T) : 16) pack {
    T x[N];
};
template <class T> constexpr int VEC = 16 / sizeof(T); /* elements of a 16-byte access */

template <int N, class T> __device__ pack<T, N> get(const T *p) { return *(const pack<T, N> *)p; }

/* A matrix block in global memory: (r,c) at p[r*sr + c*sc], rows x cols of it valid. */
template <class T> struct block {
    T *p;
    int64_t sr, sc;
    int rows, cols;
};

template <class T> __device__ bool along_r(const block<T> &g) { return g.sr == 1 || g.sr == -1; }

/* Which elements a thread moves, when `warps` of them (4 or 8) share a tile: one row r, and columns c, c+warps, ... A warp
 * takes 32 along r where r is contiguous in global memory, else a patch of 8 x 4, which wastes neither 32-byte sectors (4 along
 * c) nor shared memory banks (8 along r). */
struct place {
    int r, c;
};

__device__ inline place place_of(int warp, int lane, bool along_r)
{
    return along_r ? place{lane, warp} : place{warp % 4 * 8 + lane % 8, warp / 4 * 4 + lane / 8};
}

/* Starts t := g for r - c >= below; past the block's edge t becomes a piece of the identity. */
template <class T> __device__ void fetch(T *t, const block<const T> &g, int below, int warp, int lane, int warps)
{
    const place at = place_of(warp, lane, along_r(g));
    const T *from = g.p + at.r * g.sr + at.c * g.sc;
    T *to = t + at.c * TB + at.r;
    const int64_t step = warps * g.sc;
#pragma unroll 4
    for (int c = at.c; c < TB; c += warps, from += step, to += warps * TB)
        if (at.r >= g.rows || c >= g.cols)
            *to = make<T>(below != WHOLE && at.r == c);
        else if (at.r - c >= below)
            __pipeline_memcpy_async(to, from, sizeof(T));
}

/* g := t, or its conjugate, for r - c >= below */
template <class T> __device__ void put(const block<T> &g, const T *t, int below, bool conjugate, int warp, int lane, int warps)
{
    const place at = place_of(warp, lane, along_r(g));
    T *to = g.p + at.r * g.sr + at.c * g.sc;
    const T *from = t + at.c * TB + at.r;
    const int64_t step = warps * g.sc;
    if (at.r >= g.rows) return;
#pragma unroll 4
    for (int c = at.c; c < g.cols; c += warps, from += warps * TB, to += step)
        if (at.r - c >= below) *to = conjugate ? conj(*from) : *from;
}

/* One warp's share of C := C - P Q^T (CONJ: Q^H): all rows, columns c0 .. c0+4*NC-1, four rows by NC columns a lane. */
template <bool CONJ, int NC, class T> __device__ void update(T *C, const T *P, const T *Q, int c0, int lane)
{
    constexpr int V = VEC<T>, NP = 4 / V;
    using rows = pack<T, V>;
    const int r = lane % 8 * V, c = c0 + lane / 8 * NC;
    rows acc[NC][NP];
#pragma unroll
    for (int i = 0; i < NC; i++)
#pragma unroll
        for (int q = 0; q < NP; q++) acc[i][q] = get<V>(C + (c + i) * TB + q * 8 * V + r);
#pragma unroll 4
    for (int k = 0; k < TB; k++) {
        rows p[NP];
#pragma unroll
        for (int q = 0; q < NP; q++) p[q] = get<V>(P + k * TB + q * 8 * V + r);
        const pack<T, NC> w = get<NC>(Q + k * TB + c);
#pragma unroll
        for (int i = 0; i < NC; i++)
#pragma unroll
            for (int q = 0; q < NP; q++)
#pragma unroll
                for (int v = 0; v < V; v++) acc[i][q].x[v] = sub_mul<CONJ>(acc[i][q].x[v], p[q].x[v], w.x[i]);
    }
#pragma unroll
    for (int i = 0; i < NC; i++)
#pragma unroll
        for (int q = 0; q < NP; q++) *(rows *)(C + (c + i) * TB + q * 8 * V + r) = acc[i][q];
}

/* x := solution of x L^T = x (CONJ: x L^H) for one row x, L a lower tile whose entries above and on the diagonal are not used:
 * divide(j, b) is b over the j-th pivot. */
template <bool CONJ, class T, class Divide> __device__ void substitute(T (&x)[TB], const T *L, Divide divide)
{
    constexpr int V = VEC<T>;
#pragma unroll
    for (int j = 0; j < TB; j++) {
        x[j] = divide(j, x[j]);
#pragma unroll
        for (int q = (j + 1) / V; q < TB / V; q++) {
            const pack<T, V> col = get<V>(L + j * TB + q * V);
#pragma unroll
            for (int v = 0; v < V; v++)
                if (q * V + v > j) x[q * V + v] = sub_mul<CONJ>(x[q * V + v], x[j], col.x[v]);
        }
    }
}

} // namespace tsl
#endif
