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
    int reach; /* diagonals of AB beside the main one: kd, or with the bulges of other sweeps 2 kd - 1 */

    /* Element (i,j), of the upper triangle too */
    __device__ T at(int64_t i, int64_t j) const
    {
        if (i >= n || j >= n || i - j > reach || j - i > reach) return make<T>(0);
        if (i == j) return make<T>(re(AB[j * ldab]));
        return i > j ? AB[i - j + j * ldab] : conj(AB[j - i + i * ldab]);
    }
    /* Element i of the column that sweep 0 begins with, and elements of B of the chunk that begins at row r */
    __device__ T first(int i, int) const { return at(i, 0); }
    __device__ T beside(int64_t r, int i, int j) const { return at(r + kd + i, r + j); }
};

/* Some chunks of some sweeps (core/arguments.h, tsl_sweeps_args), counted from the lowest one on. `begin` and `end` count so
 * too. Chunks after the first sweep's begin take the places before it, one a sweep, and those at the end leave, one a sweep. So
 * a chunk has its turn in the sweeps first(t) .. last(t). */
template <class T> struct part_of_band : band<T> {
    using sweeps<T>::n, sweeps<T>::kd;
    static constexpr bool IN_PART = true;
    int64_t origin;      /* row of chunk 0 of the first sweep */
    int64_t wide;        /* columns of AB */
    int begin, end;
    bool top;            /* chunk 0 is that with which sweeps begin, from sweep `begin` on */
    bool to_the_end;     /* there are no chunks after these */
    T *W, *passing;      /* AB, where what is left of it goes; and reflectors that come in and go out */
    int64_t ldp;

    __device__ int64_t row_of(int t, int s) const { return origin + s + (int64_t)t * kd; }
    __host__ __device__ bool is_all() const { return top && to_the_end && origin + this->sweeps == n; }
    __host__ __device__ int64_t columns() const { return wide; }
    __device__ bool has(int t, int s) const { return row_of(t, s) < n; }
    __device__ bool takes(int t, int s) const { return t >= begin - s && (to_the_end || t < end - s) && has(t, s); }
    __device__ bool begins(int t, int s) const { return top && t == 0 && s >= begin; }
    __device__ bool comes_in(int t, int s) const { return t == begin - s && !begins(t, s); }
    __device__ bool goes_out(int t, int s) const { return !to_the_end && t + 1 == end - s; }
    __device__ int first_sweep(int t) const { return max(0, begin - t); }
    __device__ int last_sweep(int t) const { return to_the_end ? this->sweeps - 1 : min(this->sweeps - 1, end - 1 - t); }
    /* Element i of the column that sweep s begins with */
    __device__ T first(int i, int s) const { return this->at(row_of(0, s - 1) + i, row_of(0, s - 1)); }
};

/* w of H^H D H = D - v w^H - w v^H: y = D v, vy = v^H y */
template <class T> __device__ T half_update(T tau, T y, real_t<T> vy, T v)
{
    return add_mul(mul(tau, y), make<T>(real_t<T>(-0.5) * square_of(tau) * vy), v);
}

} // namespace tsl
#endif
