/* Singular value decompositions of larger matrices in batches, stage by stage for all problems of a chunk: to bidiagonal form
 * (svd_reduce), values and vectors of that (svd_divide, svd_product), and back (svd_back). */
#ifndef TSL_CUDA_BATCH_SPECTRA_SVD_STAGES_CUH
#define TSL_CUDA_BATCH_SPECTRA_SVD_STAGES_CUH

#include "kernel/cuda/batch/spectra/svd/back.cuh"
#include "kernel/cuda/batch/spectra/svd/divide.cuh"
#include "kernel/cuda/batch/spectra/svd/product.cuh"
#include "kernel/cuda/batch/spectra/svd/reduce.cuh"

namespace tsl::spectra::svd {

constexpr size_t CHUNK_BYTES = (size_t)2 << 30; /* of workspace, about */
constexpr int64_t CHUNK_MOST = 32768;           /* problems */
constexpr size_t SYSTEM_BYTES = 1536;           /* of shared memory that a CTA has beside its own, and its static room */

template <class F> cudaError_t allow(F kernel, size_t bytes)
{
    return cudaFuncSetAttribute((const void *)kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
}

inline int smaller(int a, int b) { return a < b ? a : b; }
inline int larger(int a, int b) { return a < b ? b : a; }

/* Rows of a matrix, at most: what the lanes of a warp have in registers */
template <class T> constexpr int MOST_ROWS = sizeof(T) == 16 ? 256 : 512;

/* Bytes of shared memory that some CTA has */
template <class T> constexpr size_t LEAST_SHARED = sizeof(factor_room<T>) + SYSTEM_BYTES;

template <class T> struct stages {
    using R = real_t<T>;
    cudaStream_t s;
    svd_batch<T> p;
    svd_work<T> w;
    size_t shared;
    int64_t first, count; /* of the chunk */
    int depth;

    stages(cudaStream_t stream, const svd_batch<T> &batch, size_t bytes, void *work)
        : s(stream), p(batch), w(work, larger(batch.m, batch.n), smaller(batch.m, batch.n), batch.has_U || batch.has_VT),
          shared(bytes), first(0), count(0), depth(depth_of(w.n))
    {
    }

    /* Problems of a chunk: all chunks are about the same. */
    int64_t chunk() const
    {
        int64_t most = (int64_t)(CHUNK_BYTES / w.each);
        most = most < 1 ? 1 : most < CHUNK_MOST ? most : CHUNK_MOST;
        const int64_t chunks = (p.count + most - 1) / most;
        return chunks > 0 ? (p.count + chunks - 1) / chunks : 0;
    }

    size_t workspace() const { return w.each * (size_t)chunk(); }

    template <int EACH, int WARPS, int CTAS> cudaError_t reduce_by() const
    {
        const size_t beside = brd_room<T, WARPS>::bytes(w.ld, w.n), column = w.ld * sizeof(T);
        const size_t room = shared / CTAS - SYSTEM_BYTES;
        const size_t fit = room > beside ? (room - beside) / column : 0, inside = fit < (size_t)w.n ? fit : (size_t)w.n;
        const size_t bytes = beside + inside * column;
        const auto kernel = svd_reduce<T, EACH, WARPS, CTAS>;
        const cudaError_t e = allow(kernel, bytes);
        if (e != cudaSuccess) return e;
        kernel<<<(unsigned)count, 32 * WARPS, bytes, s>>>(p, w, first, w.n - (int)inside);
        return cudaGetLastError();
    }

    /* Measured on the H200: warps, and CTAs at once */
    cudaError_t reduce() const
    {
        constexpr bool small = sizeof(T) == 4, big = sizeof(T) == 16;
        if (w.ld <= 64) return reduce_by<2, 2, small ? 8 : big ? 3 : 6>();
        if (w.ld <= 128) return reduce_by<4, big ? 8 : 4, small ? 4 : big ? 1 : 3>();
        if (w.ld <= 256) return reduce_by<8, small || big ? 8 : 12, small ? 2 : 1>();
        if constexpr (!big) return reduce_by<16, 8, 1>();
        return cudaErrorInvalidValue;
    }

    cudaError_t leaves() const
    {
        const auto l = w.places();
        cudaError_t e = cudaMemset2DAsync(w.base + l.Q[0], w.each, 0, l.Tq - l.Q[0], (size_t)count, s);
        if (e == cudaSuccess) e = allow(svd_leaves<T>, leaf_bytes<R>());
        if (e != cudaSuccess) return e;
        const int64_t each = LEAF_CTA / LEAF_LANES, all = count << depth;
        svd_leaves<T><<<(unsigned)((all + each - 1) / each), LEAF_CTA, leaf_bytes<R>(), s>>>(w, count, depth);
        return cudaGetLastError();
    }

    /* Those of a level; from: where the vectors of their parts are */
    cudaError_t merges(int level, int from) const
    {
        int most = w.n; /* rows of the largest */
        for (int t = 0; t < level; t++) most /= 2;
        const int wanted = (4 * most + 31) / 32 * 32, threads = wanted < MERGE_THREADS ? wanted : MERGE_THREADS;
        const cudaError_t e = allow(svd_merges<T>, merge_room::bytes(MOST));
        if (e != cudaSuccess) return e;
        svd_merges<T><<<dim3(1u << level, (unsigned)count), threads, merge_room::bytes(most), s>>>(w, level, from);
        return cudaGetLastError();
    }

    cudaError_t products(int level, int from) const
    {
        int most = w.n;
        for (int t = 0; t < level; t++) most /= 2;
        const int row_tiles = (most / 2 + 1 + TILE - 1) / TILE, column_tiles = (most + 1 + TILE - 1) / TILE;
        const dim3 grid(4 * row_tiles * column_tiles, 1u << level, (unsigned)count);
        svd_product<T><<<grid, TILE_THREADS, 0, s>>>(w, level, from, row_tiles);
        return cudaGetLastError();
    }

    cudaError_t bisect() const
    {
        const int wanted = (w.n + 31) / 32 * 32;
        svd_bisect<T><<<(unsigned)count, wanted < BISECT_THREADS ? wanted : BISECT_THREADS, 2 * w.n * sizeof(R), s>>>(w);
        return cudaGetLastError();
    }

    cudaError_t finish() const
    {
        svd_finish<T><<<(unsigned)count, FINISH_THREADS, 0, s>>>(p, w, first);
        return cudaGetLastError();
    }

    cudaError_t factors() const
    {
        const cudaError_t e = allow(svd_factors<T>, sizeof(factor_room<T>));
        if (e != cudaSuccess) return e;
        svd_factors<T><<<dim3((w.n + BLOCK - 1) / BLOCK, 2, (unsigned)count), TILE_THREADS, sizeof(factor_room<T>), s>>>(w);
        return cudaGetLastError();
    }

    cudaError_t back(int from) const
    {
        const cudaError_t e = allow(svd_back<T>, sizeof(back_room<T>));
        if (e != cudaSuccess) return e;
        const dim3 grid((w.n + TILE - 1) / TILE, 2, (unsigned)count);
        svd_back<T><<<grid, TILE_THREADS, sizeof(back_room<T>), s>>>(p, w, first, from);
        return cudaGetLastError();
    }

    cudaError_t solve_chunk() const
    {
        cudaError_t e = reduce();
        if (!w.vectors) {
            if (e == cudaSuccess) e = bisect();
            return e == cudaSuccess ? finish() : e;
        }
        if (e == cudaSuccess) e = leaves();
        for (int level = depth - 1, from = 0; level >= 0 && e == cudaSuccess; level--, from ^= 1) {
            e = merges(level, from);
            if (e == cudaSuccess) e = products(level, from);
        }
        if (e == cudaSuccess) e = finish();
        if (e == cudaSuccess) e = factors();
        return e == cudaSuccess ? back(depth % 2) : e;
    }

    cudaError_t solve()
    {
        const int64_t each = chunk();
        cudaError_t e = cudaSuccess;
        for (first = 0; first < p.count && e == cudaSuccess; first += each) {
            count = p.count - first < each ? p.count - first : each;
            e = solve_chunk();
        }
        return e;
    }
};

} // namespace tsl::spectra::svd
#endif
