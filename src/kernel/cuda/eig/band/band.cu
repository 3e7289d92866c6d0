/* The band of the first columns of a matrix, lower, as LAPACK stores it. */
#include "kernel/cuda/leaf.h"
#include "kernel/cuda/scalar.cuh"

namespace tsl {
namespace {

constexpr int ROWS = 32, COLUMNS = 8; /* of a CTA */

/* Element (i + j, j) of A, or of its transpose, becomes (i, j) of the band; past A's last row, zero. */
template <class T>
__global__ __launch_bounds__(ROWS *COLUMNS) void band(int64_t rows, int64_t height, int64_t n, const T *A, int64_t down,
                                                      int64_t across, bool conjugate, T *AB, int64_t ldab)
{
    const int64_t j = (int64_t)blockIdx.x * COLUMNS + threadIdx.y;
    if (j >= n) return;
    for (int64_t i = threadIdx.x; i < height; i += ROWS) {
        T a = i + j < rows ? A[(i + j) * down + j * across] : make<T>(0);
        AB[i + j * ldab] = i == 0 ? make<T>(re(a)) : conjugate ? conj(a) : a;
    }
}

template <class T> tsl_status launch(tsl_queue *q, const tsl_leaf *l)
{
    const bool turned = l->A.op != TSL_NOTRANS;
    const unsigned ctas = (unsigned)((l->n + COLUMNS - 1) / COLUMNS);
    band<T><<<ctas, dim3(ROWS, COLUMNS), 0, tsl_cuda(q)->stream>>>(turned ? l->A.n : l->A.m, l->m, l->n, (const T *)l->A.p, turned ? l->A.ld : 1,
                                                                   turned ? 1 : l->A.ld, is_complex<T> && turned, (T *)l->B.p, l->B.ld);
    return tsl_cuda_check(cudaGetLastError(), "band");
}

} // namespace
} // namespace tsl

static const void *kernel(int i) { return i ? nullptr : (const void *)tsl::band<float>; }

static tsl_status band(tsl_queue *q, const tsl_leaf *l)
{
    return tsl::by_type(l->type, [=](auto zero) { return tsl::launch<decltype(zero)>(q, l); });
}

extern "C" const tsl_kernel_entry tsl_cuda_band_entry = {TSL_ALL_TYPES(band), 0, 0, nullptr, kernel, nullptr};
