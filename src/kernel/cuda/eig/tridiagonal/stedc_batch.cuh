/* Eigenpairs of real symmetric tridiagonal matrices in batches, by divide and conquer: a launch has the merges of all. */
#ifndef TSL_CUDA_STEDC_BATCH_CUH
#define TSL_CUDA_STEDC_BATCH_CUH

#include "kernel/cuda/leaf.h"

namespace tsl {

/* Orders that it takes: merges that are not small are multiplied one by one, by sizes that the host reads. */
constexpr int64_t STEDC_BATCH_ABOVE = 32, STEDC_BATCH_UP_TO = 512;

/* count matrices of order n, one behind the other: d, and e with an element that is not used after each n - 1; d becomes the
 * eigenvalues, ascending, or NaN where T has NaN or Inf or an iteration has not converged. Z: n x n for each. */
template <class R> struct tridiagonals {
    int64_t n, count;
    R *d, *e, *Z;
};

} // namespace tsl

template <class R> size_t tsl_stedc_batch_workspace(int64_t n, int64_t count);
template <class R> tsl_status tsl_stedc_batch(tsl_queue *q, const tsl::tridiagonals<R> &t, void *work);

#endif
