/* y := alpha A^T x + beta y and y := alpha A^H x + beta y. A CTA has a tile of columns and a chunk of rows, whose part of x it
 * keeps in shared memory; its warps take jobs of columns, and a warp's lanes lie along the columns. */
#include "kernel/cuda/level2/gemv.cuh"

namespace tsl {
namespace {

/* Sums acc[c] over the G lanes that differ in their low bits, for all c in 0..NC-1. While more than one sum is left, the lanes
 * of a pair each take half of them, so that NC sums over G lanes cost about NC + log2 G exchanges. On return the lane whose low
 * bits are l holds in acc[r] the sum of index l NC/G + r, r < max(1, NC/G), rounded down. */
template <int NC, int G, class T> __device__ void sum_lanes(T (&acc)[NC], int lane)
{
    if constexpr (G > 1) {
        constexpr int H = G / 2;
        if constexpr (NC > 1) {
            const bool upper = lane & H;
            T half[NC / 2];
#pragma unroll
            for (int c = 0; c < NC / 2; ++c) {
                const T keep = upper ? acc[c + NC / 2] : acc[c], give = upper ? acc[c] : acc[c + NC / 2];
                half[c] = add(keep, shuffle_xor(give, H));
            }
            sum_lanes<NC / 2, H>(half, lane);
#pragma unroll
            for (int c = 0; c < NC / 2; ++c)
                acc[c] = half[c];
        } else {
            acc[0] = add(acc[0], shuffle_xor(acc[0], H));
            sum_lanes<1, H>(acc, lane);
        }
    }
}

/* A thread's fragment k of step s covers the rows s SPAN + k STRIDE + start + (0..V-1) of the chunk. */
template <class T, int V, int G, int WK, int NC, int UR> struct gemv_t_job {
    static constexpr int E = 16 / sizeof(T);
    static constexpr int K = UR * E / V;
    static constexpr int STRIDE = G * WK * V;
    static constexpr int SPAN = STRIDE * K;
    static constexpr int GROUPS = 32 / G;
    static constexpr int COLUMNS = NC * GROUPS; /* of one warp's job; column c of group w is c GROUPS + w */

    T acc[NC];
    frag<T, V> a[K][NC];
    const T *p[NC];

    __device__ void fetch(int k)
    {
#pragma unroll
        for (int c = 0; c < NC; ++c)
            a[k][c] = load<T, V>(p[c] + k * STRIDE);
    }
    __device__ void fetch_part(int k, int rows)
    {
#pragma unroll
        for (int c = 0; c < NC; ++c)
            a[k][c] = load_if<T, V>(k * STRIDE < rows, p[c] + k * STRIDE);
    }
    __device__ void use(int k, const T *xs)
    {
        const frag<T, V> x = *reinterpret_cast<const frag<T, V> *>(xs + k * STRIDE);
#pragma unroll
        for (int c = 0; c < NC; ++c)
#pragma unroll
            for (int v = 0; v < V; ++v)
                acc[c] = add_mul(acc[c], a[k][c].v[v], x.v[v]);
    }
    __device__ void advance()
    {
#pragma unroll
        for (int c = 0; c < NC; ++c)
            p[c] += SPAN;
    }

    /* Points at the job's columns and asks for the first step. A column past the tile's last is replaced by the last one; its
     * sum is dropped. rows: what the chunk has from the thread's first row on, up to a multiple of V. */
    __device__ void begin(const T *A, int64_t lda, int column, int columns, int rows, bool whole)
    {
#pragma unroll
        for (int c = 0; c < NC; ++c) {
            acc[c] = make<T>(0);
            p[c] = A + min(column + c * GROUPS, columns - 1) * lda;
        }
#pragma unroll
        for (int k = 0; k < K; ++k)
            whole ? fetch(k) : fetch_part(k, rows);
        advance();
    }

    /* All the steps: each fragment is reloaded for the next step as soon as it has been used. even: rows of the chunk up to a
     * multiple of V. */
    __device__ void run(const T *xs, int even, int rows)
    {
        const int whole = even / SPAN;
#pragma unroll 1
        for (int s = 1; s < whole; ++s, xs += SPAN) {
#pragma unroll
            for (int k = 0; k < K; ++k) {
                use(k, xs);
                fetch(k);
            }
            advance();
        }
        if (whole > 0 && even > whole * SPAN) {
#pragma unroll
            for (int k = 0; k < K; ++k) {
                use(k, xs);
                fetch_part(k, rows - whole * SPAN);
            }
            xs += SPAN;
        }
#pragma unroll
        for (int k = 0; k < K; ++k)
            use(k, xs);
    }

    /* The fewer than V rows left at the end of the columns, by the first lanes. A: the tile's first element of these rows. */
    __device__ void run_ragged(const T *A, int64_t lda, int column, int columns, const T *xs, int along, int ragged)
    {
#pragma unroll 1
        for (int i = along; i < ragged; i += G) {
            const T x = xs[i];
#pragma unroll
            for (int c = 0; c < NC; ++c)
                acc[c] = add_mul(acc[c], load<T, 1>(A + min(column + c * GROUPS, columns - 1) * lda + i).v[0], x);
        }
    }
};

/* Blocks per multiprocessor that the registers of a shape allow: data in flight, sums, pointers and the rest. */
template <class T> constexpr int gemv_t_blocks(int nc, int ur)
{
    const int registers = 4 * nc * ur + nc * (int)(sizeof(T) / 4) + 2 * nc + 32, blocks = 65536 / GEMV_THREADS / registers;
    return blocks < 2 ? 2 : blocks > 5 ? 5 : blocks;
}

template <class T, int V, int G, int WK, int NC, int UR>
__global__ __launch_bounds__(GEMV_THREADS, gemv_t_blocks<T>(NC, UR)) void gemv_t(const __grid_constant__ gemv_args<T> g)
{
    using job_t = gemv_t_job<T, V, G, WK, NC, UR>;
    static_assert(WK == 1 || G == 32, "");
    constexpr int SPAN = job_t::SPAN, STEP = GEMV_THREADS / 32 / WK * job_t::COLUMNS;
    extern __shared__ __align__(16) unsigned char shared[];
    T *const sums = reinterpret_cast<T *>(shared); /* [WK][g.columns] */
    T *const xs = sums + WK * g.columns;

    if (g.part) let_next_grid_start();
    const gemv_place at = place_of(g);
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, wk = warp % WK;
    const int along = lane % G, group = lane / G, start = (wk * G + along) * V;
    const int64_t first = at.chunk * g.chunk, column0 = (int64_t)at.tile * g.columns;
    const int chunk_rows = clamp_count(g.m - first, g.chunk), columns = clamp_count(g.n - column0, g.columns);
    const int ragged = chunk_rows % V, even = chunk_rows - ragged, rows = even - start;
    const int padded = max(1, (even + SPAN - 1) / SPAN) * SPAN;
    const bool whole = even >= SPAN;
    const T *const A = g.A + first + column0 * g.lda;

    job_t job;
    int j = warp / WK * job_t::COLUMNS;
    if (j < columns) job.begin(A + start, g.lda, j + group, columns, rows, whole);
    stage_x(g, xs, first, chunk_rows, padded, ragged);
    __syncthreads();

    while (j < columns) {
        job.run(xs + start, even, rows);
        if (V > 1 && ragged && wk == 0) job.run_ragged(A + even, g.lda, j + group, columns, xs + padded, along, ragged);
        T acc[NC];
#pragma unroll
        for (int c = 0; c < NC; ++c)
            acc[c] = job.acc[c];
        /* the next job's loads are under way while this one's sums are exchanged */
        const int next = j + STEP;
        if (next < columns) job.begin(A + start, g.lda, next + group, columns, rows, whole);
        sum_lanes<NC, G>(acc, lane);
        constexpr int LEFT = NC > G ? NC / G : 1, SAME = G > NC ? G / NC : 1; /* sums of a lane; lanes with the same sum */
        if (along % SAME == 0) {
#pragma unroll
            for (int r = 0; r < LEFT; ++r) {
                const int c = j + (along / SAME * LEFT + r) * job_t::GROUPS + group;
                if (c < columns) sums[wk * g.columns + c] = acc[r];
            }
        }
        j = next;
    }
    if constexpr (WK > 1) {
        __syncthreads();
        for (int c = threadIdx.x; c < columns; c += GEMV_THREADS) {
            T s = sums[c];
#pragma unroll
            for (int k = 1; k < WK; ++k)
                s = add(s, sums[k * g.columns + c]);
            sums[c] = s;
        }
    }
    finish(g, at, sums, column0, columns, g.n);
}

} // namespace

template <class T> gemv_kernel<T> gemv_t_kernel(int shape, bool wide)
{
    constexpr int E = 16 / sizeof(T); /* of complex<double> the two are the same */
#define ROW(G, WK, NC, UR) {gemv_t<T, E, G, WK, NC, UR>, gemv_t<T, 1, G, WK, NC, UR>},
    static const gemv_kernel<T> kernels[][2] = {GEMV_T_SHAPES(ROW)};
#undef ROW
    return kernels[shape][wide ? 0 : 1];
}

template gemv_kernel<float> gemv_t_kernel<float>(int, bool);
template gemv_kernel<double> gemv_t_kernel<double>(int, bool);
template gemv_kernel<cplx<float>> gemv_t_kernel<cplx<float>>(int, bool);
template gemv_kernel<cplx<double>> gemv_t_kernel<cplx<double>>(int, bool);

} // namespace tsl
