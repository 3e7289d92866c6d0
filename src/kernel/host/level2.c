/* Host leaves of a matrix and vectors, by OpenBLAS. */
#include <complex.h>

#include "kernel/host/blas.h"
#include "kernel/host/leaf.h"

/* Fortran's words: everything by address */
static const char *letter(tsl_uplo u) { return u == TSL_UPPER ? "U" : "L"; }
#define INT(n) (&(int){(int)(n)})
#define FORTRAN(name) PASTE3(P, name, _)

#define FN(name) PASTE3(tsl_host_, P, name)
#define CBLAS(name) PASTE3(cblas_, P, name)
#define BODY "kernel/host/level2.inc"
#include "core/types.inc"
