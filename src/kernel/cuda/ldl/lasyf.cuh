/* A panel of A = L D L^T, or L D L^H, with symmetric pivoting (core/leaf.h) in one kernel, whose CTAs are on the device
 * together and exchange messages. The upper triangle is the lower one of the matrix with rows and columns in reverse order: a
 * matter of strides.
 *
 * A CTA has rows of the matrix, and their rows of L (Y) in its shared memory. W = L D is in global memory, and of A the columns
 * that steps have made are L as LAPACK leaves it: rows exchanged by later steps stay in Y alone. Before step k all know row k
 * of Y and W. In a step
 *   column the CTAs have their rows of a = A(:,k) - Y W(k,:)^T, and tell the largest of them, with its rows of Y and W; so do
 *   those with rows k + 1 and k + 2
 *   candidate  if a's diagonal is not large enough: the same of the column of the largest element, whose row all know now
 * so that there are at most two exchanges. Then all decide alike, and each CTA exchanges and divides in its rows. It knows the
 * rows k, k + 1, k + 2 and the candidate's; the next step's first row is one of these.
 *
 * Elements of A in the row and the column that is exchanged are moved by the CTA with the other index of them. Who reads them
 * next has heard from that CTA before, but for the row's element in the next column: that is written by its reader too. What
 * else is read of the columns that L overwrites is read before the second exchange. */
#ifndef TSL_CUDA_LASYF_CUH
#define TSL_CUDA_LASYF_CUH

#include "kernel/cuda/exchange.cuh"
#include "kernel/cuda/scalar.cuh"

namespace tsl {
namespace lasyf {

constexpr int LIMIT = 64, WARPS = 8, THREADS = 32 * WARPS;
constexpr int RECORD = 2 * LIMIT + 1; /* a row of W, of Y, and an element */
constexpr int HEADS = 4;              /* rows k, k + 1, k + 2 and the candidate's */
static_assert(MOST_CTAS <= THREADS, "a thread listens to a CTA");

template <class T> struct panel {
    T *A, *Y, *W;
    int64_t lda, ldy, ldw; /* lda of reverse order: negative, */
    int step;              /* and this -1, else 1 */
    int64_t *p, *state, *info, before;
    int n, k, rows, ctas;
    T *far_y;            /* Y while it has no room on the chip; else NULL */
    T *records, *values; /* of CTAs, and of the rows k, k + 1, k + 2; elements of the candidate's column; each of even and of odd exchanges */
    tsl_cuda_message *messages;
    unsigned epoch;

    __device__ T *at(int r, int c) const { return A + (int64_t)r * step + c * lda; }
    __device__ T *y(int r, int c) const { return Y + (int64_t)r * step + c * ldy; }
    __device__ T *w(int r, int c) const { return W + (int64_t)r * step + c * ldw; }
};

template <class T> __host__ __device__ constexpr int64_t record_count() { return 2 * (MOST_CTAS + HEADS - 1) * RECORD; }
template <class T> __host__ __device__ constexpr int64_t value_count() { return 2 * HEADS; }

/* As LAPACK measures elements */
template <class T> __device__ real_t<T> size_of(T a)
{
    if constexpr (is_complex<T>)
        return fabs(a.re) + fabs(a.im);
    else
        return fabs(a);
}

template <class T> __device__ T divided(T a, T b) { return mul(a, inverse(b)); }
template <class T> __device__ T minus(T a, T b)
{
    if constexpr (is_complex<T>)
        return {a.re - b.re, a.im - b.im};
    else
        return a - b;
}

template <bool HERM, class T> __device__ T turned(T a) { return HERM ? conj(a) : a; }
template <bool HERM, class T> __device__ T on_diagonal(T a) { return HERM ? make<T>(re(a)) : a; }

/* An element and its row; row -1: none */
struct largest {
    double size;
    int row;

    /* Of equal ones LAPACK takes the first in memory. */
    __device__ void meet(double other, int at, int step)
    {
        if (at >= 0 && (row < 0 || other > size || (other == size && (step > 0 ? at < row : at > row)))) size = other, row = at;
    }
    __device__ void over_lanes(int step)
    {
#pragma unroll
        for (int bit = 16; bit >= 1; bit /= 2) {
            const double other = __shfl_xor_sync(0xffffffffu, size, bit);
            const int at = __shfl_xor_sync(0xffffffffu, row, bit);
            meet(other, at, step);
        }
        size = __shfl_sync(0xffffffffu, size, 0), row = __shfl_sync(0xffffffffu, row, 0); /* with NaN lanes may differ */
    }
};

/* The block of D of a step, as columns of W are divided by it: L's elements of a row with w1, w2 */
template <class T, bool HERM> struct block {
    T a, b, by;
    int count;

    __device__ block(T d) : a(d), b(d), count(1) { by = is_zero(d) ? d : HERM ? make<T>(1 / re(d)) : inverse(d); }
    __device__ block(T d11, T d21, T d22) : count(2)
    {
        a = divided(d22, d21), b = divided(d11, turned<HERM>(d21));
        by = divided(inverse(minus(on_diagonal<HERM>(mul(a, b)), make<T>(1))), d21);
    }
    __device__ T first(T w1, T w2) const { return count == 1 ? mul(w1, by) : mul(turned<HERM>(by), minus(mul(a, w1), w2)); }
    __device__ T second(T w1, T w2) const { return mul(by, minus(mul(b, w2), w1)); }
};

template <class T> struct shared {
    T w[HEADS][LIMIT + 1], y[HEADS][LIMIT + 1]; /* the rows that all know */
    T of_column[HEADS], of_candidate[HEADS];    /* elements of the two columns in them */
    T diagonal[2], below[2];                    /* of A: (k,k) and (k+1,k), then the same of k + 1 */
    double size[MOST_CTAS];
    int row[MOST_CTAS];
    largest best[WARPS];
    T sums[THREADS];
};

/* Rows of a CTA: elements of two columns, and Y if there is room */
template <class T> __host__ __device__ size_t line_bytes(int rows) { return 2 * (size_t)rows * sizeof(T); }
template <class T> __host__ __device__ size_t y_bytes(int rows, int k) { return (size_t)rows * (k + 1) * sizeof(T); }

template <class T, bool HERM> struct part {
    using R = real_t<T>;
    const panel<T> &p;
    shared<T> &s;
    const int tid, lane, warp, cta, first, mine; /* its rows begin there, so many */
    const int lines, teams;                      /* threads with a row each, how often */
    T *const column, *const candidate, *const Y;
    int exchanges;

    __device__ part(const panel<T> &p_, shared<T> &s_, T *dynamic)
        : p(p_), s(s_), tid(threadIdx.x), lane(tid % 32), warp(tid / 32), cta(blockIdx.x), first(cta * p.rows),
          mine(max(0, min(p.rows, p.n - first))), lines(min(THREADS, (p.rows + 31) / 32 * 32)), teams(THREADS / lines),
          column(dynamic), candidate(dynamic + p.rows),
          Y(p.far_y ? p.far_y + (int64_t)cta * p.rows * (p.k + 1) : dynamic + 2 * p.rows), exchanges(0)
    {
    }

    __device__ bool has(int row) const { return row >= first && row < first + mine; }
    __device__ T &y(int row, int c) const { return Y[(int64_t)c * p.rows + (row - first)]; }

    /* The record of a CTA, or after those the record of row k + h, and elements of the candidate's column */
    __device__ T *record(int i) const { return p.records + (int64_t)((exchanges % 2) * (MOST_CTAS + HEADS - 1) + i) * RECORD; }
    __device__ T *value(int h) const { return p.values + (exchanges % 2) * HEADS + h; }

    /* Rows from k on of column c as k steps leave it; `row` is row c of W. */
    __device__ void make_column(int c, int k, const T *row, T *to);

    /* The largest in the CTA's rows from k on, but one */
    __device__ largest of_rows(const T *of, int k, int but);

    /* Tells x, and what was written before; what the others tell, and the largest of all */
    __device__ largest exchange(largest x);

    /* Row i of W and Y, and its element of the column */
    __device__ void tell_row(T *to, int i, int k);
    __device__ void hear_row(int h, const T *from, int k);

    /* Step k's column, and who is largest below its diagonal */
    __device__ largest try_column(int k);

    /* The candidate's column; the largest in it but its diagonal */
    __device__ double try_candidate(int k, int c);

    /* Rows and columns kk and kp of what is left: the elements with the CTA's rows; then its rows of the columns become L. */
    __device__ void finish(int k, int kp, const block<T, HERM> &d, bool taken);

    /* Row k + count of Y and W, for the next step */
    __device__ void know_next(int k, int kp, const block<T, HERM> &d, bool taken);

    /* How many columns step k takes */
    __device__ int take_step(int k);

    __device__ void clear_column(int c)
    {
        for (int r = tid; r < mine; r += THREADS) y(first + r, c) = *p.w(first + r, c) = make<T>(0);
        if (tid == 0) s.w[0][c] = s.y[0][c] = make<T>(0);
    }

    __device__ void run()
    {
        int k = p.before && __ldcg((const long long *)p.state) ? 1 : 0; /* that column is done */
        if (k) clear_column(0);
        exchange({0, -1}); /* all have read the state */
        exchanges++;
        while (k < p.k) k += take_step(k);
        const bool over = k > p.k;
        if (!over) clear_column(p.k);
        __syncthreads();
        for (int j = 0; j <= p.k; j++)
            for (int r = tid; r < mine; r += THREADS) {
                const int i = first + r;
                const bool done = over && i == p.k; /* it has no row of L, whose place is not even set: zero times that may be NaN */
                if (i >= p.k) *p.y(i, j) = done ? make<T>(0) : y(i, j);
                if (done) *p.w(i, j) = make<T>(0);
            }
        if (tid == 0 && cta == 0) *p.state = over;
    }
};

extern __shared__ __align__(16) unsigned char lasyf_shared[];

template <class T, bool HERM> __global__ __launch_bounds__(THREADS, 1) void factor(const panel<T> p)
{
    __shared__ shared<T> s;
    part<T, HERM>(p, s, (T *)lasyf_shared).run();
}

} // namespace lasyf
} // namespace tsl
#endif
