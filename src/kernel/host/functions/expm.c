/* The host's leaf of the exponential, of problems of batches. */
#include <string.h>

#include "core/numbers/pade.h"
#include "core/values.h"
#include "kernel/host/blas.h"
#include "kernel/host/leaf.h"

enum { BLOCKS = 7 }; /* workspace: pivots and two columns of real numbers, what gesv asks for, and matrices like A */

static size_t columns_bytes(const tsl_leaf *l) { return tsl_rounded(tsl_times((size_t)l->n, sizeof(int64_t) + 2 * sizeof(double)), 16); }

static size_t solve_bytes(const tsl_leaf *l)
{
    tsl_leaf solve = {.op = TSL_OP_GESV, .type = l->type, .m = l->n, .n = l->n, .A = {.m = l->n, .n = l->n}, .B = {.m = l->n, .n = 1}};
    return tsl_rounded(tsl_host_gesv_entry.workspace(&solve), 16);
}

#define FN(name) PASTE3(tsl_host_, P, name)
#define BODY "kernel/host/functions/expm.inc"
#include "core/types.inc"

static size_t workspace(const tsl_leaf *l)
{
    return tsl_plus(columns_bytes(l), tsl_plus(solve_bytes(l), tsl_times(BLOCKS, tsl_dense_bytes(l->type, l->n, l->n))));
}

const tsl_kernel_entry tsl_host_expm_entry = {.fn = TSL_HOST_LEAVES(expm), .limit = TSL_HOST_LIMIT, .workspace = workspace};
