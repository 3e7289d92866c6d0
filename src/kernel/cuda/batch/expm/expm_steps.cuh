/* Steps of the exponential of a batch beside products and solutions: scaling, the number of squarings, sums of powers, and the
 * squarings. Each problem has its own; the degree of the approximant is one, the highest (core/numbers/pade.h). */
#ifndef TSL_CUDA_BATCH_EXPM_STEPS_CUH
#define TSL_CUDA_BATCH_EXPM_STEPS_CUH

#include "kernel/cuda/batch/batch.cuh"
#include "kernel/cuda/batch/group.cuh"

namespace tsl::many {

constexpr int THREADS = 256;

/* n x n matrices, one after the other; norms and powers of two for each problem */
template <class T> struct expm_batch {
    int n;
    Batch<T> given;
    int64_t count;
    int64_t *info;
    T *A, *A2, *A4, *A6, *U, *V, *W;
    double *norm, *norm4, *norm6; /* of A as it was given, of powers of 2^-before A */
    int *squarings;
    __host__ __device__ int64_t each() const { return (int64_t)n * n; }
};

/* The coefficients, highest degree last */
struct pade {
    double b[14], bound, log_error; /* up to which size it is good; log2 of one over the first coefficient of its error */
    int degree;
};

template <class T> __device__ bool is_good(double norm) { return isfinite((real_t<T>)norm); }

/* Products of ten numbers of this size do not overflow: A is 2^-before of what it was. */
template <class T> __device__ int before_of(double norm)
{
    constexpr int LEAST = sizeof(real_t<T>) == 4 ? 12 : 100;
    const int exponent = is_good<T>(norm) && norm > 0 ? ilogb(norm) + 1 : 0;
    return exponent > LEAST ? exponent - LEAST : 0;
}

template <class T> __device__ T by_power(T a, int e)
{
    if constexpr (is_complex<T>)
        return T{scalbn(a.re, e), scalbn(a.im, e)};
    else
        return scalbn(a, e);
}

/* A := what is given, in range; of what is no number zeros, and an outcome */
template <class T> __global__ __launch_bounds__(THREADS) void expm_begin(expm_batch<T> g)
{
    const int64_t each = g.each(), all = each * g.count;
    for (int64_t at = (int64_t)blockIdx.x * THREADS + threadIdx.x; at < all; at += (int64_t)gridDim.x * THREADS) {
        const int64_t k = at / each;
        const int e = (int)(at % each), i = e % g.n, j = e / g.n;
        const double norm = g.norm[k];
        g.A[at] = is_good<T>(norm) ? by_power(g.given.at(k)[i + j * g.given.ld], -before_of<T>(norm)) : make<T>(0);
        if (e == 0 && !is_good<T>(norm) && g.info[k] == 0) g.info[k] = g.n;
    }
}

template <int TH> __device__ void sync_threads()
{
    if constexpr (TH <= 32)
        __syncwarp(mask_of<TH>());
    else
        __syncthreads();
}

/* By TH threads: the norm one of (|A| / norm)^steps, of which the exponent is wanted: in single precision, in shared memory.
 * v: room for 2 n numbers and, row by row, the matrix */
template <int TH, class T> __device__ float size_of_power(const T *A, int n, double norm, int steps, float *v)
{
    const int rank = (int)threadIdx.x % TH, ld = n | 1;
    float *from = v, *to = v + n, *const P = v + 2 * n, most = 0;
    for (int e = rank; e < n * n; e += TH) {
        double size;
        if constexpr (is_complex<T>) size = hypot((double)A[e].re, (double)A[e].im);
        else size = fabs((double)A[e]);
        P[e / n + e % n * ld] = (float)(size / norm);
    }
    for (int i = rank; i < n; i += TH) from[i] = 1;
    sync_threads<TH>();
    for (int s = 0; s < steps; s++) {
        for (int j = rank; j < n; j += TH) {
            float sum = 0;
            for (int i = 0; i < n; i++) sum = fmaf(P[j + i * ld], from[i], sum);
            to[j] = sum;
        }
        sync_threads<TH>();
        float *const was = from;
        from = to, to = was;
    }
    for (int j = 0; j < n; j++) most = larger(most, from[j]);
    return most;
}

/* TH threads for each problem. By norms of A^4 and A^6, which tell of a nonnormal matrix more than that of A; and as many more
 * as the error asks for, by |A|^(2m+1), where the norm of A alone does not say that there are enough. */
constexpr int CHOOSERS = 128;
template <int TH, class T> __global__ __launch_bounds__(CHOOSERS) void expm_choose(expm_batch<T> g, pade p)
{
    extern __shared__ float room[];
    const int64_t k = (int64_t)blockIdx.x * (CHOOSERS / TH) + threadIdx.x / TH;
    if (k >= g.count) return;
    const int before = before_of<T>(g.norm[k]), m = p.degree;
    const double norm = scalbn(g.norm[k], -before), size = fmax(pow(g.norm4[k], 1 / 4.), pow(g.norm6[k], 1 / 6.));
    int s = size > 0 && isfinite(size) ? before + (int)ceil(log2(size / p.bound)) : 0;
    if (s < 0) s = 0;
    double error = 2 * m * (log2(norm) - (s - before)) - p.log_error + (sizeof(real_t<T>) == 4 ? 24 : 53);
    if (is_good<T>(g.norm[k]) && norm > 0x1p-60 && error > 0) {
        float *const own = room + threadIdx.x / TH * (g.n * (2 + (g.n | 1)));
        const double grown = size_of_power<TH>(g.A + k * g.each(), g.n, norm, 2 * m + 1, own);
        error += log2(grown);
        if (grown > 0 && error > 0) s += (int)ceil(error / (2 * m));
    }
    if (threadIdx.x % TH == 0) g.squarings[k] = is_good<T>(g.norm[k]) ? s : 0;
}

/* V and W := the even and the odd terms up to A^7, of powers of the scaled matrix. Of a higher degree A2 and A4 become what A^6
 * is multiplied by. */
template <class T> __global__ __launch_bounds__(THREADS) void expm_combine(expm_batch<T> g, pade p)
{
    using R = real_t<T>;
    const int64_t each = g.each(), all = each * g.count;
    for (int64_t at = (int64_t)blockIdx.x * THREADS + threadIdx.x; at < all; at += (int64_t)gridDim.x * THREADS) {
        const int64_t k = at / each;
        const int e = (int)(at % each), by = before_of<T>(g.norm[k]) - g.squarings[k];
        const R one = e % g.n == e / g.n;
        const T a2 = by_power(g.A2[at], 2 * by), a4 = by_power(g.A4[at], 4 * by), a6 = by_power(g.A6[at], 6 * by);
        const auto sum = [&](int b) {
            return add(add(scale(a2, (R)p.b[b]), scale(a4, (R)p.b[b + 2])), scale(a6, (R)p.b[b + 4]));
        };
        g.A[at] = by_power(g.A[at], by);
        g.V[at] = add(sum(2), make<T>((R)p.b[0] * one));
        g.W[at] = add(sum(3), make<T>((R)p.b[1] * one));
        if (p.degree < 13) continue;
        g.A2[at] = sum(8), g.A4[at] = sum(9), g.A6[at] = a6;
    }
}

/* W := V - U, V := V + U */
template <class T> __global__ __launch_bounds__(THREADS) void expm_split(expm_batch<T> g)
{
    const int64_t all = g.each() * g.count;
    for (int64_t at = (int64_t)blockIdx.x * THREADS + threadIdx.x; at < all; at += (int64_t)gridDim.x * THREADS) {
        const T u = g.U[at], v = g.V[at];
        g.W[at] = sub_mul<false>(v, make<T>(1), u);
        g.V[at] = add(v, u);
    }
}

/* One element block of X X, of rows and columns `blocks` apart, for a thread */
template <int R, class T> __device__ void multiply(T (&c)[R][R], const T *X, int ld, int n, int blocks, int bi, int bj)
{
    int rows[R], cols[R];
#pragma unroll
    for (int r = 0; r < R; r++) rows[r] = min(bi + r * blocks, n - 1), cols[r] = min(bj + r * blocks, n - 1) * ld;
#pragma unroll
    for (int r = 0; r < R; r++)
#pragma unroll
        for (int s = 0; s < R; s++) c[r][s] = make<T>(0);
    for (int k = 0; k < n; k++) {
        T a[R], b[R];
#pragma unroll
        for (int r = 0; r < R; r++) a[r] = X[rows[r] + k * ld], b[r] = X[k + cols[r]];
#pragma unroll
        for (int r = 0; r < R; r++)
#pragma unroll
            for (int s = 0; s < R; s++) c[r][s] = add_mul(c[r][s], a[r], b[s]);
    }
}

template <int R, class T> __device__ void put(const T (&c)[R][R], T *X, int64_t ld, int n, int blocks, int bi, int bj)
{
#pragma unroll
    for (int r = 0; r < R; r++)
#pragma unroll
        for (int s = 0; s < R; s++)
            if (bi + r * blocks < n && bj + s * blocks < n) X[bi + r * blocks + (bj + s * blocks) * ld] = c[r][s];
}

/* V^(2^s) to where the problem was given, or NaN. TH threads have a problem, each R x R elements in registers; INSIDE: the
 * matrix is in shared memory, and a thread has one block of it. */
template <int R, int TH, bool INSIDE, class T> __global__ __launch_bounds__(TH < 64 ? 64 : TH) void expm_square(expm_batch<T> g)
{
    constexpr int CTA = TH < 64 ? 64 : TH;
    extern __shared__ __align__(16) unsigned char memory[];
    const int n = g.n, own = (int)threadIdx.x / TH, rank = (int)threadIdx.x % TH;
    const int blocks = (n + R - 1) / R, pad = INSIDE ? n | 1 : n;
    const int64_t k = (int64_t)blockIdx.x * (CTA / TH) + own;
    if (k >= g.count) return; /* several problems of a CTA do not wait for each other */
    const auto sync = [] { sync_threads<TH>(); };
    T *const V = g.V + k * g.each();
    T *X = INSIDE ? (T *)memory + (size_t)own * pad * n : V, *Y = g.U + k * g.each();
    for (int e = rank; e < n * n && INSIDE; e += TH) X[e % n + e / n * pad] = V[e];
    sync();
    for (int s = g.squarings[k]; s > 0; s--) {
        T c[R][R];
        if constexpr (INSIDE) {
            const bool has = rank < blocks * blocks;
            if (has) multiply<R>(c, X, pad, n, blocks, rank % blocks, rank / blocks);
            sync();
            if (has) put<R>(c, X, pad, n, blocks, rank % blocks, rank / blocks);
            sync();
        } else {
            for (int at = rank; at < blocks * blocks; at += TH) {
                multiply<R>(c, X, pad, n, blocks, at % blocks, at / blocks);
                put<R>(c, Y, pad, n, blocks, at % blocks, at / blocks);
            }
            sync();
            T *const was = X;
            X = Y, Y = was;
        }
    }
    T *const to = g.given.at(k);
    const bool good = is_good<T>(g.norm[k]);
    for (int e = rank; e < n * n; e += TH) to[e % n + e / n * g.given.ld] = good ? X[e % n + e / n * pad] : make<T>(NAN, NAN);
}

} // namespace tsl::many
#endif
