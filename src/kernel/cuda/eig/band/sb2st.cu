/* Band to tridiagonal form (sb2st.cuh), or some sweeps of it: all in one kernel, or a launch a round (sweeps_launch.cuh). Band
 * to a narrower band goes by rounds. */
#include "core/values.h"
#include "kernel/cuda/eig/band/sb2st_flow.cuh"
#include "kernel/cuda/eig/band/sb2st_round.cuh"
#include "kernel/cuda/eig/band/sweeps_launch.cuh"

namespace tsl {
namespace {

constexpr int NARROW = 32; /* a band for which half as many slots are enough */

template <class T> band<T> band_of(const tsl_leaf *l, int64_t kd)
{
    band<T> a = sweeps_of<band<T>>(l, kd);
    a.d = (real_t<T> *)l->B.p, a.e = (real_t<T> *)l->C.p;
    a.right = kept_of<T>(&l->D, &l->E);
    a.reach = a.kd;
    return a;
}

template <class T> band<T> all_of(const tsl_leaf *l) { return band_of<T>(l, l->A.m - 1); }

/* Some sweeps */
template <class T> band<T> some_of(const tsl_leaf *l)
{
    band<T> a = band_of<T>(l, l->A.m / 2);
    a.sweeps = (int)l->k, a.reach = 2 * a.kd - 1;
    if (!a.is_all()) a.left = (T *)l->A.p;
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

template <class T> cudaError_t at_once(cudaStream_t stream, const band<T> &a, void *work, bool *done)
{
    if (a.kd <= NARROW) return launch_form<sb_chaser, T, NARROW>(stream, a, work, done);
    return launch_form<sb_chaser, T, WIDEST>(stream, a, work, done);
}

template <class T> cudaError_t by_rounds(cudaStream_t stream, const band<T> &a, void *work)
{
    sb_rounds<T> p = {};
    p.a = a, p.kb = 1;
    cudaError_t e = launch_rounds(stream, sb_round<T>, p, p.kb, work);
    if (e == cudaSuccess && a.left) e = launch(pack_left<T>, of(2 * a.kd * a.n), stream, p);
    return e != cudaSuccess ? e : launch(pack_tridiagonal<T>, of(a.n), stream, p);
}

template <class T> tsl_status launch_sb2sb(tsl_queue *q, const tsl_leaf *l)
{
    const cudaStream_t stream = tsl_cuda(q)->stream;
    sb_rounds<T> p = {};
    p.a = wider_band_of<T>(l), p.kb = (int)l->k;
    cudaError_t e = clear<T>(stream, &l->C);
    if (e == cudaSuccess) e = clear<T>(stream, &l->D);
    if (e == cudaSuccess) e = launch_rounds(stream, sb_round<T>, p, p.kb, l->work);
    if (e == cudaSuccess) e = launch(pack_band<T>, of((l->k + 1) * p.a.n), stream, p, (T *)l->B.p, l->B.ld);
    return tsl_cuda_check(e, "sb2sb");
}

template <class T> tsl_status launch_sb2st(tsl_queue *q, const tsl_leaf *l, const band<T> &a)
{
    const cudaStream_t stream = tsl_cuda(q)->stream;
    cudaError_t e = clear<T>(stream, &l->D);
    if (e == cudaSuccess) e = clear<T>(stream, &l->E);
    if (e == cudaSuccess)
        e = launch_sweeps(stream, l, a, [&](bool *done) { return at_once(stream, a, l->work, done); },
                          [&] { return by_rounds(stream, a, l->work); });
    return tsl_cuda_check(e, "sb2st");
}

} // namespace
} // namespace tsl

/* Both take as much: of the same order and width */
static size_t workspace_for(const tsl_leaf *l, int64_t kd)
{
    size_t bytes = 0;
    tsl::by_type(l->type, [&](auto zero) {
        using T = decltype(zero);
        const auto a = tsl::band_of<T>(l, kd);
        return bytes = tsl::sweeps_workspace<tsl::sb_rounds<T>>(a, a.kd <= tsl::NARROW ? tsl::NARROW : tsl::WIDEST, l), TSL_OK;
    });
    return bytes;
}
static size_t workspace(const tsl_leaf *l) { return workspace_for(l, l->A.m - 1); }
static size_t workspace_of_some(const tsl_leaf *l) { return workspace_for(l, l->A.m / 2); }

static tsl_status sb2st(tsl_queue *q, const tsl_leaf *l)
{
    return tsl::by_type(l->type, [=](auto zero) { return tsl::launch_sb2st(q, l, tsl::all_of<decltype(zero)>(l)); });
}

static tsl_status sb2st_some(tsl_queue *q, const tsl_leaf *l)
{
    return tsl::by_type(l->type, [=](auto zero) { return tsl::launch_sb2st(q, l, tsl::some_of<decltype(zero)>(l)); });
}

static size_t narrower_workspace(const tsl_leaf *l)
{
    size_t bytes = 0;
    tsl::by_type(l->type, [&](auto zero) {
        using T = decltype(zero);
        return bytes = tsl::rounds_workspace<tsl::sb_rounds<T>>(tsl::wider_band_of<T>(l)), TSL_OK;
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
