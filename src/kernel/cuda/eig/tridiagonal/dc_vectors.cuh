/* Vectors of a merge. With Q's columns in slots, those of Q1 alone first, those of Q2 alone last, Q becomes
 *   [B1 B2  0] S    k1 + k2 columns of the upper half, B1 B2
 *   [ 0 B3 B4]      and those after the first k1 of the lower half, B3 B4:
 * two products of half height. S is made w columns at a time; it and the products, C, are n x w for each matrix, a merge in its
 * own rows. */
#ifndef TSL_CUDA_DC_VECTORS_CUH
#define TSL_CUDA_DC_VECTORS_CUH

#include "kernel/cuda/eig/tridiagonal/dc.cuh"

namespace tsl {
namespace dc {

constexpr int WARPS = 8, MOVERS = LANES * WARPS, AT_ONCE = 4;

template <class R> struct panels {
    R *B, *S, *C; /* n x n, n x w, n x w for each matrix: leading dimension n */
    int64_t w;
};

/* Rotations of Q's columns, a thread for a row */
template <class R> __global__ __launch_bounds__(MOVERS) void turns(const __grid_constant__ state<R> p, int level, int64_t parts)
{
    const int64_t which = blockIdx.x / parts;
    const merge m = p.t.of(level, which);
    const int row = (int)(blockIdx.x % parts) * MOVERS + (int)threadIdx.x, count = p.count[which].rotations;
    if (row >= m.len) return;
    R *const Q = p.Q + m.row + row + m.start * p.ldq;
    const rotation<R> *const turn = p.turn + m.start;
    R x = 0;
    for (int i = 0; i < count; i++) {
        const rotation<R> t = turn[i];
        if (i == 0 || turn[i - 1].q != t.p) x = Q[t.p * p.ldq];
        const R y = Q[t.q * p.ldq];
        Q[t.p * p.ldq] = t.c * x + t.s * y;
        x = t.c * y - t.s * x;
        if (i + 1 == count || turn[i + 1].p != t.q) Q[t.q * p.ldq] = x;
    }
}

/* B := Q's columns by slot, a warp for a column; not the zeros of those of one half */
template <class R>
__global__ __launch_bounds__(MOVERS) void gather(const __grid_constant__ state<R> p, const __grid_constant__ panels<R> b, int level, int64_t parts)
{
    const int64_t which = blockIdx.x / parts;
    const merge m = p.t.of(level, which);
    const int slot = (int)(blockIdx.x % parts) * WARPS + (int)threadIdx.x / LANES;
    if (slot >= m.len) return;
    const counts c = p.count[which];
    const int from = slot >= c.ones + c.twos && slot < c.k ? m.top : 0, to = slot < c.ones ? m.top : m.len;
    const R *const Q = p.Q + m.row + (m.start + p.source[m.start + slot]) * p.ldq;
    R *const B = b.B + m.row + (m.start + slot) * p.t.n;
#pragma unroll 4
    for (int i = from + (int)threadIdx.x % LANES; i < to; i += LANES) B[i] = Q[i];
}

/* Columns begin .. begin + w of S, a warp for AT_ONCE of them */
template <class R>
__global__ __launch_bounds__(MOVERS) void vectors(const __grid_constant__ state<R> p, const __grid_constant__ panels<R> b,
                                                  int level, int64_t parts, int begin)
{
    const int64_t which = blockIdx.x / parts;
    const merge m = p.t.of(level, which);
    const int64_t o = m.start;
    const int k = p.count[which].k, lane = threadIdx.x % LANES;
    const int own = ((int)(blockIdx.x % parts) * WARPS + (int)threadIdx.x / LANES) * AT_ONCE, first = begin + own;
    const int columns = smallest(smallest(AT_ONCE, k - first), (int)b.w - own);
    if (columns <= 0) return;
    const R *const d = p.slot_pole + o, *const z = p.slot_weight + o;
    R base[AT_ONCE], mu[AT_ONCE], sum[AT_ONCE];
    for (int j = 0; j < AT_ONCE; j++) {
        const int64_t at = o + first + smallest(j, columns - 1);
        base[j] = p.base[at], mu[j] = p.mu[at], sum[j] = 0;
    }
    for (int i = lane; i < k; i += LANES) {
        const R di = d[i], zi = z[i];
#pragma unroll
        for (int j = 0; j < AT_ONCE; j++) {
            const R t = zi * reciprocal((di - base[j]) - mu[j]);
            sum[j] = fma(t, t, sum[j]);
        }
    }
#pragma unroll
    for (int j = 0; j < AT_ONCE; j++) {
        for (int bit = LANES / 2; bit >= 1; bit /= 2) sum[j] += shuffle_xor(sum[j], bit);
        sum[j] = 1 / sqrt(sum[j]);
    }
    R *const S = b.S + m.row + (m.matrix * b.w + own) * p.t.n;
    for (int i = lane; i < k; i += LANES) {
        const R di = d[i], zi = z[i];
#pragma unroll
        for (int j = 0; j < AT_ONCE; j++)
            if (j < columns) S[i + j * p.t.n] = zi * reciprocal((di - base[j]) - mu[j]) * sum[j];
    }
}

/* C := the products of small merges, a CTA for a tile of one of the halves */
constexpr int TILE = 64, DEPTH = 16, EDGE = TILE / 16;

template <class R>
__global__ __launch_bounds__(256) void products(const __grid_constant__ state<R> p, const __grid_constant__ panels<R> b,
                                                int level, int64_t high, int64_t wide)
{
    __shared__ R left[DEPTH][TILE + 1], right[DEPTH][TILE + 1];
    int64_t at = blockIdx.x;
    const int row0 = (int)(at % high) * TILE;
    at /= high;
    const int col0 = (int)(at % wide) * TILE;
    at /= wide;
    const bool lower = at % 2;
    const int64_t which = at / 2;
    const merge m = p.t.of(level, which);
    const counts c = p.count[which];
    const int height = lower ? m.len - m.top : m.top, inner = lower ? c.k - c.ones : c.ones + c.twos;
    if (row0 >= height || col0 >= c.k) return;
    const int64_t n = p.t.n, o = m.row + (lower ? m.top : 0), panel = m.matrix * b.w * n;
    const R *const A = b.B + o + (m.start + (lower ? c.ones : 0)) * n, *const S = b.S + panel + m.row + (lower ? c.ones : 0);
    const int tid = threadIdx.x, x = tid % 16, y = tid / 16;
    R sum[EDGE][EDGE] = {};
    for (int k0 = 0; k0 < inner; k0 += DEPTH) {
        __syncthreads();
        for (int e = tid; e < TILE * DEPTH; e += 256) {
            const int i = e % TILE, k = e / TILE;
            left[k][i] = row0 + i < height && k0 + k < inner ? A[row0 + i + (k0 + k) * n] : R(0);
            const int l = e % DEPTH, j = e / DEPTH;
            right[l][j] = col0 + j < c.k && k0 + l < inner ? S[k0 + l + (col0 + j) * n] : R(0);
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < DEPTH; k++) {
            R u[EDGE], v[EDGE];
#pragma unroll
            for (int i = 0; i < EDGE; i++) u[i] = left[k][x + 16 * i], v[i] = right[k][y + 16 * i];
#pragma unroll
            for (int i = 0; i < EDGE; i++)
#pragma unroll
                for (int j = 0; j < EDGE; j++) sum[i][j] = fma(u[i], v[j], sum[i][j]);
        }
    }
    R *const C = b.C + panel + o;
    for (int i = 0; i < EDGE; i++)
        for (int j = 0; j < EDGE; j++) {
            const int r = row0 + x + 16 * i, s = col0 + y + 16 * j;
            if (r < height && s < c.k) C[r + s * n] = sum[i][j];
        }
}

/* Where results go: columns first .. first + count of them, to columns from 0 on */
template <class T> struct outlet {
    T *Z;
    int64_t ldz, first, count;
};

/* Columns to their places in ascending order, a warp for a column: w slots from `begin` on that are roots, from C; or the
 * deflated ones, from B */
template <class R, class T>
__global__ __launch_bounds__(MOVERS) void scatter(const __grid_constant__ state<R> p, const __grid_constant__ panels<R> b,
                                                  const __grid_constant__ outlet<T> out, int level, int64_t parts, int begin,
                                                  bool deflated)
{
    const int64_t which = blockIdx.x / parts;
    const int64_t o = p.t.start(level, which), own_matrix = p.t.matrix(level, which), row = o - own_matrix * p.t.n;
    const int len = (int)(p.t.start(level, which + 1) - o), k = p.count[which].k;
    const int own = (int)(blockIdx.x % parts) * WARPS + (int)threadIdx.x / LANES, slot = own + (deflated ? k : begin);
    if (slot >= (deflated ? len : k) || (!deflated && own >= b.w)) return;
    const int64_t to = o + p.target[o + slot] - out.first;
    if (to < 0 || to >= out.count) return;
    const R *const from = deflated ? b.B + row + (o + slot) * p.t.n : b.C + row + (own_matrix * b.w + own) * p.t.n;
    T *const Z = out.Z + row + to * out.ldz;
#pragma unroll 4
    for (int i = threadIdx.x % LANES; i < len; i += LANES) Z[i] = make<T>(from[i]);
}

} // namespace dc
} // namespace tsl
#endif
