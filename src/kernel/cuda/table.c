/* kernel[op][type] of the GPUs: the entries that stand beside the kernels, and their shapes. */
#include "kernel/cuda/leaf.h"

const tsl_kernel_entry tsl_cuda_none_entry = {{NULL, NULL, NULL, NULL}, 0, 0, NULL, NULL};
const tsl_batch_entry tsl_cuda_none_batch_entry = {{NULL, NULL, NULL, NULL}, NULL, NULL, NULL};

const tsl_kernel_entry *const tsl_cuda_kernels[TSL_OP_COUNT] = {
#define TSL_OPERATION(id, name, types, traits, weight, flops, cuda, ...) &tsl_cuda_##cuda##_entry,
#include "core/ops.def"
#undef TSL_OPERATION
};

const tsl_batch_entry *const tsl_cuda_batches[TSL_OP_COUNT] = {
#define TSL_OPERATION(id, name, types, traits, weight, flops, cuda, batch, ...) &tsl_cuda_##batch##_batch_entry,
#include "core/ops.def"
#undef TSL_OPERATION
};

int tsl_cuda_shapes(tsl_opcode op, tsl_type t)
{
    switch (op) {
    case TSL_OP_TRSM: return tsl_cuda_trsm_shapes(t);
    case TSL_OP_GEMV: return tsl_cuda_gemv_shapes();
    case TSL_OP_SYMV:
    case TSL_OP_HEMV: return tsl_cuda_symv_shapes();
    case TSL_OP_GETRF: return tsl_cuda_getrf_shapes(t);
    case TSL_OP_GEQRT:
    case TSL_OP_GEQRF: return TSL_CUDA_GEQRT_SHAPES;
    default: return 0;
    }
}
