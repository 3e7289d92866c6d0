/* A panel of the reduction to Hessenberg form (core/leaf.h) in one kernel, whose CTAs are on the device together and exchange
 * messages.
 *
 * Column j of A has the one of its reflector v in row j. V, Y = A V T and T are of the columns before it, A is the matrix as it
 * was before the panel. Three exchanges a column:
 *   column    a = A(:,j) - Y V(j-1,:)^H; the CTAs tell their parts of V^H a
 *   left a := a - V T^H (V^H a): rows before j are elements of H; the CTAs tell sums of squares of those after j, and all make
 *   the reflector of these
 *   product   the CTAs have parts of A, each read once: partial sums of A v; and they tell their parts of V^H v
 * Then Y(:,j) = tau (A v - Y (V^H v)), and T(:,j) = -tau T (V^H v), tau.
 *
 * A CTA has rows of its own of a, V and Y, one after the other. Who tells in an exchange has heard in the one before, and read
 * what was written for that one: so one place is enough for what is told in each. Sums are added up in an order that depends on
 * the sizes and the number of CTAs alone. */
#ifndef TSL_CUDA_LAHR2_CUH
#define TSL_CUDA_LAHR2_CUH

#include "kernel/cuda/eig/sytrd/latrd.cuh"

namespace tsl {
namespace lahr2 {

using eig::over_lanes;
using eig::scaled_reflector;
using eig::sum_of_squares;

constexpr int LIMIT = 32; /* columns of a panel: a lane has one */
constexpr int WARPS = 16, THREADS = 32 * WARPS;
constexpr int K = 2, B = 32 * K; /* rows of a lane, and of a tile */

template <class T> struct panel {
    T *A, *V, *Y, *tri, *tau;
    int64_t lda, ldv, ldy, ldt;
    int m, k;             /* rows; columns of the panel */
    int blocks, slots;    /* of B rows, and how many partial sums a row has at most */
    T *a, *part, *va, *vv; /* the column; partial sums of A v; those of V^H a and V^H v, of each element one for each CTA */
    int ctas;
    tsl_cuda_message *messages;
    unsigned first_epoch;

    __device__ unsigned epoch(int j, int exchange) const { return first_epoch + 3 * j + exchange; }
    __device__ int first_row(int cta) const { return (int)((int64_t)m * cta / ctas); }
};

/* The product's parts: groups of WARPS columns of each block of rows, in the order of these, equally many for each CTA */
struct shares {
    int groups, ctas;
    int64_t all;

    __device__ shares(int blocks, int columns, int ctas_) : groups((columns + WARPS - 1) / WARPS), all((int64_t)blocks * groups)
    {
        ctas = (int)min((int64_t)ctas_, all);
    }
    __device__ int64_t first(int cta) const { return all * min(cta, ctas) / ctas; }
    __device__ int cta_of(int64_t part) const { return (int)(((part + 1) * ctas - 1) / all); }
};

template <class T> struct shared {
    scaled_reflector<T> h;
    sum_of_squares squares[WARPS];
    T tri[LIMIT][LIMIT + 1]; /* T, by columns */
    T by[LIMIT], dots[LIMIT];
    T own[32];               /* a, or v, in rows of the CTA */
    T sums[WARPS][B];
};

template <class T> struct step {
    shared<T> &s;
    const panel<T> &p;
    const int j, tid, warp, lane, begin, end; /* the CTA's rows */

    __device__ step(shared<T> &s_, const panel<T> &p_, int j_)
        : s(s_), p(p_), j(j_), tid((int)threadIdx.x), warp(tid / 32), lane(tid % 32), begin(p.first_row(blockIdx.x)), end(p.first_row(blockIdx.x + 1))
    {
    }

    /* The product of a row of X, n x j, with s.by: for the lanes of the first warp, of which each has a row */
    __device__ T times(const T *X, int64_t ld, int row);

    /* s.dots += V^H of 32 rows of the CTA times s.own */
    __device__ void add_dots(int row);

    __device__ void clear_dots()
    {
        if (tid < LIMIT) s.dots[tid] = make<T>(0);
        __syncthreads();
    }
    __device__ void tell_dots(T *to, int exchange)
    {
        __syncthreads();
        if (tid < j) to[tid * MOST_CTAS + blockIdx.x] = s.dots[tid];
        tell(exchange, 0, 0);
    }
    __device__ void tell(int exchange, double value, unsigned number)
    {
        __syncthreads();
        if (tid == 0) tsl::tell(p.messages, exchange, p.epoch(j, exchange), value, number);
    }

    /* What all CTAs have told, in s.dots */
    __device__ void hear_dots(const T *from, int exchange);
    __device__ void column();
    __device__ void left();
    __device__ void hear_reflector();
    __device__ T element(T a, int row) const { return s.h.element(a, row, j - 1); }

    /* The CTA's rows of v, and what it has of V^H v */
    __device__ void reflector_rows();

    /* Rows of a block times v, groups from .. to of columns: for the lanes, of which each has K rows. Odd columns go backward,
     * because what was read last may still be in L2. */
    __device__ void tile(int block, int from, int to, T (&y)[K]) const;
    __device__ void product();
    __device__ T sum_of_parts(const shares &all, int row) const;
    __device__ void finish();

    __device__ void run()
    {
        column();
        left();
        hear_reflector();
        reflector_rows();
        product();
        finish();
    }
};

} // namespace lahr2
} // namespace tsl
#endif
