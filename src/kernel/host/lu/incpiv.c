/* Host leaves of LU with incremental pivoting: of a pair of tiles, one thought on top of the other. By the host library; row
 * exchanges, which go from one tile to the other, here. */
#include <complex.h>

#include "core/values.h"
#include "kernel/host/blas.h"
#include "kernel/host/leaf.h"
#include "kernel/host/lu/pivots.h"

enum { COLUMNS = 16 }; /* whose rows are exchanged together */

/* A panel, and its pivots as LAPACK leaves them */
static size_t workspace(const tsl_leaf *l)
{
    size_t w = (size_t)tsl_min(l->B.m, l->n);
    return tsl_plus(tsl_dense_bytes(l->type, l->m + (int64_t)w, (int64_t)w), tsl_times(w, sizeof(int64_t)));
}

#define FN(name) PASTE3(tsl_host_, P, name)
#define BODY "kernel/host/lu/incpiv.inc"
#include "core/types.inc"

const tsl_kernel_entry tsl_host_tstrf_entry = {.fn = TSL_HOST_LEAVES(tstrf), .workspace = workspace};
