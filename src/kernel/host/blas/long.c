/* Leaves with more rows, columns or elements than the host library can count: cut into parts that it can. Columns that lie too
 * far apart, as those of a matrix with so many rows do, are copied to workspace for a part. */
#include <string.h>

#include "core/values.h"
#include "kernel/host/blas.h"
#include "kernel/host/leaf.h"

/* a part's side, where another is long its elements, and those of a vector */
enum { SIDE = 1024, AREA = SIDE * SIDE, VECTOR = 1 << 30 };

/* So many of a long dimension are taken at a time, when the others of a part have `other` at most */
static int64_t step_of(int64_t length, int64_t other) { return tsl_min(length, tsl_max(SIDE, AREA / tsl_max(1, tsl_min(SIDE, other)))); }

/* Can the library step from one element to the next? */
static bool is_near(int64_t inc) { return inc == (int)inc; }

/* The steps of a product, or of an operation with a square matrix on one side */
typedef struct steps {
    int64_t m, n, k;
} steps;

static steps steps_of(const tsl_leaf *l)
{
    int64_t k = tsl_max(1, l->k);
    return (steps){step_of(l->m, tsl_max(l->n, k)), step_of(l->n, tsl_max(l->m, k)), step_of(k, tsl_max(l->m, l->n))};
}

/* Workspace: the parts that are copied at one time */
static size_t workspace(const tsl_leaf *l, size_t elements) { return fits_library(l) ? 0 : tsl_times(elements, tsl_type_size(l->type)); }

size_t tsl_host_gemm_long_workspace(const tsl_leaf *l)
{
    const steps s = steps_of(l);
    const size_t m = (size_t)s.m, n = (size_t)s.n, k = (size_t)s.k;
    return workspace(l, tsl_plus(tsl_plus(tsl_times(m, k), tsl_times(k, n)), tsl_times(m, n)));
}

size_t tsl_host_rank_long_workspace(const tsl_leaf *l)
{
    return workspace(l, tsl_times(2, tsl_times((size_t)l->n, (size_t)steps_of(l).k)));
}

size_t tsl_host_sided_long_workspace(const tsl_leaf *l)
{
    const steps s = steps_of(l);
    return workspace(l, tsl_times(2, l->side == TSL_RIGHT ? tsl_times((size_t)s.m, (size_t)l->n) : tsl_times((size_t)l->m, (size_t)s.n)));
}

#define FN(name) PASTE3(tsl_host_, P, name)
#define BODY "kernel/host/blas/long.inc"
#include "core/types.inc"
