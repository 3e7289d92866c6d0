/* Host leaves of the bidiagonal singular value problem by LAPACK. */
#include "core/numbers/largest.h"
#include "core/values.h"
#include "kernel/host/blas.h"
#include "kernel/host/leaf.h"
#include "kernel/host/nan.h"

/* Does LAPACK's real array have its place in the operand? */
static bool in_place(const tsl_leaf *l, const tsl_array *v) { return v->m > 0 && v->n > 0 && !tsl_is_complex(l->type); }

static bool wants_vectors(const tsl_leaf *l) { return (l->A.m > 0 && l->A.n > 0) || (l->D.m > 0 && l->D.n > 0); }

/* Of divide and conquer: integers of workspace, and real numbers beside vectors; versions of LAPACK differ in what a lower
 * matrix takes */
static size_t integers(int64_t n) { return tsl_times(8, (size_t)n); }
static size_t numbers(int64_t n, bool vectors)
{
    return tsl_plus(tsl_times(8, (size_t)n), vectors ? tsl_times(3, tsl_times((size_t)n, (size_t)n)) : 0);
}

#define FN(name) PASTE3(tsl_host_, P, name)
#define BODY "kernel/host/svd/bidiagonal.inc"
#include "core/types.inc"

static size_t divide_workspace(const tsl_leaf *l)
{
    int64_t n = l->B.m;
    if (!fits_library(l)) return 0;
    bool vectors = wants_vectors(l);
    size_t count = numbers(n, vectors), square = tsl_times((size_t)n, (size_t)n);
    if (vectors && !in_place(l, &l->A)) count = tsl_plus(count, square);
    if (vectors && !in_place(l, &l->D)) count = tsl_plus(count, square);
    return tsl_plus(tsl_times(integers(n), sizeof(host_int)), tsl_times(count, tsl_type_size(tsl_real_type(l->type))));
}

static size_t rotations_workspace(const tsl_leaf *l) { return tsl_times(4 * (size_t)l->B.m, tsl_type_size(tsl_real_type(l->type))); }

const tsl_kernel_entry tsl_host_bdsdc_entry = {.fn = TSL_HOST_LEAVES(bdsdc), .workspace = divide_workspace};
const tsl_kernel_entry tsl_host_bdsqr_entry = {.fn = TSL_HOST_LEAVES(bdsqr), .workspace = rotations_workspace};
