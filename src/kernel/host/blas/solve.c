/* Host leaves that solve with a triangle: trsv, tbsv, tpsv for one vector, trsm for many, potrs with both of
 * Cholesky's. */
#include <complex.h>
#include <string.h>

#include "core/values.h"
#include "kernel/host/blas.h"
#include "kernel/host/leaf.h"

/* Where element (i,j) of the triangle is stored. */
static int64_t place(const tsl_leaf *l, int64_t i, int64_t j)
{
    bool upper = l->uplo == TSL_UPPER;
    if (tsl_operand_is(l->op, 0, TSL_IS_BAND)) return (upper ? l->k : 0) + i - j + j * l->A.ld;
    if (tsl_operand_is(l->op, 0, TSL_IS_PACKED)) return upper ? i + j * (j + 1) / 2 : i + j * (2 * l->n - j - 1) / 2;
    return i + j * l->A.ld;
}

#define BITS __typeof__(_Generic((R)0, float: (uint32_t)0, double: (uint64_t)0)) /* as many as R has */
#define FN(name) PASTE3(tsl_host_, P, name)
#define BODY "kernel/host/blas/solve.inc"
#include "core/types.inc"

const tsl_kernel_entry tsl_host_trsm_entry = {.fn = TSL_HOST_LEAVES(trsm), .workspace = tsl_host_sided_long_workspace};
