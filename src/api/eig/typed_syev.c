/* The typed calls of the drivers of the symmetric eigenproblem, s d c z: each written once, in typed_syev.inc. */
#include "api/typed.h"

/* Arguments number i, range, and number j on, vl vu il iu, checked as LAPACK does */
static tsl_range arg_range(tsl_args *g, int i, char range)
{
    char r = tsl_arg_letter(g, i, range, "range", "AVI");
    return r == 'V' ? TSL_RANGE_VALUE : r == 'I' ? TSL_RANGE_INDEX : TSL_RANGE_ALL;
}

static tsl_eig_args arg_wanted(tsl_args *g, int j, tsl_range range, int64_t n, double vl, double vu, int64_t il, int64_t iu)
{
    if (range == TSL_RANGE_VALUE && n > 0) tsl_arg_interval(g, j + 1, vl, vu);
    if (range == TSL_RANGE_INDEX) {
        tsl_arg_least(g, j + 2, "il", il, 1, "one");
        tsl_arg_most(g, j + 2, "il", il, tsl_max(1, n), "n");
        tsl_arg_least(g, j + 3, "iu", iu, tsl_min(n, il), "il");
        tsl_arg_most(g, j + 3, "iu", iu, n, "n");
    }
    if (g->st) return (tsl_eig_args){.range = range};
    if (range == TSL_RANGE_INDEX) return (tsl_eig_args){.range = range, .first = il - 1, .count = iu - il + 1};
    return range == TSL_RANGE_VALUE ? (tsl_eig_args){.range = range, .least = vl, .most = vu} : (tsl_eig_args){.range = range};
}

/* Columns of Z that are certain to be there: by value only the caller knows how many are */
static int64_t columns(tsl_eig_args s, int64_t n) { return s.range == TSL_RANGE_ALL ? n : s.range == TSL_RANGE_INDEX ? s.count : 0; }

/* ifail, or isuppz: a vector's elements may all be other than zero */
static void tell_failures(int64_t *ifail, int64_t m, int64_t n, int64_t info)
{
    for (int64_t i = 0; ifail && i < n; ++i) ifail[i] = info && i < m ? i + 1 : 0;
}

static void tell_support(int64_t *isuppz, int64_t m, int64_t n)
{
    for (int64_t i = 0; isuppz && i < m; ++i) isuppz[2 * i] = 1, isuppz[2 * i + 1] = n;
}

/* Z := the first columns of A. That needs no memory, so it is not refused any more unless there are more columns than the
 * caller thought, which lie in A. */
static tsl_status moved(tsl_context *x, tsl_type t, int64_t n, int64_t columns, void *A, int64_t lda, void *Z, int64_t ldz)
{
    tsl_status st = tsl_enter(&x);
    if (st) return st;
    tsl_matrix from = tsl_borrow(x, t, n, columns, A, lda), to = tsl_borrow(x, t, n, columns, Z, ldz);
    tsl_call c = {.op = TSL_OP_COPY, .v = {tsl_whole(&from), tsl_whole(&to)}};
    st = tsl_check_apart(x, &c, tsl_locate_here);
    return tsl_leave(x, st ? st : tsl_move_block(x, &c.v[0], &c.v[1]));
}

/* A matrix as the leaf has it */
#define BLOCK(array, lead, rows, cols) {.p = array, .ld = lead, .m = rows, .n = cols}

#define FN(name) PASTE3(tsl_, P, name)
#define BODY "api/eig/typed_syev.inc"
#include "core/types.inc"
