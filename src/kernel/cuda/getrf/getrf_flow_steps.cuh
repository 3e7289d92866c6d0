/* Steps of getrf_flow.cuh: those that another CTA has taken, and those of the CTA's own columns. */
#ifndef TSL_CUDA_GETRF_FLOW_STEPS_CUH
#define TSL_CUDA_GETRF_FLOW_STEPS_CUH

#include "kernel/cuda/getrf/getrf_flow.cuh"

namespace tsl {
namespace flow {

template <class F> __device__ inline void elimination<F>::keep(const T (&a)[F::COLS], int count, T *to) const
{
#pragma unroll
    for (int c = 0; c < F::COLS; c += EACH) {
        pack<T, EACH> v;
#pragma unroll
        for (int e = 0; e < EACH; e++) v.x[e] = c + e < count ? a[c + e] : make<T>(0);
        *(pack<T, EACH> *)(to + c) = v;
    }
}

template <class F> template <int BY>
__device__ inline void elimination<F>::update(const T (&l)[HAS], const T *u)
{
#pragma unroll
    for (int c = 0; c < F::COLS; c += EACH) {
        const pack<T, EACH> v = get<EACH>(u + c);
#pragma unroll
        for (int e = 0; e < EACH; e++)
#pragma unroll
            for (int h = 0; h < HAS; h++)
                if (c + e >= BY) x[h][c + e - BY] = sub_mul<false>(x[h][c + e], l[h], v.x[e]);
    }
}

template <class F> __device__ inline void elimination<F>::exchange(int k, int from, const bool (&taken)[HAS])
{
#pragma unroll
    for (int h = 0; h < HAS; h++) {
        if (place[h] == k) place[h] = from;
        if (taken[h]) place[h] = k, active[h] = false;
    }
}

template <class F> __device__ inline void elimination<F>::follow(int k, message<F> (&next)[HAS])
{
    const int turn = k & 1;
    bool taken[HAS];
    T l[HAS];
    for (bool all = false; !all;) {
        all = true;
#pragma unroll
        for (int h = 0; h < HAS; h++)
            if (active[h] && !next[h].is_of(k)) next[h].fetch(message_at(k, h));
#pragma unroll
        for (int h = 0; h < HAS; h++) all = all && (!active[h] || next[h].is_of(k));
    }
#pragma unroll
    for (int h = 0; h < HAS; h++) {
        taken[h] = active[h] && next[h].of_pivot();
        l[h] = active[h] && !taken[h] ? next[h].number() : make<T>(0);
        if (active[h] && k + AHEAD < p.steps) next[h].fetch(message_at(k + AHEAD, h));
        if (taken[h]) keep(x[h], F::COLS, s.row[turn][0]), s.places[turn][0] = place[h];
    }
    __syncthreads();
    exchange(k, s.places[turn][0], taken);
    update<0>(l, s.row[turn][0]);
}

template <class F> __device__ inline void elimination<F>::follow_all(int steps)
{
    message<F> next[AHEAD][HAS];
#pragma unroll
    for (int a = 0; a < AHEAD; a++)
#pragma unroll
        for (int h = 0; h < HAS; h++)
            if (a < steps && active[h]) next[a][h].fetch(message_at(a, h));
    for (int k = 0; k < steps; k += AHEAD)
#pragma unroll
        for (int a = 0; a < AHEAD; a++)
            if (k + a < steps) follow(k + a, next[a]);
}

template <class F> __device__ inline void elimination<F>::lead(int k, int count)
{
    const int turn = k & 1, warps = blockDim.x / 32;
    key mine = 0;
    int at_row = 0, there = place[0];
#pragma unroll
    for (int h = 0; h < HAS; h++) {
        const key a = active[h] ? key_of(x[h][0]) : 0;
        if (a > mine || (a == mine && place[h] < there)) mine = a, at_row = h, there = place[h];
    }
    if (lane == choose<T>(mine, there)) {
#pragma unroll
        for (int h = 0; h < HAS; h++)
            if (h == at_row) keep(x[h], count, s.row[turn][warp]);
        s.keys[turn][warp] = mine;
        s.places[turn][warp] = mine ? there : -1;
    }
    __syncthreads();
    const int at = lane < warps ? s.places[turn][lane] : -1, who = choose<T>(lane < warps ? s.keys[turn][lane] : 0, at);
    const int from = __shfl_sync(ALL_LANES, at, who);
    const T *const u = s.row[turn][who], pivot = u[0];
    const divisor<T> by_pivot(pivot);
    bool taken[HAS], heard[HAS];
    T l[HAS], done[HAS];
#pragma unroll
    for (int h = 0; h < HAS; h++) heard[h] = active[h], taken[h] = active[h] && place[h] == from;
    exchange(k, from, taken);
#pragma unroll
    for (int h = 0; h < HAS; h++) {
        l[h] = active[h] ? by_pivot(x[h][0], pivot) : make<T>(0);
        done[h] = active[h] ? l[h] : x[h][0];
    }
    update<1>(l, u);
#pragma unroll
    for (int h = 0; h < HAS; h++) x[h][F::COLS - 1] = done[h];
#pragma unroll
    for (int h = 0; h < HAS; h++)
        if (heard[h] && first + F::COLS < p.n) message<F>::send(message_at(k, h), k, taken[h], l[h]);
    if (tid == 0) {
        p.piv[k] = p.first + 1 + from;
        if (by_pivot.state == divisor<T>::ZERO) told_zero(k);
    }
}

template <class F> __device__ inline void elimination<F>::told_zero(int k) const
{
    const unsigned long long mine = (unsigned long long)(p.info_base + k + 1);
    unsigned long long *const info = (unsigned long long *)p.info;
    unsigned long long old = *(volatile unsigned long long *)info;
    while (old == 0 || old > mine) {
        const unsigned long long was = atomicCAS(info, old, mine);
        if (was == old) break;
        old = was;
    }
}

} // namespace flow
} // namespace tsl
#endif
