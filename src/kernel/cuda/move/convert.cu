/* Between precisions: B := alpha A + beta B on an m x n block or a triangle of it, A and B of different precisions, bound by
 * memory; and the sizes of one matrix's columns beside another's, a CTA a column. */
#include <cfloat>

#include "kernel/cuda/fold.cuh"
#include "kernel/cuda/leaf.h"

namespace tsl {
namespace {

constexpr int COLUMNS = 8; /* of a CTA at a time: elements a thread has under way */
constexpr int64_t MAX_GRID_Y = 65535;

template <class T> struct precision;
template <> struct precision<float> {
    using other = double;
};
template <> struct precision<double> {
    using other = float;
};
template <class R> struct precision<cplx<R>> {
    using other = cplx<typename precision<R>::other>;
};

struct change {
    int64_t m, n;
    tsl_uplo uplo;
    double alpha, beta;
};

__device__ bool holds(const change &g, int64_t i, int64_t j)
{
    return i < g.m && j < g.n && (g.uplo == TSL_GENERAL || (g.uplo == TSL_LOWER ? i >= j : i <= j));
}

/* One part of an element; `lost` if it does not fit. NaN does. */
template <class B, class A> __device__ B part(const change &g, A a, B b, bool *lost)
{
    const double v = g.alpha * (double)a;
    if (sizeof(A) > sizeof(B) && fabs(v) > (double)FLT_MAX) *lost = true;
    return (B)(g.beta == 0 ? v : v + g.beta * (double)b);
}

template <class A, class B> __device__ B changed(const change &g, A a, B b, bool *lost)
{
    if constexpr (is_complex<A>)
        return B{part(g, a.re, b.re, lost), part(g, a.im, b.im, lost)};
    else
        return part(g, a, b, lost);
}

template <class T, class U>
__global__ __launch_bounds__(THREADS) void convert_block(change g, const T *A, int64_t lda, U *B, int64_t ldb, int64_t *info)
{
    const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    bool lost = false;
    for (int64_t j0 = (int64_t)blockIdx.y * COLUMNS; j0 < g.n; j0 += (int64_t)gridDim.y * COLUMNS) {
#pragma unroll
        for (int s = 0; s < COLUMNS; s++) {
            const int64_t j = j0 + s;
            if (!holds(g, i, j)) continue;
            U *b = B + i + j * ldb;
            *b = changed(g, A[i + j * lda], g.beta == 0 ? make<U>(0) : *b, &lost);
        }
    }
    if (lost) atomicCAS((unsigned long long *)info, 0ull, 1ull);
}

template <class T> tsl_status launch_convert(tsl_queue *q, const tsl_leaf *l)
{
    using U = typename precision<T>::other;
    const change g = {l->m, l->n, l->uplo, __real__ l->alpha, __real__ l->beta};
    const int64_t rows = (g.m + THREADS - 1) / THREADS, cols = (g.n + COLUMNS - 1) / COLUMNS;
    const dim3 grid((unsigned)rows, (unsigned)(cols < MAX_GRID_Y ? cols : MAX_GRID_Y));
    convert_block<T, U><<<grid, THREADS, 0, tsl_cuda(q)->stream>>>(g, (const T *)l->A.p, l->A.ld, (U *)l->B.p, l->B.ld, l->info);
    return tsl_cuda_check(cudaGetLastError(), "convert");
}

/* The largest quotient of columns' sizes, and the largest size above */
struct beside {
    struct State {
        double ratio, largest;
    };
    static __device__ State none() { return State{0, 0}; }
    static __device__ void fold(State &s, const State &t)
    {
        s.ratio = tsl_larger(s.ratio, t.ratio);
        s.largest = tsl_larger(s.largest, t.largest);
    }
    static __device__ void leave(const State &s, void *result) { *(State *)result = s; }
};

/* The sizes of both: the first is `ratio` until the column is through. */
template <class T>
__global__ __launch_bounds__(THREADS) void compare_columns(int64_t m, const T *A, int64_t lda, const T *B, int64_t ldb,
                                                           beside::State *states)
{
    const int64_t j = blockIdx.x;
    beside::State s = beside::none();
    for (int64_t i = threadIdx.x; i < m; i += THREADS) beside::fold(s, beside::State{size_of(A[i + j * lda]), size_of(B[i + j * ldb])});
    fold_cta<beside>(s);
    if (threadIdx.x == 0) states[j] = beside::State{s.ratio == 0 && s.largest == s.largest ? 0 : s.ratio / s.largest, s.ratio};
}

template <class T> tsl_status launch_ratio(tsl_queue *q, const tsl_leaf *l)
{
    beside::State *states = (beside::State *)l->work;
    const cudaStream_t st = tsl_cuda(q)->stream;
    if (l->n > INT32_MAX) return TSL_ERR_OVERFLOW;
    compare_columns<T><<<(unsigned)l->n, THREADS, 0, st>>>(l->m, (const T *)l->A.p, l->A.ld, (const T *)l->B.p, l->B.ld, states);
    fold_states<beside><<<1, THREADS, 0, st>>>(l->n, states, l->result);
    return tsl_cuda_check(cudaGetLastError(), "ratio");
}

} // namespace
} // namespace tsl

static tsl_status convert(tsl_queue *q, const tsl_leaf *l)
{
    return tsl::by_type(l->type, [=](auto zero) { return tsl::launch_convert<decltype(zero)>(q, l); });
}

static size_t ratio_workspace(const tsl_leaf *l) { return (size_t)l->n * sizeof(tsl::beside::State); }

static tsl_status ratio(tsl_queue *q, const tsl_leaf *l)
{
    return tsl::by_type(l->type, [=](auto zero) { return tsl::launch_ratio<decltype(zero)>(q, l); });
}

static const void *kernel(int i) { return i ? nullptr : (const void *)tsl::convert_block<float, double>; }

extern "C" const tsl_kernel_entry tsl_cuda_convert_entry = {TSL_ALL_TYPES(convert), 0, 0, NULL, kernel, NULL};
extern "C" const tsl_kernel_entry tsl_cuda_ratio_entry = {TSL_ALL_TYPES(ratio), 0, 0, ratio_workspace, NULL, NULL};
