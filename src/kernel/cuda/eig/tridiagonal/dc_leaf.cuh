/* The ends of divide and conquer: scaling, the leaves, and results as the caller wants them. */
#ifndef TSL_CUDA_DC_LEAF_CUH
#define TSL_CUDA_DC_LEAF_CUH

#include "kernel/cuda/eig/tridiagonal/dc.cuh"

namespace tsl {
namespace dc {

constexpr int WIDE = 1024, SWEEPS = 60;
template <class R> constexpr R NOT_A_NUMBER = std::numeric_limits<R>::quiet_NaN();

/* T divided by a power of two, to a largest element of 1/2 to 1. With NaN or Inf it becomes zero, and `finish` knows. A
 * CTA for a matrix */
template <class R> __global__ __launch_bounds__(WIDE) void scale_down(const __grid_constant__ state<R> p)
{
    __shared__ R most[WIDE];
    __shared__ int bad;
    const int tid = threadIdx.x;
    const int64_t n = p.t.n;
    R *const d = p.d + blockIdx.x * n, *const e = p.e + blockIdx.x * n;
    if (tid == 0) bad = 0;
    __syncthreads();
    R own = 0;
    bool odd = false;
    for (int64_t i = tid; i < n; i += WIDE) {
        const R a = fabs(d[i]), b = i + 1 < n ? fabs(e[i]) : R(0);
        odd |= !(a <= LARGEST<R> && b <= LARGEST<R>);
        own = largest(own, largest(a, b));
    }
    if (odd) bad = 1;
    most[tid] = own;
    for (int half = WIDE / 2; half > 0; half /= 2) {
        __syncthreads();
        if (tid < half) most[tid] = largest(most[tid], most[tid + half]);
    }
    __syncthreads();
    int exponent = 0;
    if (most[0] > 0 && !bad) frexp(most[0], &exponent);
    for (int64_t i = tid; i < n; i += WIDE) {
        d[i] = bad ? R(0) : R(ldexp(d[i], -exponent));
        if (i + 1 < n) e[i] = bad ? R(0) : R(ldexp(e[i], -exponent));
    }
    if (tid == 0) p.sum[blockIdx.x] = {exponent, bad, 0};
}

/* The rotations of an implicit QL step on rows l to m, by one thread: c[i] and s[i] turn rows i and i + 1. Returns the last
 * i. */
template <class R> __device__ int step(R *d, R *e, R *c, R *s, int l, int m)
{
    const R half = (d[l + 1] - d[l]) / (2 * e[l]);
    R g = d[m] - d[l] + e[l] / (half + copysign(radius(half, R(1)), half));
    R cosine = 1, sine = 1, shift = 0;
    int i = m - 1;
    for (; i >= l; i--) {
        const R f = sine * e[i], b = cosine * e[i], r = radius(f, g);
        e[i + 1] = r;
        if (r == 0) { /* it falls apart here */
            d[i + 1] -= shift;
            e[m] = 0;
            return i + 1;
        }
        sine = f / r, cosine = g / r;
        g = d[i + 1] - shift;
        const R t = (d[i] - g) * sine + 2 * cosine * b;
        shift = sine * t;
        d[i + 1] = g + shift;
        g = cosine * t - b;
        c[i] = cosine, s[i] = sine;
    }
    d[l] -= shift;
    e[l] = g;
    e[m] = 0;
    return l;
}

/* The leaves, a warp each, by implicit QL: a lane has a row of Q. Elements beside a cut are not part of them. */
template <class R> __global__ __launch_bounds__(LANES) void leaves(const __grid_constant__ state<R> p)
{
    __shared__ R Q[LEAF][LEAF + 1], d[LEAF], e[LEAF + 1], c[LEAF], s[LEAF];
    __shared__ int until;
    const int lane = threadIdx.x;
    const int64_t from = p.t.start(0, blockIdx.x), matrix = p.t.matrix(0, blockIdx.x), row = from - matrix * p.t.n;
    const int n = (int)(p.t.start(0, blockIdx.x + 1) - from);
    d[lane] = e[lane] = 0;
    for (int j = 0; j < LEAF; j++) Q[lane][j] = j == lane;
    if (lane < n) {
        R own = p.d[from + lane];
        if (lane == 0 && row > 0) own -= fabs(p.e[from - 1]);
        if (lane == n - 1 && row + n < p.t.n) own -= fabs(p.e[from + n - 1]);
        d[lane] = own;
        if (lane < n - 1) e[lane] = p.e[from + lane];
    }
    __syncwarp();
    bool failed = false;
    for (int l = 0; l < n - 1; l++) {
        for (int sweep = 0;; sweep++) {
            const R size = lane < n - 1 ? fabs(d[lane]) + fabs(d[lane + 1]) : R(0);
            const bool apart = lane >= n - 1 || fabs(e[lane]) <= largest(EPS<R> * size, EPS<R> * EPS<R>);
            const unsigned cuts = __ballot_sync(0xffffffffu, apart) >> l;
            const int m = l + __ffs(cuts) - 1;
            failed |= m > l && sweep == SWEEPS;
            if (m == l || failed) break;
            if (lane == 0) until = step(d, e, c, s, l, m);
            __syncwarp();
            const int end = until;
            R right = Q[lane][m];
            for (int i = m - 1; i >= end; i--) {
                const R left = Q[lane][i];
                Q[lane][i + 1] = s[i] * left + c[i] * right;
                right = c[i] * left - s[i] * right;
            }
            Q[lane][end] = right;
            __syncwarp();
        }
    }
    if (failed && lane == 0) p.sum[matrix].failed = 1;
    int place = 0;
    const R own = d[lane];
    for (int i = 0; i < n; i++) place += d[i] < own || (d[i] == own && i < lane);
    if (lane < n) {
        p.d[from + place] = own;
        if (p.first) {
            p.first[from + place] = Q[0][lane];
            p.last[from + place] = Q[n - 1][lane];
        }
        if (p.t.levels == 0) p.target[lane] = lane; /* there is no merge: all columns are as deflated ones */
    }
    if (p.t.levels == 0 && lane == 0) *p.count = {};
    if (p.first) return;
    for (int j = 0; j < n; j++) {
        const int to = __shfl_sync(0xffffffffu, place, j);
        if (lane < n) p.Q[row + lane + (from + to) * p.ldq] = Q[lane][j];
    }
}

template <class R> __global__ __launch_bounds__(256) void clear(R *Q, int64_t ldq, int64_t n, int64_t columns)
{
    for (int64_t j = blockIdx.x; j < columns; j += gridDim.x)
        for (int64_t i = threadIdx.x; i < n; i += 256) Q[i + j * ldq] = 0;
}

/* Eigenvalues at T's own scale. Where T has NaN or Inf, or an iteration has not converged, all results are NaN. Z: n x count,
 * or NULL */
template <class R, class T>
__global__ __launch_bounds__(256) void finish(const __grid_constant__ state<R> p, T *Z, int64_t ldz, int64_t count, int64_t *info)
{
    const summary sum = *p.sum;
    const bool none = sum.bad || sum.failed;
    const int64_t n = p.t.n, all = (int64_t)gridDim.x * 256, own = (int64_t)blockIdx.x * 256 + threadIdx.x;
    for (int64_t i = own; i < n; i += all) p.d[i] = none ? NOT_A_NUMBER<R> : R(ldexp(p.d[i], sum.exponent));
    if (none && Z)
        for (int64_t i = own; i < n * count; i += all) Z[i % n + i / n * ldz] = make<T>(NOT_A_NUMBER<R>);
    if (own == 0 && *info == 0 && none) *info = sum.bad ? n : 1;
}

/* The same of each of several matrices, a CTA for one: values alone */
template <class R> __global__ __launch_bounds__(256) void finish_batch(const __grid_constant__ state<R> p)
{
    const summary sum = p.sum[blockIdx.x];
    R *const d = p.d + blockIdx.x * p.t.n;
    const bool none = sum.bad || sum.failed;
    for (int64_t i = threadIdx.x; i < p.t.n; i += 256) d[i] = none ? NOT_A_NUMBER<R> : R(ldexp(d[i], sum.exponent));
}

} // namespace dc
} // namespace tsl
#endif
