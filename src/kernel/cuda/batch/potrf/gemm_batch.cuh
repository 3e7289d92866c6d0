/* Products of small matrices in batches. Nothing is allocated, nothing waits. */
#ifndef TSL_CUDA_GEMM_BATCH_CUH
#define TSL_CUDA_GEMM_BATCH_CUH

#include "kernel/cuda/batch/batch.cuh"
#include "kernel/cuda/scalar.cuh"
#include <cuda_runtime.h>

/* The largest m, n and k */
template <typename T> constexpr int TSL_GEMM_BATCH_LIMIT = sizeof(T) == 4 ? 28 : tsl::is_complex<T> ? 20 : 24;

/* Does tsl_gemm_batch take these sizes, faster than cuBLAS? Measured on the H200: not where C is long and thin. */
template <typename T> bool tsl_gemm_batch_fits(int64_t m, int64_t n, int64_t k)
{
    const int64_t larger = m > n ? m : n, smaller = m > n ? n : m;
    return larger <= TSL_GEMM_BATCH_LIMIT<T> && k <= TSL_GEMM_BATCH_LIMIT<T> && larger <= (larger <= 16 ? 4 : 2) * smaller;
}

/* C, m x n, := alpha op(A) op(B) + beta C; C is not read for beta = 0. */
template <typename T>
cudaError_t tsl_gemm_batch(cudaStream_t s, tsl_op opA, tsl_op opB, int m, int n, int k, T alpha, Batch<const T> A, Batch<const T> B, T beta,
                           Batch<T> C, int64_t count);

/* A kernel of the file that has them all, to load them by */
const void *tsl_gemm_batch_kernel();

#endif
