/* A bidiagonal matrix as a tridiagonal one of twice its order, its vectors as singular vectors, and signs of a diagonal
 * (core/leaf.h). */
#include "kernel/cuda/launch.cuh"
#include "kernel/cuda/leaf.h"
#include "kernel/cuda/scalar.cuh"

namespace tsl {
namespace {

constexpr int THREADS = 256;
constexpr int64_t MOST = 4096; /* CTAs */

/* One CTA, which knows of all elements */
template <class R> __global__ __launch_bounds__(THREADS) void unfold(const R *d, const R *e, R *f, R *g, int64_t n, int64_t *info)
{
    bool good = true;
    for (int64_t i = threadIdx.x; i < n; i += THREADS) {
        f[2 * i] = f[2 * i + 1] = 0;
        g[2 * i] = d[i];
        good &= is_finite(d[i]);
        if (i + 1 == n) break;
        g[2 * i + 1] = e[i];
        good &= is_finite(e[i]);
    }
    if (__syncthreads_or(!good) && threadIdx.x == 0 && *info == 0) *info = n;
}

template <class T> __global__ __launch_bounds__(THREADS) void fold(const T *Z, int64_t ldz, T *U, int64_t ldu, T *V, int64_t ldv, int64_t n)
{
    constexpr real_t<T> by = real_t<T>(1.41421356237309504880);
    for (int64_t j = blockIdx.x; j < n; j += gridDim.x)
        for (int64_t i = threadIdx.x; i < n; i += THREADS) {
            V[i + j * ldv] = scale(Z[2 * i + j * ldz], by);
            U[i + j * ldu] = scale(Z[2 * i + 1 + j * ldz], -by);
        }
}

template <class T> __global__ __launch_bounds__(THREADS) void signs(const T *A, int64_t lda, T *B, int64_t ldb, int64_t n)
{
    using R = real_t<T>;
    for (int64_t j = blockIdx.x; j < n; j += gridDim.x) {
        const R own = re(A[j + j * lda]), sign = own < 0 ? R(-1) : own != own ? own : R(1);
        for (int64_t i = threadIdx.x; i < n; i += THREADS) B[i + j * ldb] = make<T>(i == j ? sign : R(0));
    }
}

template <class T> tsl_status launch_unfold(tsl_queue *q, const tsl_leaf *l)
{
    return tsl_cuda_check(launch(unfold<T>, {1, THREADS, 0, 1, false, false}, tsl_cuda(q)->stream, (const T *)l->A.p,
                                 (const T *)l->B.p, (T *)l->C.p, (T *)l->D.p, l->A.m, l->info),
                          "unfold");
}

launch_shape by_columns(int64_t n) { return {n < MOST ? n : MOST, THREADS, 0, 1, false, false}; }

} // namespace
} // namespace tsl

static tsl_status unfold(tsl_queue *q, const tsl_leaf *l)
{
    return l->type == TSL_D ? tsl::launch_unfold<double>(q, l) : tsl::launch_unfold<float>(q, l);
}

static tsl_status fold(tsl_queue *q, const tsl_leaf *l)
{
    return tsl::by_type(l->type, [=](auto zero) {
        using T = decltype(zero);
        return tsl_cuda_check(tsl::launch(tsl::fold<T>, tsl::by_columns(l->n), tsl_cuda(q)->stream, (const T *)l->A.p, l->A.ld,
                                          (T *)l->B.p, l->B.ld, (T *)l->C.p, l->C.ld, l->n),
                              "fold");
    });
}

static tsl_status signs(tsl_queue *q, const tsl_leaf *l)
{
    return tsl::by_type(l->type, [=](auto zero) {
        using T = decltype(zero);
        return tsl_cuda_check(tsl::launch(tsl::signs<T>, tsl::by_columns(l->n), tsl_cuda(q)->stream, (const T *)l->A.p, l->A.ld, (T *)l->B.p, l->B.ld, l->n), "signs");
    });
}

extern "C" const tsl_kernel_entry tsl_cuda_unfold_entry = {{unfold, unfold, NULL, NULL}, 0, 0, NULL, NULL, NULL};
extern "C" const tsl_kernel_entry tsl_cuda_fold_entry = {TSL_ALL_TYPES(fold), 0, 0, NULL, NULL, NULL};
extern "C" const tsl_kernel_entry tsl_cuda_signs_entry = {TSL_ALL_TYPES(signs), 0, 0, NULL, NULL, NULL};
