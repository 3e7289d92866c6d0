/* Host leaf of the square root of a Schur form. */
#include "core/numbers/largest.h"
#include "core/values.h"
#include "kernel/host/blas.h"
#include "kernel/host/leaf.h"

#define FN(name) PASTE3(tsl_host_, P, name)
#define BODY "kernel/host/schur/trsqrt.inc"
#include "core/types.inc"
