/* From the leaf's words to those of the host library, whose functions take everything by its address. */
#ifndef TSL_HOST_BLAS_H
#define TSL_HOST_BLAS_H

#include <complex.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>

#include "core/leaf.h"
#include "hostlib/routines.h"

/* The library's function for the type P */
#define BLAS(name) PASTE3(tsl_hostlib_, P, ).name
#define SCALAR(x) (&(T){(T)(x)})
#define INT(x) (&(host_int){(x)})
#define TURNED (COMPLEX ? "C" : "T")

/* Can the library count all that the leaf has? Diagonals of a band are fewer than its leading dimension. */
static inline bool fits_library(const tsl_leaf *l)
{
    return tsl_hostlib_wide() || (l->m == (int)l->m && l->n == (int)l->n && l->k == (int)l->k && l->A.ld == (int)l->A.ld &&
                                  l->B.ld == (int)l->B.ld && l->C.ld == (int)l->C.ld && l->D.ld == (int)l->D.ld &&
                                  l->E.ld == (int)l->E.ld);
}

/* Where a vector's first element is, counted from its lowest address. */
static inline int64_t first_of(int64_t n, int64_t inc) { return inc < 0 ? (1 - n) * inc : 0; }

/* OpenBLAS multiplies by the inverse of a complex pivot. Near the ends of the range that overflows or vanishes where the
 * quotient would not. Is this such a pivot? */
static inline bool extreme_pivot(double re, double im, bool single)
{
    const double size = fmax(fabs(re), fabs(im)), least = 4 * (single ? (double)FLT_MIN : DBL_MIN);
    return size != 0 && isfinite(size) && (size < least || size > 1 / least);
}

static inline const char *trans(tsl_op op) { return op == TSL_HERM ? "C" : op ? "T" : "N"; }
static inline const char *uplo(tsl_uplo u) { return u == TSL_UPPER ? "U" : "L"; }
static inline const char *diag(tsl_diag d) { return d == TSL_UNIT ? "U" : "N"; }
static inline const char *side(tsl_side s) { return s == TSL_RIGHT ? "R" : "L"; }

#endif
