/* Host leaves that make norms, of vectors (nrm2) and of matrices. OpenBLAS loses small numbers in nrm2. */
#include <complex.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/values.h"
#include "core/numbers/blue.h"
#include "kernel/host/leaf.h"

enum { LANES = 8 }; /* sums kept side by side, in vector registers */

/* The rows of column j that are read, but for the diagonal's, which a triangle has apart. */
typedef struct column {
    int64_t from, to;
    bool diagonal;
} column;

static column column_of(const tsl_leaf *l, int64_t j)
{
    if (l->uplo == TSL_GENERAL) return (column){0, l->m, false};
    if (l->uplo == TSL_LOWER) return (column){tsl_min(j + 1, l->m), l->m, j < l->m};
    return (column){0, tsl_min(j, l->m), j < l->m};
}

/* Does what is off the diagonal stand for the other triangle too? */
static bool mirrored(const tsl_leaf *l) { return l->norm.structure != TSL_TRIANGULAR; }

/* For sums along rows and columns: one for each. */
static size_t workspace(const tsl_leaf *l)
{
    bool sums = l->norm.kind == TSL_NORM_ONE || l->norm.kind == TSL_NORM_INF;
    return sums ? tsl_times((size_t)tsl_max(l->m, l->n), sizeof(double)) : 0;
}

static double total(const double *s) { return ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7])); }

#define FN(name) PASTE3(tsl_host_, P, name)
#define BODY "kernel/host/move/norm.inc"
#include "core/types.inc"

const tsl_kernel_entry tsl_host_norm_entry = {.fn = TSL_HOST_LEAVES(norm), .workspace = workspace};
