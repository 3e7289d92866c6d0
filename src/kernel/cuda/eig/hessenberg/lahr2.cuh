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
    __device__ T times(const T *X, int64_t ld, int row)
    {
        T sum = make<T>(0);
        if (row < end)
            for (int c = warp; c < j; c += WARPS) sum = add_mul(sum, X[row + c * ld], s.by[c]);
        s.sums[warp][lane] = sum;
        __syncthreads();
        if (warp == 0)
            for (int w = 1; w < WARPS; w++) sum = add(sum, s.sums[w][lane]);
        __syncthreads();
        return sum;
    }

    /* s.dots += V^H of 32 rows of the CTA times s.own */
    __device__ void add_dots(int row)
    {
        for (int c = warp; c < j; c += WARPS) {
            const T v = row < end ? p.V[row + c * p.ldv] : make<T>(0),
                    sum = over_lanes(row < end ? add_mul<true>(make<T>(0), v, s.own[lane]) : make<T>(0));
            if (lane == 0) s.dots[c] = add(s.dots[c], sum);
        }
    }
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
    __device__ void hear_dots(const T *from, int exchange)
    {
        if (warp == 0) hear_all(p.messages, exchange, p.ctas, p.epoch(j, exchange), [](double, unsigned) {});
        __syncthreads();
        for (int c = warp; c < j; c += WARPS) {
            T sum = make<T>(0);
            for (int i = lane; i < p.ctas; i += 32) sum = add(sum, far(from + c * MOST_CTAS + i));
            sum = over_lanes(sum);
            if (lane == 0) s.dots[c] = sum;
        }
        __syncthreads();
    }

    __device__ void column()
    {
        if (tid < j) s.by[tid] = conj(far(p.V + j - 1 + tid * p.ldv));
        clear_dots();
        for (int row = begin + lane; row - lane < end; row += 32) {
            const T product = times(p.Y, p.ldy, row);
            if (warp == 0) {
                const T a = row < end ? add(p.A[row + j * p.lda], scale(product, real_t<T>(-1))) : make<T>(0);
                s.own[lane] = a;
                if (row < end) p.a[row] = a;
            }
            __syncthreads();
            add_dots(row);
            __syncthreads();
        }
        tell_dots(p.va, 0);
    }

    __device__ void left()
    {
        hear_dots(p.va, 0);
        if (tid < j) {
            T sum = make<T>(0);
            for (int i = 0; i <= tid; i++) sum = add_mul<true>(sum, s.tri[tid][i], s.dots[i]);
            s.by[tid] = sum;
        }
        __syncthreads();
        sum_of_squares squares = sum_of_squares::zero();
        for (int row = begin + lane; row - lane < end; row += 32) {
            const T product = times(p.V, p.ldv, row);
            if (warp == 0 && row < end) {
                const T a = add(p.a[row], scale(product, real_t<T>(-1)));
                p.a[row] = a;
                if (row < j) p.A[row + j * p.lda] = a;
                if (row > j) squares.take(a);
            }
        }
        if (warp == 0) squares.merge_lanes();
        tell(1, squares.sum, (unsigned)squares.exponent);
    }

    __device__ void hear_reflector()
    {
        if (warp == 0) {
            sum_of_squares squares = sum_of_squares::zero();
            hear_all(p.messages, 1, p.ctas, p.epoch(j, 1), [&](double value, unsigned exponent) { squares.merge({value, (int)exponent}); });
            squares.merge_lanes();
            const scaled_reflector<T> h(far(p.a + j), squares);
            if (lane == 0) s.h = h;
            if (tid == 0 && blockIdx.x == 0) p.tau[j] = h.tau;
        }
        __syncthreads();
    }
    __device__ T element(T a, int row) const { return s.h.element(a, row, j - 1); }

    /* The CTA's rows of v, and what it has of V^H v */
    __device__ void reflector_rows()
    {
        clear_dots();
        for (int row = begin + lane; row - lane < end; row += 32) {
            if (warp == 0) {
                const T v = row < end ? element(p.a[row], row) : make<T>(0);
                s.own[lane] = v;
                if (row < end) p.V[row + j * p.ldv] = v;
                if (row < end && row >= j) p.A[row + j * p.lda] = row == j ? make<T>(s.h.beta) : v;
            }
            __syncthreads();
            add_dots(row);
            __syncthreads();
        }
    }

    /* Rows of a block times v, groups from .. to of columns: for the lanes, of which each has K rows. Odd columns go backward,
     * because what was read last may still be in L2. */
    __device__ void tile(int block, int from, int to, T (&y)[K]) const
    {
        constexpr int EACH = sizeof(T) > 8 ? 4 : 8; /* columns under way */
        const int row = block * B + lane, count = to - from;
        const T *rows[K];
#pragma unroll
        for (int i = 0; i < K; i++) rows[i] = p.A + min(row + 32 * i, p.m - 1), y[i] = make<T>(0);
        for (int g = 0; g < count; g += EACH) { /* first all loads; past the end the last element again, times zero */
            T x[EACH], v[EACH][K];
            int at[EACH];
#pragma unroll
            for (int e = 0; e < EACH; e++) {
                const int group = min(g + e, count - 1), column = j + (j % 2 ? to - 1 - group : from + group) * WARPS + warp;
                at[e] = g + e < count && column < p.m ? column : -1;
                x[e] = far(p.a + min(column, p.m - 1));
#pragma unroll
                for (int i = 0; i < K; i++) v[e][i] = far(rows[i] + (int64_t)(min(column, p.m - 1) + 1) * p.lda);
            }
#pragma unroll
            for (int e = 0; e < EACH; e++) {
                const T by = at[e] < 0 ? make<T>(0) : element(x[e], at[e]);
#pragma unroll
                for (int i = 0; i < K; i++) y[i] = add_mul(y[i], v[e][i], by);
            }
        }
    }

    __device__ void product()
    {
        const shares all(p.blocks, p.m - j, p.ctas);
        const int64_t first = all.first(blockIdx.x), last = all.first(blockIdx.x + 1);
        const int low = (int)(first / all.groups), count = first < last ? (int)((last - 1) / all.groups) - low + 1 : 0;
        for (int i = 0; i < count; i++) {
            const int block = j % 2 ? low + count - 1 - i : low + i;
            const int64_t start = (int64_t)block * all.groups;
            T y[K];
            tile(block, (int)(max(first, start) - start), (int)(min(last, start + all.groups) - start), y);
#pragma unroll
            for (int r = 0; r < K; r++) s.sums[warp][lane + 32 * r] = y[r];
            __syncthreads();
            if (tid < B) {
                T sum = s.sums[0][tid];
                for (int w = 1; w < WARPS; w++) sum = add(sum, s.sums[w][tid]);
                p.part[((int64_t)block * p.slots + (blockIdx.x - all.cta_of(start))) * B + tid] = sum;
            }
            __syncthreads();
        }
        tell_dots(p.vv, 2);
    }

    __device__ T sum_of_parts(const shares &all, int row) const
    {
        const int block = row / B;
        const int64_t start = (int64_t)block * all.groups;
        const int parts = all.cta_of(start + all.groups - 1) - all.cta_of(start) + 1;
        T sum = make<T>(0);
        for (int i = 0; i < parts; i++) sum = add(sum, far(p.part + ((int64_t)block * p.slots + i) * B + row % B));
        return sum;
    }

    __device__ void finish()
    {
        const shares all(p.blocks, p.m - j, p.ctas);
        hear_dots(p.vv, 2);
        const T tau = s.h.tau;
        if (tid < j) s.by[tid] = s.dots[tid];
        T above = make<T>(0);
        if (tid < j)
            for (int i = tid; i < j; i++) above = add_mul(above, s.tri[i][tid], s.dots[i]);
        __syncthreads();
        if (tid <= j) {
            const T t = tid < j ? scale(mul(tau, above), real_t<T>(-1)) : tau;
            s.tri[j][tid] = t;
            if (blockIdx.x == 0) p.tri[tid + j * p.ldt] = t;
        }
        if (blockIdx.x == 0 && tid > j && tid < p.k) p.tri[tid + j * p.ldt] = make<T>(0);
        for (int row = begin + lane; row - lane < end; row += 32) {
            const T product = times(p.Y, p.ldy, row);
            if (warp == 0 && row < end) p.Y[row + j * p.ldy] = mul(tau, add(sum_of_parts(all, row), scale(product, real_t<T>(-1))));
        }
        __syncthreads();
    }

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
