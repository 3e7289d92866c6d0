/* All sweeps in one kernel: the order of steps (flow.cuh). */
#ifndef TSL_CUDA_FLOW_KERNEL_CUH
#define TSL_CUDA_FLOW_KERNEL_CUH

#include "kernel/cuda/eig/band/flow.cuh"

namespace tsl {

template <class C> constexpr size_t flow_bytes(int each, bool parked)
{
    using F = typename C::F;
    return sizeof(typename C::S) + each * (sizeof(typename C::L) + (parked ? sizeof(blocks<F>) * F::THREADS : 0));
}

template <class C> __device__ __forceinline__ void step(const C &me, blocks<typename C::F> &k, const turn &p)
{
    me.template receive_lines<C::BY_ROWS>(p);
    if (p.s > 0) me.shift(k, p);
    me.transform(k, p);
}

/* Chunks in registers, each in its own */
template <class C> __device__ __forceinline__ void chase_held(const C &me, int first)
{
    using F = typename C::F;
    const typename C::A &a = me.f.a;
    blocks<F> k[F::HELD];
#pragma unroll
    for (int q = 0; q < F::HELD; q++)
        if (q < me.f.each && a.has(first + q, 0)) me.load(k[q], first + q);
    for (int s = 0, head = 0; s < a.sweeps && a.has(first, s); s++) {
#pragma unroll
        for (int q = 0; q < F::HELD; q++)
            if (q < me.f.each && a.has(first + q, s)) step(me, k[q], me.turn_of(first + q, q, s, head));
        if (++head == a.kd) head = 0;
    }
#pragma unroll
    for (int q = 0; q < F::HELD; q++)
        if (q < me.f.each && a.has(first + q, a.sweeps - 1)) me.leave(k[q], first + q);
}

/* More of them: each is fetched for its step */
template <class C> __device__ __forceinline__ void chase_parked(const C &me, int first)
{
    using F = typename C::F;
    using T = typename F::T;
    constexpr size_t SIZE = F::ELEMENTS * F::THREADS;
    const typename C::A &a = me.f.a;
    T *const parked = me.f.parked ? me.f.parked + (size_t)first * SIZE : (T *)(me.lines + me.f.each);
    blocks<F> k;
    for (int round = 0; round < 2 * a.sweeps + me.f.each && a.has(first, min(round / 2, a.sweeps - 1)); round++)
        for (int q = round % 2; q < me.f.each && q <= round; q += 2) {
            const int s = (round - q) / 2;
            if (s >= a.sweeps || !a.has(first + q, s)) continue;
            if (s == 0) me.load(k, first + q);
            else me.move(k, parked + q * SIZE, false);
            step(me, k, me.turn_of(first + q, q, s, s % a.kd));
            me.move(k, parked + q * SIZE, true);
        }
    for (int q = 0; q < me.f.each && a.has(first + q, a.sweeps - 1); q++) {
        me.move(k, parked + q * SIZE, false);
        me.leave(k, first + q);
    }
}

/* C: a CTA's part */
template <class C>
__global__ __launch_bounds__(C::F::THREADS, 1) void chase(const __grid_constant__ flow<typename C::F, typename C::A> f)
{
    using F = typename C::F;
    using T = typename F::T;
    using S = typename C::S;
    using L = typename C::L;
    extern __shared__ __align__(16) unsigned char chase_memory[];
    S &sh = *(S *)chase_memory;
    L *const lines = (L *)(chase_memory + sizeof(S));
    const C me(f, sh, lines);
    const int first = (int)blockIdx.x * f.each;
    for (int i = threadIdx.x; i < f.each * (int)(sizeof(L) / sizeof(T)); i += F::THREADS) ((T *)lines)[i] = make<T>(0);
    if (first == 0)
        for (int i = threadIdx.x; i <= f.a.kd; i += F::THREADS) sh.first[i] = f.a.first(i);
    __syncthreads();
    if constexpr (F::HELD > 0) chase_held(me, first);
    else chase_parked(me, first);
    __syncthreads();
    if (first == 0 && threadIdx.x == 0 && f.a.is_all()) f.a.d[f.a.n - 1] = re(sh.first[0]);
}

} // namespace tsl
#endif
