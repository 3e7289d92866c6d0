/* The typed calls of the drivers of the symmetric eigenproblem, s d c z: each written once, in typed_syev.inc. */
#include "api/typed.h"

/* Arguments number i, range, and number j on, vl vu il iu, checked as LAPACK does */
typedef struct selection {
    tsl_range range;
    double least, most;
    int64_t first, k; /* by index */
} selection;

static tsl_range arg_range(tsl_args *g, int i, char range)
{
    char r = tsl_arg_letter(g, i, range, "range", "AVI");
    return r == 'V' ? TSL_RANGE_VALUE : r == 'I' ? TSL_RANGE_INDEX : TSL_RANGE_ALL;
}

static selection arg_wanted(tsl_args *g, int j, tsl_range range, int64_t n, double vl, double vu, int64_t il, int64_t iu)
{
    if (range == TSL_RANGE_VALUE && n > 0) tsl_arg_interval(g, j + 1, vl, vu);
    if (range == TSL_RANGE_INDEX) {
        tsl_arg_least(g, j + 2, "il", il, 1, "one");
        tsl_arg_most(g, j + 2, "il", il, tsl_max(1, n), "n");
        tsl_arg_least(g, j + 3, "iu", iu, tsl_min(n, il), "il");
        tsl_arg_most(g, j + 3, "iu", iu, n, "n");
    }
    if (range == TSL_RANGE_INDEX) return (selection){.range = range, .first = il - 1, .k = iu - il + 1};
    return range == TSL_RANGE_VALUE ? (selection){.range = range, .least = vl, .most = vu} : (selection){.range = range};
}

/* Columns of Z that are certain to be there: by value only the caller knows how many are */
static int64_t columns(selection s, int64_t n) { return s.range == TSL_RANGE_ALL ? n : s.range == TSL_RANGE_INDEX ? s.k : 0; }

/* ifail, or isuppz: a vector's elements may all be other than zero */
static void tell_failures(int64_t *ifail, int64_t m, int64_t n, int64_t info)
{
    for (int64_t i = 0; ifail && i < n; ++i) ifail[i] = info && i < m ? i + 1 : 0;
}

static void tell_support(int64_t *isuppz, int64_t m, int64_t n)
{
    for (int64_t i = 0; isuppz && i < m; ++i) isuppz[2 * i] = 1, isuppz[2 * i + 1] = n;
}

/* A matrix as the leaf has it */
#define BLOCK(array, lead, rows, cols) {.p = array, .ld = lead, .m = rows, .n = cols}

#define FN(name) PASTE3(tsl_, P, name)
#define BODY "api/typed_syev.inc"
#include "core/types.inc"
