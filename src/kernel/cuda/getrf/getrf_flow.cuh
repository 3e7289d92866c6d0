/* LU with partial pivoting of a matrix of at most 1024 rows, in one launch.
 *
 * Each CTA has some of the columns, in its threads' registers, four rows a thread: what is read of a pivot's row serves all.
 * Rows do not move: each knows the place in the matrix that the exchanges so far have given it, and is stored there at the end.
 * A CTA takes the steps of the columns before its own as they come, then those of its own. A step is a message to each row of
 * the CTAs after it: its multiplier, or that it is the pivot's. So a step costs all CTAs as much as one, a barrier and an
 * update of the rows, and a CTA is behind the one before it by the time a message travels.
 *
 * A message's words carry the step they are of, in the half that is not the number: whoever reads them waits for nothing
 * else. */
#ifndef TSL_CUDA_GETRF_FLOW_CUH
#define TSL_CUDA_GETRF_FLOW_CUH

#include "kernel/cuda/exchange.cuh"
#include "kernel/cuda/getrf/getrf_pivot.cuh"
#include "kernel/cuda/tile.cuh"

namespace tsl {
namespace flow {

/* BYTES of a row are a CTA's. */
template <class T_> struct form {
    using T = T_;
    static constexpr int ROWS = 1024, EACH_HAS = 4, THREADS = ROWS / EACH_HAS, BYTES = 128;
    static constexpr int COLS = BYTES / sizeof(T), EACH = 16 / sizeof(T);
    static constexpr int WORDS = sizeof(T) / 4; /* of a message */
    static constexpr size_t SHARED = sizeof(T) * COLS * ROWS;
    static constexpr size_t message_bytes(int64_t steps) { return ((size_t)steps * WORDS + 1) * ROWS * sizeof(uint64_t); }
};

template <class T> struct job {
    T *A;
    int64_t lda;
    int m, n, steps;
    int64_t *piv, first, *info, info_base;
    uint64_t *messages; /* zero at first: a message to each row for each step, and at last where each row is */
};

/* What step k says to row r: its stamp is 2 (k + 1), and one more for the pivot's. */
template <class F> struct message {
    using T = typename F::T;
    uint64_t word[F::WORDS];

    static __device__ uint64_t *at(uint64_t *messages, int k, int r) { return messages + ((size_t)k * F::ROWS + r) * F::WORDS; }
    __device__ void fetch(const uint64_t *p)
    {
#pragma unroll
        for (int w = 0; w < F::WORDS; w++) word[w] = peek(p + w);
    }
    __device__ bool is_of(int k) const
    {
        bool all = true;
#pragma unroll
        for (int w = 0; w < F::WORDS; w++) all = all && (unsigned)(word[w] >> 33) == (unsigned)k + 1;
        return all;
    }
    __device__ bool of_pivot() const { return word[0] >> 32 & 1; }
    __device__ T number() const
    {
        union {
            T number;
            unsigned word[F::WORDS];
        } u;
#pragma unroll
        for (int w = 0; w < F::WORDS; w++) u.word[w] = (unsigned)word[w];
        return u.number;
    }
    static __device__ void send(uint64_t *p, int k, bool pivot, T number)
    {
        union {
            T number;
            unsigned word[F::WORDS];
        } u;
        u.number = number;
#pragma unroll
        for (int w = 0; w < F::WORDS; w++) post(p + w, (uint64_t)(2 * ((unsigned)k + 1) + pivot) << 32 | u.word[w]);
    }
};

/* Rows of pivots, of two steps by turns; of a step of a CTA's own each warp's candidate */
template <class F> struct rows {
    using T = typename F::T;
    alignas(16) T row[2][F::THREADS / 32][F::COLS];
    key keys[2][F::THREADS / 32];
    int places[2][F::THREADS / 32];
};

template <class F> struct elimination {
    using T = typename F::T;
    static constexpr int EACH = F::EACH, HAS = F::EACH_HAS, AHEAD = F::WORDS > 2 ? 1 : 4; /* messages under way */

    const job<T> &p;
    rows<F> &s;
    const int tid, warp, lane, first;
    int place[HAS];   /* of the thread's rows, which are blockDim.x apart */
    bool active[HAS]; /* the row has not been a pivot */
    T x[HAS][F::COLS];

    __device__ int row(int h) const { return tid + h * blockDim.x; }
    __device__ uint64_t *message_at(int k, int h) const { return message<F>::at(p.messages, k, row(h)); }

    __device__ elimination(const job<T> &p, rows<F> &s) : p(p), s(s), tid(threadIdx.x), warp(tid / 32), lane(tid % 32), first(blockIdx.x * F::COLS)
    {
#pragma unroll
        for (int h = 0; h < HAS; h++) {
            place[h] = row(h), active[h] = row(h) < p.m;
#pragma unroll
            for (int c = 0; c < F::COLS; c++) x[h][c] = active[h] && first + c < p.n ? p.A[row(h) + (first + c) * p.lda] : make<T>(0);
        }
    }

    /* The row that is in a, of which the first `count` columns are not done; zeros for the others */
    __device__ void keep(const T (&a)[F::COLS], int count, T *to) const
    {
#pragma unroll
        for (int c = 0; c < F::COLS; c += EACH) {
            pack<T, EACH> v;
#pragma unroll
            for (int e = 0; e < EACH; e++) v.x[e] = c + e < count ? a[c + e] : make<T>(0);
            *(pack<T, EACH> *)(to + c) = v;
        }
    }

    /* x := x - l u, each column of it stored BY columns further to the left; l is zero in rows that are done. */
    template <int BY> __device__ void update(const T (&l)[HAS], const T *u)
    {
#pragma unroll
        for (int c = 0; c < F::COLS; c += EACH) {
            const pack<T, EACH> v = get<EACH>(u + c);
#pragma unroll
            for (int e = 0; e < EACH; e++)
#pragma unroll
                for (int h = 0; h < HAS; h++)
                    if (c + e >= BY) x[h][c + e - BY] = sub_mul<false>(x[h][c + e], l[h], v.x[e]);
        }
    }

    /* The rows' places after step k, in which the pivot's was `from` */
    __device__ void exchange(int k, int from, const bool (&taken)[HAS])
    {
#pragma unroll
        for (int h = 0; h < HAS; h++) {
            if (place[h] == k) place[h] = from;
            if (taken[h]) place[h] = k, active[h] = false;
        }
    }

    /* Step k, which another CTA has taken */
    __device__ void follow(int k, message<F> (&next)[HAS])
    {
        const int turn = k & 1;
        bool taken[HAS];
        T l[HAS];
        for (bool all = false; !all;) {
            all = true;
#pragma unroll
            for (int h = 0; h < HAS; h++)
                if (active[h] && !next[h].is_of(k)) next[h].fetch(message_at(k, h));
#pragma unroll
            for (int h = 0; h < HAS; h++) all = all && (!active[h] || next[h].is_of(k));
        }
#pragma unroll
        for (int h = 0; h < HAS; h++) {
            taken[h] = active[h] && next[h].of_pivot();
            l[h] = active[h] && !taken[h] ? next[h].number() : make<T>(0);
            if (active[h] && k + AHEAD < p.steps) next[h].fetch(message_at(k + AHEAD, h));
            if (taken[h]) keep(x[h], F::COLS, s.row[turn][0]), s.places[turn][0] = place[h];
        }
        __syncthreads();
        exchange(k, s.places[turn][0], taken);
        update<0>(l, s.row[turn][0]);
    }

    __device__ void follow_all(int steps)
    {
        message<F> next[AHEAD][HAS];
#pragma unroll
        for (int a = 0; a < AHEAD; a++)
#pragma unroll
            for (int h = 0; h < HAS; h++)
                if (a < steps && active[h]) next[a][h].fetch(message_at(a, h));
        for (int k = 0; k < steps; k += AHEAD)
#pragma unroll
            for (int a = 0; a < AHEAD; a++)
                if (k + a < steps) follow(k + a, next[a]);
    }

    /* Step k, of the first column of `count` that are not done. Columns move to the left as they are brought up to date; the
     * one that is done goes to the end, and so comes round to where it was. */
    __device__ void lead(int k, int count)
    {
        const int turn = k & 1, warps = blockDim.x / 32;
        key mine = 0;
        int at_row = 0, there = place[0];
#pragma unroll
        for (int h = 0; h < HAS; h++) {
            const key a = active[h] ? key_of(x[h][0]) : 0;
            if (a > mine || (a == mine && place[h] < there)) mine = a, at_row = h, there = place[h];
        }
        if (lane == choose<T>(mine, there)) {
#pragma unroll
            for (int h = 0; h < HAS; h++)
                if (h == at_row) keep(x[h], count, s.row[turn][warp]);
            s.keys[turn][warp] = mine;
            s.places[turn][warp] = mine ? there : -1;
        }
        __syncthreads();
        const int at = lane < warps ? s.places[turn][lane] : -1, who = choose<T>(lane < warps ? s.keys[turn][lane] : 0, at);
        const int from = __shfl_sync(ALL_LANES, at, who);
        const T *const u = s.row[turn][who], pivot = u[0];
        const divisor<T> by_pivot(pivot);
        bool taken[HAS], heard[HAS];
        T l[HAS], done[HAS];
#pragma unroll
        for (int h = 0; h < HAS; h++) heard[h] = active[h], taken[h] = active[h] && place[h] == from;
        exchange(k, from, taken);
#pragma unroll
        for (int h = 0; h < HAS; h++) {
            l[h] = active[h] ? by_pivot(x[h][0], pivot) : make<T>(0);
            done[h] = active[h] ? l[h] : x[h][0];
        }
        update<1>(l, u);
#pragma unroll
        for (int h = 0; h < HAS; h++) x[h][F::COLS - 1] = done[h];
#pragma unroll
        for (int h = 0; h < HAS; h++)
            if (heard[h] && first + F::COLS < p.n) message<F>::send(message_at(k, h), k, taken[h], l[h]);
        if (tid == 0) {
            p.piv[k] = p.first + 1 + from;
            if (by_pivot.state == divisor<T>::ZERO) told_zero(k);
        }
    }

    /* The first of them all stays. */
    __device__ void told_zero(int k) const
    {
        const unsigned long long mine = (unsigned long long)(p.info_base + k + 1);
        unsigned long long *const info = (unsigned long long *)p.info;
        unsigned long long old = *(volatile unsigned long long *)info;
        while (old == 0 || old > mine) {
            const unsigned long long was = atomicCAS(info, old, mine);
            if (was == old) break;
            old = was;
        }
    }

    __device__ void lead_all()
    {
        const int count = min(F::COLS, p.steps - first);
#pragma unroll 1
        for (int c = 0; c < count; c++) lead(first + c, F::COLS - c);
        if (count > 0)
            for (int c = count; c < F::COLS; c++) turn_round();
    }

    /* The columns as they were, where there are fewer steps than columns */
    __device__ void turn_round()
    {
#pragma unroll
        for (int h = 0; h < HAS; h++) {
            const T front = x[h][0];
#pragma unroll
            for (int c = 1; c < F::COLS; c++) x[h][c - 1] = x[h][c];
            x[h][F::COLS - 1] = front;
        }
    }

    /* Where the rows are at last: that is known after the last step. */
    __device__ void settle()
    {
        const int last = (p.steps - 1) / F::COLS, b = blockIdx.x;
#pragma unroll
        for (int h = 0; h < HAS; h++) {
            uint64_t *const at = message<F>::at(p.messages, p.steps, 0) + row(h);
            uint64_t v;
            if (b == last && row(h) < p.m) post(at, (uint64_t)1 << 32 | (unsigned)place[h]);
            if (b >= last || row(h) >= p.m) continue;
            while (!((v = peek(at)) >> 32)) __nanosleep(100);
            place[h] = (int)(unsigned)v;
        }
    }

    __device__ void store(T *out)
    {
#pragma unroll
        for (int h = 0; h < HAS; h++)
#pragma unroll
            for (int c = 0; c < F::COLS; c++)
                if (row(h) < p.m) out[c * F::ROWS + place[h]] = x[h][c];
        __syncthreads();
#pragma unroll 8
        for (int c = 0; c < F::COLS; c++)
#pragma unroll
            for (int h = 0; h < HAS; h++)
                if (row(h) < p.m && first + c < p.n) p.A[row(h) + (first + c) * p.lda] = out[c * F::ROWS + row(h)];
    }
};

template <class F> __global__ __launch_bounds__(F::THREADS, 1) void factor_flow(job<typename F::T> p)
{
    extern __shared__ __align__(16) unsigned char raw[];
    __shared__ rows<F> s;
    elimination<F> e(p, s);
    e.follow_all(min(e.first, p.steps));
    e.lead_all();
    e.settle();
    e.store((typename F::T *)raw);
}

} // namespace flow
} // namespace tsl
#endif
