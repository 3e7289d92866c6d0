/* What bulge chasing has in common, to tridiagonal form (sb2st.cuh) and to bidiagonal form (gb2bd.cuh). The reflectors of sweep
 * s tile the rows, and the columns, from s + 1 on in chunks of kd: chunk t begins at row r = s + 1 + t kd. A step of a sweep has
 * the reflector v of the chunk's columns, D, the block of its rows and columns, and B, the block that makes the bulge: below D
 * or to its right. Sweep s + 1 has its chunks a row further down. Its step t needs what step t + 1 of sweep s leaves: in round i
 * chunk t is at sweep (i - t) / 2. */
#ifndef TSL_CUDA_SWEEPS_CUH
#define TSL_CUDA_SWEEPS_CUH

#include "kernel/cuda/geqrf/qr.cuh"

namespace tsl {

/* Reflectors of one side; V is NULL: they are not kept */
template <class T> struct kept {
    T *V, *tau;
    int64_t ldv, ldt;
};

template <class T_> struct sweeps {
    using T = T_;
    const T *AB; /* the band, lower */
    kept<T> right; /* the reflectors of the columns */
    real_t<T> *d, *e;
    int64_t ldab, n;
    int kd;     /* at least 1, less than n */
    int chunks; /* of sweep 0 */
    int sweeps; /* so many of them: at most n - 1, which are all */

    /* Does the kernel have but some chunks of each sweep, and so not all of the band (sb2st.cuh)? */
    static constexpr bool IN_PART = false;

    __device__ int64_t row_of(int t, int s) const { return 1 + s + (int64_t)t * kd; }
    __host__ __device__ bool is_all() const { return sweeps == n - 1; }
    __host__ __device__ int64_t columns() const { return n; }
    /* Has sweep s a chunk t? Is that one of the kernel's? Does the sweep begin with it here? */
    __device__ bool has(int t, int s) const { return t < chunks && row_of(t, s) < n; }
    __device__ bool takes(int t, int s) const { return has(t, s); }
    __device__ bool begins(int t, int) const { return t == 0; }
    /* Does its reflector come from a chunk that is not the kernel's, or go to one? */
    __device__ bool comes_in(int, int) const { return false; }
    __device__ bool goes_out(int, int) const { return false; }
};

} // namespace tsl
#endif
