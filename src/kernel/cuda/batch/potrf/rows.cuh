/* Small matrices in registers: a group of L neighbouring lanes holds a matrix of up to L H rows, lane l its rows l, l + L, ..,
 * so that a warp works on 32 / L problems at once.
 *
 * Memory is read and written in strips of L rows by C columns, C elements being a sector of 32 bytes. Where a column is
 * contiguous a lane moves its own row. Where a row is contiguous C lanes move each row, and the strip is transposed through
 * shared memory. */
#ifndef TSL_CUDA_BATCH_ROWS_CUH
#define TSL_CUDA_BATCH_ROWS_CUH

#include "kernel/cuda/batch/batch.cuh"
#include "kernel/cuda/tile.cuh"

namespace tsl {
namespace {

constexpr int ROWS_WARPS = 2; /* of a CTA; few, as a thread has many registers */

template <class T, int L> constexpr int STRIP = L < 32 / (int)sizeof(T) ? L : 32 / (int)sizeof(T);

/* A group's place to transpose a strip. The odd row keeps the lanes of a warp in different banks. */
template <class T, int L> struct strip_room {
    T x[L * (STRIP<T, L> + 1)];
};

/* The group that this thread is in. */
template <class T, int L> struct group {
    int l;          /* lane within it */
    int64_t number; /* among those of the grid */
    T *room;

    __device__ group(strip_room<T, L> *rooms)
        : l(threadIdx.x % L), number((int64_t)blockIdx.x * (blockDim.x / L) + threadIdx.x / L), room(rooms[threadIdx.x / L].x)
    {
    }
};

template <int L> constexpr int GROUPS = 32 * ROWS_WARPS / L;

template <int L, class T> __device__ T of_group(T a, int l)
{
    if constexpr (is_complex<T>)
        return T{__shfl_sync(~0u, a.re, l, L), __shfl_sync(~0u, a.im, l, L)};
    else
        return __shfl_sync(~0u, a, l, L);
}

/* Element i of lane l while a strip is moved: its row and column. ALONG: columns are contiguous. */
template <bool ALONG, int L, int C> __device__ int strip_row(int l, int i) { return ALONG ? l : l / C + L / C * i; }
template <bool ALONG, int C> __device__ int strip_column(int l, int i) { return ALONG ? i : l % C; }

/* x: from the order in which a strip is moved row by row, to a row per lane */
template <int L, int C, class T> __device__ void strip_to_rows(T *x, const group<T, L> &g)
{
    __syncwarp();
#pragma unroll
    for (int i = 0; i < C; i++) g.room[strip_row<false, L, C>(g.l, i) * (C + 1) + strip_column<false, C>(g.l, i)] = x[i];
    __syncwarp();
#pragma unroll
    for (int i = 0; i < C; i++) x[i] = g.room[g.l * (C + 1) + i];
}

/* and back */
template <int L, int C, class T> __device__ void strip_from_rows(T *x, const group<T, L> &g)
{
    __syncwarp();
#pragma unroll
    for (int i = 0; i < C; i++) g.room[g.l * (C + 1) + i] = x[i];
    __syncwarp();
#pragma unroll
    for (int i = 0; i < C; i++) x[i] = g.room[strip_row<false, L, C>(g.l, i) * (C + 1) + strip_column<false, C>(g.l, i)];
}

/* f(x, r, c) for the elements of W columns of H strips, in the order of moving. All loads of a matrix are in flight before the
 * first is transposed. */
template <bool ALONG, int L, int H, int W, class T, class F> __device__ void each(T (&a)[H][W], int l, F f)
{
    constexpr int C = STRIP<T, L> < W ? STRIP<T, L> : W;
#pragma unroll
    for (int h = 0; h < H; h++)
#pragma unroll
        for (int c = 0; c < W; c += C)
#pragma unroll
            for (int i = 0; i < C; i++) f(a[h][c + i], h * L + strip_row<ALONG, L, C>(l, i), c + strip_column<ALONG, C>(l, i));
}

/* a := A's lower triangle, of order A.rows, without its diagonal if unit; past it the identity's, zeros above */
template <int L, int H, class T>
__device__ void load_triangle(T (&a)[H][L * H], const block<const T> &A, bool unit, const group<T, L> &g)
{
    constexpr int C = STRIP<T, L>;
    const auto load = [&](T &x, int r, int k) {
        x = r < A.rows && k + unit <= r ? A.p[r * A.sr + k * A.sc] : make<T>(r == k);
    };
    if (along_r(A)) {
        each<true, L>(a, g.l, load);
    } else {
        each<false, L>(a, g.l, load);
#pragma unroll
        for (int h = 0; h < H; h++)
#pragma unroll
            for (int c = 0; c < L * (h + 1); c += C) strip_to_rows<L, C>(a[h] + c, g);
    }
}

template <int L, int H, class T> __device__ void store_triangle(const block<T> &A, T (&a)[H][L * H], const group<T, L> &g)
{
    constexpr int C = STRIP<T, L>;
    const auto store = [&](T &x, int r, int k) {
        if (r < A.rows && k <= r) A.p[r * A.sr + k * A.sc] = x;
    };
    if (along_r(A)) {
        each<true, L>(a, g.l, store);
    } else {
#pragma unroll
        for (int h = 0; h < H; h++)
#pragma unroll
            for (int c = 0; c < L * (h + 1); c += C) strip_from_rows<L, C>(a[h] + c, g);
        each<false, L>(a, g.l, store);
    }
}

/* C columns of B, zeros past its edges */
template <int L, int H, int C, class T> __device__ void load_columns(T (&b)[H][C], const block<T> &B, const group<T, L> &g)
{
    const auto load = [&](T &x, int r, int c) { x = r < B.rows && c < B.cols ? B.p[r * B.sr + c * B.sc] : make<T>(0); };
    if (along_r(B)) {
        each<true, L>(b, g.l, load);
    } else {
        each<false, L>(b, g.l, load);
#pragma unroll
        for (int h = 0; h < H; h++) strip_to_rows<L, C>(b[h], g);
    }
}

template <int L, int H, int C, class T> __device__ void store_columns(const block<T> &B, T (&b)[H][C], const group<T, L> &g)
{
    const auto store = [&](T &x, int r, int c) {
        if (r < B.rows && c < B.cols) B.p[r * B.sr + c * B.sc] = x;
    };
    if (along_r(B)) {
        each<true, L>(b, g.l, store);
    } else {
#pragma unroll
        for (int h = 0; h < H; h++) strip_from_rows<L, C>(b[h], g);
        each<false, L>(b, g.l, store);
    }
}

} // namespace
} // namespace tsl
#endif
