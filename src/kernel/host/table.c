/* kernel[op][type] of the host. */
#include <string.h>

#include "device/device.h"
#include "kernel/host/leaf.h"
#include "kernel/kernels.h"

#define none(name) &(const tsl_kernel_entry){.fn = {NULL}},
#define leaf(name) &(const tsl_kernel_entry){.fn = TSL_HOST_LEAVES(name)},
#define entry(name) &tsl_host_##name##_entry,

static const tsl_kernel_entry *const entries[TSL_OP_COUNT] = {
#define TSL_OPERATION(id, name, types, traits, weight, flops, host, ...) host(name)
#include "core/ops.def"
#undef TSL_OPERATION
};

/* One leaf for batches of all that have one for a problem */
static const tsl_batch_entry no_batch = {.fn = {NULL}};
#define batch_of_none &no_batch,
#define batch_of_leaf &tsl_host_batch_entry,
#define batch_of_entry &tsl_host_batch_entry,

static const tsl_batch_entry *const batches[TSL_OP_COUNT] = {
#define TSL_OPERATION(id, name, types, traits, weight, flops, host, ...) batch_of_##host
#include "core/ops.def"
#undef TSL_OPERATION
};

void tsl_host_kernels_register(void)
{
    memcpy(tsl_host_kernels, entries, sizeof entries);
    memcpy(tsl_host_batches, batches, sizeof batches);
}
