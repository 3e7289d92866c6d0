/* From the leaf's words to those of CBLAS. */
#ifndef TSL_HOST_BLAS_H
#define TSL_HOST_BLAS_H

#include <cblas.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>

#include "core/leaf.h"

/* The library underneath counts in int. */
static inline bool fits_int(const tsl_leaf *l)
{
    return l->m == (int)l->m && l->n == (int)l->n && l->k == (int)l->k && l->lda == (int)l->lda && l->ldb == (int)l->ldb &&
           l->ldc == (int)l->ldc;
}

/* Where a vector's first element is, counted from its lowest address. */
static inline int64_t first_of(int64_t n, int64_t inc) { return inc < 0 ? (1 - n) * inc : 0; }

/* OpenBLAS multiplies by the inverse of a complex pivot. Near the ends of the range that overflows or vanishes where the quotient
 * would not. Is this such a pivot? */
static inline bool extreme_pivot(double re, double im, bool single)
{
    const double size = fmax(fabs(re), fabs(im)), least = 4 * (single ? (double)FLT_MIN : DBL_MIN);
    return size != 0 && isfinite(size) && (size < least || size > 1 / least);
}

static inline CBLAS_TRANSPOSE trans(tsl_op op) { return op == TSL_HERM ? CblasConjTrans : op ? CblasTrans : CblasNoTrans; }
static inline CBLAS_UPLO uplo(tsl_uplo u) { return u == TSL_UPPER ? CblasUpper : CblasLower; }
static inline CBLAS_DIAG diag(tsl_diag d) { return d == TSL_UNIT ? CblasUnit : CblasNonUnit; }
static inline CBLAS_SIDE side(tsl_side s) { return s == TSL_RIGHT ? CblasRight : CblasLeft; }

#endif
