/* Copies (through any op) and scalings of an m x n block or of a triangle of it: bound by memory, so every access runs along the
 * columns of its array; a transposition turns 32 x 32 tiles around in shared memory. */
#include "kernel/cuda/leaf.h"
#include "kernel/cuda/scalar.cuh"

namespace tsl {
namespace {

constexpr int TILE = 32, STEP = 8; /* a CTA is 32 x 8 threads on a 32 x 32 tile */
constexpr int64_t MAX_GRID_Y = 65535;

/* The part of an m x n block an operation touches. */
struct region {
    int64_t m, n;
    tsl_uplo uplo;
};

__device__ bool holds(const region &g, int64_t i, int64_t j)
{
    return i < g.m && j < g.n && (g.uplo == TSL_GENERAL || (g.uplo == TSL_LOWER ? i >= j : i <= j));
}

/* Does the tile at (i,j) reach the region's triangle? */
__device__ bool reaches(const region &g, int64_t i, int64_t j)
{
    return g.uplo == TSL_GENERAL || (g.uplo == TSL_LOWER ? i + TILE > j : j + TILE > i);
}

dim3 grid_of(const region &g)
{
    const int64_t y = (g.n + TILE - 1) / TILE;
    return dim3((unsigned)((g.m + TILE - 1) / TILE), (unsigned)(y < MAX_GRID_Y ? y : MAX_GRID_Y));
}

/* Calls f(tile's first row, tile's first column) for this CTA's tiles of the region. */
template <class F> __device__ void each_tile(const region &g, F f)
{
    const int64_t i = (int64_t)blockIdx.x * TILE;
    for (int64_t j = (int64_t)blockIdx.y * TILE; j < g.n; j += (int64_t)gridDim.y * TILE)
        if (reaches(g, i, j)) f(i, j);
}

template <class T>
__global__ __launch_bounds__(TILE *STEP) void copy_plain(region g, const T *A, int64_t lda, T *B, int64_t ldb, bool conjugate)
{
    each_tile(g, [=](int64_t i0, int64_t j0) {
        const int64_t i = i0 + threadIdx.x;
#pragma unroll
        for (int s = 0; s < TILE; s += STEP) {
            const int64_t j = j0 + threadIdx.y + s;
            if (!holds(g, i, j)) continue;
            const T v = A[i + j * lda];
            B[i + j * ldb] = conjugate ? conj(v) : v;
        }
    });
}

template <class T>
__global__ __launch_bounds__(TILE *STEP) void copy_turned(region g, const T *A, int64_t lda, T *B, int64_t ldb, bool conjugate)
{
    __shared__ T t[TILE][TILE + 1]; /* t[i][j] is for B(i0+i, j0+j) */
    const int x = threadIdx.x, y = threadIdx.y;
    each_tile(g, [=](int64_t i0, int64_t j0) {
#pragma unroll
        for (int s = 0; s < TILE; s += STEP) {
            const int64_t i = i0 + y + s, j = j0 + x;
            if (holds(g, i, j)) t[y + s][x] = A[j + i * lda];
        }
        __syncthreads();
#pragma unroll
        for (int s = 0; s < TILE; s += STEP) {
            const int64_t i = i0 + x, j = j0 + y + s;
            if (holds(g, i, j)) B[i + j * ldb] = conjugate ? conj(t[x][y + s]) : t[x][y + s];
        }
        __syncthreads();
    });
}

enum factor { ZERO, REAL, FULL }; /* what alpha is: 0 stores zeros unread; a real one keeps the parts apart */

template <class T>
__global__ __launch_bounds__(TILE *STEP) void scale_block(region g, T *B, int64_t ldb, factor kind, T alpha, bool herm)
{
    each_tile(g, [=](int64_t i0, int64_t j0) {
        const int64_t i = i0 + threadIdx.x;
#pragma unroll
        for (int s = 0; s < TILE; s += STEP) {
            const int64_t j = j0 + threadIdx.y + s;
            if (!holds(g, i, j)) continue;
            T *b = B + i + j * ldb, v = make<T>(0);
            if (kind == REAL) v = scale(*b, re(alpha));
            if (kind == FULL) v = mul(alpha, *b);
            *b = herm && i == j ? make<T>(re(v)) : v;
        }
    });
}

template <class T> tsl_status launch_copy(tsl_queue *q, const tsl_leaf *l)
{
    const region g = {l->m, l->n, l->uplo};
    const dim3 cta(TILE, STEP);
    const bool conjugate = is_complex<T> && (l->opA & TSL_CONJ) != 0;
    const cudaStream_t st = tsl_cuda(q)->stream;
    if (l->opA & TSL_TRANS)
        copy_turned<T><<<grid_of(g), cta, 0, st>>>(g, (const T *)l->A, l->lda, (T *)l->B, l->ldb, conjugate);
    else
        copy_plain<T><<<grid_of(g), cta, 0, st>>>(g, (const T *)l->A, l->lda, (T *)l->B, l->ldb, conjugate);
    return tsl_cuda_check(cudaGetLastError(), "copy");
}

template <class T> tsl_status launch_scale(tsl_queue *q, const tsl_leaf *l)
{
    const region g = {l->m, l->n, l->uplo};
    const bool herm = is_complex<T> && l->herm;
    const factor kind = l->alpha == 0.0 ? ZERO : l->alpha.imag() == 0.0 ? REAL : FULL;
    scale_block<T><<<grid_of(g), dim3(TILE, STEP), 0, tsl_cuda(q)->stream>>>(g, (T *)l->B, l->ldb, kind, from_scalar<T>(l->alpha),
                                                                             herm);
    return tsl_cuda_check(cudaGetLastError(), "scale");
}

} // namespace
} // namespace tsl

static const void *kernel(int i) { return i ? nullptr : (const void *)tsl::copy_plain<float>; }

extern "C" tsl_status tsl_cuda_copy(tsl_queue *q, const tsl_leaf *l)
{
    return tsl::by_type(l->type, [=](auto zero) { return tsl::launch_copy<decltype(zero)>(q, l); });
}

extern "C" tsl_status tsl_cuda_scale(tsl_queue *q, const tsl_leaf *l)
{
    return tsl::by_type(l->type, [=](auto zero) { return tsl::launch_scale<decltype(zero)>(q, l); });
}

extern "C" const tsl_kernel_entry tsl_cuda_copy_entry = {TSL_ALL_TYPES(tsl_cuda_copy), 0, 0, NULL, kernel};
extern "C" const tsl_kernel_entry tsl_cuda_scale_entry = {TSL_ALL_TYPES(tsl_cuda_scale), 0, 0, NULL, NULL};
