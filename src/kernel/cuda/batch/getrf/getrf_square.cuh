/* LU with partial pivoting of a problem of up to 32 R rows by a CTA, in registers (getrf_columns.cuh). Warps have the chunks of columns in turn, NC
 * each; a lane has the same rows in every warp. The warp of a panel eliminates it in all its columns, and puts aside L and where the rows are now.
 * After a barrier the other warps follow with theirs. */
#ifndef TSL_CUDA_GETRF_SQUARE_CUH
#define TSL_CUDA_GETRF_SQUARE_CUH

#include "kernel/cuda/batch/getrf/getrf_columns.cuh"

namespace tsl {

template <class T, int R, int WARPS, int NC> struct lu_square : lu_columns<T, 32, R, 8, NC, 0> {
    using S = lu_columns<T, 32, R, 8, NC, 0>;
    using S::IB, S::a, S::live, S::place, S::zero;

    /* What a panel leaves; there are two, since one is still read when the next is written */
    struct alignas(16) panel {
        T L[IB][32 * R];
        int place[32 * R];
    };
    struct alignas(16) memory {
        panel panels[2];
        T rows[WARPS][2][S::ROW]; /* of the pivots of two steps */
        int zeros[WARPS];
    };

    memory &s;
    const int warp, lane;
    int done; /* chunks of the warp */

    __device__ lu_square(memory &s, int m, int n) : s(s), warp(threadIdx.x / 32), lane(threadIdx.x % 32), done(0)
    {
        zero = 0;
        live = max(0, (n + IB - 1) / IB - warp + WARPS - 1) / WARPS;
#pragma unroll
        for (int t = 0; t < R; t++) place[t] = lane + 32 * t < m ? lane + 32 * t : -1;
    }

    /* The first column of chunk q, as they are in registers now */
    __device__ int column(int q) const { return ((q + done < NC ? q + done : q + done - NC) * WARPS + warp) * IB; }

    /* Past the end the last row and column are read again: nobody uses that, and no load waits for a condition. */
    __device__ void load(const T *A, int64_t ld, int m, int n)
    {
#pragma unroll
        for (int c = 0; c < S::OWN; c++) {
            const T *const from = A + min(column(c / IB) + c % IB, n - 1) * ld;
#pragma unroll
            for (int t = 0; t < R; t++) a[t][c] = from[min(lane + 32 * t, m - 1)];
        }
    }
    __device__ void store(T *A, int64_t ld, int n) const
    {
#pragma unroll
        for (int c = 0; c < S::OWN; c++) {
            const int at = column(c / IB) + c % IB;
            T *const to = A + at * ld;
#pragma unroll
            for (int t = 0; t < R; t++)
                if (place[t] >= 0 && at < n) to[place[t]] = a[t][c];
        }
    }

    /* Columns j0 to j0 + jb, which are the warp's first */
    __device__ void factor(int j0, int jb, int64_t *piv, int64_t first)
    {
        int pivot = 0;
#pragma unroll
        for (int j = 0; j < IB; j++) {
            if (j >= jb) break;
            const int found = S::step(s.rows[warp][j % 2], ALL_LANES, j0, j);
            if (lane == j) pivot = found;
        }
        if (lane < jb) piv[j0 + lane] = first + 1 + pivot;
        panel &out = s.panels[j0 / IB % 2];
#pragma unroll
        for (int t = 0; t < R; t++) {
#pragma unroll
            for (int c = 0; c < IB; c++) out.L[c][lane + 32 * t] = a[t][c];
            out.place[lane + 32 * t] = place[t];
        }
        S::rotate();
        done++;
    }

    /* The same steps, in the columns of another warp */
    __device__ void follow(int j0, int jb)
    {
        const panel &in = s.panels[j0 / IB % 2];
#pragma unroll
        for (int t = 0; t < R; t++) place[t] = in.place[lane + 32 * t];
        if (live == 0) return;
#pragma unroll
        for (int k = 0; k < IB; k++) {
            if (k >= jb) break;
            T *const row = s.rows[warp][k % 2], l[R];
            bool mine[R];
            bool below[R];
#pragma unroll
            for (int t = 0; t < R; t++) {
                l[t] = in.L[k][lane + 32 * t];
                mine[t] = place[t] == j0 + k;
                below[t] = place[t] > j0 + k;
            }
            S::write(row, mine, 0);
            __syncwarp();
            S::update(row, l, below, -1);
        }
    }
};

template <class T, int R, int WARPS, int NC, int LEAST>
__global__ __launch_bounds__(32 * WARPS, LEAST) void getrf_square(lu_batch<T> p)
{
    using S = lu_square<T, R, WARPS, NC>;
    extern __shared__ __align__(16) unsigned char raw[];
    typename S::memory &memory = *(typename S::memory *)raw;
    S lu(memory, p.m, p.n);
    const int64_t i = blockIdx.x;
    T *const A = global(p.A.at(i));
    int64_t *const piv = global(p.piv.at(i));
    const int steps = min(p.m, p.n);
    lu.load(A, p.A.ld, p.m, p.n);
    for (int j0 = 0; j0 < steps; j0 += S::IB) {
        const int jb = min(S::IB, steps - j0);
        const bool is_own = j0 / S::IB % WARPS == lu.warp;
        if (is_own) lu.factor(j0, jb, piv, p.first);
        __syncthreads();
        if (!is_own) lu.follow(j0, jb);
    }
    lu.store(A, p.A.ld, p.n);
    if (lu.lane == 0) memory.zeros[lu.warp] = lu.zero;
    __syncthreads();
    if (threadIdx.x == 0) {
        int zero = 0; /* the first one found, by any warp */
#pragma unroll
        for (int w = 0; w < WARPS; w++)
            if (memory.zeros[w] && (zero == 0 || memory.zeros[w] < zero)) zero = memory.zeros[w];
        p.tell(i, zero);
    }
}

template <class T, int R, int WARPS, int NC, int LEAST> cudaError_t launch_getrf_square(cudaStream_t stream, const lu_batch<T> &p)
{
    constexpr int bytes = (int)sizeof(typename lu_square<T, R, WARPS, NC>::memory);
    const auto kernel = getrf_square<T, R, WARPS, NC, LEAST>;
    if (bytes > 48 * 1024) {
        const cudaError_t e = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
        if (e != cudaSuccess) return e;
    }
    kernel<<<(unsigned)p.count, 32 * WARPS, bytes, stream>>>(p);
    return cudaGetLastError();
}

} // namespace tsl
#endif
