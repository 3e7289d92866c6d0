/* With LAPACK's factors L D L^T: what its pivots mean, L with the exchanges of a block of columns made, and solutions with D
 * (core/leaf.h). Upper: place s of the matrix in reverse order, as in lasyf.cuh. */
#include "core/values.h"
#include "kernel/cuda/launch.cuh"
#include "kernel/cuda/leaf.h"
#include "kernel/cuda/scalar.cuh"

namespace tsl {
namespace ldl {
namespace {

constexpr int THREADS = 128, SCANNERS = 1024;

struct order {
    int64_t n;
    bool upper;
    __device__ int64_t place(int64_t s) const { return upper ? n - 1 - s : s; }
};

/* The pivots of blocks of order 2 stand side by side, in pairs from the first one after one of order 1: an odd number of places
 * from there on is a second one. A thread has places next to each other, and needs the last pivot of order 1 before them. */
__global__ __launch_bounds__(SCANNERS) void find_kinds(order o, const int64_t *p, int64_t *rows, int64_t *kind, int64_t *fault)
{
    __shared__ int64_t last[SCANNERS];
    const int t = threadIdx.x;
    const int64_t each = (o.n + SCANNERS - 1) / SCANNERS, from = t * each, to = min(o.n, from + each);
    int64_t one = -1;
    for (int64_t s = from; s < to; s++)
        if (p[o.place(s)] > 0) one = s;
    last[t] = one;
    __syncthreads();
    for (int by = 1; by < SCANNERS; by *= 2) {
        const int64_t before = t >= by ? last[t - by] : -1;
        __syncthreads();
        last[t] = max(last[t], before);
        __syncthreads();
    }
    one = t ? last[t - 1] : -1;
    for (int64_t s = from; s < to; s++) {
        const int64_t at = o.place(s), pivot = p[at], row = pivot < 0 ? -pivot : pivot;
        if (pivot > 0) one = s;
        const int64_t is = pivot > 0 ? 0 : (s - one) % 2 ? 1 : 2, other = is == 1 ? s + 1 : is == 2 ? s - 1 : s;
        const bool good = row >= 1 && row <= o.n && other < o.n && p[o.place(other)] == pivot;
        if (!good && fault) *fault = 1;
        kind[at] = good ? is : 0, rows[at] = good && is != 1 ? row : at + 1;
    }
}

/* A column each. One thread makes its exchanges: they are few, and other columns' are made meanwhile. */
template <class T>
__global__ __launch_bounds__(THREADS) void convert(order o, int64_t k, const T *A, int64_t lda, T *F, int64_t ldf,
                                                   const int64_t *rows, const int64_t *kind, unsigned long long *info,
                                                   int64_t info_base)
{
    const int64_t s = blockIdx.x, j = o.place(s), end = min(o.n, (s / k + 1) * k);
    const bool pair = kind[j] == 1, over = pair && s + 1 == end;
    const T *from = A + j * lda;
    T *to = F + j * ldf;
    for (int64_t i = s + 1 + threadIdx.x; i < o.n; i += THREADS) to[o.place(i)] = pair && i == s + 1 ? make<T>(0) : from[o.place(i)];
    __syncthreads();
    if (threadIdx.x) return;
    /* A block of order 2 has its exchange at its second column, and the first is exchanged already: not again here, and if the
     * second is of the next block, which exchanges all columns before it, back in advance. */
    for (int64_t i = s + 1 + (pair && !over); i < (over ? end + 1 : end); i++) {
        const int64_t at = o.place(i), with = rows[at] - 1;
        const T t = to[at];
        to[at] = to[with], to[with] = t;
    }
    if (kind[j] == 0 && is_zero(from[j])) { /* the first one in the order of steps, as LAPACK's; 0: none */
        const unsigned long long mine = (unsigned long long)(info_base + j + 1);
        for (unsigned long long was = *info; was == 0 || (o.upper ? was < mine : was > mine);) {
            const unsigned long long seen = atomicCAS(info, was, mine);
            if (seen == was) break;
            was = seen;
        }
    }
}

template <class T, bool HERM> __device__ T turned(T a) { return HERM ? conj(a) : a; }
template <class T, bool HERM> __device__ T on_diagonal(T a) { return HERM ? make<T>(re(a)) : a; }
template <class T> __device__ T times_less(T a, T b, T c) { return add_mul(scale(c, real_t<T>(-1)), a, b); } /* a b - c */

/* A row each, or two of them, of all columns */
template <class T, bool HERM>
__global__ __launch_bounds__(THREADS) void divide(order o, const T *A, int64_t lda, const int64_t *kind, T *B, int64_t ldb, int64_t columns)
{
    const int64_t s = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (s >= o.n) return;
    const int64_t k = o.place(s);
    if (kind[k] == 2) return;
    const T d = on_diagonal<T, HERM>(A[k * (lda + 1)]);
    if (kind[k] == 0) {
        const T by = inverse(d);
        for (int64_t c = 0; c < columns; c++) B[k + c * ldb] = mul(B[k + c * ldb], by);
        return;
    }
    const int64_t k2 = o.place(s + 1);
    const T d21 = inverse(A[k2 + k * lda]), d12 = turned<T, HERM>(d21), d11 = mul(d, d12), d22 = mul(on_diagonal<T, HERM>(A[k2 * (lda + 1)]), d21);
    const T by = inverse(times_less(d11, d22, make<T>(1)));
    for (int64_t c = 0; c < columns; c++) {
        T *b1 = B + k + c * ldb, *b2 = B + k2 + c * ldb;
        const T x1 = mul(*b1, d12), x2 = mul(*b2, d21);
        *b1 = mul(times_less(d22, x1, x2), by), *b2 = mul(times_less(d11, x2, x1), by);
    }
}

template <class T> tsl_status launch_convert(tsl_queue *q, const tsl_leaf *l)
{
    const cudaStream_t stream = tsl_cuda(q)->stream;
    const order o = {l->A.n, l->uplo == TSL_UPPER};
    int64_t *rows = (int64_t *)l->D.p, *kind = rows + l->D.ld;
    cudaError_t e = launch(find_kinds, {1, SCANNERS, 0, 1, false, false}, stream, o, (const int64_t *)l->B.p, rows, kind, l->fault);
    if (e == cudaSuccess)
        e = launch(convert<T>, {o.n, THREADS, 0, 1, false, false}, stream, o, l->k, (const T *)l->A.p, l->A.ld, (T *)l->C.p,
                   l->C.ld, (const int64_t *)rows, (const int64_t *)kind, (unsigned long long *)l->info, l->info_base);
    return tsl_cuda_check(e, "syconv");
}

template <class T, bool HERM> tsl_status launch_divide(tsl_queue *q, const tsl_leaf *l)
{
    const order o = {l->m, l->uplo == TSL_UPPER};
    return tsl_cuda_check(launch(divide<T, HERM>, {tsl_pieces(o.n, THREADS), THREADS, 0, 1, false, false}, tsl_cuda(q)->stream,
                                 o, (const T *)l->A.p, l->A.ld, (const int64_t *)l->B.p + l->B.ld, (T *)l->C.p, l->C.ld, l->n),
                          "sydiv");
}

} // namespace
} // namespace ldl
} // namespace tsl

static tsl_status syconv(tsl_queue *q, const tsl_leaf *l)
{
    return tsl::by_type(l->type, [=](auto zero) { return tsl::ldl::launch_convert<decltype(zero)>(q, l); });
}

static tsl_status sydiv(tsl_queue *q, const tsl_leaf *l)
{
    return tsl::by_type(l->type, [=](auto zero) {
        using T = decltype(zero);
        if constexpr (tsl::is_complex<T>)
            if (l->herm) return tsl::ldl::launch_divide<T, true>(q, l);
        return tsl::ldl::launch_divide<T, false>(q, l);
    });
}

static const void *kernel(int i) { return i ? nullptr : (const void *)tsl::ldl::convert<float>; }

extern "C" const tsl_kernel_entry tsl_cuda_syconv_entry = {TSL_ALL_TYPES(syconv), 0, 0, NULL, kernel, NULL};
extern "C" const tsl_kernel_entry tsl_cuda_sydiv_entry = {TSL_ALL_TYPES(sydiv), 0, 0, NULL, kernel, NULL};
