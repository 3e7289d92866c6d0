/* The leaves of the tree, B = Q (S 0) W^T of a few rows: B^T J has orthogonal columns (one-sided Jacobi), J is Q, and what
 * is left of W is made orthogonal to those. */
#ifndef TSL_CUDA_BATCH_SPECTRA_SVD_LEAF_CUH
#define TSL_CUDA_BATCH_SPECTRA_SVD_LEAF_CUH

#include "kernel/cuda/batch/spectra/gesvd_problem.cuh"
#include "kernel/cuda/batch/spectra/svd/tree.cuh"

namespace tsl::spectra::svd {

/* The matrix of a node, and where its values and vectors go. last: its last column is zero, and stays apart */
template <class R> struct leaf {
    const R *d, *e;
    R *value, *Q, *W;
    int rows, ldq, ldw;
    bool last;
};

template <class G, class R> __device__ bool solve_leaf(const G &g, const leaf<R> &p, const svd_room<R> &q)
{
    const int n = p.rows;
    for (int at = g.rank; at < (n + 1) * (n + 1); at += g.size) {
        const int i = at % (n + 1), j = at / (n + 1);
        q.W[i + j * q.ldw] = j == n ? R(0) : i == j ? p.d[j] : i == j + 1 ? p.e[j] : R(0);
        q.V[i + j * q.ldv] = R(i == j);
    }
    g.sync();
    const bool good = orthogonalize(g, q, n + 1, n);
    measure(g, q, n + 1, n, true);
    if (g.rank == 0) q.length[n] = 0;
    g.sync();
    if (p.last) complete(g, q, n, n);
    else complete(g, q, n + 1, n + 1);
    if (p.last && g.rank == 0) q.W[n + n * q.ldw] = 1;
    g.sync();
    for (int at = g.rank; at < (n + 1) * (n + 1); at += g.size) {
        const int i = at % (n + 1), j = at / (n + 1);
        p.W[i + (size_t)j * p.ldw] = q.W[i + j * q.ldw];
        if (i < n && j < n) p.Q[i + (size_t)j * p.ldq] = q.V[i + j * q.ldv];
    }
    for (int j = g.rank; j < n; j += g.size) p.value[j] = q.length[j];
    return good;
}

} // namespace tsl::spectra::svd
#endif
