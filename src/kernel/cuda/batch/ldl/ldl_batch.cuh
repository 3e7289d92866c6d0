/* A = L D L^T and L D L^H in batches, and solutions with them. Nothing is allocated, nothing waits. */
#ifndef TSL_CUDA_BATCH_LDL_BATCH_CUH
#define TSL_CUDA_BATCH_LDL_BATCH_CUH

#include "kernel/cuda/batch/ldl/ldl_problem.cuh"
#include <cuda_runtime.h>

/* Do they take problems of that order, on a device whose CTAs may have `shared` bytes of shared memory
 * (cudaDevAttrMaxSharedMemoryPerBlockOptin)? */
template <class T> bool tsl_sytrf_batch_takes(int64_t n, size_t shared);
template <class T> cudaError_t tsl_sytrf_batch(cudaStream_t s, const tsl::many::ldl_batch<T> &b);
template <class T> bool tsl_sytrs_batch_takes(int64_t n, size_t shared);
template <class T> cudaError_t tsl_sytrs_batch(cudaStream_t s, const tsl::many::ldl_batch<T> &b);

#endif
