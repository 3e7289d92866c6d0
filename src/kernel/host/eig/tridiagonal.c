/* Host leaves of the tridiagonal eigenproblem by LAPACK. */
#include <string.h>

#include "core/values.h"
#include "kernel/host/blas.h"
#include "kernel/host/leaf.h"
#include "kernel/host/nan.h"

/* Integers of workspace that divide and conquer takes, and real numbers beside vectors */
static size_t integers(int64_t n) { return tsl_plus(3, tsl_times(5, (size_t)n)); }
static size_t numbers(int64_t n) { return tsl_plus(tsl_plus(1, tsl_times(4, (size_t)n)), tsl_times((size_t)n, (size_t)n)); }

/* Are the vectors LAPACK makes, real and all of them, those that are wanted? */
static bool in_place(const tsl_leaf *l) { return l->n == l->m && !tsl_is_complex(l->type); }

#define FN(name) PASTE3(tsl_host_, P, name)
#define BODY "kernel/host/eig/tridiagonal.inc"
#include "core/types.inc"

static size_t vectors_workspace(const tsl_leaf *l)
{
    if (!fits_library(l) || l->n == 0) return 0;
    size_t count = numbers(l->m);
    if (!in_place(l)) count = tsl_plus(count, tsl_times((size_t)l->m, (size_t)l->m));
    return tsl_plus(tsl_times(integers(l->m), sizeof(host_int)), tsl_times(count, tsl_type_size(tsl_real_type(l->type))));
}

static size_t rotations_workspace(const tsl_leaf *l) { return tsl_times(2 * (size_t)l->m, tsl_type_size(tsl_real_type(l->type))); }

const tsl_kernel_entry tsl_host_stedc_entry = {.fn = TSL_HOST_LEAVES(stedc), .workspace = vectors_workspace};
const tsl_kernel_entry tsl_host_sterf_entry = {.fn = TSL_HOST_LEAVES(sterf)};
const tsl_kernel_entry tsl_host_steqr_entry = {.fn = TSL_HOST_LEAVES(steqr), .workspace = rotations_workspace};
