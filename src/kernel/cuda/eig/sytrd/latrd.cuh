/* A panel of the reduction to tridiagonal form (core/leaf.h) in one kernel, whose CTAs are on the device together and exchange
 * messages. The upper triangle is the lower one of the matrix with rows and columns in reverse order: all below is of the lower
 * one, and reverse order is a matter of strides.
 *
 * Column j has its diagonal element in row j and the one of its reflector v in row j + 1. Y and W are the columns before it; A
 * is the matrix as it was before the panel. Two exchanges a column:
 *   columns the warps have rows of a = A(:,j) - Y W(j,:)^H - W Y(j,:)^H and the CTAs tell sums of squares of it; all make the
 *   reflector of those
 *   products the warps have runs of the elements of p = W^H v and q = Y^H v; then the CTAs have tiles of A below the diagonal,
 *             each read once and used for both halves: partial sums of A v. They tell their part of v^H A v
 * Then for the rows of a warp w = A v - Y p - W q, and W(:,j) = tau w - |tau|^2 (w^H v) v / 2, where w^H v = v^H A v - 2 Re q^H
 * p; and from that the next a. What all need of rows j + 1 and j + 2 each CTA works out for itself.
 *
 * Who tells in an exchange has heard in the one before, and read what was written for that one. So one place a CTA is enough
 * for the messages of each of the two exchanges, as well as for partial sums; a is read in both and has a place for even and
 * for odd columns. An element (j + 1, j + 1) or in column j of A is written after all have told their products: by then nothing
 * needs what was there but who writes it.
 *
 * Sums are added up in an order that depends on the sizes and the number of CTAs alone. A thread has as many registers as there
 * are, which hold the loads that are under way: what spills would wait for each load. */
#ifndef TSL_CUDA_LATRD_CUH
#define TSL_CUDA_LATRD_CUH

#include "kernel/cuda/eig/reflect.cuh"
#include "kernel/cuda/eig/unknown.cuh"
#include "kernel/cuda/exchange.cuh"

namespace tsl {
namespace latrd {

using eig::over_lanes;
using eig::real_dot;
using eig::scaled_reflector;
using eig::sum_of_squares;
using eig::thread;
using eig::unknown;

constexpr int LIMIT = 64;
constexpr int WARPS = 8, THREADS = 32 * WARPS;
constexpr int RUNS = 8; /* of an element of p or q */
constexpr int MOST_BLOCKS = 2048;

template <class T> struct panel {
    T *A, *Y, *W, *tau;
    real_t<T> *d, *e;
    int64_t lda, ldy, ldw; /* of reverse order: negative, */
    int step;              /* and this -1, else 1 */
    int n, k, reflectors, ctas;
    int blocks, slots, units; /* the triangle in tiles of a shape: rows of them, partial sums of such a row, and units */
    bool aligned;             /* the first V rows of a column are 16 aligned bytes */
    T *a, *part, *dots;       /* a of even and of odd columns; partial sums of A v; those of p and q */
    tsl_cuda_message *messages;
    unsigned epoch;

    __device__ T &at(int r, int c) const { return A[(int64_t)r * step + c * lda]; }
    __device__ T &y(int r, int c) const { return Y[(int64_t)r * step + c * ldy]; }
    __device__ T &w(int r, int c) const { return W[(int64_t)r * step + c * ldw]; }
    __device__ T *column(int j) const { return a + (int64_t)(j % 2) * n; }

    /* The partial sums of a block of B rows: first those of runs of units in its row, one a CTA, then those of the tiles in its
     * column. */
    __device__ T *parts(int block, int i, int B) const { return part + ((int64_t)block * slots + i) * B; }

    /* The CTAs have equally many units, in the order of a triangle's rows; the first ones one more, if need be. */
    __device__ int first_unit(int cta) const { return cta * (units / ctas) + min(cta, units % ctas); }
    __device__ int cta_of(int unit) const
    {
        const int each = units / ctas, more = units % ctas, end = more * (each + 1);
        return unit < end ? unit / (each + 1) : more + (unit - end) / each;
    }
};

/* A warp takes G columns of 32 K rows at a time, of a tile of order B: a unit is that of all warps. A lane has V rows that are
 * neighbours. */
template <int K_, int G_, int V_ = 1> struct shape {
    static constexpr int K = K_, G = G_, V = V_, B = 32 * K, STEPS = B / (WARPS * G);
    static_assert(STEPS * WARPS * G == B && B <= THREADS && K % V == 0, "");
    /* Partial sums of a block: a CTA has a tile at least, or else there are 17 blocks at most and a CTA for each unit. */
    static constexpr int slots(int blocks) { return blocks + 17 * STEPS; }
    static_assert(18 * 19 / 2 > MOST_CTAS, "");
    __host__ __device__ static constexpr int units_above(int block) { return block * (block + 1) / 2 * STEPS; }
};

/* A unit: the tile's place, and which one of the tile */
struct place {
    int r, c, step;
};

template <class T, class S> struct shared {
    panel<T> job;
    scaled_reflector<T> h;
    sum_of_squares squares[WARPS];
    double energy[WARPS], total;  /* v^H A v */
    T of_y[LIMIT], of_w[LIMIT];   /* conj(W(j + 1,:)), conj(Y(j + 1,:)) */
    T p[LIMIT], q[LIMIT];
    T top_w, alpha;               /* W(j + 1,j), and a of the next column in row j + 2 */
    real_t<T> shift, diagonal[2]; /* -|tau|^2 (w^H v) / 2; A's in rows j + 1 and j + 2 */
    place first, last;            /* of the CTA's units */
    T x[WARPS][S::G];             /* v of the columns that a warp is at */
    T rows[S::B];                 /* and of the tile's rows */
    T sums[WARPS][S::B];
    unsigned short row_parts[MOST_BLOCKS]; /* how many partial sums there are of the tiles in a row */
};

} // namespace latrd
} // namespace tsl
#endif
