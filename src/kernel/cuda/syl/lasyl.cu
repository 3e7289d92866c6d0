/* The launch of lasyl.cuh's kernel. */
#include "core/values.h"
#include "kernel/cuda/launch.cuh"
#include "kernel/cuda/leaf.h"
#include "kernel/cuda/syl/lasyl.cuh"

namespace tsl {
namespace syl {
namespace {

/* Words for blocks of the largest problem, whatever this one's size: the algorithm's cuts depend on elements, which a dry run
 * does not know. */
constexpr int64_t MOST = blocks<float>(TSL_CUDA_LASYL_LIMIT), WORDS = MOST * MOST + 1;

template <class T> form<T> form_of(const tsl_array *A, int64_t n)
{
    return {(const T *)A->p, A->ld, (int)n, A->op != TSL_NOTRANS, A->op == TSL_HERM};
}

template <class T> tsl_status start(tsl_queue *q, const tsl_leaf *l)
{
    const cudaStream_t stream = tsl_cuda(q)->stream;
    const int64_t count = (int64_t)blocks<T>(l->m) * blocks<T>(l->n);
    int *words = (int *)l->work;
    const job<T> p = {form_of<T>(&l->A, l->m),
                      form_of<T>(&l->B, l->n),
                      (T *)l->C.p,
                      l->C.ld,
                      (real_t<T>)__real__ l->alpha,
                      (real_t<T> *)l->D.p,
                      l->info,
                      words + 1,
                      words};
    cudaError_t e = cudaFuncSetAttribute((const void *)solve<T>, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)sizeof(shared<T>));
    if (e == cudaSuccess) e = cudaMemsetAsync(words, 0, (size_t)(count + 1) * sizeof *words, stream);
    if (e == cudaSuccess) e = launch(solve<T>, {count, THREADS, sizeof(shared<T>), 1, false, false}, stream, p);
    return tsl_cuda_check(e, "lasyl");
}

} // namespace
} // namespace syl
} // namespace tsl

static size_t workspace(const tsl_leaf *) { return (size_t)tsl::syl::WORDS * sizeof(int); }

static tsl_status lasyl(tsl_queue *q, const tsl_leaf *l)
{
    return tsl::by_type(l->type, [=](auto zero) { return tsl::syl::start<decltype(zero)>(q, l); });
}

static const void *kernel(int i) { return i ? nullptr : (const void *)tsl::syl::solve<float>; }

extern "C" const tsl_kernel_entry tsl_cuda_lasyl_entry = {TSL_ALL_TYPES(lasyl), TSL_CUDA_LASYL_LIMIT, 0, workspace, kernel, NULL};
