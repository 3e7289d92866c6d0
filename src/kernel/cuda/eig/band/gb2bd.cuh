/* Upper band to bidiagonal form by bulge chasing (core/leaf.h; sweeps.cuh). Sweep s makes row s bidiagonal. B is the block to
 * the right of D, of the next chunk's columns:
 *   D := D H; the first column of D gives the reflector u of the chunk's rows; D := G^H D, whose first column is then (beta, 0
 *   ..);
 *   B := G^H B; the first row of B gives the reflector of the columns of chunk t + 1; B := B H', whose first row is then
 *   (beta', 0 ..). */
#ifndef TSL_CUDA_GB2BD_CUH
#define TSL_CUDA_GB2BD_CUH

#include "kernel/cuda/eig/band/sweeps.cuh"

namespace tsl {

/* AB is of the conjugate transpose */
template <class T> struct upper_band : sweeps<T> {
    using sweeps<T>::AB, sweeps<T>::ldab, sweeps<T>::n, sweeps<T>::kd;
    kept<T> left; /* the reflectors of the rows */

    /* Element (i,j) */
    __device__ T at(int64_t i, int64_t j) const
    {
        if (j >= n || j < i || j - i > kd) return make<T>(0);
        return i == j ? make<T>(re(AB[j * ldab])) : conj(AB[j - i + i * ldab]);
    }
    /* Element i of the row that sweep 0 begins with, and elements of B of the chunk that begins at row r */
    __device__ T first(int i, int) const { return at(0, i); }
    __device__ T beside(int64_t r, int i, int j) const { return at(r + i, r + kd + j); }
};

} // namespace tsl
#endif
