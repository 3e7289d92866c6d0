/* The host's leaf of the exponential, of problems of batches. */
#include <string.h>

#include "core/numbers/pade.h"
#include "core/values.h"
#include "kernel/host/blas.h"
#include "kernel/host/leaf.h"

enum { BLOCKS = 7 }; /* workspace, matrices like A; then pivots and two columns of real numbers */

#define FN(name) PASTE3(tsl_host_, P, name)
#define BODY "kernel/host/functions/expm.inc"
#include "core/types.inc"

static size_t workspace(const tsl_leaf *l)
{
    size_t n = (size_t)l->n;
    tsl_leaf solve = {
        .op = TSL_OP_GESV, .type = l->type, .m = l->n, .n = l->n, .A = {.m = l->n, .n = l->n}, .B = {.m = l->n, .n = 1}};
    size_t rest = tsl_host_gesv_entry.workspace ? tsl_host_gesv_entry.workspace(&solve) : 0;
    return tsl_plus(tsl_times(BLOCKS, tsl_dense_bytes(l->type, l->n, l->n)),
                    tsl_plus(tsl_times(n, sizeof(int64_t) + 2 * sizeof(double)), rest));
}

const tsl_kernel_entry tsl_host_expm_entry = {.fn = TSL_HOST_LEAVES(expm), .limit = TSL_HOST_LIMIT, .workspace = workspace};
