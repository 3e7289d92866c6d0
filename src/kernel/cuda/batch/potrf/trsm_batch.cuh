/* Triangular solves in batches. Nothing is allocated, nothing waits. */
#ifndef TSL_CUDA_TRSM_BATCH_CUH
#define TSL_CUDA_TRSM_BATCH_CUH

#include "kernel/cuda/batch/batch.cuh"
#include "tesela.h"
#include <cuda_runtime.h>

/* The largest order of A */
template <typename T> constexpr int TSL_TRSM_BATCH_LIMIT = sizeof(T) == 16 ? 96 : 128;

/* B, m x n, := alpha inv(op(A)) B or alpha B inv(op(A)). skip: problems i with skip[i] != 0 stay as they are; NULL: none. alpha
 * = 0 reads neither A nor B. */
template <typename T>
cudaError_t tsl_trsm_batch(cudaStream_t s, tsl_side side, tsl_uplo uplo, tsl_op op, tsl_diag diag, int64_t m, int64_t n, T alpha,
                           Batch<const T> A, Batch<T> B, int64_t count, const int64_t *skip);

/* A kernel of the file that has those of type T, to load them by */
template <typename T> const void *tsl_trsm_batch_kernel();

#endif
