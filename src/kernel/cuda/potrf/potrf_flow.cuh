/* Cholesky factorisation of a whole matrix by one kernel: what its parts share.
 *
 * L is found by square tiles of order 64. One CTA, the spine, goes down the diagonal: it factors tile (j,j), solves for
 * (j+1,j), and brings (j+1,j+1) up to date with that; nothing on this way leaves its multiprocessor. All else is tasks, tickets
 * of a counter, in the order of columns:
 *   diagonal  (j+1,j+1) less the products of columns before j,
 *   next      (j+1,j) less the products of columns before j; the spine waits for these two;
 *   solve     (i,j) less the products, then solved with (j,j), for i from j+2 on.
 * A task has its products in registers from the first column to the last, waits for tiles as it comes to them, and for none but
 * those of tasks with smaller tickets and of the spine. The spine waits for a task once someone has its ticket, and until then
 * takes tickets itself. So all ends however few CTAs run at a time. Every element is computed in one fixed order, whoever does
 * it.
 *
 * Tiles of row i become ready in the order of columns: one number a row says how many are. */
#ifndef TSL_CUDA_POTRF_FLOW_CUH
#define TSL_CUDA_POTRF_FLOW_CUH

#include "kernel/cuda/exchange.cuh"
#include "kernel/cuda/potrf/potrf_flow_product.cuh"
#include "kernel/cuda/potrf/potrf_flow_strip.cuh"
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
    T *packed;              /* tiles below the diagonal, row by row: finished ones packed, that of `next` as in shared memory */
    triangle<T> *diagonals; /* diagonal ones, as in shared memory */
    words w;

    __device__ T *packed_tile(int i, int j) const { return packed + ((int64_t)i * (i - 1) / 2 + j) * (NB * NB); }
};

/* Shared memory */
template <class T> struct alignas(128) room {
    union {
        struct {
            square<T> C;                                         /* the tile it computes */
            alignas(128) unsigned char slabs[STAGES<T> * 2 * SLAB]; /* and later in their place the diagonal tile it solves with */
        } task;
        struct {
            triangle<T> diagonal[2]; /* (j,j) is in [j % 2] */
            square<T> below[2];      /* (j+1,j) also */
        } spine;
    };
    uint64_t full[STAGES<T>], empty[STAGES<T>];
    uint64_t solver; /* the diagonal tile to solve with has come */
    int ticket;
    volatile int stop; /* the matrix is not positive definite: nothing is waited for any more */
    int halt, late;    /* `stop`, as all threads see it, before and after they waited for a diagonal tile */
    int ended;         /* the spine has */

    /* The spine's: has come what it waits for, does no warp need the tiles before it any more; of every step, by its parity, is
     * a strip of the diagonal tile solved for but its last block, is that factored, is a strip below solved for */
    uint64_t came, left, rows[2][STRIPS], factored[2][STRIPS], solved[2][STRIPS];
    int stored[2][2];            /* strips in global memory, of diagonal tiles and those below, by the step's parity */
    volatile int there, failed;  /* what it waited for; the strip, of all of diagonal tiles, that is not positive definite, or NONE */
};
static_assert(sizeof(room<cplx<double>>) <= 227 * 1024 && sizeof(room<double>) <= 113 * 1024, "shared memory of an sm_90");

/* A thread's place. */
struct hand {
    int tid, warp, lane;
};

/* What this thread has seen stored comes before what a copy engine reads from here on. */
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

template <class T> __device__ room<T> &here()
{
    extern __shared__ __align__(128) unsigned char memory[];
    return *(room<T> *)memory;
}

/* f(row, column, its slot of the block) for the lane's two elements of block (a,b) of tile (i,j) */
template <class T, class F> __device__ void each_of_block(int i, int j, int a, int b, int lane, F f)
{
#pragma unroll
    for (int e = 0; e < 2; e++) f(i * NB + a * OB + lane / 4, j * NB + b * OB + lane % 4 * 2 + e, slot<T>(lane, e));
}

/* Starts to bring strip a of tile (i,j), or of it what is in the triangle; past the matrix' edge it becomes a piece of the
 * identity. Its blocks begin at `strip`. */
template <class T> __device__ void fetch_strip(const job<T> &p, T *strip, int i, int j, int a, int lane)
{
#pragma unroll 2
    for (int b = 0; b < (i == j ? a + 1 : STRIPS); b++)
        each_of_block<T>(i, j, a, b, lane, [&](int r, int c, int at) {
            T *const to = strip + b * BLOCK + at;
            if (r >= p.n || c >= p.n)
                *to = make<T>(r == c);
            else if (r >= c)
                __pipeline_memcpy_async(to, p.A + r * p.sr + c * p.sc, sizeof(T));
        });
}

/* The lane's elements v of block (a,b) of tile (i,j) into the matrix, of columns before `end` */
template <class T> __device__ void put_block(const job<T> &p, two<wide<T>> v, int i, int j, int a, int b, int lane, int end)
{
    int e = 0;
    each_of_block<T>(i, j, a, b, lane, [&](int r, int c, int) {
        if (r < p.n && c <= r && c < end) p.A[r * p.sr + c * p.sc] = convert<T>(v.x[e]);
        e++;
    });
}

/* and packed, for the products of others */
template <class T> __device__ void pack_block(T *tile, two<wide<T>> v, int a, int b, int lane)
{
    if constexpr (sizeof(T) == 8 && !is_complex<T>)
        *(two<T> *)(tile + packed<T>(a, b, lane, 0)) = v;
    else
        for (int e = 0; e < 2; e++) tile[packed<T>(a, b, lane, e)] = convert<T>(v.x[e]);
}

/* A strip := its solution with L, by one warp. A part of no other's code, which would be short of registers; so strip and L are
 * given by where they are in shared memory. */
template <class T> __device__ int where(const void *p) { return (int)((const char *)p - (const char *)&here<T>()); }
template <class T> __device__ __noinline__ void solve_strip(int strip_at, int L_at, int lane)
{
    T *const strip = (T *)((char *)&here<T>() + strip_at);
    const triangle<T> &L = *(const triangle<T> *)((char *)&here<T>() + L_at);
    two<wide<T>> x[STRIPS];
#pragma unroll
    for (int b = 0; b < STRIPS; b++) {
        sum<T> s;
#pragma unroll
        for (int k = 0; k < b; k++) s.add(x[k], load(L.at(b, k), lane));
        x[b] = solve(less(load(strip + b * BLOCK, lane), s), L, b, lane);
        store(strip + b * BLOCK, x[b], lane);
    }
}

} // namespace flow
} // namespace tsl
#endif
