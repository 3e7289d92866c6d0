/* QR of a batch: factors, panels with their triangles, products with Q, Q itself, least squares. */
#include "core/values.h"
#include "kernel/cuda/batch/entry.cuh"
#include "kernel/cuda/batch/geqrf/geqrf_batch.cuh"

namespace tsl {

template <class T> static tsl_status geqrf(tsl_queue *q, const tsl_leaf *l)
{
    return tsl_cuda_check(tsl_geqrf_batch<T>(tsl_cuda(q)->stream, (int)l->m, (int)l->n, batch_of<T>(l->A), batch_of<T>(l->B), l->count), "geqrf_batch");
}

/* Measured on the H200: of double precision a kernel for all of a problem wider than this is slower than panels. */
template <class T> static bool is_slow(const tsl_leaf *l) { return sizeof(real_t<T>) == 8 && l->n > 64 && l->m > 64; }

template <class T> static bool takes_geqrf(const tsl_leaf *l)
{
    return l->A.op == TSL_NOTRANS && l->m < INT32_MAX && l->n < INT32_MAX && tsl_geqrf_batch_takes<T>((int)l->m, (int)l->n) &&
           !is_slow<T>(l);
}

/* Operands are the triangle, the reflectors, their factors, the panel. */
template <class T> static tsl_status geqrt(tsl_queue *q, const tsl_leaf *l)
{
    return tsl_cuda_check(tsl_geqrt_batch<T>(tsl_cuda(q)->stream, (int)l->m, (int)l->n, batch_of<T>(l->D), batch_of<T>(l->C),
                                             batch_of<T>(l->B), batch_of<T>(l->A), l->count),
                          "geqrt_batch");
}

template <class T> static bool takes_geqrt(const tsl_leaf *l)
{
    return l->D.op == TSL_NOTRANS && l->m < INT32_MAX && tsl_geqrt_batch_takes<T>((int)l->m, (int)l->n);
}

template <class T> static tsl_status ormqr(tsl_queue *q, const tsl_leaf *l)
{
    return tsl_cuda_check(tsl_ormqr_batch<T>(tsl_cuda(q)->stream, l->trans != TSL_NOTRANS, (int)l->m, (int)l->n, (int)l->k,
                                             batch_of<T>(l->A), batch_of<T>(l->B), batch_of<T>(l->C), l->count),
                          "ormqr_batch");
}

template <class T> static bool takes_ormqr(const tsl_leaf *l)
{
    return l->side == TSL_LEFT && l->A.op == TSL_NOTRANS && l->m < INT32_MAX && l->n < INT32_MAX && tsl_ormqr_batch_takes<T>((int)l->m);
}

template <class T> static bool takes_orgqr(const tsl_leaf *l)
{
    return l->k > 0 && l->A.op == TSL_NOTRANS && l->m < INT32_MAX && l->n < INT32_MAX && tsl_ormqr_batch_takes<T>((int)l->m);
}

template <class T> static size_t orgqr_workspace(const tsl_leaf *l)
{
    const bool in_place = tsl_orgqr_batch_in_place<T>((int)l->m, (int)l->n);
    return in_place ? 0 : tsl_times((size_t)(l->m * l->n), (size_t)l->count * sizeof(T));
}

/* Where several groups of lanes have columns of a problem, none of them writes what others read. */
template <class T> static tsl_status orgqr(tsl_queue *q, const tsl_leaf *l)
{
    tsl_leaf back = *l;
    if (orgqr_workspace<T>(l)) back.A = (tsl_array){l->work, l->m, l->m, l->n, TSL_NOTRANS, l->m * l->n, NULL, 0};
    const cudaStream_t s = tsl_cuda(q)->stream;
    const cudaError_t e = tsl_orgqr_batch<T>(s, (int)l->m, (int)l->n, (int)l->k, batch_of<T>(l->A), batch_of<T>(l->B),
                                             batch_of<T>(back.A), l->count);
    const tsl_status st = tsl_cuda_check(e, "orgqr_batch");
    back.B = l->A;
    back.uplo = TSL_GENERAL;
    return st != TSL_OK || !orgqr_workspace<T>(l) ? st : tsl_cuda_copy_batch_entry.fn[l->type](q, &back);
}

/* The factors of the reflectors go to workspace. */
template <class T> static tsl_status gels(tsl_queue *q, const tsl_leaf *l)
{
    const Batch<T> tau = {(T *)l->work, nullptr, l->n, 0, l->n};
    return tsl_cuda_check(tsl_gels_batch<T>(tsl_cuda(q)->stream, (int)l->m, (int)l->n, (int)l->k, batch_of<T>(l->A), tau, batch_of<T>(l->B), l->count, l->info), "gels_batch");
}

template <class T> static bool takes_gels(const tsl_leaf *l)
{
    return l->A.op == TSL_NOTRANS && l->m >= l->n && l->m < INT32_MAX && l->k < INT32_MAX && tsl_gels_batch_takes<T>((int)l->m, (int)l->n);
}

} // namespace tsl

static bool takes_geqrf(const tsl_leaf *l) { return TSL_OF_TYPE_OF(l, tsl::takes_geqrf, l); }
static bool takes_geqrt(const tsl_leaf *l) { return TSL_OF_TYPE_OF(l, tsl::takes_geqrt, l); }
static bool takes_ormqr(const tsl_leaf *l) { return TSL_OF_TYPE_OF(l, tsl::takes_ormqr, l); }
static bool takes_orgqr(const tsl_leaf *l) { return TSL_OF_TYPE_OF(l, tsl::takes_orgqr, l); }
static size_t orgqr_workspace(const tsl_leaf *l) { return TSL_OF_TYPE_OF(l, tsl::orgqr_workspace, l); }
static bool takes_gels(const tsl_leaf *l) { return TSL_OF_TYPE_OF(l, tsl::takes_gels, l); }
static size_t gels_workspace(const tsl_leaf *l) { return (size_t)(l->n * l->count) * tsl_type_size(l->type); }
static int64_t block(const tsl_leaf *l) { return (void)l, 32; }

extern "C" const tsl_batch_entry tsl_cuda_geqrf_batch_entry = {TSL_BY_TYPE(tsl::geqrf), takes_geqrf, NULL, block};
extern "C" const tsl_batch_entry tsl_cuda_geqrt_batch_entry = {TSL_BY_TYPE(tsl::geqrt), takes_geqrt, NULL, NULL};
extern "C" const tsl_batch_entry tsl_cuda_ormqr_batch_entry = {TSL_BY_TYPE(tsl::ormqr), takes_ormqr, NULL, block};
extern "C" const tsl_batch_entry tsl_cuda_orgqr_batch_entry = {TSL_BY_TYPE(tsl::orgqr), takes_orgqr, orgqr_workspace, block};
extern "C" const tsl_batch_entry tsl_cuda_gels_batch_entry = {TSL_BY_TYPE(tsl::gels), takes_gels, gels_workspace, NULL};
