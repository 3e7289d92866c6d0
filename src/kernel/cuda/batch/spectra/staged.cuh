/* Eigenproblems of middle order in stages, each of which takes the whole batch: load, to tridiagonal form, eigenvalues or
 * eigenpairs of that, and back. What the stages share. */
#ifndef TSL_CUDA_BATCH_SPECTRA_STAGED_CUH
#define TSL_CUDA_BATCH_SPECTRA_STAGED_CUH

#include "kernel/cuda/batch/spectra/problems.cuh"
#include "kernel/cuda/batch/spectra/tridiagonal.cuh"

namespace tsl::spectra {

/* Reflectors that are applied to the rest of the matrix, or to vectors, together */
template <class T> constexpr int PANEL = sizeof(T) == 16 ? 8 : 16;

/* The order from which on the stages are faster than a group of threads for a problem (syev_batch_type.cuh) */
template <class T> constexpr int64_t STAGED_FROM = sizeof(real_t<T>) == 8 ? 33 : 48;

enum { TAKEN, NOT_FINITE, LEFT_ALONE };

/* Problems from number `from` on, in workspace: one behind the other, all of A, divided by a power of two. A becomes the
 * reflectors, column k's in rows k + 1 and below. Column k of factor, PANEL elements, is that of the T of its panel, where the
 * panel's reflectors together are I - V T V^H. */
template <class T> struct staged {
    using R = real_t<T>;
    eig_batch<T> p;
    int64_t from, count;
    int ld;
    T *A, *tau, *factor; /* ld x n, n, PANEL x n for each */
    R *d, *e, *Z;        /* n, n, n x n: the tridiagonal matrix, and what it becomes */
    int *power, *state;  /* 1 */

    __device__ T *matrix(int64_t k) const { return A + k * p.n * ld; }
};

} // namespace tsl::spectra
#endif
