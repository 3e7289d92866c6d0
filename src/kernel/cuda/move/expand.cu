/* Triangles and whole matrices: B := the matrix a triangle stands for, and C := W + beta C on a triangle. Both let GEMM do the
 * work of operations that know only a triangle. Bound by memory, so every access runs along columns; mirrored tiles are turned
 * around in shared memory. */
#include "kernel/cuda/leaf.h"
#include "kernel/cuda/scalar.cuh"

namespace tsl {
namespace {

constexpr int TILE = 32, STEP = 8; /* a CTA is 32 x 8 threads on a 32 x 32 tile */
constexpr int EACH = TILE / STEP;  /* elements of a thread, all asked for before the first is there */

/* Element (r,c) of the matrix, when (r,c) is on the stored side or the diagonal. */
template <class T> __device__ T stored(const T *A, int64_t lda, int64_t r, int64_t c, tsl_structure s, bool unit)
{
    if (r == c && unit) return make<T>(1);
    const T a = A[r + c * lda];
    return r == c && s == TSL_HERMITIAN ? make<T>(re(a)) : a;
}

/* A CTA reads one tile (i0,j0) of the stored triangle and writes it and its mirror image. `flip`: B is seen transposed, which
 * exchanges the two; `conjugate`: B is conjugated. */
template <class T>
__global__ __launch_bounds__(TILE *STEP) void expand(int64_t n, const T *A, int64_t lda, T *B, int64_t ldb, bool lower,
                                                     tsl_structure s, bool unit, bool flip, bool conjugate)
{
    __shared__ T t[TILE][TILE + 1]; /* t[j][i] is (i0+i, j0+j) */
    const int x = threadIdx.x, y = threadIdx.y;
    const int64_t i0 = (int64_t)blockIdx.x * TILE;
    for (int64_t j0 = (int64_t)blockIdx.y * TILE; j0 < n; j0 += (int64_t)gridDim.y * TILE) {
        if (lower ? i0 < j0 : i0 > j0) continue; /* the other triangle's tiles are written as mirror images */
        T v[EACH] = {};
#pragma unroll
        for (int e = 0; e < EACH; e++) {
            const int64_t r = i0 + x, c = j0 + y + e * STEP;
            if (r < n && c < n && (r == c || (r > c) == lower)) v[e] = stored(A, lda, r, c, s, unit);
        }
        __syncthreads();
#pragma unroll
        for (int e = 0; e < EACH; e++) t[y + e * STEP][x] = v[e];
        __syncthreads();
#pragma unroll
        for (int e = 0; e < EACH; e++) {
            const int k = y + e * STEP;
            /* the tile as stored goes to (i0,j0) of B, or of its transpose */
            const int64_t r = i0 + (flip ? k : x), c = j0 + (flip ? x : k);
            if (r < n && c < n && (r == c || (r > c) == lower)) {
                const T a = flip ? t[x][k] : v[e];
                B[flip ? c + r * ldb : r + c * ldb] = conjugate ? conj(a) : a;
            }
            /* and its image: element (c,r) of the matrix */
            const int64_t mr = i0 + (flip ? x : k), mc = j0 + (flip ? k : x);
            if (mr < n && mc < n && mr != mc && (mr > mc) == lower) {
                T a = flip ? v[e] : t[x][k];
                if (s == TSL_TRIANGULAR) a = make<T>(0);
                else if ((s == TSL_HERMITIAN) != conjugate) a = conj(a);
                B[flip ? mr + mc * ldb : mc + mr * ldb] = a;
            }
        }
    }
}

/* C := W + beta C on the triangles of order nb along the diagonal of C; W holds their squares side by side. Of a Hermitian
 * diagonal only the real part is looked at. */
template <class T>
__global__ __launch_bounds__(TILE *STEP) void accumulate(int64_t n, int nb, const T *W, int64_t ldw, T beta, T *C, int64_t ldc,
                                                         bool lower, bool herm)
{
    const int64_t at = (int64_t)blockIdx.z * nb;
    const int r = blockIdx.x * TILE + threadIdx.x, left = (int)min((int64_t)nb, n - at);
    const bool zero = is_zero(beta); /* a NaN is not */
    W += at * ldw;
    C += at * (ldc + 1);
    for (int k = threadIdx.y; k < TILE; k += STEP) {
        const int c = blockIdx.y * TILE + k;
        if (r >= left || c >= left || (r != c && (r > c) != lower)) continue;
        const bool real = herm && r == c;
        T v = W[r + c * ldw], *to = C + r + c * ldc;
        if (!zero) v = add(v, mul(beta, real ? make<T>(re(*to)) : *to));
        *to = real ? make<T>(re(v)) : v;
    }
}

unsigned tiles(int64_t n, int64_t most)
{
    const int64_t t = (n + TILE - 1) / TILE;
    return (unsigned)(t < most ? t : most);
}

template <class T> tsl_status launch_expand(tsl_queue *q, const tsl_leaf *l)
{
    const dim3 grid(tiles(l->n, INT32_MAX), tiles(l->n, 65535)), cta(TILE, STEP);
    expand<T><<<grid, cta, 0, tsl_cuda(q)->stream>>>(l->n, (const T *)l->A.p, l->A.ld, (T *)l->B.p, l->B.ld, l->uplo == TSL_LOWER,
                                                     is_complex<T> || l->norm.structure == TSL_TRIANGULAR ? l->norm.structure : TSL_SYMMETRIC,
                                                     l->diag == TSL_UNIT, (l->A.op & TSL_TRANS) != 0,
                                                     is_complex<T> && (l->A.op & TSL_CONJ) != 0);
    return tsl_cuda_check(cudaGetLastError(), "expand");
}

template <class T> tsl_status launch_accumulate(tsl_queue *q, const tsl_leaf *l, int nb, int64_t ldw)
{
    const unsigned side = (unsigned)((nb + TILE - 1) / TILE);
    const dim3 grid(side, side, (unsigned)((l->n + nb - 1) / nb)), cta(TILE, STEP);
    accumulate<T><<<grid, cta, 0, tsl_cuda(q)->stream>>>(l->n, nb, (const T *)l->work, ldw, from_scalar<T>(l->beta), (T *)l->C.p,
                                                         l->C.ld, l->uplo == TSL_LOWER, is_complex<T> && l->herm);
    return tsl_cuda_check(cudaGetLastError(), "accumulate");
}

} // namespace
} // namespace tsl

static const void *kernel(int i) { return i ? nullptr : (const void *)tsl::expand<float>; }

extern "C" tsl_status tsl_cuda_expand(tsl_queue *q, const tsl_leaf *l)
{
    return tsl::by_type(l->type, [=](auto zero) { return tsl::launch_expand<decltype(zero)>(q, l); });
}

extern "C" tsl_status tsl_cuda_accumulate(tsl_queue *q, const tsl_leaf *l, int nb, int64_t ldw)
{
    return tsl::by_type(l->type, [=](auto zero) { return tsl::launch_accumulate<decltype(zero)>(q, l, nb, ldw); });
}

extern "C" const tsl_kernel_entry tsl_cuda_expand_entry = {TSL_ALL_TYPES(tsl_cuda_expand), 0, 0, NULL, kernel, NULL};
