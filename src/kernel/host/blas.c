/* Host leaves by OpenBLAS: CBLAS and LAPACKE. */
#include <cblas.h>
#include <complex.h>
#define lapack_complex_float float _Complex
#define lapack_complex_double double _Complex
#include <lapacke.h>

#include "kernel/host/blas.h"
#include "kernel/host/leaf.h"

/* Largest order of a triangle of a product computed whole, its square on the stack */
enum { GEMMT_WHOLE = 32 };

#define FN(name) PASTE3(tsl_host_, P, name)
#define CBLAS(name) PASTE3(cblas_, P, name)
#define BODY "kernel/host/blas.inc"
#include "core/types.inc"
