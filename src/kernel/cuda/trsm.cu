/* Triangular solve with a triangle of order nb <= 128 and any number of right-hand sides.
 *
 * All variants are one: x M^T = x for every line x, M lower, no conjugation.
 *   left   op(A) X = alpha B: lines are B's columns, M = op(A)
 *   right  X op(A) = alpha B: lines are B's rows, M = op(A)^T
 * The transposition is in M's strides. If M is upper, counting its rows, its columns and the lines' entries from the end makes it
 * lower: negative strides. And conj(M) is solved on conj(x).
 *
 * A CTA keeps M and 32 lines in shared memory, as tiles. It inverts the diagonal tiles, a warp each; then tile after tile of the
 * lines receives the ones before and is multiplied by its tile's inverse. What lies past the order or past the last line meets
 * only its like, so lines never mix. Complex double cannot hold ten tiles of M on every device: there the fourth tile row takes
 * the place of earlier ones. */
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
    T alpha;
};

template <class T> constexpr int RESIDENT = sizeof(T) == 16 ? 3 : 4; /* rows of tiles of M with a place of their own */

template <class T> __host__ __device__ constexpr int slot(int i, int j) { return i < RESIDENT<T> ? tri(i, j) : j; }

template <class T> constexpr size_t bytes(int nt)
{
    return THREADS * sizeof(T) + (size_t)(nt + tri(nt < RESIDENT<T> ? nt : RESIDENT<T>)) * TILE * sizeof(T);
}

template <class T> __global__ __launch_bounds__(THREADS) void trsm(problem<T> p)
{
    extern __shared__ __align__(16) unsigned char memory[];
    const int tid = threadIdx.x, warp = tid / 32, lane = tid % 32, nt = (p.nb + TB - 1) / TB;
    const int64_t first = (int64_t)blockIdx.x * TB;
    const int lines = (int)min((int64_t)TB, p.lines - first);
    T *inv = (T *)memory;
    T *X = inv + THREADS, *M = X + nt * TILE;

    auto load_m = [=](int i, int j) {
        const T *a = p.A + i * TB * p.si + j * TB * p.sj;
        fetch(M + slot<T>(i, j) * TILE, block<const T>{a, p.si, p.sj, min(TB, p.nb - i * TB), min(TB, p.nb - j * TB)},
              i == j ? 1 : WHOLE, tid, THREADS);
    };
    auto lines_at = [=](int k) {
        return block<T>{p.B + k * TB * p.sk + first * p.sl, p.sl, p.sk, lines, min(TB, p.nb - k * TB)};
    };
    auto load_x = [=](int k) {
        const block<T> g = lines_at(k);
        fetch(X + k * TILE, block<const T>{g.p, g.sr, g.sc, g.rows, g.cols}, WHOLE, tid, THREADS);
    };
    auto invert_m = [=](int k) {
        invert(M + slot<T>(k, k) * TILE, lane, [=](int j) { return inv[k * TB + j]; });
    };

    for (int i = 0; i < RESIDENT<T> && i < nt; i++) {
        load_x(i);
        for (int j = 0; j <= i; j++) load_m(i, j);
    }
    __pipeline_commit();
    inv[tid] = p.unit || tid >= p.nb ? make<T>(1) : inverse(p.A[tid * (p.si + p.sj)]);
    __pipeline_wait_prior(0);
    __syncthreads();
    if (warp < nt && warp < RESIDENT<T>) invert_m(warp);

    for (int k = 0; k < nt; k++) {
        T *x = X + k * TILE;
        const bool late = k + 1 == RESIDENT<T> && k + 1 < nt; /* the next row of M has no place of its own */
        __pipeline_wait_prior(0);
        __syncthreads();
        if (k >= RESIDENT<T> && warp == k) invert_m(k);
        if (late) { /* over rows k-1 and before, all done with */
            load_x(k + 1);
            for (int j = 0; j <= k; j++) load_m(k + 1, j);
        }
        if (p.scaled || p.conjugate)
            for (int e = tid; e < TILE; e += THREADS) {
                const T v = p.scaled ? mul(p.alpha, x[e]) : x[e];
                x[e] = p.conjugate ? conj(v) : v;
            }
        __syncthreads();
        strip<2, T> s(warp * 8, lane);
        s.load(x);
        for (int j = 0; j < k; j++) s.template subtract<false, false>(X + j * TILE, M + slot<T>(k, j) * TILE, 0, TB);
        s.store(x);
        __syncthreads();
        if (late) load_m(k + 1, k + 1); /* over tile (k,0), done with now */
        __pipeline_commit();
        s.clear();
        s.template subtract_lower<false>(x, M + slot<T>(k, k) * TILE, warp * 8);
        __syncthreads();
        s.store(x);
    }
    __syncthreads();
    for (int k = 0; k < nt; k++) put(lines_at(k), X + k * TILE, WHOLE, p.conjugate, tid, THREADS);
}

template <class T> tsl_status launch(tsl_queue *q, const tsl_leaf *l)
{
    const bool left = l->side == TSL_LEFT, rows_run = left != ((l->opA & TSL_TRANS) != 0); /* M(i,j) = A(i,j), else A(j,i) */
    problem<T> p = {};
    p.A = (const T *)l->A;
    p.B = (T *)l->B;
    p.si = rows_run ? 1 : l->lda;
    p.sj = rows_run ? l->lda : 1;
    p.sk = left ? 1 : l->ldb;
    p.sl = left ? l->ldb : 1;
    p.lines = left ? l->n : l->m;
    p.nb = (int)(left ? l->m : l->n);
    p.unit = l->diag == TSL_UNIT;
    p.conjugate = is_complex<T> && (l->opA & TSL_CONJ) != 0;
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
    trsm<T><<<(unsigned)((p.lines + TB - 1) / TB), THREADS, bytes<T>((p.nb + TB - 1) / TB), tsl_cuda(q)->stream>>>(p);
    return tsl_cuda_check(cudaGetLastError(), "trsm");
}

} // namespace
} // namespace tsl

extern "C" tsl_status tsl_cuda_trsm(tsl_queue *q, const tsl_leaf *l)
{
    return tsl::by_type(l->type, [=](auto type) { return tsl::launch<decltype(type)>(q, l); });
}
