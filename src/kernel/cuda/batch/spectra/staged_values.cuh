/* The third stage, of values alone: by bisection, a thread or a warp for each; and results that are numbers. */
#ifndef TSL_CUDA_BATCH_SPECTRA_STAGED_VALUES_CUH
#define TSL_CUDA_BATCH_SPECTRA_STAGED_VALUES_CUH

#include "kernel/cuda/batch/spectra/staged_reduce.cuh"

namespace tsl::spectra {

constexpr int FINDERS = 128;

/* 1/x to about an ulp, of x neither tiny nor huge, without a branch */
__device__ inline double quick_inverse(double x)
{
    double y;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
    const double e = fma(-x, y, 1.0);
    return fma(y, fma(e, e, e), y);
}
__device__ inline float quick_inverse(float x)
{
    float y;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

/* An element of the diagonal, and the square of that beside it and the one before */
template <class R> struct alignas(2 * sizeof(R)) link {
    R d, ee;
};

/* How many eigenvalues are less than x? */
template <class R> __device__ int count_less(const link<R> *t, int n, R x, R least)
{
    R pivot = 1;
    int below = 0;
#pragma unroll 8
    for (int i = 0; i < n; i++) {
        const link<R> own = t[i];
        pivot = fma(-own.ee, quick_inverse(pivot), own.d - x);
        if (fabs(pivot) < least) pivot = -least;
        below += pivot < 0;
    }
    return below;
}

/* Eigenvalue j, by halves of an interval that has them all: by a thread, or by a warp, whose lanes look at all middles that the
 * next five halvings may come to. These are the nodes of a tree: 1 is the next one, 2 k and 2 k + 1 are in the lower and upper
 * half that node k parts. The bits are the same. */
template <int SHARERS, class R> __device__ R value_of(const link<R> *t, int n, int j, R bound)
{
    const R least = fmax(NO_SQUARE<R>, bound * bound * SMALLEST_NORMAL<R>);
    const int node = SHARERS > 1 ? (int)threadIdx.x % SHARERS : 1;
    R low = -bound, high = bound; /* 0 of a matrix of zeros */
    for (int steps = 0; steps < std::numeric_limits<R>::digits + 8;) {
        R from = low, to = high;
        for (int bit = 30 - __clz(node | 1); bit >= 0; bit--) (node >> bit & 1 ? from : to) = (from + to) / 2;
        const bool is_above = node > 0 && count_less(t, n, (from + to) / 2, least) > j;
        const unsigned above = SHARERS > 1 ? __ballot_sync(~0u, is_above) : (unsigned)is_above << 1;
        for (int at = 1; at == 1 || at < SHARERS; steps++) {
            if (high - low <= EPSILON<R> * fmax(fmax(fabs(low), fabs(high)), bound / 8)) return (low + high) / 2;
            const bool lower = above >> at & 1;
            (lower ? high : low) = (low + high) / 2;
            at = 2 * at + !lower;
        }
    }
    return (low + high) / 2;
}

/* parts: CTAs of a problem; SHARERS: threads of a value, 1 or a warp */
template <class T, int SHARERS>
__global__ __launch_bounds__(FINDERS) void find_values(const __grid_constant__ staged<T> s, int parts)
{
    using R = real_t<T>;
    __shared__ link<R> t[MOST_ROWS];
    __shared__ double scratch[FINDERS / 32];
    const int64_t own = blockIdx.x / parts, k = s.from + own;
    const int n = s.p.n, state = s.state[own];
    const int j = ((int)(blockIdx.x % parts) * FINDERS + (int)threadIdx.x) / SHARERS;
    const R *d = s.d + own * n, *e = s.e + own * n;
    if (state == LEFT_ALONE) return;
    R most = 0;
    for (int i = (int)threadIdx.x; i < n; i += FINDERS) {
        const R before = i > 0 ? e[i - 1] : R(0);
        t[i] = {d[i], before * before};
        most = fmax(most, fabs(d[i]) + fabs(e[i]) + fabs(before));
    }
    const R bound = cta<1>(scratch).most(most) * (1 + 8 * EPSILON<R>);
    if (j >= n) return;
    const bool wanted = j < s.p.wanted, speaks = threadIdx.x % SHARERS == 0;
    R value = wanted && state == NOT_FINITE ? R(NAN) : R(0);
    if (wanted && state == TAKEN) value = times_power(value_of<SHARERS>(t, n, s.p.first + j, bound), s.power[own]);
    if (speaks) s.p.w.at(k)[j] = value;
    if (speaks && j == 0 && state == NOT_FINITE && s.p.info[k] == 0) s.p.info[k] = n;
}

/* Values that are there, ascending, are those wanted or, if the first is NaN, all that is known. A CTA for a problem */
template <class T> __global__ __launch_bounds__(FINDERS) void store_values(const __grid_constant__ staged<T> s)
{
    using R = real_t<T>;
    const int64_t own = blockIdx.x, k = s.from + own;
    const int n = s.p.n, state = s.state[own];
    const R *d = s.d + own * n;
    if (state == LEFT_ALONE) return;
    const bool failed = state == NOT_FINITE || isnan(d[0]);
    R *w = s.p.w.at(k);
    for (int j = (int)threadIdx.x; j < n; j += FINDERS)
        w[j] = j >= s.p.wanted ? R(0) : failed ? R(NAN) : times_power(d[s.p.first + j], s.power[own]);
    if (threadIdx.x == 0 && failed && s.p.info[k] == 0) s.p.info[k] = state == NOT_FINITE ? n : 1;
}

} // namespace tsl::spectra
#endif
