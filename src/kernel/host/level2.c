/* Host leaves of a matrix and vectors, by OpenBLAS. */
#include <complex.h>

#include "kernel/host/blas.h"
#include "kernel/host/leaf.h"

/* Rows of column j that belong to the triangle. */
static int64_t from(const tsl_leaf *l, int64_t j) { return l->uplo == TSL_LOWER ? j : 0; }
static int64_t to(const tsl_leaf *l, int64_t j) { return l->uplo == TSL_LOWER ? l->n : j + 1; }

#define FN(name) PASTE3(tsl_host_, P, name)
#define CBLAS(name) PASTE3(cblas_, P, name)
#define BODY "kernel/host/level2.inc"
#include "core/types.inc"
