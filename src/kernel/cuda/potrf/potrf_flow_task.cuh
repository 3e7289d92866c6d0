/* The tasks of potrf_flow.cuh: products of two rows of tiles, and a solution. */
#ifndef TSL_CUDA_POTRF_FLOW_TASK_CUH
#define TSL_CUDA_POTRF_FLOW_TASK_CUH

#include "kernel/cuda/potrf/potrf_flow.cuh"

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

/* By one thread, which brings the slabs of a task; `done` and `end` count slabs from the kernel's beginning. Those of a row of
 * tiles are one after the other. */
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
            const uint32_t to = shared_address(m.task.slabs) + stage * 2 * SLAB;
            barrier_expect(full, diagonal ? SLAB : 2 * SLAB);
            bulk_copy(to, P + (int64_t)slab * SLAB, SLAB, full);
            if (!diagonal) bulk_copy(to + SLAB, Q + (int64_t)slab * SLAB, SLAB, full);
        }
    }
};

/* q slabs, and `solved` tasks with a solution, were before this one. Not a part of its caller's code: the spine's variables
 * would take registers from the products. */
template <class T> __device__ __noinline__ void compute(const job<T> &p, const task t, uint32_t q, uint32_t solved, const hand at)
{
    room<T> &m = here<T>();
    const bool diagonal = t.i == t.j;
    triangle<T> *const L = (triangle<T> *)m.task.slabs, *const D = (triangle<T> *)&m.task.C;
    T *const C = m.task.C.blocks, *const strip = diagonal ? D->at(at.warp, 0) : m.task.C.at(at.warp, 0);
    fetch_strip(p, strip, t.i, t.j, at.warp, at.lane);
    __pipeline_commit();

    feeder<T> feeds(p, m, t, q);
    product<T> sum;
#pragma unroll 1
    for (const uint32_t end = feeds.end; q != end; q++) {
        const int stage = q % STAGES<T>;
        const uint32_t full = shared_address(m.full + stage), parity = q / STAGES<T> % 2;
        const T *const A = (const T *)(m.task.slabs + stage * 2 * SLAB), *const B = diagonal ? A : A + SLAB / sizeof(T);
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
        const int a = r / OB, b = c / OB;
        T *const e = C + (diagonal ? tri(a, b) : a * STRIPS + b) * BLOCK + slot<T>(r % OB * 4 + c % OB / 2, c % 2);
        if (!diagonal || a >= b) *e = less(*e, v);
    });
    if (t.solve) {
        if (at.tid == 0) {
            const bool there = await(p, [&] { return peek(p.w.row(t.j)) > t.j; });
            m.late = !there;
            if (there) {
                const uint32_t barrier = shared_address(&m.solver);
                between_engines();
                barrier_expect(barrier, sizeof *L);
                bulk_copy(shared_address(L), p.diagonals + t.j, sizeof *L, barrier);
            }
        }
        __syncthreads();
        if (m.late) {
            m.stop = 1;
            return;
        }
        barrier_wait(shared_address(&m.solver), solved % 2);
        solve_strip<T>(where<T>(strip), where<T>(L), at.lane);
        T *const packed = p.packed_tile(t.i, t.j);
#pragma unroll 2
        for (int b = 0; b < STRIPS; b++) pack_block(packed, load(strip + b * BLOCK, at.lane), at.warp, b, at.lane);
    } else {
        __syncthreads();
        const int blocks = diagonal ? at.warp + 1 : STRIPS;
        T *const to = (diagonal ? p.diagonals[t.i].blocks : p.packed_tile(t.i, t.j)) + (strip - C);
#pragma unroll 2
        for (int b = 0; b < blocks; b++) store(to + b * BLOCK, load(strip + b * BLOCK, at.lane), at.lane);
    }
    before_copies();
    __syncthreads();
    if (at.tid == 0) {
        if (t.solve)
            publish(p.w.row(t.i), t.j + 1);
        else
            publish(diagonal ? p.w.diagonal(t.i - 1) : p.w.next(t.j), 1);
    }
    if (!t.solve) return;
#pragma unroll 2
    for (int b = 0; b < STRIPS; b++) put_block(p, load(strip + b * BLOCK, at.lane), t.i, t.j, at.warp, b, at.lane, p.n);
}

} // namespace flow
} // namespace tsl
#endif
