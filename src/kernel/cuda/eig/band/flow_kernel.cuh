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

/* Has the chunk no more turns after s sweeps? */
template <class A> __device__ __forceinline__ bool is_over(const A &a, int t, int s)
{
    if constexpr (A::IN_PART) return s >= a.sweeps;
    else return s >= a.sweeps || !a.has(t, s);
}

/* Chunks in registers, each in its own */
template <class C> __device__ __forceinline__ void chase_held(const C &me, int first)
{
    using F = typename C::F;
    using A = typename C::A;
    const A &a = me.f.a;
    blocks<F> k[F::HELD];
    if constexpr (!A::IN_PART)
#pragma unroll
        for (int q = 0; q < F::HELD; q++)
            if (q < me.f.each && a.has(first + q, 0)) me.load(k[q], first + q);
    for (int s = 0, head = 0; !is_over(a, first, s); s++) {
#pragma unroll
        for (int q = 0; q < F::HELD; q++) {
            if (q >= me.f.each || !a.takes(first + q, s)) continue;
            if constexpr (A::IN_PART)
                if (s == a.first_sweep(first + q)) me.enter(k[q], first + q, q, s);
            step(me, k[q], me.turn_of(first + q, q, s, head));
        }
        if (++head == a.kd) head = 0;
    }
    if constexpr (A::IN_PART)
#pragma unroll
        for (int q = 0; q < F::HELD; q++)
            if (q < me.f.each) me.leave(k[q], first + q);
}

/* More of them: each is fetched for its step */
template <class C> __device__ __forceinline__ void chase_parked(const C &me, int first)
{
    using F = typename C::F;
    using T = typename F::T;
    constexpr size_t SIZE = F::ELEMENTS * F::THREADS;
    using A = typename C::A;
    const A &a = me.f.a;
    T *const parked = me.f.parked ? me.f.parked + (size_t)first * SIZE : (T *)(me.lines + me.f.each);
    blocks<F> k;
    for (int round = 0; round < 2 * a.sweeps + me.f.each && !is_over(a, first, min(round / 2, a.sweeps - 1)); round++)
        for (int q = round % 2; q < me.f.each && q <= round; q += 2) {
            const int s = (round - q) / 2;
            if (s >= a.sweeps || !a.takes(first + q, s)) continue;
            bool enters = s == 0;
            if constexpr (A::IN_PART) enters = s == a.first_sweep(first + q);
            if (!enters) me.move(k, parked + q * SIZE, false);
            else if constexpr (A::IN_PART) me.enter(k, first + q, q, s);
            else me.load(k, first + q);
            step(me, k, me.turn_of(first + q, q, s, s % a.kd));
            me.move(k, parked + q * SIZE, true);
        }
    if constexpr (A::IN_PART)
        for (int q = 0; q < me.f.each; q++) {
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
    if (f.a.begins(first, 0))
        for (int i = threadIdx.x; i <= f.a.kd; i += F::THREADS) sh.first[i] = f.a.first(i, 0);
    __syncthreads();
    if constexpr (F::HELD > 0) chase_held(me, first);
    else chase_parked(me, first);
    __syncthreads();
    if (first == 0 && threadIdx.x == 0 && f.a.is_all()) f.a.d[f.a.sweeps] = re(sh.first[0]);
}

} // namespace tsl
#endif
