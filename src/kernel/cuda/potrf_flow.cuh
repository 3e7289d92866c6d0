/* Cholesky factorisation of a whole matrix by one kernel: what its parts share.
 *
 * L is found by square tiles of order 64. One CTA, the spine, goes down the diagonal: it factors tile (j,j), solves for (j+1,j), and
 * brings (j+1,j+1) up to date with that; nothing on this way leaves its multiprocessor. All else is tasks, tickets of a counter, in
 * the order of columns:
 *   diagonal  (j+1,j+1) less the products of columns before j,
 *   next      (j+1,j) less the products of columns before j; the spine waits for these two;
 *   solve     (i,j) less the products, then solved with (j,j), for i from j+2 on.
 * A task has its products in registers from the first column to the last, waits for tiles as it comes to them, and for none but those
 * of tasks with smaller tickets and of the spine. The spine waits for a task once someone has its ticket, and until then takes
 * tickets itself. So all ends however few CTAs run at a time. Every element is computed in one fixed order, whoever does it.
 *
 * Tiles of row i become ready in the order of columns: one number a row says how many are. */
#ifndef TSL_CUDA_POTRF_FLOW_CUH
#define TSL_CUDA_POTRF_FLOW_CUH

#include "kernel/cuda/potrf_flow_product.cuh"
#include "kernel/cuda/potrf_tile.cuh"
#include "kernel/cuda/tma.cuh"

namespace tsl {
namespace flow {

constexpr int WARPS = 8, THREADS = 32 * WARPS;
template <class T> constexpr int PER_SM = sizeof(T) == 16 ? 1 : 2;
template <class T> constexpr int STAGES = sizeof(T) == 16 ? 6 : 4; /* slabs on their way, two in each */

constexpr int LINE = 32; /* ints between words that different CTAs write */

/* Words that begin as zeros, each in a line of its own. */
struct words {
    int *first;
    int nt;
    static __host__ __device__ size_t count(int nt) { return (size_t)(2 + 3 * nt) * LINE; }
    __device__ int *ticket() const { return first; }
    __device__ int *place() const { return first + LINE; }                            /* 1 + the spine's multiprocessor */
    __device__ int *row(int i) const { return first + (2 + i) * LINE; }               /* tiles of row i that are ready */
    __device__ int *next(int j) const { return first + (2 + nt + j) * LINE; }         /* is the task done? */
    __device__ int *diagonal(int j) const { return first + (2 + 2 * nt + j) * LINE; } /* and this? */
};

template <class T> struct job {
    T *A; /* (r,c) at A[r*sr + c*sc] */
    int64_t sr, sc;
    int n, nt;
    int64_t *info, info_base;
    T *packed;   /* tiles below the diagonal, row by row: finished ones packed, that of `next` as in shared memory */
    T *diagonals; /* diagonal ones, as in shared memory */
    real_t<T> *inv; /* 1 / L(j,j) */
    words w;

    __device__ T *packed_tile(int i, int j) const { return packed + ((int64_t)i * (i - 1) / 2 + j) * (NB * NB); }

    __device__ T *diagonal(int j) const { return diagonals + (int64_t)j * (3 * TILE); }

    /* Quarter (a,b) of tile (i,j) */
    __device__ block<T> quarter(int i, int j, int a, int b) const
    {
        const int r = i * NB + a * TB, c = j * NB + b * TB;
        return {A + r * sr + c * sc, sr, sc, min(TB, n - r), min(TB, n - c)};
    }
};

/* Shared memory. As tiles of order 32: a task has four of the tile it computes and the slabs, then three of a diagonal one in their place;
 * the spine ten. */
template <class T> struct alignas(128) room {
    static constexpr int SLABS_AT = 4 * TILE;
    T tiles[SLABS_AT + STAGES<T> * 2 * SLAB / (int)sizeof(T)];
    head<T> h[2];
    uint64_t full[STAGES<T>], empty[STAGES<T>];
    uint64_t came, solver; /* what the spine waits for; the diagonal tile to solve with */
    int ticket;
    volatile int stop;     /* the matrix is not positive definite: nothing is waited for any more */
    int halt, late;        /* `stop`, as all threads see it, before and after they waited for a diagonal tile */
    int ended;             /* the spine has */
    int early, there;      /* of the spine: what it waits for is there, before and after its diagonal tile is done */
    volatile int factored; /* this is done */
};
static_assert(sizeof(room<cplx<double>>) <= 227 * 1024 && sizeof(room<double>) <= 113 * 1024, "shared memory of an sm_90");
static_assert(room<double>::SLABS_AT + STAGES<double> * 2 * SLAB / 8 >= 10 * TILE, "the spine's tiles");
static_assert(room<cplx<double>>::SLABS_AT + STAGES<cplx<double>> * 2 * SLAB / 16 >= 10 * TILE, "the spine's tiles");

/* A thread's place. */
struct hand {
    int tid, warp, lane;
};

__device__ inline int peek(const int *p)
{
    int v;
    asm volatile("ld.relaxed.gpu.global.s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
    return v;
}
__device__ inline int64_t peek(const int64_t *p)
{
    int64_t v;
    asm volatile("ld.relaxed.gpu.global.s64 %0, [%1];" : "=l"(v) : "l"(p) : "memory");
    return v;
}

__device__ inline void fence() { asm volatile("fence.acq_rel.gpu;" ::: "memory"); }

/* Says v, after all that threads before the last barrier have written. */
__device__ inline void publish(int *p, int v)
{
    fence();
    asm volatile("st.relaxed.gpu.global.s32 [%0], %1;" ::"l"(p), "r"(v) : "memory");
}

/* What this thread has stored, or seen stored, comes before what a copy engine reads from here on. */
__device__ inline void between_engines() { asm volatile("fence.proxy.async;" ::: "memory"); }

template <class T> __device__ bool failed(const job<T> &p) { return peek(p.info) != 0; }

/* Until holds() does: what was written before is seen then. False: the matrix is not positive definite. */
template <class T, class F> __device__ bool await(const job<T> &p, F holds)
{
    while (!holds())
        if (failed(p)) return false;
    fence();
    return true;
}

template <class T> __device__ T less(T a, T b)
{
    if constexpr (is_complex<T>)
        return T{a.re - b.re, a.im - b.im};
    else
        return a - b;
}

template <class T> __device__ room<T> &here()
{
    extern __shared__ __align__(128) unsigned char memory[];
    return *(room<T> *)memory;
}

/* What is done with tiles of order 32, given by their numbers. Each is called from several places, and is long when unrolled. */
template <class T> __device__ T *tile(int k) { return here<T>().tiles + k * TILE; }

/* By one warp: t := its factor, of which h[half] is the head. Returns the number of good columns. */
template <class T> __device__ __noinline__ int factor_tile(int t, int half, int cols, int lane)
{
    return factor(tile<T>(t), here<T>().h + half, cols, lane);
}

/* By one warp, a row a lane: t := t inv(l)^H */
template <class T> __device__ __noinline__ void solve_tile(int t, int l, int half, int lane)
{
    solve_rows(tile<T>(t), tile<T>(l), here<T>().h + half, lane);
}

/* One warp's eight columns from c0 on: c := c - p q^H */
template <class T> __device__ __noinline__ void update_tile(int c, int p, int q, int c0, int lane)
{
    if constexpr (sizeof(real_t<T>) == 8)
        for (int r0 = 0; r0 < TB; r0 += 16) subtract_product(tile<T>(c) + c0 * TB + r0, tile<T>(p) + r0, tile<T>(q) + c0, lane);
    else
        update<true, 2>(tile<T>(c), tile<T>(p), tile<T>(q), c0, lane);
}

/* The same by eight warps, all columns. */
template <class T> __device__ __noinline__ void update_whole(int c, int p, int q, int warp, int lane)
{
    if constexpr (sizeof(real_t<T>) == 8) {
        const int c0 = warp % 4 * 8, r0 = warp / 4 * 16;
        subtract_product(tile<T>(c) + c0 * TB + r0, tile<T>(p) + r0, tile<T>(q) + c0, lane);
    } else {
        update<true, 1>(tile<T>(c), tile<T>(p), tile<T>(q), warp * 4, lane);
    }
}

/* Starts to bring tile (i,j): a whole one to four of order 32, row by row, a diagonal one to three. */
template <class T> __device__ void fetch_tile(const job<T> &p, T *t, int i, int j, int warp, int lane, int warps)
{
#pragma unroll 1
    for (int q = 0; q < (i == j ? 3 : 4); q++) {
        const int a = i == j ? (q + 1) / 2 : q / 2, b = i == j ? q / 2 : q % 2;
        const block<T> g = p.quarter(i, j, a, b);
        fetch(t + q * TILE, block<const T>{g.p, g.sr, g.sc, g.rows, g.cols}, i == j && a == b ? 0 : WHOLE, warp, lane, warps);
    }
}

template <class T> __device__ void put_quarter(const job<T> &p, const T *t, int i, int j, int a, int b, int warp, int lane, int warps)
{
    put(p.quarter(i, j, a, b), t, i == j && a == b ? 0 : WHOLE, false, warp, lane, warps);
}

template <class T> __device__ void put_tile(const job<T> &p, const T *t, int i, int j, int warp, int lane, int warps)
{
#pragma unroll 1
    for (int q = 0; q < (i == j ? 3 : 4); q++)
        put_quarter(p, t + q * TILE, i, j, i == j ? (q + 1) / 2 : q / 2, i == j ? q / 2 : q % 2, warp, lane, warps);
}

/* Tiles of order 32 as they are */
template <class T> __device__ void put_raw(T *to, const T *from, int tiles, int thread, int threads)
{
    const int n = tiles * TILE * (int)sizeof(T) / 16;
#pragma unroll 4
    for (int k = thread; k < n; k += threads) ((uint4 *)to)[k] = ((const uint4 *)from)[k];
    between_engines();
}

/* A finished tile for the products of others, too */
template <class T> __device__ void put_packed(const job<T> &p, const T *t, int i, int j, int warp, int lane, int warps)
{
    T *const to = p.packed_tile(i, j);
#pragma unroll 1
    for (int half = 0; half < 2; half++) {
        const auto at = [&](int c) { return t[(2 * half + c / TB) * TILE + c % TB * TB + lane]; };
#pragma unroll 2
        for (int k = warp; k < (sizeof(T) == 8 && !is_complex<T> ? NB / 2 : NB); k += warps)
            if constexpr (sizeof(T) == 8 && !is_complex<T>) {
                const int c = k / 4 * 8 + k % 4; /* and c + 4 */
                *(double2 *)(to + packed<T>(half * TB + lane, c)) = make_double2(at(c), at(c + 4));
            } else {
                to[packed<T>(half * TB + lane, k)] = at(k);
            }
    }
    between_engines();
}

} // namespace flow
} // namespace tsl
#endif
