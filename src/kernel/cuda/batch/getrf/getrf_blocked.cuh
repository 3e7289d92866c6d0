/* LU with partial pivoting of a problem of up to 32 R rows by a CTA, in registers. Columns are in chunks of IB, which WARPS warps have in turn, NC
 * each; a lane has R rows of its warp's columns, the same rows in every warp. Rows do not move (getrf_problem.cuh).
 *
 * A chunk is a panel. Its warp factors it alone (getrf_columns.cuh), and puts aside L and where the rows are now. After one barrier each warp goes on
 * with its own columns, in a part of shared memory of its own: the rows of the panel's pivots go there, a lane solves for a column of U, and the
 * rows below are brought up to date. U is stored at once, L at the end, when the places of its rows are known.
 *
 * A warp's next panel is always the first of its chunks: those that are done are moved behind the others. */
#ifndef TSL_CUDA_GETRF_BLOCKED_CUH
#define TSL_CUDA_GETRF_BLOCKED_CUH

#include "kernel/cuda/batch/getrf/getrf_columns.cuh"

namespace tsl {

template <class T, int R, int WARPS, int NC> struct lu_blocked {
    static constexpr int IB = 8, ROWS = 32 * R, OWN = IB * NC, APART = OWN + VEC<T>;

    /* What a panel leaves; there are two, since one is still read when the next is written */
    struct alignas(16) panel {
        T L[IB][ROWS];
        T triangle[IB][IB]; /* the rows of L that belong to the panel's pivots */
        int place[ROWS];
    };
    struct alignas(16) memory {
        panel panels[2];
        T rows[2][IB];         /* of the pivots of two steps */
        T U[WARPS][IB][APART]; /* a warp's columns of the panel's rows of U */
        int zeros[WARPS];
    };

    const lu_batch<T> &p;
    memory &s;
    const int warp, lane;
    T a[R][OWN];
    int place[R];
    int done, live; /* the warp's chunks that are, and those that are not and have columns of the problem */
    int zero;

    __device__ lu_blocked(const lu_batch<T> &p, memory &s) : p(p), s(s), warp(threadIdx.x / 32), lane(threadIdx.x % 32), done(0), zero(0)
    {
        live = max(0, (p.n + IB - 1) / IB - warp + WARPS - 1) / WARPS;
#pragma unroll
        for (int t = 0; t < R; t++) place[t] = lane + 32 * t < p.m ? lane + 32 * t : -1;
    }

    /* The first column of chunk q, as they are in registers now */
    __device__ int column(int q) const { return ((q + done < NC ? q + done : q + done - NC) * WARPS + warp) * IB; }

    /* Past the end the last row and column are read again: nobody uses that, and no load waits for a condition. */
    __device__ void load(const T *A)
    {
#pragma unroll
        for (int c = 0; c < OWN; c++) {
            const T *const from = A + min(column(c / IB) + c % IB, p.n - 1) * p.A.ld;
#pragma unroll
            for (int t = 0; t < R; t++) a[t][c] = from[min(lane + 32 * t, p.m - 1)];
        }
    }
    __device__ void store(T *A) const
    {
#pragma unroll
        for (int c = 0; c < OWN; c++) {
            const int c0 = column(c / IB);
            T *const to = A + (c0 + c % IB) * p.A.ld;
#pragma unroll
            for (int t = 0; t < R; t++)
                if (place[t] >= c0 && c0 + c % IB < p.n) to[place[t]] = a[t][c];
        }
    }

    /* Columns j0 to j0 + jb, which are the warp's first */
    __device__ void factor(int j0, int jb, int64_t *piv)
    {
        lu_columns<T, 32, R, IB, 1, 0> b;
        int pivot = 0;
        b.live = 1, b.zero = zero;
#pragma unroll
        for (int t = 0; t < R; t++) {
            b.place[t] = place[t];
#pragma unroll
            for (int c = 0; c < IB; c++) b.a[t][c] = a[t][c];
        }
#pragma unroll
        for (int j = 0; j < IB; j++) {
            if (j >= jb) break;
            const int found = b.step(s.rows[j % 2], ALL_LANES, j0, j);
            if (lane == j) pivot = found;
        }
        if (lane < jb) piv[j0 + lane] = p.first + 1 + pivot;
        panel &out = s.panels[j0 / IB % 2];
#pragma unroll
        for (int t = 0; t < R; t++) {
            const int r = lane + 32 * t, k = b.place[t] - j0;
            out.place[r] = b.place[t];
            if (k >= 0 && k < jb) write_row<IB>(out.triangle[k], b.a[t], 0);
#pragma unroll
            for (int c = 0; c + IB < OWN; c++) a[t][c] = a[t][c + IB];
#pragma unroll
            for (int c = 0; c < IB; c++) a[t][OWN - IB + c] = out.L[c][r] = b.a[t][c];
        }
        zero = b.zero;
        done++, live--;
    }

    /* x := inv(L) x of the panel's rows, in column c of the warp's */
    __device__ void solve(const panel &in, int c, int jb)
    {
        T *const column = &s.U[warp][0][c], x[IB];
#pragma unroll
        for (int k = 0; k < IB; k++) x[k] = column[k * APART];
#pragma unroll
        for (int i = 1; i < IB; i++) {
            if (i >= jb) break;
            T l[IB];
            read_row<IB>(l, in.triangle[i], 0);
#pragma unroll
            for (int k = 0; k < i; k++) x[i] = sub_mul<false>(x[i], l[k], x[k]);
            column[i * APART] = x[i];
        }
    }

    /* The columns after the panel's. Rows of pivots are done then: what becomes of them in the columns that are left is of no use. */
    __device__ void update(T *A, int j0, int jb)
    {
        const panel &in = s.panels[j0 / IB % 2];
        T(*const U)[APART] = s.U[warp];
#pragma unroll
        for (int t = 0; t < R; t++) {
            const int k = in.place[lane + 32 * t] - j0;
            place[t] = j0 + k;
            if (k >= 0 && k < jb)
#pragma unroll
                for (int q = 0; q < NC; q++)
                    if (q < live) write_row<IB>(U[k] + q * IB, a[t] + q * IB, 0);
        }
        if (live <= 0) return;
        __syncwarp();
        for (int c = lane; c < live * IB; c += 32) solve(in, c, jb);
        __syncwarp();
        for (int i = lane; i < live * IB * IB; i += 32) {
            const int k = i % IB, c = i / IB, at = ((c / IB + done) * WARPS + warp) * IB + c % IB;
            if (k < jb && at < p.n) A[j0 + k + at * p.A.ld] = U[k][c];
        }
        T l[R][IB];
#pragma unroll
        for (int t = 0; t < R; t++)
#pragma unroll
            for (int k = 0; k < IB; k++) l[t][k] = in.L[k][lane + 32 * t];
#pragma unroll
        for (int c = 0; c < OWN; c += IB) {
            if (c >= live * IB) break;
#pragma unroll
            for (int k = 0; k < IB; k++) {
                T u[IB];
                read_row<IB>(u, U[k] + c, 0);
#pragma unroll
                for (int t = 0; t < R; t++)
#pragma unroll
                    for (int e = 0; e < IB; e++) a[t][c + e] = sub_mul<false>(a[t][c + e], l[t][k], u[e]);
            }
        }
    }
};

template <class T, int R, int WARPS, int NC, int LEAST> __global__ __launch_bounds__(32 * WARPS, LEAST) void getrf_blocked(lu_batch<T> p)
{
    using S = lu_blocked<T, R, WARPS, NC>;
    extern __shared__ __align__(16) unsigned char raw[];
    typename S::memory &memory = *(typename S::memory *)raw;
    S lu(p, memory);
    const int64_t i = blockIdx.x;
    T *const A = global(p.A.at(i));
    int64_t *const piv = global(p.piv.at(i));
    const int steps = min(p.m, p.n);
    lu.load(A);
    for (int j0 = 0; j0 < steps; j0 += S::IB) {
        const int jb = min(S::IB, steps - j0);
        if (j0 / S::IB % WARPS == lu.warp) lu.factor(j0, jb, piv);
        __syncthreads();
        lu.update(A, j0, jb);
    }
    lu.store(A);
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

template <class T, int R, int WARPS, int NC, int LEAST> cudaError_t launch_getrf_blocked(cudaStream_t stream, const lu_batch<T> &p)
{
    constexpr int bytes = (int)sizeof(typename lu_blocked<T, R, WARPS, NC>::memory);
    const auto kernel = getrf_blocked<T, R, WARPS, NC, LEAST>;
    if (bytes > 48 * 1024) {
        const cudaError_t e = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
        if (e != cudaSuccess) return e;
    }
    kernel<<<(unsigned)p.count, 32 * WARPS, bytes, stream>>>(p);
    return cudaGetLastError();
}

} // namespace tsl
#endif
