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

struct place {
    int r, c;
};

/* Which element a thread moves: a warp takes 32 along r where r is contiguous in global memory, else a patch of 8 x 4, which
 * wastes neither 32-byte sectors (4 along c) nor shared memory banks (8 along r). */
__device__ inline place place_of(int e, bool along_r)
{
    const int lane = e % 32, g = e / 32;
    return along_r ? place{lane, g} : place{g % 4 * 8 + lane % 8, g / 4 * 4 + lane / 8};
}

template <class T> __device__ bool along_r(const block<T> &g) { return g.sr == 1 || g.sr == -1; }

/* Starts t := g for r - c >= below; past the block's edge t becomes a piece of the identity. */
template <class T> __device__ void fetch(T *t, const block<const T> &g, int below, int tid, int threads)
{
    const bool along = along_r(g);
    for (int e = tid; e < TILE; e += threads) {
        const place at = place_of(e, along);
        T *to = t + at.c * TB + at.r;
        if (at.r >= g.rows || at.c >= g.cols)
            *to = make<T>(below != WHOLE && at.r == at.c);
        else if (at.r - at.c >= below)
            __pipeline_memcpy_async(to, g.p + at.r * g.sr + at.c * g.sc, sizeof(T));
    }
}

/* g := t, or its conjugate, for r - c >= below */
template <class T> __device__ void put(const block<T> &g, const T *t, int below, bool conjugate, int tid, int threads)
{
    const bool along = along_r(g);
    for (int e = tid; e < TILE; e += threads) {
        const place at = place_of(e, along);
        if (at.r < g.rows && at.c < g.cols && at.r - at.c >= below) {
            const T v = t[at.c * TB + at.r];
            g.p[at.r * g.sr + at.c * g.sc] = conjugate ? conj(v) : v;
        }
    }
}

/* One warp's share of a 32 x 32 tile: all rows, columns c0 .. c0+4*NC-1, four rows by NC columns a lane. */
template <int NC, class T> struct strip {
    static constexpr int V = VEC<T>, NP = 4 / V;
    using rows = pack<T, V>;
    rows a[NC][NP];
    int r, c;

    __device__ strip(int c0, int lane) : r(lane % 8 * V), c(c0 + lane / 8 * NC) {}

    template <class F> __device__ void each(F f)
    {
#pragma unroll
        for (int i = 0; i < NC; i++)
#pragma unroll
            for (int q = 0; q < NP; q++) f(a[i][q], (c + i) * TB + q * 8 * V + r);
    }
    __device__ void clear()
    {
        each([](rows &x, int) {
#pragma unroll
            for (int v = 0; v < V; v++) x.x[v] = make<T>(0);
        });
    }
    __device__ void load(const T *C)
    {
        each([=](rows &x, int at) { x = get<V>(C + at); });
    }
    __device__ void store(T *C)
    {
        each([=](rows &x, int at) { *(rows *)(C + at) = x; });
    }

    /* a := a - P Q^T (CONJ: Q^H) over the inner indices from .. to-1. DIAGONAL: Q is lower, and where an index lies above its
     * diagonal zero is multiplied instead, so that an Inf or NaN in P goes only where it belongs. */
    template <bool CONJ, bool DIAGONAL> __device__ void subtract(const T *P, const T *Q, int from, int to)
    {
#pragma unroll 4
        for (int k = from; k < to; k++) {
            rows p[NP];
#pragma unroll
            for (int q = 0; q < NP; q++) p[q] = get<V>(P + k * TB + q * 8 * V + r);
            const pack<T, NC> w = get<NC>(Q + k * TB + c);
#pragma unroll
            for (int i = 0; i < NC; i++)
#pragma unroll
                for (int q = 0; q < NP; q++)
#pragma unroll
                    for (int v = 0; v < V; v++) {
                        const T x = DIAGONAL && k > c + i ? make<T>(0) : p[q].x[v];
                        a[i][q].x[v] = sub_mul<CONJ>(a[i][q].x[v], x, w.x[i]);
                    }
        }
    }
    /* the same with a lower Q, for columns c0 .. c0+4*NC-1 */
    template <bool CONJ> __device__ void subtract_lower(const T *P, const T *Q, int c0)
    {
        subtract<CONJ, false>(P, Q, 0, c0);
        subtract<CONJ, true>(P, Q, c0, c0 + 4 * NC);
    }
};

/* One warp's share of C := C - P Q^T (CONJ: Q^H). */
template <bool CONJ, int NC, class T> __device__ void update(T *C, const T *P, const T *Q, int c0, int lane)
{
    strip<NC, T> s(c0, lane);
    s.load(C);
    s.template subtract<CONJ, false>(P, Q, 0, TB);
    s.store(C);
}

/* t := -inv(L) by one warp, in place, L the lower tile in t whose diagonal is not read: inv(j) is 1 over the j-th pivot. From
 * the last column back, with N the part inverted already: column j of the inverse is -N L(:,j) inv(j) below the diagonal. Loops,
 * not straight code: a kernel that runs through its instructions once spends its time fetching them. The sign makes a following
 * subtract an addition. Multiplying by a tile's inverse takes a fraction of the time of substituting in it, whose every column
 * waits for the one before; the error grows with the condition of the tile alone. */
template <class T, class Inverse> __device__ void invert(T *t, int lane, Inverse inv)
{
    for (int j = TB - 1; j >= 0; j--) {
        T sum[4] = {};
        for (int k = j + 1; k < TB; k += 4)
#pragma unroll
            for (int u = 0; u < 4; u++)
                if (k + u <= lane) sum[u] = sub_mul<false>(sum[u], t[(k + u) * TB + lane], t[j * TB + k + u]);
        const T below = mul(add(add(sum[0], sum[1]), add(sum[2], sum[3])), inv(j));
        __syncwarp();
        t[j * TB + lane] = lane > j ? neg(below) : lane == j ? neg(inv(j)) : make<T>(0);
        __syncwarp();
    }
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
