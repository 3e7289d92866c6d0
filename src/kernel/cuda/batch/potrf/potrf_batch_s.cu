/* potrf_batch.cuh for one type */
#include "kernel/cuda/batch/potrf/potrf_batch_kernel.cuh"

using T = float;

template cudaError_t tsl_potrf_batch<T>(cudaStream_t, bool, int, Batch<T>, int64_t, int64_t *, int);
template bool tsl_posv_batch_fits<T>(int, int64_t);
template cudaError_t tsl_posv_batch<T>(cudaStream_t, bool, int, int64_t, Batch<T>, Batch<T>, int64_t, int64_t *);
template const void *tsl_potrf_batch_kernel<T>();
