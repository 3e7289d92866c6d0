/* All sweeps in one kernel (flow.cuh). What goes to the chunk before is the first row of D, and beta' after it; there it is the last element of D and the last row of
 * B. The last column of D was the first one of B, in the same slots.
 * With c, the first column of D H, the reflector of rows is u = c / (c1 - beta) but for its first element, 1. So products with u are those with c, which each warp has
 * of its rows before it knows the others', and the step has one barrier between the reflector it gets and the one it sends. */
#ifndef TSL_CUDA_GB2BD_FLOW_CUH
#define TSL_CUDA_GB2BD_FLOW_CUH

#include "kernel/cuda/eig/band/flow.cuh"
#include "kernel/cuda/eig/band/gb2bd.cuh"

namespace tsl {

/* Of a chunk: the reflector and tau it gets, and the line it gets */
template <class F> struct gb_lines {
    typename F::T v[F::LINE], fresh[F::LINE];
};

template <class F> struct gb_shared {
    typename F::T first[F::LINE];                             /* the line that chunk 0 sends: the row of the next sweep */
    typename F::T of_D[F::WARPS][F::KD], of_B[F::WARPS][F::KD]; /* sums over a warp's rows, without the head */
    typename F::T head_D[F::KD], head_B[F::KD];               /* the rows of the head */
    typename F::T with_p[F::WARPS], head_c, head_p;
    real_t<typename F::T> squares[F::WARPS];
};

template <class F> struct gb_chaser : flow_part<F, upper_band<typename F::T>, gb_shared<F>, gb_lines<F>> {
    using base = flow_part<F, upper_band<typename F::T>, gb_shared<F>, gb_lines<F>>;
    using typename base::T, typename base::R;
    using base::f, base::sh, base::lines, base::tid, base::lane, base::warp, base::kd, base::row_of, base::col_of, base::behind, base::box;
    static constexpr int KD = F::KD, WARPS = F::WARPS, ROWS = F::ROWS, COLS = F::COLS, SHARE = 32 / ROWS;
    using base::base;

    __device__ __forceinline__ void load(blocks<F> &b, int t) const
    {
        const int64_t r = f.a.row_of(t, 0);
#pragma unroll
        for (int i = 0; i < ROWS; i++)
#pragma unroll
            for (int c = 0; c < COLS; c++) {
                const int row = row_of(i), col = col_of(c);
                const bool in = row < kd && col < kd;
                b.D[i][c] = in ? f.a.at(r + row, r + col) : make<T>(0);
                b.B[i][c] = in ? f.a.at(r + row, r + kd + col) : make<T>(0);
            }
    }

    /* The reflector of the columns of chunk t; lanes have its slots. */
    __device__ void keep_columns(const T (&v)[COLS], T tau, int t, int s, int head) const
    {
        const kept<T> &to = f.a.right;
        if (!to.V) return;
        const int64_t r = f.a.row_of(t, s);
#pragma unroll
        for (int c = 0; c < COLS; c++) {
            const int64_t row = r + behind(col_of(c), head);
            if (col_of(c) < kd && row < f.a.n) to.V[row + s * to.ldv] = v[c];
        }
        if (lane == 0) to.tau[t + s * to.ldt] = tau;
    }

    /* That of its rows, which each warp has some of */
    __device__ void keep_rows(const T (&u)[ROWS], T tau, int t, int s, int head) const
    {
        const kept<T> &to = f.a.left;
        if (!to.V) return;
        T own = u[0];
#pragma unroll
        for (int i = 1; i < ROWS; i++) own = pick(lane == i, u[i], own);
        const int64_t row = f.a.row_of(t, s) + behind(row_of(lane), head);
        if (lane < ROWS && row_of(lane) < kd && row < f.a.n) to.V[row + s * to.ldv] = own;
        if (lane == 0 && warp == 0) to.tau[t + s * to.ldt] = tau;
    }

    /* The reflector of a row that becomes (beta, 0 ..): of its conjugate. b becomes v. */
    __device__ __forceinline__ reflector<T> of_row(T (&b)[COLS], int head) const
    {
        R squares[1] = {0};
        T at_head = b[0];
#pragma unroll
        for (int c = 0; c < COLS; c++) {
            if (col_of(c) != head) squares[0] += square_of(b[c]);
            if (c > 0) at_head = pick(head >= 32 * c, b[c], at_head);
        }
        sum_lanes(squares);
        const reflector<T> h = this->reflect(b, conj(of_lane(at_head, head % 32)), squares[0], head, [] {});
#pragma unroll
        for (int c = 0; c < COLS; c++) b[c] = col_of(c) == head ? make<T>(1) : h.element(conj(b[c]));
        return h;
    }

    /* The row that sweep s begins with: its diagonal element, and the reflector of the columns of chunk 0; one warp */
    __device__ void begin_sweep(int s, int head) const
    {
        T b[COLS];
#pragma unroll
        for (int c = 0; c < COLS; c++) b[c] = col_of(c) < kd ? sh.first[behind(col_of(c), head) + 1] : make<T>(0);
        const reflector<T> h = of_row(b, head);
#pragma unroll
        for (int c = 0; c < COLS; c++) lines[0].v[col_of(c)] = b[c];
        if (lane == 0) {
            lines[0].v[KD] = h.tau;
            f.a.d[s] = re(sh.first[0]);
            f.a.e[s] = h.beta;
        }
        keep_columns(b, h.tau, 0, s, head);
    }

    /* Sums over the lanes, for all of them */
    __device__ __forceinline__ void sum_rows(T (&a)[ROWS]) const
    {
        const T own = lane_sums<ROWS>(a, lane);
#pragma unroll
        for (int i = 0; i < ROWS; i++) a[i] = of_lane(own, i * SHARE);
    }

    /* From the last sweep's slots to this one's */
    __device__ __forceinline__ void shift(blocks<F> &k, const gb_lines<F> &own, int head, int last, bool has_fresh) const
    {
#pragma unroll
        for (int i = 0; i < ROWS; i++)
#pragma unroll
            for (int c = 0; c < COLS; c++) {
                const int row = row_of(i), col = col_of(c);
                T new_d = pick(row == last, make<T>(0), pick(col == last, k.B[i][c], k.D[i][c])), new_b = pick(col == last, make<T>(0), k.B[i][c]);
                if (row == last && col < kd) {
                    new_b = has_fresh ? own.fresh[behind(col, head) + 1] : make<T>(0);
                    if (col == last && has_fresh) new_d = own.fresh[0];
                }
                k.D[i][c] = new_d;
                k.B[i][c] = new_b;
            }
    }

    /* Chunk t, the q-th of this CTA, at sweep s; head = s mod kd is the slot of its first row */
    __device__ __forceinline__ void step(blocks<F> &k, int t, int q, int s, int head) const
    {
        const upper_band<T> &a = f.a;
        gb_lines<F> &own = lines[q];
        const int last = head == 0 ? kd - 1 : head - 1; /* slot of the row that is new */
        const bool is_first = q == 0, begins = is_first && t == 0, is_last = q == f.each - 1, has_next = a.has(t + 1, s), has_fresh = s > 0 && a.has(t + 1, s - 1);

        if (begins) {
            __syncthreads(); /* the line of the last sweep is there */
            if (warp == 0) begin_sweep(s, head);
        } else if (is_first) {
            for (int i = tid; i <= KD; i += F::THREADS)
                if (i < kd || i == KD) own.v[i] = receive<F>(box(blockIdx.x, false), i, (uint64_t)s + 1);
        }
        if (is_last && has_fresh)
            for (int i = F::THREADS - 1 - tid; i <= kd; i += F::THREADS) own.fresh[i] = receive<F>(box(blockIdx.x, true), i, (uint64_t)s);
        __syncthreads();
        if (s > 0) shift(k, own, head, last, has_fresh);

        /* p = D v; c = D H's first column */
        T v[COLS], p[ROWS], u[ROWS];
        const T tau = own.v[KD];
#pragma unroll
        for (int c = 0; c < COLS; c++) v[c] = own.v[col_of(c)];
#pragma unroll
        for (int i = 0; i < ROWS; i++) {
            p[i] = mul(k.D[i][0], v[0]);
#pragma unroll
            for (int c = 1; c < COLS; c++) p[i] = add_mul(p[i], k.D[i][c], v[c]);
        }
        sum_rows(p);
        R squares = 0;
        T with_p = make<T>(0);
#pragma unroll
        for (int i = 0; i < ROWS; i++) {
            T at_head = k.D[i][0];
#pragma unroll
            for (int c = 1; c < COLS; c++) at_head = pick(head >= 32 * c, k.D[i][c], at_head);
            const T whole = sub_mul<false>(of_lane(at_head, head % 32), tau, p[i]);
            if (row_of(i) == head && lane == 0) sh.head_c = whole, sh.head_p = p[i];
            u[i] = pick(row_of(i) == head, make<T>(0), whole);
            squares += square_of(u[i]);
            with_p = add_mul<true>(with_p, u[i], p[i]);
        }
#pragma unroll
        for (int c = 0; c < COLS; c++) {
            T d = make<T>(0), b = make<T>(0), head_d = k.D[0][c], head_b = k.B[0][c];
#pragma unroll
            for (int i = 0; i < ROWS; i++) {
                d = add_mul<true>(d, u[i], k.D[i][c]);
                b = add_mul<true>(b, u[i], k.B[i][c]);
                if (i > 0) head_d = pick(i == head % ROWS, k.D[i][c], head_d), head_b = pick(i == head % ROWS, k.B[i][c], head_b);
            }
            sh.of_D[warp][col_of(c)] = d;
            sh.of_B[warp][col_of(c)] = b;
            if (warp == head / ROWS) sh.head_D[col_of(c)] = head_d, sh.head_B[col_of(c)] = head_b;
        }
        if (lane == 0) sh.squares[warp] = squares, sh.with_p[warp] = with_p;
        __syncthreads();

        /* All warps do the same: u, g = u^H B, and the reflector of B's first row */
        squares = sh.squares[0], with_p = sh.with_p[0];
#pragma unroll
        for (int w = 1; w < WARPS; w++) squares += sh.squares[w], with_p = add(with_p, sh.with_p[w]);
        const reflector<T> h = reflector_of(sh.head_c, squares);
        const T scaled = conj(h.inv), back = conj(h.tau);
        T g[COLS], next[COLS];
#pragma unroll
        for (int c = 0; c < COLS; c++) {
            const int j = col_of(c);
            T sum = sh.of_B[0][j];
#pragma unroll
            for (int w = 1; w < WARPS; w++) sum = add(sum, sh.of_B[w][j]);
            g[c] = add_mul(sh.head_B[j], scaled, sum);
            next[c] = sub_mul<false>(sh.head_B[j], back, g[c]);
        }
        const reflector<T> to_next = of_row(next, head);
        if (warp == 0 && has_next) {
            if (!is_last) {
#pragma unroll
                for (int c = 0; c < COLS; c++) lines[q + 1].v[col_of(c)] = next[c];
                if (lane == 0) lines[q + 1].v[KD] = to_next.tau;
            } else {
#pragma unroll
                for (int c = 0; c < COLS; c++)
                    if (col_of(c) < kd) send<F>(box(blockIdx.x + 1, false), col_of(c), next[c], (uint64_t)s + 1);
                if (lane == 0) send<F>(box(blockIdx.x + 1, false), KD, to_next.tau, (uint64_t)s + 1);
            }
        }

        /* D := D - p (tau v^H) - u (back x), x = u^H (D - p (tau v^H)) */
        const T minus = mul(tau, add_mul(sh.head_p, scaled, with_p));
        T tv[COLS], x[COLS];
#pragma unroll
        for (int c = 0; c < COLS; c++) {
            const int j = col_of(c);
            T sum = sh.of_D[0][j];
#pragma unroll
            for (int w = 1; w < WARPS; w++) sum = add(sum, sh.of_D[w][j]);
            x[c] = mul(back, sub_mul<false>(add_mul(sh.head_D[j], scaled, sum), minus, conj(v[c])));
            tv[c] = mul(tau, conj(v[c]));
            g[c] = mul(back, g[c]);
        }
#pragma unroll
        for (int i = 0; i < ROWS; i++) {
            u[i] = row_of(i) == head ? make<T>(1) : h.element(u[i]);
#pragma unroll
            for (int c = 0; c < COLS; c++) {
                const T e = sub_mul<false>(sub_mul<false>(k.D[i][c], p[i], tv[c]), u[i], x[c]);
                k.D[i][c] = pick(col_of(c) == head, make<T>(row_of(i) == head ? h.beta : R(0)), e);
            }
        }
        if (warp == head / ROWS) {
#pragma unroll
            for (int c = 0; c < COLS; c++) {
                T out = k.D[0][c];
#pragma unroll
                for (int i = 1; i < ROWS; i++) out = pick(i == head % ROWS, k.D[i][c], out);
                if (col_of(c) < kd) pass(out, behind(col_of(c), head), t, q, s);
            }
            if (lane == 0) pass(make<T>(has_next ? to_next.beta : R(0)), kd, t, q, s);
        }

        /* B := B - u (back g);  B := B - (tau' B v') v'^H */
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
        keep_rows(u, h.tau, t, s, head);
        if (warp == WARPS - 1 && has_next) keep_columns(next, to_next.tau, t + 1, s, head);
    }

    /* An element of the line that goes to the chunk before */
    __device__ __forceinline__ void pass(T e, int at, int t, int q, int s) const
    {
        if (q == 0 && t == 0) sh.first[at] = e;
        else if (q > 0) lines[q - 1].fresh[at] = e;
        else send<F>(box(blockIdx.x - 1, true), at, e, (uint64_t)s + 1);
    }
};

} // namespace tsl
#endif
