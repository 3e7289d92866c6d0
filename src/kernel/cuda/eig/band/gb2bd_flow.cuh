/* The step of a chase to bidiagonal form (flow.cuh). What goes to the chunk before is the first row of D, and beta' after it;
 * there it is the last element of D and the last row of B. The last column of D was the first one of B, in the same slots.
 * With c, the first column of D H, the reflector of rows is u = c / (c1 - beta) but for its first element, 1. So products with u
 * are those with c, which each warp has of its rows before it knows the others', and the step has one barrier between the
 * reflector it gets and the one it sends. */
#ifndef TSL_CUDA_GB2BD_FLOW_CUH
#define TSL_CUDA_GB2BD_FLOW_CUH

#include "kernel/cuda/eig/band/flow_kernel.cuh"
#include "kernel/cuda/eig/band/gb2bd.cuh"

namespace tsl {

/* Of a chunk: the reflector and tau it gets, and the line it gets */
template <class F> struct gb_lines {
    typename F::T v[F::LINE], fresh[F::LINE];
};

template <class F> struct gb_shared {
    typename F::T first[F::LINE];                               /* the line that chunk 0 sends: the row of the next sweep */
    typename F::T of_D[F::WARPS][F::KD], of_B[F::WARPS][F::KD]; /* sums over a warp's rows, without the head */
    typename F::T head_D[F::KD], head_B[F::KD];                 /* the rows of the head */
    typename F::T with_p[F::WARPS], head_c, head_p;
    real_t<typename F::T> squares[F::WARPS];
};

template <class F> struct gb_chaser : flow_part<F, upper_band<typename F::T>, gb_shared<F>, gb_lines<F>> {
    using base = flow_part<F, upper_band<typename F::T>, gb_shared<F>, gb_lines<F>>;
    using typename base::T, typename base::R;
    using base::f, base::sh, base::lines, base::lane, base::warp, base::kd;
    using base::row_of, base::col_of, base::behind, base::head_row, base::head_column, base::over_warps;
    using base::KD, base::WARPS, base::ROWS, base::COLS, base::SHARE;
    using base::base;
    static constexpr bool BY_ROWS = true;

    /* The reflector of the chunk's rows, which each warp has some of, goes to V and tau. */
    __device__ void keep_rows(const T (&u)[ROWS], T tau, const turn &p) const
    {
        const kept<T> &to = f.a.left;
        if (!to.V) return;
        T own = u[0];
#pragma unroll
        for (int i = 1; i < ROWS; i++) own = pick(lane == i, u[i], own);
        const int64_t row = f.a.row_of(p.t, p.s) + behind(row_of(lane), p.head);
        if (lane < ROWS && row_of(lane) < kd && row < f.a.n) to.V[row + p.s * to.ldv] = own;
        if (lane == 0 && warp == 0) to.tau[p.t + p.s * to.ldt] = tau;
    }

    /* Sums over the lanes, for all of them */
    __device__ __forceinline__ void sum_rows(T (&a)[ROWS]) const
    {
        const T own = lane_sums<ROWS>(a, lane);
#pragma unroll
        for (int i = 0; i < ROWS; i++) a[i] = of_lane(own, i * SHARE);
    }

    /* From the last sweep's slots to this one's */
    __device__ __forceinline__ void shift(blocks<F> &k, const turn &p) const
    {
        const gb_lines<F> &own = lines[p.q];
#pragma unroll
        for (int i = 0; i < ROWS; i++)
#pragma unroll
            for (int c = 0; c < COLS; c++) {
                const int row = row_of(i), col = col_of(c);
                T new_d = pick(row == p.last, make<T>(0), pick(col == p.last, k.B[i][c], k.D[i][c]));
                T new_b = pick(col == p.last, make<T>(0), k.B[i][c]);
                if (row == p.last && col < kd) {
                    new_b = p.has_fresh ? own.fresh[behind(col, p.head) + 1] : make<T>(0);
                    if (col == p.last && p.has_fresh) new_d = own.fresh[0];
                }
                k.D[i][c] = new_d;
                k.B[i][c] = new_b;
            }
    }

    /* p = D v, and to shared memory what c, the first column of D H, gives: products of D and B with it, of each warp's rows.
     * u becomes c without its head. */
    __device__ __forceinline__ void products(const blocks<F> &k, const T (&v)[COLS], T tau, int head, T (&p)[ROWS], T (&u)[ROWS]) const
    {
        this->times(k.D, v, p);
        sum_rows(p);
        R squares = 0;
        T with_p = make<T>(0);
#pragma unroll
        for (int i = 0; i < ROWS; i++) {
            const T whole = sub_mul<false>(of_lane(head_column(k.D[i], head), head % 32), tau, p[i]);
            if (row_of(i) == head && lane == 0) sh.head_c = whole, sh.head_p = p[i];
            u[i] = pick(row_of(i) == head, make<T>(0), whole);
            squares += square_of(u[i]);
            with_p = add_mul<true>(with_p, u[i], p[i]);
        }
#pragma unroll
        for (int c = 0; c < COLS; c++) {
            T d = make<T>(0), b = make<T>(0);
#pragma unroll
            for (int i = 0; i < ROWS; i++) {
                d = add_mul<true>(d, u[i], k.D[i][c]);
                b = add_mul<true>(b, u[i], k.B[i][c]);
            }
            sh.of_D[warp][col_of(c)] = d;
            sh.of_B[warp][col_of(c)] = b;
            const T head_d = head_row(k.D, c, head), head_b = head_row(k.B, c, head);
            if (warp == head / ROWS) sh.head_D[col_of(c)] = head_d, sh.head_B[col_of(c)] = head_b;
        }
        if (lane == 0) sh.squares[warp] = squares, sh.with_p[warp] = with_p;
    }

    /* D := D - p (tau v^H) - u (back x), x = u^H (D - p (tau v^H)), whose first column is then (beta, 0 ..) */
    __device__ __forceinline__ void update_D(blocks<F> &k, const T (&p)[ROWS], const T (&u)[ROWS], const T (&v)[COLS], T tau, T minus,
                                             const reflector<T> &h, int head) const
    {
        const T scaled = conj(h.inv), back = conj(h.tau);
        T tv[COLS], x[COLS];
#pragma unroll
        for (int c = 0; c < COLS; c++) {
            const int j = col_of(c);
            x[c] = mul(back, sub_mul<false>(add_mul(sh.head_D[j], scaled, over_warps(sh.of_D, j)), minus, conj(v[c])));
            tv[c] = mul(tau, conj(v[c]));
        }
#pragma unroll
        for (int i = 0; i < ROWS; i++)
#pragma unroll
            for (int c = 0; c < COLS; c++) {
                const T e = sub_mul<false>(sub_mul<false>(k.D[i][c], p[i], tv[c]), u[i], x[c]);
                k.D[i][c] = pick(col_of(c) == head, make<T>(row_of(i) == head ? h.beta : R(0)), e);
            }
    }

    /* B := B - u g, then B := B - (tau' B v') v'^H, whose first row is then (beta', 0 ..) */
    __device__ __forceinline__ void update_B(blocks<F> &k, const T (&u)[ROWS], const T (&g)[COLS], const T (&next)[COLS],
                                             const reflector<T> &to_next, int head) const
    {
        T r[ROWS];
#pragma unroll
        for (int i = 0; i < ROWS; i++) {
            r[i] = make<T>(0);
#pragma unroll
            for (int c = 0; c < COLS; c++) {
                k.B[i][c] = sub_mul<false>(k.B[i][c], u[i], g[c]);
                r[i] = add_mul(r[i], k.B[i][c], next[c]);
            }
        }
        sum_rows(r);
#pragma unroll
        for (int i = 0; i < ROWS; i++) {
            const T factor = mul(to_next.tau, r[i]);
#pragma unroll
            for (int c = 0; c < COLS; c++) {
                const T e = sub_mul<true>(k.B[i][c], factor, next[c]);
                k.B[i][c] = pick(row_of(i) == head, make<T>(col_of(c) == head ? to_next.beta : R(0)), e);
            }
        }
    }

    __device__ __forceinline__ void transform(blocks<F> &k, const turn &at) const
    {
        const int head = at.head;
        T v[COLS], p[ROWS], u[ROWS];
        const T tau = lines[at.q].v[KD];
#pragma unroll
        for (int c = 0; c < COLS; c++) v[c] = lines[at.q].v[col_of(c)];
        products(k, v, tau, head, p, u);
        __syncthreads();

        /* All warps do the same: u, g = u^H B, and the reflector of B's first row */
        R squares = sh.squares[0];
        T with_p = sh.with_p[0];
#pragma unroll
        for (int w = 1; w < WARPS; w++) squares += sh.squares[w], with_p = add(with_p, sh.with_p[w]);
        const reflector<T> h = reflector_of(sh.head_c, squares);
        const T scaled = conj(h.inv), back = conj(h.tau);
        T g[COLS], next[COLS];
#pragma unroll
        for (int c = 0; c < COLS; c++) {
            const int j = col_of(c);
            g[c] = add_mul(sh.head_B[j], scaled, over_warps(sh.of_B, j));
            next[c] = sub_mul<false>(sh.head_B[j], back, g[c]);
            g[c] = mul(back, g[c]);
        }
        const reflector<T> to_next = this->template reflect_line<true>(next, head, at.has_next);
        if (warp == 0 && at.has_next) this->pass_on(next, to_next.tau, at);

        const T minus = mul(tau, add_mul(sh.head_p, scaled, with_p));
#pragma unroll
        for (int i = 0; i < ROWS; i++) u[i] = row_of(i) == head ? make<T>(1) : h.element(u[i]);
        update_D(k, p, u, v, tau, minus, h, head);
        if (warp == head / ROWS) {
#pragma unroll
            for (int c = 0; c < COLS; c++) {
                const T out = head_row(k.D, c, head);
                if (col_of(c) < kd) this->pass_back(out, behind(col_of(c), head), at);
            }
            if (lane == 0) this->pass_back(make<T>(at.has_next ? to_next.beta : R(0)), kd, at);
        }
        update_B(k, u, g, next, to_next, head);
        keep_rows(u, h.tau, at);
        if (warp == WARPS - 1 && at.has_next) this->keep_columns(next, to_next.tau, at.t + 1, at.s, head);
    }
};

} // namespace tsl
#endif
