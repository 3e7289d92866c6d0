/* QR of a panel of at most TSL_CUDA_GEQRT_LIMIT columns, with its reflectors written out and their triangle T, in one launch.
 *
 * A block of columns, in steps, two columns to a step. Its columns are multiplied by powers of two first, found from their
 * largest elements, so that no product leaves the range, but of what vanishes beside them (qr.cuh: reflector_of); R's are
 * divided again in the end. In a step all warps have columns j and j + 1 below the diagonal, x0 and x1, from shared memory, and
 *   each finds its part of x0^H a and x1^H a of its columns a, and sends it; the CTA with rows j and j + 1 sends those;
 *   adding up the CTAs' parts, all in the same order, each has the reflector of column j, and the products of it with its
 *   columns; what reflecting does to column j + 1 and its products follows from the same numbers, and so does its reflector;
 *   each brings its columns up to date; that of the next two puts them into shared memory.
 * Where column j + 1 lies so close to column j that its length would be a difference of larger numbers, it is left to a step of
 * its own. So an exchange, which is what takes time, serves two columns. The products with reflectors before j, which stand in
 * those columns, give T.
 *
 * After a block its reflectors are applied to the columns after it (geqrf_block.cuh). */
#ifndef TSL_CUDA_GEQRF_PANEL_KERNEL_CUH
#define TSL_CUDA_GEQRF_PANEL_KERNEL_CUH

#include "kernel/cuda/geqrf/geqrf_block.cuh"
#include "kernel/cuda/geqrf/geqrf_columns.cuh"
#include "kernel/cuda/geqrf/geqrf_pair.cuh"

namespace tsl {
namespace qr {

/* Column j of the block's T: -tau T1 g, T1 what is before it. A lane has a row. */
template <class T> __device__ void extend(T *t, int j, const T *g, int lane)
{
    T sum = make<T>(0);
#pragma unroll 8
    for (int l = 0; l < j; l++) sum = add_mul(sum, t[l * TRIANGLE_LD + lane], g[l]);
    t[j * TRIANGLE_LD + lane] = lane < j ? sub_mul<false>(make<T>(0), g[STEPS], sum) : lane == j ? g[STEPS] : make<T>(0);
}

/* A step: columns j and, if there are two, j + 1. */
template <class F> struct step_of {
    using T = typename F::T;
    static constexpr int OF_OWN = 2 * EACH, HEARD = OF_OWN + 3, TOPS = EACH + 2, APART = 32 / OF_OWN;
    const panel<T> &p;
    const step_messages<F> messages;
    const int warp, lane, mine, j;
    const bool two;
    const int diagonal, last; /* local rows: of the first column's diagonal, and the last one above x0 and x1 */
    T *const x0, *const x1;

    __device__ step_of(const panel<T> &p_, const store<F> &s, int block, int step, int j_, int width, int warp_, int lane_)
        : p(p_), messages(p, block, step), warp(warp_), lane(lane_), mine(warp * EACH), j(j_), two(j % 2 == 0 && j + 1 < width),
          diagonal(block * STEPS + j - (int)blockIdx.x * F::ROWS), last(diagonal + two), x0(s.x + step % 2 * 2 * F::ROWS), x1(x0 + F::ROWS)
    {
    }

    /* The CTA's part of x0^H a and x1^H a, of the warp's columns a */
    __device__ __forceinline__ void tell_products(const columns<F> &own) const
    {
        T d[OF_OWN];
#pragma unroll
        for (int k = 0; k < OF_OWN; k++) d[k] = make<T>(0);
#pragma unroll
        for (int r = 0; r < F::R; r++) {
            const T v0 = x0[32 * r + lane], v1 = x1[32 * r + lane];
#pragma unroll
            for (int k = 0; k < EACH; k++) {
                d[k] = add_mul<true>(d[k], v0, own.a[r][k]);
                d[EACH + k] = add_mul<true>(d[EACH + k], v1, own.a[r][k]);
            }
        }
        const T part = lane_sums(d, lane);
        if (lane % APART == 0)
            element_message<T>::send(messages.at(mine + lane / APART % EACH, lane / APART / EACH, blockIdx.x), part, messages.epoch);
    }

    /* What all CTAs told: sums of the warp's products, OF_OWN of them, APART lanes each; x0^H x0, x0^H x1 and x1^H x1 in lanes 0,
     * 8 and 16; elements of rows j and j + 1, TOPS of each: the warp's columns, j and j + 1 */
    __device__ __forceinline__ void hear_products(T &sum, T &norm, T &top) const
    {
        T all[HEARD], sums[OF_OWN], norms[4];
        const int next = min(j + 1, STEPS - 1), of_top = lane % TOPS, column = of_top < EACH ? mine + of_top : of_top == EACH ? j : next;
        int from[HEARD];
#pragma unroll
        for (int i = 0; i < HEARD; i++) {
            all[i] = make<T>(0);
            from[i] = i < OF_OWN ? messages.place(mine + i % EACH, i / EACH, 0) : messages.place(i == OF_OWN ? j : next, i == HEARD - 1, 0);
        }
        top = make<T>(0);
        hear(messages, from, lane < 2 * TOPS ? messages.place(column, lane / TOPS, p.ctas) : -1, all, top, lane,
             [](T a, T b) { return add(a, b); });
#pragma unroll
        for (int i = 0; i < 4; i++) norms[i] = i < 3 ? all[OF_OWN + i] : make<T>(0);
#pragma unroll
        for (int i = 0; i < OF_OWN; i++) sums[i] = all[i];
        norm = lane_sums(norms, lane), sum = lane_sums(sums, lane);
    }

    /* The warp's columns := what both reflectors make of them; column j, and j + 1, become the reflectors. */
    __device__ __forceinline__ void update(columns<F> &own, const pair_of<T> &h, const T (&w0)[EACH], const T (&w1)[EACH]) const
    {
        if (mine + EACH <= j) return;
#pragma unroll
        for (int r = 0; r < F::R; r++) {
            const int i = 32 * r + lane;
            const T y0 = x0[i], y1 = x1[i];
            const T v0 = i > last ? h.h0.element(y0) : i == diagonal ? make<T>(1) : i == last ? h.b : make<T>(0);
            const T v1 = i > last ? h.h1.element(sub_mul<false>(y1, h.c, y0)) : make<T>(i == last);
#pragma unroll
            for (int k = 0; k < EACH; k++) {
                T &a = own.a[r][k];
                if (mine + k > j && i >= diagonal) a = sub_mul<false>(a, v0, w0[k]); /* rows above are R's, whatever w is */
                if (mine + k > j + 1 && h.both && i > diagonal) a = sub_mul<false>(a, v1, w1[k]);
                if (mine + k == j && i >= diagonal) a = i == diagonal ? make<T>(h.h0.beta) : v0;
                if (mine + k == j + 1 && h.both && i > diagonal) a = i == last ? make<T>(h.h1.beta) : v1;
            }
        }
    }

    /* Reflects the warp's columns. g0, g1: products of both reflectors with those before them, and tau. Returns how many columns
     * are done. */
    __device__ __forceinline__ int reflect(columns<F> &own, T *g0, T *g1, int c0) const
    {
        T sum, norm, top, w0[EACH], w1[EACH];
        hear_products(sum, norm, top);
        const auto at_top = [&](int row, int i) { return from_lane(top, row * TOPS + i); };
        const pair_of<T> h(two, at_top(0, EACH), at_top(0, EACH + 1), at_top(1, EACH), at_top(1, EACH + 1),
                           re(from_lane(norm, 0)), from_lane(norm, 8), re(from_lane(norm, 16)));
        /* APART lanes have a column of the warp's, and so have as many others */
        const int k_own = lane / APART % EACH;
        const T other = shuffle_xor(sum, 16), e0 = lane < 16 ? sum : other, e1 = lane < 16 ? other : sum;
        const T t0 = at_top(0, k_own), t1 = at_top(1, k_own), w0_own = h.first(t0, t1, e0);
        const T w1_own = h.both ? h.second(t1, e0, e1, w0_own) : make<T>(0);
        if (mine + k_own < j && lane % APART == 0) {
            T *const g = lane < 16 ? g0 : g1;
            g[mine + k_own] = lane < 16 ? h.with_first(t0, t1, e0) : h.with_second(t1, e0, e1);
        }
#pragma unroll
        for (int k = 0; k < EACH; k++) {
            w0[k] = from_lane(w0_own, k * APART);
            w1[k] = from_lane(w1_own, k * APART);
        }
        update(own, h, w0, w1);
        if (warp == j / EACH && lane == 0) {
            g0[STEPS] = h.h0.tau;
            g1[STEPS] = h.h1.tau;
            g1[j] = h.between();
            if (blockIdx.x == 0) p.tau[c0 + j] = h.h0.tau;
            if (blockIdx.x == 0 && h.both) p.tau[c0 + j + 1] = h.h1.tau;
        }
        return 1 + h.both;
    }
};

/* A warp's part of the steps of a block */
template <class F>
__device__ void steps(const panel<typename F::T> &p, const store<F> &s, columns<F> &own, int block, int width, int warp, int lane)
{
    using T = typename F::T;
    constexpr int G = STEPS + 1;
    const int c0 = block * STEPS;
    int before = 0, count = 0; /* columns of the step before */
    const auto extend_by = [&](int step) {
        for (int i = 0; i < count; i++) {
            extend(s.t, before + i, s.g + (step % 2 * 2 + i) * G, lane);
            __syncwarp();
        }
    };
    int step = 1;
    for (int j = 0; j < width; j += count, step++) {
        const step_of<F> now(p, s, block, step, j, width, warp, lane);
        T *const g0 = s.g + step % 2 * 2 * G;
        if (warp == j / EACH) {
            own.show(now.x0, j % EACH, lane, now.last);
            own.show(now.x1, now.two ? j % EACH + 1 : EACH, lane, now.last);
        }
        __syncthreads();
        if (now.diagonal >= 0 && now.diagonal < F::ROWS) own.tell_rows(now.messages, warp, lane, now.diagonal, now.two);
        now.tell_products(own);
        if (warp == step % WARPS) extend_by(step - 1); /* while messages travel */
        before = j;
        count = now.reflect(own, g0, g0 + G, c0);
    }
    __syncthreads(); /* the last columns' g */
    if (warp == 0) {
        extend_by(step - 1);
        for (int l = lane; l < width && blockIdx.x == 0; l++) p.t[c0 + lane + (c0 + l) * p.ldt] = s.t[l * TRIANGLE_LD + lane];
    }
}

template <class F> __global__ __launch_bounds__(THREADS, 1) void factor(const __grid_constant__ panel<typename F::T> p)
{
    extern __shared__ __align__(16) unsigned char raw[];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, blocks = (p.n + STEPS - 1) / STEPS;
    const store<F> s(raw);
    if (blockIdx.x == p.ctas) {
        for (int block = 1; block < blocks; block++) join<F>(p, raw, block, warp, lane);
        return;
    }
    for (int block = 0; block < blocks; block++) {
        const int c0 = block * STEPS, width = min(STEPS, p.n - c0), row0 = blockIdx.x * F::ROWS + lane;
        columns<F> own;
        own.load(p, c0 + warp * EACH, row0);
        own.adapt(step_messages<F>(p, block, 0), warp, lane, row0, c0);
        steps(p, s, own, block, width, warp, lane);
        own.save(p, s.y, warp, lane, c0 + warp * EACH, row0, c0);
        if (blocks == 1) return;
        multiply<F>(p, s, own.a, block, warp, lane);
        apply<F>(p, s, block, warp, lane);
    }
}

} // namespace qr
} // namespace tsl
#endif
