/* Random butterflies, A := U^T A V, U^T A or V A: a thread has the elements that meet each other, 4 x 4 of them, or 4 of a
 * column. The rows and columns at the end that are in no butterfly go one by one. Bound by memory. */
#include "kernel/butterfly.h"
#include "kernel/cuda/leaf.h"
#include "kernel/cuda/scalar.cuh"

namespace tsl {
namespace {

constexpr int THREADS = 256;
constexpr int64_t MAX_GRID_Y = 65535;

/* Lines, rows or columns, of which four meet, q apart, and the rest that is left. A group is four, or one of the rest. */
struct lines {
    int64_t count, q;
    __device__ int64_t groups() const { return q + count - 4 * q; }
    __device__ int size(int64_t g) const { return g < q ? 4 : 1; }
    __device__ int64_t line(int64_t g, int a) const { return g < q ? g + a * q : 3 * q + g; }
};

template <class R> __device__ void multiply(const tsl_butterfly &b, bool trans, R *x, int step)
{
    double v[4] = {(double)x[0], (double)x[step], (double)x[2 * step], (double)x[3 * step]};
    if (trans) tsl_butterfly_trans_times(&b, v);
    else tsl_butterfly_times(&b, v);
#pragma unroll
    for (int a = 0; a < 4; a++) x[a * step] = (R)v[a];
}

/* COLS: columns of a group, 4 or 1 */
template <class T, int COLS>
__global__ __launch_bounds__(THREADS) void butterfly_block(lines rows, lines cols, tsl_butterfly_name left, T *A, int64_t lda)
{
    using R = real_t<T>;
    constexpr int PARTS = is_complex<T> ? 2 : 1;
    const int64_t g = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (g >= rows.groups()) return;
    const tsl_butterfly U = tsl_butterfly_of(left, g, rows.q);
    for (int64_t h = blockIdx.y; h < cols.groups(); h += gridDim.y) {
        const int m = rows.size(g), n = COLS == 1 ? 1 : cols.size(h);
        alignas(sizeof(T)) R x[COLS][4 * PARTS];
#pragma unroll
        for (int b = 0; b < COLS; b++)
#pragma unroll
            for (int a = 0; a < 4; a++)
                if (a < m && b < n) *(T *)&x[b][PARTS * a] = A[rows.line(g, a) + cols.line(h, b) * lda];
        if (m == 4)
#pragma unroll
            for (int b = 0; b < COLS; b++)
#pragma unroll
                for (int part = 0; part < PARTS; part++)
                    if (b < n) multiply(U, left == TSL_BUTTERFLY_U, &x[b][part], PARTS);
        if constexpr (COLS == 4)
            if (n == 4) {
                const tsl_butterfly V = tsl_butterfly_of(TSL_BUTTERFLY_V, h, cols.q);
#pragma unroll
                for (int a = 0; a < 4 * PARTS; a++)
                    if (a < m * PARTS) multiply(V, true, &x[0][a], 4 * PARTS);
            }
#pragma unroll
        for (int b = 0; b < COLS; b++)
#pragma unroll
            for (int a = 0; a < 4; a++)
                if (a < m && b < n) A[rows.line(g, a) + cols.line(h, b) * lda] = *(T *)&x[b][PARTS * a];
    }
}

template <class T> tsl_status launch_butterfly(tsl_queue *q, const tsl_leaf *l)
{
    const bool both = l->butterfly.which == TSL_BUTTERFLIES_BOTH;
    const lines rows = {l->m, l->m / 4}, cols = {l->n, both ? l->n / 4 : 0};
    const tsl_butterfly_name left = l->butterfly.which == TSL_BUTTERFLIES_V ? TSL_BUTTERFLY_V : TSL_BUTTERFLY_U;
    const int64_t height = rows.count - 3 * rows.q, width = cols.count - 3 * cols.q;
    const dim3 grid((unsigned)((height + THREADS - 1) / THREADS), (unsigned)(width < MAX_GRID_Y ? width : MAX_GRID_Y));
    const auto kernel = both ? butterfly_block<T, 4> : butterfly_block<T, 1>;
    kernel<<<grid, THREADS, 0, tsl_cuda(q)->stream>>>(rows, cols, left, (T *)l->A.p, l->A.ld);
    return tsl_cuda_check(cudaGetLastError(), "butterfly");
}

} // namespace
} // namespace tsl

static tsl_status butterfly(tsl_queue *q, const tsl_leaf *l)
{
    return tsl::by_type(l->type, [=](auto zero) { return tsl::launch_butterfly<decltype(zero)>(q, l); });
}

static const void *kernel(int i) { return i ? nullptr : (const void *)tsl::butterfly_block<float, 4>; }

extern "C" const tsl_kernel_entry tsl_cuda_butterfly_entry = {TSL_ALL_TYPES(butterfly), 0, 0, NULL, kernel, NULL};
