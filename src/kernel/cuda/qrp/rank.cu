/* Small parts of QR with column pivoting and of least squares: which columns are fixed, the rank of a triangle, the division by
 * singular values. */
#include "core/numbers/growth.h"
#include "core/values.h"
#include "kernel/cuda/eig/reflect.cuh"
#include "kernel/cuda/launch.cuh"
#include "kernel/cuda/leaf.h"

namespace tsl {
namespace {

constexpr int THREADS = 1024, WARPS = THREADS / 32, DIVIDERS = 256;

/* Where none is fixed it is the identity; else exchanges, one after the other. */
__global__ __launch_bounds__(THREADS) void find_fixed(int64_t *p, int64_t n, bool alone, int64_t *count)
{
    int some = 0;
    for (int64_t j = threadIdx.x; j < n && !alone; j += THREADS) some |= p[j] != 0;
    some = __syncthreads_or(some);
    if (!some) {
        for (int64_t j = threadIdx.x; j < n; j += THREADS) p[j] = j + 1;
        if (threadIdx.x == 0) *count = 0;
        return;
    }
    if (threadIdx.x) return;
    int64_t at = 0;
    for (int64_t j = 0; j < n; j++) {
        const bool first = p[j] != 0;
        p[j] = j + 1;
        if (!first) continue;
        p[j] = p[at];
        p[at++] = j + 1;
    }
    *count = at;
}

template <class T> __device__ double modulus(T a)
{
    if constexpr (is_complex<T>)
        return hypot((double)a.re, (double)a.im);
    else
        return fabs((double)a);
}

/* conj(a) g over their sizes */
template <class T> __device__ T phase(T a, T g)
{
    const double sa = modulus(a), sg = modulus(g);
    if (!(sa > 0) || !(sg > 0)) return make<T>(1);
    return mul(conj(scale(a, (real_t<T>)(1 / sa))), scale(g, (real_t<T>)(1 / sg)));
}

/* One CTA: where the first element is that is too small beside the first of all */
template <class T> __global__ __launch_bounds__(THREADS) void find_rank_by_diagonal(const T *A, int64_t lda, int n, double accuracy, int64_t *rank)
{
    __shared__ int part[WARPS];
    const double largest = n ? modulus(A[0]) : 0;
    int found = largest > 0 ? n : 0;
    for (int k = 1 + threadIdx.x; k < found; k += THREADS)
        if (!(modulus(A[k + k * lda]) > accuracy * largest)) found = k;
    found = (int)__reduce_min_sync(0xffffffffu, (unsigned)found);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = found;
    __syncthreads();
    if (threadIdx.x >= 32) return;
    found = (int)__reduce_min_sync(0xffffffffu, (unsigned)part[threadIdx.x]);
    if (threadIdx.x == 0) *rank = found;
}

/* One CTA. The vectors are kept without the factors that all their elements have in common. */
template <class T>
__global__ __launch_bounds__(THREADS) void find_rank(const T *A, int64_t lda, int n, double accuracy, T *most, T *least,
                                                     int64_t *rank)
{
    __shared__ T part[2][WARPS];
    const int tid = threadIdx.x, lane = tid % 32, warp = tid / 32;
    double largest = n ? modulus(A[0]) : 0, smallest = largest;
    T by_most = make<T>(1), by_least = make<T>(1);
    int k = 0;
    if (largest > 0) {
        if (tid == 0) most[0] = least[0] = make<T>(1);
        __syncthreads();
        for (k = 1; k < n; k++) {
            const T *w = A + k * lda, g = w[k];
            T a = make<T>(0), b = make<T>(0);
            for (int i = tid; i < k; i += THREADS) a = add_mul<true>(a, most[i], w[i]), b = add_mul<true>(b, least[i], w[i]);
            a = eig::over_lanes(a), b = eig::over_lanes(b);
            if (lane == 0) part[0][warp] = a, part[1][warp] = b;
            __syncthreads();
            a = eig::over_lanes(part[0][lane]), b = eig::over_lanes(part[1][lane]);
            a = mul(conj(by_most), a), b = mul(conj(by_least), b);
            const tsl_growth up = tsl_grow(largest, modulus(a), modulus(g)), down = tsl_grow(smallest, modulus(b), modulus(g));
            if (!(up.largest * accuracy <= down.least)) break;
            const T ea = phase(a, g), eb = phase(b, g);
            by_most = scale(by_most, (real_t<T>)up.p1), by_least = mul(by_least, scale(conj(eb), (real_t<T>)-down.p2));
            const bool renew = modulus(by_most) < 1e-3 || modulus(by_least) < 1e-3; /* before it vanishes */
            if (renew) {
                for (int i = tid; i < k; i += THREADS) most[i] = mul(most[i], by_most), least[i] = mul(least[i], by_least);
                by_most = by_least = make<T>(1);
            }
            if (tid == 0)
                most[k] = mul(scale(ea, (real_t<T>)up.p2), inverse(by_most)),
                least[k] = mul(make<T>((real_t<T>)down.p1), inverse(by_least));
            largest = up.largest, smallest = down.least;
            __syncthreads();
        }
    }
    if (tid == 0) *rank = k;
}

template <class T>
__global__ __launch_bounds__(DIVIDERS) void divide(T *B, int64_t ldb, int64_t m, int64_t n, const real_t<T> *s, int64_t values,
                                                   double accuracy, int64_t *rank)
{
    const double least = values ? fmax(accuracy * (double)s[0], (double)SMALLEST_NORMAL<real_t<T>>) : 0.;
    const int64_t stride = (int64_t)gridDim.x * DIVIDERS;
    for (int64_t e = (int64_t)blockIdx.x * DIVIDERS + threadIdx.x; e < m * n; e += stride) {
        T &b = B[e % m + e / m * ldb];
        const real_t<T> v = s[e % m];
        if constexpr (is_complex<T>)
            b = (double)v <= least ? make<T>(0) : T{b.re / v, b.im / v};
        else
            b = (double)v <= least ? make<T>(0) : b / v;
    }
    if (blockIdx.x) return;
    int count = 0;
    for (int64_t i = threadIdx.x; i < values; i += DIVIDERS) count += (double)s[i] > least;
    __shared__ int all[DIVIDERS / 32];
    count = __reduce_add_sync(0xffffffffu, count);
    if (threadIdx.x % 32 == 0) all[threadIdx.x / 32] = count;
    __syncthreads();
    if (threadIdx.x) return;
    count = 0;
    for (int w = 0; w < DIVIDERS / 32; w++) count += all[w];
    *rank = count;
}

const launch_shape ONE_CTA = {1, THREADS, 0, 1, false, false};

} // namespace
} // namespace tsl

static tsl_status fixed(tsl_queue *q, const tsl_leaf *l)
{
    return tsl_cuda_check(tsl::launch(tsl::find_fixed, tsl::ONE_CTA, tsl_cuda(q)->stream, (int64_t *)l->A.p, l->m, l->fixed.none, (int64_t *)l->B.p), "fixed");
}

static size_t trrank_workspace(const tsl_leaf *l) { return (size_t)(2 * tsl_max(1, tsl_min(l->m, l->n))) * tsl_type_size(l->type); }

static tsl_status trrank(tsl_queue *q, const tsl_leaf *l)
{
    return tsl::by_type(l->type, [=](auto zero) {
        using T = decltype(zero);
        const int n = (int)tsl_min(l->m, l->n);
        const T *const A = (const T *)l->A.p;
        T *const most = (T *)l->work;
        int64_t *const rank = (int64_t *)l->B.p;
        return tsl_cuda_check(l->rank.by_diagonal ? tsl::launch(tsl::find_rank_by_diagonal<T>, tsl::ONE_CTA, tsl_cuda(q)->stream, A,
                                                           l->A.ld, n, l->rank.tolerance, rank)
                                             : tsl::launch(tsl::find_rank<T>, tsl::ONE_CTA, tsl_cuda(q)->stream, A, l->A.ld, n,
                                                           l->rank.tolerance, most, most + tsl_max(1, n), rank),
                              "trrank");
    });
}

static tsl_status lsdiv(tsl_queue *q, const tsl_leaf *l)
{
    return tsl::by_type(l->type, [=](auto zero) {
        using T = decltype(zero);
        const tsl::launch_shape all = {tsl_max(1, tsl_min(1024, tsl_pieces(l->m * l->n, tsl::DIVIDERS))), tsl::DIVIDERS, 0, 1, false, false};
        return tsl_cuda_check(tsl::launch(tsl::divide<T>, all, tsl_cuda(q)->stream, (T *)l->A.p, l->A.ld, l->m, l->n,
                                          (const tsl::real_t<T> *)l->B.p, l->B.m, l->rank.tolerance, (int64_t *)l->C.p),
                              "lsdiv");
    });
}

extern "C" const tsl_kernel_entry tsl_cuda_fixed_entry = {TSL_ALL_TYPES(fixed), 0, 0, NULL, NULL, NULL};
extern "C" const tsl_kernel_entry tsl_cuda_trrank_entry = {TSL_ALL_TYPES(trrank), 0, 0, trrank_workspace, NULL, NULL};
extern "C" const tsl_kernel_entry tsl_cuda_lsdiv_entry = {TSL_ALL_TYPES(lsdiv), 0, 0, NULL, NULL, NULL};
