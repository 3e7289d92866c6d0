/* QR of batches of small matrices: launches on a stream, without workspace; float, double and cplx of either. */
#ifndef TSL_CUDA_GEQRF_BATCH_CUH
#define TSL_CUDA_GEQRF_BATCH_CUH

#include <cuda_runtime.h>

#include "kernel/cuda/batch/batch.cuh"

namespace tsl {

/* LAPACK's geqrf: A(m x n) becomes R above the reflectors, tau has min(m, n) elements. */
template <typename T> bool tsl_geqrf_batch_takes(int m, int n);
template <typename T> cudaError_t tsl_geqrf_batch(cudaStream_t s, int m, int n, Batch<T> A, Batch<T> tau, int64_t count);

/* The same of a panel, m >= n, with its reflectors written out in Y(m x n), ones on the diagonal and zeros above, and the
 * triangle T(n x n) of Q = I - Y T Y^H, zeros below its diagonal. */
template <typename T> bool tsl_geqrt_batch_takes(int m, int n);
template <typename T>
cudaError_t tsl_geqrt_batch(cudaStream_t s, int m, int n, Batch<T> A, Batch<T> tau, Batch<T> Y, Batch<T> triangle, int64_t count);

/* C(m x n) := Q C, or Q^H C, of the k <= m reflectors that geqrf left in A(m x k) and tau; any n, best if small. */
template <typename T> bool tsl_ormqr_batch_takes(int m);
template <typename T>
cudaError_t tsl_ormqr_batch(cudaStream_t s, bool hermitian, int m, int n, int k, Batch<T> A, Batch<T> tau, Batch<T> C, int64_t count);

/* Q(m x n) := the first n columns of Q, of the 0 < k <= n reflectors that geqrf left in A(m x k) and tau, of problems that
 * ormqr takes. In place: Q may be A. */
template <typename T> bool tsl_orgqr_batch_in_place(int m, int n);
template <typename T>
cudaError_t tsl_orgqr_batch(cudaStream_t s, int m, int n, int k, Batch<T> A, Batch<T> tau, Batch<T> Q, int64_t count);

/* Least squares, m >= n: A becomes R above the reflectors, tau their n factors, and the first n rows of B(m x nrhs) the X of
 * least |A X - B|. Rows n to m of B become those of Q^H B: the sum of squares of a column of them is its residual's. A zero on
 * the diagonal of R: info is its place, counted from 1, and B stays as it was. Two launches. */
template <typename T> bool tsl_gels_batch_takes(int m, int n);
template <typename T>
cudaError_t tsl_gels_batch(cudaStream_t s, int m, int n, int nrhs, Batch<T> A, Batch<T> tau, Batch<T> B, int64_t count, int64_t *info);

} // namespace tsl
#endif
