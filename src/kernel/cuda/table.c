/* kernel[op][type] of the GPUs: the entries that stand beside the kernels. */
#include <string.h>

#include "kernel/cuda/leaf.h"
#include "kernel/kernels.h"

const tsl_kernel_entry tsl_cuda_none_entry = {{NULL, NULL, NULL, NULL}, 0, 0, NULL, NULL, NULL};
const tsl_batch_entry tsl_cuda_none_batch_entry = {{NULL, NULL, NULL, NULL}, NULL, NULL, NULL};

static const tsl_kernel_entry *const entries[TSL_OP_COUNT] = {
#define TSL_OPERATION(id, name, types, traits, weight, flops, host, cuda, ...) &tsl_cuda_##cuda##_entry,
#include "core/ops.def"
#undef TSL_OPERATION
};

static const tsl_batch_entry *const batches[TSL_OP_COUNT] = {
#define TSL_OPERATION(id, name, types, traits, weight, flops, host, cuda, batch, ...) &tsl_cuda_##batch##_batch_entry,
#include "core/ops.def"
#undef TSL_OPERATION
};

void tsl_cuda_kernels_register(void)
{
    memcpy(tsl_cuda_kernels, entries, sizeof entries);
    memcpy(tsl_cuda_batches, batches, sizeof batches);
    tsl_cuda_loads = tsl_cuda_load_kernels;
}
