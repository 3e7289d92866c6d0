/* Cholesky factorisation and solves with it in batches. Nothing is allocated, nothing waits. */
#ifndef TSL_CUDA_POTRF_BATCH_CUH
#define TSL_CUDA_POTRF_BATCH_CUH

#include "kernel/cuda/batch/batch.cuh"
#include <cuda_runtime.h>

/* The largest order; with columns before it */
constexpr int TSL_POTRF_BATCH_LIMIT = 128;
template <typename T> constexpr int TSL_POTRF_BATCH_BLOCK_LIMIT = sizeof(T) == 16 ? 96 : 128;

/* A = L L^H or U^H U in place of its triangle; the diagonal is real, its imaginary part is not read and becomes 0. info[i]: 0,
 * or LAPACK's number of the first leading minor that is not positive; columns (of an upper triangle: rows) from that one on
 * stay as they were.
 *
 * before > 0: A is a diagonal block of a larger matrix, with that many columns of the factor to its left, P (of an upper
 * triangle: rows above it), and A - P P^H is factored. A problem whose info is not 0 stays as it is, and `before` is added to
 * the number that others get. */
template <typename T>
cudaError_t tsl_potrf_batch(cudaStream_t s, bool lower, int n, Batch<T> A, int64_t count, int64_t *info, int before = 0);

/* Does tsl_posv_batch take these sizes, faster than potrf and two trsm? */
template <typename T> bool tsl_posv_batch_fits(int n, int64_t nrhs);

/* The same for n <= 32, and B, n x nrhs, := inv(A) B where info[i] is 0; other problems' B stays as it was. */
template <typename T>
cudaError_t tsl_posv_batch(cudaStream_t s, bool lower, int n, int64_t nrhs, Batch<T> A, Batch<T> B, int64_t count, int64_t *info);

/* A kernel of the file that has those of type T, to load them by */
template <typename T> const void *tsl_potrf_batch_kernel();

#endif
