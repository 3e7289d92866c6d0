/* Rows of a block, or of its upper triangle, times -1, where numbers of another are negative. */
#include "core/values.h"
#include "kernel/cuda/launch.cuh"
#include "kernel/cuda/leaf.h"
#include "kernel/cuda/scalar.cuh"

namespace tsl {
namespace {

constexpr int THREADS = 256;

/* A CTA has THREADS rows of a column. */
template <class T>
__global__ __launch_bounds__(THREADS) void rowsign(const T *d, int64_t ldd, T *B, int64_t ldb, int64_t m, int64_t n, bool upper,
                                                   int64_t strips)
{
    const int64_t i = blockIdx.x % strips * THREADS + threadIdx.x, j = blockIdx.x / strips;
    if (i < m && j < n && (!upper || i <= j) && re(d[i * ldd]) < 0) B[i + j * ldb] = scale(B[i + j * ldb], real_t<T>(-1));
}

template <class T> tsl_status start(tsl_queue *q, const tsl_leaf *l)
{
    const int64_t strips = tsl_pieces(l->m, THREADS);
    return tsl_cuda_check(launch(rowsign<T>, {strips * l->n, THREADS, 0, 1, false, false}, tsl_cuda(q)->stream,
                                 (const T *)l->A.p, l->A.ld, (T *)l->B.p, l->B.ld, l->m, l->n, l->uplo == TSL_UPPER, strips),
                          "rowsign");
}

} // namespace
} // namespace tsl

static tsl_status rowsign(tsl_queue *q, const tsl_leaf *l)
{
    return tsl::by_type(l->type, [=](auto zero) { return tsl::start<decltype(zero)>(q, l); });
}

static const void *kernel(int i) { return i ? nullptr : (const void *)tsl::rowsign<float>; }

extern "C" const tsl_kernel_entry tsl_cuda_rowsign_entry = {TSL_ALL_TYPES(rowsign), 0, 0, NULL, kernel, NULL};
