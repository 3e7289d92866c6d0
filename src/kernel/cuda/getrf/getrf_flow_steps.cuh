/* Steps of getrf_flow.cuh: those that another CTA has taken, and those of the CTA's own columns. */
#ifndef TSL_CUDA_GETRF_FLOW_STEPS_CUH
#define TSL_CUDA_GETRF_FLOW_STEPS_CUH

#include "kernel/cuda/getrf/getrf_flow.cuh"

namespace tsl {
namespace flow {

template <class F> __device__ __forceinline__ void elimination<F>::show(int h, T *to) const
{
#pragma unroll
    for (int i = 0; i < HAS; i++)
        if (i == h)
#pragma unroll
            for (int c = 0; c < COLS; c += EACH) {
                pack<T, EACH> v;
#pragma unroll
                for (int e = 0; e < EACH; e++) v.x[e] = x[i][c + e];
                *(pack<T, EACH> *)(to + c) = v;
            }
}

template <class F>
template <int BY>
__device__ __forceinline__ void elimination<F>::update(int c, const T (&l)[HAS], const T *u)
{
    const pack<T, EACH> v = get<EACH>(u + c);
#pragma unroll
    for (int e = 0; e < EACH; e++)
#pragma unroll
        for (int h = 0; h < HAS; h++)
            if (c + e >= BY) x[h][c + e - BY] = sub_mul<false>(x[h][c + e], l[h], v.x[e]);
}

template <class F> __device__ __forceinline__ void elimination<F>::exchange(int k, int from, const bool (&taken)[HAS])
{
#pragma unroll
    for (int h = 0; h < HAS; h++) {
        place[h] = taken[h] ? k : place[h] == k ? from : place[h];
        active[h] = active[h] && !taken[h];
    }
}

template <class F> __device__ __forceinline__ void elimination<F>::follow(int k, message<F> &next)
{
    const int turn = k & 1;
    bool taken[HAS], any = false;
    T l[HAS];
    while (!next.is_there()) next.fetch(message<F>::at(p.messages, k, tid));
#pragma unroll
    for (int h = 0; h < HAS; h++) {
        taken[h] = next.of_pivot(h);
        l[h] = taken[h] ? make<T>(0) : next.number[h];
        any = any || taken[h];
    }
    if (k + AHEAD < p.steps) next.fetch(message<F>::at(p.messages, k + AHEAD, tid));
    if (any) {
        int h = 0, there = place[0];
#pragma unroll
        for (int i = 1; i < HAS; i++) h = taken[i] ? i : h, there = taken[i] ? place[i] : there;
        show(h, s.row[turn][0]);
        s.places[turn][0] = there;
    }
    __syncthreads();
#pragma unroll
    for (int c = 0; c < COLS; c += EACH) update<0>(c, l, s.row[turn][0]);
    exchange(k, s.places[turn][0], taken);
}

template <class F> __device__ inline void elimination<F>::follow_all(int steps)
{
    message<F> next[AHEAD];
#pragma unroll
    for (int a = 0; a < AHEAD; a++)
        if (a < steps) next[a].fetch(message<F>::at(p.messages, a, tid));
    for (int k = 0; k < steps; k += AHEAD)
#pragma unroll
        for (int a = 0; a < AHEAD; a++)
            if (k + a < steps) follow(k + a, next[a]);
}

/* Where tops are equal their keys are compared as a whole, and then places: seldom. */
template <class F> __device__ __forceinline__ void elimination<F>::compare()
{
    key of[HAS];
    unsigned best = 0;
    int equal = 0;
#pragma unroll
    for (int h = 0; h < HAS; h++) {
        of[h] = active[h] ? key_of(x[h][0]) : 0;
        best = max(best, top_of<T>(of[h]));
    }
    const unsigned most = largest(best);
    its_row = 0, its_place = place[0], mine = of[0];
#pragma unroll
    for (int h = HAS - 1; h >= 0; h--)
        if (top_of<T>(of[h]) == most) its_row = h, its_place = place[h], mine = of[h], ++equal;
    const unsigned who = __ballot_sync(ALL_LANES, equal > 0);
    has_it = lane == __ffs((int)who) - 1;
    if (most && ((who & (who - 1)) || __any_sync(ALL_LANES, equal > 1))) {
        its_place = INT_MAX, mine = 0;
#pragma unroll
        for (int h = 0; h < HAS; h++)
            if (of[h] > mine || (of[h] == mine && place[h] < its_place)) its_row = h, its_place = place[h], mine = of[h];
        has_it = lane == choose<T>(mine, its_place);
    }
}

template <class F> __device__ __forceinline__ void elimination<F>::tell(int k)
{
    const int turn = k & 1;
    if (!has_it) return;
    show(its_row, s.row[turn][warp]);
    s.tops[turn][warp] = top_of<T>(mine);
    s.keys[turn][warp] = mine;
    s.places[turn][warp] = mine ? its_place : -1;
}

/* l := x / pivot; rows that are done have none. */
template <class F> __device__ __forceinline__ void elimination<F>::divide(T pivot, T (&l)[HAS], bool *zero) const
{
    const divisor<T> by_pivot(pivot);
    *zero = by_pivot.state == divisor<T>::ZERO;
    if (by_pivot.state == divisor<T>::USUAL) {
        divisor<T> usual = by_pivot;
        usual.state = divisor<T>::USUAL; /* and so without branches */
#pragma unroll
        for (int h = 0; h < HAS; h++) l[h] = usual(x[h][0], pivot);
    } else {
#pragma unroll
        for (int h = 0; h < HAS; h++) l[h] = by_pivot(x[h][0], pivot);
    }
}

template <class F> __device__ __forceinline__ void elimination<F>::lead(int k, int c, bool last)
{
    const int turn = k & 1;
    tell(k);
    __syncthreads();
    const int who = choose_warp<T, F::WARPS>(s.tops[turn], s.keys[turn], s.places[turn], lane), from = s.places[turn][who];
    const T *const u = s.row[turn][who];
    bool taken[HAS], zero;
    T l[HAS], done[HAS];
    divide(u[0], l, &zero);
#pragma unroll
    for (int h = 0; h < HAS; h++) {
        taken[h] = active[h] && place[h] == from;
        const bool stays = taken[h] || !active[h];
        done[h] = stays ? x[h][0] : l[h];
        l[h] = stays ? make<T>(0) : l[h];
    }
    exchange(k, from, taken);
    if (first + COLS < p.n) {
        message<F> out_of;
#pragma unroll
        for (int h = 0; h < HAS; h++) out_of.set(h, l[h], taken[h]);
        out_of.send(message<F>::at(p.messages, k, tid));
    }
    update<1>(0, l, u);
    if (EACH == 1) update<1>(1, l, u);
    if (!last) compare();
#pragma unroll
    for (int b = EACH == 1 ? 2 : EACH; b < COLS; b += EACH) update<1>(b, l, u);
#pragma unroll
    for (int h = 0; h < HAS; h++) x[h][COLS - 1] = make<T>(0);
    keep_rows(c, done);
    if (tid == 0) {
        p.piv[k] = p.first + 1 + from;
        if (zero) told_zero(k);
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
