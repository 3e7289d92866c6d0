/* The typed calls of nonsymmetric eigenproblems, s d c z: each written once, in typed_geev.inc. */
#include "api/typed.h"
#include "ops/schur/geev.h"

#define BLOCK(array, lead, rows, cols) {.p = USED(array, (rows) > 0 && (cols) > 0), .ld = tsl_max(lead, tsl_max(1, rows)), .m = rows, .n = cols}

/* Rows and columns ilo .. ihi, arguments i and i + 1, of n */
static void arg_block(tsl_args *g, int i, int64_t n, int64_t ilo, int64_t ihi)
{
    tsl_arg_least(g, i, "ilo", ilo, 1, "1");
    tsl_arg_most(g, i, "ilo", ilo, tsl_max(1, n), "n");
    tsl_arg_least(g, i + 1, "ihi", ihi, tsl_min(ilo, n), "ilo");
    tsl_arg_most(g, i + 1, "ihi", ihi, n, "n");
}

tsl_schur_sort tsl_sort_of(char letter)
{
    switch (letter) {
    case 'L': return TSL_SORT_LHP;
    case 'R': return TSL_SORT_RHP;
    case 'I': return TSL_SORT_IUC;
    case 'O': return TSL_SORT_OUC;
    default: return TSL_SORT_NONE;
    }
}

/* Of the eigenvalues in these arrays so many come first. */
static tsl_status count_of(tsl_context *x, tsl_schur_sort sort, tsl_type t, int64_t n, void *w, void *wi, int64_t *sdim)
{
    tsl_status st = tsl_enter(&x);
    if (st) return st;
    tsl_matrix values = tsl_borrow(x, t, n, 1, w, tsl_max(1, n)), imaginary = tsl_borrow(x, t, wi ? n : 0, 1, wi, tsl_max(1, n));
    return tsl_leave(x, tsl_count_first(x, sort, tsl_whole(&values), tsl_whole(&imaginary), sdim));
}

#define FN(name) PASTE3(tsl_, P, name)
#define BODY "api/schur/typed_geev.inc"
#include "core/types.inc"
