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
    __device__ void keep(const T (&a)[F::COLS], int count, T *to) const;

    /* x := x - l u, each column of it stored BY columns further to the left; l is zero in rows that are done. */
    template <int BY> __device__ void update(const T (&l)[HAS], const T *u);

    /* The rows' places after step k, in which the pivot's was `from` */
    __device__ void exchange(int k, int from, const bool (&taken)[HAS]);

    /* Step k, which another CTA has taken */
    __device__ void follow(int k, message<F> (&next)[HAS]);
    __device__ void follow_all(int steps);

    /* Step k, of the first column of `count` that are not done. Columns move to the left as they are brought up to date; the
     * one that is done goes to the end, and so comes round to where it was. */
    __device__ void lead(int k, int count);

    /* The first of them all stays. */
    __device__ void told_zero(int k) const;

    __device__ void lead_all()
    {
        const int count = min(F::COLS, p.steps - first);
#pragma unroll 1
        for (int c = 0; c < count; c++) lead(first + c, F::COLS - c);
        if (count > 0)
            for (int c = count; c < F::COLS; c++) turn_round();
    }

    /* The columns as they were, where there are fewer steps than columns */
    __device__ void turn_round();

    /* Where the rows are at last: that is known after the last step. */
    __device__ void settle();
    __device__ void store(T *out);
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
