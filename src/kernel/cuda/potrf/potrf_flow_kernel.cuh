/* The kernel of potrf_flow.cuh. */
#ifndef TSL_CUDA_POTRF_FLOW_KERNEL_CUH
#define TSL_CUDA_POTRF_FLOW_KERNEL_CUH

#include "kernel/cuda/potrf/potrf_flow_spine.cuh"

namespace tsl {
namespace flow {

__device__ inline int multiprocessor()
{
    int id;
    asm("mov.u32 %0, %%smid;" : "=r"(id));
    return id;
}

/* The CTA's next ticket; -1: it has nothing more to do. CTAs on the spine's multiprocessor leave it alone. The spine takes none
 * past `most`, since those wait for the spine, nor one that another CTA takes at the same time: then it is 0, and the spine
 * goes on. */
template <class T> __device__ int take(const job<T> &p, room<T> &m, bool spine, int most)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        const bool stays = !m.stop && peek(p.info) == 0 && (spine || peek(p.w.place()) != multiprocessor() + 1);
        const int next = spine ? peek(p.w.ticket()) : 0;
        if (!stays)
            m.ticket = -1;
        else if (!spine)
            m.ticket = atomicAdd(p.w.ticket(), 1);
        else
            m.ticket = next <= most && atomicCAS(p.w.ticket(), next, next + 1) == next ? next : 0;
    }
    __syncthreads();
    return m.ticket;
}

template <class T> __global__ __launch_bounds__(THREADS, PER_SM<T>) void factor_matrix(const __grid_constant__ job<T> p)
{
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    room<T> &m = here<T>();
    const hand at = {(int)threadIdx.x, (int)threadIdx.x / 32, (int)threadIdx.x % 32};
    if (at.tid == 0) {
        for (int s = 0; s < STAGES<T>; s++) {
            barrier_make(shared_address(m.full + s), 1);
            barrier_make(shared_address(m.empty + s), WARPS);
        }
        barrier_make(shared_address(&m.solver), 1);
        spine<T>::make_barriers(m);
        barriers_made();
        m.stop = 0;
    }
    spine<T> down(p, m, at);
    list tickets = {p.nt, 0, 1};
    uint32_t slabs = 0, solved = 0;
    bool goes_down = false;
    for (;;) {
        const int ticket = take(p, m, goes_down, goes_down ? list::ticket_of_next(p.nt, down.j) : 0);
        task t;
        if (ticket < 0) return;
        if (ticket == 0) {
            goes_down = true;
            if (at.tid == 0) publish(p.w.place(), multiprocessor() + 1);
        } else if (tickets.find(ticket, &t)) {
            compute(p, t, slabs, solved, at);
            slabs += t.depth * SLABS<T>;
            solved += t.solve;
        } else if (!goes_down) {
            return;
        }
        if (!goes_down) continue;
        __syncthreads();
        down.go_on();
        __syncthreads();
        if (m.ended) return;
    }
#endif
}

} // namespace flow
} // namespace tsl
#endif
