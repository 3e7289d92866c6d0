/* A panel of QR with column pivoting (core/leaf.h) in one kernel, whose CTAs are on the device together and exchange messages.
 * What is right of the panel is changed afterwards, A := A - V F^H; of its rows that the panel has passed, R, each is made in
 * its step. In a step
 *   column each CTA, for some rows: columns j and p, the longest, are exchanged, and column j as all steps before leave it: a -
 *   V conj(F(p,:)). Squares are told
 *   dots     each warp, for some columns c: A(:,c)^H v, which makes F(c,j), and V^H v; v is the reflector
 *   lengths  each CTA, for its own columns: F(c,j), the row j of R, and how long what is below it is; the longest is told.
 * Lengths are downdated, as LAPACK does; where that has lost half of the digits a column is measured: as the steps so far leave
 * it, which takes a product with V. So no panel ends early. Column j becomes v in the next step, when all have read it. */
#ifndef TSL_CUDA_LAQPS_CUH
#define TSL_CUDA_LAQPS_CUH

#include "kernel/cuda/qrp/laqp2.cuh"

namespace tsl {
namespace laqps {

using laqp2::length_of;
using laqp2::longest;
using laqp2::squared;

constexpr int LIMIT = 64, WARPS = 16, THREADS = 32 * WARPS, AT_ONCE = 2, BATCH = 4, OWN = 64, PARTS = THREADS / OWN;
static_assert(MOST_CTAS <= THREADS, "a thread listens to a CTA");

template <class T> struct problem {
    T *A, *F, *tau, *aux; /* aux: V^H v */
    int64_t lda, ldf, *q;
    double *length, *before; /* of columns: now, and when they were measured last */
    int m, n, k, ctas, rows, width; /* of a CTA: rows, columns */
    bool staged; /* v has room on the chip */
    tsl_cuda_message *messages;
    unsigned epoch;

    __device__ T *at(int64_t r, int64_t c) const { return A + r + c * lda; }
    __device__ T *f(int64_t c, int64_t j) const { return F + c + j * ldf; }
};

template <class T> struct shared {
    double word[MOST_CTAS];
    int high[MOST_CTAS];
    eig::scaled_reflector<T> h;
    T row[LIMIT], aux[LIMIT]; /* F(p,:), then row j of V; V^H v */
    T sums[2][PARTS][OWN];
    eig::sum_of_squares squares[WARPS];
    double measured[WARPS][AT_ONCE];
    longest best[2]; /* of the CTA's columns, by its first two warps */
    int list[OWN], count;
};

template <class T> struct part {
    const problem<T> &p;
    shared<T> &s;
    T *const v;
    const int tid, lane, warp, cta, first_row, end_row, first, end;
    int exchanges;

    __device__ part(const problem<T> &p_, shared<T> &s_, T *v_)
        : p(p_), s(s_), v(v_), tid(threadIdx.x), lane(tid % 32), warp(tid / 32), cta(blockIdx.x), first_row(cta * p.rows),
          end_row(min(p.m, first_row + p.rows)), first(cta * p.width), end(min(p.n, first + p.width)), exchanges(0)
    {
    }

    /* Tells a number and a word, and hears those of all; what was written before is seen after it. */
    __device__ void exchange(double word, int high)
    {
        const int set = exchanges % 2;
        const unsigned epoch = p.epoch + exchanges++;
        __syncthreads();
        if (tid == 0) tell(p.messages, set, epoch, word, (unsigned)high);
        if (tid < p.ctas) {
            const told x = hear(p.messages, set, tid, epoch);
            s.word[tid] = x.value, s.high[tid] = (int)x.number;
        }
        __syncthreads();
    }

    /* The longest of all: its column */
    __device__ int find_longest(longest own);

    /* v, for rows of the CTA: what column j - 1 is to become */
    __device__ T finished(int r, int j) const;

    /* The last column := its reflector; columns j and with exchanged; column j as it is now. A thread has a row. */
    __device__ void make_column(int j, int with);
    __device__ void make_reflector(int j);
    __device__ T of_v(int r, int j) const { return p.staged ? v[r - j] : s.h.element(far(p.at(r, j)), r, j - 1); }

    /* A(:,c)^H v of all columns but j, AT_ONCE of them by a warp */
    __device__ void make_dots(int j);

    /* Columns first + from .. of the CTA, OWN at most: F and R in column j's step, lengths; the longest of them is met by
     * own. */
    __device__ void follow(int from, int j, int with, bool last, longest &own);

    /* The lengths of columns c and d below row j, as all steps leave them */
    __device__ void measure_anew(int c, int d, int j, longest &own);

    /* Which of the CTA's columns is the longest; own is known by the first OWN threads. */
    __device__ longest longest_of(longest own);
    __device__ int first_lengths();

    __device__ void run()
    {
        int with = first_lengths();
        for (int j = 0; j < p.k; j++) {
            if (tid == 0 && cta == 0 && with != j) {
                const int64_t q = __ldcg((const long long *)p.q + with);
                p.q[with] = __ldcg((const long long *)p.q + j), p.q[j] = q;
            }
            make_column(j, with);
            make_reflector(j);
            make_dots(j);
            for (int l = tid; l < j; l += THREADS) s.aux[l] = far(p.aux + l), s.row[l] = far(p.at(j, l));
            __syncthreads();
            longest own = {0, -1, -1};
            for (int from = first; from < end; from += OWN) follow(from, j, with, j + 1 == p.k, own);
            with = find_longest(longest_of(own));
        }
        for (int r = first_row + tid; r < end_row; r += THREADS) *p.at(r, p.k - 1) = finished(r, p.k);
    }
};

extern __shared__ __align__(16) unsigned char laqps_shared[];

template <class T> __global__ __launch_bounds__(THREADS, 1) void factor(const __grid_constant__ problem<T> p)
{
    __shared__ shared<T> s;
    part<T>(p, s, (T *)laqps_shared).run();
}

} // namespace laqps
} // namespace tsl
#endif
