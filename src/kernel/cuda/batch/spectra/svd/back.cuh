/* Vectors of the bidiagonal matrix to those of the matrix itself: times reflectors, BLOCK of them at once, I - V T V^H. */
#ifndef TSL_CUDA_BATCH_SPECTRA_SVD_BACK_CUH
#define TSL_CUDA_BATCH_SPECTRA_SVD_BACK_CUH

#include "kernel/cuda/batch/spectra/group.cuh"
#include "kernel/cuda/batch/spectra/svd/tile.cuh"
#include "kernel/cuda/batch/spectra/svd/work.cuh"

namespace tsl::spectra::svd {

static_assert(BLOCK == TILE, "a block of reflectors is a tile wide");

/* The reflectors of a side, column by column, zeros above their 1 */
template <class T> struct reflectors {
    const T *V, *tau;
    T *factor; /* T of each block, BLOCK x BLOCK */
    int rows, n, ld;
    __device__ reflectors(const svd_work<T> &w, int64_t k, bool right)
        : rows(right ? w.n : w.rows), n(w.n), ld(right ? w.n : w.ld)
    {
        const auto l = w.places();
        V = w.template at<T>(k, right ? l.V : l.A), tau = w.template at<T>(k, right ? l.taup : l.tauq);
        factor = w.template at<T>(k, right ? l.Tp : l.Tq);
    }
};

template <class T> struct factor_room {
    tile_room<T> tile;
    T gram[TILE][TILE + 1], factor[TILE][TILE + 1]; /* columns first */
    static_assert(TILE_THREADS == 4 * TILE, "four threads have a column");
};

/* T of a block, the inverse of the triangle that has V^H V above its diagonal of 1 / tau, column by column. blockIdx: block,
 * side, problem */
template <class T> __global__ __launch_bounds__(TILE_THREADS) void svd_factors(svd_work<T> w)
{
    extern __shared__ __align__(16) unsigned char memory[];
    factor_room<T> &q = *(factor_room<T> *)memory;
    const int64_t problem = blockIdx.z;
    if (w.state(problem) != GOOD) return;
    const reflectors<T> h(w, problem, blockIdx.y);
    const int first = (int)blockIdx.x * BLOCK, width = h.n - first < BLOCK ? h.n - first : BLOCK, tid = (int)threadIdx.x;
    const T *V = h.V + first + (size_t)first * h.ld;
    const auto at = [&](int k, int j) { return j < width ? V[k + (size_t)j * h.ld] : make<T>(0); };
    tile_sum<T> sum;
    sum.clear();
    add_product<true>(sum, q.tile, h.rows - first, [&](int i, int k) { return conj(at(k, i)); }, at);
    sum.each([&](int i, int j, T value) { q.gram[j][i] = value, q.factor[j][i] = make<T>(0); });
    __syncthreads();
    const int column = tid / 4;
    for (int i = width - 1; i >= 0; i--) {
        T s = make<T>(0);
#pragma unroll 4
        for (int c = i + 1 + tid % 4; c <= column; c += 4) s = add_mul(s, q.gram[c][i], q.factor[column][c]);
        s = add(s, shuffle_xor(s, 1));
        s = add(s, shuffle_xor(s, 2));
        const T rest = sub_mul<false>(make<T>(i == column), make<T>(1), s);
        if (tid % 4 == 0 && i <= column) q.factor[column][i] = mul(h.tau[first + i], rest);
        __syncwarp();
    }
    __syncthreads();
    T *to = h.factor + (size_t)blockIdx.x * BLOCK * BLOCK;
    for (int e = tid; e < BLOCK * BLOCK; e += TILE_THREADS) to[e] = q.factor[e / BLOCK][e % BLOCK];
}

template <class T> struct back_room {
    tile_room<T> tile;
    T P[TILE][TILE + 4]; /* columns first */
};

/* Y := (I - V T V^H) Y of a block, of columns `column` .. of Y */
template <class T>
__device__ void apply_block(const reflectors<T> &h, back_room<T> &q, T *Y, int columns, int block)
{
    const int first = block * BLOCK, width = h.n - first < BLOCK ? h.n - first : BLOCK, deep = h.rows - first;
    const T *V = h.V + first + (size_t)first * h.ld, *factor = h.factor + (size_t)block * BLOCK * BLOCK;
    T *const y = Y + first;
    const auto keep = [&](int i, int j, T value) { q.P[j][i] = value; };
    tile_sum<T> sum;
    sum.clear();
    /* P := V^H Y */
    add_product<true>(sum, q.tile, deep, [&](int i, int k) { return i < width ? conj(V[k + (size_t)i * h.ld]) : make<T>(0); },
                      [&](int k, int j) { return j < columns ? y[k + (size_t)j * h.rows] : make<T>(0); });
    sum.each(keep);
    sum.clear();
    __syncthreads();
    /* P := -T P */
    const auto P = [&](int k, int j) { return q.P[j][k]; };
    add_product<false>(sum, q.tile, width, [&](int i, int k) { return factor[i + k * BLOCK]; }, P);
    __syncthreads();
    sum.each([&](int i, int j, T value) { q.P[j][i] = mul(make<T>(-1), value); });
    __syncthreads();
    /* Y := Y + V P */
    for (int row0 = 0; row0 < deep; row0 += TILE) {
        const auto inside = [&](int i, int j) { return row0 + i < deep && j < columns; };
        sum.each([&](int i, int j, T &value) { value = inside(i, j) ? y[row0 + i + (size_t)j * h.rows] : make<T>(0); });
        const T *const rows = V + row0;
        add_product<false>(sum, q.tile, width,
                           [&](int i, int k) { return row0 + i < deep ? rows[i + (size_t)k * h.ld] : make<T>(0); }, P);
        sum.each([&](int i, int j, T value) {
            if (inside(i, j)) y[row0 + i + (size_t)j * h.rows] = value;
        });
    }
    __syncthreads();
}

/* TILE vectors of a side. blockIdx: which, side, problem */
template <class T>
__global__ __launch_bounds__(TILE_THREADS, 2) void svd_back(svd_batch<T> p, svd_work<T> w, int64_t first, int from)
{
    using R = real_t<T>;
    extern __shared__ __align__(16) unsigned char memory[];
    back_room<T> &q = *(back_room<T> *)memory;
    const int64_t problem = blockIdx.z;
    const int right = blockIdx.y, column0 = (int)blockIdx.x * TILE, columns = w.n - column0 < TILE ? w.n - column0 : TILE;
    const bool wide = p.m < p.n, as_rows = (right != 0) != wide;
    if (w.state(problem) != GOOD || !(as_rows ? p.has_VT : p.has_U)) return;
    const reflectors<T> h(w, problem, right);
    const auto l = w.places();
    const int *order = w.template at<int>(problem, l.whole);
    const R *vectors = w.template at<R>(problem, right ? l.W[from] : l.Q[from]);
    T *const Y = w.template at<T>(problem, right ? l.Z : l.Y) + (size_t)column0 * h.rows;
    for (int e = (int)threadIdx.x; e < columns * h.rows; e += TILE_THREADS) {
        const int i = e % h.rows, j = e / h.rows;
        Y[e] = make<T>(i < w.n ? vectors[i + (size_t)order[column0 + j] * (w.n + right)] : R(0));
    }
    __syncthreads();
    for (int block = (w.n - 1) / BLOCK; block >= 0; block--) apply_block(h, q, Y, columns, block);
    T *const to = as_rows ? p.VT.at(first + problem) + column0 : p.U.at(first + problem) + (size_t)column0 * p.U.ld;
    for (int row0 = 0; row0 < h.rows; row0 += TILE) {
        const int rows = h.rows - row0 < TILE ? h.rows - row0 : TILE;
        for (int e = (int)threadIdx.x; e < TILE * columns; e += TILE_THREADS) {
            const int i = e % TILE, j = e / TILE;
            if (i < rows) q.P[j][i] = Y[row0 + i + (size_t)j * h.rows];
        }
        __syncthreads();
        for (int e = (int)threadIdx.x; e < TILE * TILE; e += TILE_THREADS) {
            const int i = as_rows ? e / TILE : e % TILE, j = as_rows ? e % TILE : e / TILE;
            if (i >= rows || j >= columns) continue;
            to[as_rows ? j + (row0 + i) * p.VT.ld : row0 + i + j * p.U.ld] = as_rows ? conj(q.P[j][i]) : q.P[j][i];
        }
        __syncthreads();
    }
}

} // namespace tsl::spectra::svd
#endif
