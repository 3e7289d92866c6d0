/* Small matrices in the QR of tall panels (geqrf_tall.c): is the panel's condition good enough, the reflectors from Q's first
 * rows, and what is made of them. All of order n, at most TSL_CUDA_GEQRT_LIMIT, stored with leading dimension n where nothing
 * else is said. */
#include "kernel/cuda/geqrf/geqrf_tall.h"
#include "kernel/cuda/scalar.cuh"

namespace tsl {
namespace {

constexpr int THREADS = 512, JUDGES = TSL_CUDA_GEQRT_LIMIT;

template <class T> __device__ real_t<T> squared(T a)
{
    if constexpr (is_complex<T>)
        return a.re * a.re + a.im * a.im;
    else
        return a * a;
}

template <class R> __device__ R sum_of_all(R a)
{
    __shared__ R part[JUDGES / 32];
    for (int bit = 16; bit >= 1; bit /= 2) a += shuffle_xor(a, bit);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = a;
    __syncthreads();
    R sum = 0;
    for (int i = 0; i < JUDGES / 32; i++) sum += part[i];
    __syncthreads();
    return sum;
}

template <class T> __global__ void identity(T *X, int n)
{
    for (int e = threadIdx.x + blockIdx.x * blockDim.x; e < n * n; e += gridDim.x * blockDim.x) X[e] = make<T>(e % n == e / n);
}

/* A CTA has 32 elements, and its warps every GROUPSth piece of them; their sums are added up in order. */
constexpr int GROUPS = 8;
template <class T> __global__ __launch_bounds__(32 * GROUPS) void add_up(const T *pieces, int count, T *sum, int n)
{
    __shared__ T part[GROUPS][32];
    const int lane = threadIdx.x % 32, group = threadIdx.x / 32, e = blockIdx.x * 32 + lane;
    T all = make<T>(0);
    if (e < n * n) {
#pragma unroll 4
        for (int i = group; i < count; i += GROUPS) all = add(all, pieces[(size_t)i * n * n + e]);
    }
    part[group][lane] = all;
    __syncthreads();
    if (group > 0 || e >= n * n) return;
#pragma unroll
    for (int g = 1; g < GROUPS; g++) all = add(all, part[g][lane]);
    sum[e] = all;
}

/* *bad := 1 unless Q1 = A X keeps columns of A, and is nearly orthogonal: one CTA for a column, a thread for a row.
 * Roundoff in A X, and in X = inv(R), leaves Q1 R - A of about eps |A| |X| |R|. In column j that is, beside its length, at most
 * eps times the root of the sum over k of (length of column k (|X| |R|)(k,j) / length of column j)^2, as roundoffs do not all
 * have one sign. It does not change where columns or rows of R are scaled, and of badly conditioned panels it is often small.
 * Of G = Q1^H Q1 roundoff, and so what X has lost, is seen itself. */
template <class T> __global__ __launch_bounds__(JUDGES) void judge(const T *R, const T *X, const T *G, int n, int64_t *bad)
{
    using real = real_t<T>;
    constexpr real MOST = 24, APART = real(1e-2);
    const int j = blockIdx.x, k = threadIdx.x;
    real length = 0, sum = 0, apart = 0; /* the square of column k's length */
    if (k < n) {
        for (int i = 0; i <= k; i++) length += squared(R[i + k * n]);
        for (int l = k; l <= j; l++) sum += sqrt(squared(X[k + l * n])) * sqrt(squared(R[l + j * n]));
        apart = squared(add(G[k + j * n], make<T>(k == j ? -1 : 0)));
    }
    const real own = sum_of_all(k == j ? length : real(0)), lost = sum_of_all(length / own * sum * sum);
    apart = sum_of_all(apart);
    if (k == 0 && !(lost <= MOST * MOST && apart * n <= APART * APART)) *bad = 1;
}

/* Q - S = L U without exchanges, L unit lower, over Q; S is diagonal, of signs opposite to what they are taken from, so no
 * pivot is less than 1. */
template <class T> __global__ __launch_bounds__(THREADS) void reconstruct(T *Q, real_t<T> *signs, int n)
{
    extern __shared__ __align__(16) unsigned char raw[];
    T *const q = (T *)raw;
    const int ld = n + 1;
    for (int e = threadIdx.x; e < n * n; e += THREADS) q[e % n + e / n * ld] = Q[e];
    __syncthreads();
    for (int j = 0; j < n; j++) {
        const T top = q[j + j * ld];
        const real_t<T> s = -copysign(real_t<T>(1), re(top));
        const T pivot = add(top, make<T>(-s)), inv = inverse(pivot);
        __syncthreads();
        for (int i = j + 1 + threadIdx.x; i < n; i += THREADS) q[i + j * ld] = mul(q[i + j * ld], inv);
        if (threadIdx.x == 0) {
            q[j + j * ld] = pivot;
            signs[j] = s;
        }
        __syncthreads();
        const int rest = n - j - 1, rows = threadIdx.x % 32, cols = threadIdx.x / 32;
        for (int c = cols; c < rest; c += THREADS / 32) {
            const T u = q[j + (j + 1 + c) * ld];
            for (int r = rows; r < rest; r += 32) {
                T *const at = q + j + 1 + r + (j + 1 + c) * ld;
                *at = sub_mul<false>(*at, q[j + 1 + r + j * ld], u);
            }
        }
        __syncthreads();
    }
    for (int e = threadIdx.x; e < n * n; e += THREADS) Q[e] = q[e % n + e / n * ld];
}

/* From L U (in LU), R1 and R2: M := U R2; A's first rows := S R2 R1 above L; Y's := L written out; T := -U S; tau := its
 * diagonal */
template <class T> struct factors {
    const T *LU, *R1, *R2;
    const real_t<T> *signs;
    T *M, *A, *Y, *B, *tau;
    int64_t lda, ldy, ldb;
    int n;
};

template <class T> __global__ void combine(const __grid_constant__ factors<T> f)
{
    const int n = f.n, e = threadIdx.x + blockIdx.x * blockDim.x, i = e % n, j = e / n;
    if (j >= n) return;
    T m = make<T>(0), r = m;
    for (int k = i; k <= j; k++) {
        m = add_mul(m, f.LU[i + k * n], f.R2[k + j * n]);
        r = add_mul(r, f.R2[i + k * n], f.R1[k + j * n]);
    }
    const T l = f.LU[e], t = i <= j ? scale(l, -f.signs[j]) : make<T>(0);
    f.M[e] = m;
    f.A[i + j * f.lda] = i <= j ? scale(r, f.signs[i]) : l;
    f.Y[i + j * f.ldy] = i > j ? l : make<T>(i == j);
    f.B[i + j * f.ldb] = t;
    if (i == j) f.tau[i] = t;
}

int ctas_of(int n) { return (n * n + 255) / 256; }

template <class T> tsl_status launch_reconstruct(tsl_queue *q, const tsl_tall *t)
{
    const size_t bytes = (size_t)t->n * (t->n + 1) * sizeof(T);
    constexpr int most = sizeof(T) == 16 ? TSL_CUDA_TALL_LIMIT_Z : TSL_CUDA_GEQRT_LIMIT;
    const cudaError_t e = cudaFuncSetAttribute(reconstruct<T>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                               most * (most + 1) * (int)sizeof(T));
    if (e == cudaSuccess) reconstruct<T><<<1, THREADS, bytes, tsl_cuda(q)->stream>>>((T *)t->Q, (real_t<T> *)t->signs, t->n);
    return tsl_cuda_check(e == cudaSuccess ? cudaGetLastError() : e, "geqrt_tall");
}

} // namespace
} // namespace tsl

extern "C" const void *tsl_cuda_kernel_of_geqrt_tall(void) { return (const void *)tsl::judge<float>; }

extern "C" tsl_status tsl_cuda_tall_identity(tsl_queue *q, const tsl_tall *t, void *X)
{
    return tsl::by_type(t->type, [=](auto zero) {
        using T = decltype(zero);
        tsl::identity<T><<<tsl::ctas_of(t->n), 256, 0, tsl_cuda(q)->stream>>>((T *)X, t->n);
        return tsl_cuda_check(cudaGetLastError(), "geqrt_tall");
    });
}

extern "C" tsl_status tsl_cuda_tall_add_up(tsl_queue *q, const tsl_tall *t, int count, void *sum)
{
    return tsl::by_type(t->type, [=](auto zero) {
        using T = decltype(zero);
        tsl::add_up<T><<<(t->n * t->n + 31) / 32, 32 * tsl::GROUPS, 0, tsl_cuda(q)->stream>>>((const T *)t->pieces, count, (T *)sum, t->n);
        return tsl_cuda_check(cudaGetLastError(), "geqrt_tall");
    });
}

extern "C" tsl_status tsl_cuda_tall_judge(tsl_queue *q, const tsl_tall *t)
{
    return tsl::by_type(t->type, [=](auto zero) {
        using T = decltype(zero);
        tsl::judge<T><<<t->n, tsl::JUDGES, 0, tsl_cuda(q)->stream>>>((const T *)t->R1, (const T *)t->X, (const T *)t->R2, t->n, t->bad);
        return tsl_cuda_check(cudaGetLastError(), "geqrt_tall");
    });
}

extern "C" tsl_status tsl_cuda_tall_reconstruct(tsl_queue *q, const tsl_tall *t)
{
    return tsl::by_type(t->type, [=](auto zero) { return tsl::launch_reconstruct<decltype(zero)>(q, t); });
}

extern "C" tsl_status tsl_cuda_tall_combine(tsl_queue *q, const tsl_tall *t, const tsl_leaf *l)
{
    return tsl::by_type(t->type, [=](auto zero) {
        using T = decltype(zero);
        const tsl::factors<T> f = {(const T *)t->Q, (const T *)t->R1, (const T *)t->R2, (const tsl::real_t<T> *)t->signs, (T *)t->M,
                                   (T *)l->D.p, (T *)l->B.p, (T *)l->A.p, (T *)l->C.p, l->D.ld, l->B.ld, l->A.ld, t->n};
        tsl::combine<T><<<tsl::ctas_of(t->n), 256, 0, tsl_cuda(q)->stream>>>(f);
        return tsl_cuda_check(cudaGetLastError(), "geqrt_tall");
    });
}
