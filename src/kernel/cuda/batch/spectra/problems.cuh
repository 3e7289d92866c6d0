/* Batches of eigenproblems and of singular value decompositions, as kernels have them. info: 0, or as of one problem
 * (tesela/eig.h, tesela/svd.h), where it is 0 before. skip: problems where it is not 0 are left alone; NULL: none is. */
#ifndef TSL_CUDA_BATCH_SPECTRA_PROBLEMS_CUH
#define TSL_CUDA_BATCH_SPECTRA_PROBLEMS_CUH

#include "kernel/cuda/batch/batch.cuh"
#include "kernel/cuda/scalar.cuh"

namespace tsl::spectra {

/* w := of the eigenvalues of A, n x n, of which a triangle is read, `wanted` ones from number `first` on, then zeros; and V, of
 * `columns` columns, their vectors, then zeros. V may be A. columns = 0: values alone */
template <class T> struct eig_batch {
    int n;
    bool lower;
    Batch<T> A;
    Batch<real_t<T>> w;
    Batch<T> V;
    int64_t columns;
    int first, wanted;
    int64_t count;
    int64_t *info;
    const int64_t *skip;
};

/* s := the singular values of A, m x n, descending; U and VT their vectors, min(m,n) of them, and columns of U and rows of VT
 * past them are not touched. Either may be missing, or be A. */
template <class T> struct svd_batch {
    int m, n;
    Batch<T> A;
    Batch<real_t<T>> s;
    Batch<T> U, VT;
    bool has_U, has_VT;
    int64_t count;
    int64_t *info;
    const int64_t *skip;
};

} // namespace tsl::spectra
#endif
