/* Host leaves on vectors: axpy and dot by the host library; the others are ours, because iamax tells the first
 * NaN, or because BLAS has no such routine (complex rot, a conjugating swap). */
#include <complex.h>
#include <math.h>

#include "kernel/host/blas.h"
#include "kernel/host/leaf.h"

/* Rotations round alike wherever an element lies: a compiler that fuses one of two products may choose another one in what is
 * left over from a vector's blocks, and LAPACK's eigenproblems count on parts of a matrix having the bits they have in the
 * whole. */
#if defined(__GNUC__) && !defined(__clang__)
#define UNFUSED __attribute__((optimize("fp-contract=off")))
#else
#define UNFUSED
#endif

enum { LANES = 8 }; /* sums kept side by side */

#define FN(name) PASTE3(tsl_host_, P, name)
#define BODY "kernel/host/blas/level1.inc"
#include "core/types.inc"
