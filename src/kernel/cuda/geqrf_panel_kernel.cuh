/* QR of a panel of at most TSL_CUDA_GEQRT_LIMIT columns, with its reflectors written out and their triangle T, in one launch.
 *
 * A block of columns, in steps. Its columns are multiplied by powers of two first, found from their largest elements, so that no product
 * leaves the range; R's are divided again in the end. In step j all warps have column j below the diagonal, x, from shared memory, and
 *   each finds its part of x^H a of its columns a, and sends it; the CTA with row j sends that;
 *   adding up the CTAs' parts, all in the same order, each has the reflector of column j, and the products of it with its columns;
 *   each brings its columns up to date; that of column j + 1 puts it into shared memory.
 * The products with reflectors before j, which stand in those columns, give column j of T, by a warp of its own.
 *
 * After a block its reflectors are applied to the columns after it (geqrf_block.cuh). */
#ifndef TSL_CUDA_GEQRF_PANEL_KERNEL_CUH
#define TSL_CUDA_GEQRF_PANEL_KERNEL_CUH

#include "kernel/cuda/geqrf_block.cuh"
#include "kernel/cuda/geqrf_panel_type.h"
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
    __device__ void adapt(const post<F> &mail, int warp, int lane, int row0, int from)
    {
        T most[EACH], all[EACH], none;
        int column[EACH];
#pragma unroll
        for (int k = 0; k < EACH; k++) {
            real_t<T> size = 0;
#pragma unroll
            for (int r = 0; r < F::R; r++)
                if (row0 + 32 * r >= from) size = fmax(size, magnitude(a[r][k])); /* NaN does not count */
            for (int bit = 16; bit >= 1; bit /= 2) size = fmax(size, shuffle_xor(size, bit));
            most[k] = make<T>(size);
            all[k] = make<T>(0);
            column[k] = warp * EACH + k;
            if (lane == k) tell(mail.at(column[k], blockIdx.x), most[k], mail.epoch);
        }
        hear<F, EACH, false>(mail, column, 0, all, none, lane, [](T x, T y) { return make<T>(fmax(re(x), re(y))); });
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

    /* x := column k below local row `diagonal`, zeros above */
    __device__ void show(T *x, int k, int lane, int diagonal) const
    {
#pragma unroll
        for (int i = 0; i < EACH; i++)
            if (i == k)
#pragma unroll
                for (int r = 0; r < F::R; r++) x[32 * r + lane] = 32 * r + lane > diagonal ? a[r][i] : make<T>(0);
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
                y[(warp * EACH + k) * F::ROWS + 32 * r + lane] = v;
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

/* A warp's part of the steps of a block */
template <class F> __device__ void steps(const panel<typename F::T> &p, const store<F> &s, columns<F> &own, int block, int width, int warp, int lane)
{
    using T = typename F::T;
    constexpr int R = F::R;
    const int cta = blockIdx.x, c0 = block * STEPS, first = warp * EACH;
    for (int j = 0; j < width; j++) {
        const int diagonal = c0 + j - cta * F::ROWS; /* local row */
        T *const column_j = s.x + j % 2 * F::ROWS, *const g = s.g + j % 2 * (STEPS + 1);
        if (warp == j / EACH) own.show(column_j, j % EACH, lane, diagonal);
        __syncthreads();

        const post<F> mail(p, block, j + 1);
        T x[R], d[EACH];
#pragma unroll
        for (int r = 0; r < R; r++) x[r] = column_j[32 * r + lane];
        if (diagonal >= 0 && diagonal < F::ROWS)
#pragma unroll
            for (int r = 0; r < R; r++)
                if (32 * r + lane == diagonal)
#pragma unroll
                    for (int k = 0; k < EACH; k++) tell(mail.at(first + k, p.ctas), own.a[r][k], mail.epoch);
#pragma unroll
        for (int k = 0; k < EACH; k++) {
            d[k] = make<T>(0);
#pragma unroll
            for (int r = 0; r < R; r++) d[k] = add_mul<true>(d[k], x[r], own.a[r][k]);
        }
        const T part = lane_sums<EACH>(d, lane);
        if (lane % (32 / EACH) == 0) tell(mail.at(first + lane / (32 / EACH), cta), part, mail.epoch);

        if (j > 0 && warp == j % WARPS) extend(s.t, j - 1, s.g + (j - 1) % 2 * (STEPS + 1), lane); /* while messages travel */

        T all[EACH + 1], top, products[EACH];
        int column[EACH + 1];
#pragma unroll
        for (int k = 0; k <= EACH; k++) {
            all[k] = make<T>(0);
            column[k] = k < EACH ? first + k : j;
        }
        hear<F, EACH + 1, true>(mail, column, lane < EACH ? first + lane : j, all, top, lane, [](T a, T b) { return add(a, b); });
        real_t<T> squares = re(all[EACH]);
#pragma unroll
        for (int bit = 16; bit >= 1; bit /= 2) squares += shuffle_xor(squares, bit);
#pragma unroll
        for (int k = 0; k < EACH; k++) products[k] = all[k];
        const T sum = lane_sums<EACH>(products, lane);
        const reflector<T> h(from_lane(top, EACH), squares);

        T w[EACH];
#pragma unroll
        for (int k = 0; k < EACH; k++) {
            const T product = from_lane(sum, k * (32 / EACH)), at_top = from_lane(top, k);
            w[k] = h.none ? make<T>(0) : mul(conj(h.tau), add_mul<true>(at_top, h.inv, product));
            if (first + k < j && lane == 0) g[first + k] = add_mul(conj(at_top), h.inv, conj(product));
        }
        if (first + EACH > j)
#pragma unroll
            for (int r = 0; r < R; r++) {
                const int i = 32 * r + lane;
                const T v = i > diagonal ? h.element(x[r]) : make<T>(i == diagonal);
#pragma unroll
                for (int k = 0; k < EACH; k++) {
                    if (first + k == j && i >= diagonal) own.a[r][k] = i == diagonal ? make<T>(h.beta) : v;
                    if (first + k > j) own.a[r][k] = sub_mul<false>(own.a[r][k], v, w[k]);
                }
            }
        if (warp == j / EACH && lane == 0) {
            g[STEPS] = h.tau;
            if (cta == 0) p.tau[c0 + j] = h.tau;
        }
    }
    __syncthreads(); /* the last column's g */
    if (warp == 0) {
        extend(s.t, width - 1, s.g + (width - 1) % 2 * (STEPS + 1), lane);
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
        own.adapt(post<F>(p, block, 0), warp, lane, row0, c0);
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
    panel<T> p = {(T *)l->A, l->lda, (int)l->m, (int)l->n, ctas, (T *)l->tau, (T *)l->B, (T *)l->C, l->ldb, l->ldc, parts, sums, between, NULL, 0};
    st = tsl_cuda_mail(tsl_cuda(q), (unsigned)(blocks * EPOCHS), &p.mail, &p.epoch);
    *done = st != TSL_ERR_MEMORY && st != TSL_ERR_DEVICE_MEMORY; /* else without messages */
    if (st != TSL_OK) return *done ? st : TSL_OK;
    const int joiner = blocks > 1;
    cudaError_t e = cudaFuncSetAttribute(factor<F>, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)store<F>::BYTES);
    if (e == cudaSuccess) e = launch(factor<F>, {ctas + joiner, THREADS, store<F>::BYTES, 1, false, true}, tsl_cuda(q)->stream, p);
    return tsl_cuda_check(e, "geqrt_panel");
}

/* Calls f with a form for m rows. CTAs are few, because each hears of all others, but as they are bound to, not higher. */
template <class T, class Do> auto with_form(int64_t m, Do f)
{
    if (m <= 2048) return f(form<T, 2>{});
    if (m <= 4096) return f(form<T, 4>{});
    if constexpr (sizeof(T) < 16)
        if (m > 8192) return f(form<T, 16>{});
    return f(form<T, 8>{});
}

template <class T> size_t bytes(const tsl_leaf *l)
{
    return with_form<T>(l->m, [=](auto f) { return workspace<decltype(f)>::bytes(l->m, l->n); });
}

template <class T> tsl_status launch_typed(tsl_queue *q, const tsl_leaf *l, bool *done)
{
    return with_form<T>(l->m, [=](auto f) { return launch_form<decltype(f)>(q, l, done); });
}

template <class T> const void *some_kernel() { return (const void *)factor<form<T, 2>>; }

template <class T> constexpr tsl_geqrt_panel entry() { return {launch_typed<T>, bytes<T>, some_kernel<T>}; }

} // namespace qr
} // namespace tsl
#endif
