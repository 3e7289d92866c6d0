/* Band to bidiagonal form (gb2bd.cuh): all sweeps in one kernel, or a launch a round (sweeps_launch.cuh). */
#include "core/values.h"
#include "kernel/cuda/eig/band/gb2bd_flow.cuh"
#include "kernel/cuda/eig/band/gb2bd_round.cuh"
#include "kernel/cuda/eig/band/sweeps_launch.cuh"

namespace tsl {
namespace {

template <class T> upper_band<T> band_of(const tsl_leaf *l)
{
    upper_band<T> a = sweeps_of<upper_band<T>>(l, l->A.m - 1);
    a.d = (real_t<T> *)l->B.p, a.e = (real_t<T> *)l->C.p;
    a.left = kept_of<T>(&l->D, &l->E);
    a.right = kept_of<T>(&l->F, &l->G);
    return a;
}

template <class T> cudaError_t by_rounds(cudaStream_t stream, const upper_band<T> &a, void *work)
{
    gb_rounds<T> p = {};
    p.a = a;
    return launch_rounds(stream, gb_round<T>, p, 1, work);
}

template <class T> tsl_status launch_gb2bd(tsl_queue *q, const tsl_leaf *l)
{
    const cudaStream_t stream = tsl_cuda(q)->stream;
    const upper_band<T> a = band_of<T>(l);
    cudaError_t e = cudaSuccess;
    for (const tsl_array *A : {&l->D, &l->E, &l->F, &l->G})
        if (e == cudaSuccess) e = clear<T>(stream, A);
    if (e == cudaSuccess)
        e = launch_sweeps(stream, l, a, [&](bool *done) { return launch_form<gb_chaser, T, WIDEST>(stream, a, l->work, done); },
                          [&] { return by_rounds(stream, a, l->work); });
    return tsl_cuda_check(e, "gb2bd");
}

} // namespace
} // namespace tsl

static size_t workspace(const tsl_leaf *l)
{
    size_t bytes = 0;
    tsl::by_type(l->type, [&](auto zero) {
        using T = decltype(zero);
        return bytes = tsl::sweeps_workspace<tsl::gb_rounds<T>>(tsl::band_of<T>(l), tsl::WIDEST, l), TSL_OK;
    });
    return bytes;
}

static tsl_status gb2bd(tsl_queue *q, const tsl_leaf *l)
{
    return tsl::by_type(l->type, [=](auto zero) { return tsl::launch_gb2bd<decltype(zero)>(q, l); });
}

static int shapes(tsl_type) { return tsl::SHAPES; }

extern "C" const tsl_kernel_entry tsl_cuda_gb2bd_entry = {TSL_ALL_TYPES(gb2bd), 0, 0, workspace, NULL, shapes};
