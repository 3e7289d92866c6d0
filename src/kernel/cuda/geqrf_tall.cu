/* Small matrices in the QR of tall panels (geqrf_tall.c): is the panel's condition good enough, the reflectors from Q's first rows, and what
 * is made of them. All of order n, at most TSL_CUDA_GEQRT_LIMIT, stored with leading dimension n where nothing else is said. */
#include "kernel/cuda/geqrf_tall.h"
#include "kernel/cuda/scalar.cuh"

namespace tsl {
namespace {

constexpr int THREADS = 512;

template <class T> __device__ real_t<T> squared(T a)
{
    if constexpr (is_complex<T>)
        return a.re * a.re + a.im * a.im;
    else
        return a * a;
}

template <class R> __device__ R sum_of_all(R a)
{
    __shared__ R part[THREADS / 32];
    for (int bit = 16; bit >= 1; bit /= 2) a += shuffle_xor(a, bit);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = a;
    __syncthreads();
    R sum = 0;
    for (int i = 0; i < THREADS / 32; i++) sum += part[i];
    __syncthreads();
    return sum;
}

template <class T> __global__ void identity(T *X, int n)
{
    for (int e = threadIdx.x + blockIdx.x * blockDim.x; e < n * n; e += gridDim.x * blockDim.x) X[e] = make<T>(e % n == e / n);
}

template <class T> __global__ void add_up(const T *pieces, int count, T *sum, int n)
{
    const int e = threadIdx.x + blockIdx.x * blockDim.x;
    if (e >= n * n) return;
    T all = make<T>(0);
#pragma unroll 8
    for (int i = 0; i < count; i++) all = add(all, pieces[(size_t)i * n * n + e]);
    sum[e] = all;
}

/* *bad := 1 unless the inverse X of R, its columns made of length one, is small, and G is nearly the identity. */
template <class T> __global__ __launch_bounds__(THREADS) void judge(const T *R, const T *X, const T *G, int n, int64_t *bad)
{
    using real = real_t<T>;
    __shared__ real length[TSL_CUDA_GEQRT_LIMIT];
    for (int j = threadIdx.x; j < n; j += THREADS) {
        real sum = 0;
        for (int i = 0; i <= j; i++) sum += squared(R[i + j * n]);
        length[j] = sum;
    }
    __syncthreads();
    real size = 0, off = 0;
    for (int e = threadIdx.x; e < n * n; e += THREADS) {
        const int i = e % n, j = e / n;
        if (i <= j) size += length[i] * squared(X[e]);
        off += squared(add(G[e], make<T>(i == j ? -1 : 0)));
    }
    size = sum_of_all(size);
    off = sum_of_all(off);
    if (threadIdx.x == 0 && !(size <= real(1e4) * n && off <= real(1e-4))) *bad = 1;
}

/* Q - S = L U without exchanges, L unit lower, over Q; S is diagonal, of signs opposite to what they are taken from, so no pivot is less
 * than 1. */
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

/* From L U (in LU), R1 and R2: M := U R2; A's first rows := S R2 R1 above L; Y's := L written out; T := -U S; tau := its diagonal */
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
        tsl::add_up<T><<<tsl::ctas_of(t->n), 256, 0, tsl_cuda(q)->stream>>>((const T *)t->pieces, count, (T *)sum, t->n);
        return tsl_cuda_check(cudaGetLastError(), "geqrt_tall");
    });
}

extern "C" tsl_status tsl_cuda_tall_judge(tsl_queue *q, const tsl_tall *t)
{
    return tsl::by_type(t->type, [=](auto zero) {
        using T = decltype(zero);
        tsl::judge<T><<<1, tsl::THREADS, 0, tsl_cuda(q)->stream>>>((const T *)t->R1, (const T *)t->X, (const T *)t->R2, t->n, t->bad);
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
                                   (T *)l->A, (T *)l->C, (T *)l->B, (T *)l->tau, l->lda, l->ldc, l->ldb, t->n};
        tsl::combine<T><<<tsl::ctas_of(t->n), 256, 0, tsl_cuda(q)->stream>>>(f);
        return tsl_cuda_check(cudaGetLastError(), "geqrt_tall");
    });
}
