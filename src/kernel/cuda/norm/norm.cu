/* Norms of a matrix, each element read once. A CTA of 256 threads takes a tile of 256 x 256, a row a thread, so that a warp
 * reads along columns. It leaves one state (max, fro) or the tile's sums of rows and columns (one, inf), which are then added
 * up tile by tile, in order, and the largest sought. */
#include "kernel/cuda/fold.cuh"
#include "kernel/cuda/leaf.h"

namespace tsl {
namespace {

constexpr int SIDE = THREADS;
constexpr int BATCH = 8; /* elements a thread has under way */

/* The kinds of reduction */
template <class T> struct largest_size {
    using State = double;
    static __device__ State none() { return 0; }
    static __device__ void take(State &s, T a) { s = tsl_larger(s, size_of(a)); }
    static __device__ void fold(State &s, const State &t) { s = tsl_larger(s, t); }
    static __device__ void leave(const State &s, void *result) { *(double *)result = s; }
};

template <class T> struct frobenius : squares<T> {
    static __device__ void leave(const tsl_blue &s, void *result) { *(double *)result = tsl_blue_norm(&s); }
};

/* What is read: all of an m x n block or a triangle of it, which is `mirrored` if it stands for a square matrix. */
template <class T> struct source {
    const T *A;
    int64_t lda, m, n;
    tsl_uplo uplo;
    bool unit, real_diagonal, mirrored;

    int64_t down, across; /* how many tiles */
};

/* Tiles are numbered down the columns. */
template <class T> __device__ int64_t first_row(const source<T> &g) { return (int64_t)blockIdx.x % g.down * SIDE; }
template <class T> __device__ int64_t first_column(const source<T> &g) { return (int64_t)blockIdx.x / g.down * SIDE; }

/* Element (i,j) of the block; zero, which adds nothing to any norm, past its edges and in the other triangle */
template <class T> __device__ T element(const source<T> &g, int64_t i, int64_t j)
{
    if (i >= g.m || j >= g.n) return make<T>(0);
    if (g.uplo != TSL_GENERAL && i != j && (i > j) != (g.uplo == TSL_LOWER)) return make<T>(0);
    if (g.unit && i == j) return make<T>(1);
    const T a = g.A[i + j * g.lda];
    return g.real_diagonal && i == j ? make<T>(re(a)) : a;
}

/* What is off the diagonal of a mirrored matrix counts twice: its state is folded into itself before the diagonal is taken. */
template <class K, class T> __global__ __launch_bounds__(THREADS) void fold_tiles(source<T> g, typename K::State *states)
{
    const int64_t i = first_row(g) + threadIdx.x, j0 = first_column(g), end = min(j0 + SIDE, g.n);
    typename K::State s = K::none();
    for (int64_t j = j0; j < end; j += BATCH) {
        T v[BATCH];
#pragma unroll
        for (int c = 0; c < BATCH; c++) v[c] = g.mirrored && i == j + c ? make<T>(0) : element(g, i, j + c);
#pragma unroll
        for (int c = 0; c < BATCH; c++) K::take(s, v[c]);
    }
    if (g.mirrored) {
        K::fold(s, s);
        if (i >= j0 && i < end) K::take(s, element(g, i, i));
    }
    fold_cta<K>(s);
    if (threadIdx.x == 0) states[blockIdx.x] = s;
}

/* The tile's sums down its columns into cols, where that is asked for, a line of n for every tile row; along its rows into
 * rows, a line of m for every tile column. Of a mirrored matrix the diagonal is in the columns' sums only. */
template <class T> __global__ __launch_bounds__(THREADS) void sum_tiles(source<T> g, double *cols, double *rows)
{
    __shared__ double part[WARPS][WARP];
    const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    const int64_t i = first_row(g) + threadIdx.x, j0 = first_column(g), end = min(j0 + SIDE, g.n);
    double row = 0;
    for (int64_t j = j0; j < end; j += WARP) {
        double v[WARP];
#pragma unroll
        for (int c = 0; c < WARP; c++) v[c] = size_of(element(g, i, j + c));
#pragma unroll
        for (int c = 0; c < WARP; c++) row += g.mirrored && i == j + c ? 0 : v[c];
        if (!cols) continue;
        __syncthreads(); /* the last columns' parts have been read */
        part[warp][lane] = add_lanes(v, lane);
        __syncthreads();
        if (warp > 0 || j + lane >= g.n) continue;
        double sum = 0;
        for (int w = 0; w < WARPS; w++) sum += part[w][lane];
        cols[first_row(g) / SIDE * g.n + j + lane] = sum;
    }
    if (rows && i < g.m) rows[j0 / SIDE * g.m + i] = row;
}

/* Adds up `count` lines of sums, each of `length`: 32 places a CTA, every place by 8 threads. Leaves the largest of the
 * CTA's. */
template <class K> __global__ __launch_bounds__(THREADS) void add_lines(int64_t count, int64_t length, const double *lines, double *states)
{
    __shared__ double part[WARPS][WARP];
    const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    const int64_t at = (int64_t)blockIdx.x * WARP + lane;
    double sum = 0;
#pragma unroll 4
    for (int64_t p = warp; p < count && at < length; p += WARPS) sum += lines[p * length + at];
    part[warp][lane] = sum;
    __syncthreads();
    double s = K::none();
    for (int w = 0; w < WARPS && warp == 0; w++) s += part[w][lane];
    fold_cta<K>(s);
    if (threadIdx.x == 0) states[blockIdx.x] = s;
}

int64_t parts(int64_t n, int64_t size) { return (n + size - 1) / size; }

/* Workspace, in doubles: lines of sums, then the CTAs' states. */
struct plan {
    int64_t tiles, count, length, states;
};

plan plan_of(const tsl_leaf *l)
{
    const int64_t down = parts(l->m, SIDE), across = parts(l->n, SIDE);
    const bool sums = l->norm.kind == TSL_NORM_ONE || l->norm.kind == TSL_NORM_INF,
               mirrored = l->norm.structure != TSL_TRIANGULAR;
    plan p = {down * across, 0, l->norm.kind == TSL_NORM_ONE ? l->n : l->m, down * across};
    if (sums) {
        p.count = mirrored ? down + across : l->norm.kind == TSL_NORM_ONE ? down : across;
        p.states = parts(p.length, WARP);
    }
    return p;
}

template <class K, class T> tsl_status by_states(tsl_queue *q, const tsl_leaf *l, const source<T> &g, const plan &p)
{
    typename K::State *states = (typename K::State *)l->work;
    const cudaStream_t st = tsl_cuda(q)->stream;
    fold_tiles<K, T><<<(unsigned)p.tiles, THREADS, 0, st>>>(g, states);
    fold_states<K><<<1, THREADS, 0, st>>>(p.states, states, l->result);
    return tsl_cuda_check(cudaGetLastError(), "norm");
}

template <class T> tsl_status by_sums(tsl_queue *q, const tsl_leaf *l, const source<T> &g, const plan &p)
{
    using K = largest_size<double>;
    double *lines = (double *)l->work, *states = lines + p.count * p.length;
    double *cols = g.mirrored || l->norm.kind == TSL_NORM_ONE ? lines : NULL;
    double *rows = g.mirrored ? lines + g.down * g.n : l->norm.kind == TSL_NORM_INF ? lines : NULL;
    const cudaStream_t st = tsl_cuda(q)->stream;
    sum_tiles<T><<<(unsigned)p.tiles, THREADS, 0, st>>>(g, cols, rows);
    add_lines<K><<<(unsigned)p.states, THREADS, 0, st>>>(p.count, p.length, lines, states);
    fold_states<K><<<1, THREADS, 0, st>>>(p.states, states, l->result);
    return tsl_cuda_check(cudaGetLastError(), "norm");
}

template <class T> tsl_status launch_norm(tsl_queue *q, const tsl_leaf *l)
{
    const plan p = plan_of(l);
    const source<T> g = {(const T *)l->A.p, l->A.ld, l->m, l->n, l->uplo, l->diag == TSL_UNIT,
                         is_complex<T> && l->norm.structure == TSL_HERMITIAN, l->norm.structure != TSL_TRIANGULAR,
                         parts(l->m, SIDE), parts(l->n, SIDE)};
    if (p.tiles > INT32_MAX) return TSL_ERR_OVERFLOW; /* more than any memory holds, but for a very long row or column */
    if (l->norm.kind == TSL_NORM_MAX) return by_states<largest_size<T>>(q, l, g, p);
    return l->norm.kind == TSL_NORM_FRO ? by_states<frobenius<T>>(q, l, g, p) : by_sums(q, l, g, p);
}

} // namespace
} // namespace tsl

static size_t workspace(const tsl_leaf *l)
{
    const tsl::plan p = tsl::plan_of(l);
    return (size_t)(p.count * p.length) * sizeof(double) + (size_t)p.states * sizeof(tsl_blue);
}

static tsl_status norm(tsl_queue *q, const tsl_leaf *l)
{
    return tsl::by_type(l->type, [=](auto zero) { return tsl::launch_norm<decltype(zero)>(q, l); });
}

extern "C" const tsl_kernel_entry tsl_cuda_norm_entry = {TSL_ALL_TYPES(norm), 0, 0, workspace, NULL, NULL};
