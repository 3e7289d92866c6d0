/* How a bidiagonal matrix of n rows and n + 1 columns is divided: a row in the middle leaves two such matrices, above it and
 * below. All leaves are at one depth. */
#ifndef TSL_CUDA_BATCH_SPECTRA_SVD_TREE_CUH
#define TSL_CUDA_BATCH_SPECTRA_SVD_TREE_CUH

namespace tsl::spectra::svd {

constexpr int LEAF = 16; /* rows, at most */

/* Rows start .. start + rows - 1, and as many columns and one more */
struct node {
    int start, rows;
    __host__ __device__ int above() const { return (rows - 1) / 2; } /* rows above the one in the middle */
    __host__ __device__ int below() const { return rows - 1 - above(); }
};

__host__ __device__ inline node node_of(int n, int depth, int which)
{
    node a = {0, n};
    for (int bit = depth - 1; bit >= 0; bit--) {
        const int above = a.above(), below = a.below();
        a = which >> bit & 1 ? node{a.start + above + 1, below} : node{a.start, above};
    }
    return a;
}

__host__ __device__ inline int depth_of(int n)
{
    int depth = 0;
    for (; n > LEAF; n /= 2) depth++;
    return depth;
}

} // namespace tsl::spectra::svd
#endif
