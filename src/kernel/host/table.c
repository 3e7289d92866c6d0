/* kernel[op][type] of the host. OpenBLAS takes any size, so there are no limits. */
#include "kernel/host/leaf.h"

const tsl_kernel_entry tsl_host_kernels[TSL_OP_COUNT] = {
#define TSL_OPERATION(id, name, access) \
    [TSL_OP_##id] = {{tsl_host_s##name, tsl_host_d##name, tsl_host_c##name, tsl_host_z##name}, 0},
#include "core/ops.def"
#undef TSL_OPERATION
};
