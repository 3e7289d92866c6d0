/* Upper band to bidiagonal form by bulge chasing (core/leaf.h). Sweep s makes row s bidiagonal. Its reflectors tile the rows,
 * and the columns, from s + 1 on in chunks of kd: chunk t begins at row r = s + 1 + t kd. A step of a sweep has the reflector v
 * of the chunk's columns, D, the block of its rows and columns, and B, that of its rows and the next chunk's columns:
 *   D := D H; the first column of D gives the reflector u of the chunk's rows; D := G^H D, whose first column is then (beta, 0
 *   ..);
 *   B := G^H B; the first row of B gives the reflector of the columns of chunk t + 1; B := B H', whose first row is then
 *   (beta', 0 ..).
 * Sweep s + 1 has its chunks a row further down. Its step t needs what step t + 1 of sweep s leaves: in round i chunk t is at
 * sweep (i - t) / 2. */
#ifndef TSL_CUDA_GB2BD_CUH
#define TSL_CUDA_GB2BD_CUH

#include "kernel/cuda/eig/reflect.cuh"
#include "kernel/cuda/launch.cuh"

namespace tsl {

/* Reflectors of one side; V is NULL: they are not kept */
template <class T> struct kept {
    T *V, *tau;
    int64_t ldv, ldt;
};

template <class T> struct upper_band {
    const T *AB; /* of the conjugate transpose, lower */
    kept<T> left, right;
    real_t<T> *d, *e;
    int64_t ldab, n;
    int kd;     /* at least 1, less than n */
    int chunks; /* of sweep 0 */

    __device__ int64_t row_of(int t, int s) const { return 1 + s + (int64_t)t * kd; }
    /* Has sweep s a chunk t? */
    __device__ bool has(int t, int s) const { return t < chunks && row_of(t, s) < n; }
    /* Element (i,j) */
    __device__ T at(int64_t i, int64_t j) const
    {
        if (j >= n || j < i || j - i > kd) return make<T>(0);
        return i == j ? make<T>(re(AB[j * ldab])) : conj(AB[j - i + i * ldab]);
    }
    /* Element i of the row that sweep 0 begins with */
    __device__ T first(int i) const { return at(0, i); }
};

} // namespace tsl
#endif
