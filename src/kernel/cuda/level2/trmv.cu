/* x := op(A) x for a triangle A, dense or packed. Only the triangle is read and no zeros are multiplied, so that a NaN or Inf
 * in x reaches what depends on it and nothing else. A CTA takes a tile of 256 x 256, a row a thread, so that a warp reads along
 * columns, and leaves the tile's part of the product; parts are added up in the order of the tiles. */
#include "kernel/cuda/fold.cuh"
#include "kernel/cuda/leaf.h"

namespace tsl {
namespace {

constexpr int SIDE = THREADS;
constexpr int BATCH = 8; /* elements a thread has under way */

template <class T> struct triangle {
    const T *A;
    int64_t lda, n, tiles; /* lda is 0 for a packed triangle; tiles a side */
    bool lower, unit, conjugate;
};

template <class T> struct vector {
    T *p; /* its first element */
    int64_t inc;
};

/* What would be element (0,j), if that were in the triangle: rows of a column lie side by side. */
template <class T> __device__ const T *column(const triangle<T> &g, int64_t j)
{
    if (g.lda > 0) return g.A + j * g.lda;
    return g.A + (g.lower ? j * (2 * g.n - j - 1) / 2 : j * (j + 1) / 2);
}

template <class T> __device__ bool holds(const triangle<T> &g, int64_t i, int64_t j)
{
    return i < g.n && j < g.n && (i == j || (i > j) == g.lower);
}

/* An element that the triangle holds */
template <class T> __device__ T element(const triangle<T> &g, int64_t i, int64_t j)
{
    if (g.unit && i == j) return make<T>(1);
    const T a = column(g, j)[i];
    return g.conjugate ? conj(a) : a;
}

/* A x: the part of tile (r,c) goes to line c of parts. */
template <class T> __global__ __launch_bounds__(THREADS) void along_rows(triangle<T> g, vector<T> x, T *parts)
{
    __shared__ T xs[SIDE];
    const int64_t r = (int64_t)blockIdx.x % g.tiles, c = (int64_t)blockIdx.x / g.tiles;
    const int64_t i = r * SIDE + threadIdx.x, j0 = c * SIDE;
    if (g.lower ? r < c : r > c) return;
    if (j0 + threadIdx.x < g.n) xs[threadIdx.x] = x.p[(j0 + threadIdx.x) * x.inc];
    __syncthreads();
    T sum = make<T>(0);
    for (int k = 0; k < SIDE; k += BATCH) {
        T v[BATCH];
#pragma unroll
        for (int b = 0; b < BATCH; b++) v[b] = holds(g, i, j0 + k + b) ? element(g, i, j0 + k + b) : make<T>(0);
#pragma unroll
        for (int b = 0; b < BATCH; b++)
            if (holds(g, i, j0 + k + b)) sum = add_mul(sum, v[b], xs[k + b]);
    }
    if (i < g.n) parts[c * g.n + i] = sum;
}

/* A^T x or A^H x: the part of tile (r,c) goes to line r of parts. */
template <class T> __global__ __launch_bounds__(THREADS) void down_columns(triangle<T> g, vector<T> x, T *parts)
{
    __shared__ T part[WARPS][WARP];
    const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    const int64_t r = (int64_t)blockIdx.x % g.tiles, c = (int64_t)blockIdx.x / g.tiles;
    const int64_t i = r * SIDE + threadIdx.x;
    if (g.lower ? r < c : r > c) return;
    const T xi = i < g.n ? x.p[i * x.inc] : make<T>(0);
    for (int64_t j = c * SIDE; j < min((c + 1) * SIDE, g.n); j += WARP) {
        T v[WARP];
#pragma unroll
        for (int b = 0; b < WARP; b++) v[b] = holds(g, i, j + b) ? mul(element(g, i, j + b), xi) : make<T>(0);
        __syncthreads(); /* the last columns' parts have been read */
        part[warp][lane] = add_lanes(v, lane);
        __syncthreads();
        if (warp > 0 || j + lane >= g.n) continue;
        T sum = part[0][lane];
        for (int w = 1; w < WARPS; w++) sum = add(sum, part[w][lane]);
        parts[r * g.n + j + lane] = sum;
    }
}

/* x := the sum of its parts: element i has one from every tile up to its own, or from its own on. */
template <class T> __global__ __launch_bounds__(THREADS) void add_parts(int64_t n, int64_t tiles, bool up_to_own, const T *parts, vector<T> x)
{
    const int64_t own = blockIdx.x, i = own * SIDE + threadIdx.x;
    const int64_t from = up_to_own ? 0 : own, end = up_to_own ? own + 1 : tiles;
    if (i >= n) return;
    T sum = parts[from * n + i];
#pragma unroll 4
    for (int64_t t = from + 1; t < end; t++) sum = add(sum, parts[t * n + i]);
    x.p[i * x.inc] = sum;
}

int64_t tiles_of(int64_t n) { return (n + SIDE - 1) / SIDE; }

template <class T> tsl_status launch_trmv(tsl_queue *q, const tsl_leaf *l)
{
    const bool turned = (l->A.op & TSL_TRANS) != 0, lower = l->uplo == TSL_LOWER;
    const int64_t tiles = tiles_of(l->n);
    const triangle<T> g = {(const T *)l->A.p, l->op == TSL_OP_TPMV ? 0 : l->A.ld, l->n, tiles, lower, l->diag == TSL_UNIT,
                           is_complex<T> && (l->A.op & TSL_CONJ) != 0};
    const vector<T> x = {(T *)l->B.p + (l->B.ld < 0 ? (1 - l->n) * l->B.ld : 0), l->B.ld};
    const cudaStream_t st = tsl_cuda(q)->stream;
    T *parts = (T *)l->work;
    if (tiles > 46340) return TSL_ERR_OVERFLOW; /* their square is the number of CTAs; no memory holds such a triangle */
    if (turned)
        down_columns<T><<<(unsigned)(tiles * tiles), THREADS, 0, st>>>(g, x, parts);
    else
        along_rows<T><<<(unsigned)(tiles * tiles), THREADS, 0, st>>>(g, x, parts);
    add_parts<T><<<(unsigned)tiles, THREADS, 0, st>>>(l->n, tiles, lower != turned, parts, x);
    return tsl_cuda_check(cudaGetLastError(), "trmv");
}

} // namespace
} // namespace tsl

static size_t workspace(const tsl_leaf *l)
{
    return (size_t)tsl::tiles_of(l->n) * (size_t)l->n * tsl_type_size(l->type);
}

static tsl_status trmv(tsl_queue *q, const tsl_leaf *l)
{
    return tsl::by_type(l->type, [=](auto zero) { return tsl::launch_trmv<decltype(zero)>(q, l); });
}

extern "C" const tsl_kernel_entry tsl_cuda_trmv_entry = {TSL_ALL_TYPES(trmv), 0, 0, workspace, NULL, NULL};
