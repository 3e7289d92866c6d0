/* The secular equation of a merge, f(lambda) = 1/rho + sum z_i^2 / (d_i - lambda) = 0. A lane has a root, or a pole; the CTA's
 * warps share the sums. Each warp then knows all of each sum, so that all warps take the same steps. */
#ifndef TSL_CUDA_DC_SECULAR_CUH
#define TSL_CUDA_DC_SECULAR_CUH

#include "kernel/cuda/eig/tridiagonal/dc.cuh"

namespace tsl {
namespace dc {

constexpr int SHARERS = 8, SECULAR_THREADS = LANES * SHARERS, STEPS = 100;

/* The values of all warps folded in order, for each lane. `turn` counts the calls: two buffers in turn need one barrier a
 * call. */
template <class R, int N> struct shared_sums {
    R part[2][N][SHARERS][LANES];

    template <class F> __device__ void fold(R (&v)[N], int &turn, F f)
    {
        const int lane = threadIdx.x % LANES, warp = threadIdx.x / LANES;
        R(&own)[N][SHARERS][LANES] = part[turn++ & 1];
        for (int i = 0; i < N; i++) own[i][warp][lane] = v[i];
        __syncthreads();
        for (int i = 0; i < N; i++) {
            v[i] = own[i][0][lane];
            for (int w = 1; w < SHARERS; w++) v[i] = f(v[i], own[i][w][lane]);
        }
    }
};

struct adds {
    template <class R> __device__ R operator()(R a, R b) const { return a + b; }
};
struct multiplies {
    template <class R> __device__ R operator()(R a, R b) const { return a * b; }
};

/* A root between two poles, in coordinates from `base`, the nearer one */
template <class R> struct root {
    R base, mu, low, high; /* low < mu < high */
    R before;              /* |f| one step ago */
    bool done, weighted;   /* by the next interpolation the nearer pole keeps its weight */
};

/* The root between x and y of c + a / (x - eta) + b / (y - eta), given as c, the sum p and the product q of c eta^2 - p eta + q
 * = 0 */
template <class R> __device__ R between(R c, R p, R q)
{
    const R r = sqrt(fabs(p * p - 4 * q * c));
    return p <= 0 ? (p - r) / (2 * c) : 2 * q / (p + r);
}

/* A step: f = c + psi + phi and its derivative f' = psi' + phi' are known at mu, which is x and y away from the poles beside
 * the root. psi is the sum over poles to the left, phi over those to the right. f is interpolated by c + a / (x - eta) + b / (y
 * - eta). `nearest` is z^2 of the pole at base, which is the left one or the right one. */
template <class R> __device__ void step_root(root<R> &r, const R (&sum)[4], R inv_rho, R x, R y, R nearest, bool left, bool last, int step)
{
    const R psi = sum[0], phi = sum[1], dpsi = sum[2], dphi = sum[3];
    const R f = inv_rho + psi + phi, slope = dpsi + dphi;
    if (f < 0) r.low = r.mu;
    else r.high = r.mu;
    if (fabs(f) <= EPS<R> * (8 * (phi - psi) + 2 * inv_rho + fabs(r.mu) * slope)) {
        r.done = true;
        return;
    }
    R eta;
    if (last) {
        eta = x * f / (f - x * dpsi);
    } else {
        if (step > 0 && fabs(f) > R(0.1) * r.before) r.weighted = !r.weighted;
        R c;
        if (!r.weighted) c = f - x * dpsi - y * dphi;
        else if (left) c = f - y * slope - (x - y) * nearest / (x * x);
        else c = f - x * slope - (y - x) * nearest / (y * y);
        eta = between(c, (x + y) * f - x * y * slope, x * y * f);
    }
    r.before = fabs(f);
    R next = r.mu + eta;
    if (!(next > r.low && next < r.high) || step % 8 == 7) {
        next = (r.low + r.high) / 2;
        const R near = smallest(fabs(r.low), fabs(r.high)), far = largest(fabs(r.low), fabs(r.high));
        if (near > 0 && far > 16 * near) next = copysign(sqrt(near) * sqrt(far), r.mu);
    }
    r.done = !(next > r.low && next < r.high) || fabs(next - r.mu) <= EPS<R> * fabs(next);
    if (next > r.low && next < r.high) r.mu = next;
}

/* Terms from .. to of psi and psi' (sum[0], sum[2]), or of phi and phi' (sum[1], sum[3]); MIXED: of psi those up to the j-th
 * pole */
enum { LEFT, RIGHT, MIXED };

template <int SIDE, class R> __device__ void add_terms(R (&sum)[4], const R *d, const R *z, int from, int to, R base, R mu, int j)
{
#pragma unroll 4
    for (int i = from; i < to; i++) {
        const R zi = z[i], t = zi * reciprocal((d[i] - base) - mu);
        if (SIDE == LEFT || (SIDE == MIXED && i <= j)) {
            sum[0] = fma(zi, t, sum[0]);
            sum[2] = fma(t, t, sum[2]);
        } else {
            sum[1] = fma(zi, t, sum[1]);
            sum[3] = fma(t, t, sum[3]);
        }
    }
}

template <class R> __global__ __launch_bounds__(SECULAR_THREADS) void secular(const __grid_constant__ state<R> p, int level, int64_t parts)
{
    __shared__ shared_sums<R, 4> shared;
    const int lane = threadIdx.x % LANES, warp = threadIdx.x / LANES;
    const int64_t which = blockIdx.x / parts;
    const merge m = p.t.of(level, which);
    const int k = p.count[which].k, first = (int)(blockIdx.x % parts) * LANES;
    if (first >= k) return;
    const R rho = 2 * fabs(p.e[m.mid - 1]), inv_rho = 1 / rho;
    const R *const d = p.pole + m.start, *const z = p.weight + m.start;
    const int j = smallest(first + lane, k - 1);
    const bool last = j == k - 1;
    const int from = (int)((int64_t)k * warp / SHARERS), to = (int)((int64_t)k * (warp + 1) / SHARERS);
    const int mixed = largest(from, smallest(to, first)), right = largest(from, smallest(to, first + LANES)); /* of every lane's j */
    const R dj = d[j], gap = last ? rho : d[j + 1] - dj, half = gap / 2;
    const R own = z[j] * z[j], other = last ? R(0) : z[j + 1] * z[j + 1];
    int turn = 0;

    /* f in the middle says which pole is nearer, and what those further away come to */
    R sum[4] = {};
#pragma unroll 4
    for (int i = from; i < to; i++) {
        const R zi = i != j && i != j + 1 ? z[i] : R(0);
        sum[0] = fma(zi * zi, reciprocal((d[i] - dj) - half), sum[0]);
    }
    shared.fold(sum, turn, adds());
    const R far = inv_rho + sum[0];
    const R middle = far - own / half + other / half; /* the last root has no pole after it */
    root<R> r = {};
    r.weighted = true;
    if (last) {
        r = {dj, own / far, middle <= 0 ? half : R(0), middle <= 0 ? gap * R(1.0625) : half, 0, false, true};
    } else if (middle >= 0) {
        r = {dj, between(far, far * gap + own + other, own * gap), 0, half, 0, false, true};
    } else {
        r = {d[j + 1], between(far, own + other - far * gap, -other * gap), -half, 0, 0, false, true};
    }
    if (!(r.mu > r.low && r.mu < r.high)) r.mu = (r.low + r.high) / 2;

    for (int step = 0; step < STEPS && __any_sync(0xffffffffu, !r.done); step++) {
        for (int i = 0; i < 4; i++) sum[i] = 0;
        add_terms<LEFT>(sum, d, z, from, mixed, r.base, r.mu, j);
        add_terms<MIXED>(sum, d, z, mixed, right, r.base, r.mu, j);
        add_terms<RIGHT>(sum, d, z, right, to, r.base, r.mu, j);
        shared.fold(sum, turn, adds());
        const R x = (dj - r.base) - r.mu, y = last ? R(1) : (d[j + 1] - r.base) - r.mu;
        if (!r.done) step_root(r, sum, inv_rho, x, y, r.base == dj ? own : other, r.base == dj, last, step);
    }
    if (warp > 0 || first + lane >= k) return;
    if (!r.done) p.sum[m.matrix].failed = 1;
    p.base[m.start + j] = r.base;
    p.mu[m.start + j] = r.mu;
    p.value[m.start + j] = r.base + r.mu;
}

/* z_i^2 = product of (lambda_j - d_i) over that of (d_j - d_i), but for a factor that all have in common */
template <class R> __global__ __launch_bounds__(SECULAR_THREADS) void weights(const __grid_constant__ state<R> p, int level, int64_t parts)
{
    __shared__ shared_sums<R, 1> shared;
    const int lane = threadIdx.x % LANES, warp = threadIdx.x / LANES;
    const int64_t which = blockIdx.x / parts;
    const merge m = p.t.of(level, which);
    const int k = p.count[which].k, first = (int)(blockIdx.x % parts) * LANES;
    if (first >= k) return;
    const R *const d = p.pole + m.start, *const base = p.base + m.start, *const mu = p.mu + m.start;
    const int i = smallest(first + lane, k - 1);
    const int from = (int)((int64_t)k * warp / SHARERS), to = (int)((int64_t)k * (warp + 1) / SHARERS);
    const R own = d[i];
    R product[1] = {1};
#pragma unroll 4
    for (int j = from; j < to; j++) {
        const R above = (base[j] - own) + mu[j], below = j == i ? R(1) : d[j] - own;
        product[0] *= above * reciprocal(below);
    }
    int turn = 0;
    shared.fold(product, turn, multiplies());
    if (warp > 0 || first + lane >= k) return;
    const int slot = p.slot[m.start + i];
    p.slot_pole[m.start + slot] = own;
    p.slot_weight[m.start + slot] = copysign(sqrt(fabs(product[0])), p.weight[m.start + i]);
}

/* The first and the last row of the merge's Q: those of the halves times the vectors, which are normalized here */
template <class R> __global__ __launch_bounds__(SECULAR_THREADS) void rows(const __grid_constant__ state<R> p, int level, int64_t parts)
{
    __shared__ shared_sums<R, 3> shared;
    const int lane = threadIdx.x % LANES, warp = threadIdx.x / LANES;
    const int64_t which = blockIdx.x / parts, o = p.t.of(level, which).start;
    const int len = p.t.of(level, which).len, k = p.count[which].k, first = (int)(blockIdx.x % parts) * LANES;
    if (first >= len) return;
    const int j = smallest(first + lane, len - 1);
    R sum[3] = {};
    if (first < k) {
        const R *const d = p.slot_pole + o, *const z = p.slot_weight + o, *const f = p.slot_first + o, *const l = p.slot_last + o;
        const R base = p.base[o + smallest(j, k - 1)], mu = p.mu[o + smallest(j, k - 1)];
        const int from = (int)((int64_t)k * warp / SHARERS), to = (int)((int64_t)k * (warp + 1) / SHARERS);
#pragma unroll 4
        for (int i = from; i < to; i++) {
            const R t = z[i] * reciprocal((d[i] - base) - mu);
            sum[0] = fma(t, t, sum[0]);
            sum[1] = fma(f[i], t, sum[1]);
            sum[2] = fma(l[i], t, sum[2]);
        }
        int turn = 0;
        shared.fold(sum, turn, adds());
    }
    if (warp > 0 || first + lane >= len) return;
    const R norm = 1 / sqrt(sum[0]);
    const int64_t to = o + p.target[o + j];
    p.first[to] = j < k ? sum[1] * norm : p.slot_first[o + j];
    p.last[to] = j < k ? sum[2] * norm : p.slot_last[o + j];
}

} // namespace dc
} // namespace tsl
#endif
