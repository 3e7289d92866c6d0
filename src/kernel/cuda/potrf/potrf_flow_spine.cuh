/* The spine of potrf_flow.cuh: the way down the diagonal, by one CTA. */
#ifndef TSL_CUDA_POTRF_FLOW_SPINE_CUH
#define TSL_CUDA_POTRF_FLOW_SPINE_CUH

#include "kernel/cuda/potrf/potrf_flow_task.cuh"

namespace tsl {
namespace flow {

/* D is the diagonal tile (j,j), S is (j+1,j), N is (j+1,j+1), which is D of the next step. In step j each warp, at its strip,
 *   solves for the blocks of D with those on the diagonal that other warps have factored, and factors its own on the diagonal;
 *   solves for S when D is done and S and N have come; and subtracts the products of S with itself from N.
 * A warp waits only for the strips it needs, above its own: no barrier holds them all, and warp 0 is in the next step while the
 * last is at S. The way from pivot to pivot is: a warp solves for the one block left of its diagonal, subtracts its product
 * from that, which has all others already, and factors it. From D to the next it goes through warp 0's strips of S and N. S and
 * N come where the step before the last had them, once all warps are done with S of the last: then D of the last, in N's place,
 * is of no more use. So no warp is two steps ahead of another, and events need to be told apart only from those of the next
 * step. */
template <class T> struct spine {
    const job<T> &p;
    room<T> &m;
    hand at;
    int j;            /* the step */
    uint32_t waited;  /* for S and N, how many times */
    bool resumed;     /* (j,j) is ready, and what the step waited for was not */

    __device__ spine(const job<T> &p, room<T> &m, hand at) : p(p), m(m), at(at), j(0), waited(0), resumed(false) {}

    using events = uint64_t[2][STRIPS];

    static __device__ void make_barriers(room<T> &m)
    {
        barrier_make(shared_address(&m.came), 1);
        barrier_make(shared_address(&m.left), WARPS);
        for (events *e : {&m.rows, &m.factored, &m.solved})
            for (int k = 0; k < 2 * STRIPS; k++) barrier_make(shared_address(&(*e)[k / STRIPS][k % STRIPS]), 1);
        for (int k = 0; k < 4; k++) m.stored[k / 2][k % 2] = 0;
        m.failed = NONE;
    }

    __device__ bool last() const { return j + 1 == p.nt; }
    __device__ uint32_t event(const events &e, int strip) const { return shared_address(&e[j % 2][strip]); }
    __device__ int parity() const { return j / 2 % 2; }
    __device__ void wait(const events &e, int strip) const { barrier_wait(event(e, strip), parity()); }
    __device__ void tell(const events &e) const
    {
        __syncwarp();
        if (at.lane == 0) barrier_arrive(event(e, at.warp));
    }

    /* The warp's strip of tile (i,n-1) is in global memory: the last one says that row i has n tiles. A warp may be at the next
     * step's. */
    __device__ void say(int i, int n) const
    {
        __syncwarp();
        if (at.lane != 0) return;
        __threadfence_block();
        const int others = atomicAdd(&m.stored[i == n][n % 2], 1) % WARPS;
        __threadfence_block();
        if (others == WARPS - 1) publish(p.w.row(i), n);
    }

    /* The warp's strip of D in shared memory. Returns how many columns of its block on the diagonal are good; NONE: one above
     * was not. */
    __device__ int factor_strip() const
    {
        triangle<T> &D = m.spine.diagonal[j % 2];
        const int w = at.warp, lane = at.lane;
        T *const strip = D.at(w, 0);
        sum<T> own;
        int good = OB;
#pragma unroll 1
        for (int b = 0; b < w; b++) {
            sum<T> s;
            if (b > 0) wait(m.rows, b);
#pragma unroll 2
            for (int k = 0; k < b; k++) s.add(load(strip + k * BLOCK, lane), load(D.at(b, k), lane));
            const two<wide<T>> v = less(load(strip + b * BLOCK, lane), s);
            wait(m.factored, b);
            if (m.failed == j * STRIPS + b) {
                good = NONE;
                break;
            }
            const two<wide<T>> x = solve(v, D, b, lane);
            store(strip + b * BLOCK, x, lane);
            own.add(x, x);
        }
        if (w > 0) tell(m.rows);
        if (good != NONE) good = factor_block(D, w, less(load(strip + w * BLOCK, lane), own), lane);
        if (good != NONE && good < OB) m.failed = j * STRIPS + w;
        tell(m.factored);
        return good;
    }

    /* and in global memory */
    __device__ void put_strip(int good) const
    {
        triangle<T> &D = m.spine.diagonal[j % 2], &to = p.diagonals[j];
        const int w = at.warp, lane = at.lane, first = j * NB + w * OB;
        T *const strip = D.at(w, 0);
        if (good == NONE) return;
        if (good == OB) {
#pragma unroll 2
            for (int b = 0; b <= w; b++) store(to.at(w, b), load(strip + b * BLOCK, lane), lane);
            store(to.inverse(w), load(D.inverse(w), lane), lane);
            if (lane < OB) to.inv[w * OB + lane] = D.inv[w * OB + lane];
            if (lane == 0) to.odd[w] = D.odd[w];
            say(j, j + 1);
        } else if (lane == 0) {
            *(volatile int64_t *)p.info = p.info_base + first + good + 1;
        }
#pragma unroll 2
        for (int b = 0; b <= w; b++) put_block(p, load(strip + b * BLOCK, lane), j, j, w, b, lane, first + good);
    }

    /* Has what S and N wait for been done? */
    __device__ bool ready() const
    {
        const int a = peek(p.w.next(j)), b = peek(p.w.diagonal(j));
        return a != 0 && b != 0;
    }

    /* By one thread: waits for them, and brings them. In vain if D is not positive definite, or done and nobody has taken the
     * task. */
    __device__ void ask() const
    {
        const uint32_t barrier = shared_address(&m.came);
        square<T> &S = m.spine.below[j % 2];
        triangle<T> &N = m.spine.diagonal[(j + 1) % 2];
        barrier_wait(shared_address(&m.left), (j - 1) % 2);
        bool there = ready(), taken = true;
        while (!there && taken && m.failed == NONE) {
            const bool done = barrier_passed(event(m.factored, STRIPS - 1), parity());
            taken = !done || peek(p.w.ticket()) > list::ticket_of_next(p.nt, j);
            there = ready();
        }
        m.there = there;
        if (!there) {
            barrier_arrive(barrier);
            return;
        }
        fence();
        between_engines();
        barrier_expect(barrier, sizeof S.blocks + sizeof N.blocks);
        bulk_copy(shared_address(S.blocks), p.packed_tile(j + 1, j), sizeof S.blocks, barrier);
        bulk_copy(shared_address(N.blocks), p.diagonals[j + 1].blocks, sizeof N.blocks, barrier);
    }

    /* Until S and N are in shared memory; in the first step they are from the beginning. */
    __device__ bool receive()
    {
        if (j == 0) return true;
        if (at.tid == 0) ask();
        __syncwarp();
        barrier_wait(shared_address(&m.came), waited++ % 2);
        return m.there != 0;
    }

    /* The warp's strips of S and N in shared memory; false: D is not positive definite */
    __device__ bool go_below() const
    {
        const square<T> &S = m.spine.below[j % 2];
        triangle<T> &N = m.spine.diagonal[(j + 1) % 2];
        const int w = at.warp, lane = at.lane;
        wait(m.factored, STRIPS - 1);
        if (m.failed / STRIPS == j) return false;
        solve_strip<T>(where<T>(S.at(w, 0)), where<T>(&m.spine.diagonal[j % 2]), lane);
        tell(m.solved);
#pragma unroll 1
        for (int b = 0; b <= w; b++) {
            sum<T> s;
            wait(m.solved, b);
#pragma unroll
            for (int k = 0; k < STRIPS; k++) s.add(load(S.at(w, k), lane), load(S.at(b, k), lane));
            store(N.at(w, b), less(load(N.at(w, b), lane), s), lane);
        }
        before_copies();
        __syncwarp();
        if (lane == 0) barrier_arrive(shared_address(&m.left));
        return true;
    }

    /* S of step i in global memory */
    __device__ void put_below(int i) const
    {
        const T *const strip = m.spine.below[i % 2].at(at.warp, 0);
        T *const to = p.packed_tile(i + 1, i);
#pragma unroll 2
        for (int b = 0; b < STRIPS; b++) pack_block(to, load(strip + b * BLOCK, at.lane), at.warp, b, at.lane);
        say(i + 1, i + 1);
#pragma unroll 2
        for (int b = 0; b < STRIPS; b++) put_block(p, load(strip + b * BLOCK, at.lane), i + 1, i, at.warp, b, at.lane, p.n);
    }

    /* What is in shared memory when the spine begins, or comes back from a task */
    __device__ void begin()
    {
        if (resumed) {
            const uint4 *const from = (const uint4 *)(p.diagonals + j);
            uint4 *const to = (uint4 *)&m.spine.diagonal[j % 2];
            for (int k = at.tid; k < (int)(sizeof(triangle<T>) / sizeof(uint4)); k += THREADS) to[k] = __ldcg(from + k);
        } else {
            fetch_strip(p, m.spine.diagonal[0].at(at.warp, 0), 0, 0, at.warp, at.lane);
            if (!last()) {
                fetch_strip(p, m.spine.below[0].at(at.warp, 0), 1, 0, at.warp, at.lane);
                fetch_strip(p, m.spine.diagonal[1].at(at.warp, 0), 1, 1, at.warp, at.lane);
            }
            __pipeline_commit();
            __pipeline_wait_prior(0);
        }
        before_copies();
        __syncthreads();
    }

    /* Goes on to the end, or to a task nobody has taken. Sets m.ended. Warp 0, which all others wait for, stores S after its
     * strip of the next D. */
    __device__ void go_on()
    {
        begin();
        for (;; j++) {
            if (!resumed) {
                const int good = factor_strip();
                if (at.warp == 0 && j > 0) put_below(j - 1);
                put_strip(good);
            }
            resumed = !last() && !receive();
            if (resumed || last() || !go_below()) break;
            if (at.warp > 0) put_below(j);
        }
        before_copies();
        __syncthreads();
        if (at.tid == 0) m.ended = !resumed || m.failed != NONE;
    }
};

} // namespace flow
} // namespace tsl
#endif
