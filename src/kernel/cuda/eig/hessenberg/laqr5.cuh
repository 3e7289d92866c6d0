/* Chains of bulges in their windows (core/leaf.h, core/numbers/chase.h): a CTA for each chain, its window of H and the
 * transformation U in shared memory, two warps for each bulge. A step makes the reflectors of all bulges, which have rows of
 * their own, and multiplies these; then, after a barrier, the columns: the first warp those of H, the second those of U. */
#ifndef TSL_CUDA_LAQR5_CUH
#define TSL_CUDA_LAQR5_CUH

#include "core/numbers/chase.h"
#include "kernel/cuda/async.cuh"
#include "kernel/cuda/eig/reflect.cuh"

namespace tsl {
namespace laqr5 {

using eig::scaled_reflector;
using eig::sum_of_squares;

constexpr int PAIR = 64; /* threads of a bulge */
constexpr int THREADS = PAIR * TSL_CHASE_BULGES;

/* Of the threads of a bulge alone; barrier 0 is all threads' */
__device__ inline void pair_barrier(int bulge)
{
    const int number = bulge + 1;
    asm volatile("bar.sync %0, 64;" ::"r"(number) : "memory");
}

template <class T> struct job {
    T *H, *U;
    const T *S;
    int64_t ldh, ldu, lds;
    tsl_chase sweep;
};

template <class T> __device__ real_t<T> one_norm(T a)
{
    if constexpr (is_complex<T>)
        return fabs(a.re) + fabs(a.im);
    else
        return fabs(a);
}

template <class T> __device__ T minus(T a, T b) { return add(a, scale(b, real_t<T>(-1))); }

template <class T> struct window {
    using R = real_t<T>;
    T *h, *u; /* in shared memory, by columns */
    int ld, order, left; /* rows of the matrix from the window's first one on */

    __device__ T &at(int i, int j) const { return h[i + j * ld]; }

    /* A multiple of the first column of (H - s1)(H - s2), of n elements */
    __device__ void first_column(const T *s, int n, T (&x)[3]) const
    {
        const T one = s[0], two = s[2], gap = minus(at(0, 0), two), both = is_complex<T> ? make<T>(0) : mul(s[1], s[3]);
        R size = one_norm(gap) + one_norm(s[3]) + one_norm(at(1, 0)) + (n > 2 ? one_norm(at(2, 1)) : R(0));
        if (!(size > 0)) size = 1;
        const T below = scale(at(1, 0), 1 / size);
        x[0] = add(mul(below, at(0, 1)), minus(mul(minus(at(0, 0), one), scale(gap, 1 / size)), scale(both, 1 / size)));
        x[1] = mul(below, minus(minus(add(at(0, 0), at(1, 1)), one), two));
        x[2] = n > 2 ? mul(below, at(2, 1)) : make<T>(0);
    }

    /* Rows k + 1 .. k + N times the inverse of I - tau v v^H, then columns times that itself; k counted from the window's first
     * row, -1 at the start. All loads of a thread are under way at once: no window has more than TSL_CHASE_WINDOW columns. */
    template <int N> __device__ void from_left(int k, T tau, const T (&v)[3], int lane) const
    {
        constexpr int EACH = (TSL_CHASE_WINDOW + PAIR - 1) / PAIR;
        const T by = conj(tau);
        T x[EACH][N];
#pragma unroll
        for (int e = 0; e < EACH; e++)
#pragma unroll
            for (int i = 0; i < N; i++) {
                const int j = k + 1 + lane + e * PAIR;
                x[e][i] = j < order ? at(k + 1 + i, j) : make<T>(0);
            }
#pragma unroll
        for (int e = 0; e < EACH; e++) {
            const int j = k + 1 + lane + e * PAIR;
            T sum = make<T>(0);
#pragma unroll
            for (int i = 0; i < N; i++) sum = add_mul<true>(sum, v[i], x[e][i]);
            sum = mul(by, sum);
            if (j >= order) break;
#pragma unroll
            for (int i = 0; i < N; i++) at(k + 1 + i, j) = minus(x[e][i], mul(sum, v[i]));
        }
    }
    template <int N> __device__ void from_right(T *X, int rows, int k, T tau, const T (&v)[3], int lane) const
    {
        constexpr int EACH = TSL_CHASE_WINDOW / 32;
        T *const first = X + (k + 1) * ld, x[EACH][N];
#pragma unroll
        for (int e = 0; e < EACH; e++)
#pragma unroll
            for (int j = 0; j < N; j++) {
                const int i = lane + e * 32;
                x[e][j] = i < rows ? first[i + j * ld] : make<T>(0);
            }
#pragma unroll
        for (int e = 0; e < EACH; e++) {
            const int i = lane + e * 32;
            T sum = make<T>(0);
#pragma unroll
            for (int j = 0; j < N; j++) sum = add_mul(sum, x[e][j], v[j]);
            sum = mul(tau, sum);
            if (i >= rows) break;
#pragma unroll
            for (int j = 0; j < N; j++) first[i + j * ld] = minus(x[e][j], mul(sum, conj(v[j])));
        }
    }

    /* The reflector of x, of n elements; v := its vector */
    static __device__ T reflector(const T (&x)[3], int n, T (&v)[3], T &beta)
    {
        v[0] = make<T>(1);
        const R most = max(magnitude(x[0]), max(magnitude(x[1]), magnitude(x[2]))), far_off = sizeof(R) == 8 ? R(1e140) : R(1e15);
        if (most < far_off && most * far_off > 1) { /* squares are in the range */
            const tsl::reflector<T> h(x[0], eig::real_dot(x[1], x[1]) + eig::real_dot(x[2], x[2]));
            for (int i = 1; i < 3; i++) v[i] = h.none ? make<T>(0) : mul(x[i], h.inv);
            beta = make<T>(h.beta);
            return h.tau;
        }
        sum_of_squares squares = sum_of_squares::zero();
        for (int i = 1; i < n; i++) squares.take(x[i]);
        const scaled_reflector<T> f(x[0], squares);
        for (int i = 1; i < 3; i++) v[i] = i < n ? f.element(x[i], 1, -1) : make<T>(0);
        beta = make<T>(f.beta);
        return f.tau;
    }
};

template <class T> __device__ void chase(const job<T> &p, T *shared)
{
    const tsl_chase &s = p.sweep;
    const int c = blockIdx.x, tid = threadIdx.x, bulge = tid / PAIR, part = tid % PAIR, lane = tid % 32;
    const tsl_chase_place place = tsl_chase_window(&s, c);
    const int order = (int)place.order, bulges = (int)tsl_chase_bulges(&s, c);
    if (!order) return;
    window<T> w = {shared, shared + s.window * (s.window + 1), (int)s.window + 1, order, (int)(s.m - place.first)};
    T *H = p.H + place.first * (p.ldh + 1), *U = p.U + c * s.window * p.ldu;
    load_block_async<T>(w.h, w.ld, H, p.ldh, order, order);
    for (int col = tid / 32; col < order; col += blockDim.x / 32)
        for (int row = lane; row < order; row += 32) w.u[row + col * w.ld] = make<T>(row == col);
    end_group(), await_groups<0>();
    __syncthreads();
    for (int64_t t = s.time; t < s.time + s.steps; t++) {
        const int64_t at = tsl_chase_k(&s, c, bulge, t);
        const bool active = bulge < bulges && at >= -1 && at <= s.m - 3;
        const int k = (int)(at - place.first), n = min(3, w.left - 1 - k);
        T tau = make<T>(0), v[3], x[3], beta;
        if (active) {
            if (at < 0)
                w.first_column(p.S + (c * s.chain + bulge) * p.lds, n, x);
            else
                for (int i = 0; i < 3; i++) x[i] = i < n ? w.at(k + 1 + i, k) : make<T>(0);
            tau = window<T>::reflector(x, n, v, beta);
            pair_barrier(bulge); /* both warps have read x */
            if (at >= 0 && part < n) w.at(k + 1 + part, k) = part ? make<T>(0) : beta;
            if (n == 3) w.template from_left<3>(k, tau, v, part);
            else w.template from_left<2>(k, tau, v, part);
        }
        __syncthreads();
        if (active) {
            T *const X = part < 32 ? w.h : w.u;
            const int rows = part < 32 ? min(order, k + 5) : order;
            if (n == 3) w.template from_right<3>(X, rows, k, tau, v, lane);
            else w.template from_right<2>(X, rows, k, tau, v, lane);
        }
        __syncthreads();
    }
    for (int col = tid / 32; col < order; col += blockDim.x / 32)
        for (int row = lane; row < order; row += 32) H[row + col * p.ldh] = w.h[row + col * w.ld], U[row + col * p.ldu] = w.u[row + col * w.ld];
}

} // namespace laqr5
} // namespace tsl
#endif
