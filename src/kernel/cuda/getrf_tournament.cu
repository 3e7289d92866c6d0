/* The pivots of a panel of LU by tournament. In each round a CTA has a group of rows, as they are in the matrix, and leaves those that
 * partial pivoting of the group takes (getrf_panel.cuh); the last group leaves the pivots. Only their places are written. */
#include "kernel/cuda/getrf_panel.cuh"
#include "kernel/cuda/launch.cuh"
#include "kernel/cuda/leaf.h"

namespace tsl {
namespace {

constexpr int ROWS = TSL_CUDA_GETRF_GROUP;

/* number: the rows that are left, NULL: all; left: those of the next round, n of each group in a row */
template <class F> __global__ __launch_bounds__(ROWS) void play(panel<typename F::T> p, int count, const int *number, int *left)
{
    using T = typename F::T;
    extern __shared__ __align__(16) unsigned char raw[];
    const int tid = threadIdx.x, first = blockIdx.x * ROWS, size = min(ROWS, count - first);
    const bool in = tid < size;
    const shared<F, alone<F>> s(raw, 1);
    const alone<F> wire(s.in, 1, 0, p.n, NULL, 0);
    s.clear();
    const int row = !in ? 0 : number ? number[first + tid] : first + tid;
    T x[F::COLS];
#pragma unroll
    for (int c = 0; c < F::COLS; c++) x[c] = in && c < p.n ? p.A[row + c * p.lda] : make<T>(0);
    __syncthreads();
    int place = tid;
    p.steps = min(size, p.n);
    eliminate<F, alone<F>>(p, s, wire, 1, x, place, in, false);
    if (in && place < p.steps) left[blockIdx.x * p.n + place] = row;
}

/* The exchanges that bring rows number[0], number[1], .. to the top in this order; a thread follows a row. */
__global__ void arrange(const int *number, int count, int64_t *piv, int64_t first)
{
    __shared__ int with[TSL_CUDA_GETRF_LIMIT];
    const int i = threadIdx.x;
    int at = i < count ? number[i] : -1; /* after the exchanges before e */
    for (int e = 0; e < count; e++) {
        if (i == e) with[e] = at;
        __syncthreads();
        if (i > e && at == e) at = with[e];
    }
    if (i < count) piv[i] = first + 1 + at;
}

template <class F> constexpr size_t bytes_of() { return shared<F, alone<F>>::bytes(1, ROWS); }

template <class F> cudaError_t rounds(const tsl_leaf *l, cudaStream_t stream)
{
    using T = typename F::T;
    const panel<T> p = {(T *)l->A, l->lda, (int)l->m, (int)l->n, 0, NULL, 0, NULL, 0, NULL, 0};
    int *left = (int *)l->work, *other = left + tsl_cuda_getrf_left(l), count = (int)l->m, groups;
    const int *number = NULL;
    cudaError_t e = cudaFuncSetAttribute(play<F>, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes_of<F>());
    do {
        groups = (count + ROWS - 1) / ROWS;
        if (e == cudaSuccess) e = launch(play<F>, {groups, ROWS, bytes_of<F>(), 1, false, false}, stream, p, count, number, left);
        const int last = count - (groups - 1) * ROWS;
        count = (groups - 1) * p.n + (last < p.n ? last : p.n);
        number = left, left = other, other = (int *)number;
    } while (groups > 1);
    return e != cudaSuccess ? e : launch(arrange, {1, TSL_CUDA_GETRF_LIMIT, 0, 1, false, false}, stream, number, count, l->piv, l->first);
}

template <class F> tsl_status run(tsl_queue *q, const tsl_leaf *l, bool *done)
{
    int device = 0, most = 0;
    cudaError_t e = cudaGetDevice(&device);
    if (e == cudaSuccess) e = cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    *done = e == cudaSuccess && bytes_of<F>() <= (size_t)most;
    return *done ? tsl_cuda_check(rounds<F>(l, tsl_cuda(q)->stream), "getrf_tournament") : tsl_cuda_check(e, "getrf_tournament");
}

} // namespace
} // namespace tsl

extern "C" const void *tsl_cuda_kernel_of_getrf_tournament(void) { return (const void *)tsl::play<tsl::narrow<float>>; }

/* Rows that the first round leaves */
extern "C" int64_t tsl_cuda_getrf_left(const tsl_leaf *l) { return (l->m + tsl::ROWS - 1) / tsl::ROWS * l->n; }

extern "C" tsl_status tsl_cuda_getrf_tournament(tsl_queue *q, const tsl_leaf *l, bool *done)
{
    return tsl::by_type(l->type, [=](auto zero) {
        using T = decltype(zero);
        *done = false;
        if (l->n <= tsl::narrow<T>::COLS) return tsl::run<tsl::narrow<T>>(q, l, done);
        if constexpr (sizeof(T) < 16) return tsl::run<tsl::wide<T>>(q, l, done);
        return TSL_OK;
    });
}
