/* Reductions of a vector in two steps: each CTA folds its share into one state, then one CTA folds those. How elements are
 * shared out depends on n alone and states are folded in a fixed order, so the result's bits are the same every time. */
#include "kernel/cuda/fold.cuh"
#include "kernel/cuda/leaf.h"

namespace tsl {
namespace {

constexpr int MAX_CTAS = 512;

template <class T> struct norm : squares<T> {
    static __device__ void take(tsl_blue &s, T a, int64_t) { squares<T>::take(s, a); }
    static __device__ void leave(const tsl_blue &s, void *result) { *(real_t<T> *)result = (real_t<T>)tsl_blue_norm(&s); }
};

/* The element at `place` has |re| + |im| = size; half is that of its halves, which decides between sums that have
 * overflowed. */
template <class R> struct candidate {
    R size, half;
    int64_t place;
};

template <class T> struct largest {
    using R = real_t<T>;
    using State = candidate<R>;

    static __device__ State none() { return State{-1, -1, 0}; }

    /* Does t come before s? A NaN before all else, then the larger, then the earlier. */
    static __device__ bool before(const State &t, const State &s)
    {
        const bool nan_t = isnan(t.size), nan_s = isnan(s.size);
        if (nan_t != nan_s) return nan_t;
        if (!nan_t && t.size != s.size) return t.size > s.size;
        if (isinf(t.size) && t.half != s.half) return t.half > s.half;
        return t.place < s.place;
    }

    static __device__ void fold(State &s, const State &t)
    {
        if (before(t, s)) s = t;
    }

    static __device__ void take(State &s, T a, int64_t place)
    {
        State t;
        t.place = place;
        if constexpr (is_complex<T>) {
            t.size = fabs(a.re) + fabs(a.im);
            t.half = fabs(a.re) * R(0.5) + fabs(a.im) * R(0.5);
        } else {
            t.size = t.half = fabs(a);
        }
        fold(s, t);
    }

    static __device__ void leave(const State &s, void *result) { *(int64_t *)result = 1 + s.place; }
};

template <class K, class T>
__global__ __launch_bounds__(THREADS) void fold_elements(int64_t n, const T *x, int64_t inc, typename K::State *states)
{
    const int64_t step = (int64_t)gridDim.x * THREADS;
    typename K::State s = K::none();
    for (int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x; i < n; i += step) K::take(s, x[i * inc], i);
    fold_cta<K>(s);
    if (threadIdx.x == 0) states[blockIdx.x] = s;
}

int ctas_of(int64_t n)
{
    const int64_t ctas = (n + THREADS - 1) / THREADS;
    return (int)(ctas < MAX_CTAS ? ctas : MAX_CTAS);
}

template <class K, class T> tsl_status reduce(tsl_queue *q, const tsl_leaf *l, T, const char *what)
{
    static_assert(sizeof(typename K::State) <= sizeof(tsl_blue), "the workspace is counted in these");
    const int ctas = ctas_of(l->n);
    const int64_t inc = l->A.ld < 0 ? -l->A.ld : l->A.ld;
    const cudaStream_t st = tsl_cuda(q)->stream;
    typename K::State *states = (typename K::State *)l->work;
    fold_elements<K, T><<<ctas, THREADS, 0, st>>>(l->n, (const T *)l->A.p, inc, states);
    fold_states<K><<<1, THREADS, 0, st>>>(ctas, states, l->result);
    return tsl_cuda_check(cudaGetLastError(), what);
}

} // namespace
} // namespace tsl

static size_t workspace(const tsl_leaf *l) { return (size_t)tsl::ctas_of(l->n) * sizeof(tsl_blue); }

static tsl_status nrm2(tsl_queue *q, const tsl_leaf *l)
{
    return tsl::by_type(l->type, [=](auto zero) { return tsl::reduce<tsl::norm<decltype(zero)>>(q, l, zero, "nrm2"); });
}

static tsl_status iamax(tsl_queue *q, const tsl_leaf *l)
{
    return tsl::by_type(l->type, [=](auto zero) { return tsl::reduce<tsl::largest<decltype(zero)>>(q, l, zero, "iamax"); });
}

extern "C" const tsl_kernel_entry tsl_cuda_nrm2_entry = {TSL_ALL_TYPES(nrm2), 0, 0, workspace, NULL, NULL};
extern "C" const tsl_kernel_entry tsl_cuda_iamax_entry = {TSL_ALL_TYPES(iamax), 0, 0, workspace, NULL, NULL};
