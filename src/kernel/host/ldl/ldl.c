/* Host leaves of A = L D L^T and L D L^H: the factors, solutions and the inverse by LAPACK; the panel of sytrf's algorithm and
 * the parts of sytrs's here. */
#include <complex.h>
#include <string.h>

#include "core/values.h"
#include "device/device.h"
#include "kernel/host/blas.h"
#include "kernel/host/leaf.h"
#include "kernel/host/lu/pivots.h"

/* Of so small a one LAPACK needs no workspace. */
enum { SMALL = 64 };

/* Steps go from the last column back if the triangle is the upper one: that of the matrix in reverse order is the lower one.
 * Place s of it */
static int64_t place(const tsl_leaf *l, int64_t s) { return l->uplo == TSL_UPPER ? l->A.n - 1 - s : s; }

/* Do the pivots name rows, those of blocks of order 2 in pairs? */
static bool are_pivots(const tsl_leaf *l)
{
    const int64_t *p = l->B.p;
    for (int64_t s = 0; s < l->A.n; ++s) {
        int64_t k = p[place(l, s)], row = k < 0 ? -k : k;
        if (row < 1 || row > l->A.n) return false;
        if (k < 0 && (++s == l->A.n || p[place(l, s)] != k)) return false;
    }
    return true;
}

#define FN(name) PASTE3(tsl_host_, P, name)
#define BODY "kernel/host/ldl/ldl.inc"
#include "core/types.inc"

static size_t pivots_of(const tsl_leaf *l) { return tsl_times((size_t)l->A.n, sizeof(int64_t)); }

/* What LAPACK asks for, and a column more: products of a matrix and a row of it by OpenBLAS, of complex elements, read an
 * element past the row's end. */
static int64_t elements(const tsl_leaf *l)
{
    int64_t (*const ask[4])(const tsl_leaf *) = {tsl_host_sldl_elements, tsl_host_dldl_elements, tsl_host_cldl_elements, tsl_host_zldl_elements};
    return l->A.n <= SMALL ? 1 : ask[l->type](l) + l->A.n;
}

/* What the library cannot count will be refused. */
static size_t sytrf_workspace(const tsl_leaf *l) { return fits_library(l) ? tsl_times((size_t)elements(l), tsl_type_size(l->type)) : 0; }
static size_t sysv_workspace(const tsl_leaf *l) { return tsl_plus(sytrf_workspace(l), pivots_of(l)); }
static size_t sytri_workspace(const tsl_leaf *l) { return tsl_plus(pivots_of(l), tsl_times((size_t)(2 * l->A.n), tsl_type_size(l->type))); }

static size_t sycon_workspace(const tsl_leaf *l) { return tsl_times((size_t)l->A.n, 4 * tsl_type_size(l->type) + 2 * sizeof(int64_t)); }

/* Widest panel */
enum { PANEL = 64 };

const tsl_kernel_entry tsl_host_lasyf_entry = {.fn = TSL_HOST_LEAVES(lasyf), .limit = PANEL};
const tsl_kernel_entry tsl_host_lasyf_columns_entry = {.fn = TSL_HOST_LEAVES(lasyf_columns)};
const tsl_kernel_entry tsl_host_sytrf_entry = {.fn = TSL_HOST_LEAVES(sytrf), .workspace = sytrf_workspace};
const tsl_kernel_entry tsl_host_sytrs_entry = {.fn = TSL_HOST_LEAVES(sytrs), .workspace = pivots_of};
const tsl_kernel_entry tsl_host_sysv_entry = {.fn = TSL_HOST_LEAVES(sysv), .workspace = sysv_workspace};
const tsl_kernel_entry tsl_host_sytri_entry = {.fn = TSL_HOST_LEAVES(sytri), .workspace = sytri_workspace};
const tsl_kernel_entry tsl_host_sycon_entry = {.fn = TSL_HOST_LEAVES(sycon), .workspace = sycon_workspace};
