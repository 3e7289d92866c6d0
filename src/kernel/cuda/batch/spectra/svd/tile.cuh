/* A tile of a matrix product in the registers of a CTA; double precision on the tensor cores. */
#ifndef TSL_CUDA_BATCH_SPECTRA_SVD_TILE_CUH
#define TSL_CUDA_BATCH_SPECTRA_SVD_TILE_CUH

#include "kernel/cuda/mma.cuh"
#include "kernel/cuda/scalar.cuh"

namespace tsl::spectra::svd {

constexpr int TILE = 64, DEEP = 16, TILE_THREADS = 256; /* rows and columns; of the factors, at a time; threads */

template <class T> struct tile_room {
    T a[DEEP][TILE + 4], b[DEEP][TILE + 4];
};

/* A thread has rows t, t + 16, .. and four columns. */
template <class T> struct tile_sum {
    T c[4][4];

    __device__ void clear()
    {
        for (auto &row : c)
            for (T &x : row) x = make<T>(0);
    }
    __device__ void add(const tile_room<T> &q)
    {
        const int t = (int)threadIdx.x % 16, s = (int)threadIdx.x / 16 * 4;
#pragma unroll
        for (int k = 0; k < DEEP; k++) {
            T a[4], b[4];
#pragma unroll
            for (int i = 0; i < 4; i++) a[i] = q.a[k][t + 16 * i], b[i] = q.b[k][s + i];
#pragma unroll
            for (int i = 0; i < 4; i++)
#pragma unroll
                for (int j = 0; j < 4; j++) c[i][j] = add_mul(c[i][j], a[i], b[j]);
        }
    }
    template <class F> __device__ void each(F f)
    {
        const int t = (int)threadIdx.x % 16, s = (int)threadIdx.x / 16 * 4;
#pragma unroll
        for (int j = 0; j < 4; j++)
#pragma unroll
            for (int i = 0; i < 4; i++) f(t + 16 * i, s + j, c[i][j]);
    }
};

/* A warp has 16 rows and 32 columns, as pieces of 16 x 8. */
template <> struct tile_sum<double> {
    double c[4][4];

    __device__ void clear()
    {
        for (auto &piece : c)
            for (double &x : piece) x = 0;
    }
    __device__ void add(const tile_room<double> &q)
    {
        const int lane = (int)threadIdx.x % 32, warp = (int)threadIdx.x / 32;
        const int g = lane / 4, t = lane % 4, row = warp % 4 * 16 + g, column = warp / 4 * 32 + g;
#pragma unroll
        for (int k = t; k < DEEP + t; k += 8) {
            const double a[4] = {q.a[k][row], q.a[k][row + 8], q.a[k + 4][row], q.a[k + 4][row + 8]};
#pragma unroll
            for (int j = 0; j < 4; j++) {
                const double b[2] = {q.b[k][column + 8 * j], q.b[k + 4][column + 8 * j]};
                mma8(c[j], a, b);
            }
        }
    }
    template <class F> __device__ void each(F f)
    {
        const int lane = (int)threadIdx.x % 32, warp = (int)threadIdx.x / 32;
        const int row = warp % 4 * 16 + lane / 4, column = warp / 4 * 32 + lane % 4 * 2;
#pragma unroll
        for (int j = 0; j < 4; j++)
#pragma unroll
            for (int s = 0; s < 4; s++) f(row + s / 2 * 8, column + 8 * j + s % 2, c[j][s]);
    }
};

/* sum += A B: a(row, k) and b(k, column) are elements, k < depth. Neighbours ask b for four k of a column, ALONG: a for four
 * k of a row, else for rows side by side; either way, and from the room, no two threads meet in a bank. All threads of the
 * CTA call. */
template <bool ALONG, class T, class A, class B>
__device__ void add_product(tile_sum<T> &sum, tile_room<T> &q, int depth, A a, B b)
{
    constexpr int EACH = DEEP * TILE / TILE_THREADS;
    static_assert(EACH == 4 && DEEP == 16, "threads share a tile's elements so");
    T from_a[EACH], from_b[EACH];
    const int tid = (int)threadIdx.x, four = tid % 4, line = tid / 4;
    const auto fetch = [&](int first) {
#pragma unroll
        for (int e = 0; e < EACH; e++) {
            const int kb = first + four + 4 * e, ka = ALONG ? kb : first + tid / TILE + 4 * e;
            from_a[e] = ka < depth ? a(ALONG ? line : tid % TILE, ka) : make<T>(0);
            from_b[e] = kb < depth ? b(kb, line) : make<T>(0);
        }
    };
    fetch(0);
    for (int k = 0; k < depth; k += DEEP) {
        __syncthreads();
#pragma unroll
        for (int e = 0; e < EACH; e++) {
            q.a[ALONG ? four + 4 * e : tid / TILE + 4 * e][ALONG ? line : tid % TILE] = from_a[e];
            q.b[four + 4 * e][line] = from_b[e];
        }
        __syncthreads();
        if (k + DEEP < depth) fetch(k + DEEP);
        sum.add(q);
    }
}

} // namespace tsl::spectra::svd
#endif
