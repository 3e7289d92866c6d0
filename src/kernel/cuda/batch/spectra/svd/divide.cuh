/* The bidiagonal matrices of a chunk: values and vectors by divide and conquer, values alone by bisection; and values to where
 * they are wanted. */
#ifndef TSL_CUDA_BATCH_SPECTRA_SVD_DIVIDE_CUH
#define TSL_CUDA_BATCH_SPECTRA_SVD_DIVIDE_CUH

#include "kernel/cuda/batch/spectra/svd/leaf.cuh"
#include "kernel/cuda/batch/spectra/svd/merge.cuh"
#include "kernel/cuda/batch/spectra/svd/work.cuh"

namespace tsl::spectra::svd {

constexpr int LEAF_LANES = 16, LEAF_CTA = 64, MERGE_THREADS = 256, BISECT_THREADS = 512, FINISH_THREADS = 256;

template <class R> size_t leaf_bytes() { return (LEAF_CTA / LEAF_LANES) * svd_room<R>::bytes(LEAF + 1, LEAF + 1, true); }

/* LEAF_LANES threads have a leaf. */
template <class T> __global__ __launch_bounds__(LEAF_CTA) void svd_leaves(svd_work<T> w, int64_t count, int depth)
{
    using R = real_t<T>;
    extern __shared__ __align__(16) unsigned char memory[];
    const int own = (int)threadIdx.x / LEAF_LANES;
    const int64_t at = (int64_t)blockIdx.x * (LEAF_CTA / LEAF_LANES) + own, problem = at >> depth;
    if (problem >= count || w.state(problem) == LEFT_ALONE) return;
    const node a = node_of(w.n, depth, (int)(at & ((1 << depth) - 1)));
    const auto l = w.places();
    const size_t start = a.start, n = w.n;
    const leaf<R> p = {w.template at<R>(problem, l.d) + start, w.template at<R>(problem, l.e) + start,
                       w.template at<R>(problem, l.value) + start, w.template at<R>(problem, l.Q[0]) + start * (n + 1),
                       w.template at<R>(problem, l.W[0]) + start * (n + 2), a.rows, w.n, w.n + 1, a.start + a.rows == w.n};
    if (w.state(problem) == NO_VALUES) return;
    const svd_room<R> room(memory + own * svd_room<R>::bytes(LEAF + 1, LEAF + 1, true), a.rows + 1, a.rows + 1, true);
    if (!solve_leaf(lanes<LEAF_LANES>(), p, room)) w.state(problem) = NO_VALUES;
}

/* blockIdx: the merge, the problem */
template <class T> __global__ __launch_bounds__(MERGE_THREADS, 2) void svd_merges(svd_work<T> w, int level, int from)
{
    using R = real_t<T>;
    extern __shared__ __align__(16) unsigned char memory[];
    __shared__ double scratch[MERGE_THREADS / 32];
    const int64_t problem = blockIdx.y;
    if (w.state(problem) != GOOD) return;
    const node a = node_of(w.n, level, (int)blockIdx.x);
    const auto l = w.places();
    const size_t start = a.start, n = w.n, block = start * (n + 1);
    const int mid = a.above();
    const R alpha = w.template at<R>(problem, l.d)[start + mid], beta = w.template at<R>(problem, l.e)[start + mid];
    const merge_matrix<R> p = {a.rows, mid, alpha, beta,
                               w.template at<R>(problem, l.value) + start, w.template at<R>(problem, l.Q[from]) + block,
                               w.template at<R>(problem, l.W[from]) + start * (n + 2), w.template at<R>(problem, l.Y) + block,
                               w.template at<R>(problem, l.Z) + block, w.n, w.n + 1};
    const merge_lists lists(w.template at<int>(problem, l.whole), w.n, a.start, (int)blockIdx.x);
    merge(cta<4>(scratch), cta<32>(scratch), p, merge_room(memory, a.rows), lists);
}

/* How many singular values are less than x? The signs of the diagonal of B^T B - x^2 = L D L^T, from squares of B's elements */
template <class R> __device__ int count_less(const R *dd, const R *ee, int n, R x)
{
    const R xx = x * x;
    R t = -xx;
    int less = 0;
    for (int i = 0; i < n; i++) {
        R p = dd[i] + t;
        if (fabs(p) < NO_SQUARE<R>) p = -NO_SQUARE<R>;
        less += p < 0;
        t = fma(t, ee[i] / p, -xx);
    }
    return less;
}

/* A thread has a value. */
template <class T> __global__ __launch_bounds__(BISECT_THREADS) void svd_bisect(svd_work<T> w)
{
    using R = real_t<T>;
    extern __shared__ __align__(16) unsigned char memory[];
    __shared__ double scratch[BISECT_THREADS / 32];
    const cta<1> g(scratch);
    const int64_t problem = blockIdx.x;
    if (w.state(problem) != GOOD) return;
    const auto l = w.places();
    const R *d = w.template at<R>(problem, l.d), *e = w.template at<R>(problem, l.e);
    R *const dd = (R *)memory, *const ee = dd + w.n;
    R most = 0;
    for (int i = g.rank; i < w.n; i += g.size) {
        most = fmax(most, fabs(d[i]) + fmax(fabs(e[i]), i > 0 ? fabs(e[i - 1]) : R(0)));
        dd[i] = d[i] * d[i], ee[i] = e[i] * e[i];
    }
    const R bound = g.most(most) * (1 + 8 * EPSILON<R>);
    g.sync();
    for (int j = g.rank; j < w.n; j += g.size) {
        R low = 0, high = bound;
        while (high - low > EPSILON<R> * fmax(high, bound / 8)) {
            const R middle = (low + high) / 2;
            if (count_less(dd, ee, w.n, middle) > j) high = middle;
            else low = middle;
        }
        w.template at<R>(problem, l.value)[j] = low == 0 ? R(0) : (low + high) / 2;
    }
}

/* s := the values, descending; the order of vectors; what has no values becomes NaN */
template <class T> __global__ __launch_bounds__(FINISH_THREADS) void svd_finish(svd_batch<T> p, svd_work<T> w, int64_t first)
{
    using R = real_t<T>;
    __shared__ int place[MOST];
    __shared__ double scratch[FINISH_THREADS / 32];
    const cta<1> g(scratch);
    const int64_t k = blockIdx.x, problem = first + k;
    const auto l = w.places();
    const int state = w.state(k), power = w.power(k), n = w.n;
    const R *value = w.template at<R>(k, l.value);
    R *const s = p.s.at(problem);
    if (state == LEFT_ALONE) return;
    if (state == GOOD) {
        find_places(g, value, n, false, place);
        for (int j = g.rank; j < n; j += g.size) {
            w.template at<int>(k, l.whole)[place[j]] = j;
            s[place[j]] = value[j] > 4 * NEGLIGIBLE<R> ? times_power(value[j], power) : R(0);
        }
        return;
    }
    const T none = make<T>(R(NAN));
    for (int j = g.rank; j < n; j += g.size) s[j] = R(NAN);
    for (int at = g.rank; p.has_U && at < p.m * n; at += g.size) p.U.at(problem)[at % p.m + at / p.m * p.U.ld] = none;
    for (int at = g.rank; p.has_VT && at < n * p.n; at += g.size) p.VT.at(problem)[at % n + at / n * p.VT.ld] = none;
    if (g.rank == 0 && p.info[problem] == 0) p.info[problem] = n;
}

} // namespace tsl::spectra::svd
#endif
