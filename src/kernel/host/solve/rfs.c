/* Host leaves of scalings of rows and columns, and of bounds of errors: LAPACK's. */
#include "core/values.h"
#include "device/device.h"
#include "kernel/host/blas.h"
#include "kernel/host/leaf.h"
#include "kernel/host/lu/pivots.h"

#define FN(name) PASTE3(tsl_host_, P, name)
#define BODY "kernel/host/solve/rfs.inc"
#include "core/types.inc"

/* Three columns of elements, of complex ones two and a real one; integers that real ones take beside them; pivots */
static size_t workspace(const tsl_leaf *l) { return tsl_times((size_t)l->A.n, 3 * tsl_type_size(l->type) + 2 * sizeof(int64_t)); }

const tsl_kernel_entry tsl_host_gerfs_entry = {.fn = TSL_HOST_LEAVES(gerfs), .workspace = workspace};
const tsl_kernel_entry tsl_host_porfs_entry = {.fn = TSL_HOST_LEAVES(porfs), .workspace = workspace};
const tsl_kernel_entry tsl_host_trrfs_entry = {.fn = TSL_HOST_LEAVES(trrfs), .workspace = workspace};
