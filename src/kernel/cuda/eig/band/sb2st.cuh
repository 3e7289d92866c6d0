/* Band to tridiagonal form by bulge chasing (core/leaf.h; sweeps.cuh). Sweep s makes column s tridiagonal. B is the block below
 * D, of the next chunk's rows:
 *   D := H^H D H; B := B H; the first column of B gives the reflector of chunk t + 1; B := H'^H B, whose first column is then
 *   (beta, 0 ..). */
#ifndef TSL_CUDA_SB2ST_CUH
#define TSL_CUDA_SB2ST_CUH

#include "kernel/cuda/eig/band/sweeps.cuh"

namespace tsl {

template <class T> struct band : sweeps<T> {
    using sweeps<T>::AB, sweeps<T>::ldab, sweeps<T>::n, sweeps<T>::kd;
    int reach; /* diagonals of AB beside the main one: kd, or with the bulges of sweeps that were before, 2 kd - 1 */
    T *left;   /* AB, if these sweeps are not the last ones: what they leave of it goes there; else NULL */

    /* Element (i,j), of the upper triangle too */
    __device__ T at(int64_t i, int64_t j) const
    {
        if (i >= n || j >= n || i - j > reach || j - i > reach) return make<T>(0);
        if (i == j) return make<T>(re(AB[j * ldab]));
        return i > j ? AB[i - j + j * ldab] : conj(AB[j - i + i * ldab]);
    }
    /* Element i of the column that sweep 0 begins with, and elements of B of the chunk that begins at row r */
    __device__ T first(int i) const { return at(i, 0); }
    __device__ T beside(int64_t r, int i, int j) const { return at(r + kd + i, r + j); }
};

/* w of H^H D H = D - v w^H - w v^H: y = D v, vy = v^H y */
template <class T> __device__ T half_update(T tau, T y, real_t<T> vy, T v)
{
    return add_mul(mul(tau, y), make<T>(real_t<T>(-0.5) * square_of(tau) * vy), v);
}

} // namespace tsl
#endif
