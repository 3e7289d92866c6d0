/* Host leaves of incremental QR: of a pair of tiles, one thought on top of the other. By LAPACK's "triangular-pentagonal"
 * routines, with workspace from outside. */
#include <complex.h>
#include <math.h>

#include "core/values.h"
#include "kernel/host/blas.h"
#include "kernel/host/leaf.h"

/* A line of ib elements for each column */
static size_t workspace(const tsl_leaf *l) { return tsl_dense_bytes(l->type, l->B.m, l->n); }

#define FN(name) PASTE3(tsl_host_, P, name)
#define BODY "kernel/host/qr/qrinc.inc"
#include "core/types.inc"

const tsl_kernel_entry tsl_host_tsqrt_entry = {.fn = TSL_HOST_LEAVES(tsqrt), .workspace = workspace};
const tsl_kernel_entry tsl_host_tsmqr_entry = {.fn = TSL_HOST_LEAVES(tsmqr), .workspace = workspace};
