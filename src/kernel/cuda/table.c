/* kernel[op][type] of the GPUs: the entries that stand beside the kernels. */
#include "kernel/cuda/leaf.h"

const tsl_kernel_entry tsl_cuda_none_entry = {{NULL, NULL, NULL, NULL}, 0, 0, NULL, NULL, NULL};
const tsl_batch_entry tsl_cuda_none_batch_entry = {{NULL, NULL, NULL, NULL}, NULL, NULL, NULL};

const tsl_kernel_entry *const tsl_cuda_kernels[TSL_OP_COUNT] = {
#define TSL_OPERATION(id, name, types, traits, weight, flops, host, cuda, ...) &tsl_cuda_##cuda##_entry,
#include "core/ops.def"
#undef TSL_OPERATION
};

const tsl_batch_entry *const tsl_cuda_batches[TSL_OP_COUNT] = {
#define TSL_OPERATION(id, name, types, traits, weight, flops, host, cuda, batch, ...) &tsl_cuda_##batch##_batch_entry,
#include "core/ops.def"
#undef TSL_OPERATION
};
