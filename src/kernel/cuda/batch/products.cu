/* Products of a batch: small ones by our own kernel, others by cuBLAS, which takes strides, or pointers that point to the
 * operands themselves. */
#include "kernel/cuda/batch/entry.cuh"
#include "kernel/cuda/batch/potrf/gemm_batch.cuh"
#include "kernel/cuda/level3/level3.h"

namespace tsl {

enum { LANES = 256 };

/* Where the operand of each problem begins */
__global__ void find_places(char *p, char *const *each, int64_t step, int64_t offset, int64_t count, void **place)
{
    for (int64_t k = blockIdx.x * (int64_t)LANES + threadIdx.x; k < count; k += (int64_t)gridDim.x * LANES)
        place[k] = each ? each[k] + offset : p + k * step;
}

static cudaError_t places(cudaStream_t s, const tsl_array &a, size_t size, int64_t count, void **place)
{
    const int64_t ctas = (count + LANES - 1) / LANES;
    find_places<<<(unsigned)(ctas < 1024 ? ctas : 1024), LANES, 0, s>>>((char *)a.p, (char *const *)a.each,
                                                                        a.stride * (int64_t)size, a.offset * (int64_t)size,
                                                                        count, place);
    return cudaGetLastError();
}

template <class T> static bool is_small(const tsl_leaf *l) { return tsl_gemm_batch_fits<T>(l->m, l->n, l->k); }

template <class T> static tsl_status small(tsl_queue *q, const tsl_leaf *l)
{
    return tsl_cuda_check(tsl_gemm_batch<T>(tsl_cuda(q)->stream, l->A.op, l->B.op, (int)l->m, (int)l->n, (int)l->k,
                                            from_scalar<T>(l->alpha), batch_of<const T>(l->A), batch_of<const T>(l->B),
                                            from_scalar<T>(l->beta), batch_of<T>(l->C), l->count),
                          "gemm_batch");
}

} // namespace tsl

static bool at_pointers(const tsl_leaf *l) { return l->A.each || l->B.each || l->C.each; }

static size_t gemm_workspace(const tsl_leaf *l)
{
    return TSL_OF_TYPE_OF(l, tsl::is_small, l) || !at_pointers(l) ? 0 : 3 * (size_t)l->count * sizeof(void *);
}

static tsl_status by_pointers(tsl_queue *q, const tsl_leaf *l)
{
    void **place = (void **)l->work;
    tsl_status st = TSL_OK;
    for (int i = 0; i < 3 && st == TSL_OK; ++i)
        st = tsl_cuda_check(tsl::places(tsl_cuda(q)->stream, l->v[i], tsl_type_size(l->type), l->count, place + i * l->count), "gemm_batch");
    return st == TSL_OK ? tsl_cuda_gemm_each(q, l, place) : st;
}

static tsl_status gemm(tsl_queue *q, const tsl_leaf *l)
{
    if (TSL_OF_TYPE_OF(l, tsl::is_small, l)) return TSL_OF_TYPE_OF(l, tsl::small, q, l);
    return at_pointers(l) ? by_pointers(q, l) : tsl_cuda_gemm_batch(q, l, l->A.stride, l->B.stride, l->C.stride, l->count);
}

static bool takes(const tsl_leaf *l) { return !l->skip; }

extern "C" const tsl_batch_entry tsl_cuda_gemm_batch_entry = {{gemm, gemm, gemm, gemm}, takes, gemm_workspace, NULL};
