/* kernel[op][type] of the GPUs: the entries that stand beside the kernels. */
#include "kernel/cuda/leaf.h"

const tsl_kernel_entry tsl_cuda_none_entry = {{NULL, NULL, NULL, NULL}, 0, 0, NULL, NULL};

const tsl_kernel_entry *const tsl_cuda_kernels[TSL_OP_COUNT] = {
#define TSL_OPERATION(id, name, types, access, kinds, sizes, traits, weight, flops, cuda, ...) &tsl_cuda_##cuda##_entry,
#include "core/ops.def"
#undef TSL_OPERATION
};
