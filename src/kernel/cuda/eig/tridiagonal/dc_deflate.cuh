/* Deflation: which poles of D + rho z z^T take part, and the order of all of them for what follows. A CTA for a merge. */
#ifndef TSL_CUDA_DC_DEFLATE_CUH
#define TSL_CUDA_DC_DEFLATE_CUH

#include "kernel/cuda/eig/tridiagonal/dc.cuh"

namespace tsl {
namespace dc {

constexpr int DEFLATE_THREADS = 512;
using tally = unsigned long long; /* three counters of 21 bits: ONE, TWO, THREE */

__device__ inline tally one_of(int kind) { return kind == DEAD ? 0 : (tally)1 << 21 * (kind - 1); }
__device__ inline int count_of(tally t, int kind) { return (int)(t >> 21 * (kind - 1) & 0x1fffff); }
__device__ inline int alive(tally t) { return count_of(t, ONE) + count_of(t, TWO) + count_of(t, THREE); }

/* The sum over the threads before this one, and over all */
__device__ inline tally before(tally own, tally *total)
{
    __shared__ tally warps[DEFLATE_THREADS / LANES];
    const int lane = threadIdx.x % LANES, warp = threadIdx.x / LANES;
    tally sum = own;
    for (int bit = 1; bit < LANES; bit *= 2) {
        const tally other = __shfl_up_sync(0xffffffffu, sum, bit);
        if (lane >= bit) sum += other;
    }
    __syncthreads();
    if (lane == LANES - 1) warps[warp] = sum;
    __syncthreads();
    tally below = 0, all = 0;
    for (int i = 0; i < DEFLATE_THREADS / LANES; i++) {
        if (i < warp) below += warps[i];
        all += warps[i];
    }
    *total = all;
    return below + sum - own;
}

/* list := the i below n, in order, that `takes` holds for; returns how many */
template <class F> __device__ int gather_list(int n, int *list, F takes)
{
    int done = 0;
    for (int base = 0; base < n; base += DEFLATE_THREADS) {
        const int i = base + (int)threadIdx.x;
        const bool in = i < n && takes(i);
        tally all;
        const int at = (int)before(in, &all);
        if (in) list[done + at] = i;
        done += (int)all;
    }
    __syncthreads();
    return done;
}

template <class R> __device__ R largest_of_all(R own)
{
    __shared__ R warps[DEFLATE_THREADS / LANES];
    for (int bit = LANES / 2; bit >= 1; bit /= 2) own = largest(own, __shfl_xor_sync(0xffffffffu, own, bit));
    if (threadIdx.x % LANES == 0) warps[threadIdx.x / LANES] = own;
    __syncthreads();
    for (int i = 0; i < DEFLATE_THREADS / LANES; i++) own = largest(own, warps[i]);
    return own;
}

/* The first place in ascending values from a to b where they are no less than x; after: greater than x */
template <class R> __device__ int place_of(const R *v, int count, R x, bool after)
{
    int a = 0, b = count;
    while (a < b) {
        const int m = (a + b) / 2;
        if (v[m] < x || (after && v[m] == x)) a = m + 1;
        else b = m;
    }
    return a;
}

/* May two poles t apart, with components y and z, be taken as one? A rotation makes y zero, and leaves |t y z| / (y^2 + z^2)
 * beside the diagonal. */
template <class R> __device__ bool close(R t, R y, R z, R tol) { return fabs(t * y * z) <= tol * (y * y + z * z); }

/* Poles that are close, from the places in `hit` on: the first of a pair is deflated, the second goes on. One thread. Returns
 * the rotations. */
template <class R> __device__ int rotate_close(const state<R> &p, int64_t o, int left, int hits, R tol)
{
    R *const d = p.sorted + o, *const z = p.z + o;
    int *const kind = p.kind + o, *const column = p.column + o;
    const int *const list = p.list + o, *const hit = p.hit + o;
    int done = 0;
    for (int h = 0; h < hits;) {
        int q = hit[h];
        int at = list[q - 1];
        for (; q < left; q++) {
            const int next = list[q];
            if (!close(d[next] - d[at], z[at], z[next], tol)) break;
            const R r = radius(z[at], z[next]), c = z[next] / r, s = -z[at] / r;
            const R a = d[at], b = d[next];
            d[at] = a * c * c + b * s * s;
            d[next] = a * s * s + b * c * c;
            z[next] = r;
            z[at] = 0;
            if (kind[at] != kind[next]) kind[next] = TWO;
            kind[at] = DEAD;
            const int x = column[at], y = column[next];
            p.turn[o + done++] = {x, y, c, s};
            if (p.first) {
                R *const f = p.first + o, *const l = p.last + o;
                const R fx = f[x], lx = l[x];
                f[x] = c * fx + s * f[y], l[x] = c * lx + s * l[y];
                f[y] = c * f[y] - s * fx, l[y] = c * l[y] - s * lx;
            }
            at = next;
        }
        while (h < hits && hit[h] <= q) h++;
    }
    return done;
}

template <class R> __global__ __launch_bounds__(DEFLATE_THREADS) void deflate(const __grid_constant__ state<R> p, int level)
{
    __shared__ int turns;
    const int tid = threadIdx.x;
    const merge m = p.t.of(level, blockIdx.x);
    const int64_t o = m.start;
    const R cut = p.e[m.mid - 1], rho = 2 * fabs(cut);
    R *const d = p.d + o, *const sorted = p.sorted + o, *const z = p.z + o;

    /* both halves are in ascending order: a pole's place is its own plus as many as the other half has before it */
    R most = 0;
    for (int i = tid; i < m.len; i += DEFLATE_THREADS) {
        const bool upper = i < m.top;
        const int place = upper ? i + place_of(d + m.top, m.len - m.top, d[i], false) : i - m.top + place_of(d, m.top, d[i], true);
        R row;
        if (p.first) {
            R &given = upper ? p.last[o + i] : p.first[o + i];
            row = given;
            given = 0; /* in that row of the merge's Q */
        } else {
            row = p.Q[m.row + m.top - upper + (o + i) * p.ldq];
        }
        const R own = (upper || cut >= 0 ? row : -row) * R(0.70710678118654752440);
        sorted[place] = d[i];
        z[place] = own;
        p.column[o + place] = i;
        p.kind[o + place] = upper ? ONE : THREE;
        most = largest(most, fabs(own));
    }
    most = largest_of_all(most);
    const R ends = largest(fabs(sorted[0]), fabs(sorted[m.len - 1]));
    const R tol = 8 * EPS<R> * largest(ends, most);

    const int left = gather_list(m.len, p.list + o, [&](int i) { return rho * fabs(z[i]) > tol; });
    for (int i = tid; i < m.len; i += DEFLATE_THREADS)
        if (!(rho * fabs(z[i]) > tol)) p.kind[o + i] = DEAD;
    const int *const list = p.list + o;
    const int hits = gather_list(left, p.hit + o, [&](int i) {
        return i > 0 && close(sorted[list[i]] - sorted[list[i - 1]], z[list[i - 1]], z[list[i]], tol);
    });
    if (tid == 0) turns = rotate_close(p, o, left, hits, tol);
    __syncthreads();

    tally own = 0, all;
    for (int i = tid; i < m.len; i += DEFLATE_THREADS) own += one_of(p.kind[o + i]);
    before(own, &all);
    const int k = alive(all), ones = count_of(all, ONE), twos = count_of(all, TWO);
    tally done = 0;
    for (int base = 0; base < m.len; base += DEFLATE_THREADS) {
        const int i = base + tid, kind = i < m.len ? p.kind[o + i] : DEAD;
        tally some;
        const tally at = done + before(one_of(kind), &some);
        done += some;
        if (i >= m.len) continue;
        const int rank = alive(at);
        int slot = k + i - rank;
        if (kind == DEAD) {
            p.value[o + slot] = sorted[i];
        } else {
            slot = count_of(at, kind) + (kind > ONE ? ones : 0) + (kind > TWO ? twos : 0);
            p.pole[o + rank] = sorted[i];
            p.weight[o + rank] = z[i];
            p.slot[o + rank] = slot;
        }
        const int column = p.column[o + i];
        p.source[o + slot] = column;
        if (p.first) {
            p.slot_first[o + slot] = p.first[o + column];
            p.slot_last[o + slot] = p.last[o + column];
        }
    }
    if (tid == 0) p.count[blockIdx.x] = {k, ones, twos, turns, 0, k};
}

/* Where roots and deflated values go: in ascending order together. Of the last merge, which roots are among those wanted. A
 * thread each */
template <class R>
__global__ __launch_bounds__(256) void place(const __grid_constant__ state<R> p, int level, int64_t parts, int64_t first,
                                             int64_t count)
{
    const int64_t which = blockIdx.x / parts;
    const merge m = p.t.of(level, which);
    const int i = (int)(blockIdx.x % parts) * 256 + threadIdx.x;
    if (i >= m.len) return;
    counts &c = p.count[which];
    const R *const value = p.value + m.start;
    const R own = value[i];
    int at = i < c.k ? i : place_of(value, c.k, own, true);
    for (int j = c.k; j < m.len; j++) at += value[j] < own || (i >= c.k && j < i && value[j] == own);
    p.d[m.start + at] = own;
    p.target[m.start + i] = at;
    if (i >= c.k || level < p.t.levels) return;
    if (at < first) atomicMax(&c.from, i + 1);
    if (at >= first + count) atomicMin(&c.to, i);
}

} // namespace dc
} // namespace tsl
#endif
