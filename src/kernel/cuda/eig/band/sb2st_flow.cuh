/* All sweeps in one kernel (flow.cuh). What goes to the chunk before is the first column of D, on top of beta; there it is the last column of D and B. The
 * last row of D was the first one of B. */
#ifndef TSL_CUDA_SB2ST_FLOW_CUH
#define TSL_CUDA_SB2ST_FLOW_CUH

#include "kernel/cuda/eig/band/flow.cuh"
#include "kernel/cuda/eig/band/sb2st.cuh"

namespace tsl {

/* Of a chunk: the reflector and tau it gets, the column it gets, and the first row of B for the next sweep */
template <class F> struct flow_lines {
    typename F::T v[F::LINE], fresh[F::LINE], row[F::KD];
};

template <class F> struct flow_shared {
    typename F::T first[F::LINE]; /* the column that chunk 0 sends: that of the next sweep */
    typename F::T y[F::WARPS][F::KD], x[F::WARPS][F::KD], u[F::KD], b[F::KD];
    typename F::T w[F::WARPS][F::KD], next[F::WARPS][F::KD]; /* every warp for itself */
};

/* One CTA's part */
template <class F> struct chaser : flow_part<F, band<typename F::T>, flow_shared<F>, flow_lines<F>> {
    using base = flow_part<F, band<typename F::T>, flow_shared<F>, flow_lines<F>>;
    using typename base::T, typename base::R;
    using base::f, base::sh, base::lines, base::tid, base::lane, base::warp, base::kd, base::row_of, base::col_of, base::behind, base::box;
    static constexpr int KD = F::KD, WARPS = F::WARPS, ROWS = F::ROWS, COLS = F::COLS;
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
                b.B[i][c] = in ? f.a.at(r + kd + row, r + col) : make<T>(0);
            }
    }

    /* The reflector of chunk t goes to V and tau; lanes have the slots that they have columns of. */
    __device__ void keep(const T (&v)[COLS], T tau, int t, int s, int head) const
    {
        if (!f.a.V) return;
        const int64_t r = f.a.row_of(t, s);
#pragma unroll
        for (int c = 0; c < COLS; c++) {
            const int64_t row = r + behind(col_of(c), head);
            if (col_of(c) < kd && row < f.a.n) f.a.V[row + s * f.a.ldv] = v[c];
        }
        if (lane == 0) f.a.tau[t + s * f.a.ldt] = tau;
    }

    /* The column that sweep s begins with: its diagonal element, and the reflector of chunk 0; one warp */
    __device__ void begin_sweep(int s, int head) const
    {
        T b[COLS];
        R squares[1] = {0};
#pragma unroll
        for (int c = 0; c < COLS; c++) {
            const int j = col_of(c);
            b[c] = j < kd ? sh.first[behind(j, head) + 1] : make<T>(0);
            if (j != head) squares[0] += square_of(b[c]);
        }
        sum_lanes(squares);
        const reflector<T> h = this->reflect(b, sh.first[1], squares[0], head, [] {});
#pragma unroll
        for (int c = 0; c < COLS; c++) {
            b[c] = col_of(c) == head ? make<T>(1) : h.element(b[c]);
            lines[0].v[col_of(c)] = b[c];
        }
        if (lane == 0) {
            lines[0].v[KD] = h.tau;
            f.a.d[s] = re(sh.first[0]);
            f.a.e[s] = h.beta;
        }
        keep(b, h.tau, 0, s, head);
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

    /* Chunk t, the q-th of this CTA, at sweep s; head = s mod kd is the slot of its first row */
    __device__ __forceinline__ void step(blocks<F> &k, int t, int q, int s, int head) const
    {
        const band<T> &a = f.a;
        flow_lines<F> &own = lines[q];
        const int last = head == 0 ? kd - 1 : head - 1; /* slot of the row that is new */
        const bool is_first = q == 0, begins = is_first && t == 0, is_last = q == f.each - 1, has_next = a.has(t + 1, s), has_fresh = s > 0 && a.has(t + 1, s - 1);

        if (begins) {
            if (warp == 0) begin_sweep(s, head);
        } else if (is_first) {
            for (int i = tid; i <= KD; i += F::THREADS)
                if (i < kd || i == KD) own.v[i] = receive<F>(box(blockIdx.x, false), i, (uint64_t)s + 1);
        }
        if (is_last && has_fresh)
            for (int i = F::THREADS - 1 - tid; i <= kd; i += F::THREADS) own.fresh[i] = receive<F>(box(blockIdx.x, true), i, (uint64_t)s);
        __syncthreads();

        if (s > 0) {
#pragma unroll
            for (int i = 0; i < ROWS; i++)
#pragma unroll
                for (int c = 0; c < COLS; c++) {
                    const int row = row_of(i), col = col_of(c);
                    const T d = k.D[i][c], b = k.B[i][c];
                    T new_d = pick(row == last, b, d), new_b = pick(row == last, make<T>(0), b);
                    if (col == last && row < kd) {
                        new_b = has_fresh ? own.fresh[behind(row, head) + 1] : make<T>(0);
                        new_d = row != last ? conj(own.row[row]) : has_fresh ? own.fresh[0] : make<T>(0);
                    }
                    k.D[i][c] = new_d;
                    k.B[i][c] = new_b;
                }
        }
        T v[ROWS], vc[COLS], sum[ROWS];
        const T tau = own.v[KD];
#pragma unroll
        for (int i = 0; i < ROWS; i++) v[i] = own.v[row_of(i)];
#pragma unroll
        for (int c = 0; c < COLS; c++) vc[c] = own.v[col_of(c)];
#pragma unroll
        for (int c = 0; c < COLS; c++) {
            T y = make<T>(0);
#pragma unroll
            for (int i = 0; i < ROWS; i++) y = add_mul<true>(y, k.D[i][c], v[i]);
            sh.y[warp][col_of(c)] = y;
        }
#pragma unroll
        for (int i = 0; i < ROWS; i++) {
            sum[i] = mul(k.B[i][0], vc[0]);
#pragma unroll
            for (int c = 1; c < COLS; c++) sum[i] = add_mul(sum[i], k.B[i][c], vc[c]);
        }
        const T of_row = lane_sums<ROWS>(sum, lane);
        if (lane % (32 / ROWS) == 0) sh.u[row_of(lane / (32 / ROWS))] = of_row;
        T of_head[ROWS];
#pragma unroll
        for (int i = 0; i < ROWS; i++) {
            of_head[i] = k.B[i][0];
#pragma unroll
            for (int c = 1; c < COLS; c++) of_head[i] = pick(head >= 32 * c, k.B[i][c], of_head[i]);
        }
        if (lane == head % 32)
#pragma unroll
            for (int i = 0; i < ROWS; i++) sh.b[row_of(i)] = of_head[i];
        __syncthreads();

        /* All warps do the same: w, and the reflector of B's first column */
        T y[COLS], b[COLS], u[ROWS];
        R sums[is_complex<T> ? 4 : 3] = {}; /* v^H y, b^H b, b^H u without the heads */
#pragma unroll
        for (int c = 0; c < COLS; c++) {
            const int j = col_of(c);
            y[c] = sh.y[0][j];
#pragma unroll
            for (int i = 1; i < WARPS; i++) y[c] = add(y[c], sh.y[i][j]);
            const T uc = sh.u[j];
            b[c] = sub_mul<false>(sh.b[j], tau, uc);
            sums[0] += re(mul(conj(vc[c]), y[c]));
            if (j != head) {
                const T bu = mul(conj(b[c]), uc);
                sums[1] += square_of(b[c]);
                sums[2] += re(bu);
                if constexpr (is_complex<T>) sums[3] += bu.im;
            }
        }
        sum_lanes(sums);
        const T u_head = sh.u[head];
        const reflector<T> h =
            this->reflect(b, sub_mul<false>(sh.b[head], tau, u_head), sums[1], head, [&] { with_scaled(b, head, sums); });
        T vu; /* v'^H u */
        if constexpr (is_complex<T>) vu = add_mul(u_head, conj(h.inv), T{sums[2], sums[3]});
        else vu = add_mul(u_head, h.inv, sums[2]);
        T w[COLS];
#pragma unroll
        for (int c = 0; c < COLS; c++) {
            const int j = col_of(c);
            b[c] = j == head ? make<T>(1) : h.element(b[c]);
            w[c] = half_update(tau, y[c], sums[0], vc[c]);
            sh.w[warp][j] = w[c];
            sh.next[warp][j] = b[c];
        }
        if (warp == 0 && has_next) {
            if (!is_last) {
#pragma unroll
                for (int c = 0; c < COLS; c++) lines[q + 1].v[col_of(c)] = b[c];
                if (lane == 0) lines[q + 1].v[KD] = h.tau;
            } else {
#pragma unroll
                for (int c = 0; c < COLS; c++)
                    if (col_of(c) < kd) send<F>(box(blockIdx.x + 1, false), col_of(c), b[c], (uint64_t)s + 1);
                if (lane == 0) send<F>(box(blockIdx.x + 1, false), KD, h.tau, (uint64_t)s + 1);
            }
        }
        __syncwarp();
        T x[COLS], next[ROWS];
#pragma unroll
        for (int i = 0; i < ROWS; i++) {
            const T wi = sh.w[warp][row_of(i)];
            next[i] = sh.next[warp][row_of(i)];
            u[i] = sh.u[row_of(i)];
#pragma unroll
            for (int c = 0; c < COLS; c++) k.D[i][c] = sub_mul<true>(sub_mul<true>(k.D[i][c], v[i], w[c]), wi, vc[c]);
        }
        T out[COLS]; /* the row of the head, D being Hermitian, is the column that goes */
#pragma unroll
        for (int c = 0; c < COLS; c++) {
            out[c] = k.D[0][c];
#pragma unroll
            for (int i = 1; i < ROWS; i++) out[c] = pick(i == head % ROWS, k.D[i][c], out[c]);
        }
        if (warp == head / ROWS) {
#pragma unroll
            for (int c = 0; c < COLS; c++) {
                const int j = col_of(c), at = behind(j, head);
                if (j >= kd) continue;
                const T g = at == 0 ? make<T>(re(out[c])) : conj(out[c]);
                if (begins) sh.first[at] = g;
                else if (!is_first) lines[q - 1].fresh[at] = g;
                else send<F>(box(blockIdx.x - 1, true), at, g, (uint64_t)s + 1);
            }
            if (lane == 0) {
                const T beta = make<T>(has_next ? h.beta : R(0));
                if (begins) sh.first[kd] = beta;
                else if (!is_first) lines[q - 1].fresh[kd] = beta;
                else send<F>(box(blockIdx.x - 1, true), kd, beta, (uint64_t)s + 1);
            }
        }
#pragma unroll
        for (int c = 0; c < COLS; c++) {
            x[c] = make<T>(0);
#pragma unroll
            for (int i = 0; i < ROWS; i++) x[c] = add_mul<true>(x[c], next[i], k.B[i][c]);
            sh.x[warp][col_of(c)] = x[c];
        }
        __syncthreads();

        const T minus = mul(tau, vu);
        T row[COLS] = {};
#pragma unroll
        for (int c = 0; c < COLS; c++) {
            const int j = col_of(c);
            T z = sh.x[0][j];
#pragma unroll
            for (int i = 1; i < WARPS; i++) z = add(z, sh.x[i][j]);
            z = mul(conj(h.tau), sub_mul<true>(z, minus, vc[c]));
            const T p = mul(tau, conj(vc[c]));
#pragma unroll
            for (int i = 0; i < ROWS; i++) {
                const T e = sub_mul<false>(sub_mul<false>(k.B[i][c], u[i], p), next[i], z);
                k.B[i][c] = pick(j == head, make<T>(row_of(i) == head ? h.beta : R(0)), e);
                row[c] = pick(row_of(i) == head, k.B[i][c], row[c]);
            }
        }
        if (warp == head / ROWS)
#pragma unroll
            for (int c = 0; c < COLS; c++) own.row[col_of(c)] = row[c];
        if (warp == WARPS - 1 && has_next) keep(b, h.tau, t + 1, s, head);
    }
};

} // namespace tsl
#endif
