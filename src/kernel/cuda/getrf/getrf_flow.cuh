/* LU with partial pivoting of a matrix of at most 1024 rows, in one launch.
 *
 * Each CTA has some of the columns, in its threads' registers, four rows a thread: what is read of a pivot's row serves all.
 * Rows do not move: each knows the place in the matrix that the exchanges so far have given it, and is stored there at the end.
 * A CTA takes the steps of the columns before its own as they come, then those of its own. A step is a message to each row of
 * the CTAs after it: its multiplier, zero where the row is done, or that it is the pivot's. So a step costs all CTAs as much as
 * one, a barrier and an update of the rows, and a CTA is behind the one before it by the time a message travels.
 *
 * The steps are what takes the time, one after the other, so a step is short: the candidates for the next pivot are compared
 * while the columns after the next one are updated, and what is seldom needed (equal candidates, pivots that cannot be
 * inverted) is apart from what always is. */
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
    static constexpr int ROWS = 1024, HAS = 4, THREADS = ROWS / HAS, WARPS = THREADS / 32, BYTES = 128;
    static constexpr int COLS = BYTES / sizeof(T), EACH = 16 / sizeof(T);
    static constexpr size_t SHARED = sizeof(T) * COLS * ROWS;
    static constexpr size_t message_bytes(int64_t steps) { return ((size_t)steps * sizeof(T) + sizeof(uint64_t)) * ROWS; }
};

template <class T> struct job {
    T *A;
    int64_t lda;
    int m, n, steps;
    int64_t *piv, first, *info, info_base;
    unsigned char *messages; /* all bits set at first: a message to each row for each step, and at last where each row is */
};

/* What a step says to a thread's rows: a number each. Two NaNs that arithmetic does not make stand for what is not there yet,
 * and for the pivot's row. */
template <class F> struct message {
    using T = typename F::T;
    using word = std::conditional_t<sizeof(real_t<T>) == 8, uint64_t, uint32_t>;
    static constexpr int BYTES = F::HAS * sizeof(T), UNITS = BYTES / 16, OF_ROW = sizeof(T) / sizeof(word);
    static constexpr int WORDS = F::HAS * OF_ROW;
    static constexpr word EMPTY = ~(word)0, PIVOT = EMPTY - 1, MOST = EMPTY - 2;
    union {
        ulonglong2 unit[UNITS];
        word w[WORDS];
        T number[F::HAS];
    };

    __device__ message() {}
    /* What step k says to the rows of thread t is there, BYTES of each thread one after the other. */
    static __device__ unsigned char *at(unsigned char *messages, int64_t k, int t)
    {
        return messages + (k * F::THREADS + t) * BYTES;
    }

    __device__ void fetch(const unsigned char *p)
    {
#pragma unroll
        for (int u = 0; u < UNITS; u++) unit[u] = load_relaxed((const ulonglong2 *)p + u);
    }
    __device__ bool is_there() const
    {
        bool all = true;
#pragma unroll
        for (int i = 0; i < WORDS; i++) all = all && w[i] != EMPTY;
        return all;
    }
    __device__ bool of_pivot(int h) const { return w[h * OF_ROW] == PIVOT; }
    __device__ void send(unsigned char *p) const
    {
#pragma unroll
        for (int u = 0; u < UNITS; u++) store_relaxed((ulonglong2 *)p + u, unit[u]);
    }
    __device__ void set(int h, T a, bool pivot)
    {
        number[h] = a;
#pragma unroll
        for (int i = 0; i < OF_ROW; i++) {
            word &v = w[h * OF_ROW + i];
            v = pivot ? PIVOT : v < MOST ? v : MOST;
        }
    }
};

/* Rows of pivots, of two steps by turns; of a step of a CTA's own each warp's candidate */
template <class F> struct rows {
    using T = typename F::T;
    alignas(16) T row[2][F::WARPS][F::COLS];
    alignas(16) unsigned tops[2][F::WARPS];
    key keys[2][F::WARPS];
    int places[2][F::WARPS];
};

template <class F> struct elimination {
    using T = typename F::T;
    static constexpr int EACH = F::EACH, HAS = F::HAS, COLS = F::COLS;
    static constexpr int AHEAD = message<F>::UNITS > 2 ? 1 : 4; /* messages under way */

    const job<T> &p;
    rows<F> &s;
    T *const out; /* F::SHARED: columns of the CTA that are done, before that all of them */
    const int tid, warp, lane, first;
    int place[HAS]; /* of the thread's rows, HAS neighbours */
    bool active[HAS]; /* the row has not been a pivot */
    T x[HAS][COLS];
    /* The warp's candidate for the next step: is it this thread's? Which of its rows, its place and key */
    bool has_it;
    int its_row, its_place;
    key mine;

    __device__ int row(int h) const { return tid * HAS + h; }

    __device__ elimination(const job<T> &p, rows<F> &s, T *out)
        : p(p), s(s), out(out), tid(threadIdx.x), warp(tid / 32), lane(tid % 32), first(blockIdx.x * COLS)
    {
        /* of warps that there are not, too */
        if (tid < 2 * F::WARPS) s.tops[tid % 2][tid / 2] = 0, s.keys[tid % 2][tid / 2] = 0;
#pragma unroll 8
        for (int c = 0; c < COLS; c++)
#pragma unroll
            for (int h = 0; h < HAS; h++) {
                const int r = tid + h * blockDim.x;
                out[c * F::ROWS + r] = r < p.m && first + c < p.n ? p.A[r + (first + c) * p.lda] : make<T>(0);
            }
        __syncthreads();
#pragma unroll
        for (int h = 0; h < HAS; h++) place[h] = row(h), active[h] = row(h) < p.m;
#pragma unroll
        for (int c = 0; c < COLS; c++) {
            T v[HAS];
            load_rows(c, v);
#pragma unroll
            for (int h = 0; h < HAS; h++) x[h][c] = v[h];
        }
    }

    /* The thread's rows of a column, in shared memory */
    __device__ __forceinline__ void load_rows(int c, T (&v)[HAS]) const
    {
#pragma unroll
        for (int h = 0; h < HAS; h += EACH) {
            const pack<T, EACH> q = get<EACH>(out + c * F::ROWS + row(h));
#pragma unroll
            for (int e = 0; e < EACH; e++) v[h + e] = q.x[e];
        }
    }
    __device__ __forceinline__ void keep_rows(int c, const T (&v)[HAS])
    {
#pragma unroll
        for (int h = 0; h < HAS; h += EACH) {
            pack<T, EACH> q;
#pragma unroll
            for (int e = 0; e < EACH; e++) q.x[e] = v[h + e];
            *(pack<T, EACH> *)(out + c * F::ROWS + row(h)) = q;
        }
    }

    /* The thread's row h becomes the row to be read: h is known when the program runs. */
    __device__ void show(int h, T *to) const;

    /* x := x - l u, each column of it BY columns further to the left, of columns c to c + EACH */
    template <int BY> __device__ void update(int c, const T (&l)[HAS], const T *u);

    /* The rows' places after step k, in which the pivot's was `from` */
    __device__ void exchange(int k, int from, const bool (&taken)[HAS]);

    /* Step k, which another CTA has taken */
    __device__ void follow(int k, message<F> &next);
    __device__ void follow_all(int steps);

    /* The warp's best row by x's first column: it is found here, and told to the other warps as that of step k. */
    __device__ void compare();
    __device__ void tell(int k);

    /* Step k, of the first column of x, which is the CTA's column c. Columns move to the left as they are brought up to date;
     * the one that is done goes to `out`, and zeros come in from the right. */
    __device__ void lead(int k, int c, bool last);
    __device__ void divide(T pivot, T (&l)[HAS], bool *zero) const;

    /* The first of them all stays. */
    __device__ void told_zero(int k) const;

    __device__ int own_steps() const { return max(0, min(COLS, p.steps - first)); }
    __device__ void lead_all()
    {
        const int count = own_steps();
        if (count > 0) compare();
#pragma unroll 1
        for (int c = 0; c < count; c++) lead(first + c, c, c + 1 == count);
    }

    /* Where the rows are at last: that is known after the last step. */
    __device__ void settle();
    __device__ void store();
};

template <class F> __global__ __launch_bounds__(F::THREADS, 1) void factor_flow(job<typename F::T> p)
{
    extern __shared__ __align__(16) unsigned char raw[];
    __shared__ rows<F> s;
    elimination<F> e(p, s, (typename F::T *)raw);
    e.follow_all(min(e.first, p.steps));
    e.lead_all();
    e.settle();
    e.store();
}

} // namespace flow
} // namespace tsl
#endif
