/* Problems of a batch that are so small that a call of the host library takes longer than their arithmetic: plain loops. */
#include <complex.h>
#include <math.h>

#include "core/values.h"
#include "kernel/host/leaf.h"

#define REAL(x) (COMPLEX ? (R)creal(x) : (R)(x))
#define IMAG(x) (COMPLEX ? (R)cimag(x) : 0)
#define CONJ(x) (COMPLEX ? (T)conj(x) : (x))
#define SQUARE(x) (REAL(x) * REAL(x) + IMAG(x) * IMAG(x))
#define SIZE(x) ((R)fabs(REAL(x)) + (R)fabs(IMAG(x))) /* as LAPACK compares them */
#define SQRT(x) ((R)sqrt(x))
#define FN(name) PASTE3(tsl_host_, P, name)
#define BODY "kernel/host/cholesky/tiny.inc"
#include "core/types.inc"
