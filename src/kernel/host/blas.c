/* Host leaves by the host library: products, and Cholesky. */
#include <complex.h>

#include "kernel/host/blas.h"
#include "kernel/host/leaf.h"

/* Largest order of a triangle of a product computed whole, its square on the stack */
enum { GEMMT_WHOLE = 32 };

#define FN(name) PASTE3(tsl_host_, P, name)
#define BODY "kernel/host/blas.inc"
#include "core/types.inc"
