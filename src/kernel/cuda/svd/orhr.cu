/* The reflectors of a matrix with orthonormal columns, a block of it at a time, and the signs that go with them (core/leaf.h:
 * orhr, bdsign). */
#include "core/values.h"
#include "kernel/cuda/launch.cuh"
#include "kernel/cuda/leaf.h"
#include "kernel/cuda/scalar.cuh"

namespace tsl {
namespace {

constexpr int BLOCK = 64, SIDE = 16, EACH = BLOCK / SIDE, THREADS = SIDE * SIDE;

/* One CTA. A thread has every SIDE-th row and column of the block, EACH of both, in registers. Owners tell column and row of a
 * step to all; two places take turns, so that one barrier is enough for a step. */
template <class T> __global__ __launch_bounds__(THREADS, 1) void orhr(T *A, int64_t ld, int n, bool ends, T *tau, real_t<T> *signs)
{
    using R = real_t<T>;
    __shared__ T column[2][BLOCK], row[2][BLOCK];
    const int r0 = threadIdx.x % SIDE, c0 = threadIdx.x / SIDE;
    T a[EACH][EACH];
#pragma unroll
    for (int p = 0; p < EACH; p++)
#pragma unroll
        for (int q = 0; q < EACH; q++) {
            const int r = r0 + p * SIDE, c = c0 + q * SIDE;
            a[p][q] = r < n && c < n ? A[r + c * ld] : make<T>(0);
        }
    for (int j = 0; j < n; j++) {
        T *const col = column[j % 2], *const line = row[j % 2];
#pragma unroll
        for (int p = 0; p < EACH; p++)
#pragma unroll
            for (int q = 0; q < EACH; q++) {
                if (c0 + q * SIDE == j) col[r0 + p * SIDE] = a[p][q];
                if (r0 + p * SIDE == j) line[c0 + q * SIDE] = a[p][q];
            }
        __syncthreads();
        const T was = col[j];
        const bool none = !is_complex<T> && ends && j + 1 == n;
        const R s = (re(was) < 0) == none ? R(-1) : R(1);
        const T u = add(was, make<T>(-s)), by = inverse(u);
        if (threadIdx.x == 0) signs[j] = s, tau[j] = none ? make<T>(0) : scale(u, -s);
#pragma unroll
        for (int p = 0; p < EACH; p++) {
            const int r = r0 + p * SIDE;
            const T v = mul(col[r], by);
#pragma unroll
            for (int q = 0; q < EACH; q++) {
                const int c = c0 + q * SIDE;
                if (r > j && c > j) a[p][q] = sub_mul<false>(a[p][q], v, line[c]);
                else if (c == j && r >= j) a[p][q] = r == j ? u : v;
            }
        }
    }
#pragma unroll
    for (int p = 0; p < EACH; p++)
#pragma unroll
        for (int q = 0; q < EACH; q++) {
            const int r = r0 + p * SIDE, c = c0 + q * SIDE;
            if (r < n && c < n) A[r + c * ld] = a[p][q];
        }
}

template <class T>
__global__ __launch_bounds__(THREADS) void bdsign(T *A, int64_t ld, real_t<T> *d, real_t<T> *e, const real_t<T> *s,
                                                  const real_t<T> *t, int64_t n)
{
    const int64_t i = blockIdx.x * (int64_t)THREADS + threadIdx.x;
    if (i < n) A[i + i * ld] = make<T>(d[i] *= s[i] * t[i]);
    if (i + 1 < n) A[i + (i + 1) * ld] = make<T>(e[i] *= s[i] * t[i + 1]);
}

template <class T> tsl_status launch_orhr(tsl_queue *q, const tsl_leaf *l)
{
    return tsl_cuda_check(launch(orhr<T>, {1, THREADS, 0, 1, false, false}, tsl_cuda(q)->stream, (T *)l->A.p, l->A.ld, (int)l->n, l->k == 0, (T *)l->B.p, (real_t<T> *)l->C.p), "orhr");
}

template <class T> tsl_status launch_bdsign(tsl_queue *q, const tsl_leaf *l)
{
    using R = real_t<T>;
    return tsl_cuda_check(launch(bdsign<T>, {tsl_pieces(l->n, THREADS), THREADS, 0, 1, false, false}, tsl_cuda(q)->stream,
                                 (T *)l->A.p, l->A.ld, (R *)l->B.p, (R *)l->C.p, (const R *)l->D.p, (const R *)l->E.p, l->n),
                          "bdsign");
}

} // namespace
} // namespace tsl

static tsl_status orhr(tsl_queue *q, const tsl_leaf *l)
{
    return tsl::by_type(l->type, [=](auto zero) { return tsl::launch_orhr<decltype(zero)>(q, l); });
}

static tsl_status bdsign(tsl_queue *q, const tsl_leaf *l)
{
    return tsl::by_type(l->type, [=](auto zero) { return tsl::launch_bdsign<decltype(zero)>(q, l); });
}

static const void *kernel(int i) { return i ? nullptr : (const void *)tsl::orhr<float>; }

extern "C" const tsl_kernel_entry tsl_cuda_orhr_entry = {TSL_ALL_TYPES(orhr), tsl::BLOCK, 0, NULL, kernel, NULL};
extern "C" const tsl_kernel_entry tsl_cuda_bdsign_entry = {TSL_ALL_TYPES(bdsign), 0, 0, NULL, NULL, NULL};
