/* LU with partial pivoting of columns that a group of LANES lanes has in registers: a lane R rows, LANES apart. Rows do not
 * move (getrf_problem.cuh).
 *
 * Columns are in NC chunks of IB, and TAIL columns that are only brought up to date. A panel is always the first chunk: when it
 * is done it is moved behind the others, so that registers have names although the loop over panels is a loop: unrolled, the
 * code would not stay in the caches. */
#ifndef TSL_CUDA_GETRF_COLUMNS_CUH
#define TSL_CUDA_GETRF_COLUMNS_CUH

#include "kernel/cuda/batch/getrf/getrf_problem.cuh"

namespace tsl::lu {

template <int N> struct columns {
    static constexpr int COUNT = N;
};

template <class T, int LANES_, int R_, int IB_, int NC_, int TAIL_> struct lu_columns {
    static constexpr int LANES = LANES_, R = R_, IB = IB_, NC = NC_, TAIL = TAIL_, OWN = IB * NC, COLS = OWN + TAIL, V = VEC<T>;
    static constexpr int ROW = (COLS + V - 1) / V * V; /* elements of a row in shared memory */

    T a[R][COLS];
    int place[R];
    int live; /* chunks that are not done, and have columns of the problem */
    int zero; /* 1 + the first column with a zero pivot, or 0 */

    /* f(columns, the first of them) for the chunks that are live, and the tail */
    template <class F> __device__ void each_live(F f) const
    {
#pragma unroll
        for (int q = 0; q < NC; q++) {
            if (q >= live) break;
            f(columns<IB>(), q * IB);
        }
        if constexpr (TAIL > 0) f(columns<TAIL>(), OWN);
    }

    /* The columns from j on of the lane's row `which` go to `row`, if it is the pivot's. */
    __device__ void write(T *row, bool is_pivot, int which, int j) const
    {
        bool mine[R]; /* else the compiler would look for row `which` in memory */
#pragma unroll
        for (int t = 0; t < R; t++) mine[t] = is_pivot && t == which;
        each_live([&](auto count, int c0) {
#pragma unroll
            for (int t = 0; t < R; t++)
                if (mine[t]) write_row<decltype(count)::COUNT>(row + c0, a[t] + c0, c0 == 0 ? j : 0);
        });
    }

    /* a[t][c] -= l[t] row[c] in the columns after j, of the rows that are below */
    __device__ void update(const T *row, const T (&l)[R], const bool (&below)[R], int j)
    {
        each_live([&](auto count, int c0) {
            constexpr int COUNT = decltype(count)::COUNT;
            T u[COUNT];
            read_row<COUNT>(u, row + c0, c0 == 0 ? j + 1 : 0);
#pragma unroll
            for (int t = 0; t < R; t++)
#pragma unroll
                for (int c = 0; c < COUNT; c++)
                    if ((c0 > 0 || c > j) && below[t]) a[t][c0 + c] = sub_mul<false>(a[t][c0 + c], l[t], u[c]);
        });
    }

    /* The exchange of places `at` and `pivot`, and elimination of column j by the pivot's row. by: division by the pivot, if
     * that is usual; else it is prepared here. */
    __device__ void eliminate(const T *row, divisor<T> by, int j, int at, int pivot)
    {
        const T d = row[j];
        const divisor<T> exact(d);
        T l[R];
        bool below[R];
        by.state = divisor<T>::USUAL;
#pragma unroll
        for (int t = 0; t < R; t++) {
            place[t] = place[t] == pivot ? at : place[t] == at ? pivot : place[t];
            below[t] = place[t] > at;
            l[t] = by(a[t][j], d);
        }
        if (exact.state != divisor<T>::USUAL) {
            if (zero == 0 && exact.state == divisor<T>::ZERO) zero = at + 1;
#pragma unroll
            for (int t = 0; t < R; t++) l[t] = exact(a[t][j], d);
        }
#pragma unroll
        for (int t = 0; t < R; t++)
            if (below[t]) a[t][j] = l[t];
        update(row, l, below, j);
    }

    /* Step j of the panel whose first column is j0, where the group has all rows; returns the pivot's place. The pivot's row
     * goes to `row`, which no lane may still read. */
    __device__ int step(T *row, unsigned lanes, int j0, int j)
    {
        const candidate<T> best = best_row(a, place, j, j0 + j);
        divisor<T> by(best.value);
        const int leader = choose_among<T, LANES>(lanes, best.size, best.place), pivot = __shfl_sync(ALL_LANES, best.place, leader);
        by.inv = of_lane(by.inv, leader);
        if constexpr (is_complex<T>) by.s = of_lane(by.s, leader);
        write(row, threadIdx.x % 32 == leader, best.t, j);
        __syncwarp();
        eliminate(row, by, j, j0 + j, pivot);
        return pivot;
    }

    /* The first chunk is done. */
    __device__ void rotate()
    {
        live--;
#pragma unroll
        for (int t = 0; t < R; t++) {
            T done[IB];
#pragma unroll
            for (int c = 0; c < IB; c++) done[c] = a[t][c];
#pragma unroll
            for (int c = 0; c + IB < OWN; c++) a[t][c] = a[t][c + IB];
#pragma unroll
            for (int c = 0; c < IB; c++) a[t][OWN - IB + c] = done[c];
        }
    }
};

} // namespace tsl::lu
#endif
