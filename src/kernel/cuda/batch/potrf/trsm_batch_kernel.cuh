/* The choice between the kernels of trsm_batch.cuh, which are compiled per type. */
#ifndef TSL_CUDA_TRSM_BATCH_KERNEL_CUH
#define TSL_CUDA_TRSM_BATCH_KERNEL_CUH

#include "kernel/cuda/batch/potrf/trsm_batch.cuh"
#include "kernel/cuda/batch/potrf/trsm_rows.cuh"
#include "kernel/cuda/batch/potrf/trsm_stream.cuh"
#include "kernel/cuda/batch/potrf/trsm_tiles.cuh"

namespace tsl {
namespace {

static_assert(TSL_TRSM_BATCH_LIMIT<cplx<double>> == TRSM_TILES<cplx<double>> * TB && TSL_TRSM_BATCH_LIMIT<double> == TRSM_TILES<double> * TB, "");

/* Lines := 0 */
template <class T> __global__ void clear_lines(lines<T> p, int64_t n)
{
    const int64_t e = (int64_t)blockIdx.x * blockDim.x + threadIdx.x, each = p.order * p.lines, i = e / each, at = e % each;
    if (e >= n || !p.has(i)) return;
    const int64_t k = p.sl == 1 ? at / p.lines : at % p.order, l = p.sl == 1 ? at % p.lines : at / p.order;
    p.B.at(i)[p.b0 + k * p.sk + l * p.sl] = make<T>(0);
}

} // namespace
} // namespace tsl

template <typename T>
cudaError_t tsl_trsm_batch(cudaStream_t s, tsl_side side, tsl_uplo uplo, tsl_op op, tsl_diag diag, int64_t m, int64_t n, T alpha,
                           Batch<const T> A, Batch<T> B, int64_t count, const int64_t *skip)
{
    using namespace tsl;
    const lines<T> p = lines_of(side, uplo, op, diag, m, n, alpha, A, B, count, skip);
    if (m == 0 || n == 0 || count == 0) return cudaSuccess;
    if (is_real(alpha, 0)) {
        const int64_t all = m * n * count;
        clear_lines<<<(unsigned)((all + 255) / 256), 256, 0, s>>>(p, all);
        return cudaGetLastError();
    }
    constexpr int L = sizeof(T) == 16 ? 16 : 8; /* lanes for orders to 32: registers for 48 or 80 elements of M */
    return p.order <= 4    ? launch_trsm_rows<T, 4, 1>(s, p)
           : p.order <= 8  ? launch_trsm_rows<T, 8, 1>(s, p)
           : p.order <= 16 ? launch_trsm_rows<T, 8, 2>(s, p)
           : p.order <= 32 ? launch_trsm_rows<T, L, 32 / L>(s, p)
           : p.lines == 1 || (p.lines == 2 && p.order > 64) ? launch_trsm_stream(s, p)
                           : launch_trsm_tiles(s, p);
}

template <typename T> const void *tsl_trsm_batch_kernel() { return (const void *)tsl::trsm_tiles<T>; }

#define FOR_TYPE(T)                                                                                                 \
    template cudaError_t tsl_trsm_batch<T>(cudaStream_t, tsl_side, tsl_uplo, tsl_op, tsl_diag, int64_t, int64_t, T, \
                                       Batch<const T>, Batch<T>, int64_t, const int64_t *);                         \
    template const void *tsl_trsm_batch_kernel<T>();

#endif
