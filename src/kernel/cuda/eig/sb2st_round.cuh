/* The same, one launch a round: a CTA for each chunk that has its turn, any kd. The band is in workspace, with room for the bulges: element (i,j), i >= j, at
 * W(i - j, j). Reflectors wait there for their chunk. */
#ifndef TSL_CUDA_SB2ST_ROUND_CUH
#define TSL_CUDA_SB2ST_ROUND_CUH

#include "kernel/cuda/eig/sb2st.cuh"

namespace tsl {

constexpr int ROUND_THREADS = 256;

template <class T> struct rounds {
    band<T> a;
    T *W;            /* 2 kd x n */
    T *v, *y, *u;    /* of each chunk: kd elements; of v also tau */

    __device__ T &at(int64_t i, int64_t j) const { return W[i - j + j * 2 * a.kd]; }
    __device__ T *of(T *x, int t) const { return x + (int64_t)t * (a.kd + 1); }
};

template <class T> __global__ void unpack(const __grid_constant__ rounds<T> p)
{
    const int64_t ld = 2 * p.a.kd, i = blockIdx.x * (int64_t)ROUND_THREADS + threadIdx.x;
    if (i < ld * p.a.n) p.W[i] = p.a.at(i / ld + i % ld, i / ld);
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

/* The reflector of m elements from x on, which become (beta, 0 ..), for chunk t of sweep s */
template <class T> __device__ real_t<T> reflect_column(const rounds<T> &p, T *x, int m, int t, int s, T *parts)
{
    T squares = make<T>(0);
    for (int i = 1 + threadIdx.x; i < m; i += ROUND_THREADS) squares = add(squares, make<T>(square_of(x[i])));
    const reflector<T> h(x[0], re(sum_of_cta(squares, parts)));
    __syncthreads(); /* x[0] has been read */
    T *const v = p.of(p.v, t);
    for (int i = threadIdx.x; i < m; i += ROUND_THREADS) {
        const T e = i == 0 ? make<T>(1) : h.element(x[i]);
        v[i] = e;
        x[i] = i == 0 ? make<T>(h.beta) : make<T>(0);
        if (p.a.V) p.a.V[p.a.row_of(t, s) + i + s * p.a.ldv] = e;
    }
    if (threadIdx.x == 0) {
        v[p.a.kd] = h.tau;
        if (p.a.V) p.a.tau[t + s * p.a.ldt] = h.tau;
    }
    __syncthreads();
    return h.beta;
}

template <class T> __global__ __launch_bounds__(ROUND_THREADS) void chase_round(const __grid_constant__ rounds<T> p, int round)
{
    __shared__ T parts[ROUND_THREADS / 32];
    const int tid = threadIdx.x, kd = p.a.kd, t = round % 2 + 2 * (int)blockIdx.x, s = (round - t) / 2;
    if (t > round || !p.a.has(t, s)) return;
    const int64_t r = p.a.row_of(t, s), r2 = r + kd;
    const int m = (int)min((int64_t)kd, p.a.n - r), m2 = (int)max((int64_t)0, min((int64_t)kd, p.a.n - r2));
    if (t == 0) {
        const real_t<T> beta = reflect_column(p, &p.at(r, s), m, 0, s, parts);
        if (tid == 0) {
            p.a.d[s] = re(p.at(s, s));
            p.a.e[s] = beta;
            if (r == p.a.n - 1) p.a.d[r] = re(p.at(r, r));
        }
    }
    const T *const v = p.of(p.v, t), tau = v[kd];
    T *const y = p.of(p.y, t), *const u = p.of(p.u, t);

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
    if (m2 == 0) return;

    for (int i = tid; i < m2; i += ROUND_THREADS) {
        T sum = make<T>(0);
        for (int j = 0; j < m; j++) sum = add_mul(sum, p.at(r2 + i, r + j), v[j]);
        u[i] = mul(tau, sum);
    }
    __syncthreads();
    for (int64_t k = tid; k < (int64_t)m * m2; k += ROUND_THREADS) {
        const int i = (int)(k % m2), j = (int)(k / m2);
        T &b = p.at(r2 + i, r + j);
        b = sub_mul<true>(b, u[i], v[j]);
    }
    __syncthreads();
    reflect_column(p, &p.at(r2, r), m2, t + 1, s, parts);
    const T *const next = p.of(p.v, t + 1), back = conj(next[kd]);
    for (int j = 1 + tid; j < m; j += ROUND_THREADS) {
        T z = make<T>(0);
        for (int i = 0; i < m2; i++) z = add_mul<true>(z, next[i], p.at(r2 + i, r + j));
        z = mul(back, z);
        for (int i = 0; i < m2; i++) {
            T &b = p.at(r2 + i, r + j);
            b = sub_mul<false>(b, next[i], z);
        }
    }
}

} // namespace tsl
#endif
