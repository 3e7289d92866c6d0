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
#include "kernel/cuda/geqrf/geqrf_panel_type.h"
#include "kernel/cuda/launch.cuh"

namespace tsl {
namespace qr {

/* The block's columns of this warp, in registers */
template <class F> struct columns {
    using T = typename F::T;
    T a[F::R][EACH];
    real_t<T> factor[EACH];

    __device__ void load(const panel<T> &p, int c0, int row0)
    {
#pragma unroll
        for (int k = 0; k < EACH; k++)
#pragma unroll
            for (int r = 0; r < F::R; r++) {
                const int row = row0 + 32 * r, c = c0 + k;
                a[r][k] = row < p.m && c < p.n ? p.A[row + c * p.lda] : make<T>(0);
            }
    }

    /* Finds the factors, with the other CTAs, and multiplies by them, from row `from` on. */
    __device__ void adapt(const step_messages<F> &messages, int warp, int lane, int row0, int from)
    {
        T all[EACH], none;
        int from_all[EACH];
#pragma unroll
        for (int k = 0; k < EACH; k++) {
            real_t<T> size = 0;
#pragma unroll
            for (int r = 0; r < F::R; r++)
                if (row0 + 32 * r >= from) size = fmax(size, magnitude(a[r][k])); /* NaN does not count */
            for (int bit = 16; bit >= 1; bit /= 2) size = fmax(size, shuffle_xor(size, bit));
            all[k] = make<T>(0);
            from_all[k] = messages.place(warp * EACH + k, 0, 0);
            if (lane == k) element_message<T>::send(messages.at(warp * EACH + k, 0, blockIdx.x), make<T>(size), messages.epoch);
        }
        hear(messages, from_all, -1, all, none, lane, [](T x, T y) { return make<T>(fmax(re(x), re(y))); });
#pragma unroll
        for (int k = 0; k < EACH; k++) {
            real_t<T> size = re(all[k]);
            for (int bit = 16; bit >= 1; bit /= 2) size = fmax(size, shuffle_xor(size, bit));
            factor[k] = factor_of(size);
#pragma unroll
            for (int r = 0; r < F::R; r++)
                if (row0 + 32 * r >= from) a[r][k] = scale(a[r][k], factor[k]);
        }
    }

    /* x := column k below local row `last`, zeros above; all zeros if there is no such column */
    __device__ void show(T *x, int k, int lane, int last) const
    {
#pragma unroll
        for (int r = 0; r < F::R; r++) {
            T v = make<T>(0);
#pragma unroll
            for (int i = 0; i < EACH; i++)
                if (i == k && 32 * r + lane > last) v = a[r][i];
            x[32 * r + lane] = v;
        }
    }

    /* Sends elements of local rows `diagonal` and, of `two`, the next, else zeros: lane 4 i + k that of row i, column k. */
    __device__ void tell_rows(const step_messages<F> &messages, int warp, int lane, int diagonal, bool two) const
    {
        T mine = make<T>(0);
#pragma unroll
        for (int r = 0; r < F::R; r++)
            if (diagonal >= 32 * r && diagonal < 32 * r + 32)
#pragma unroll
                for (int k = 0; k < EACH; k++) {
                    const T in_row = from_lane(a[r][k], (diagonal + lane / EACH) % 32);
                    if (k == lane % EACH) mine = in_row;
                }
        if (lane >= EACH && !two) mine = make<T>(0);
        if (lane < 2 * EACH) element_message<T>::send(messages.at(warp * EACH + lane % EACH, lane / EACH, messages.ctas), mine, messages.epoch);
    }

    /* A := R above the reflectors, Y := the reflectors written out, also in shared memory and here */
    __device__ void save(const panel<T> &p, T *y, int warp, int lane, int c0, int row0, int from)
    {
#pragma unroll
        for (int k = 0; k < EACH; k++) {
            const int c = c0 + k;
            const real_t<T> back = 1 / factor[k];
#pragma unroll
            for (int r = 0; r < F::R; r++) {
                const int row = row0 + 32 * r;
                const T v = row > c ? a[r][k] : make<T>(row == c);
                if (row < p.m && c < p.n) {
                    if (row >= from) p.A[row + c * p.lda] = row > c ? v : scale(a[r][k], back);
                    p.y[row + c * p.ldy] = v;
                }
                a[r][k] = v;
                y[(warp * EACH + k) * F::LD + 32 * r + lane] = v;
            }
        }
    }
};

/* Column j of the block's T: -tau T1 g, T1 what is before it. A lane has a row. */
template <class T> __device__ void extend(T *t, int j, const T *g, int lane)
{
    T sum = make<T>(0);
#pragma unroll 8
    for (int l = 0; l < j; l++) sum = add_mul(sum, t[l * TRIANGLE_LD + lane], g[l]);
    t[j * TRIANGLE_LD + lane] = lane < j ? sub_mul<false>(make<T>(0), g[STEPS], sum) : lane == j ? g[STEPS] : make<T>(0);
}

/* Both reflectors of a step, and what a column a of the panel has to do with them. From its products e0, e1 with x0 and x1, and
 * its elements t0, t1 of rows j and j + 1: a becomes a - v0 w0 - v1 w1. */
template <class T> struct pair_of {
    reflector<T> h0, h1;
    T b, c, a10, n01; /* v0's element of row j + 1; x1 becomes x1 - c x0; of column j, and x0^H x1 */
    real_t<T> n00;
    bool both; /* else only the first */

    /* a(i)(k): element of row j + i in column j + k */
    __device__ pair_of(bool two, T a00, T a01, T a10_, T a11, real_t<T> n00_, T n01_, real_t<T> n11)
        : h0(reflector_of(a00, n00_ + square_of(a10_))), h1(h0), b(mul(a10_, h0.inv)), a10(a10_), n01(n01_), n00(n00_)
    {
        const T w = first(a01, a11, n01);
        c = mul(h0.inv, w);
        /* |c|^2 might vanish where |c|^2 n00 does not */
        const real_t<T> more = re(mul(conj(c), scale(c, n00))), left = n11 - 2 * re(mul(conj(c), n01)) + more;
        const T alpha = sub_mul<false>(a11, b, w);
        both = two && left >= (n11 + more) * real_t<T>(0.125) && left <= LARGEST<real_t<T>> && holds(left + square_of(alpha));
        if (both) h1 = reflector_of(alpha, left);
    }

    /* Is |c|^2 times what vanished in n00 nothing beside this sum of squares? If not, or if that overflows, the second column
     * has a step of its own. */
    __device__ bool holds(real_t<T> sum) const
    {
        using R = real_t<T>;
        return square_of(c) * LEAST_SQUARE<R> <= fmax(sum, LEAST_SQUARE<R>);
    }

    __device__ T first(T t0, T t1, T e0) const
    {
        return h0.none ? make<T>(0) : mul(conj(h0.tau), add_mul<true>(t0, h0.inv, add_mul<true>(e0, a10, t1)));
    }

    __device__ T second(T t1, T e0, T e1, T w0) const
    {
        const T by = mul(h0.inv, w0), back = sub_mul<true>(e1, by, n01), rest = sub_mul<false>(e0, by, make<T>(n00));
        const T e = sub_mul<false>(back, conj(c), rest); /* (x1 - c x0)^H (a - x0 by) */
        return h1.none ? make<T>(0) : mul(conj(h1.tau), add_mul<true>(sub_mul<false>(t1, b, w0), h1.inv, e));
    }

    /* v^H v0 and v^H v1 of a column that is a reflector v before them, and v0^H v1 */
    __device__ T with_first(T t0, T t1, T e0) const { return add_mul(conj(t0), h0.inv, add_mul<true>(conj(e0), t1, a10)); }
    __device__ T with_second(T t1, T e0, T e1) const { return add_mul(conj(t1), h1.inv, conj(sub_mul<false>(e1, conj(c), e0))); }
    __device__ T between() const { return add_mul(conj(b), mul(h1.inv, conj(h0.inv)), sub_mul<false>(n01, c, make<T>(n00))); }
};

/* A warp's part of the steps of a block */
template <class F>
__device__ void steps(const panel<typename F::T> &p, const store<F> &s, columns<F> &own, int block, int width, int warp, int lane)
{
    using T = typename F::T;
    constexpr int R = F::R, G = STEPS + 1, OF_OWN = 2 * EACH, HEARD = OF_OWN + 3, TOPS = EACH + 2;
    const int cta = blockIdx.x, c0 = block * STEPS, mine = warp * EACH;
    int before = 0, count = 0; /* columns of the step before */
    const auto extend_by = [&](int step) {
        for (int i = 0; i < count; i++) {
            extend(s.t, before + i, s.g + (step % 2 * 2 + i) * G, lane);
            __syncwarp();
        }
    };
    int step = 1;
    for (int j = 0; j < width; j += count, step++) {
        const bool two = j % 2 == 0 && j + 1 < width;
        const int diagonal = c0 + j - cta * F::ROWS, last = diagonal + two; /* local rows */
        T *const x0 = s.x + step % 2 * 2 * F::ROWS, *const x1 = x0 + F::ROWS, *const g0 = s.g + step % 2 * 2 * G, *const g1 = g0 + G;
        if (warp == j / EACH) {
            own.show(x0, j % EACH, lane, last);
            own.show(x1, two ? j % EACH + 1 : EACH, lane, last);
        }
        __syncthreads();

        const step_messages<F> messages(p, block, step);
        if (diagonal >= 0 && diagonal < F::ROWS) own.tell_rows(messages, warp, lane, diagonal, two);
        T d[OF_OWN];
#pragma unroll
        for (int k = 0; k < OF_OWN; k++) d[k] = make<T>(0);
#pragma unroll
        for (int r = 0; r < R; r++) {
            const T v0 = x0[32 * r + lane], v1 = x1[32 * r + lane];
#pragma unroll
            for (int k = 0; k < EACH; k++) {
                d[k] = add_mul<true>(d[k], v0, own.a[r][k]);
                d[EACH + k] = add_mul<true>(d[EACH + k], v1, own.a[r][k]);
            }
        }
        constexpr int APART = 32 / OF_OWN;
        const T part = lane_sums(d, lane);
        if (lane % APART == 0) element_message<T>::send(messages.at(mine + lane / APART % EACH, lane / APART / EACH, cta), part, messages.epoch);
        if (warp == step % WARPS) extend_by(step - 1); /* while messages travel */

        T all[HEARD], top = make<T>(0), sums[OF_OWN], norms[4];
        const int next = min(j + 1, STEPS - 1), of_top = lane % TOPS, column = of_top < EACH ? mine + of_top : of_top == EACH ? j : next;
        int from[HEARD];
#pragma unroll
        for (int i = 0; i < HEARD; i++) {
            all[i] = make<T>(0);
            from[i] = i < OF_OWN ? messages.place(mine + i % EACH, i / EACH, 0) : messages.place(i == OF_OWN ? j : next, i == HEARD - 1, 0);
        }
        hear(messages, from, lane < 2 * TOPS ? messages.place(column, lane / TOPS, p.ctas) : -1, all, top, lane,
             [](T a, T b) { return add(a, b); });
#pragma unroll
        for (int i = 0; i < 4; i++) norms[i] = i < 3 ? all[OF_OWN + i] : make<T>(0);
#pragma unroll
        for (int i = 0; i < OF_OWN; i++) sums[i] = all[i];
        const T norm = lane_sums(norms, lane), sum = lane_sums(sums, lane);
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
        T w0[EACH], w1[EACH];
#pragma unroll
        for (int k = 0; k < EACH; k++) {
            w0[k] = from_lane(w0_own, k * APART);
            w1[k] = from_lane(w1_own, k * APART);
        }
        if (mine + EACH > j)
#pragma unroll
            for (int r = 0; r < R; r++) {
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
        if (warp == j / EACH && lane == 0) {
            g0[STEPS] = h.h0.tau;
            g1[STEPS] = h.h1.tau;
            g1[j] = h.between();
            if (cta == 0) p.tau[c0 + j] = h.h0.tau;
            if (cta == 0 && h.both) p.tau[c0 + j + 1] = h.h1.tau;
        }
        before = j;
        count = 1 + h.both;
    }
    __syncthreads(); /* the last columns' g */
    if (warp == 0) {
        extend_by(step - 1);
        for (int l = lane; l < width && cta == 0; l++) p.t[c0 + lane + (c0 + l) * p.ldt] = s.t[l * TRIANGLE_LD + lane];
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

template <class F> cudaError_t fits(int64_t m, bool *yes)
{
    int device = 0, processors = 0, most = 0;
    const int64_t ctas = (m + F::ROWS - 1) / F::ROWS;
    cudaError_t e = cudaGetDevice(&device);
    if (e == cudaSuccess) e = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    if (e == cudaSuccess) e = cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    *yes = ctas < processors && store<F>::BYTES <= (size_t)most && F::can_hear(ctas);
    return e;
}

/* Workspace: the parts of all CTAs, their sums, and products between blocks */
template <class F> struct workspace {
    static size_t parts(int64_t m, int64_t n) { return (size_t)((m + F::ROWS - 1) / F::ROWS) * STEPS * (size_t)n; }
    static size_t bytes(int64_t m, int64_t n)
    {
        return F::can_hear((m + F::ROWS - 1) / F::ROWS) ? (parts(m, n) + (size_t)n * (STEPS + n + STEPS)) * sizeof(typename F::T) : 0;
    }
};

template <class F> tsl_status launch_form(tsl_queue *q, const tsl_leaf *l, bool *done)
{
    using T = typename F::T;
    tsl_status st = tsl_cuda_check(fits<F>(l->m, done), "geqrt_panel");
    if (st != TSL_OK || !*done) return st;
    const int ctas = (int)((l->m + F::ROWS - 1) / F::ROWS), blocks = (int)(l->n + STEPS - 1) / STEPS;
    T *const parts = (T *)l->work, *const sums = parts + workspace<F>::parts(l->m, l->n), *const between = sums + l->n * STEPS;
    panel<T> p = {(T *)l->D.p, l->D.ld, (int)l->m, (int)l->n, ctas, (T *)l->C.p, (T *)l->A.p, (T *)l->B.p,
                  l->A.ld,    l->B.ld, parts,       sums,        between, NULL, 0};
    st = tsl_cuda_messages(tsl_cuda(q), (unsigned)(blocks * EPOCHS), &p.messages, &p.epoch);
    *done = st != TSL_ERR_MEMORY && st != TSL_ERR_DEVICE_MEMORY; /* else without messages */
    if (st != TSL_OK) return *done ? st : TSL_OK;
    const int joiner = blocks > 1;
    cudaError_t e = cudaFuncSetAttribute(factor<F>, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)store<F>::BYTES);
    if (e == cudaSuccess) e = launch(factor<F>, {ctas + joiner, THREADS, store<F>::BYTES, 1, false, true}, tsl_cuda(q)->stream, p);
    return tsl_cuda_check(e, "geqrt_panel");
}

/* Calls f with a form: that of the shape asked for; else, for m rows, CTAs of few rows, up to where there would be too many
 * that hear of each other, on an H200. */
template <class T, class Do> auto with_form(const tsl_leaf *l, Do f)
{
    static_assert(TSL_CUDA_GEQRT_SHAPES == 3, "");
    const int shape = l->shape ? l->shape : l->m <= 4096 ? 1 : l->m <= 8192 ? 2 : 3;
    return shape == 1 ? f(form<T, 2>{}) : shape == 2 ? f(form<T, 4>{}) : f(form<T, 8>{});
}

template <class T> size_t bytes(const tsl_leaf *l)
{
    const size_t one = with_form<T>(l, [=](auto f) { return workspace<decltype(f)>::bytes(l->m, l->n); });
    const size_t highest = workspace<form<T, 8>>::bytes(l->m, l->n);
    return one > highest ? one : highest;
}

/* Where there are too few multiprocessors for that, the highest CTAs, which are fewer */
template <class T> tsl_status launch_typed(tsl_queue *q, const tsl_leaf *l, bool *done)
{
    const tsl_status st = with_form<T>(l, [=](auto f) { return launch_form<decltype(f)>(q, l, done); });
    return st == TSL_OK && !*done ? launch_form<form<T, 8>>(q, l, done) : st;
}

template <class T> const void *some_kernel() { return (const void *)factor<form<T, 2>>; }

template <class T> constexpr tsl_geqrt_panel entry() { return {launch_typed<T>, bytes<T>, some_kernel<T>}; }

} // namespace qr
} // namespace tsl
#endif
