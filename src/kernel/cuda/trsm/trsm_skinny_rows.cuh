/* The rows of a real M on their way through the solve of a single line: how 4 NB threads share a block of M, NB x NB, so that
 * every load of a warp is of neighbours in memory. A thread has Q elements of each block, and sums of its own until the last
 * one; PARTS of them make a row's sum.
 *   by_columns  M's columns are contiguous: lanes along the rows, a fourth of the columns each
 *   by_rows     M's rows are contiguous: lanes along the columns, each warp has eight rows
 * Rows past the last one repeat it: their results go nowhere. */
#ifndef TSL_CUDA_TRSM_SKINNY_ROWS_CUH
#define TSL_CUDA_TRSM_SKINNY_ROWS_CUH

#include "kernel/cuda/lanes.cuh"
#include "kernel/cuda/trsm/trsm_skinny.cuh"

namespace tsl {
namespace skinny {

template <class T, int NB> struct by_columns {
    static constexpr int Q = NB / 4, PARTS = 4, SUMS = 4; /* several, so that additions need not wait for one another */
    const T *m, *line; /* the thread's next element to load, and its next to bring to L2 */
    int64_t step;
    int first; /* column */
    double sum[SUMS];

    __device__ by_columns(const problem<T> &p, int row) : step(p.sj), first(threadIdx.x / NB * Q), sum()
    {
        m = p.A + min(row + (int)threadIdx.x % NB, p.n - 1) * p.si + first * p.sj;
        line = p.A + min(row + (int)threadIdx.x % 4 * Q, p.n - 1) * p.si + threadIdx.x / 4 * p.sj;
    }
    template <class F> __device__ void begin(F b) /* b(r) is added to the sum of row r */
    {
        if (threadIdx.x < NB) sum[0] = b(threadIdx.x);
    }
    __device__ T next(int q)
    {
        const T a = load_now(m);
        m += q + 1 < Q ? step : (NB - Q + 1) * step;
        return a;
    }
    __device__ void announce() /* the next block */
    {
        prefetch(line);
        line += NB * step;
    }
    /* sum -= a x; a := the thread's elements of a later block, if there is MORE */
    template <bool MORE> __device__ void use(T (&a)[Q], const double *x)
    {
#pragma unroll
        for (int q = 0; q < Q; q += 2) {
            const double2 v = *(const double2 *)(x + first + q);
            sum[q % SUMS] = fma(-widen(a[q]), v.x, sum[q % SUMS]);
            sum[q % SUMS + 1] = fma(-widen(a[q + 1]), v.y, sum[q % SUMS + 1]);
            if constexpr (MORE) a[q] = next(q), a[q + 1] = next(q + 1);
        }
    }
    /* This thread's part of its row's sum, among PARTS vectors. */
    __device__ void put(double *parts) { parts[threadIdx.x] = (sum[0] + sum[1]) + (sum[2] + sum[3]); }
};

template <class T, int NB> struct by_rows {
    static constexpr int Q = NB / 4, PARTS = 1, ROWS = Q / 2; /* ROWS of a warp */
    static_assert(NB == 64, "two columns a lane");
    const T *m, *line;
    int64_t down, across;
    int last; /* of the warp's rows */
    double sum[ROWS];

    __device__ by_rows(const problem<T> &p, int row) : down(p.si), across(32 * p.sj), sum()
    {
        const int top = row + (int)threadIdx.x / 32 * ROWS;
        last = max(min(ROWS, p.n - top), 1) - 1;
        m = p.A + min(top, p.n - 1) * p.si + threadIdx.x % 32 * p.sj;
        line = p.A + min(row + (int)threadIdx.x / 4, p.n - 1) * p.si + threadIdx.x % 4 * Q * p.sj;
    }
    template <class F> __device__ void begin(F b)
    {
        const int lane = threadIdx.x % 32;
        const double mine = lane < ROWS ? b(threadIdx.x / 32 * ROWS + lane) : 0;
#pragma unroll
        for (int r = 0; r < ROWS; r++)
            if (lane == r) sum[r] = mine;
    }
    __device__ T next(int q)
    {
        const T a = load_now(m + min(q / 2, last) * down + q % 2 * across);
        if (q + 1 == Q) m += 2 * across;
        return a;
    }
    __device__ void announce()
    {
        prefetch(line);
        line += 2 * across;
    }
    template <bool MORE> __device__ void use(T (&a)[Q], const double *x)
    {
        const double v[2] = {x[threadIdx.x % 32], x[threadIdx.x % 32 + 32]};
#pragma unroll
        for (int q = 0; q < Q; q++) {
            sum[q / 2] = fma(-widen(a[q]), v[q % 2], sum[q / 2]);
            if constexpr (MORE) a[q] = next(q);
        }
    }
    __device__ void put(double *parts)
    {
        const int lane = threadIdx.x % 32;
        const double s = lane_sums(sum, lane);
        if (lane % (32 / ROWS) == 0) parts[threadIdx.x / 32 * ROWS + lane / (32 / ROWS)] = s;
    }
};

} // namespace skinny
} // namespace tsl
#endif
