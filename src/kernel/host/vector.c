/* Host leaves on vectors, by OpenBLAS. */
#include <complex.h>

#include "kernel/host/blas.h"
#include "kernel/host/leaf.h"

#define FN(name) PASTE3(tsl_host_, P, name)
#define CBLAS(name) PASTE3(cblas_, P, name)
#define BODY "kernel/host/vector.inc"
#include "core/types.inc"
