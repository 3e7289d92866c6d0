/* The first zero on a diagonal, and the inverse of a triangle of order n <= 128: the solution X of A X = I, in workspace, whose
 * triangle replaces A unless there was a zero. */
#include "kernel/cuda/leaf.h"
#include "kernel/cuda/scalar.cuh"

namespace tsl {
namespace {

constexpr int THREADS = 256;

/* One CTA. The first zero a thread meets is its lowest, so the least of these is the first of all. */
template <class T>
__global__ __launch_bounds__(THREADS) void find_zero(int64_t n, const T *A, int64_t lda, int64_t *info, int64_t info_base)
{
    __shared__ unsigned long long first;
    if (threadIdx.x == 0) first = (unsigned long long)n;
    __syncthreads();
    for (int64_t j = threadIdx.x; j < n; j += THREADS)
        if (is_zero(A[j + j * lda])) {
            atomicMin(&first, (unsigned long long)j);
            break;
        }
    __syncthreads();
    int64_t found = info_base + (int64_t)first + 1;
    if (threadIdx.x == 0 && (int64_t)first < n && (*info == 0 || found < *info)) *info = found;
}

/* W := I, n x n without gaps */
template <class T> __global__ __launch_bounds__(THREADS) void identity(int n, T *W)
{
    const int e = blockIdx.x * THREADS + threadIdx.x;
    if (e < n * n) W[e] = make<T>(e % (n + 1) == 0 ? 1 : 0);
}

/* A := W on the triangle, without a unit diagonal */
template <class T>
__global__ __launch_bounds__(THREADS) void replace(int n, const T *W, T *A, int64_t lda, bool lower, bool unit, const int64_t *info)
{
    const int e = blockIdx.x * THREADS + threadIdx.x, i = e % n, j = e / n;
    if (*info != 0 || e >= n * n) return;
    if (i == j ? !unit : (i > j) == lower) A[i + j * lda] = W[e];
}

template <class T> tsl_status launch_singular(tsl_queue *q, const tsl_leaf *l)
{
    find_zero<T><<<1, THREADS, 0, tsl_cuda(q)->stream>>>(l->n, (const T *)l->A.p, l->A.ld, l->info, l->info_base);
    return tsl_cuda_check(cudaGetLastError(), "singular");
}

template <class T> tsl_status launch_trtri(tsl_queue *q, const tsl_leaf *l)
{
    const int n = (int)l->n, ctas = (n * n + THREADS - 1) / THREADS;
    const cudaStream_t stream = tsl_cuda(q)->stream;
    const bool unit = l->diag == TSL_UNIT;
    tsl_status st = unit ? TSL_OK : launch_singular<T>(q, l);
    if (st != TSL_OK) return st;
    identity<T><<<ctas, THREADS, 0, stream>>>(n, (T *)l->work);
    st = tsl_cuda_check(cudaGetLastError(), "trtri");
    if (st != TSL_OK) return st;
    tsl_leaf solve = *l;
    solve.op = TSL_OP_TRSM;
    solve.side = TSL_LEFT;
    solve.A.op = TSL_NOTRANS;
    solve.alpha = 1.0;
    solve.m = l->n;
    solve.B.p = l->work;
    solve.B.ld = l->n;
    st = tsl_cuda_trsm_block(q, &solve);
    if (st != TSL_OK) return st;
    replace<T><<<ctas, THREADS, 0, stream>>>(n, (const T *)l->work, (T *)l->A.p, l->A.ld, l->uplo == TSL_LOWER, unit, l->info);
    return tsl_cuda_check(cudaGetLastError(), "trtri");
}

} // namespace
} // namespace tsl

static const void *kernel(int i) { return i ? nullptr : (const void *)tsl::find_zero<float>; }

static tsl_status singular(tsl_queue *q, const tsl_leaf *l)
{
    return tsl::by_type(l->type, [=](auto zero) { return tsl::launch_singular<decltype(zero)>(q, l); });
}

static tsl_status trtri(tsl_queue *q, const tsl_leaf *l)
{
    return tsl::by_type(l->type, [=](auto zero) { return tsl::launch_trtri<decltype(zero)>(q, l); });
}

static size_t workspace(const tsl_leaf *l) { return (size_t)(l->n * l->n) * tsl_type_size(l->type); }

extern "C" const tsl_kernel_entry tsl_cuda_singular_entry = {TSL_ALL_TYPES(singular), 0, 0, NULL, NULL, NULL};
extern "C" const tsl_kernel_entry tsl_cuda_trtri_entry = {TSL_ALL_TYPES(trtri), TSL_CUDA_TRSM_LIMIT, 0, workspace, kernel, NULL};
