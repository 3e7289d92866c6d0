/* Band to tridiagonal form (sb2st.cuh), or some sweeps of it: all in one kernel, or a launch a round (sweeps_launch.cuh). Band
 * to a narrower band goes by rounds. */
#include "core/values.h"
#include "kernel/cuda/eig/band/sb2st_flow.cuh"
#include "kernel/cuda/eig/band/sb2st_round.cuh"
#include "kernel/cuda/eig/band/sweeps_launch.cuh"

namespace tsl {
namespace {

constexpr int NARROW = 32; /* a band for which half as many slots are enough */

template <class T> band<T> all_of(const tsl_leaf *l)
{
    band<T> a = sweeps_of<band<T>>(l, l->A.m - 1);
    a.d = (real_t<T> *)l->B.p, a.e = (real_t<T> *)l->C.p;
    a.right = kept_of<T>(&l->D, &l->E);
    a.reach = a.kd;
    return a;
}

/* Some chunks of some sweeps, counted from the lowest one on */
template <class T> part_of_band<T> some_of(const tsl_leaf *l)
{
    const tsl_sweeps_args *p = &l->sweeps;
    const int64_t base = tsl_max(0, p->begin - (l->k - 1)), kd = l->A.m / 2;
    const int64_t end = p->end ? p->end : tsl_pieces(p->order - p->first, kd);
    part_of_band<T> a = {};
    a.AB = a.W = (T *)l->A.p, a.ldab = l->A.ld;
    a.d = (real_t<T> *)l->B.p, a.e = (real_t<T> *)l->C.p;
    a.right = kept_of<T>(&l->D, &l->E);
    a.passing = (T *)l->F.p, a.ldp = l->F.ld;
    a.n = p->order, a.wide = l->A.n, a.kd = (int)kd, a.reach = 2 * a.kd - 1;
    a.sweeps = (int)l->k, a.chunks = (int)(end - base);
    a.origin = p->first + base * kd, a.begin = (int)(p->begin - base), a.end = (int)(end - base);
    a.top = base == 0 && p->begin < l->k, a.to_the_end = p->end == 0;
    return a;
}

/* The one that becomes a narrower one */
template <class T> band<T> wider_band_of(const tsl_leaf *l)
{
    band<T> a = sweeps_of<band<T>>(l, l->A.m - 1);
    a.right = kept_of<T>(&l->C, &l->D);
    a.kd = a.reach = (int)tsl_max(1, a.kd); /* of order 1 too */
    return a;
}

template <template <class> class C, class A> cudaError_t at_once(cudaStream_t stream, const A &a, void *work, bool *done)
{
    using T = typename A::T;
    if (a.kd <= NARROW) return launch_form<C, T, NARROW>(stream, a, work, done);
    return launch_form<C, T, WIDEST>(stream, a, work, done);
}

template <class A> cudaError_t by_rounds(cudaStream_t stream, const A &a, void *work)
{
    sb_rounds<A> p = {};
    p.a = a, p.kb = 1;
    cudaError_t e = launch_rounds(stream, sb_round<A>, p, p.kb, work);
    if constexpr (A::IN_PART)
        if (e == cudaSuccess) e = launch(pack_left<A>, of(2 * a.kd * a.wide), stream, p);
    return e != cudaSuccess ? e : launch(pack_tridiagonal<A>, of(a.sweeps + 1), stream, p);
}

template <class T> tsl_status launch_sb2sb(tsl_queue *q, const tsl_leaf *l)
{
    const cudaStream_t stream = tsl_cuda(q)->stream;
    sb_rounds<band<T>> p = {};
    p.a = wider_band_of<T>(l), p.kb = (int)l->k;
    cudaError_t e = clear<T>(stream, &l->C);
    if (e == cudaSuccess) e = clear<T>(stream, &l->D);
    if (e == cudaSuccess) e = launch_rounds(stream, sb_round<band<T>>, p, p.kb, l->work);
    if (e == cudaSuccess) e = launch(pack_band<band<T>>, of((l->k + 1) * p.a.n), stream, p, (T *)l->B.p, l->B.ld);
    return tsl_cuda_check(e, "sb2sb");
}

template <template <class> class C, class A> cudaError_t chase_of(cudaStream_t stream, const tsl_leaf *l, const A &a)
{
    return launch_sweeps(stream, l, a, [&](bool *done) { return at_once<C>(stream, a, l->work, done); },
                         [&] { return by_rounds(stream, a, l->work); });
}

template <class T> tsl_status launch_sb2st(tsl_queue *q, const tsl_leaf *l)
{
    const cudaStream_t stream = tsl_cuda(q)->stream;
    cudaError_t e = clear<T>(stream, &l->D);
    if (e == cudaSuccess) e = clear<T>(stream, &l->E);
    if (e == cudaSuccess) e = chase_of<sb_chaser>(stream, l, all_of<T>(l));
    return tsl_cuda_check(e, "sb2st");
}

} // namespace
} // namespace tsl

namespace tsl {
namespace {
template <class A> size_t workspace_for(const A &a, const tsl_leaf *l)
{
    return sweeps_workspace<sb_rounds<A>>(a, a.kd <= NARROW ? NARROW : WIDEST, l);
}
} // namespace
} // namespace tsl

static size_t workspace(const tsl_leaf *l)
{
    size_t bytes = 0;
    tsl::by_type(l->type, [&](auto zero) { return bytes = tsl::workspace_for(tsl::all_of<decltype(zero)>(l), l), TSL_OK; });
    return bytes;
}

static size_t workspace_of_some(const tsl_leaf *l)
{
    size_t bytes = 0;
    tsl::by_type(l->type, [&](auto zero) { return bytes = tsl::workspace_for(tsl::some_of<decltype(zero)>(l), l), TSL_OK; });
    return bytes;
}

static tsl_status sb2st(tsl_queue *q, const tsl_leaf *l)
{
    return tsl::by_type(l->type, [=](auto zero) { return tsl::launch_sb2st<decltype(zero)>(q, l); });
}

static tsl_status sb2st_some(tsl_queue *q, const tsl_leaf *l)
{
    return tsl::by_type(l->type, [=](auto zero) {
        const auto a = tsl::some_of<decltype(zero)>(l);
        return tsl_cuda_check(tsl::chase_of<tsl::sb_part_chaser>(tsl_cuda(q)->stream, l, a), "sb2st_some");
    });
}

static size_t narrower_workspace(const tsl_leaf *l)
{
    size_t bytes = 0;
    tsl::by_type(l->type, [&](auto zero) {
        using T = decltype(zero);
        return bytes = tsl::rounds_workspace<tsl::sb_rounds<tsl::band<T>>>(tsl::wider_band_of<T>(l)), TSL_OK;
    });
    return bytes;
}

static tsl_status sb2sb(tsl_queue *q, const tsl_leaf *l)
{
    return tsl::by_type(l->type, [=](auto zero) { return tsl::launch_sb2sb<decltype(zero)>(q, l); });
}

static int shapes(tsl_type) { return tsl::SHAPES; }

extern "C" const tsl_kernel_entry tsl_cuda_sb2st_entry = {TSL_ALL_TYPES(sb2st), 0, 0, workspace, NULL, shapes};
extern "C" const tsl_kernel_entry tsl_cuda_sb2st_some_entry = {TSL_ALL_TYPES(sb2st_some), 0, 0, workspace_of_some, NULL,
                                                               shapes};
extern "C" const tsl_kernel_entry tsl_cuda_sb2sb_entry = {TSL_ALL_TYPES(sb2sb), 0, 0, narrower_workspace, NULL, NULL};
