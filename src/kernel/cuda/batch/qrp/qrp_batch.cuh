/* QR with column pivoting in batches, and least squares of any rank. Nothing is allocated, nothing waits. */
#ifndef TSL_CUDA_BATCH_QRP_BATCH_CUH
#define TSL_CUDA_BATCH_QRP_BATCH_CUH

#include "kernel/cuda/batch/qrp/gelsy_problem.cuh"
#include <cuda_runtime.h>

/* The longest side that they take */
constexpr int64_t TSL_GEQP3_BATCH_LIMIT = 512;

/* shared: bytes that a CTA may have (cudaDevAttrMaxSharedMemoryPerBlockOptin); problems that have no room there stay where they
 * are. */
template <class T> cudaError_t tsl_geqp3_batch(cudaStream_t s, const tsl::many::qrp_batch<T> &b, size_t shared);

/* Least squares: what comes before geqp3, and after products with Q^H; what comes after solutions with R of those whose fate is
 * WHOLE */
template <class T> cudaError_t tsl_gelsy_look_batch(cudaStream_t s, const tsl::many::gelsy_batch<T> &b);
template <class T> cudaError_t tsl_gelsy_rank_batch(cudaStream_t s, const tsl::many::gelsy_batch<T> &b);
template <class T> cudaError_t tsl_gelsy_finish_batch(cudaStream_t s, const tsl::many::gelsy_batch<T> &b);

#endif
