/* Operands of a batch: problems of one shape, at a stride or each at a pointer of its own. */
#ifndef TSL_CUDA_BATCH_CUH
#define TSL_CUDA_BATCH_CUH

#include <stdint.h>

/* each: pointers to the problems, in the device's memory, `offset` elements before the block that is meant; NULL: problem i is
 * at p + i * stride */
template <typename T> struct Batch {
    T *p;
    T *const *each;
    int64_t stride, offset;
    int64_t ld;

    __device__ T *at(int64_t i) const { return each ? each[i] + offset : p + i * stride; }
};

#endif
