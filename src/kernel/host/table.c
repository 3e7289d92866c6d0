/* kernel[op][type] of the host. */
#include "kernel/host/leaf.h"

#define none(name) &(const tsl_kernel_entry){.fn = {NULL}},
#define leaf(name) &(const tsl_kernel_entry){.fn = TSL_HOST_LEAVES(name)},
#define entry(name) &tsl_host_##name##_entry,

const tsl_kernel_entry *const tsl_host_kernels[TSL_OP_COUNT] = {
#define TSL_OPERATION(id, name, types, traits, weight, flops, host, ...) host(name)
#include "core/ops.def"
#undef TSL_OPERATION
};
