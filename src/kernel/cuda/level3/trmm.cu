/* After a triangular product by way of a full one: an Inf or NaN of B met the zeros written out beside the triangle, and
 * spread. The elements that are not finite are computed anew from the triangle alone; in those that are finite the zeros added
 * nothing. */
#include "kernel/cuda/leaf.h"
#include "kernel/cuda/scalar.cuh"

namespace tsl {
namespace {

constexpr int ROWS = 32, COLS = 8, EACH = 4; /* of a CTA's threads, and columns of each thread */
constexpr int64_t MAX_CTAS = 1 << 15;        /* in either direction */

template <class T> struct product {
    const T *A, *X; /* X: B as it was, m x n */
    T *B, alpha;
    int64_t lda, ldb, m, n;
    bool left, across, conjugate, below, unit; /* across: op transposes; below: op(A) is a lower triangle */
};

/* op(A)(i,k) */
template <class T> __device__ T entry(const product<T> &p, int64_t i, int64_t k)
{
    if (p.unit && i == k) return make<T>(1);
    const T a = p.across ? p.A[k + i * p.lda] : p.A[i + k * p.lda];
    return p.conjugate ? conj(a) : a;
}

/* Row r of op(A) times column c of X, or row r of X times column c of op(A). */
template <class T> __device__ __noinline__ T from_triangle(const product<T> &p, int64_t r, int64_t c)
{
    const int64_t order = p.left ? p.m : p.n, own = p.left ? r : c;
    const bool up_to = p.left == p.below; /* entries 0..own of the sum, else own..order-1 */
    T sum = {};
    for (int64_t k = up_to ? 0 : own; k < (up_to ? own + 1 : order); k++)
        sum = p.left ? add_mul(sum, entry(p, r, k), p.X[k + c * p.m]) : add_mul(sum, p.X[r + k * p.m], entry(p, k, c));
    return mul(p.alpha, sum);
}

template <class T> __global__ __launch_bounds__(ROWS *COLS) void mend(const __grid_constant__ product<T> p)
{
    for (int64_t c0 = (int64_t)blockIdx.y * COLS * EACH + threadIdx.y; c0 < p.n; c0 += (int64_t)gridDim.y * COLS * EACH)
        for (int64_t r = (int64_t)blockIdx.x * ROWS + threadIdx.x; r < p.m; r += (int64_t)gridDim.x * ROWS) {
            T v[EACH] = {};
#pragma unroll
            for (int e = 0; e < EACH; e++)
                if (c0 + e * COLS < p.n) v[e] = p.B[r + (c0 + e * COLS) * p.ldb];
#pragma unroll
            for (int e = 0; e < EACH; e++)
                if (!is_finite(v[e])) p.B[r + (c0 + e * COLS) * p.ldb] = from_triangle(p, r, c0 + e * COLS);
        }
}

template <class T> tsl_status launch_mend(tsl_queue *q, const tsl_leaf *l, const void *before)
{
    const bool across = (l->A.op & TSL_TRANS) != 0;
    const product<T> p = {(const T *)l->A.p, (const T *)before, (T *)l->B.p, from_scalar<T>(l->alpha), l->A.ld, l->B.ld, l->m, l->n,
                          l->side == TSL_LEFT, across, is_complex<T> && (l->A.op & TSL_CONJ) != 0,
                          (l->uplo == TSL_LOWER) != across, l->diag == TSL_UNIT};
    auto ctas = [](int64_t n, int64_t each) { return (unsigned)((n + each - 1) / each < MAX_CTAS ? (n + each - 1) / each : MAX_CTAS); };
    mend<T><<<dim3(ctas(l->m, ROWS), ctas(l->n, COLS * EACH)), dim3(ROWS, COLS), 0, tsl_cuda(q)->stream>>>(p);
    return tsl_cuda_check(cudaGetLastError(), "trmm");
}

} // namespace
} // namespace tsl

extern "C" const void *tsl_cuda_kernel_of_trmm(int i) { return i ? nullptr : (const void *)tsl::mend<float>; }

extern "C" tsl_status tsl_cuda_trmm_mend(tsl_queue *q, const tsl_leaf *l, const void *before)
{
    return tsl::by_type(l->type, [=](auto zero) { return tsl::launch_mend<decltype(zero)>(q, l, before); });
}
