/* Band to tridiagonal form (sb2st.cuh): all sweeps in one kernel, or, of a band that is too wide for that and on devices older
 * than sm_90, a launch a round. The leaf's shape chooses: 1 all at once, 2 by rounds. Band to a narrower band goes by
 * rounds. */
#include "core/values.h"
#include "kernel/cuda/eig/band/flow_launch.cuh"
#include "kernel/cuda/eig/band/sb2st_flow.cuh"
#include "kernel/cuda/eig/band/sb2st_round.cuh"
#include "kernel/cuda/leaf.h"

namespace tsl {
namespace {

constexpr int NARROW = 32; /* a band for which half as many slots are enough */

enum { ALL_AT_ONCE = 1, BY_ROUNDS, SHAPES = BY_ROUNDS };

template <class T> band<T> band_of(const tsl_leaf *l, const tsl_array *V, const tsl_array *tau)
{
    band<T> a = {};
    a.n = l->A.n;
    a.kd = (int)tsl_min(l->A.m - 1, a.n - 1);
    a.AB = (const T *)l->A.p, a.ldab = l->A.ld;
    if (V->n > 0) a.V = (T *)V->p, a.ldv = V->ld, a.tau = (T *)tau->p, a.ldt = tau->ld;
    a.chunks = a.kd > 0 ? (int)tsl_pieces(a.n - 1, a.kd) : 0;
    return a;
}

template <class T> band<T> band_of(const tsl_leaf *l)
{
    band<T> a = band_of<T>(l, &l->D, &l->E);
    a.d = (real_t<T> *)l->B.p, a.e = (real_t<T> *)l->C.p;
    return a;
}

/* What is tridiagonal already and real, as it is */
template <class T> __global__ void diagonal(const __grid_constant__ band<T> a)
{
    const int64_t i = blockIdx.x * (int64_t)ROUND_THREADS + threadIdx.x;
    if (i < a.n) a.d[i] = re(a.AB[i * a.ldab]);
    if (i + 1 < a.n) a.e[i] = 0;
}

bool goes_at_once(int kd, int chunks, const tsl_leaf *l) { return kd <= WIDEST && chunks <= MOST_CHUNKS && l->shape != BY_ROUNDS; }

/* The band with room for the bulges, and three lines of each chunk */
template <class T> size_t rounds_workspace(const band<T> &a)
{
    const size_t lines = tsl_times((size_t)a.chunks, 3 * (size_t)(a.kd + 1) * sizeof(T));
    return aligned(tsl_times(tsl_times(2 * (size_t)a.kd, (size_t)a.n), sizeof(T))) + lines;
}

template <class T> size_t workspace_of(const tsl_leaf *l)
{
    const band<T> a = band_of<T>(l);
    const size_t at_once = flow_workspace<T>(a.kd <= NARROW ? NARROW : WIDEST, a.chunks), by_rounds = rounds_workspace(a);
    return goes_at_once(a.kd, a.chunks, l) && at_once > by_rounds ? at_once : by_rounds;
}

launch_shape of(int64_t threads) { return {(threads + ROUND_THREADS - 1) / ROUND_THREADS, ROUND_THREADS, 0, 1, false, false}; }

/* All sweeps down to kb diagonals; p.W is then the narrower band. */
template <class T> cudaError_t sweep(cudaStream_t stream, const band<T> &a, int kb, void *work, rounds<T> *q)
{
    rounds<T> &p = *q;
    p.a = a, p.kb = kb;
    const int64_t elements = 2 * (int64_t)a.kd * a.n, line = (int64_t)a.chunks * (a.kd + 1);
    p.W = (T *)work;
    p.v = (T *)((char *)work + aligned((size_t)elements * sizeof(T)));
    p.y = p.v + line, p.u = p.y + line;
    cudaError_t e = launch(unpack<T>, of(elements), stream, p);
    for (int64_t round = 0; round < 2 * (a.n - kb) && e == cudaSuccess; round++) {
        /* chunks up to the round's; chunk t has its turn while it has rows: (round - t) / 2 + kb + t kd < n */
        const int64_t most = tsl_min(a.chunks - 1, round);
        e = launch(chase_round<T>, {most / 2 + 1, ROUND_THREADS, 0, 1, false, false}, stream, p, (int)round);
    }
    return e;
}

template <class T> tsl_status by_rounds(cudaStream_t stream, const tsl_leaf *l)
{
    rounds<T> p = {};
    cudaError_t e = sweep(stream, band_of<T>(l), 1, l->work, &p);
    if (e == cudaSuccess) e = launch(pack_tridiagonal<T>, of(p.a.n), stream, p);
    return tsl_cuda_check(e, "sb2st");
}

/* What is no reflector's */
template <class T> cudaError_t clear(cudaStream_t stream, const tsl_array *A)
{
    if (A->m < 1 || A->n < 1) return cudaSuccess;
    return cudaMemset2DAsync(A->p, (size_t)A->ld * sizeof(T), 0, (size_t)A->m * sizeof(T), (size_t)A->n, stream);
}

template <class T> tsl_status launch_sb2sb(tsl_queue *q, const tsl_leaf *l)
{
    const cudaStream_t stream = tsl_cuda(q)->stream;
    band<T> a = band_of<T>(l, &l->C, &l->D);
    a.kd = (int)tsl_max(1, a.kd); /* of order 1 too */
    rounds<T> p = {};
    cudaError_t e = clear<T>(stream, &l->C);
    if (e == cudaSuccess) e = clear<T>(stream, &l->D);
    if (e == cudaSuccess) e = sweep(stream, a, (int)l->k, l->work, &p);
    if (e == cudaSuccess) e = launch(pack_band<T>, of((l->k + 1) * a.n), stream, p, (T *)l->B.p, l->B.ld);
    return tsl_cuda_check(e, "sb2sb");
}

template <class T> tsl_status launch_sb2st(tsl_queue *q, const tsl_leaf *l)
{
    const cudaStream_t stream = tsl_cuda(q)->stream;
    const band<T> a = band_of<T>(l);
    bool new_enough = false;
    cudaError_t e = has_sm90(&new_enough);
    if (e == cudaSuccess) e = clear<T>(stream, &l->D);
    if (e == cudaSuccess) e = clear<T>(stream, &l->E);
    if (e != cudaSuccess) return tsl_cuda_check(e, "sb2st");
    if (a.kd == 0) return tsl_cuda_check(launch(diagonal<T>, of(a.n), stream, a), "sb2st");
    bool done = false;
    if (new_enough && goes_at_once(a.kd, a.chunks, l)) {
        if (a.kd <= NARROW) e = launch_form<chaser, T, NARROW>(stream, a, l->work, &done);
        else e = launch_form<chaser, T, WIDEST>(stream, a, l->work, &done);
    }
    return e != cudaSuccess ? tsl_cuda_check(e, "sb2st") : done ? TSL_OK : by_rounds<T>(stream, l);
}

} // namespace
} // namespace tsl

static size_t workspace(const tsl_leaf *l)
{
    size_t bytes = 0;
    tsl::by_type(l->type, [&](auto zero) { return bytes = tsl::workspace_of<decltype(zero)>(l), TSL_OK; });
    return bytes;
}

static tsl_status sb2st(tsl_queue *q, const tsl_leaf *l)
{
    return tsl::by_type(l->type, [=](auto zero) { return tsl::launch_sb2st<decltype(zero)>(q, l); });
}

static size_t narrower_workspace(const tsl_leaf *l)
{
    size_t bytes = 0;
    tsl::by_type(l->type, [&](auto zero) {
        tsl::band<decltype(zero)> a = tsl::band_of<decltype(zero)>(l, &l->C, &l->D);
        a.kd = (int)tsl_max(1, a.kd);
        return bytes = tsl::rounds_workspace(a), TSL_OK;
    });
    return bytes;
}

static tsl_status sb2sb(tsl_queue *q, const tsl_leaf *l)
{
    return tsl::by_type(l->type, [=](auto zero) { return tsl::launch_sb2sb<decltype(zero)>(q, l); });
}

static int shapes(tsl_type) { return tsl::SHAPES; }

extern "C" const tsl_kernel_entry tsl_cuda_sb2st_entry = {TSL_ALL_TYPES(sb2st), 0, 0, workspace, NULL, shapes};
extern "C" const tsl_kernel_entry tsl_cuda_sb2sb_entry = {TSL_ALL_TYPES(sb2sb), 0, 0, narrower_workspace, NULL, NULL};
