/* The host's leaf of posv, on matrices as they are stored: the steps of algo/cholesky/posv.c in one call. */
#include "kernel/host/blas.h"
#include "kernel/host/leaf.h"

#define FN(name) PASTE3(tsl_host_, P, name)
#define BODY "kernel/host/cholesky/posv.inc"
#include "core/types.inc"
