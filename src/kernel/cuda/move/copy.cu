/* Copies (through any op), sums, scalings and fillings of an m x n block or of a triangle of it: bound by memory, so every
 * access runs along the columns of its array; a transposition turns 32 x 32 tiles around in shared memory. */
#include "kernel/cuda/leaf.h"
#include "kernel/cuda/scalar.cuh"
#include "kernel/random.h"

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

enum factor { ZERO, REAL, FULL }; /* what a factor is: 0 stores zeros unread; a real one keeps the parts apart */

factor kind_of(tsl_scalar a) { return a == 0.0 ? ZERO : __imag__ a == 0.0 ? REAL : FULL; }

template <class T> __device__ T times(factor kind, T alpha, T a) { return kind == REAL ? scale(a, re(alpha)) : mul(alpha, a); }

/* What becomes of an element of B: a, or its conjugate; or with that, alpha a + beta b */
template <class T> struct copied {
    bool conjugate;
    __device__ void put(T *b, T a) const { *b = conjugate ? conj(a) : a; }
};

template <class T> struct added {
    bool conjugate;
    factor a_kind, b_kind;
    T alpha, beta;
    __device__ void put(T *b, T a) const
    {
        const T v = times(a_kind, alpha, conjugate ? conj(a) : a);
        *b = b_kind == ZERO ? v : add(v, times(b_kind, beta, *b));
    }
};

template <class T, class F> __global__ __launch_bounds__(TILE *STEP) void move_plain(region g, const T *A, int64_t lda, T *B, int64_t ldb, F f)
{
    each_tile(g, [=](int64_t i0, int64_t j0) {
        const int64_t i = i0 + threadIdx.x;
#pragma unroll
        for (int s = 0; s < TILE; s += STEP) {
            const int64_t j = j0 + threadIdx.y + s;
            if (holds(g, i, j)) f.put(B + i + j * ldb, A[i + j * lda]);
        }
    });
}

template <class T, class F> __global__ __launch_bounds__(TILE *STEP) void move_turned(region g, const T *A, int64_t lda, T *B, int64_t ldb, F f)
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
            if (holds(g, i, j)) f.put(B + i + j * ldb, t[x][y + s]);
        }
        __syncthreads();
    });
}

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
            if (kind != ZERO) v = times(kind, alpha, *b);
            *b = herm && i == j ? make<T>(re(v)) : v;
        }
    });
}

/* Calls f(i, j) for the elements of the region. */
template <class F> __global__ __launch_bounds__(TILE *STEP) void fill_block(region g, F f)
{
    each_tile(g, [=](int64_t i0, int64_t j0) {
        const int64_t i = i0 + threadIdx.x;
#pragma unroll
        for (int s = 0; s < TILE; s += STEP) {
            const int64_t j = j0 + threadIdx.y + s;
            if (holds(g, i, j)) f.put(i, j);
        }
    });
}

template <class T> struct two_numbers {
    T *B;
    int64_t ldb, below; /* the diagonal is so many rows below the block's own */
    T off, on;
    __device__ void put(int64_t i, int64_t j) const { B[i + j * ldb] = i - j == below ? on : off; }
};

__device__ void uniform(uint64_t bits, float *x) { *x = tsl_random_float(bits); }
__device__ void uniform(uint64_t bits, double *x) { *x = tsl_random_double(bits); }

template <class T> struct random_numbers {
    T *B;
    int64_t ldb, row, col;
    uint64_t seed;
    bool turned, conjugate;
    __device__ void put(int64_t i, int64_t j) const
    {
        const int64_t r = row + (turned ? j : i), c = col + (turned ? i : j);
        T *b = B + i + j * ldb;
        if constexpr (is_complex<T>) {
            T v;
            uniform(tsl_random_bits(seed, r, c, 0), &v.re);
            uniform(tsl_random_bits(seed, r, c, 1), &v.im);
            *b = conjugate ? conj(v) : v;
        } else {
            uniform(tsl_random_bits(seed, r, c, 0), b);
        }
    }
};

template <class T, class F> void launch_move(tsl_queue *q, const tsl_leaf *l, F f)
{
    const region g = {l->m, l->n, l->uplo};
    const dim3 cta(TILE, STEP);
    const cudaStream_t st = tsl_cuda(q)->stream;
    if (l->A.op & TSL_TRANS)
        move_turned<T><<<grid_of(g), cta, 0, st>>>(g, (const T *)l->A.p, l->A.ld, (T *)l->B.p, l->B.ld, f);
    else
        move_plain<T><<<grid_of(g), cta, 0, st>>>(g, (const T *)l->A.p, l->A.ld, (T *)l->B.p, l->B.ld, f);
}

template <class T> bool conjugates(const tsl_leaf *l) { return is_complex<T> && (l->A.op & TSL_CONJ) != 0; }

template <class T> tsl_status launch_copy(tsl_queue *q, const tsl_leaf *l)
{
    launch_move<T>(q, l, copied<T>{conjugates<T>(l)});
    return tsl_cuda_check(cudaGetLastError(), "copy");
}

template <class T> tsl_status launch_geadd(tsl_queue *q, const tsl_leaf *l)
{
    launch_move<T>(q, l, added<T>{conjugates<T>(l), kind_of(l->alpha), kind_of(l->beta), from_scalar<T>(l->alpha), from_scalar<T>(l->beta)});
    return tsl_cuda_check(cudaGetLastError(), "geadd");
}

template <class F> tsl_status launch_fill(tsl_queue *q, const tsl_leaf *l, F f, const char *what)
{
    const region g = {l->m, l->n, l->uplo};
    fill_block<<<grid_of(g), dim3(TILE, STEP), 0, tsl_cuda(q)->stream>>>(g, f);
    return tsl_cuda_check(cudaGetLastError(), what);
}

template <class T> tsl_status launch_laset(tsl_queue *q, const tsl_leaf *l)
{
    return launch_fill(q, l, two_numbers<T>{(T *)l->A.p, l->A.ld, l->fill.col - l->fill.row, from_scalar<T>(l->alpha), from_scalar<T>(l->beta)}, "laset");
}

template <class T> tsl_status launch_random(tsl_queue *q, const tsl_leaf *l)
{
    const bool turned = (l->A.op & TSL_TRANS) != 0;
    return launch_fill(q, l, random_numbers<T>{(T *)l->A.p, l->A.ld, l->fill.row, l->fill.col, (uint64_t)l->fill.seed, turned, conjugates<T>(l)}, "random");
}

template <class T> tsl_status launch_scale(tsl_queue *q, const tsl_leaf *l)
{
    const region g = {l->m, l->n, l->uplo};
    const bool herm = is_complex<T> && l->herm;
    scale_block<T><<<grid_of(g), dim3(TILE, STEP), 0, tsl_cuda(q)->stream>>>(g, (T *)l->A.p, l->A.ld, kind_of(l->alpha), from_scalar<T>(l->alpha),
                                                                             herm);
    return tsl_cuda_check(cudaGetLastError(), "scale");
}

} // namespace
} // namespace tsl

static const void *kernel(int i) { return i ? nullptr : (const void *)tsl::move_plain<float, tsl::copied<float>>; }

extern "C" tsl_status tsl_cuda_copy(tsl_queue *q, const tsl_leaf *l)
{
    return tsl::by_type(l->type, [=](auto zero) { return tsl::launch_copy<decltype(zero)>(q, l); });
}

extern "C" tsl_status tsl_cuda_scale(tsl_queue *q, const tsl_leaf *l)
{
    return tsl::by_type(l->type, [=](auto zero) { return tsl::launch_scale<decltype(zero)>(q, l); });
}

static tsl_status geadd(tsl_queue *q, const tsl_leaf *l)
{
    return tsl::by_type(l->type, [=](auto zero) { return tsl::launch_geadd<decltype(zero)>(q, l); });
}

static tsl_status laset(tsl_queue *q, const tsl_leaf *l)
{
    return tsl::by_type(l->type, [=](auto zero) { return tsl::launch_laset<decltype(zero)>(q, l); });
}

static tsl_status fill_random(tsl_queue *q, const tsl_leaf *l)
{
    return tsl::by_type(l->type, [=](auto zero) { return tsl::launch_random<decltype(zero)>(q, l); });
}

extern "C" const tsl_kernel_entry tsl_cuda_copy_entry = {TSL_ALL_TYPES(tsl_cuda_copy), 0, 0, NULL, kernel, NULL};
extern "C" const tsl_kernel_entry tsl_cuda_scale_entry = {TSL_ALL_TYPES(tsl_cuda_scale), 0, 0, NULL, NULL, NULL};
extern "C" const tsl_kernel_entry tsl_cuda_geadd_entry = {TSL_ALL_TYPES(geadd), 0, 0, NULL, NULL, NULL};
extern "C" const tsl_kernel_entry tsl_cuda_laset_entry = {TSL_ALL_TYPES(laset), 0, 0, NULL, NULL, NULL};
extern "C" const tsl_kernel_entry tsl_cuda_random_entry = {TSL_ALL_TYPES(fill_random), 0, 0, NULL, NULL, NULL};
