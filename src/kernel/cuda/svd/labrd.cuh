/* A panel of the reduction to bidiagonal form (core/leaf.h) in one kernel, whose CTAs are on the device together and exchange
 * messages.
 *
 * A, m x n with m >= n, is the matrix as it was before the panel; with the columns before i of V, X, Y and U it is by now A - V
 *   Y^H - X U^H. Column i: a = A(:,i) - V Y(i,:)^H - X U(i,:)^H, and its reflector v, tauq y = tauq (A^H v - Y p - U q), p =
 *   V^H v, q = X^H v, which is column i of Y r = A(i,:)^H - Y V(i,:)^H - U X(i,:)^H with column i among those of Y, and its
 *   reflector u, taup x = taup (A u - V f - X g), f = Y^H u, g = U^H u, which is column i of X
 * An element of r needs one column of A and all of v, and A r is a sum over columns: so a column is multiplied by v, and by its
 * element of r, while it is on the chip, and A is read once. u is r but for its first element, which is 1, and a factor, by
 * which A r and Y^H r are multiplied when it is known. So is V^H a. r may be all rounding errors, where what it is the
 * difference of is far larger. Then another rounding gives another r: A r, Y^H r, its squares and u must be of one, which is
 * made once. What is not normalized must not vanish: the caller brings the largest element of A near one, and a column or row
 * far below that counts as zero.
 *
 * Two exchanges a column:
 *   left   the CTAs have rows: they end x of the column before, have a, and tell sums of squares of it; all make v of those
 *   right  the CTAs have columns: partial sums of A r, r, and sums of squares of r; all make u of those
 * and with each go partial sums of p and q, of f and g. Who tells in an exchange has heard in the one before, and read what was
 * written for that one. So one place is enough for what each of the two exchanges has.
 *
 * A cluster of CTAs shares its columns where these are too long for one: each has rows of them. Sums are added up in an order
 * that depends on the sizes and the number of CTAs alone. */
#ifndef TSL_CUDA_LABRD_CUH
#define TSL_CUDA_LABRD_CUH

#include "kernel/cuda/eig/reflect.cuh"
#include "kernel/cuda/eig/unknown.cuh"
#include "kernel/cuda/exchange.cuh"

namespace tsl {
namespace labrd {

using eig::over_lanes;
using eig::scaled_reflector;
using eig::sum_of_squares;
using eig::thread;
using eig::unknown;

constexpr int LIMIT = 32, WARPS = 16, THREADS = 32 * WARPS, MOST_CLUSTER = 8;
constexpr int VECTORS = 8;                                   /* of 16 bytes, that a thread has of a unit: some of each of its columns */
constexpr int UNIT_BYTES = VECTORS * 16 * THREADS, SLOTS = 3; /* units on the chip */

template <class T> struct panel {
    T *A, *V, *X, *Y, *U, *tauq, *taup;
    real_t<T> *d, *e;
    int64_t lda, ldl, ldr; /* of A; of V and X; of Y and U */
    int m, n, k;
    int ctas, cluster, groups; /* clusters */
    int slots, most;           /* units on the chip; columns of a group, at most */
    int rows, padded;          /* of a column: those that a CTA of a cluster has, and all, in full vectors */
    bool aligned;              /* columns of A begin on 16 bytes */
    real_t<T> by;              /* what B is multiplied by */
    T *a, *part, *dots, *head; /* the column; partial sums of A r; those of p and q, and of f and g; r's first element */
    tsl_cuda_message *messages;
    unsigned epoch;

    __device__ T &at(int r, int c) const { return A[r + c * lda]; }
    __device__ int first_row(int cta) const { return cta * (m / ctas) + min(cta, m % ctas); }
    __device__ int first_column(int group) const { return group * (n / groups) + min(group, n % groups); }
    __device__ T *dots_of(int set, int cta) const { return dots + ((int64_t)set * ctas + cta) * 2 * LIMIT; }
    __device__ bool has_right(int i) const { return i + 1 < n; }
};

/* After it are four numbers of each of the group's columns: of r what does not depend on v, of y what is not A^H v; and
 * both. */
enum { REST_OF_R, REST_OF_Y, R_ITSELF, Y_ITSELF, OF_A_COLUMN };
template <class T> struct alignas(16) shared {
    scaled_reflector<T> h;
    sum_of_squares squares[WARPS];
    T of_row[2][LIMIT]; /* conj of row i of V and X, or i + 1 of Y and U */
    T dot[2][LIMIT];    /* p and q, or f and g */
    union {
        T parts[THREADS];
        T sums[WARPS][2 * LIMIT];
        T products[2][MOST_CLUSTER][WARPS][VECTORS / 2];
    };

    __device__ T *of_columns(int which, int most) { return (T *)(this + 1) + which * most; }
    static size_t bytes(int most) { return sizeof(shared) + OF_A_COLUMN * (size_t)most * sizeof(T); }
};

/* Sums of the tail of a vector for those of its reflector's */
template <class T> __device__ T tail(const scaled_reflector<T> &h, T a) { return h.none ? make<T>(0) : mul(scale(a, h.by), h.inv); }

/* All CTAs' sums of squares, for the first warp */
template <class T> __device__ sum_of_squares hear_squares(const panel<T> &p, int set, int i)
{
    sum_of_squares squares = sum_of_squares::zero();
    tsl::hear_all(p.messages, set, p.ctas, p.epoch + 2 * i + set, [&](double value, unsigned exponent) { squares.merge({value, (int)exponent}); });
    squares.merge_lanes();
    return squares;
}

/* What is less than 2^LEAST beside one vanishes: its products may. */
template <class T> __device__ scaled_reflector<T> reflector_of(T alpha, const sum_of_squares &squares)
{
    constexpr int LEAST = 1023 + std::numeric_limits<real_t<T>>::min_exponent * 7 / 8;
    const bool vanishes = squares.exponent < LEAST;
    scaled_reflector<T> h(alpha, vanishes ? sum_of_squares::zero() : squares);
    if (vanishes) h.inv = make<T>(0);
    return h;
}

/* A thread has every LANES-th of the columns of a row of two matrices: V and X, or Y and U. A row of -1 is none. */
constexpr int LANES = 8, EACH = LIMIT / LANES, ROWS = THREADS / LANES;
template <class T> struct two_rows {
    T first[EACH], second[EACH];
    const int slot;

    __device__ explicit two_rows(int lane) : slot(lane / (32 / LANES)) {}

    __device__ void load(const T *F, const T *S, int64_t ld, int row, int of_first, int of_second)
    {
#pragma unroll
        for (int e = 0; e < EACH; e++) {
            const int c = slot + LANES * e;
            first[e] = row >= 0 && c < of_first ? far(F + row + c * ld) : make<T>(0);
            second[e] = row >= 0 && c < of_second ? far(S + row + c * ld) : make<T>(0);
        }
    }

    /* The thread's part of the row's product */
    __device__ T times(const T (&by)[2][LIMIT]) const
    {
        T sum = make<T>(0);
#pragma unroll
        for (int e = 0; e < EACH; e++) sum = add_mul(add_mul(sum, first[e], by[0][slot + LANES * e]), second[e], by[1][slot + LANES * e]);
        return sum;
    }

    static __device__ T total(T part) { return over_lanes(part, 16, 32 / LANES); }
};

/* Sums over rows of two_rows, conjugated, times a number of the row */
template <class T> struct column_sums {
    T first[EACH], second[EACH];

    __device__ column_sums()
    {
#pragma unroll
        for (int e = 0; e < EACH; e++) first[e] = second[e] = make<T>(0);
    }

    __device__ void take(const two_rows<T> &r, T by)
    {
#pragma unroll
        for (int e = 0; e < EACH; e++) {
            first[e] = add_mul<true>(first[e], r.first[e], by);
            second[e] = add_mul<true>(second[e], r.second[e], by);
        }
    }

    /* Into the CTA's place of p.dots; the sums of squares with them, which end the CTA's part of an exchange */
    __device__ void tell_with(const panel<T> &p, shared<T> &s, sum_of_squares squares, int set, int i)
    {
        const int tid = thread(), lane = tid % 32, warp = tid / 32, slot = lane / (32 / LANES);
        __syncthreads();
#pragma unroll
        for (int e = 0; e < EACH; e++) {
            const T a = over_lanes(first[e], 16 / LANES), b = over_lanes(second[e], 16 / LANES);
            if (lane % (32 / LANES) == 0) s.sums[warp][slot + LANES * e] = a, s.sums[warp][LIMIT + slot + LANES * e] = b;
        }
        squares.merge_lanes();
        if (lane == 0) s.squares[warp] = squares;
        __syncthreads();
        if (tid < 2 * LIMIT) {
            T sum = make<T>(0);
#pragma unroll
            for (int w = 0; w < WARPS; w++) sum = add(sum, s.sums[w][tid]);
            p.dots_of(set, blockIdx.x)[tid] = sum;
        }
        __syncthreads();
        if (warp == 0) {
            squares = lane < WARPS ? s.squares[lane] : sum_of_squares::zero();
            squares.merge_lanes();
            if (lane == 0) tell(p.messages, set, p.epoch + 2 * i + set, squares.sum, (unsigned)squares.exponent);
        }
    }
};

/* Sums of what the CTAs, or groups, have: of `count` numbers at a distance the thread has every step-th, of 160 as many as if
 * that were STEP. All loads are under way at once. */
template <class T, int STEP> struct spread {
    static constexpr int EACH = MOST_CTAS / STEP;
    T v[EACH];

    __device__ void load(const T *from, int64_t distance, int first, int step, int count, bool wanted)
    {
#pragma unroll
        for (int e = 0; e < EACH; e++) {
            const int at = first + step * e;
            v[e] = wanted && at < count ? far(from + at * distance) : make<T>(0);
        }
    }
    __device__ T sum() const
    {
        T s = v[0];
#pragma unroll
        for (int e = 1; e < EACH; e++) s = add(s, v[e]);
        return s;
    }
};

/* What all need of an exchange: the reflector; of the row of two_rows that has its one, and which it begins with, conj; of the
 * sums those of the reflector. first() is called when all have told, before anything is waited for, then() when registers are
 * free again. Call after one barrier and before another. */
template <class T, class F, class G>
__device__ void hear_all(const panel<T> &p, shared<T> &s, int set, int i, const T *alpha, const T *A, const T *B, int64_t ld,
                         int row, int of_first, int of_second, F first, G then)
{
    constexpr int SLOTS_OF_SUM = 16;
    static_assert(2 * (THREADS / (2 * LIMIT)) * (MOST_CTAS / SLOTS_OF_SUM) >= MOST_CTAS, "two loads are enough");
    const int tid = thread(), all = of_first + of_second, slots = min(SLOTS_OF_SUM, THREADS / max(all, 1));
    const int slot = tid / max(all, 1), number = tid - slot * all,
              c = number < of_first ? number : number - of_first + LIMIT; /* the thread's part of a sum */
    sum_of_squares squares = sum_of_squares::zero();
    if (tid < 32) squares = hear_squares(p, set, i);
    __syncthreads();
    spread<T, SLOTS_OF_SUM> part;
    const T *const from = p.dots_of(set, 0) + c;
    const bool adds = number < all && slot < slots;
    part.load(from, 2 * LIMIT, slot, slots, p.ctas, adds);
    T own = tid < all ? conj(far((c < LIMIT ? A : B) + row + c % LIMIT * ld)) : make<T>(0);
    first();
    if (tid == 0) s.h = reflector_of(far(alpha), squares);
    T sum = part.sum();
    if (slots * part.EACH < p.ctas) {
        part.load(from, 2 * LIMIT, slot + slots * part.EACH, slots, p.ctas, adds);
        sum = add(sum, part.sum());
    }
    if (adds) s.parts[slot * all + number] = sum;
    then();
    if (tid < 2 * LIMIT) s.of_row[tid / LIMIT][tid % LIMIT] = s.dot[tid / LIMIT][tid % LIMIT] = make<T>(0);
    __syncthreads();
    if (tid < all) {
        sum = make<T>(0);
#pragma unroll
        for (int b = 0; b < SLOTS_OF_SUM; b++)
            if (b < slots) sum = add(sum, s.parts[b * all + tid]);
        s.of_row[c / LIMIT][c % LIMIT] = own;
        s.dot[c / LIMIT][c % LIMIT] = add(own, tail(s.h, sum));
    }
}

} // namespace labrd
} // namespace tsl
#endif
