/* What the launches of bulge chasing have in common: all sweeps in one kernel, or, of a band that is too wide for that and on
 * devices older than sm_90, a launch a round. The leaf's shape chooses: 1 all at once, 2 by rounds. */
#ifndef TSL_CUDA_SWEEPS_LAUNCH_CUH
#define TSL_CUDA_SWEEPS_LAUNCH_CUH

#include "kernel/cuda/eig/band/flow_launch.cuh"
#include "kernel/cuda/eig/band/round.cuh"
#include "kernel/cuda/leaf.h"

namespace tsl {

enum { ALL_AT_ONCE = 1, BY_ROUNDS, SHAPES = BY_ROUNDS };

template <class T> kept<T> kept_of(const tsl_array *V, const tsl_array *tau)
{
    return V->n > 0 ? kept<T>{(T *)V->p, (T *)tau->p, V->ld, tau->ld} : kept<T>{};
}

/* The band in A, of kd diagonals beside the main one */
template <class A> A sweeps_of(const tsl_leaf *l, int64_t kd)
{
    A a = {};
    a.n = l->A.n;
    a.kd = (int)tsl_min(kd, a.n - 1);
    a.AB = (const typename A::T *)l->A.p, a.ldab = l->A.ld;
    a.chunks = a.kd > 0 ? (int)tsl_pieces(a.n - 1, a.kd) : 0;
    a.sweeps = (int)tsl_max(0, a.n - 1);
    return a;
}

template <class A> bool goes_at_once(const A &a, const tsl_leaf *l)
{
    return a.kd <= WIDEST && a.chunks <= MOST_CHUNKS && l->shape != BY_ROUNDS;
}

/* The band with room for the bulges, and three lines of each chunk */
template <class P> size_t rounds_workspace(const decltype(P::a) &a)
{
    using T = typename P::T;
    const size_t lines = tsl_times((size_t)a.chunks + 1, 3 * (size_t)(a.kd + 1) * sizeof(T));
    return aligned(tsl_times(tsl_times(P::ROWS * (size_t)a.kd, (size_t)a.columns()), sizeof(T))) + lines;
}

template <class P> size_t sweeps_workspace(const decltype(P::a) &a, size_t slots, const tsl_leaf *l)
{
    const size_t at_once = flow_workspace<typename P::T>(slots, a.chunks), by_rounds = rounds_workspace<P>(a);
    return goes_at_once(a, l) && at_once > by_rounds ? at_once : by_rounds;
}

inline launch_shape of(int64_t threads)
{
    return {(threads + ROUND_THREADS - 1) / ROUND_THREADS, ROUND_THREADS, 0, 1, false, false};
}

/* Rounds of p.a, whose sweeps leave kb diagonals beside the main one; p.W is then the narrower band. */
template <class P> cudaError_t launch_rounds(cudaStream_t stream, void (*round_of)(P, int), P &p, int kb, void *work)
{
    using T = typename P::T;
    const int64_t elements = P::ROWS * (int64_t)p.a.kd * p.a.columns(), line = (int64_t)(p.a.chunks + 1) * (p.a.kd + 1);
    p.W = (T *)work;
    p.v = (T *)((char *)work + aligned((size_t)elements * sizeof(T)));
    p.u = p.v + line, p.x = p.u + line;
    cudaError_t e = launch(unpack<P>, of(elements), stream, p);
    /* chunks up to the round's; all of a band have their turn while they have rows: (round - t) / 2 + kb + t kd < n */
    const int64_t most = 2 * (int64_t)p.a.sweeps + p.a.chunks, last = p.a.IN_PART ? most : tsl_min(2 * (p.a.n - kb), most);
    for (int64_t round = 0; round < last && e == cudaSuccess; round++)
        e = launch(round_of, {tsl_min(p.a.chunks - 1, round) / 2 + 1, ROUND_THREADS, 0, 1, false, false}, stream, p, (int)round);
    return e;
}

/* What is no reflector's */
template <class T> cudaError_t clear(cudaStream_t stream, const tsl_array *A)
{
    if (A->m < 1 || A->n < 1) return cudaSuccess;
    return cudaMemset2DAsync(A->p, (size_t)A->ld * sizeof(T), 0, (size_t)A->m * sizeof(T), (size_t)A->n, stream);
}

/* `at_once(&done)` launches one kernel where there is room for it, `by_rounds()` the rounds. */
template <class A, class F, class G> cudaError_t launch_sweeps(cudaStream_t stream, const tsl_leaf *l, const A &a, F at_once, G by_rounds)
{
    if (a.kd == 0) return launch(diagonal<A>, of(a.n), stream, a);
    bool new_enough = false, done = false;
    cudaError_t e = has_sm90(&new_enough);
    if (e == cudaSuccess && new_enough && goes_at_once(a, l)) e = at_once(&done);
    return e != cudaSuccess || done ? e : by_rounds();
}

} // namespace tsl
#endif
