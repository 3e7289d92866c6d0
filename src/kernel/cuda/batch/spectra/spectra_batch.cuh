/* Eigenvalues and singular values of matrices in batches. Nothing is allocated, nothing waits. */
#ifndef TSL_CUDA_BATCH_SPECTRA_BATCH_CUH
#define TSL_CUDA_BATCH_SPECTRA_BATCH_CUH

#include "kernel/cuda/batch/spectra/problems.cuh"
#include "kernel/cuda/leaf.h"
#include <cuda_runtime.h>

/* Does tsl_syev_batch take problems of that order, on a device whose CTAs may have `shared` bytes of shared memory
 * (cudaDevAttrMaxSharedMemoryPerBlockOptin)? A problem is in there. */
template <class T> bool tsl_syev_batch_takes(int64_t n, size_t shared);
template <class T> cudaError_t tsl_syev_batch(cudaStream_t s, const tsl::spectra::eig_batch<T> &p);
/* The same in stages, each of which takes the whole batch, in workspace: of orders where that is faster. A is written only if
 * it is V. */
template <class T> bool tsl_syev_staged_takes(int64_t n, bool vectors, size_t shared);
template <class T> size_t tsl_syev_staged_workspace(const tsl::spectra::eig_batch<T> &p);
template <class T>
tsl_status tsl_syev_staged(tsl_queue *q, const tsl::spectra::eig_batch<T> &p, size_t shared, void *work);

/* Does tsl_gesvd_batch take problems of that shape, and of that leading dimension? vectors: some are wanted; has_V: those of
 * the shorter side. Of values alone A may be written. */
template <class T> bool tsl_gesvd_batch_takes(int64_t m, int64_t n, int64_t ld, bool vectors, bool has_V, size_t shared);
/* Bytes of workspace that it needs */
template <class T> size_t tsl_gesvd_batch_workspace(const tsl::spectra::svd_batch<T> &p, size_t shared);
template <class T>
cudaError_t tsl_gesvd_batch(cudaStream_t s, const tsl::spectra::svd_batch<T> &p, size_t shared, void *work);

#endif
