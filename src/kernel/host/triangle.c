/* Host leaves in place on a triangle, by LAPACKE: its inverse, its product with itself, both in a row; and the search for a
 * zero pivot. */
#include <complex.h>
#define lapack_complex_float float _Complex
#define lapack_complex_double double _Complex
#include <lapacke.h>

#include "kernel/host/blas.h"
#include "core/values.h"
#include "kernel/host/leaf.h"

static char letter(tsl_uplo u) { return u == TSL_UPPER ? 'U' : 'L'; }

#define FN(name) PASTE3(tsl_host_, P, name)
#define LAPACK(name) PASTE3(LAPACKE_, P, name)
#define BODY "kernel/host/triangle.inc"
#include "core/types.inc"
