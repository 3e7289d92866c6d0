/* What latrd.cuh does by rows: p and q, the end of a column of W, and the next column. */
#ifndef TSL_CUDA_LATRD_ROWS_CUH
#define TSL_CUDA_LATRD_ROWS_CUH

#include "kernel/cuda/eig/sytrd/latrd.cuh"

namespace tsl {
namespace latrd {

/* Sums of runs of rows for the elements of p and q in turn */
template <class T, class S> __device__ void make_dots(const panel<T> &p, const shared<T, S> &s, int j)
{
    constexpr int AHEAD = sizeof(T) > 8 ? 8 : 16;
    const int tid = thread(), lane = tid % 32, all = p.ctas * WARPS, len = (p.n - j - 1 + RUNS - 1) / RUNS;
    const T *const v = p.column(j);
    const scaled_reflector<T> h = s.h;
    for (int i = tid / 32 * p.ctas + blockIdx.x; i < 2 * j * RUNS; i += all) {
        const int c = i / RUNS, first = j + 1 + i % RUNS * len, end = min(first + len, p.n);
        const T *const with = c % 2 ? &p.y(0, c / 2) : &p.w(0, c / 2);
        T sum = make<T>(0);
#pragma unroll 1
        for (int r = first + lane; r < end + lane; r += 32 * AHEAD) {
            T b[AHEAD], x[AHEAD];
#pragma unroll
            for (int k = 0; k < AHEAD; k++) {
                const int rk = r + 32 * k;
                b[k] = x[k] = make<T>(0);
                if (rk < end) b[k] = far(with + (int64_t)rk * p.step), x[k] = far(v + rk);
            }
#pragma unroll
            for (int k = 0; k < AHEAD; k++) sum = add_mul<true>(sum, b[k], h.element(x[k], r + 32 * k, j));
        }
        sum = over_lanes(sum);
        if (lane == 0) p.dots[i] = sum;
    }
}

/* Of a lane's row its columns of Y and W, from `first` on by LANES. A row of -1 is none. */
template <class T, int LANES> struct row_of {
    static constexpr int EACH = LIMIT / LANES;
    T y[EACH], w[EACH];

    __device__ void load(const panel<T> &p, int row, int first, int j)
    {
#pragma unroll
        for (int i = 0; i < EACH; i++) {
            const int c = first + LANES * i;
            y[i] = w[i] = make<T>(0);
            if (c < j && row >= 0) y[i] = far(&p.y(row, c)), w[i] = far(&p.w(row, c));
        }
    }

    __device__ T times(const T *by, const T *bw, int first, int j) const
    {
        T sum = make<T>(0);
#pragma unroll
        for (int i = 0; i < EACH; i++) {
            const int c = first + LANES * i;
            if (c < j) sum = add_mul(add_mul(sum, y[i], by[c]), w[i], bw[c]);
        }
        return sum;
    }
};

/* The end of column j, and column j + 1 as far as that is in the panel; j = -1: the first column. A warp has ROWS rows at a
 * time, LANES lanes to each; the last warp first has the rows j + 1 and j + 2 that all need as well, TOP_LANES lanes to
 * each. */
template <class T, class S> struct rows {
    using R = real_t<T>;
    static constexpr int ROWS = sizeof(T) > 8 ? 4 : 8, LANES = 32 / ROWS, TOP_LANES = 16;
    shared<T, S> &s;
    const panel<T> &p;
    const int j, top, tid, lane, warp, slot, top_slot;
    const bool more, has_top;
    const scaled_reflector<T> h;

    __device__ rows(shared<T, S> &s_, int j_)
        : s(s_), p(s.job), j(j_), top(j + 1), tid(thread()), lane(tid % 32), warp(tid / 32), slot(lane / ROWS), top_slot(lane / 2), more(top < p.k),
          has_top(warp == WARPS - 1), h(s.h)
    {
    }

    __device__ int valid(int row) const { return row >= top && row < p.n ? row : -1; }

    /* v, A's next column and its diagonal in a row */
    struct known {
        T v, fresh;
        R diagonal;
    };
    __device__ known known_of(int row) const
    {
        known x = {make<T>(0), make<T>(0), 0};
        if (row < 0) return x;
        if (j >= 0) x.v = h.element(far(p.column(j) + row), row, j), x.diagonal = re(far(&p.at(row, row)));
        if (more) x.fresh = far(&p.at(row, top));
        return x;
    }

    /* The lane's partial sums of A v in a row, from `first` on by L */
    template <int L> __device__ T parts_of(int row, int first) const
    {
        constexpr int EACH = LIMIT / L;
        T sum = make<T>(0);
        if (row < 0) return sum;
        const int b = row / S::B, all = s.row_parts[b] + p.blocks - b;
        const T *const from = p.parts(b, 0, S::B) + row % S::B;
#pragma unroll 1
        for (int m = first; m < all; m += L * EACH) {
            T v[EACH];
#pragma unroll
            for (int i = 0; i < EACH; i++) {
                const int mi = m + L * i;
                v[i] = mi < all ? far(from + mi * S::B) : make<T>(0);
            }
#pragma unroll
            for (int i = 0; i < EACH; i++) sum = add(sum, v[i]);
        }
        return sum;
    }

    /* The thread's part of an element of p or q, the one with number tid / 2 */
    __device__ T dot_part() const
    {
        static_assert(THREADS == 4 * LIMIT && RUNS == 8, "a thread adds up four runs of an element of p or q");
        T part[4];
#pragma unroll
        for (int r = 0; r < 4; r++) part[r] = tid / 2 < 2 * j ? far(p.dots + 4 * tid + r) : make<T>(0);
        return add(add(part[0], part[1]), add(part[2], part[3]));
    }
    __device__ void set_dot(T part)
    {
        const T dot = over_lanes(part, 1);
        const int i = tid / 2;
        if (tid % 2 == 0 && i < 2 * j) (i % 2 ? s.q : s.p)[i / 2] = dot;
    }

    __device__ void hear_total()
    {
        if (warp == 0) {
            double total = 0;
            hear_all(p.messages, 1, p.ctas, p.epoch + 2 * j + 1, [&](double value, unsigned) { total += value; });
            total = over_lanes(total);
            if (lane == 0) s.total = total;
        }
        __syncthreads();
    }

    /* a of the next column in a row, by Y W^H + W Y^H of the columns before j there, W(row,j) and W(j + 1,j); v is one in row j
     * + 1 */
    static __device__ T next_a(const known &x, T before, T w, T w_top)
    {
        return add(sub_mul<true>(add(x.fresh, scale(before, R(-1))), x.v, w_top), scale(w, R(-1)));
    }

    /* What all need, by the last warp's sums of rows j + 1 and j + 2 */
    __device__ void end_top(const known &x, T sum_w, T sum_a)
    {
        R shift = 0;
        T w = make<T>(0), w_top = w;
        if (j >= 0) {
            sum_w = add(over_lanes(sum_w, 16, 2), scale(x.v, s.diagonal[lane % 2]));
            sum_a = over_lanes(sum_a, 16, 2);
            R crossed = 0;
            for (int c = lane; c < j; c += 32) crossed += real_dot(s.q[c], s.p[c]);
            crossed = over_lanes(crossed);
            shift = R(-0.5) * real_dot(h.tau, h.tau) * ((R)s.total - 2 * crossed);
            w = add(mul(h.tau, sum_w), scale(x.v, shift));
            w_top = of_lane(w, 0);
        }
        const T a = next_a(x, sum_a, w, w_top);
        if (lane == 0) s.shift = shift, s.top_w = w_top;
        if (lane == 1) s.alpha = a;
    }

    __device__ void write(int row, const known &x, T w, T a, sum_of_squares &squares) const
    {
        if (j >= 0) {
            p.y(row, j) = x.v;
            p.w(row, j) = w;
            p.at(row, j) = row == top ? make<T>(h.beta) : x.v;
            if (row == top) p.e[j * p.step] = h.beta, p.tau[j * p.step] = h.tau;
        }
        if (more && row == top) {
            p.d[top * p.step] = re(a);
            p.at(row, top) = make<T>(re(a));
        } else if (more) {
            p.column(top)[row] = a;
            if (row > top + 1) squares.take(a);
        }
    }

    __device__ __forceinline__ void run()
    {
        const T zero = make<T>(0);
        sum_of_squares squares = sum_of_squares::zero();
        int group = warp * p.ctas + blockIdx.x;
        bool first = true;
        do {
            group = unknown(group);
            const bool tops = has_top && first;
            const int row = valid(ROWS * group + lane % ROWS), top_row = tops ? valid(top + lane % 2) : -1;
            row_of<T, LANES> mine;
            row_of<T, TOP_LANES> of_top;
            mine.load(p, row, slot, j);
            if (tops) of_top.load(p, top_row, top_slot, j);
            const known x = known_of(row), x_top = known_of(top_row);
            T sum_a = mine.times(s.of_y, s.of_w, slot, j), sum_w = zero, top_a = zero, top_w = zero;
            if (tops) top_a = of_top.times(s.of_y, s.of_w, top_slot, j);
            if (first && j >= 0) {
                hear_total();
                const T part = dot_part();
                sum_w = parts_of<LANES>(row, slot);
                if (tops) top_w = parts_of<TOP_LANES>(top_row, top_slot);
                set_dot(part);
                __syncthreads();
            } else if (j >= 0) {
                sum_w = parts_of<LANES>(row, slot);
            }
            if (j >= 0) {
                sum_w = over_lanes(add(sum_w, scale(mine.times(s.p, s.q, slot, j), R(-1))), 16, ROWS);
                sum_w = add(sum_w, scale(x.v, x.diagonal));
                sum_a = over_lanes(sum_a, 16, ROWS);
                if (tops) top_w = add(top_w, scale(of_top.times(s.p, s.q, top_slot, j), R(-1)));
            }
            if (first) {
                if (tops) end_top(x_top, top_w, top_a);
                __syncthreads();
            }
            const T w = j < 0 ? zero : add(mul(h.tau, sum_w), scale(x.v, s.shift));
            if (slot == 0 && row >= 0) write(row, x, w, next_a(x, sum_a, w, s.top_w), squares);
            first = false;
            group += p.ctas * WARPS;
        } while (ROWS * group < p.n);

        squares.merge_lanes();
        if (lane == 0) s.squares[warp] = squares;
        __syncthreads();
        if (warp == 0 && top < p.reflectors && more) {
            squares = lane < WARPS ? s.squares[lane] : sum_of_squares::zero();
            squares.merge_lanes();
            if (lane == 0) tell(p.messages, 0, p.epoch + 2 * top, squares.sum, (unsigned)squares.exponent);
        }
    }
};

} // namespace latrd
} // namespace tsl
#endif
