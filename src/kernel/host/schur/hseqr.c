/* Host leaves of the QR iteration's parts: where a Hessenberg matrix falls apart, early deflation, chains of bulges in
 * windows. */
#include <string.h>

#include "core/numbers/chase.h"
#include "core/numbers/largest.h"
#include "core/values.h"
#include "kernel/host/blas.h"
#include "kernel/host/leaf.h"

#define FN(name) PASTE3(tsl_host_, P, name)
#define BODY "kernel/host/schur/hseqr.inc"
#include "core/types.inc"

const tsl_kernel_entry tsl_host_laqr5_entry = {.fn = TSL_HOST_LEAVES(laqr5)};
/* A product with one transformation */
static size_t laqru_workspace(const tsl_leaf *l)
{
    return tsl_times(tsl_times((size_t)l->chase.sweep.window, (size_t)l->n), tsl_type_size(l->type));
}

const tsl_kernel_entry tsl_host_laqru_entry = {.fn = TSL_HOST_LEAVES(laqru), .workspace = laqru_workspace};
const tsl_kernel_entry tsl_host_laqrs_entry = {.fn = TSL_HOST_LEAVES(laqrs)};
