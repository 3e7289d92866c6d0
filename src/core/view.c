/* Views: values that name a block of a matrix, how it is seen (op) and which triangle of it is meant.
 * i, j, m, n and uplo are kept in the coordinates of the storage; these functions speak of the block as seen. */
#include "core/matrix.h"

static int transposed(tsl_view v) { return v.op & TSL_TRANS; }

static const tsl_view invalid = {0};

int64_t tsl_rows(tsl_view v) { return transposed(v) ? v.n : v.m; }
int64_t tsl_cols(tsl_view v) { return transposed(v) ? v.m : v.n; }

tsl_view tsl_whole(tsl_matrix *A)
{
    if (!A) return invalid;
    return (tsl_view){.mat = A, .m = A->m, .n = A->n};
}

tsl_view tsl_problem(tsl_view v, int64_t k)
{
    if (!v.mat || !v.mat->batch || v.problem || k < 0 || k >= v.mat->count || k >= INT32_MAX) return invalid;
    v.problem = (int32_t)k + 1;
    return v;
}

tsl_view tsl_sub(tsl_view v, int64_t i, int64_t j, int64_t m, int64_t n)
{
    int64_t rows = tsl_rows(v), cols = tsl_cols(v);
    if (!v.mat || i < 0 || j < 0 || m < 0 || n < 0 || i > rows - m || j > cols - n) return invalid;
    tsl_view s = {.mat = v.mat, .i = v.i + i, .j = v.j + j, .m = m, .n = n, .op = v.op, .problem = v.problem};
    if (transposed(v)) {
        s.i = v.i + j;
        s.j = v.j + i;
        s.m = n;
        s.n = m;
    }
    return s;
}

static tsl_view through(tsl_view v, tsl_op op)
{
    v.op = tsl_compose(v.op, op);
    return v;
}

tsl_view tsl_trans(tsl_view v) { return through(v, TSL_TRANS); }
tsl_view tsl_conj(tsl_view v) { return through(v, TSL_CONJ); }
tsl_view tsl_herm(tsl_view v) { return through(v, TSL_HERM); }

static tsl_uplo other(tsl_uplo u) { return u == TSL_LOWER ? TSL_UPPER : u == TSL_UPPER ? TSL_LOWER : TSL_GENERAL; }

static tsl_view triangle(tsl_view v, tsl_uplo seen)
{
    v.uplo = transposed(v) ? other(seen) : seen;
    return v;
}

tsl_view tsl_lower(tsl_view v) { return triangle(v, TSL_LOWER); }
tsl_view tsl_upper(tsl_view v) { return triangle(v, TSL_UPPER); }

tsl_view tsl_general(tsl_view v)
{
    v.uplo = TSL_GENERAL;
    v.diag = TSL_NONUNIT;
    return v;
}

tsl_view tsl_unit(tsl_view v)
{
    v.diag = TSL_UNIT;
    return v;
}

tsl_uplo tsl_triangle(tsl_view v) { return transposed(v) ? other(v.uplo) : v.uplo; }
