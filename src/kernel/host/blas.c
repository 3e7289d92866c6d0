/* Host leaves by OpenBLAS: CBLAS and LAPACKE. */
#include <cblas.h>
#include <complex.h>
#include <limits.h>
#define lapack_complex_float float _Complex
#define lapack_complex_double double _Complex
#include <lapacke.h>

#include "kernel/host/leaf.h"

/* The library underneath counts in int. */
static bool fits_int(const tsl_leaf *l)
{
    const int64_t s[] = {l->m, l->n, l->k, l->lda, l->ldb, l->ldc};
    for (int i = 0; i < 6; ++i)
        if (s[i] > INT_MAX) return false;
    return true;
}

static CBLAS_TRANSPOSE trans(tsl_op op) { return op == TSL_HERM ? CblasConjTrans : op ? CblasTrans : CblasNoTrans; }
static CBLAS_UPLO uplo(tsl_uplo u) { return u == TSL_UPPER ? CblasUpper : CblasLower; }
static CBLAS_DIAG diag(tsl_diag d) { return d == TSL_UNIT ? CblasUnit : CblasNonUnit; }
static CBLAS_SIDE side(tsl_side s) { return s == TSL_RIGHT ? CblasRight : CblasLeft; }

#define BODY "kernel/host/blas.inc"
#include "kernel/host/types.inc"
