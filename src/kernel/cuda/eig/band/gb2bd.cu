/* Band to bidiagonal form (gb2bd.cuh): all sweeps in one kernel, or, of a band that is too wide for that and on devices older
 * than sm_90, a launch a round. The leaf's shape chooses: 1 all at once, 2 by rounds. */
#include "core/values.h"
#include "kernel/cuda/eig/band/flow_launch.cuh"
#include "kernel/cuda/eig/band/gb2bd_flow.cuh"
#include "kernel/cuda/eig/band/gb2bd_round.cuh"
#include "kernel/cuda/leaf.h"

namespace tsl {
namespace {

enum { ALL_AT_ONCE = 1, BY_ROUNDS, SHAPES = BY_ROUNDS };

template <class T> kept<T> kept_of(const tsl_array *V, const tsl_array *tau)
{
    return V->n > 0 ? kept<T>{(T *)V->p, (T *)tau->p, V->ld, tau->ld} : kept<T>{};
}

template <class T> upper_band<T> band_of(const tsl_leaf *l)
{
    upper_band<T> a = {};
    a.n = l->A.n;
    a.kd = (int)tsl_min(l->A.m - 1, a.n - 1);
    a.AB = (const T *)l->A.p, a.ldab = l->A.ld;
    a.d = (real_t<T> *)l->B.p, a.e = (real_t<T> *)l->C.p;
    a.left = kept_of<T>(&l->D, &l->E);
    a.right = kept_of<T>(&l->F, &l->G);
    a.chunks = a.kd > 0 ? (int)tsl_pieces(a.n - 1, a.kd) : 0;
    return a;
}

/* What is diagonal, as it is */
template <class T> __global__ void diagonal(const __grid_constant__ upper_band<T> a)
{
    const int64_t i = blockIdx.x * (int64_t)ROUND_THREADS + threadIdx.x;
    if (i < a.n) a.d[i] = re(a.AB[i * a.ldab]);
    if (i + 1 < a.n) a.e[i] = 0;
}

bool goes_at_once(int kd, int chunks, const tsl_leaf *l) { return kd <= WIDEST && chunks <= MOST_CHUNKS && l->shape != BY_ROUNDS; }

template <class T> size_t workspace_of(const tsl_leaf *l)
{
    const upper_band<T> a = band_of<T>(l);
    const size_t lines = tsl_times((size_t)a.chunks, 3 * (size_t)(a.kd + 1) * sizeof(T)), at_once = flow_workspace<T>(WIDEST, a.chunks);
    const size_t by_rounds = aligned(tsl_times(tsl_times(3 * (size_t)a.kd, (size_t)a.n), sizeof(T))) + lines;
    return goes_at_once(a.kd, a.chunks, l) && at_once > by_rounds ? at_once : by_rounds;
}

template <class T> tsl_status by_rounds(cudaStream_t stream, const tsl_leaf *l)
{
    gb_rounds<T> p = {};
    p.a = band_of<T>(l);
    const int64_t elements = 3 * (int64_t)p.a.kd * p.a.n, line = (int64_t)p.a.chunks * (p.a.kd + 1);
    p.W = (T *)l->work;
    p.v = (T *)((char *)l->work + aligned((size_t)elements * sizeof(T)));
    p.u = p.v + line, p.x = p.u + line;
    cudaError_t e = launch(gb_unpack<T>, {(elements + ROUND_THREADS - 1) / ROUND_THREADS, ROUND_THREADS, 0, 1, false, false}, stream, p);
    for (int64_t round = 0; round < 2 * (p.a.n - 1) && e == cudaSuccess; round++)
        e = launch(gb_round<T>, {tsl_min(p.a.chunks - 1, round) / 2 + 1, ROUND_THREADS, 0, 1, false, false}, stream, p, (int)round);
    return tsl_cuda_check(e, "gb2bd");
}

template <class T> cudaError_t clear(const kept<T> &to, const tsl_array *V, const tsl_array *tau, cudaStream_t stream)
{
    if (!to.V) return cudaSuccess;
    const cudaError_t e = cudaMemset2DAsync(to.V, (size_t)to.ldv * sizeof(T), 0, (size_t)V->m * sizeof(T), (size_t)V->n, stream);
    return e != cudaSuccess ? e : cudaMemset2DAsync(to.tau, (size_t)to.ldt * sizeof(T), 0, (size_t)tau->m * sizeof(T), (size_t)tau->n, stream);
}

template <class T> tsl_status launch_gb2bd(tsl_queue *q, const tsl_leaf *l)
{
    const cudaStream_t stream = tsl_cuda(q)->stream;
    const upper_band<T> a = band_of<T>(l);
    bool new_enough = false, done = false;
    cudaError_t e = has_sm90(&new_enough);
    if (e == cudaSuccess) e = clear(a.left, &l->D, &l->E, stream); /* what is no reflector's */
    if (e == cudaSuccess) e = clear(a.right, &l->F, &l->G, stream);
    if (e != cudaSuccess) return tsl_cuda_check(e, "gb2bd");
    if (a.kd == 0) return tsl_cuda_check(launch(diagonal<T>, {(a.n + ROUND_THREADS - 1) / ROUND_THREADS, ROUND_THREADS, 0, 1, false, false}, stream, a), "gb2bd");
    if (new_enough && goes_at_once(a.kd, a.chunks, l)) e = launch_form<gb_chaser, T, WIDEST>(stream, a, l->work, &done);
    return e != cudaSuccess ? tsl_cuda_check(e, "gb2bd") : done ? TSL_OK : by_rounds<T>(stream, l);
}

} // namespace
} // namespace tsl

static size_t workspace(const tsl_leaf *l)
{
    size_t bytes = 0;
    tsl::by_type(l->type, [&](auto zero) { return bytes = tsl::workspace_of<decltype(zero)>(l), TSL_OK; });
    return bytes;
}

static tsl_status gb2bd(tsl_queue *q, const tsl_leaf *l)
{
    return tsl::by_type(l->type, [=](auto zero) { return tsl::launch_gb2bd<decltype(zero)>(q, l); });
}

static int shapes(tsl_type) { return tsl::SHAPES; }

extern "C" const tsl_kernel_entry tsl_cuda_gb2bd_entry = {TSL_ALL_TYPES(gb2bd), 0, 0, workspace, NULL, shapes};
