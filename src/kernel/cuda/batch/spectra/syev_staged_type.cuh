/* Eigenproblems of middle order in batches, of one type: the order of the stages, and their workspace. */
#ifndef TSL_CUDA_SYEV_STAGED_TYPE_CUH
#define TSL_CUDA_SYEV_STAGED_TYPE_CUH

#include "core/values.h"
#include "kernel/cuda/batch/spectra/spectra_batch.cuh"
#include "kernel/cuda/batch/spectra/staged_back.cuh"
#include "kernel/cuda/batch/spectra/staged_load.cuh"
#include "kernel/cuda/batch/spectra/staged_values.cuh"
#include "kernel/cuda/carver.cuh"
#include "kernel/cuda/eig/tridiagonal/stedc_batch.cuh"
#include "kernel/cuda/launch.cuh"

namespace tsl::spectra {

static_assert(STAGED_FROM<double> > STEDC_BATCH_ABOVE && MOST_ROWS >= STEDC_BATCH_UP_TO, "all stages take them");

constexpr int64_t ROOM = (int64_t)1 << 30; /* bytes of workspace, or what one problem needs: a batch that needs more is cut */

/* The stages of `count` problems; *rest: workspace of divide and conquer */
template <class T> staged<T> carve(carver &room, const eig_batch<T> &p, int64_t count, void **rest)
{
    using R = real_t<T>;
    const int64_t n = p.n;
    staged<T> s = {};
    s.p = p, s.count = count, s.ld = (int)((n + 15) / 16 * 16);
    s.A = room.take<T>(count * n * s.ld);
    s.tau = room.take<T>(count * n);
    s.d = room.take<R>(count * n), s.e = room.take<R>(count * n);
    s.power = room.take<int>(count), s.state = room.take<int>(count);
    *rest = nullptr;
    if (p.columns == 0) return s;
    s.factor = room.take<T>(count * n * PANEL<T>);
    s.Z = room.take<R>(count * n * n);
    *rest = room.take<char>((int64_t)tsl_stedc_batch_workspace<R>(n, count));
    return s;
}

template <class T> size_t bytes_for(const eig_batch<T> &p, int64_t count)
{
    carver room = {};
    void *rest;
    carve(room, p, count, &rest);
    return room.used;
}

/* How many problems go through the stages together: pieces are about of one size */
template <class T> int64_t at_once(const eig_batch<T> &p)
{
    const int64_t each = (int64_t)bytes_for(p, 64) / 64, most = tsl_max(ROOM / each, 1), pieces = (p.count + most - 1) / most;
    return (p.count + pieces - 1) / pieces;
}

template <class... P, class... A>
cudaError_t launch_stage(cudaStream_t stream, void (*kernel)(P...), int64_t ctas, int threads, size_t shared, A... args)
{
    const cudaError_t e = cudaFuncSetAttribute((const void *)kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared);
    return e != cudaSuccess ? e : launch<P...>(kernel, {ctas, threads, shared, 1, false, false}, stream, args...);
}

constexpr int64_t FEW = 128; /* problems that have a multiprocessor each, nearly: more threads then take less time */

/* To tridiagonal form. More threads than rows share the products; the bits are the same for any number of them. */
template <class T> cudaError_t begin(cudaStream_t stream, const staged<T> &s)
{
    const int n = s.p.n, rows = (n + 31) / 32 * 32, threads = s.count <= FEW ? tsl_min(4 * rows, MOST_ROWS) : rows;
    const cudaError_t e = launch_stage(stream, load_staged<T>, s.count, LOADERS, 0, s);
    if (e != cudaSuccess) return e;
    return launch_stage(stream, reduce_staged<T>, s.count, threads, reduce_room<T>::bytes(n), s);
}

template <class T, int SHARERS> cudaError_t launch_find(cudaStream_t stream, const staged<T> &s)
{
    constexpr int VALUES = FINDERS / SHARERS; /* of a CTA */
    const int parts = (s.p.n + VALUES - 1) / VALUES;
    return launch_stage(stream, find_values<T, SHARERS>, s.count * parts, FINDERS, 0, s, parts);
}

template <class T> cudaError_t find(cudaStream_t stream, const staged<T> &s)
{
    return s.count * s.p.n <= FEW * 64 ? launch_find<T, 32>(stream, s) : launch_find<T, 1>(stream, s);
}

template <class T, int COLUMNS> cudaError_t launch_back(cudaStream_t stream, const staged<T> &s)
{
    using B = back<T, COLUMNS>;
    const int parts = (int)((s.p.columns + COLUMNS - 1) / COLUMNS);
    return launch_stage(stream, transform_back<T, COLUMNS>, s.count * parts, B::THREADS, B::bytes(s.p.n), s, parts);
}

/* From eigenpairs of the tridiagonal matrix */
template <class T> cudaError_t end(cudaStream_t stream, const staged<T> &s, size_t shared)
{
    const cudaError_t e = launch_stage(stream, store_values<T>, s.count, FINDERS, 0, s);
    if (e != cudaSuccess) return e;
    if constexpr (sizeof(T) < 16)
        if (back<T, 32>::bytes(s.p.n) <= shared) return launch_back<T, 32>(stream, s);
    return launch_back<T, 16>(stream, s);
}

} // namespace tsl::spectra

template <class T> bool tsl_syev_staged_takes(int64_t n, bool vectors, size_t shared)
{
    using namespace tsl::spectra;
    return n >= STAGED_FROM<T> && n <= tsl::STEDC_BATCH_UP_TO && reduce_room<T>::bytes((int)n) <= shared &&
           (!vectors || back<T, 16>::bytes((int)n) <= shared);
}

template <class T> size_t tsl_syev_staged_workspace(const tsl::spectra::eig_batch<T> &p)
{
    return p.count > 0 ? tsl::spectra::bytes_for(p, tsl::spectra::at_once(p)) : 0;
}

template <class T>
tsl_status tsl_syev_staged(tsl_queue *q, const tsl::spectra::eig_batch<T> &p, size_t shared, void *work)
{
    using namespace tsl::spectra;
    using R = tsl::real_t<T>;
    const cudaStream_t stream = tsl_cuda(q)->stream;
    tsl_status st = TSL_OK;
    const int64_t most = p.count > 0 ? at_once(p) : 1;
    for (int64_t from = 0; from < p.count && !st; from += most) {
        tsl::carver room = {(char *)work, 0};
        void *rest;
        staged<T> s = carve(room, p, tsl_min(most, p.count - from), &rest);
        s.from = from;
        st = tsl_cuda_check(begin(stream, s), "syev_staged");
        if (!st && p.columns == 0) st = tsl_cuda_check(find(stream, s), "syev_staged");
        if (!st && p.columns > 0) st = tsl_stedc_batch<R>(q, {p.n, s.count, s.d, s.e, s.Z}, rest);
        if (!st && p.columns > 0) st = tsl_cuda_check(end(stream, s, shared), "syev_staged");
    }
    return st;
}

#define FOR_STAGED(T)                                                                       \
    template bool tsl_syev_staged_takes<T>(int64_t, bool, size_t);                          \
    template size_t tsl_syev_staged_workspace<T>(const tsl::spectra::eig_batch<T> &);       \
    template tsl_status tsl_syev_staged<T>(tsl_queue *, const tsl::spectra::eig_batch<T> &, size_t, void *);

#endif
