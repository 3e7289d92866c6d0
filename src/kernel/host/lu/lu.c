/* Host leaves of LU with partial pivoting: the factors, many solutions and the inverse by the host library; row
 * exchanges here; other solutions by the triangular solves of solve.c, which see to extreme pivots. */
#include <complex.h>
#include <string.h>

#include "core/values.h"
#include "kernel/host/blas.h"
#include "kernel/host/leaf.h"
#include "kernel/host/lu/pivots.h"

/* Columns whose rows are exchanged together */
enum { LASWP_COLUMNS = 16 };

/* Of a larger system OpenBLAS shares all steps out by columns of B; parts one after the other would exchange rows on one
 * thread. */
static bool by_columns(const tsl_leaf *l) { return l->m > TSL_HOST_LIMIT && l->n > 1; }

static size_t getrs_workspace(const tsl_leaf *l) { return by_columns(l) ? tsl_times((size_t)l->m, sizeof(int64_t)) : 0; }

bool tsl_host_are_rows(const int64_t *piv, int64_t count, int64_t first, int64_t last)
{
    bool all = true;
    for (int64_t i = 0; i < count; ++i) all &= piv[i] >= first && piv[i] <= last;
    return all;
}

#define FN(name) PASTE3(tsl_host_, P, name)
#define BODY "kernel/host/lu/lu.inc"
#include "core/types.inc"

/* In LAPACK's inverse little is done by products: the leaf is limited. */
const tsl_kernel_entry tsl_host_getri_entry = {.fn = TSL_HOST_LEAVES(getri), .limit = TSL_HOST_LIMIT};
const tsl_kernel_entry tsl_host_getrs_entry = {.fn = TSL_HOST_LEAVES(getrs), .workspace = getrs_workspace};
const tsl_kernel_entry tsl_host_gesv_entry = {.fn = TSL_HOST_LEAVES(gesv), .workspace = getrs_workspace};
const tsl_kernel_entry tsl_host_getrf_entry = {.fn = TSL_HOST_LEAVES(getrf), .workspace = tsl_host_lu_workspace};
