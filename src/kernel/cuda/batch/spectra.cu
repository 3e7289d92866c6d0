/* Eigenvalues and singular values of a batch. */
#include "kernel/cuda/batch/entry.cuh"
#include "kernel/cuda/batch/spectra/spectra_batch.cuh"

namespace tsl {

/* Bytes of shared memory that a CTA may have; 0: that cannot be known */
static size_t shared_of_cta()
{
    int device = 0, shared = 0;
    const bool known = cudaGetDevice(&device) == cudaSuccess &&
                       cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device) == cudaSuccess;
    return known ? (size_t)shared : 0;
}

/* Vectors go to V, or to A. */
template <class T> static spectra::eig_batch<T> eigs_of(const tsl_leaf *l)
{
    const bool chosen = l->eig.range == TSL_RANGE_INDEX;
    const tsl_array &V = l->C.n ? l->C : l->A;
    const int64_t columns = l->C.n ? l->C.n : l->eig.vectors ? l->n : 0;
    const int first = chosen ? (int)l->eig.first : 0, wanted = (int)(chosen ? l->eig.count : l->n);
    return {(int)l->n, l->uplo == TSL_LOWER, batch_of<T>(l->A), batch_of<real_t<T>>(l->B), batch_of<T>(V), columns, first,
            wanted, l->count, l->info, l->skip};
}

template <class T> static bool is_staged(const tsl_leaf *l)
{
    return tsl_syev_staged_takes<T>(l->n, l->C.n || l->eig.vectors, shared_of_cta());
}

template <class T> static tsl_status syev(tsl_queue *q, const tsl_leaf *l)
{
    const spectra::eig_batch<T> p = eigs_of<T>(l);
    if (is_staged<T>(l)) return tsl_syev_staged<T>(q, p, shared_of_cta(), l->work);
    return tsl_cuda_check(tsl_syev_batch<T>(tsl_cuda(q)->stream, p), "syev_batch");
}

template <class T> static size_t syev_workspace(const tsl_leaf *l)
{
    return is_staged<T>(l) ? tsl_syev_staged_workspace<T>(eigs_of<T>(l)) : 0;
}

template <class T> static bool takes_syev(const tsl_leaf *l)
{
    return l->eig.range != TSL_RANGE_VALUE &&
           (is_staged<T>(l) || tsl_syev_batch_takes<T>(l->n, shared_of_cta()));
}

/* Which side overwrites A */
static bool in_A(const tsl_leaf *l, tsl_side side) { return l->svd.vectors && l->side == side; }
static bool has_U(const tsl_leaf *l) { return (l->C.m > 0 && l->C.n > 0) || in_A(l, TSL_LEFT); }
static bool has_VT(const tsl_leaf *l) { return (l->D.m > 0 && l->D.n > 0) || in_A(l, TSL_RIGHT); }

template <class T> static spectra::svd_batch<T> svds_of(const tsl_leaf *l)
{
    const tsl_array &U = in_A(l, TSL_LEFT) ? l->A : l->C, &VT = in_A(l, TSL_RIGHT) ? l->A : l->D;
    return {(int)l->m, (int)l->n, batch_of<T>(l->A), batch_of<real_t<T>>(l->B), batch_of<T>(U), batch_of<T>(VT),
            has_U(l), has_VT(l), l->count, l->info, l->skip};
}

template <class T> static tsl_status gesvd(tsl_queue *q, const tsl_leaf *l)
{
    return tsl_cuda_check(tsl_gesvd_batch<T>(tsl_cuda(q)->stream, svds_of<T>(l), shared_of_cta(), l->work), "gesvd_batch");
}

template <class T> static size_t gesvd_workspace(const tsl_leaf *l)
{
    return tsl_gesvd_batch_workspace<T>(svds_of<T>(l), shared_of_cta());
}

/* Not more vectors than there are singular values */
template <class T> static bool takes_gesvd(const tsl_leaf *l)
{
    const int64_t d = l->m < l->n ? l->m : l->n;
    const bool has_V = l->m < l->n ? has_U(l) : has_VT(l), vectors = has_U(l) || has_VT(l);
    return l->svd.driver == TSL_SVD_AUTO && l->C.n <= d && l->D.m <= d && d > 0 &&
           tsl_gesvd_batch_takes<T>(l->m, l->n, l->A.ld, vectors, has_V, shared_of_cta());
}

} // namespace tsl

static bool takes_syev(const tsl_leaf *l) { return TSL_OF_TYPE_OF(l, tsl::takes_syev, l); }
static bool takes_gesvd(const tsl_leaf *l) { return TSL_OF_TYPE_OF(l, tsl::takes_gesvd, l); }
static size_t syev_workspace(const tsl_leaf *l) { return TSL_OF_TYPE_OF(l, tsl::syev_workspace, l); }
static size_t gesvd_workspace(const tsl_leaf *l) { return TSL_OF_TYPE_OF(l, tsl::gesvd_workspace, l); }

extern "C" const tsl_batch_entry tsl_cuda_syev_batch_entry = {TSL_BY_TYPE(tsl::syev), takes_syev, syev_workspace, NULL};
extern "C" const tsl_batch_entry tsl_cuda_gesvd_batch_entry = {TSL_BY_TYPE(tsl::gesvd), takes_gesvd, gesvd_workspace, NULL};
