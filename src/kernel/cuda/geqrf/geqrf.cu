/* QR of a panel of at most 32 columns and any number of rows, with its reflectors written out and their triangle T, in a launch
 * per column.
 *
 * In one launch no CTA may read rows that another writes. What step j needs of other CTAs' rows was therefore put aside by the
 * launch before it: of each CTA its part of the products d(c) of column j, below the diagonal, with every column c, and row j.
 * From these every CTA has, adding them up in the same order, the norm of column j, and so the reflector, and its products w(c)
 * with the columns after it; those with the reflectors before it give column j of T. In step j every CTA
 *   updates its rows, A(i,c) - v(i) w(c), and writes v into column j, and out;
 *   puts aside its part for column j + 1. There are two sets of what is put aside: one is read, the other written.
 * CTAs have strips of 32 rows in turn, a lane a row; warp w has columns w, w + 8, .. So that no product leaves the range,
 * columns not yet reflected are multiplied in d by powers of two, found by a launch before all others from their largest
 * elements: reflections keep norms. */
#include "kernel/cuda/geqrf/qr.cuh"
#include "kernel/cuda/launch.cuh"
#include "kernel/cuda/leaf.h"

namespace tsl {
namespace {

constexpr int COLS = TSL_CUDA_GEQRT_STEPS, WARPS = 8, THREADS = 32 * WARPS, OWN = COLS / WARPS, MAX_CTAS = 128;
static_assert(COLS == 32, "a lane per column, and the rows of the upper triangle in the first strip");

template <class T> struct panel {
    T *A;
    int64_t lda, m;
    int n, ctas;
    T *tau, *t, *y;
    int64_t ldt, ldy;
    unsigned char *work;
};

/* What is put aside: once the columns' factors and largest elements, and for step j the CTAs' parts of the products, COLS each,
 * and row j */
template <class T> struct aside {
    T *dots, *top;
    real_t<T> *factor, *most;

    static __host__ __device__ size_t set(int ctas) { return (size_t)(ctas + 1) * COLS * sizeof(T); }
    static __host__ __device__ size_t bytes(int ctas) { return 2 * set(ctas) + (size_t)(ctas + 1) * COLS * sizeof(real_t<T>); }

    __device__ aside(const panel<T> &p, int j)
    {
        dots = (T *)(p.work + (j & 1) * set(p.ctas));
        top = dots + (size_t)p.ctas * COLS;
        factor = (real_t<T> *)(p.work + 2 * set(p.ctas));
        most = factor + COLS;
    }
};

int ctas_of(int64_t m)
{
    const int64_t strips = (m + 31) / 32;
    return (int)(strips < MAX_CTAS ? strips : MAX_CTAS);
}

/* Sums over the CTAs, a column c for each lane of warp 0; the order is the same in every CTA. */
template <class T> __device__ T add_parts(const T *parts, int ctas, T (*sums)[COLS])
{
    const int c = threadIdx.x % 32, group = threadIdx.x / 32;
    T sum = make<T>(0);
    for (int i = group; i < ctas; i += WARPS) sum = add(sum, parts[i * COLS + c]);
    sums[group][c] = sum;
    __syncthreads();
    if (group == 0)
        for (int g = 1; g < WARPS; g++) sum = add(sum, sums[g][c]);
    return sum;
}

/* The largest element of each column of the CTA's rows; NaN does not count. */
template <class T> __global__ __launch_bounds__(THREADS) void measure(panel<T> p)
{
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, cta = blockIdx.x;
    const aside<T> out(p, 0);
    real_t<T> most[OWN] = {};
    for (int64_t i = (int64_t)cta * 32 + lane; i < p.m; i += (int64_t)p.ctas * 32)
#pragma unroll
        for (int k = 0; k < OWN; k++) {
            const int c = warp + k * WARPS;
            if (c < p.n) most[k] = fmax(most[k], magnitude(p.A[i + c * p.lda]));
        }
#pragma unroll
    for (int k = 0; k < OWN; k++) {
        for (int bit = 16; bit >= 1; bit /= 2) most[k] = fmax(most[k], shuffle_xor(most[k], bit));
        if (lane == 0) out.most[cta * COLS + warp + k * WARPS] = most[k];
    }
}

/* Column j of T: -tau(j) T1 (Y^H v), T1 what is before it; g is Y^H v. A lane a row. */
template <class T> __device__ void extend(const panel<T> &p, int j, T tau, const T *g, int lane)
{
    T sum = make<T>(0);
    for (int l = 0; l < j; l++)
        if (l >= lane) sum = add_mul(sum, p.t[lane + l * p.ldt], g[l]);
    if (lane < j) p.t[lane + j * p.ldt] = sub_mul<false>(make<T>(0), tau, sum);
    if (lane == j) {
        p.t[j + j * p.ldt] = tau;
        p.tau[j] = tau;
    }
}

/* Step j; before the first, j = -1, there are only products to find. */
template <class T> __global__ __launch_bounds__(THREADS) void step(panel<T> p, int j)
{
    using R = real_t<T>;
    __shared__ T sums[WARPS][COLS], d[COLS], w[COLS], top[COLS];
    __shared__ R factor[COLS];
    const int tid = threadIdx.x, warp = tid / 32, lane = tid % 32, cta = blockIdx.x, next = j + 1;
    const bool reflects = j >= 0, goes_on = next < p.n;
    wait_for_previous_grid();
    let_next_grid_start();

    if (reflects) {
        const aside<T> in(p, j);
        const T sum = add_parts(in.dots, p.ctas, sums);
        if (warp == 0) {
            d[lane] = sum;
            top[lane] = lane < p.n ? in.top[lane] : make<T>(0);
            factor[lane] = in.factor[lane];
        }
    } else if (warp == 0) {
        const aside<T> in(p, 0);
        R most = 0;
        for (int i = 0; i < p.ctas; i++) most = fmax(most, in.most[i * COLS + lane]);
        factor[lane] = factor_of(most);
        if (cta == 0) in.factor[lane] = factor[lane];
    }
    __syncthreads();
    const R by = reflects ? factor[j] : R(1);
    const reflector<T> h = reflector_of(reflects ? scale(top[j], by) : make<T>(0), reflects ? re(d[j]) : R(0));
    if (reflects && warp == 0) w[lane] = mul(conj(h.tau), add(top[lane], scale(mul(conj(h.inv), d[lane]), 1 / factor[lane])));
    if (reflects && warp == 1 && cta == 0) sums[0][lane] = add_mul(conj(top[lane]), h.inv, conj(d[lane])); /* Y^H v */
    __syncthreads();
    if (reflects && warp == 1 && cta == 0) extend(p, j, h.tau, sums[0], lane);

    T acc[OWN];
#pragma unroll
    for (int k = 0; k < OWN; k++) acc[k] = make<T>(0);
    const aside<T> out(p, next);
    for (int64_t i0 = (int64_t)cta * 32; i0 < p.m; i0 += (int64_t)p.ctas * 32) {
        const int64_t i = i0 + lane;
        const bool live = i < p.m, below = live && i >= j;
        T x[OWN], v = make<T>(0), y = make<T>(0);
        if (below && reflects) v = i == j ? make<T>(1) : h.element(scale(p.A[i + j * p.lda], by));
        if (live && goes_on) y = p.A[i + next * p.lda];
#pragma unroll
        for (int k = 0; k < OWN; k++) {
            const int c = warp + k * WARPS;
            x[k] = live && c < p.n ? p.A[i + c * p.lda] : make<T>(0);
        }
        __syncthreads(); /* columns j and next are read by every warp, and written by one */
        if (below && reflects && goes_on) y = sub_mul<false>(y, v, w[next]);
        if (goes_on) y = scale(y, factor[next]);
#pragma unroll
        for (int k = 0; k < OWN; k++) {
            const int c = warp + k * WARPS;
            if (!live || c >= p.n) continue;
            if (below && reflects && c > j) x[k] = sub_mul<false>(x[k], v, w[c]);
            if (below && c == j) x[k] = i == j ? make<T>(h.beta / by) : v;
            if (below && reflects && c >= j) p.A[i + c * p.lda] = x[k];
            if (c == j) p.y[i + c * p.ldy] = v;
            if (!goes_on) continue;
            if (i == next) out.top[c] = x[k];
            if (i > next) acc[k] = add_mul<true>(acc[k], y, c == next ? y : c > next ? scale(x[k], factor[c]) : x[k]);
        }
    }
    if (!goes_on) return;
#pragma unroll
    for (int k = 0; k < OWN; k++) {
        for (int bit = 16; bit >= 1; bit /= 2) acc[k] = add(acc[k], shuffle_xor(acc[k], bit));
        if (lane == 0) out.dots[cta * COLS + warp + k * WARPS] = acc[k];
    }
}

template <class T> cudaError_t run(const panel<T> &p, cudaStream_t stream)
{
    bool early = false;
    cudaError_t e = launch(measure<T>, {p.ctas, THREADS, 0, 1, false, false}, stream, p);
    if (e == cudaSuccess) e = has_sm90(&early);
    for (int j = -1; j < p.n && e == cudaSuccess; j++) e = launch(step<T>, {p.ctas, THREADS, 0, 1, early, false}, stream, p, j);
    return e;
}

template <class T> tsl_status launch_steps(tsl_queue *q, const tsl_leaf *l)
{
    const panel<T> p = {(T *)l->D.p, l->D.ld, l->m, (int)l->n, ctas_of(l->m), (T *)l->C.p, (T *)l->A.p, (T *)l->B.p,
                        l->A.ld,    l->B.ld, (unsigned char *)l->work};
    return tsl_cuda_check(run(p, tsl_cuda(q)->stream), "geqrt");
}

template <class T> size_t workspace(const tsl_leaf *l) { return aside<T>::bytes(ctas_of(l->m)); }

} // namespace
} // namespace tsl

extern "C" const void *tsl_cuda_kernel_of_geqrt(void) { return (const void *)tsl::step<float>; }

extern "C" size_t tsl_cuda_geqrt_steps_workspace(const tsl_leaf *l)
{
    size_t bytes = 0;
    tsl::by_type(l->type, [&](auto zero) { return bytes = tsl::workspace<decltype(zero)>(l), TSL_OK; });
    return bytes;
}

extern "C" tsl_status tsl_cuda_geqrt_steps(tsl_queue *q, const tsl_leaf *l)
{
    return tsl::by_type(l->type, [=](auto zero) { return tsl::launch_steps<decltype(zero)>(q, l); });
}
