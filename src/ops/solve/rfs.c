/* Scalings of rows and columns (geequ, poequ), and bounds of the errors of solutions (gerfs, porfs, trrfs). */
#include "ops/lu/lu.h"
#include "ops/qr/qr.h"

/* The call, of which operand i is a column of three numbers, of a batch one for each problem; and where the caller wants them.
 * number: what they are where there is nothing to compute */
static tsl_status with_numbers(tsl_context *x, tsl_call *c, int i, double number[3], double *const out[3], int64_t *info)
{
    int64_t count = tsl_problems(c);
    size_t bytes = tsl_times((size_t)count, 3 * sizeof *number);
    double *numbers = tsl_is_batch(c) ? tsl_host_alloc(&x->allocator, bytes) : number;
    if (!numbers) return tsl_refuse(x, c, TSL_ERR_MEMORY, "%s", tsl_status_text(TSL_ERR_MEMORY));
    for (int64_t k = 0; k < 3 * count; ++k) numbers[k] = number[k % 3];
    tsl_matrix mat = tsl_per_problem(x, c, TSL_D, 3, numbers);
    c->v[i] = tsl_whole(&mat);
    tsl_status st = tsl_execute_info(x, c, info);
    for (int64_t k = 0; k < 3 * count && !st; ++k)
        if (out[k % 3]) out[k % 3][k / 3] = numbers[k];
    if (numbers != number) tsl_host_free(&x->allocator, numbers, bytes);
    return st;
}

tsl_status tsl_geequ(tsl_context *x, tsl_view A, tsl_view r, tsl_view c, double *rowcnd, double *colcnd, double *amax, int64_t *info)
{
    double number[3] = {1, 1, 0};
    tsl_status st = tsl_enter(&x);
    if (st) return st;
    return tsl_leave(x, with_numbers(x, &(tsl_call){.op = TSL_OP_GEEQU, .v = {A, r, c}}, 3, number, (double *const[]){rowcnd, colcnd, amax}, info));
}

tsl_status tsl_poequ(tsl_context *x, tsl_view A, tsl_view s, double *scond, double *amax, int64_t *info)
{
    double number[3] = {1, 0, 0};
    tsl_status st = tsl_enter(&x);
    if (st) return st;
    tsl_call c = {.op = TSL_OP_POEQU, .v = {A, s}};
    tsl_put_triangle(x, &c, 0, A); /* its diagonal is all that is read */
    return tsl_leave(x, with_numbers(x, &c, 2, number, (double *const[]){scond, amax, NULL}, info));
}

tsl_status tsl_gerfs(tsl_context *x, tsl_view A, tsl_view AF, tsl_view p, tsl_view B, tsl_view X, tsl_view ferr, tsl_view berr)
{
    return tsl_execute(x, &(tsl_call){.op = TSL_OP_GERFS, .v = {A, AF, p, B, X, ferr, berr}});
}

tsl_status tsl_porfs(tsl_context *x, tsl_view A, tsl_view AF, tsl_view B, tsl_view X, tsl_view ferr, tsl_view berr)
{
    return tsl_execute(x, &(tsl_call){.op = TSL_OP_PORFS, .v = {A, AF, B, X, ferr, berr}});
}

tsl_status tsl_trrfs(tsl_context *x, tsl_view A, tsl_view B, tsl_view X, tsl_view ferr, tsl_view berr)
{
    return tsl_execute(x, &(tsl_call){.op = TSL_OP_TRRFS, .v = {A, B, X, ferr, berr}});
}

static tsl_status need_square(tsl_context *x, const tsl_call *c, int i)
{
    return c->v[i].m == c->v[i].n && c->v[i].m == c->v[0].m ? TSL_OK : tsl_misfit(x, c, "A and its factor must be square, of one order");
}

/* B and X from operand i on, then a number for each column of them, twice */
static tsl_status need_columns(tsl_context *x, const tsl_call *c, int i)
{
    tsl_status st = TSL_OK;
    for (int k = i; k < i + 2 && !st; ++k) {
        st = tsl_need_plain(x, c, k);
        if (!st && (c->v[k].m != c->v[0].m || c->v[k].n != c->v[i].n)) st = tsl_misfit(x, c, "B and X must have as many rows as A, and as many columns as each other");
    }
    for (int k = i + 2; k < i + 4 && !st; ++k) st = tsl_need_column_of(x, c, k, c->v[i].n);
    return st;
}

static tsl_status check_geequ(tsl_context *x, const tsl_call *c)
{
    tsl_status st = tsl_need_plain(x, c, 0);
    if (!st) st = tsl_need_column_of(x, c, 1, c->v[0].m);
    return st ? st : tsl_need_column_of(x, c, 2, c->v[0].n);
}

static tsl_status check_poequ(tsl_context *x, const tsl_call *c)
{
    tsl_status st = tsl_need_plain(x, c, 0);
    if (!st) st = need_square(x, c, 0);
    return st ? st : tsl_need_column_of(x, c, 1, c->v[0].n);
}

static tsl_status check_gerfs(tsl_context *x, const tsl_call *c)
{
    tsl_status st = tsl_need_general(x, c, 0);
    if (!st) st = need_square(x, c, 0);
    if (!st) st = tsl_need_plain(x, c, 1);
    if (!st) st = need_square(x, c, 1);
    if (!st) st = tsl_need_pivots(x, c, 2, c->v[0].m);
    return st ? st : need_columns(x, c, 3);
}

static tsl_status check_porfs(tsl_context *x, const tsl_call *c)
{
    tsl_status st = TSL_OK;
    for (int i = 0; i < 2 && !st; ++i) {
        st = tsl_need_triangle(x, c, i);
        if (!st) st = tsl_need_diagonal(x, c, i);
        if (!st) st = tsl_need_stored(x, c, i);
        if (!st) st = need_square(x, c, i);
    }
    if (!st && c->v[0].uplo != c->v[1].uplo) st = tsl_refuse(x, c, TSL_ERR_UPLO, "A is seen as one triangle and AF as the other");
    return st ? st : need_columns(x, c, 2);
}

static tsl_status check_trrfs(tsl_context *x, const tsl_call *c)
{
    tsl_status st = tsl_need_triangle(x, c, 0);
    return st ? st : need_columns(x, c, 1);
}

static tsl_status indices(tsl_context *x, const tsl_call *c) { return tsl_need_rows(x, c, 2, c->v[0].m); }

/* LAPACK has no word for the plain conjugate. */
static bool has_leaf(const tsl_call *c) { return tsl_reduced(c->v[0].op, c->v[0].mat->type) != TSL_CONJ; }

static int64_t order(const tsl_call *c) { return c->v[0].m; }

const tsl_rules tsl_geequ_rules = {.check = check_geequ};
const tsl_rules tsl_poequ_rules = {.check = check_poequ};
const tsl_rules tsl_gerfs_rules = {.check = check_gerfs, .indices = indices, .has_leaf = has_leaf, .order = order};
const tsl_rules tsl_porfs_rules = {.check = check_porfs, .order = order};
const tsl_rules tsl_trrfs_rules = {.check = check_trrfs, .has_leaf = has_leaf, .order = order};
