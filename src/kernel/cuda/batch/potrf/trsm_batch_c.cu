/* trsm_batch.cuh for one type */
#include "kernel/cuda/batch/potrf/trsm_batch_kernel.cuh"

using T = tsl::cplx<float>;

template cudaError_t tsl_trsm_batch<T>(cudaStream_t, tsl_side, tsl_uplo, tsl_op, tsl_diag, int64_t, int64_t, T, Batch<const T>, Batch<T>, int64_t,
                                       const int64_t *);
template const void *tsl_trsm_batch_kernel<T>();
