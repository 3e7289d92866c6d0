/* What sweeps of one launch a round have in common: a CTA for each chunk that has its turn, any kd. The band is in workspace,
 * with room for the bulges; reflectors of columns wait there for their chunk. Sums over a CTA, and a reflector that its threads
 * compute together. */
#ifndef TSL_CUDA_ROUND_CUH
#define TSL_CUDA_ROUND_CUH

#include "kernel/cuda/eig/band/sweeps.cuh"

namespace tsl {

constexpr int ROUND_THREADS = 256;

/* A: which band; ROWS kd of W are a column, or a row, of the band with its bulges */
template <class A, int ROWS_> struct rounds {
    using T = typename A::T;
    static constexpr int ROWS = ROWS_;
    A a;
    T *W;         /* ROWS kd for each column of the band */
    T *v, *u, *x; /* of each chunk, and one more: kd elements; of v and u also tau */

    __device__ T *of(T *w, int t) const { return w + (int64_t)t * (a.kd + 1); }
};

/* P: one of those, which knows the element of the band that element k of W is */
template <class P> __global__ void unpack(const __grid_constant__ P p)
{
    const int64_t k = blockIdx.x * (int64_t)ROUND_THREADS + threadIdx.x;
    if (k < (int64_t)P::ROWS * p.a.kd * p.a.columns()) p.W[k] = p.unpacked(k);
}

/* What has no diagonals beside the main one, as it is */
template <class A> __global__ void diagonal(const __grid_constant__ A a)
{
    const int64_t i = blockIdx.x * (int64_t)ROUND_THREADS + threadIdx.x;
    if (i < a.n) a.d[i] = re(a.AB[i * a.ldab]);
    if (i + 1 < a.n) a.e[i] = 0;
}

/* The same sum in all threads of the CTA */
template <class T> __device__ T sum_of_cta(T a, T *parts)
{
    for (int bit = 16; bit >= 1; bit /= 2) a = add(a, shuffle_xor(a, bit));
    __syncthreads(); /* the sum before it has been read */
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = a;
    __syncthreads();
    a = parts[0];
    for (int i = 1; i < ROUND_THREADS / 32; i++) a = add(a, parts[i]);
    return a;
}

/* The same largest number in all threads, none of which is negative */
template <class T> __device__ real_t<T> most_of_cta(real_t<T> a, T *parts)
{
    for (int bit = 16; bit >= 1; bit /= 2) a = fmax(a, __shfl_xor_sync(0xffffffffu, a, bit));
    __syncthreads();
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = make<T>(a);
    __syncthreads();
    a = re(parts[0]);
    for (int i = 1; i < ROUND_THREADS / 32; i++) a = fmax(a, re(parts[i]));
    return a;
}

/* Squares of x[1 ..], m elements `step` apart in all, times a factor */
template <class T> __device__ real_t<T> squares_in_cta(const T *x, int64_t step, int m, real_t<T> unit, T *parts)
{
    real_t<T> squares = 0;
    for (int i = 1 + threadIdx.x; i < m; i += ROUND_THREADS) squares += square_of(scale(x[i * step], unit));
    return re(sum_of_cta(make<T>(squares), parts));
}

/* The reflector of m elements `step` apart from x on, or of their conjugates, which become (beta, 0 ..). It goes to v, with tau
 * in v[kd], and is kept as that of chunk t of sweep s, which begins in row r of V. Where squares say little of x, it is
 * multiplied by a power of two first. */
template <bool CONJ, class T>
__device__ reflector<T> reflect_in_cta(T *x, int64_t step, int m, T *v, int kd, const kept<T> &to, int64_t r, int t, int s, T *parts)
{
    using R = real_t<T>;
    R unit = 1, squares = squares_in_cta(x, step, m, unit, parts);
    if (!squares_hold(squares + square_of(x[0]))) {
        R most = 0;
        for (int i = threadIdx.x; i < m; i += ROUND_THREADS) most = fmax(most, magnitude(x[i * step]));
        unit = factor_of(most_of_cta(most, parts));
        squares = squares_in_cta(x, step, m, unit, parts);
    }
    reflector<T> h(scale(CONJ ? conj(x[0]) : x[0], unit), squares);
    if (unit != 1) h.beta /= unit;
    __syncthreads(); /* x[0] has been read */
    for (int i = threadIdx.x; i < m; i += ROUND_THREADS) {
        const T a = scale(x[i * step], unit), e = i == 0 ? make<T>(1) : h.element(CONJ ? conj(a) : a);
        v[i] = e;
        x[i * step] = i == 0 ? make<T>(h.beta) : make<T>(0);
        if (to.V) to.V[r + i + s * to.ldv] = e;
    }
    if (threadIdx.x == 0) {
        v[kd] = h.tau;
        if (to.V) to.tau[t + s * to.ldt] = h.tau;
    }
    __syncthreads();
    return h;
}

} // namespace tsl
#endif
