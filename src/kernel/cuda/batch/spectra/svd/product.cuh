/* The vectors of a merge: those of its parts times X. Rows above the middle need only columns that reach there, and those below
 * too. */
#ifndef TSL_CUDA_BATCH_SPECTRA_SVD_PRODUCT_CUH
#define TSL_CUDA_BATCH_SPECTRA_SVD_PRODUCT_CUH

#include "kernel/cuda/batch/spectra/svd/merge.cuh"
#include "kernel/cuda/batch/spectra/svd/tile.cuh"
#include "kernel/cuda/batch/spectra/svd/tree.cuh"
#include "kernel/cuda/batch/spectra/svd/work.cuh"

namespace tsl::spectra::svd {

/* One tile of Q or W, above the middle or below: blockIdx.x says which; y: the merge, z: the problem */
template <class T>
__global__ __launch_bounds__(TILE_THREADS, 2) void svd_product(svd_work<T> w, int level, int from, int row_tiles)
{
    using R = real_t<T>;
    __shared__ tile_room<R> room;
    __shared__ int position[MOST + 1], source[MOST + 1];
    const int64_t problem = blockIdx.z;
    const int which = blockIdx.y, below = blockIdx.x % 2, is_W = blockIdx.x / 2 % 2, tile = blockIdx.x / 4;
    if (w.state(problem) != GOOD) return;
    const node a = node_of(w.n, level, which);
    const auto l = w.places();
    const int n = w.n, ld = n + is_W, mid = a.above(), top = below ? mid + 1 : 0;
    const int rows = (below ? a.below() : mid) + is_W, columns = a.rows + is_W;
    const int row0 = tile % row_tiles * TILE, column0 = tile / row_tiles * TILE;
    if (row0 >= rows || column0 >= columns) return;
    const size_t start = a.start + (size_t)a.start * ld;
    const R *basis = w.template at<R>(problem, is_W ? l.W[from] : l.Q[from]) + start;
    R *to = w.template at<R>(problem, is_W ? l.W[from ^ 1] : l.Q[from ^ 1]) + start;
    const R *X = w.template at<R>(problem, is_W ? l.Z : l.Y) + a.start + (size_t)a.start * n;
    const merge_lists lists(w.template at<int>(problem, l.whole), n, a.start, which);
    const int kept = lists.counts[0], depth = lists.counts[1 + below] + is_W;
    for (int t = (int)threadIdx.x; t < depth; t += TILE_THREADS) {
        const int at = is_W ? (t == 0 ? 0 : lists.part[below][t - 1]) : lists.part[below][t];
        position[t] = at, source[t] = lists.column[at];
    }
    __syncthreads();
    tile_sum<R> sum;
    sum.clear();
    if (column0 < kept)
        add_product<false>(
            sum, room, depth,
            [&](int i, int k) { return row0 + i < rows ? basis[top + row0 + i + (size_t)source[k] * ld] : R(0); },
            [&](int k, int j) { return column0 + j < kept ? X[position[k] + (size_t)(column0 + j) * n] : R(0); });
    sum.each([&](int i, int j, R value) {
        const int row = row0 + i, column = column0 + j;
        if (row >= rows || column >= columns) return;
        const int other = column < kept ? 0 : column < a.rows ? lists.dropped[column - kept] : a.rows;
        to[top + row + (size_t)column * ld] = column < kept ? value : basis[top + row + (size_t)other * ld];
    });
    if (!is_W && !below && row0 == 0) /* the row in the middle, which only the first column reaches */
        for (int j = column0 + (int)threadIdx.x; j < column0 + TILE && j < columns; j += TILE_THREADS)
            to[mid + (size_t)j * ld] = j < kept ? X[(size_t)j * n] : R(0);
}

} // namespace tsl::spectra::svd
#endif
