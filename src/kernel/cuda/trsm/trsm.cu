/* Triangular solve with a triangle of order nb <= 128 and any number of right-hand sides, by substitution.
 *
 * All variants are one: x M^T = x for every line x, M lower, no conjugation.
 *   left   op(A) X = alpha B: lines are B's columns, M = op(A)
 *   right  X op(A) = alpha B: lines are B's rows, M = op(A)^T
 * The transposition is in M's strides. If M is upper, counting its rows, its columns and the lines' entries from the end makes
 * it lower: negative strides. And conj(M) is solved on conj(x).
 *
 * A CTA keeps M and 32 lines in shared memory, as tiles; a lane holds a line while it passes a diagonal tile. What lies past
 * the order or past the last line meets only its like, so lines never mix. Left-looking by tiles, everything in flight from the
 * start; complex double cannot hold ten tiles of M on every device, so there the fourth tile row takes the place of earlier
 * ones. */
#include "kernel/cuda/launch.cuh"
#include "kernel/cuda/leaf.h"
#include "kernel/cuda/tile.cuh"

namespace tsl {
namespace {

constexpr int WARPS = 4, THREADS = 32 * WARPS; /* a thread per pivot */
static_assert(THREADS == TSL_CUDA_TRSM_LIMIT, "a thread inverts a pivot");

template <class T> struct problem {
    const T *A;
    T *B;
    int64_t si, sj;     /* M(i,j) = A[i*si + j*sj] */
    int64_t sk, sl;     /* entry k of line l = B[k*sk + l*sl] */
    int64_t lines;
    int nb;
    bool unit, conjugate, scaled;
    bool keeps; /* a zero on the diagonal divides nothing, as in LU without pivots */
    T alpha;
};

/* b / d as (b inv) scale: scale is 1 but where 1/d would overflow or lose bits, and there a power of two that prevents it.
 * Zero, Inf and NaN go through as they do in a division. */
template <class T> struct pivot {
    T inv;
    real_t<T> scale;
};

template <class T> __device__ pivot<T> make_pivot(T d)
{
    using R = real_t<T>;
    constexpr bool wide = sizeof(R) == 8;
    constexpr R tiny = wide ? 0x1p-1000 : 0x1p-100, huge = wide ? 0x1p1000 : 0x1p100, step = wide ? 0x1p100 : 0x1p50;
    const R m = magnitude(d), s = m < tiny ? step : m > huge ? 1 / step : R(1);
    return {inverse(scale(d, s)), s};
}

template <class T> constexpr int RESIDENT = sizeof(T) == 16 ? 3 : 4; /* rows of tiles of M with a place of their own */

template <class T> __host__ __device__ constexpr int slot(int i, int j) { return i < RESIDENT<T> ? tri(i, j) : j; }

template <class T> constexpr size_t bytes(int nt)
{
    return TB * (sizeof(T) + sizeof(real_t<T>)) + (size_t)(nt + tri(nt < RESIDENT<T> ? nt : RESIDENT<T>)) * TILE * sizeof(T);
}

template <class T> __global__ __launch_bounds__(THREADS, 1) void trsm(problem<T> p)
{
    using R = real_t<T>;
    extern __shared__ __align__(16) unsigned char memory[];
    const int tid = threadIdx.x, warp = tid / 32, lane = tid % 32, nt = (p.nb + TB - 1) / TB;
    const int64_t first = (int64_t)blockIdx.x * TB;
    const int lines = (int)min((int64_t)TB, p.lines - first);
    T *inv = (T *)memory;
    R *scales = (R *)(inv + TB);
    T *X = (T *)(scales + TB), *M = X + nt * TILE;

    auto load_m = [=](int i, int j) {
        const T *a = p.A + i * TB * p.si + j * TB * p.sj;
        fetch(M + slot<T>(i, j) * TILE, block<const T>{a, p.si, p.sj, min(TB, p.nb - i * TB), min(TB, p.nb - j * TB)},
              i == j ? 1 : WHOLE, warp, lane, WARPS);
    };
    auto lines_at = [=](int k) {
        return block<T>{p.B + k * TB * p.sk + first * p.sl, p.sl, p.sk, lines, min(TB, p.nb - k * TB)};
    };
    auto load_x = [=](int k) {
        const block<T> g = lines_at(k);
        fetch(X + k * TILE, block<const T>{g.p, g.sr, g.sc, g.rows, g.cols}, WHOLE, warp, lane, WARPS);
    };

    wait_for_previous_grid();
    let_next_grid_start();
    for (int i = 0; i < RESIDENT<T>; i++) {
        if (i < nt) load_x(i);
#pragma unroll 1
        for (int j = 0; i < nt && j <= i; j++) load_m(i, j);
        __pipeline_commit();
    }
    const T d = p.unit || tid >= p.nb ? make<T>(1) : p.A[tid * (p.si + p.sj)];
    const pivot<T> mine = make_pivot(p.keeps && is_zero(d) ? make<T>(1) : d);

    for (int k = 0; k < nt; k++) {
        T *x = X + k * TILE;
        const bool late = k + 1 == RESIDENT<T> && k + 1 < nt; /* the next row of M has no place of its own */
        __pipeline_wait_prior(max(0, RESIDENT<T> - 1 - k));
        __syncthreads();
        if (warp == k) {
            inv[lane] = mine.inv;
            scales[lane] = mine.scale;
        }
        if (late) { /* over rows k-1 and before, all done with */
            load_x(k + 1);
            for (int j = 0; j <= k; j++) load_m(k + 1, j);
        }
        if (p.scaled || p.conjugate) {
            for (int e = tid; e < TILE; e += THREADS) {
                const T v = p.scaled ? mul(p.alpha, x[e]) : x[e];
                x[e] = p.conjugate ? conj(v) : v;
            }
            __syncthreads();
        }
        for (int j = 0; j < k; j++) update<false, 2>(x, X + j * TILE, M + slot<T>(k, j) * TILE, warp * 8, lane);
        __syncthreads();
        if (late) load_m(k + 1, k + 1); /* over tile (k,0), done with now */
        __pipeline_commit();
        if (warp == 0) {
            T v[TB];
#pragma unroll
            for (int c = 0; c < TB; c++) v[c] = x[c * TB + lane];
            if (p.unit)
                substitute<false>(v, M + slot<T>(k, k) * TILE, [](int, T b) { return b; });
            else
                substitute<false>(v, M + slot<T>(k, k) * TILE, [=](int j, T b) { return scale(mul(b, inv[j]), scales[j]); });
#pragma unroll
            for (int c = 0; c < TB; c++) x[c * TB + lane] = v[c];
        }
    }
    __syncthreads();
#pragma unroll 1
    for (int k = 0; k < nt; k++) put(lines_at(k), X + k * TILE, WHOLE, p.conjugate, warp, lane, WARPS);
}

template <class T> tsl_status solve(tsl_queue *q, const tsl_leaf *l)
{
    const bool left = l->side == TSL_LEFT, rows_run = left != ((l->A.op & TSL_TRANS) != 0); /* M(i,j) = A(i,j), else A(j,i) */
    problem<T> p = {};
    p.A = (const T *)l->A.p;
    p.B = (T *)l->B.p;
    p.si = rows_run ? 1 : l->A.ld;
    p.sj = rows_run ? l->A.ld : 1;
    p.sk = left ? 1 : l->B.ld;
    p.sl = left ? l->B.ld : 1;
    p.lines = left ? l->n : l->m;
    p.nb = (int)(left ? l->m : l->n);
    p.unit = l->diag == TSL_UNIT;
    p.keeps = l->lu.pivoting == TSL_PIVOTS_NONE;
    p.conjugate = is_complex<T> && (l->A.op & TSL_CONJ) != 0;
    p.scaled = l->alpha != 1.0;
    p.alpha = from_scalar<T>(l->alpha);
    if ((l->uplo == TSL_LOWER) != rows_run) { /* M is upper */
        p.A += (p.nb - 1) * (p.si + p.sj);
        p.B += (p.nb - 1) * p.sk;
        p.si = -p.si;
        p.sj = -p.sj;
        p.sk = -p.sk;
    }
    const void *fn = (const void *)trsm<T>;
    cudaError_t e = cudaFuncSetAttribute(fn, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                         (int)bytes<T>(TSL_CUDA_TRSM_LIMIT / TB));
    if (e == cudaSuccess) e = cudaFuncSetAttribute(fn, cudaFuncAttributePreferredSharedMemoryCarveout, 100);
    if (e != cudaSuccess) return tsl_cuda_check(e, "trsm");
    const launch_shape s = {(p.lines + TB - 1) / TB, THREADS, bytes<T>((p.nb + TB - 1) / TB), 1, true, false};
    return tsl_cuda_check(launch_early(trsm<T>, s, tsl_cuda(q)->stream, p), "trsm");
}

} // namespace
} // namespace tsl

extern "C" const void *tsl_cuda_kernel_of_trsm(void) { return (const void *)tsl::trsm<float>; }

extern "C" tsl_status tsl_cuda_trsm_block(tsl_queue *q, const tsl_leaf *l)
{
    if (tsl_cuda_trsm_is_unit(l)) return tsl_cuda_trsm_unit(q, l);
    return tsl::by_type(l->type, [=](auto type) { return tsl::solve<decltype(type)>(q, l); });
}
