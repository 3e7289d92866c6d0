/* Host leaves of a matrix and vectors, by the host library. */
#include <complex.h>

#include "kernel/host/blas.h"
#include "kernel/host/leaf.h"

#define FN(name) PASTE3(tsl_host_, P, name)
#define BODY "kernel/host/blas/level2.inc"
#include "core/types.inc"
