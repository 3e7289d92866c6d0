/* LU with partial pivoting in batches: count problems of one shape, at A, with pivots at piv. Each function launches on the
 * stream and returns; it allocates nothing. Sizes may be zero. */
#ifndef TSL_CUDA_GETRF_BATCH_CUH
#define TSL_CUDA_GETRF_BATCH_CUH

#include <cuda_runtime.h>

#include "kernel/cuda/batch/batch.cuh"

/* A(m x n) = P L U in place, as LAPACK's getrf. piv[j], j < min(m,n), is first + 1 + the row that row j was exchanged with.
 * info of a problem: base + j + 1 for the first zero pivot j, or 0. keep: an info that is not 0 stays, and 0 is not written. A
 * NaN is the pivot only of a column of nothing else. */
template <class T>
cudaError_t tsl_getrf_batch(cudaStream_t stream, int m, int n, Batch<T> A, Batch<int64_t> piv, int64_t count, int64_t *info,
                            int64_t first, int64_t base, bool keep);

/* Does it take problems of that shape, on a device whose CTAs may have `shared` bytes of shared memory
 * (cudaDevAttrMaxSharedMemoryPerBlockOptin)? Larger ones are cut into panels. */
template <class T> bool tsl_getrf_batch_takes(int m, int n, size_t shared);

/* For i = 0..k-1, or from k-1 down if backward: rows i and piv[i] - 1 - first of A(m x n) are exchanged. A pivot that is no row
 * exchanges nothing and sets *fault, which may be NULL. skip: problems where it is not 0 are left alone; NULL: none is. */
template <class T>
cudaError_t tsl_laswp_batch(cudaStream_t stream, int m, int n, Batch<T> A, int k, Batch<int64_t> piv, int64_t first, bool backward, int64_t count,
                            int64_t *fault, const int64_t *skip);

/* Largest order of getrs and gesv */
constexpr int TSL_GETRS_BATCH_LIMIT = 64;

/* B(n x nrhs) := inv(op(A)) B with A and piv as getrf left them. info, if not NULL: problems where it is not 0 are left
 * alone. */
enum tsl_batch_op { TSL_BATCH_N, TSL_BATCH_T, TSL_BATCH_C };
template <class T>
cudaError_t tsl_getrs_batch(cudaStream_t stream, tsl_batch_op op, int n, int nrhs, Batch<T> A, Batch<int64_t> piv, int64_t first, Batch<T> B,
                            int64_t count, const int64_t *info, int64_t *fault);

/* A = P L U, then B(n x nrhs) := inv(A) B where info is 0 */
template <class T>
cudaError_t tsl_gesv_batch(cudaStream_t stream, int n, int nrhs, Batch<T> A, Batch<int64_t> piv, Batch<T> B, int64_t count, int64_t *info,
                           int64_t first);

#endif
