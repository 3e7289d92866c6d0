/* The tasks of potrf_flow.cuh: products of two rows of tiles, and a solution. */
#ifndef TSL_CUDA_POTRF_FLOW_TASK_CUH
#define TSL_CUDA_POTRF_FLOW_TASK_CUH

#include "kernel/cuda/potrf_flow.cuh"

namespace tsl {
namespace flow {

/* Tile (i,j) less the products of `depth` columns. */
struct task {
    int i, j, depth;
    bool solve;
};

/* Tickets from 1 on, by columns; a CTA's tickets only grow. */
struct list {
    int nt, column, first; /* the column's first ticket */

    static __host__ __device__ int count(int nt, int j) { return j == 0 ? nt - 2 : nt - j; }

    /* false: there are no more */
    __device__ bool find(int ticket, task *t)
    {
        while (column < nt - 1 && ticket >= first + count(nt, column)) first += count(nt, column++);
        if (column >= nt - 1) return false;
        const int k = ticket - first, j = column;
        if (j == 0)
            *t = {2 + k, 0, 0, true};
        else
            *t = {j + max(k, 1), j + (k == 0), j, k > 1};
        return true;
    }

    /* of `next` of column j > 0, which comes after `diagonal` */
    static __device__ int ticket_of_next(int nt, int j) { return nt + (j - 1) * nt - (j - 1) * j / 2; }
};

/* By one thread, which brings the slabs of a task; `done` and `end` count slabs from the kernel's beginning. Those of a row of tiles
 * are one after the other. */
template <class T> struct feeder {
    const job<T> &p;
    room<T> &m;
    const char *P, *Q;         /* of rows i and j */
    const int *rowP, *rowQ;    /* how many of their tiles are ready */
    bool diagonal;             /* they are the same */
    uint32_t first, done, end;
    int ready; /* columns */
    int asked; /* in vain: every eighth time it looks for a failure, too */

    __device__ feeder(const job<T> &p, room<T> &m, const task &t, uint32_t q)
        : p(p), m(m), P((const char *)p.packed_tile(t.i, 0)), Q((const char *)p.packed_tile(t.j, 0)), rowP(p.w.row(t.i)), rowQ(p.w.row(t.j)),
          diagonal(t.i == t.j), first(q), done(q), end(q + t.depth * SLABS<T>), ready(0), asked(0)
    {
    }

    /* Asks for all slabs that are ready and have a place; does not wait. */
    __device__ void feed()
    {
        for (; done != end; done++) {
            const int stage = done % STAGES<T>, slab = done - first, k = slab / SLABS<T>;
            const uint32_t full = shared_address(m.full + stage);
            if (!barrier_passed(shared_address(m.empty + stage), (done / STAGES<T> + 1) % 2)) return;
            if (k >= ready && !m.stop) {
                ready = min(peek(rowP), peek(rowQ));
                if (k >= ready) {
                    if (++asked % 8 != 0 || !failed(p)) return;
                    m.stop = 1;
                }
                fence();
                between_engines();
            }
            if (m.stop) {
                barrier_arrive(full);
                continue;
            }
            const uint32_t to = shared_address(m.tiles + room<T>::SLABS_AT) + stage * 2 * SLAB;
            barrier_expect(full, diagonal ? SLAB : 2 * SLAB);
            bulk_copy(to, P + (int64_t)slab * SLAB, SLAB, full);
            if (!diagonal) bulk_copy(to + SLAB, Q + (int64_t)slab * SLAB, SLAB, full);
        }
    }
};

/* X := X inv(L)^H for tiles of order 64, whose quarters are tiles x, x+1, .. and l, l+1, .. */
template <class T> __device__ void solve(int x, int l, hand at)
{
    if (at.warp < 2) solve_tile<T>(x + 2 * at.warp, l, 0, at.lane);
    __syncthreads();
    const int row = x + at.warp / 4 * 2;
    update_tile<T>(row + 1, row, l + 1, at.warp % 4 * 8, at.lane);
    __syncthreads();
    if (at.warp < 2) solve_tile<T>(x + 2 * at.warp + 1, l + 2, 1, at.lane);
    __syncthreads();
}

/* q slabs, and `solved` tasks with a solution, were before this one. Not a part of its caller's code: the spine's variables
 * would take registers from the products. */
template <class T> __device__ __noinline__ void compute(const job<T> &p, const task t, uint32_t q, uint32_t solved, const hand at)
{
    room<T> &m = here<T>();
    T *const C = m.tiles, *const slabs = m.tiles + room<T>::SLABS_AT, *const L = slabs;
    const bool diagonal = t.i == t.j;
    fetch_tile(p, C, t.i, t.j, at.warp, at.lane, WARPS);
    __pipeline_commit();

    feeder<T> feeds(p, m, t, q);
    product<T> sum;
#pragma unroll 1
    for (const uint32_t end = feeds.end; q != end; q++) {
        const int stage = q % STAGES<T>;
        const uint32_t full = shared_address(m.full + stage), parity = q / STAGES<T> % 2;
        const T *const A = slabs + stage * (2 * SLAB / (int)sizeof(T)), *const B = diagonal ? A : A + SLAB / sizeof(T);
        if (at.tid == 0) do
                feeds.feed();
            while (!barrier_passed(full, parity));
        __syncwarp();
        barrier_wait(full, parity);
        sum.add(A, B, at.warp, at.lane);
        __syncwarp();
        if (at.lane == 0) barrier_arrive(shared_address(m.empty + stage));
    }
    if (at.tid == 0) m.halt = m.stop;
    __pipeline_wait_prior(0);
    __syncthreads();
    if (m.halt) return;

    sum.each(at.warp, at.lane, [=](int r, int c, T v) {
        const int quarter = (diagonal ? r / TB : r / TB * 2) + c / TB;
        T *const e = C + quarter * TILE + c % TB * TB + r % TB;
        if (!diagonal || r / TB >= c / TB) *e = less(*e, v);
    });
    if (t.solve) {
        if (at.tid == 0) {
            const bool there = await(p, [&] { return peek(p.w.row(t.j)) > t.j; });
            m.late = !there;
            if (there) {
                const uint32_t barrier = shared_address(&m.solver);
                constexpr int BYTES = 3 * TILE * sizeof(T);
                between_engines();
                barrier_expect(barrier, BYTES);
                bulk_copy(shared_address(L), p.diagonal(t.j), BYTES, barrier);
            }
        }
        __syncthreads();
        if (m.late) {
            m.stop = 1;
            return;
        }
        if (at.tid < NB) m.h[at.tid / TB].inv[at.tid % TB] = __ldcg(p.inv + t.j * NB + at.tid);
        barrier_wait(shared_address(&m.solver), solved % 2);
        __syncthreads();
        solve<T>(0, room<T>::SLABS_AT / TILE, at);
        put_packed(p, C, t.i, t.j, at.warp, at.lane, WARPS);
    } else {
        __syncthreads();
        put_raw(diagonal ? p.diagonal(t.i) : p.packed_tile(t.i, t.j), C, diagonal ? 3 : 4, at.tid, THREADS);
    }
    before_copies();
    __syncthreads();
    if (at.tid == 0) {
        if (t.solve)
            publish(p.w.row(t.i), t.j + 1);
        else
            publish(diagonal ? p.w.diagonal(t.i - 1) : p.w.next(t.j), 1);
    }
    if (t.solve) put_tile(p, C, t.i, t.j, at.warp, at.lane, WARPS);
}

} // namespace flow
} // namespace tsl
#endif
