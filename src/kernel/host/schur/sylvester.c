/* Host leaves of Sylvester's equation with triangular matrices: small blocks by LAPACK, all else by products. */
#include <string.h>

#include "core/values.h"
#include "kernel/host/blas.h"
#include "kernel/host/leaf.h"

/* Largest order of a block that is LAPACK's: it takes dot products for each element. */
enum { BLOCK_ORDER = 40 };

#define FN(name) PASTE3(tsl_host_, P, name)
#define BODY "kernel/host/schur/sylvester.inc"
#include "core/types.inc"

const tsl_kernel_entry tsl_host_lasyl_entry = {.fn = TSL_HOST_LEAVES(lasyl), .limit = 64};
const tsl_kernel_entry tsl_host_trsyl_entry = {.fn = TSL_HOST_LEAVES(trsyl)};
