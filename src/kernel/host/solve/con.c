/* Host leaves of reciprocal conditions: LAPACK's. */
#include "core/values.h"
#include "device/device.h"
#include "kernel/host/blas.h"
#include "kernel/host/leaf.h"

#define FN(name) PASTE3(tsl_host_, P, name)
#define BODY "kernel/host/solve/con.inc"
#include "core/types.inc"

/* Four columns of elements, of complex ones two and two real ones; the integers that real ones take beside them */
static size_t workspace(const tsl_leaf *l)
{
    size_t n = (size_t)l->A.n;
    return tsl_times(n, 4 * tsl_type_size(l->type) + sizeof(int64_t));
}

const tsl_kernel_entry tsl_host_gecon_entry = {.fn = TSL_HOST_LEAVES(gecon), .workspace = workspace};
const tsl_kernel_entry tsl_host_pocon_entry = {.fn = TSL_HOST_LEAVES(pocon), .workspace = workspace};
const tsl_kernel_entry tsl_host_trcon_entry = {.fn = TSL_HOST_LEAVES(trcon), .workspace = workspace};
