/* Sweeps to bidiagonal form, one launch a round (round.cuh). Element (i,j) of the band is at W(j - i + kd - 1, i). */
#ifndef TSL_CUDA_GB2BD_ROUND_CUH
#define TSL_CUDA_GB2BD_ROUND_CUH

#include "kernel/cuda/eig/band/gb2bd.cuh"
#include "kernel/cuda/eig/band/round.cuh"

namespace tsl {

template <class T> struct gb_rounds : rounds<upper_band<T>, 3> {
    using rounds<upper_band<T>, 3>::a, rounds<upper_band<T>, 3>::W;

    __device__ T &at(int64_t i, int64_t j) const { return W[j - i + a.kd - 1 + i * 3 * a.kd]; }
    __device__ T unpacked(int64_t k) const { return a.at(k / (3 * a.kd), k % (3 * a.kd) + k / (3 * a.kd) - (a.kd - 1)); }
};

/* The reflector v of m elements `step` apart from x on, or of their conjugates, which become (beta, 0 ..); for chunk t of sweep
 * s */
template <bool CONJ, class T>
__device__ real_t<T> gb_reflect(const gb_rounds<T> &p, T *x, int64_t step, int m, T *v, const kept<T> &to, int t, int s, T *parts)
{
    return reflect_in_cta<CONJ>(x, step, m, v, p.a.kd, to, p.a.row_of(t, s), t, s, parts).beta;
}

/* Rows r + from .. r + m times the reflector of columns c .. c + m2 */
template <class T> __device__ void gb_right(const gb_rounds<T> &p, int64_t r, int from, int m, int64_t c, int m2, const T *v, T *x)
{
    for (int i = from + threadIdx.x; i < m; i += ROUND_THREADS) {
        T sum = make<T>(0);
        for (int j = 0; j < m2; j++) sum = add_mul(sum, p.at(r + i, c + j), v[j]);
        x[i] = mul(v[p.a.kd], sum);
    }
    __syncthreads();
    for (int64_t k = threadIdx.x; k < (int64_t)m * m2; k += ROUND_THREADS) {
        const int i = (int)(k / m2), j = (int)(k % m2);
        T &e = p.at(r + i, c + j);
        if (i >= from) e = sub_mul<true>(e, x[i], v[j]);
    }
    __syncthreads();
}

/* Columns c + from .. c + m2 times the conjugate transpose of the reflector of rows r .. r + m, from the left */
template <class T> __device__ void gb_left(const gb_rounds<T> &p, int64_t r, int m, int64_t c, int from, int m2, const T *u, T *x)
{
    const T back = conj(u[p.a.kd]);
    for (int j = from + threadIdx.x; j < m2; j += ROUND_THREADS) {
        T sum = make<T>(0);
        for (int i = 0; i < m; i++) sum = add_mul<true>(sum, u[i], p.at(r + i, c + j));
        x[j] = mul(back, sum);
    }
    __syncthreads();
    for (int64_t k = threadIdx.x; k < (int64_t)m * m2; k += ROUND_THREADS) {
        const int i = (int)(k / m2), j = (int)(k % m2);
        T &e = p.at(r + i, c + j);
        if (j >= from) e = sub_mul<false>(e, u[i], x[j]);
    }
    __syncthreads();
}

template <class T> __global__ __launch_bounds__(ROUND_THREADS) void gb_round(const __grid_constant__ gb_rounds<T> p, int round)
{
    __shared__ T parts[ROUND_THREADS / 32];
    const int kd = p.a.kd, t = round % 2 + 2 * (int)blockIdx.x, s = (round - t) / 2;
    if (t > round || !p.a.has(t, s)) return;
    const int64_t r = p.a.row_of(t, s), r2 = r + kd;
    const int m = (int)min((int64_t)kd, p.a.n - r), m2 = (int)max((int64_t)0, min((int64_t)kd, p.a.n - r2));
    T *const v = p.of(p.v, t), *const u = p.of(p.u, t), *const x = p.of(p.x, t);
    if (t == 0) {
        const real_t<T> beta = gb_reflect<true>(p, &p.at(s, r), 1, m, v, p.a.right, 0, s, parts);
        if (threadIdx.x == 0) {
            p.a.d[s] = re(p.at(s, s));
            p.a.e[s] = beta;
        }
    }
    gb_right(p, r, 0, m, r, m, v, x);
    const real_t<T> beta = gb_reflect<false>(p, &p.at(r, r), 3 * (int64_t)kd - 1, m, u, p.a.left, t, s, parts);
    if (t == 0 && threadIdx.x == 0 && r == p.a.n - 1) p.a.d[r] = beta;
    gb_left(p, r, m, r, 1, m, u, x);
    if (m2 == 0) return;
    gb_left(p, r, m, r2, 0, m2, u, x);
    T *const next = p.of(p.v, t + 1);
    gb_reflect<true>(p, &p.at(r, r2), 1, m2, next, p.a.right, t + 1, s, parts);
    gb_right(p, r, 1, m, r2, m2, next, x);
}

} // namespace tsl
#endif
