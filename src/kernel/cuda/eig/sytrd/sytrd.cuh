/* Reduction to tridiagonal form (core/leaf.h) in one kernel. The matrix, both halves of it, stays on the chip: a CTA has every
 * P-th column in its shared memory, P being the number of CTAs, and what is left over in workspace. There is one exchange a
 * column. The upper triangle is the lower one of the matrix with rows and columns in reverse order: a matter of strides.
 *
 * Before step j each CTA has the whole column j of the matrix as the steps before have left it, the same bits in all. All make
 * the reflector of it, I - tau v v^H. Then for their own columns k > j they
 *   subtract what step j - 1 changes, v w_k^* + w v_k^* with the v and w of that step, and form p_k = A(:,k)^H v in the same
 *   pass tell p_k, and the element (k, j + 1), which is their column's in row j + 1, conjugated
 * With what the others tell all have p = A v and column j + 1 as step j - 1 has left it. So w = tau p - |tau|^2 (p^H v) v / 2,
 * and column j + 1 as step j leaves it.
 *
 * A CTA takes part in step j if it has a column after j, and hears of step j if it takes part in step j + 1. So who hears of
 * step j also tells of step j + 1, and only after it has heard. Who tells of step j + 2 has heard of step j + 1 from all of
 * them: the messages of two steps ago are read, and their place is free. There are two places for each element. In one of them
 * a message of two steps ago or a new one can be found, so that one bit tells which: the last one of p's. The CTA with the
 * column after j writes what becomes of column j, in step 0 after it has heard: all have read the matrix by then. */
#ifndef TSL_CUDA_SYTRD_CUH
#define TSL_CUDA_SYTRD_CUH

#include "kernel/cuda/eig/reflect.cuh"
#include "kernel/cuda/eig/sytrd/sytrd_mail.cuh"

namespace tsl {
namespace sytrd {

using eig::over_lanes;
using eig::real_dot;
using eig::scaled_reflector;
using eig::sum_of_squares;

template <class T> struct job {
    T *A, *tau;
    real_t<T> *d, *e;
    int64_t lda; /* of reverse order: negative, */
    int step;    /* and this -1, else 1 */
    int n;
    T *rest;     /* the first columns of the CTAs, of each so many: */
    int spilled;
    tsl_cuda_message *messages; /* zeros */

    __device__ T &at(int r, int c) const { return A[(int64_t)r * step + c * lda]; }
};

/* Columns of the first CTA, which has no fewer than others; and what a CTA has in shared memory beside columns */
__host__ __device__ inline int most_columns(int n, int ctas) { return (n + ctas - 1) / ctas; }
template <class T, int WARPS> __host__ __device__ size_t bytes_beside(int columns) { return (size_t)(WARPS + 3) * columns * sizeof(T); }

template <class T, int WARPS> struct shared {
    double norm[WARPS], product[WARPS];
    sum_of_squares squares[WARPS];
    T alpha, top; /* the column's, and p's, in row j + 1 */
};

/* One number of each warp */
template <int WARPS> __device__ double over_warps(const double (&x)[WARPS])
{
    double sum[4] = {0, 0, 0, 0};
#pragma unroll
    for (int w = 0; w < WARPS; w++) sum[w % 4] += x[w];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* Sums of squares with which a reflector can be made as they are */
template <class R> constexpr double LEAST = sizeof(R) > 4 ? 0x1p-900 : 0x1p-80;
template <class R> constexpr double MOST = sizeof(R) > 4 ? 0x1p900 : 0x1p80;
template <class R> constexpr R MOST_ALPHA = sizeof(R) > 4 ? R(0x1p450) : R(0x1p40);

template <class T> constexpr int GROUP = sizeof(T) > 8 ? 2 : sizeof(T) > 4 ? 4 : 8; /* columns at a time */

/* A CTA's part. Its thread t has the rows t, t + THREADS, .. of all columns and vectors. */
template <class T, int WARPS, int EACH> struct part {
    using R = real_t<T>;
    static constexpr int THREADS = 32 * WARPS, G = GROUP<T>;

    const job<T> &p;
    shared<T, WARPS> &s;
    const int tid, lane, warp, n, ctas, first, mine, last;
    T *const sums, *const next, *const own_v, *const own_w, *const held;  /* for each own column: p by warps, row j + 1, the v
                                                                             and w of step j - 1 there */
    int own[EACH];                                                        /* the row's number among the own columns; -1: it is none */
    T a[EACH], v[EACH], w[EACH];                                          /* column j, then its v; v and w of step j - 1 */

    __device__ part(const job<T> &p_, shared<T, WARPS> &s_, T *dynamic)
        : p(p_), s(s_), tid(threadIdx.x), lane(tid % 32), warp(tid / 32), n(p.n), ctas(gridDim.x), first(blockIdx.x),
          mine((n - first + ctas - 1) / ctas), last(first + mine * ctas - ctas == n - 1 ? n : first + mine * ctas - ctas),
          sums(dynamic), next(sums + WARPS * most_columns(n, ctas)), own_v(next + most_columns(n, ctas)),
          own_w(own_v + most_columns(n, ctas)), held(own_w + most_columns(n, ctas))
    {
    }

    __device__ int row_of(int i) const { return tid + THREADS * i; }
    __device__ T *spilled() const { return p.rest + (int64_t)first * p.spilled * n; }
    __device__ T *column(int c) const { return c < p.spilled ? spilled() + (int64_t)c * n : held + (int64_t)(c - p.spilled) * n; }

    __device__ void load();

    /* Of column j, with what the pass needs of step j - 1 */
    __device__ scaled_reflector<T> reflect(int j);
    __device__ __forceinline__ scaled_reflector<T> reflect_extreme(int j, T alpha);

    /* Own columns from `from` to `end`, which are at `at`: the change of step j - 1, and the product with v, which is now a */
    __device__ __forceinline__ void pass(T *at, int from, int end, int j);
    __device__ tsl_cuda_message *set_of(int j) const { return p.messages + (int64_t)(j % 2) * mail<T>::COUNT * n; }
    static __device__ unsigned mark_of(int j) { return j / 2 % 2 == 0; }

    __device__ void tell(int j, int from);

    /* p and column j + 1 as step j - 1 has left it, in rows after j */
    __device__ void hear(int j, T (&q)[EACH], T (&fresh)[EACH]) const;

    /* w of step j; column j + 1 becomes a, and what was there v */
    __device__ void advance(int j, T tau);

    /* Column j as it is left: x is its reflector */
    __device__ void write(int j, const T (&x)[EACH], const scaled_reflector<T> &h) const;
    __device__ void write_diagonal(int j, R value) const { p.at(j, j) = make<T>(value), p.d[(int64_t)j * p.step] = value; }

    __device__ void run()
    {
        load();
        for (int j = 0; j < n - 1 && j < last; j++) {
            const bool writes = (j + 1) % ctas == first;
            const int from = j < first ? 0 : (j - first) / ctas + 1;
            const scaled_reflector<T> h = reflect(j);
            R diagonal = 0;
#pragma unroll
            for (int i = 0; i < EACH; i++) {
                const int r = row_of(i);
                if (r == j) diagonal = re(a[i]);
                a[i] = r < n ? h.element(a[i], r, j) : make<T>(0);
            }
            if (from < p.spilled) pass(spilled() + (int64_t)from * n, from, min(p.spilled, mine), j);
            const int here = max(from, p.spilled);
            pass(held + (int64_t)(here - p.spilled) * n, here, mine, j);
            __syncthreads();
            tell(j, from);
            if (writes && j > 0) {
                if (tid == j % THREADS) write_diagonal(j, diagonal);
                write(j, a, h);
            }
            if (last == j + 1) return;
            advance(j, h.tau);
            if (writes && j == 0) {
                if (tid == 0) write_diagonal(0, diagonal);
                write(0, v, h);
            }
        }
        if (last == n)
#pragma unroll
            for (int i = 0; i < EACH; i++)
                if (row_of(i) == n - 1) write_diagonal(n - 1, re(a[i]));
    }
};

extern __shared__ double2 dynamic[];

template <class T, int WARPS, int EACH> __global__ __launch_bounds__(32 * WARPS, 1) void reduce(const __grid_constant__ job<T> p)
{
    __shared__ shared<T, WARPS> s;
    part<T, WARPS, EACH>(p, s, (T *)dynamic).run();
}

} // namespace sytrd
} // namespace tsl
#endif
