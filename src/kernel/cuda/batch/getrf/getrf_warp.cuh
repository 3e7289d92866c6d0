/* LU with partial pivoting of problems of order up to N, 32 / LANES of them to a warp, in registers (getrf_columns.cuh). RHS
 * columns of B go through the same steps, which leave inv(L) P^T B there, and are then solved with U. */
#ifndef TSL_CUDA_GETRF_WARP_CUH
#define TSL_CUDA_GETRF_WARP_CUH

#include "kernel/cuda/batch/getrf/getrf_columns.cuh"

namespace tsl::lu {

/* LEAST: CTAs that a multiprocessor must have the registers for */
template <class T, int N, int R, int IB, int RHS, int WARPS, int LEAST> __global__ __launch_bounds__(32 * WARPS, LEAST) void getrf_warp(lu_batch<T> p)
{
    using S = lu_columns<T, N / R, R, IB, N / IB, RHS>;
    constexpr int LANES = S::LANES, GROUPS = 32 / LANES, NC = S::NC;
    struct alignas(16) row {
        T x[S::ROW + VEC<T>]; /* those of neighbours are in other banks */
    };
    __shared__ row rows[WARPS][2][GROUPS];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, group = lane / LANES, own = lane % LANES, steps = min(p.m, p.n);
    const unsigned lanes = (LANES == 32 ? ALL_LANES : (1u << LANES % 32) - 1) << group * LANES;
    const int64_t i = ((int64_t)blockIdx.x * WARPS + warp) * GROUPS + group;
    const bool exists = i < p.count;
    T *const A = exists ? global(p.A.at(i)) : nullptr;
    int64_t *const piv = exists ? global(p.piv.at(i)) : nullptr;
    T d = make<T>(1); /* RHS: the diagonal of U in this row */
    S s;
    s.zero = 0;
    s.live = (p.n + IB - 1) / IB;
#pragma unroll
    for (int t = 0; t < R; t++) {
        const int r = own + t * LANES;
        s.place[t] = exists && r < p.m ? r : -1;
        const T *column = A + r;
#pragma unroll
        for (int c = 0; c < N; c++, column += p.A.ld) s.a[t][c] = s.place[t] >= 0 && c < p.n ? *column : make<T>(0);
    }
    if constexpr (RHS > 0) {
        const T *const B = exists ? global(p.B.at(i)) : nullptr;
#pragma unroll
        for (int c = 0; c < RHS; c++) s.a[0][N + c] = s.place[0] >= 0 && c < p.nrhs ? B[own + c * p.B.ld] : make<T>(0);
    }

    for (int j0 = 0; j0 < (NC == 1 ? 1 : steps); j0 += IB) {
        int pivot = 0;
#pragma unroll
        for (int j = 0; j < IB; j++) {
            if (j0 + j >= steps) break;
            const int found = s.step(rows[warp][j % 2][group].x, lanes, j0, j);
            if (own == j % LANES) {
                if (IB <= LANES || j < LANES)
                    pivot = found;
                else if (exists)
                    piv[j0 + j] = p.first + 1 + found;
            }
            if (RHS > 0 && s.place[0] == j0 + j) d = s.a[0][j];
        }
        if (exists && own < IB && j0 + own < steps) piv[j0 + own] = p.first + 1 + pivot;
        s.rotate();
    }

    const int panels = (steps + IB - 1) / IB;
    if (exists) {
#pragma unroll
        for (int q = 0; q < NC; q++) {
            const int c0 = (q + panels < NC ? q + panels : q + panels - NC) * IB; /* panels have been moved */
#pragma unroll
            for (int t = 0; t < R; t++) {
                T *column = A + s.place[t] + c0 * p.A.ld;
#pragma unroll
                for (int c = 0; c < IB; c++, column += p.A.ld)
                    if (s.place[t] >= 0 && c0 + c < p.n) *column = s.a[t][q * IB + c];
            }
        }
        if (own == 0) p.tell(i, s.zero);
    }

    if constexpr (RHS > 0) {
        static_assert(R == 1, "of one row a lane has the diagonal");
        const divisor<T> by(d);
        T x[RHS];
        __syncwarp(); /* the row of the last step has been read */
        for (int q = panels - 1; q >= 0; q--) { /* the panel done last is the last chunk */
#pragma unroll
            for (int c = IB - 1; c >= 0; c--) {
                const int j = q * IB + c;
                if (j >= p.n) continue;
                T *const row = rows[warp][c % 2][group].x;
                if (s.place[0] == j) {
#pragma unroll
                    for (int e = 0; e < RHS; e++) s.a[0][N + e] = by(s.a[0][N + e], d);
                    write_row<RHS>(row, s.a[0] + N, 0);
                }
                __syncwarp();
                read_row<RHS>(x, row, 0);
                if (s.place[0] < j)
#pragma unroll
                    for (int e = 0; e < RHS; e++) s.a[0][N + e] = sub_mul<false>(s.a[0][N + e], s.a[0][N - IB + c], x[e]);
            }
#pragma unroll
            for (int c = N - 1; c >= IB; c--) s.a[0][c] = s.a[0][c - IB]; /* the one before it becomes the last */
        }
        if (exists && s.place[0] >= 0 && s.zero == 0) {
            T *const B = global(p.B.at(i));
#pragma unroll
            for (int e = 0; e < RHS; e++)
                if (e < p.nrhs) B[s.place[0] + e * p.B.ld] = s.a[0][N + e];
        }
    }
}

template <class T, int N, int R, int IB, int RHS, int WARPS, int LEAST> cudaError_t launch_getrf_warp(cudaStream_t stream, const lu_batch<T> &p)
{
    const int64_t each = WARPS * 32 / (N / R), ctas = (p.count + each - 1) / each;
    getrf_warp<T, N, R, IB, RHS, WARPS, LEAST><<<(unsigned)ctas, 32 * WARPS, 0, stream>>>(p);
    return cudaGetLastError();
}

} // namespace tsl::lu
#endif
