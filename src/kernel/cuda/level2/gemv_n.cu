/* y := alpha A x + beta y. A CTA has a tile of rows and a chunk of columns; the threads of a group own rows and walk over the
 * group's columns, so that a sum over columns needs no exchange until the end. */
#include "kernel/cuda/level2/gemv.cuh"

namespace tsl {
namespace {

/* Row r of the tile, for thread tx and its fragment k: (k TX + tx) V + (0..V-1). */
template <class T, int V, int TX, int TY, int R, int U> struct gemv_n_tile {
    static constexpr int E = 16 / sizeof(T);
    static constexpr int K = R * E / V; /* fragments of one column in a thread */
    static constexpr int ROWS = TX * R * E;
    static constexpr int SPAN = TY * U; /* columns of one step of the block */

    T acc[K * V];
    frag<T, V> a[U][K];

    template <bool EDGE> __device__ void fetch(int u, const T *p, int rows, bool in)
    {
#pragma unroll
        for (int k = 0; k < K; ++k)
            a[u][k] = load_if<T, V>(in && (!EDGE || k * (TX * V) < rows), p + k * (TX * V));
    }

    __device__ void use(int u, T x)
    {
#pragma unroll
        for (int k = 0; k < K; ++k)
#pragma unroll
            for (int v = 0; v < V; ++v)
                acc[k * V + v] = add_mul(acc[k * V + v], a[u][k].v[v], x);
    }

    __device__ void store(T *sums, int tx) const
    {
#pragma unroll
        for (int k = 0; k < K; ++k)
#pragma unroll
            for (int v = 0; v < V; ++v)
                sums[(k * TX + tx) * V + v] = acc[k * V + v];
    }

    /* Column c of the chunk belongs to group c mod TY. The registers of a column are reloaded, with the column SPAN further on,
     * as soon as they have been used: U columns stay in flight all the time, and the first U are asked for before x is there.
     * EDGE: the tile ends past the last row; `rows` counts what exists from the thread's first row on; V = 1. */
    template <bool EDGE> __device__ void run(const gemv_args<T> &g, T *xs, const T *p, int64_t first, int columns, int ty, int rows)
    {
        const int64_t step = TY * g.lda;
#pragma unroll
        for (int i = 0; i < K * V; ++i)
            acc[i] = make<T>(0);
#pragma unroll
        for (int u = 0; u < U; ++u, p += step)
            fetch<EDGE>(u, p, rows, u * TY + ty < columns);
        stage_x(g, xs, first, columns, (columns + SPAN - 1) / SPAN * SPAN);
        __syncthreads();

        int c = 0;
#pragma unroll 1
        for (; c + 2 * SPAN <= columns; c += SPAN) {
#pragma unroll
            for (int u = 0; u < U; ++u, p += step) {
                use(u, xs[c + u * TY + ty]);
                fetch<EDGE>(u, p, rows, true);
            }
        }
#pragma unroll 1
        for (; c < columns; c += SPAN) {
#pragma unroll
            for (int u = 0; u < U; ++u, p += step) {
                use(u, xs[c + u * TY + ty]);
                fetch<EDGE>(u, p, rows, c + SPAN + u * TY + ty < columns);
            }
        }
    }
};

/* Blocks per multiprocessor: 3 x 128 or 4 x 64 bytes a thread are about 100 and 64 KB in flight, two to four times what hides
 * the latency of device memory. */
template <class T, int V, int TX, int TY, int R, int U>
__global__ __launch_bounds__(GEMV_THREADS, U * R <= 4 ? 4 : 3) void gemv_n(const __grid_constant__ gemv_args<T> g)
{
    static_assert(TX * TY == GEMV_THREADS, "");
    constexpr int ROWS = gemv_n_tile<T, V, TX, TY, R, U>::ROWS;
    extern __shared__ __align__(16) unsigned char shared[];
    T *const sums = reinterpret_cast<T *>(shared); /* [TY][ROWS] */
    T *const xs = sums + TY * ROWS;

    if (g.part) let_next_grid_start();
    const gemv_place at = place_of(g);
    const int tx = threadIdx.x % TX, ty = threadIdx.x / TX;
    const int64_t row0 = (int64_t)at.tile * ROWS, first = at.chunk * g.chunk;
    const int count = clamp_count(g.m - row0, ROWS), columns = clamp_count(g.n - first, g.chunk);
    const T *const p = g.A + row0 + (first + ty) * g.lda;

    /* a tile that is cut off goes by elements: any number of rows, and no vector straddles the end of a column */
    if (count == ROWS) {
        gemv_n_tile<T, V, TX, TY, R, U> t;
        t.template run<false>(g, xs, p + tx * V, first, columns, ty, 0);
        t.store(sums + ty * ROWS, tx);
    } else {
        gemv_n_tile<T, 1, TX, TY, R, U> t;
        t.template run<true>(g, xs, p + tx, first, columns, ty, count - tx);
        t.store(sums + ty * ROWS, tx);
    }
    if constexpr (TY > 1) {
        __syncthreads();
        for (int r = threadIdx.x; r < count; r += GEMV_THREADS) {
            T s = sums[r];
#pragma unroll 8
            for (int k = 1; k < TY; ++k)
                s = add(s, sums[k * ROWS + r]);
            sums[r] = s;
        }
    }
    finish(g, at, sums, row0, count, g.m);
}

} // namespace

template <class T> gemv_kernel<T> gemv_n_kernel(int shape, bool wide)
{
    constexpr int E = 16 / sizeof(T); /* of complex<double> the two are the same */
#define ROW(TX, TY, R, U) {gemv_n<T, E, TX, TY, R, U>, gemv_n<T, 1, TX, TY, R, U>},
    static const gemv_kernel<T> kernels[][2] = {GEMV_N_SHAPES(ROW)};
#undef ROW
    return kernels[shape][wide ? 0 : 1];
}

template gemv_kernel<float> gemv_n_kernel<float>(int, bool);
template gemv_kernel<double> gemv_n_kernel<double>(int, bool);
template gemv_kernel<cplx<float>> gemv_n_kernel<cplx<float>>(int, bool);
template gemv_kernel<cplx<double>> gemv_n_kernel<cplx<double>>(int, bool);

} // namespace tsl
