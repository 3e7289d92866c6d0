/* Rows and columns of a block, or of a triangle of it, times numbers of their own; and sizes of elements. */
#include "core/values.h"
#include "kernel/cuda/launch.cuh"
#include "kernel/cuda/leaf.h"
#include "kernel/cuda/scalar.cuh"

namespace tsl {
namespace equil {
namespace {

constexpr int THREADS = 256;

template <class T> __device__ T size_of(T a)
{
    if constexpr (is_complex<T>)
        return make<T>(fabs(a.re) + fabs(a.im));
    else
        return fabs(a);
}

/* CTA k has 256 rows of a column: k counts down the columns. */
template <class T>
__global__ __launch_bounds__(THREADS) void scale_both(int64_t m, int64_t pieces, tsl_uplo uplo, T *A, int64_t lda,
                                                      const real_t<T> *r, const real_t<T> *c, bool sizes)
{
    const int64_t j = blockIdx.x / pieces, i = blockIdx.x % pieces * THREADS + threadIdx.x;
    if (i >= m || (uplo == TSL_LOWER && i < j) || (uplo == TSL_UPPER && i > j)) return;
    T *a = A + i + j * lda, v = *a;
    if (r || c) v = scale(v, (r ? r[i] : 1) * (c ? c[j] : 1));
    *a = sizes ? size_of(v) : v;
}

template <class T> tsl_status launch_scale(tsl_queue *q, const tsl_leaf *l)
{
    const int64_t pieces = tsl_pieces(l->m, THREADS);
    const real_t<T> *r = l->B.m ? (const real_t<T> *)l->B.p : nullptr, *c = l->C.m ? (const real_t<T> *)l->C.p : nullptr;
    return tsl_cuda_check(launch(scale_both<T>, {pieces * l->n, THREADS, 0, 1, false, false}, tsl_cuda(q)->stream, l->m, pieces,
                                 l->uplo, (T *)l->A.p, l->A.ld, r, c, l->equil.sizes),
                          "equil");
}

} // namespace
} // namespace equil
} // namespace tsl

static tsl_status equil(tsl_queue *q, const tsl_leaf *l)
{
    return tsl::by_type(l->type, [=](auto zero) { return tsl::equil::launch_scale<decltype(zero)>(q, l); });
}

static const void *kernel(int i) { return i ? nullptr : (const void *)tsl::equil::scale_both<float>; }

extern "C" const tsl_kernel_entry tsl_cuda_equil_entry = {TSL_ALL_TYPES(equil), 0, 0, NULL, kernel, NULL};
