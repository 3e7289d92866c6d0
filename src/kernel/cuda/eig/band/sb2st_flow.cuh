/* The step of a chase to tridiagonal form (flow.cuh), and what chunks take from and leave to memory where others go on. What
 * goes to the chunk before is the first column of D, on top of beta; there it is the last column of D and B. The last row of D
 * was the first one of B. */
#ifndef TSL_CUDA_SB2ST_FLOW_CUH
#define TSL_CUDA_SB2ST_FLOW_CUH

#include "kernel/cuda/eig/band/flow_kernel.cuh"
#include "kernel/cuda/eig/band/sb2st.cuh"

namespace tsl {

/* Of a chunk: the reflector and tau it gets, the column it gets, and the first row of B for the next sweep */
template <class F> struct sb_lines {
    typename F::T v[F::LINE], fresh[F::LINE], row[F::KD];
};

template <class F> struct sb_shared {
    typename F::T first[F::LINE]; /* the column that chunk 0 sends: that of the next sweep */
    typename F::T y[F::WARPS][F::KD], x[F::WARPS][F::KD], u[F::KD], b[F::KD];
    typename F::T w[F::WARPS][F::KD], next[F::WARPS][F::KD]; /* every warp for itself */
};

template <class F, class A> struct sb_chaser_of : flow_part<F, A, sb_shared<F>, sb_lines<F>> {
    using base = flow_part<F, A, sb_shared<F>, sb_lines<F>>;
    using typename base::T, typename base::R;
    using base::f, base::sh, base::lines, base::lane, base::warp, base::kd;
    using base::row_of, base::col_of, base::behind, base::head_row, base::head_column, base::over_warps;
    using base::KD, base::WARPS, base::ROWS, base::COLS, base::SHARE;
    using base::base;
    static constexpr bool BY_ROWS = false;

    /* From the last sweep's slots to this one's */
    __device__ __forceinline__ void shift(blocks<F> &k, const turn &p) const
    {
        const sb_lines<F> &own = lines[p.q];
#pragma unroll
        for (int i = 0; i < ROWS; i++)
#pragma unroll
            for (int c = 0; c < COLS; c++) {
                const int row = row_of(i), col = col_of(c);
                const T d = k.D[i][c], b = k.B[i][c];
                T new_d = pick(row == p.last, b, d), new_b = pick(row == p.last, make<T>(0), b);
                if (col == p.last && row < kd) {
                    new_b = p.has_fresh ? own.fresh[behind(row, p.head) + 1] : make<T>(0);
                    new_d = row != p.last ? conj(own.row[row]) : p.has_fresh ? own.fresh[0] : make<T>(0);
                }
                k.D[i][c] = new_d;
                k.B[i][c] = new_b;
            }
    }

    /* sh.y: D v, of each warp's rows; sh.u: B v; sh.b: the first column of B */
    __device__ __forceinline__ void products(const blocks<F> &k, const T (&v)[ROWS], const T (&vc)[COLS], int head) const
    {
#pragma unroll
        for (int c = 0; c < COLS; c++) {
            T y = make<T>(0);
#pragma unroll
            for (int i = 0; i < ROWS; i++) y = add_mul<true>(y, k.D[i][c], v[i]);
            sh.y[warp][col_of(c)] = y;
        }
        T sum[ROWS], of_head[ROWS];
        this->times(k.B, vc, sum);
        const T of_row = lane_sums<ROWS>(sum, lane);
        if (lane % SHARE == 0) sh.u[row_of(lane / SHARE)] = of_row;
#pragma unroll
        for (int i = 0; i < ROWS; i++) of_head[i] = head_column(k.B[i], head);
        if (lane == head % 32)
#pragma unroll
            for (int i = 0; i < ROWS; i++) sh.b[row_of(i)] = of_head[i];
    }

    /* b^H u again, of b that has been scaled */
    __device__ __forceinline__ void with_scaled(const T (&b)[COLS], int head, R *sums) const
    {
        R again[2] = {0, 0};
#pragma unroll
        for (int c = 0; c < COLS; c++) {
            const T bu = col_of(c) == head ? make<T>(0) : mul(conj(b[c]), sh.u[col_of(c)]);
            again[0] += re(bu);
            if constexpr (is_complex<T>) again[1] += bu.im;
        }
        sum_lanes(again);
        sums[2] = again[0];
        if constexpr (is_complex<T>) sums[3] = again[1];
    }

    /* All warps do the same: w, and the reflector v' of B's first column; *vu = v'^H u */
    __device__ __forceinline__ reflector<T> reflect_column(const T (&vc)[COLS], T tau, const turn &p, T (&w)[COLS], T (&next)[COLS],
                                                          T *vu) const
    {
        const int head = p.head;
        T y[COLS];
        R sums[is_complex<T> ? 4 : 3] = {}; /* v^H y, b^H b, b^H u without the heads */
#pragma unroll
        for (int c = 0; c < COLS; c++) {
            const int j = col_of(c);
            y[c] = over_warps(sh.y, j);
            const T uc = sh.u[j];
            next[c] = sub_mul<false>(sh.b[j], tau, uc);
            sums[0] += re(mul(conj(vc[c]), y[c]));
            if (j != head) {
                const T bu = mul(conj(next[c]), uc);
                sums[1] += square_of(next[c]);
                sums[2] += re(bu);
                if constexpr (is_complex<T>) sums[3] += bu.im;
            }
        }
        sum_lanes(sums);
        const T u_head = sh.u[head], alpha = sub_mul<false>(sh.b[head], tau, u_head);
        const reflector<T> h = this->reflect(next, alpha, sums[1], head, p.has_next, [&] { with_scaled(next, head, sums); });
        if constexpr (is_complex<T>) *vu = add_mul(u_head, conj(h.inv), T{sums[2], sums[3]});
        else *vu = add_mul(u_head, h.inv, sums[2]);
#pragma unroll
        for (int c = 0; c < COLS; c++) {
            next[c] = col_of(c) == head ? make<T>(1) : h.element(next[c]);
            w[c] = half_update(tau, y[c], sums[0], vc[c]);
        }
        return h;
    }

    /* The row of the head, D being Hermitian, is the column that goes to the chunk before. */
    __device__ __forceinline__ void pass_column(const blocks<F> &k, R beta, const turn &p) const
    {
        T out[COLS];
#pragma unroll
        for (int c = 0; c < COLS; c++) out[c] = head_row(k.D, c, p.head);
        if (warp != p.head / ROWS) return;
#pragma unroll
        for (int c = 0; c < COLS; c++) {
            const int at = behind(col_of(c), p.head);
            if (col_of(c) < kd) this->pass_back(at == 0 ? make<T>(re(out[c])) : conj(out[c]), at, p);
        }
        if (lane == 0) this->pass_back(make<T>(p.has_next ? beta : R(0)), kd, p);
    }

    /* B := B - u (tau v^H) - v' z, z = conj(tau') (v'^H B - minus v^H); its first column is then (beta, 0 ..) */
    __device__ __forceinline__ void update_B(blocks<F> &k, const T (&u)[ROWS], const T (&next)[ROWS], const T (&vc)[COLS], T tau, T minus,
                                             const reflector<T> &h, const turn &p) const
    {
        T row[COLS] = {};
#pragma unroll
        for (int c = 0; c < COLS; c++) {
            const int j = col_of(c);
            const T z = mul(conj(h.tau), sub_mul<true>(over_warps(sh.x, j), minus, vc[c])), tv = mul(tau, conj(vc[c]));
#pragma unroll
            for (int i = 0; i < ROWS; i++) {
                const T e = sub_mul<false>(sub_mul<false>(k.B[i][c], u[i], tv), next[i], z);
                k.B[i][c] = pick(j == p.head, make<T>(row_of(i) == p.head ? h.beta : R(0)), e);
                row[c] = pick(row_of(i) == p.head, k.B[i][c], row[c]);
            }
        }
        if (warp == p.head / ROWS)
#pragma unroll
            for (int c = 0; c < COLS; c++) lines[p.q].row[col_of(c)] = row[c];
    }

    /* Before its first sweep here: the chunk's blocks as the sweep before left them, and the line that the sweep begins with */
    __device__ void enter(blocks<F> &k, int t, int q, int s) const
    {
        const int before = s > 0 ? s - 1 : 0, head = before % kd;
        const int64_t r = f.a.row_of(t, before);
#pragma unroll
        for (int i = 0; i < ROWS; i++)
#pragma unroll
            for (int c = 0; c < COLS; c++) {
                const int row = behind(row_of(i), head), col = behind(col_of(c), head);
                const bool in = row_of(i) < kd && col_of(c) < kd;
                k.D[i][c] = in ? f.a.at(r + row, r + col) : make<T>(0);
                k.B[i][c] = in ? f.a.beside(r, row, col) : make<T>(0);
            }
        if (s == 0) return;
        for (int i = this->tid; i < kd; i += F::THREADS) lines[q].row[i] = f.a.beside(r, 0, behind(i, head));
        if (!f.a.begins(t, s)) return;
        for (int i = this->tid; i <= kd; i += F::THREADS) sh.first[i] = f.a.first(i, s);
        __syncthreads();
    }

    /* After its last one: columns of D and B, to where they were loaded from; below B there is nothing, whatever there was. A
     * chunk that was not there in the last sweep of all has passed its first column on, if there is a chunk before it. */
    __device__ void leave(const blocks<F> &k, int t) const
    {
        const int s = f.a.last_sweep(t), head = s % kd;
        const int64_t r = f.a.row_of(t, s);
        if (s < f.a.first_sweep(t) || !f.a.takes(t, s)) return;
        const bool passed = s < f.a.sweeps - 1 && !f.a.begins(t, s);
        const auto put = [&](int64_t i, int64_t j, T a) {
            if (i < f.a.n) f.a.W[i - j + j * f.a.ldab] = a;
        };
#pragma unroll
        for (int i = 0; i < ROWS; i++)
#pragma unroll
            for (int c = 0; c < COLS; c++) {
                if (row_of(i) >= kd || col_of(c) >= kd) continue;
                const int64_t row = r + behind(row_of(i), head), col = r + behind(col_of(c), head);
                if (passed && col == r) continue;
                if (row >= col) put(row, col, k.D[i][c]);
                else put(row + 2 * kd, col, make<T>(0));
                put(row + kd, col, k.B[i][c]);
            }
    }

    __device__ __forceinline__ void transform(blocks<F> &k, const turn &p) const
    {
        const sb_lines<F> &own = lines[p.q];
        T v[ROWS], vc[COLS];
        const T tau = own.v[KD];
#pragma unroll
        for (int i = 0; i < ROWS; i++) v[i] = own.v[row_of(i)];
#pragma unroll
        for (int c = 0; c < COLS; c++) vc[c] = own.v[col_of(c)];
        products(k, v, vc, p.head);
        __syncthreads();

        T w[COLS], b[COLS], vu;
        const reflector<T> h = reflect_column(vc, tau, p, w, b, &vu);
#pragma unroll
        for (int c = 0; c < COLS; c++) sh.w[warp][col_of(c)] = w[c], sh.next[warp][col_of(c)] = b[c];
        if (warp == 0 && p.has_next) this->pass_on(b, h.tau, p);
        __syncwarp();
        T next[ROWS], u[ROWS];
#pragma unroll
        for (int i = 0; i < ROWS; i++) { /* D := D - v w^H - w v^H */
            const T wi = sh.w[warp][row_of(i)];
            next[i] = sh.next[warp][row_of(i)];
            u[i] = sh.u[row_of(i)];
#pragma unroll
            for (int c = 0; c < COLS; c++) k.D[i][c] = sub_mul<true>(sub_mul<true>(k.D[i][c], v[i], w[c]), wi, vc[c]);
        }
        pass_column(k, h.beta, p);
#pragma unroll
        for (int c = 0; c < COLS; c++) { /* v'^H B, of each warp's rows */
            T x = make<T>(0);
#pragma unroll
            for (int i = 0; i < ROWS; i++) x = add_mul<true>(x, next[i], k.B[i][c]);
            sh.x[warp][col_of(c)] = x;
        }
        __syncthreads();
        update_B(k, u, next, vc, tau, mul(tau, vu), h, p);
        if (warp == WARPS - 1 && p.has_next && !p.goes_out) this->keep_columns(b, h.tau, p.t + 1, p.s, p.head);
    }
};

template <class F> using sb_chaser = sb_chaser_of<F, band<typename F::T>>;
template <class F> using sb_part_chaser = sb_chaser_of<F, part_of_band<typename F::T>>;

} // namespace tsl
#endif
