/* The first stage: a triangle in memory to all of the matrix in workspace, scaled to elements of about 1. */
#ifndef TSL_CUDA_BATCH_SPECTRA_STAGED_LOAD_CUH
#define TSL_CUDA_BATCH_SPECTRA_STAGED_LOAD_CUH

#include "kernel/cuda/batch/spectra/staged.cuh"

namespace tsl::spectra {

constexpr int LOADERS = 256, SIDE = 32; /* threads, and rows of a tile */

/* What state the problem is in, and the power of two near its largest element. A CTA */
template <class T> __device__ int look_at(const staged<T> &s, const T *A, int *power, void *scratch)
{
    using R = real_t<T>;
    const cta<1> g(scratch);
    const int n = s.p.n, lane = g.rank % 32;
    R most = 0, bad = 0;
    for (int j = g.rank / 32; j < n; j += LOADERS / 32) {
        const int begin = s.p.lower ? j : 0, end = s.p.lower ? n : j + 1;
        for (int i = begin + lane; i < end; i += 32) {
            T a = A[i + j * s.p.A.ld];
            if (i == j) a = make<T>(re(a));
            bad = is_finite(a) ? bad : R(1);
            most = fmax(most, magnitude(a));
        }
    }
    *power = power_of(g.most(most));
    return g.most(bad) == 0 ? TAKEN : NOT_FINITE;
}

/* Problems that are not taken become zero: what follows does little with them. */
template <class T> __global__ __launch_bounds__(LOADERS) void load_staged(const __grid_constant__ staged<T> s)
{
    __shared__ T tile[SIDE][SIDE + 1]; /* [column][row] */
    __shared__ double scratch[LOADERS / 32];
    const int64_t own = blockIdx.x, k = s.from + own;
    const int n = s.p.n, lane = (int)threadIdx.x % 32, warp = (int)threadIdx.x / 32, tiles = (n + SIDE - 1) / SIDE;
    const bool left = s.p.skip && s.p.skip[k];
    const T *A = left ? nullptr : s.p.A.at(k);
    T *to = s.matrix(own);
    int power = 0;
    const int state = left ? LEFT_ALONE : look_at(s, A, &power, scratch);
    if (threadIdx.x == 0) s.state[own] = state, s.power[own] = power;
    for (int at = 0; at < tiles * tiles; at++) {
        const int row = at % tiles * SIDE, column = at / tiles * SIDE;
        if (s.p.lower ? row < column : row > column) continue;
        const int i = row + lane;
        for (int c = warp; c < SIDE; c += LOADERS / 32) {
            const int j = column + c;
            const bool in = state == TAKEN && i < n && j < n && (s.p.lower ? i >= j : i <= j);
            const T a = in ? times_power(A[i + j * s.p.A.ld], -power) : make<T>(0);
            tile[c][lane] = i == j ? make<T>(re(a)) : a;
        }
        __syncthreads();
        for (int c = warp; c < SIDE; c += LOADERS / 32) {
            const int j = column + c, mi = column + lane, mj = row + c;
            const bool in = row != column || (s.p.lower ? i >= j : i <= j);
            if (i < n && j < n) to[i + (int64_t)j * s.ld] = in ? tile[c][lane] : conj(tile[lane][c]);
            if (row != column && mi < n && mj < n) to[mi + (int64_t)mj * s.ld] = conj(tile[lane][c]);
        }
        __syncthreads();
    }
}

} // namespace tsl::spectra
#endif
