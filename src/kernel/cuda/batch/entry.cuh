/* From a leaf to the kernels for batches: operands, functions by type, statuses. */
#ifndef TSL_CUDA_BATCH_ENTRY_CUH
#define TSL_CUDA_BATCH_ENTRY_CUH

#include "kernel/cuda/batch/batch.cuh"
#include "kernel/cuda/leaf.h"
#include "kernel/cuda/scalar.cuh"

namespace tsl {

template <class T> Batch<T> batch_of(const tsl_array &a)
{
    Batch<T> b;
    b.p = (T *)a.p;
    b.each = (T *const *)a.each;
    b.stride = a.stride;
    b.offset = a.offset;
    b.ld = a.ld;
    return b;
}

} // namespace tsl

/* A function template for the four types */
#define TSL_BY_TYPE(fn) {fn<float>, fn<double>, fn<tsl::cplx<float>>, fn<tsl::cplx<double>>}
/* The answer, of the leaf's type, of a function template */
#define TSL_OF_TYPE_OF(l, fn, ...)                                                                                                \
    ((l)->type == TSL_S   ? fn<float>(__VA_ARGS__)                                                                                \
     : (l)->type == TSL_D ? fn<double>(__VA_ARGS__)                                                                               \
     : (l)->type == TSL_C ? fn<tsl::cplx<float>>(__VA_ARGS__)                                                                     \
                          : fn<tsl::cplx<double>>(__VA_ARGS__))

#endif
