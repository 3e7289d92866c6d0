/* The spine of potrf_flow.cuh: the way down the diagonal, by one CTA. */
#ifndef TSL_CUDA_POTRF_FLOW_SPINE_CUH
#define TSL_CUDA_POTRF_FLOW_SPINE_CUH

#include "kernel/cuda/potrf_flow_task.cuh"

namespace tsl {
namespace flow {

/* Tiles of order 32: D of the diagonal tile (j,j), S of (j+1,j), N of (j+1,j+1), which is D of the next step. In step j
 *   warp 0 factors D00, solves for D10, updates D11 with warps 1 to 3, and factors it: the rest of the work is done beside this;
 *   warps 1 to 3 subtract the last products of the step before from D10 and D11, and store D;
 *   warps 4 to 7 store S of the step before, bring S and N as soon as the tasks whose results they are have ended, solve for the
 *   left half of S, and subtract its products from N00 and N10; if these come too late, all wait for them after D11;
 *   then warps 0 and 1 solve for the right half of S, 2 and 3 say that (j,j) is ready, the others subtract the rest of the left half's
 *   products from N; and all the right half's from N00. */
template <class T> struct spine {
    const job<T> &p;
    room<T> &m;
    hand at;
    int D, S, N;  /* the first of their tiles */
    int j;        /* the step */
    bool resumed; /* (j,j) is ready, and what the step waited for was not */

    __device__ spine(const job<T> &p, room<T> &m, hand at)
        : p(p), m(m), at(at), D(0), S(3), N(7), j(0), resumed(false)
    {
    }

    __device__ bool last() const { return j + 1 == p.nt; }
    __device__ bool wide() const { return p.n - j * NB > TB; } /* is there more than D00? */

    /* Has what S and N wait for been done? */
    __device__ bool ready() const
    {
        if (j == 0) return true;
        const int a = peek(p.w.next(j)), b = peek(p.w.diagonal(j));
        return a != 0 && b != 0;
    }

    /* Barriers: of warps 0 to 3, of 4 to 7; with D00, D10 warp 0 tells the latter that this is
     * factored or solved for, and S and N of the step before of no more use to warps 1 to 3 */
    __device__ void first_four() const { group_barrier(1); }
    __device__ void last_four() const { group_barrier(2); }
    __device__ void tell(int event) const { asm volatile("bar.arrive %0, 160;" ::"r"(event) : "memory"); }
    __device__ void hear(int event) const { asm volatile("bar.sync %0, 160;" ::"r"(event) : "memory"); }
    static constexpr int D00 = 3, D10 = 4;

    __device__ void tell_failure(int half, int good) const
    {
        if (good < TB) *(volatile int64_t *)p.info = p.info_base + j * NB + half * TB + good + 1;
    }

    /* One warp's part, of `warps`: strips of tiles `first` to `end` - 1 of the three from `to` on less the products of half k of S */
    __device__ void subtract(int to, int k, int first, int end, int warp, int warps) const
    {
#pragma unroll 1
        for (int u = first * 4 + warp; u < end * 4; u += warps) {
            const int q = u / 4; /* 00, 10, 11 */
            update_tile<T>(to + q, S + (q + 1) / 2 * 2 + k, S + q / 2 * 2 + k, u % 4 * 8, at.lane);
        }
    }

    __device__ void put_part(int q, int warp, int warps) const
    {
#pragma unroll 1
        for (int w = warp; w < 4; w += warps) put_quarter(p, tile<T>(D + q), j, j, (q + 1) / 2, q / 2, w, at.lane, 4);
    }

    /* By warps 0 to 3 */
    __device__ void factor_by_quarters() const
    {
        const int warp = at.warp, lane = at.lane, rest = p.n - j * NB;
        if (warp == 0) {
            const int good = factor_tile<T>(D, 0, min(TB, rest), lane);
            if (lane == 0) m.h[0].good = good;
        } else if (j > 0) {
            subtract(D, 1, 1, 3, warp - 1, 3);
        }
        first_four();
        if (warp == 0) tell(D00);
        if (m.h[0].good < TB || !wide()) {
            put_part(0, warp, 4);
            if (at.tid == 0) tell_failure(0, m.h[0].good);
            __syncwarp();
            if (warp == 0) tell(D10);
            return;
        }
        if (warp == 0) {
            solve_tile<T>(D + 1, D, 0, lane);
            __syncwarp();
            tell(D10);
        } else {
            put_part(0, warp - 1, 3);
        }
        first_four();
        update_tile<T>(D + 2, D + 1, D + 1, warp * 8, lane);
        first_four();
        if (warp == 0) {
            const int good = factor_tile<T>(D + 2, 1, min(TB, rest - TB), lane);
            if (lane == 0) {
                m.h[1].good = good;
                tell_failure(1, good);
                m.factored = 1;
            }
        } else {
            put_raw(p.diagonal(j), tile<T>(D), 2, at.tid - 32, 96);
            put_part(1, warp - 1, 3);
        }
    }

    /* By warps 2 and 3: what is left of (j,j) to be stored */
    __device__ void tell_diagonal() const
    {
        const int thread = at.tid - 64;
        put_raw(p.diagonal(j) + 2 * TILE, tile<T>(D + 2), 1, thread, 64);
        p.inv[j * NB + thread] = m.h[thread / TB].inv[thread % TB];
        asm volatile("bar.sync 5, 64;" ::: "memory");
        if (thread == 0 && m.h[1].good == TB) publish(p.w.row(j), j + 1);
        put_part(2, at.warp - 2, 2);
    }

    /* D := its factor. False: it is not positive definite. */
    __device__ bool factor_diagonal() const
    {
        if (at.warp < 4)
            factor_by_quarters();
        else
            solve_early();
        __syncthreads();
        if (m.h[0].good < TB || !wide()) return m.h[0].good == TB;
        if (at.warp == 2 || at.warp == 3) tell_diagonal();
        return m.h[1].good == TB;
    }

    /* By one thread: S and N are there in global memory, bring them. In the first step they are the matrix's own. */
    __device__ void ask() const
    {
        constexpr int BYTES = TILE * sizeof(T);
        const uint32_t barrier = shared_address(&m.came);
        fence();
        between_engines();
        barrier_expect(barrier, 7 * BYTES);
        bulk_copy(shared_address(tile<T>(S)), p.packed_tile(j + 1, j), 4 * BYTES, barrier);
        bulk_copy(shared_address(tile<T>(N)), p.diagonal(j + 1), 3 * BYTES, barrier);
    }

    /* Until they are in shared memory, by `warps` of them */
    __device__ void receive(int w, int warps) const
    {
        if (j > 0) {
            barrier_wait(shared_address(&m.came), (j - 1) % 2);
            return;
        }
        fetch_tile(p, tile<T>(S), 1, 0, w, at.lane, warps);
        fetch_tile(p, tile<T>(N), 1, 1, w, at.lane, warps);
        __pipeline_commit();
        __pipeline_wait_prior(0);
    }

    /* Strip u of eight of the right half of S less the product of its left half and D10 */
    __device__ void subtract_left(int u) const
    {
        const int row = S + u / 4 * 2;
        update_tile<T>(row + 1, row, D + 1, u % 4 * 8, at.lane);
    }

    /* By warps 4 to 7 while others factor D */
    __device__ void solve_early() const
    {
        const int w = at.warp - 4;
        if (j > 0) {
            put_packed(p, tile<T>(S), j, j - 1, w, at.lane, 4);
            last_four();
            if (w == 0 && at.lane == 0) publish(p.w.row(j), j);
            put_tile(p, tile<T>(S), j, j - 1, w, at.lane, 4);
        }
        hear(D00);
        if (w == 0 && at.lane == 0) {
            const bool waits = !last() && m.h[0].good == TB;
            bool there = waits && ready();
            while (waits && !there && !m.factored) there = ready();
            if (there && j > 0) ask();
            m.early = there;
        }
        last_four();
        if (m.early) {
            receive(w, 4);
            last_four();
            if (w < 2) solve_tile<T>(S + 2 * w, D, 0, at.lane);
        }
        hear(D10);
        if (!m.early) return;
        subtract_left(w);
        subtract_left(w + 4);
        subtract(N, 0, 0, 2, w, 4);
    }

    /* The same by all warps, as soon as it comes. False: nobody has taken the task, or the matrix is not positive definite. */
    __device__ bool solve_left() const
    {
        if (at.tid == 0) {
            bool there = ready(), others = true;
            while (!there && others && !failed(p)) {
                others = peek(p.w.ticket()) > list::ticket_of_next(p.nt, j);
                there = ready();
            }
            if (there && j > 0) ask();
            m.there = there;
        }
        __syncthreads();
        if (!m.there) return false;
        receive(at.warp, WARPS);
        __syncthreads();
        if (at.warp < 2) solve_tile<T>(S + 2 * at.warp, D, 0, at.lane);
        __syncthreads();
        subtract_left(at.warp);
        __syncthreads();
        return true;
    }

    /* Goes on to the end, or to a task nobody has taken. Sets m.ended. */
    __device__ void go_on()
    {
        if (at.tid == 0) {
            m.ended = 0;
            m.factored = 0;
        }
        if (resumed || j == 0) {
            fetch_tile(p, tile<T>(D), j, j, at.warp, at.lane, WARPS);
            if (resumed && at.tid < NB) m.h[at.tid / TB].inv[at.tid % TB] = __ldcg(p.inv + j * NB + at.tid);
            __pipeline_commit();
            __pipeline_wait_prior(0);
            __syncthreads();
        }
        for (;; j++) {
            if (!resumed && (!factor_diagonal() || last())) break;
            const bool late = resumed || !m.early;
            resumed = late && !solve_left();
            if (resumed) {
                before_copies();
                return;
            }
            if (at.warp < 2)
                solve_tile<T>(S + 2 * at.warp + 1, D + 2, 1, at.lane);
            else if (at.warp >= 4)
                subtract(N, 0, late ? 0 : 2, 3, at.warp - 4, 4);
            __syncthreads();
            update_whole<T>(N, S + 1, S + 1, at.warp, at.lane);
            if (at.tid == 0) m.factored = 0;
            before_copies();
            __syncthreads();
            const int next = N;
            N = D;
            D = next;
        }
        if (at.tid == 0) m.ended = 1;
    }
};

} // namespace flow
} // namespace tsl
#endif
