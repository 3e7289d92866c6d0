/* Band to tridiagonal form by bulge chasing (core/leaf.h). Sweep s makes column s tridiagonal. Its reflectors tile the rows
 * from s + 1 on in chunks of kd: chunk t begins at row r = s + 1 + t kd. A step of a sweep has the reflector v of chunk t, D,
 * the diagonal block of the chunk's rows, and B, the block below it, of the next chunk's rows:
 *   D := H^H D H; B := B H; the first column of B gives the reflector of chunk t + 1; B := H'^H B, whose first column is then
 *   (beta, 0 ..).
 * Sweep s + 1 has its chunks a row further down. Its step t needs what step t + 1 of sweep s leaves: in round i chunk t is at
 * sweep (i - t) / 2. */
#ifndef TSL_CUDA_SB2ST_CUH
#define TSL_CUDA_SB2ST_CUH

#include "kernel/cuda/geqrf/qr.cuh"
#include "kernel/cuda/launch.cuh"

namespace tsl {

template <class T> struct band {
    const T *AB;
    T *V, *tau; /* NULL: they are not kept */
    real_t<T> *d, *e;
    int64_t ldab, ldv, ldt, n;
    int kd;         /* at least 1, less than n */
    int chunks;     /* of sweep 0 */

    __device__ int64_t row_of(int t, int s) const { return 1 + s + (int64_t)t * kd; }
    /* Has sweep s a chunk t? */
    __device__ bool has(int t, int s) const { return t < chunks && row_of(t, s) < n; }
    /* Element i of the column that sweep 0 begins with */
    __device__ T first(int i) const { return at(i, 0); }
    /* Element (i,j), of the upper triangle too */
    __device__ T at(int64_t i, int64_t j) const
    {
        if (i >= n || j >= n || i - j > kd || j - i > kd) return make<T>(0);
        if (i == j) return make<T>(re(AB[j * ldab]));
        return i > j ? AB[i - j + j * ldab] : conj(AB[j - i + i * ldab]);
    }
};

/* w of H^H D H = D - v w^H - w v^H: y = D v, vy = v^H y */
template <class T> __device__ T half_update(T tau, T y, real_t<T> vy, T v)
{
    return add_mul(mul(tau, y), make<T>(real_t<T>(-0.5) * square_of(tau) * vy), v);
}

} // namespace tsl
#endif
