/* Host leaves in place on a triangle, by LAPACK: its inverse, its product with itself, both in a row; and the search for a
 * zero pivot. */
#include <complex.h>

#include "kernel/host/blas.h"
#include "core/values.h"
#include "kernel/host/leaf.h"

#define FN(name) PASTE3(tsl_host_, P, name)
#define BODY "kernel/host/cholesky/triangle.inc"
#include "core/types.inc"
