/* Sweeps to tridiagonal form, one launch a round (round.cuh), and down to kb diagonals beside the main one: the reflectors of
 * sweep s have at most kd - kb + 1 elements and begin in rows s + kb + t kd. H of chunk t meets, beside D, all rows below it as
 * far as the bulges reach, and from the left the columns between the one it comes from and its own. Element (i,j), i >= j, of
 * the band is at W(i - j, j). */
#ifndef TSL_CUDA_SB2ST_ROUND_CUH
#define TSL_CUDA_SB2ST_ROUND_CUH

#include "kernel/cuda/eig/band/round.cuh"
#include "kernel/cuda/eig/band/sb2st.cuh"

namespace tsl {

template <class A> struct sb_rounds : rounds<A, 2> {
    using T = typename A::T;
    using rounds<A, 2>::a, rounds<A, 2>::W;
    int kb; /* at least 1, at most kd */

    __device__ int64_t row_of(int t, int s) const { return kb - 1 + a.row_of(t, s); }
    __device__ int reflected(int64_t r) const { return (int)max((int64_t)0, min((int64_t)(a.kd - kb + 1), a.n - r)); }
    __device__ T &at(int64_t i, int64_t j) const { return W[i - j + j * 2 * a.kd]; }
    __device__ T unpacked(int64_t k) const { return a.at(k / (2 * a.kd) + k % (2 * a.kd), k / (2 * a.kd)); }
};

/* The reflector of m elements of column j from row r on, which become (beta, 0 ..), for chunk t of sweep s; from the left to
 * the columns up to the chunk's. It is kept in `to`. */
template <class A, class T>
__device__ void reflect_column(const sb_rounds<A> &p, int64_t r, int64_t j, int t, int s, const kept<T> &to, T *parts)
{
    const int m = p.reflected(r);
    T *const v = p.of(p.v, t);
    const reflector<T> h = reflect_in_cta<false>(&p.at(r, j), 1, m, v, p.a.kd, to, r - p.kb + 1, t, s, parts);
    const T back = conj(h.tau);
    for (int64_t c = j + 1 + threadIdx.x; c < r; c += ROUND_THREADS) {
        T z = make<T>(0);
        for (int i = 0; i < m; i++) z = add_mul<true>(z, v[i], p.at(r + i, c));
        z = mul(back, z);
        for (int i = 0; i < m; i++) p.at(r + i, c) = sub_mul<false>(p.at(r + i, c), v[i], z);
    }
    __syncthreads();
}

/* The reflector of chunk t from a chunk that is not the kernel's, of m elements from row r on; and that after chunk t to one */
template <class A> __device__ void take_in(const sb_rounds<A> &p, int64_t r, int m, int t, int s)
{
    if constexpr (A::IN_PART) {
        const auto *const from = p.a.passing + s * p.a.ldp;
        auto *const v = p.of(p.v, t);
        for (int i = threadIdx.x; i <= p.a.kd; i += ROUND_THREADS) {
            v[i] = from[i];
            if (p.a.right.V && i < m) p.a.right.V[r + i + s * p.a.right.ldv] = from[i];
            if (p.a.right.V && i == p.a.kd) p.a.right.tau[t + s * p.a.right.ldt] = from[i];
        }
        __syncthreads();
    }
}
template <class A> __device__ void hand_out(const sb_rounds<A> &p, int m, int t, int s)
{
    if constexpr (A::IN_PART) {
        auto *const to = p.a.passing + s * p.a.ldp;
        const auto *const v = p.of(p.v, t + 1);
        for (int i = threadIdx.x; i <= p.a.kd; i += ROUND_THREADS)
            if (i < m || i == p.a.kd) to[i] = v[i];
    }
}

template <class A> __global__ __launch_bounds__(ROUND_THREADS) void sb_round(const __grid_constant__ sb_rounds<A> p, int round)
{
    using T = typename A::T;
    __shared__ T parts[ROUND_THREADS / 32];
    const int tid = threadIdx.x, kd = p.a.kd, t = round % 2 + 2 * (int)blockIdx.x, s = (round - t) / 2;
    if (t > round || s >= p.a.sweeps) return;
    const int64_t r = p.row_of(t, s);
    if (r >= p.a.n || !p.a.takes(t, s)) return;
    const int m = p.reflected(r), below = (int)min((int64_t)kd, p.a.n - r - m);
    if (p.a.begins(t, s)) reflect_column(p, r, r - p.kb, t, s, p.a.right, parts);
    if (p.a.comes_in(t, s)) take_in(p, r, m, t, s);
    const T *const v = p.of(p.v, t), tau = v[kd];
    T *const y = p.of(p.x, t), *const u = p.of(p.u, t);

    T vy = make<T>(0);
    for (int i = tid; i < m; i += ROUND_THREADS) {
        T sum = make<T>(0);
        for (int j = 0; j <= i; j++) sum = add_mul(sum, p.at(r + i, r + j), v[j]);
        for (int j = i + 1; j < m; j++) sum = add_mul<true>(sum, p.at(r + j, r + i), v[j]);
        y[i] = sum;
        vy = add_mul<true>(vy, v[i], sum);
    }
    vy = sum_of_cta(vy, parts);
    for (int i = tid; i < m; i += ROUND_THREADS) y[i] = half_update(tau, y[i], re(vy), v[i]); /* w */
    __syncthreads();
    for (int64_t k = tid; k < (int64_t)m * m; k += ROUND_THREADS) {
        const int i = (int)(k % m), j = (int)(k / m);
        if (i < j) continue;
        T &d = p.at(r + i, r + j);
        d = sub_mul<true>(sub_mul<true>(d, v[i], y[j]), y[i], v[j]);
        if (i == j) d = make<T>(re(d));
    }
    for (int i = tid; i < below; i += ROUND_THREADS) {
        T sum = make<T>(0);
        for (int j = 0; j < m; j++) sum = add_mul(sum, p.at(r + m + i, r + j), v[j]);
        u[i] = mul(tau, sum);
    }
    __syncthreads();
    for (int64_t k = tid; k < (int64_t)m * below; k += ROUND_THREADS) {
        const int i = (int)(k % below), j = (int)(k / below);
        T &b = p.at(r + m + i, r + j);
        b = sub_mul<true>(b, u[i], v[j]);
    }
    __syncthreads();
    if (r + kd >= p.a.n) return;
    const bool out = p.a.goes_out(t, s);
    reflect_column(p, r + kd, r, t + 1, s, out ? kept<T>{} : p.a.right, parts);
    if (out) hand_out(p, p.reflected(r + kd), t, s);
}

/* T's diagonals in the first rows of W, of the sweeps that began here, and behind the last one of all */
template <class A> __global__ void pack_tridiagonal(const __grid_constant__ sb_rounds<A> p)
{
    const int64_t i = blockIdx.x * (int64_t)ROUND_THREADS + threadIdx.x, column = p.a.row_of(0, (int)i) - 1;
    const bool sweep = i < p.a.sweeps && p.a.takes(0, (int)i) && p.a.begins(0, (int)i);
    if (sweep || (i == p.a.sweeps && p.a.is_all())) p.a.d[i] = re(p.at(column, column));
    if (sweep) p.a.e[i] = re(p.at(column + 1, column));
}

/* All of W, to where others go on */
template <class A> __global__ void pack_left(const __grid_constant__ sb_rounds<A> p)
{
    const int64_t rows = 2 * p.a.kd, k = blockIdx.x * (int64_t)ROUND_THREADS + threadIdx.x;
    if (k < rows * p.a.columns()) p.a.W[k % rows + k / rows * p.a.ldab] = p.W[k];
}

/* The narrower band in the first rows of W */
template <class A> __global__ void pack_band(const __grid_constant__ sb_rounds<A> p, typename A::T *B, int64_t ldb)
{
    using T = typename A::T;
    const int64_t rows = p.kb + 1, k = blockIdx.x * (int64_t)ROUND_THREADS + threadIdx.x, i = k % rows, j = k / rows;
    if (j >= p.a.n) return;
    const T b = i < 2 * p.a.kd ? p.at(i + j, j) : make<T>(0);
    B[i + j * ldb] = i == 0 ? make<T>(re(b)) : b;
}

} // namespace tsl
#endif
