/* What sweeps have in common that are all in one kernel: forms, messages, the order of steps. A CTA has some neighbouring
 * chunks for good: their blocks are in registers, or, of more chunks than fit there, parked between steps in shared memory or
 * in workspace. From sweep to sweep a chunk moves down a row. So row i of a block is in slot (i - 1) mod kd, and only the slot
 * of the row that goes is written anew. A reflector goes to the chunk after, what goes to the chunk before is a line of one
 * element more than a row has. CTAs send these to each other as messages through L2. One place for each is enough: who sends
 * has got the answer to what was there before. A warp has some rows of D and of B, a lane every 32nd column. Slots from kd on
 * hold zeros. */
#ifndef TSL_CUDA_FLOW_CUH
#define TSL_CUDA_FLOW_CUH

#include "kernel/cuda/eig/band/sweeps.cuh"
#include "kernel/cuda/exchange.cuh"
#include "kernel/cuda/lanes.cuh"
#include "kernel/cuda/launch.cuh"
#include "kernel/cuda/scalar.cuh"

namespace tsl {

/* KD: slots, at least kd; HELD: chunks in registers, 0: all are parked */
template <class T_, int KD_, int HELD_> struct flow_form {
    using T = T_;
    static constexpr int KD = KD_, HELD = HELD_, ROWS = is_complex<T> ? 4 : 8, COLS = KD / 32, WARPS = KD / ROWS, THREADS = 32 * WARPS;
    static constexpr int WORDS = element_message<T>::WORDS;
    static constexpr int LINE = KD + 1; /* elements that are sent together */
    static constexpr int ELEMENTS = 2 * ROWS * COLS; /* of a chunk in each thread */
};

/* A: the band, its results, and which chunks a sweep has */
template <class F, class A> struct flow {
    A a;
    int each;                   /* chunks of a CTA */
    tsl_cuda_message *messages; /* for each CTA those to it: from the one before it, from the one after it */
    typename F::T *parked;      /* NULL: in shared memory */
};

template <class F> struct blocks {
    typename F::T D[F::ROWS][F::COLS], B[F::ROWS][F::COLS];
};

/* Both are at hand, so that a choice by an index leads to no array in memory */
template <class T> __device__ __forceinline__ T pick(bool yes, T a, T b)
{
    if constexpr (is_complex<T>)
        return T{yes ? a.re : b.re, yes ? a.im : b.im};
    else
        return yes ? a : b;
}

template <int N, class R> __device__ __forceinline__ void sum_lanes(R (&a)[N])
{
#pragma unroll
    for (int bit = 16; bit >= 1; bit /= 2)
#pragma unroll
        for (int k = 0; k < N; k++) a[k] += __shfl_xor_sync(0xffffffffu, a[k], bit);
}

template <class F> struct vector_in_lanes {
    typename F::T b[F::COLS];
    reflector<typename F::T> h;
    real_t<typename F::T> unit; /* what b was multiplied by */
};

/* The reflector of a vector of any size: outside the step, whose instructions are to be few */
template <class F>
__device__ __noinline__ vector_in_lanes<F> reflect_unusual(vector_in_lanes<F> x, typename F::T alpha, real_t<typename F::T> squares, int head)
{
    using R = real_t<typename F::T>;
    x.unit = 1;
    if (!squares_hold(squares + square_of(alpha))) {
        R most = 0, again[1] = {0};
#pragma unroll
        for (int c = 0; c < F::COLS; c++) most = fmax(most, magnitude(x.b[c]));
        for (int bit = 16; bit >= 1; bit /= 2) most = fmax(most, __shfl_xor_sync(0xffffffffu, most, bit));
        x.unit = factor_of(most);
        if (x.unit != 1) {
#pragma unroll
            for (int c = 0; c < F::COLS; c++) {
                x.b[c] = scale(x.b[c], x.unit);
                if ((int)(threadIdx.x % 32) + 32 * c != head) again[0] += square_of(x.b[c]);
            }
            sum_lanes(again);
            squares = again[0], alpha = scale(alpha, x.unit);
        }
    }
    x.h = reflector<typename F::T>(alpha, squares);
    if (x.unit != 1) x.h.beta /= x.unit;
    return x;
}

/* Chunk t, the q-th of this CTA, at sweep s; `head`, s mod kd, is the slot of its first row */
struct turn {
    int t, q, s, head;
    int last;       /* the slot of the row that is new */
    bool begins;    /* the sweep begins here: chunk 0 */
    bool is_first, is_last; /* of the CTA */
    bool has_next;  /* the sweep goes on to chunk t + 1, */
    bool goes_out;  /* which is not the kernel's */
    bool has_fresh; /* chunk t + 1 was part of the last sweep: it sends a line */
};

/* One CTA's part. Derived classes say what a step does. A: which band, S: what chunks share, L: what each has */
template <class F_, class A_, class S_, class L_> struct flow_part {
    using F = F_;
    using A = A_;
    using S = S_;
    using L = L_;
    using T = typename F::T;
    using R = real_t<T>;
    static constexpr int KD = F::KD, WARPS = F::WARPS, ROWS = F::ROWS, COLS = F::COLS, SHARE = 32 / ROWS;

    const flow<F, A> &f;
    S &sh;
    L *const lines; /* of this CTA's chunks */
    const int tid, lane, warp, kd;

    __device__ flow_part(const flow<F, A> &f_, S &sh_, L *l)
        : f(f_), sh(sh_), lines(l), tid(threadIdx.x), lane(threadIdx.x % 32), warp(threadIdx.x / 32), kd(f_.a.kd)
    {
    }

    __device__ int row_of(int i) const { return warp * ROWS + i; }
    __device__ int col_of(int c) const { return lane + 32 * c; }
    /* How far slot j is behind the head */
    __device__ int behind(int j, int head) const { return j >= head ? j - head : j - head + kd; }
    /* Messages to a CTA of line elements, from the one before it or from the one after it */
    __device__ tsl_cuda_message *box(int cta, bool from_after, int i) const
    {
        return f.messages + ((2 * (int64_t)cta + from_after) * F::LINE + i) * F::WORDS;
    }
    __device__ __forceinline__ void send(int cta, bool from_after, int i, T a, int tag) const
    {
        element_message<T>::send(box(cta, from_after, i), a, (uint64_t)tag);
    }
    __device__ __forceinline__ T receive(bool from_after, int i, int tag) const
    {
        element_message<T> m;
        do m.look(box(blockIdx.x, from_after, i));
        while (!m.has((uint64_t)tag));
        return m.value();
    }

    __device__ __forceinline__ turn turn_of(int t, int q, int s, int head) const
    {
        turn p = {t, q, s, head};
        p.last = head == 0 ? kd - 1 : head - 1;
        p.is_first = q == 0, p.is_last = q == f.each - 1, p.begins = f.a.begins(t, s);
        p.has_next = f.a.has(t + 1, s), p.has_fresh = s > 0 && f.a.has(t + 1, s - 1);
        p.goes_out = p.has_next && f.a.goes_out(t, s);
        return p;
    }

    __device__ __forceinline__ void load(blocks<F> &k, int t) const
    {
        const int64_t r = f.a.row_of(t, 0);
#pragma unroll
        for (int i = 0; i < ROWS; i++)
#pragma unroll
            for (int c = 0; c < COLS; c++) {
                const int row = row_of(i), col = col_of(c);
                const bool in = row < kd && col < kd;
                k.D[i][c] = in ? f.a.at(r + row, r + col) : make<T>(0);
                k.B[i][c] = in ? f.a.beside(r, row, col) : make<T>(0);
            }
    }

    /* Between steps: chunks that are parked */
    __device__ __forceinline__ void move(blocks<F> &k, T *at, bool out) const
    {
#pragma unroll
        for (int i = 0; i < ROWS; i++)
#pragma unroll
            for (int c = 0; c < COLS; c++) {
                T *const d = at + (i * COLS + c) * F::THREADS + tid, *const b = d + F::ELEMENTS / 2 * F::THREADS;
                if (out) *d = k.D[i][c], *b = k.B[i][c];
                else k.D[i][c] = *d, k.B[i][c] = *b;
            }
    }

    /* ----- Rows, columns and sums ----- */

    /* Column c of the row in slot `head`, in the warp that has it; the element of row i in column `head`, in the lane that has it */
    __device__ __forceinline__ T head_row(const T (&x)[ROWS][COLS], int c, int head) const
    {
        T e = x[0][c];
#pragma unroll
        for (int i = 1; i < ROWS; i++) e = pick(i == head % ROWS, x[i][c], e);
        return e;
    }
    __device__ __forceinline__ T head_column(const T (&x)[COLS], int head) const
    {
        T e = x[0];
#pragma unroll
        for (int c = 1; c < COLS; c++) e = pick(head >= 32 * c, x[c], e);
        return e;
    }

    /* x v of rows x: sums over a lane's columns */
    __device__ __forceinline__ void times(const T (&x)[ROWS][COLS], const T (&v)[COLS], T (&sum)[ROWS]) const
    {
#pragma unroll
        for (int i = 0; i < ROWS; i++) {
            sum[i] = mul(x[i][0], v[0]);
#pragma unroll
            for (int c = 1; c < COLS; c++) sum[i] = add_mul(sum[i], x[i][c], v[c]);
        }
    }

    /* Element j of the sum over all warps */
    __device__ __forceinline__ T over_warps(const T (&parts)[WARPS][KD], int j) const
    {
        T sum = parts[0][j];
#pragma unroll
        for (int w = 1; w < WARPS; w++) sum = add(sum, parts[w][j]);
        return sum;
    }

    /* ----- Reflectors ----- */

    /* The reflector of a vector in lanes, alpha in slot `head`, `squares` of the others. Where they say little of it, b is
     * multiplied by a power of two, inv is of that, and `again` is called; beta is of what b was. Unless `any`, all of b is
     * zero: so it is in the last chunk, which is not to go the long way in every step. */
    template <class G>
    __device__ __forceinline__ reflector<T> reflect(T (&b)[COLS], T alpha, R squares, int head, bool any, G again) const
    {
        const reflector<T> h(alpha, squares, true);
        if (__builtin_expect(is_usual(squares + square_of(alpha)) || !any, 1)) return h;
        vector_in_lanes<F> x;
#pragma unroll
        for (int c = 0; c < COLS; c++) x.b[c] = b[c];
        x = reflect_unusual(x, alpha, squares, head);
#pragma unroll
        for (int c = 0; c < COLS; c++) b[c] = x.b[c];
        if (x.unit != 1) again();
        return x.h;
    }

    /* The reflector of a line that becomes (beta, 0 ..): of its conjugate, if it is a row. b becomes v. */
    template <bool ROW> __device__ __forceinline__ reflector<T> reflect_line(T (&b)[COLS], int head, bool any) const
    {
        R squares[1] = {0};
#pragma unroll
        for (int c = 0; c < COLS; c++)
            if (col_of(c) != head) squares[0] += square_of(b[c]);
        sum_lanes(squares);
        const T alpha = of_lane(head_column(b, head), head % 32);
        const reflector<T> h = reflect(b, ROW ? conj(alpha) : alpha, squares[0], head, any, [] {});
#pragma unroll
        for (int c = 0; c < COLS; c++) b[c] = col_of(c) == head ? make<T>(1) : h.element(ROW ? conj(b[c]) : b[c]);
        return h;
    }

    /* The reflector of the columns of chunk t goes to V and tau; lanes have its slots. */
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

    /* ----- What chunks send each other ----- */

    /* The line that sweep s begins with: its diagonal element, and the reflector of chunk 0; one warp */
    template <bool ROW> __device__ void begin_sweep(int s, int head) const
    {
        T b[COLS];
#pragma unroll
        for (int c = 0; c < COLS; c++) b[c] = col_of(c) < kd ? sh.first[behind(col_of(c), head) + 1] : make<T>(0);
        const reflector<T> h = reflect_line<ROW>(b, head, true);
#pragma unroll
        for (int c = 0; c < COLS; c++) lines[0].v[col_of(c)] = b[c];
        if (lane == 0) {
            lines[0].v[KD] = h.tau;
            f.a.d[s] = re(sh.first[0]);
            f.a.e[s] = h.beta;
        }
        keep_columns(b, h.tau, 0, s, head);
    }

    /* The reflector from a chunk that is not the kernel's; and to one, one warp */
    __device__ void take_in(const turn &p) const
    {
        if constexpr (A::IN_PART) {
            const T *const from = f.a.passing + p.s * f.a.ldp;
            const int64_t rows = f.a.n - f.a.row_of(p.t, p.s);
            for (int i = tid; i < KD; i += F::THREADS)
                lines[p.q].v[i] = i < kd && behind(i, p.head) < rows ? from[behind(i, p.head)] : make<T>(0);
            if (tid == 0) lines[p.q].v[KD] = from[kd];
            __syncthreads();
            T v[COLS];
#pragma unroll
            for (int c = 0; c < COLS; c++) v[c] = lines[p.q].v[col_of(c)];
            if (warp == 0) keep_columns(v, lines[p.q].v[KD], p.t, p.s, p.head);
        }
    }
    __device__ __forceinline__ void hand_out(const T (&v)[COLS], T tau, const turn &p) const
    {
        if constexpr (A::IN_PART) {
            T *const to = f.a.passing + p.s * f.a.ldp;
#pragma unroll
            for (int c = 0; c < COLS; c++)
                if (col_of(c) < kd) to[behind(col_of(c), p.head)] = v[c];
            if (lane == 0) to[kd] = tau;
        }
    }

    /* The reflector from the chunk before, the line from the chunk after: until these are here, other CTAs' are awaited */
    template <bool ROW> __device__ __forceinline__ void receive_lines(const turn &p) const
    {
        L &own = lines[p.q];
        if (p.begins) {
            if (ROW) __syncthreads(); /* the last warps to write the line of the last sweep have done so */
            if (warp == 0) begin_sweep<ROW>(p.s, p.head);
        } else if (f.a.comes_in(p.t, p.s)) {
            take_in(p);
        } else if (p.is_first) {
            for (int i = tid; i <= KD; i += F::THREADS)
                if (i < kd || i == KD) own.v[i] = receive(false, i, p.s + 1);
        }
        if (p.is_last && p.has_fresh)
            for (int i = F::THREADS - 1 - tid; i <= kd; i += F::THREADS)
                own.fresh[i] = receive(true, i, p.s);
        __syncthreads();
    }

    /* The reflector v to the chunk after; one warp */
    __device__ __forceinline__ void pass_on(const T (&v)[COLS], T tau, const turn &p) const
    {
        if (p.goes_out) {
            hand_out(v, tau, p);
        } else if (!p.is_last) {
#pragma unroll
            for (int c = 0; c < COLS; c++) lines[p.q + 1].v[col_of(c)] = v[c];
            if (lane == 0) lines[p.q + 1].v[KD] = tau;
        } else {
#pragma unroll
            for (int c = 0; c < COLS; c++)
                if (col_of(c) < kd) send(blockIdx.x + 1, false, col_of(c), v[c], p.s + 1);
            if (lane == 0) send(blockIdx.x + 1, false, KD, tau, p.s + 1);
        }
    }

    /* Element `at` of the line to the chunk before, if that is the kernel's */
    __device__ __forceinline__ void pass_back(T e, int at, const turn &p) const
    {
        if (p.begins) sh.first[at] = e;
        else if (!p.is_first) lines[p.q - 1].fresh[at] = e;
        else if (blockIdx.x > 0) send(blockIdx.x - 1, true, at, e, p.s + 1);
    }
};

} // namespace tsl
#endif
