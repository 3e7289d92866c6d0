/* After a block of a panel of QR: its reflectors Y, in rows that all CTAs have, meet the panel's other columns C. Each CTA has
 * its part of Y^H C; the columns' sums are found by the CTAs in turn, and those of columns after the block multiplied by T^H:
 * W. Then all of them make C - Y W of the columns after it. Products with the columns before it, which are reflectors, join its
 * triangle to theirs. */
#ifndef TSL_CUDA_GEQRF_BLOCK_CUH
#define TSL_CUDA_GEQRF_BLOCK_CUH

#include "kernel/cuda/geqrf/geqrf_panel.cuh"
#include "kernel/cuda/mma.cuh"
#include "kernel/cuda/tile.cuh"

namespace tsl {
namespace qr {

/* The other columns: those before the block, then those after it */
template <class T> struct others {
    int before, count;

    __device__ others(const panel<T> &p, int block) : before(block * STEPS)
    {
        const int end = before + STEPS;
        count = before + (p.n > end ? p.n - end : 0);
    }
    __device__ int column(int i) const { return i < before ? i : i + STEPS; }
};

/* Rows that a block's reflectors reach: above them R is done. */
template <class T> __device__ bool is_reached(const panel<T> &p, int block, int row) { return row >= block * STEPS && row < p.m; }

/* Starts to bring a chunk of the other columns, from the i-th on, into shared memory; what is not reached becomes zero. */
template <class F>
__device__ void bring(const panel<typename F::T> &p, int block, typename F::T *to, const others<typename F::T> &o, int from)
{
    using T = typename F::T;
    const int row0 = blockIdx.x * F::ROWS, end = min(F::CHUNK, o.count - from) * F::ROWS;
    for (int e = threadIdx.x; e < end; e += THREADS) {
        const int row = row0 + e % F::ROWS;
        T *const at = to + e % F::ROWS + e / F::ROWS * F::LD;
        if (is_reached(p, block, row))
            __pipeline_memcpy_async(at, p.A + row + o.column(from + e / F::ROWS) * p.lda, sizeof(T));
        else
            *at = make<T>(0);
    }
    __pipeline_commit();
}

/* Y^H of some columns c, by warps that each have EACH columns of Y in registers */
template <class F>
__device__ void products(const typename F::T (&y)[F::R][EACH], const typename F::T *c, typename F::T *parts, int count, int warp, int lane)
{
    using T = typename F::T;
    constexpr int AT_ONCE = 4, SUMS = AT_ONCE * EACH, LANES = 32 / SUMS;
    static_assert(F::CHUNK % AT_ONCE == 0, "");
    for (int i = 0; i < count; i += AT_ONCE) {
        T t[SUMS];
#pragma unroll
        for (int e = 0; e < AT_ONCE; e++) {
#pragma unroll
            for (int k = 0; k < EACH; k++) t[e * EACH + k] = make<T>(0);
#pragma unroll
            for (int r = 0; r < F::R; r++) {
                const T x = c[(i + e) * F::LD + 32 * r + lane];
#pragma unroll
                for (int k = 0; k < EACH; k++) t[e * EACH + k] = add_mul<true>(t[e * EACH + k], y[r][k], x);
            }
        }
        const T sum = lane_sums(t, lane);
        const int which = lane / LANES, at = i + which / EACH;
        if (lane % LANES == 0 && at < count) for_others(parts + at * STEPS + warp * EACH + which % EACH, sum);
    }
}

/* The same on the tensor cores, Y from shared memory: a warp has 16 reflectors and 8 columns at a time. Lanes: see mma.cuh. */
template <class F> __device__ void products(const double *y, const double *c, double *parts, int count, int warp, int lane)
{
    static_assert(F::CHUNK % 8 == 0, "");
    const int g = lane / 4, t = lane % 4;
    for (int unit = warp; unit / 2 * 8 < count; unit += WARPS) {
        const int column = unit / 2 * 8, reflector = unit % 2 * 16;
        const double *const a0 = y + (reflector + g) * F::LD + t, *const b0 = c + (column + g) * F::LD + t;
        double d[2][4] = {};
#pragma unroll 2
        for (int r = 0; r < F::ROWS; r += 16)
#pragma unroll
            for (int h = 0; h < 2; h++) {
                const double *const a = a0 + r + 8 * h, *const b = b0 + r + 8 * h;
                mma8(d[h], {a[0], a[8 * F::LD], a[4], a[8 * F::LD + 4]}, {b[0], b[4]});
            }
#pragma unroll
        for (int i = 0; i < 4; i++) {
            const int at = column + 2 * t + i % 2;
            if (at < count) for_others(parts + at * STEPS + reflector + g + i / 2 * 8, d[0][i] + d[1][i]);
        }
    }
}

/* The CTA's part of Y^H C */
template <class F>
__device__ void multiply(const panel<typename F::T> &p, const store<F> &s, const typename F::T (&y)[F::R][EACH], int block, int warp,
                         int lane)
{
    using T = typename F::T;
    const others<T> o(p, block);
    T *const parts = p.parts + (size_t)blockIdx.x * STEPS * p.n;
    __syncthreads();
    bring<F>(p, block, s.others, o, 0);
    for (int from = 0, turn = 1; from < o.count; from += F::CHUNK, turn ^= 1) {
        if (from + F::CHUNK < o.count)
            bring<F>(p, block, s.others + turn * F::CHUNK * F::LD, o, from + F::CHUNK);
        else
            __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        const T *const c = s.others + (turn ^ 1) * F::CHUNK * F::LD;
        const int count = min(F::CHUNK, o.count - from);
        if constexpr (F::TENSOR)
            products<F>(s.y, c, parts + from * STEPS, count, warp, lane);
        else
            products<F>(y, c, parts + from * STEPS, count, warp, lane);
        __syncthreads();
    }
}

/* Sums of the parts of some columns, a warp for a column, a lane for a reflector; of columns after the block W := T^H of
 * that */
template <class F> __device__ void add_up(const panel<typename F::T> &p, const store<F> &s, int block, int warp, int lane)
{
    using T = typename F::T;
    const others<T> o(p, block);
    for (int i = blockIdx.x + warp * p.ctas; i < o.count; i += p.ctas * WARPS) {
        T sum = make<T>(0);
#pragma unroll 8
        for (int cta = 0; cta < p.ctas; cta++) sum = add(sum, far(p.parts + ((size_t)cta * p.n + i) * STEPS + lane));
        if (i < o.before) {
            for_others(p.between + ((size_t)block * STEPS + lane) * p.n + i, sum);
            continue;
        }
        T w = make<T>(0);
#pragma unroll
        for (int l = 0; l < STEPS; l++) w = add_mul<true>(w, s.t[lane * TRIANGLE_LD + l], from_lane(sum, l));
        for_others(p.sums + (i - o.before) * STEPS + lane, w);
    }
}

/* C := C - Y W of the columns after the block, W in shared memory: a warp has AT_ONCE columns at a time */
template <class F> __device__ void subtract(const panel<typename F::T> &p, const store<F> &s, int block, int warp, int lane)
{
    using T = typename F::T;
    constexpr int AT_ONCE = 4, R = F::R;
    const int row0 = blockIdx.x * F::ROWS, c0 = (block + 1) * STEPS, count = p.n - c0;
    for (int tile = warp; tile * AT_ONCE < count; tile += WARPS) {
        T acc[R][AT_ONCE];
#pragma unroll
        for (int e = 0; e < AT_ONCE; e++)
#pragma unroll
            for (int r = 0; r < R; r++) {
                const int row = row0 + 32 * r + lane, c = tile * AT_ONCE + e;
                acc[r][e] = is_reached(p, block, row) && c < count ? p.A[row + (c0 + c) * p.lda] : make<T>(0);
            }
#pragma unroll 4
        for (int k = 0; k < STEPS; k += VEC<T>) {
            pack<T, VEC<T>> w[AT_ONCE];
#pragma unroll
            for (int e = 0; e < AT_ONCE; e++) w[e] = get<VEC<T>>(s.others + (tile * AT_ONCE + e) * F::SUMS_LD + k);
#pragma unroll
            for (int v = 0; v < VEC<T>; v++)
#pragma unroll
                for (int r = 0; r < R; r++) {
                    const T y = s.y[(k + v) * F::LD + 32 * r + lane];
#pragma unroll
                    for (int e = 0; e < AT_ONCE; e++) acc[r][e] = sub_mul<false>(acc[r][e], y, w[e].x[v]);
                }
        }
#pragma unroll
        for (int e = 0; e < AT_ONCE; e++)
#pragma unroll
            for (int r = 0; r < R; r++) {
                const int row = row0 + 32 * r + lane, c = tile * AT_ONCE + e;
                if (is_reached(p, block, row) && c < count) p.A[row + (c0 + c) * p.lda] = acc[r][e];
            }
    }
}

/* The same on the tensor cores: a warp has 16 rows, whose reflectors stay in registers, and 8 columns at a time. */
template <class F> __device__ void subtract_by_tensor(const panel<double> &p, const store<F> &s, int block, int warp, int lane)
{
    constexpr int TILES = F::ROWS / 16, SHARE = TILES < WARPS ? WARPS / TILES : 1; /* warps to a tile of rows */
    const int g = lane / 4, t = lane % 4, row0 = blockIdx.x * F::ROWS, c0 = (block + 1) * STEPS;
    for (int tile = warp / SHARE; tile < TILES; tile += WARPS / SHARE) {
        const int row = row0 + tile * 16 + g;
        double a[STEPS / 8][4];
#pragma unroll
        for (int k = 0; k < STEPS / 8; k++)
#pragma unroll
            for (int i = 0; i < 4; i++) a[k][i] = -s.y[(8 * k + t + i / 2 * 4) * F::LD + tile * 16 + g + i % 2 * 8];
#pragma unroll 2
        for (int c = c0 + warp % SHARE * 8; c < p.n; c += SHARE * 8) {
            double d[4];
            const double *const w = s.others + (c - c0 + g) * F::SUMS_LD + t;
#pragma unroll
            for (int i = 0; i < 4; i++) {
                const int r = row + i / 2 * 8, column = c + 2 * t + i % 2;
                d[i] = is_reached(p, block, r) && column < p.n ? p.A[r + column * p.lda] : 0;
            }
#pragma unroll
            for (int k = 0; k < STEPS / 8; k++) mma8(d, a[k], {w[8 * k], w[8 * k + 4]});
#pragma unroll
            for (int i = 0; i < 4; i++) {
                const int r = row + i / 2 * 8, column = c + 2 * t + i % 2;
                if (is_reached(p, block, r) && column < p.n) p.A[r + column * p.lda] = d[i];
            }
        }
    }
}

/* All of it, once the parts are there */
template <class F> __device__ void apply(const panel<typename F::T> &p, const store<F> &s, int block, int warp, int lane)
{
    raise<F>(p, block, 0);
    await<F>(p, block, 0);
    add_up<F>(p, s, block, warp, lane);
    raise<F>(p, block, 1);
    if ((block + 1) * STEPS >= p.n) return;
    await<F>(p, block, 1);
    const int c0 = (block + 1) * STEPS;
    for (int e = threadIdx.x; e < (p.n - c0) * STEPS; e += THREADS)
        s.others[e / STEPS * F::SUMS_LD + e % STEPS] = far(p.sums + e);
    __syncthreads();
    if constexpr (F::TENSOR)
        subtract_by_tensor<F>(p, s, block, warp, lane);
    else
        subtract<F>(p, s, block, warp, lane);
    __syncthreads();
}

/* A CTA that has no rows joins the block's triangle T2 to that of the columns before it, T1: T12 = -T1 (Y1^H Y2) T2. A warp has
 * columns of it, four at a time, a lane every 32nd row. */
template <class F> __device__ void join(const panel<typename F::T> &p, unsigned char *raw, int block, int warp, int lane)
{
    using T = typename F::T;
    constexpr int AT_ONCE = 4, MOST = TSL_CUDA_GEQRT_LIMIT / STEPS - 1;
    const int before = block * STEPS, width = min(STEPS, p.n - before);
    T *const g = (T *)raw, *const x = g + STEPS * TSL_CUDA_GEQRT_LIMIT, *const t2 = x + STEPS * TSL_CUDA_GEQRT_LIMIT;
    await<F>(p, block, 0);
    for (int e = threadIdx.x; e < width * width; e += THREADS)
        if (e % width <= e / width) /* below, neither is T written nor this read */
            t2[e] = far(p.t + before + e % width + (before + e / width) * p.ldt);
    await<F>(p, block, 1);
    for (int e = threadIdx.x; e < width * before; e += THREADS)
        g[e] = conj(far(p.between + ((size_t)before + e / before) * p.n + e % before)); /* Y1^H Y2, by columns */
    __syncthreads();
    for (int c = warp * AT_ONCE; c < width; c += AT_ONCE * WARPS) {
        T acc[MOST][AT_ONCE];
#pragma unroll
        for (int q = 0; q < MOST; q++)
#pragma unroll
            for (int e = 0; e < AT_ONCE; e++) acc[q][e] = make<T>(0);
        for (int l = 0; l < min(width, c + AT_ONCE); l++)
#pragma unroll
            for (int q = 0; q < MOST; q++)
                if (q < block)
#pragma unroll
                    for (int e = 0; e < AT_ONCE; e++)
                        if (l <= c + e && c + e < width)
                            acc[q][e] = sub_mul<false>(acc[q][e], g[l * before + 32 * q + lane], t2[l + (c + e) * width]);
#pragma unroll
        for (int q = 0; q < MOST; q++)
#pragma unroll
            for (int e = 0; e < AT_ONCE; e++) {
                if (q < block && c + e < width) x[(c + e) * before + 32 * q + lane] = acc[q][e];
                acc[q][e] = make<T>(0);
            }
        __syncwarp();
#pragma unroll 4
        for (int l = 0; l < before; l++)
#pragma unroll
            for (int q = 0; q < MOST; q++)
                if (q < block && 32 * q + lane <= l) {
                    const T t1 = far(p.t + 32 * q + lane + l * p.ldt);
#pragma unroll
                    for (int e = 0; e < AT_ONCE; e++)
                        if (c + e < width) acc[q][e] = add_mul(acc[q][e], t1, x[(c + e) * before + l]);
                }
#pragma unroll
        for (int q = 0; q < MOST; q++)
#pragma unroll
            for (int e = 0; e < AT_ONCE; e++)
                if (q < block && c + e < width) p.t[32 * q + lane + (before + c + e) * p.ldt] = acc[q][e];
    }
    __threadfence_block();
    __syncthreads();
}

} // namespace qr
} // namespace tsl
#endif
