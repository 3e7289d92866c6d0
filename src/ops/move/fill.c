/* Sums of matrices (geadd), matrices of two numbers (laset) or random ones, and single elements. */
#include <complex.h>

#include "ops/ops.h"

tsl_status tsl_geadd(tsl_context *x, tsl_scalar alpha, tsl_view A, tsl_scalar beta, tsl_view B)
{
    return tsl_execute(x, &(tsl_call){.op = TSL_OP_GEADD, .alpha = alpha, .beta = beta, .v = {A, B}});
}

static bool simplify_geadd(const tsl_call *c, tsl_call *less)
{
    if (c->alpha != 0) return false;
    tsl_view B = c->v[1];
    B.uplo = tsl_copied(c->v[0], B);
    *less = (tsl_call){.op = TSL_OP_SCALE, .alpha = c->beta, .v = {B}};
    return true;
}

static tsl_status canon_geadd(tsl_context *x, const tsl_call *c, tsl_leaf *l)
{
    tsl_op op = tsl_reduced(c->v[1].op, l->type);
    l->alpha = tsl_seen_scalar(c->alpha, op);
    l->beta = tsl_seen_scalar(c->beta, op);
    return tsl_copy_canon(x, c, l);
}

const tsl_rules tsl_geadd_rules = {.check = tsl_copy_check, .simplify = simplify_geadd, .canon = canon_geadd, .in_place = tsl_by_elements};

tsl_status tsl_laset(tsl_context *x, tsl_scalar alpha, tsl_scalar beta, tsl_view A)
{
    return tsl_execute(x, &(tsl_call){.op = TSL_OP_LASET, .alpha = alpha, .beta = beta, .v = {A}});
}

tsl_status tsl_random(tsl_context *x, uint64_t seed, tsl_view A)
{
    return tsl_execute(x, &(tsl_call){.op = TSL_OP_RANDOM, .fill = {.seed = (int64_t)seed}, .v = {A}});
}

static tsl_status check(tsl_context *x, const tsl_call *c) { return tsl_need_diagonal(x, c, 0); }

static tsl_status canon_laset(tsl_context *x, const tsl_call *c, tsl_leaf *l)
{
    (void)x;
    tsl_op op = tsl_reduced(c->v[0].op, l->type);
    l->uplo = c->v[0].uplo;
    l->alpha = tsl_seen_scalar(c->alpha, op);
    l->beta = tsl_seen_scalar(c->beta, op);
    l->fill.row = op & TSL_TRANS ? c->fill.col : c->fill.row;
    l->fill.col = op & TSL_TRANS ? c->fill.row : c->fill.col;
    return TSL_OK;
}

const tsl_rules tsl_laset_rules = {.check = check, .canon = canon_laset};

static tsl_status canon_random(tsl_context *x, const tsl_call *c, tsl_leaf *l)
{
    (void)x;
    l->uplo = c->v[0].uplo;
    return TSL_OK;
}

const tsl_rules tsl_random_rules = {.check = check, .canon = canon_random};

/* Element (i,j) of A as seen is copied from or to a matrix of one element, on the host. */
static tsl_status copy_element(tsl_context *x, tsl_view A, int64_t i, int64_t j, void *element, bool to)
{
    tsl_status st = tsl_enter(&x);
    if (st) return st;
    if (!A.mat) return tsl_leave(x, tsl_fail(x, TSL_ERR_VIEW, "element: A has no matrix"));
    if (i < 0 || j < 0 || i >= tsl_rows(A) || j >= tsl_cols(A))
        return tsl_leave(x, tsl_fail(x, TSL_ERR_VIEW, "element: A is %lld x %lld and has no element (%lld,%lld)", (long long)tsl_rows(A),
                                     (long long)tsl_cols(A), (long long)i, (long long)j));
    st = tsl_check_operands(x, &(tsl_call){.op = TSL_OP_COPY, .v = {A, A}}); /* all of A, of which a block is taken */
    if (st) return tsl_leave(x, st);
    tsl_matrix one = {.ctx = x, .type = A.mat->type, .m = 1, .n = 1, .ld = 1, .data = element};
    tsl_view a = tsl_sub(A, i, j, 1, 1), e = tsl_whole(&one);
    return tsl_leave(x, to ? tsl_copy(x, e, a) : tsl_copy(x, a, e));
}

tsl_status tsl_get_element(tsl_context *x, tsl_view A, int64_t i, int64_t j, tsl_scalar *value)
{
    tsl_typed_scalar a;
    if (!value) return tsl_fail(x, TSL_ERR_NULL, "get_element: no place for the value");
    tsl_status st = copy_element(x, A, i, j, &a, false);
    if (!st) *value = A.mat->type == TSL_INDEX ? (double)a.i : tsl_untyped(A.mat->type, a);
    return st;
}

/* A real element has no imaginary part, and an index is an integer that fits 64 bits. NaN and infinities are numbers. */
static tsl_status fits_type(tsl_context *x, tsl_type t, tsl_scalar value)
{
    static const double END = 9223372036854775808.0; /* 2^63 */
    double a = creal(value), b = cimag(value);
    if (!tsl_is_complex(t) && b != 0) return tsl_fail(x, TSL_ERR_TYPE, "set_element: the value is %g%+gi, a complex number, and the elements of A are %s", a, b, t == TSL_INDEX ? "indices" : "real");
    bool integer = a >= -END && a < END && (double)(int64_t)a == a;
    return t != TSL_INDEX || integer ? TSL_OK : tsl_fail(x, TSL_ERR_TYPE, "set_element: the value is %.17g, and the elements of A are indices, integers of 64 bits", a);
}

tsl_status tsl_set_element(tsl_context *x, tsl_view A, int64_t i, int64_t j, tsl_scalar value)
{
    tsl_typed_scalar a = {0};
    tsl_status st = tsl_enter(&x);
    if (st) return st;
    if (A.mat) st = fits_type(x, A.mat->type, value);
    if (!st && A.mat && A.mat->type == TSL_INDEX) a.i = (int64_t)creal(value);
    else if (!st && A.mat) a = tsl_typed(A.mat->type, value);
    return tsl_leave(x, st ? st : copy_element(x, A, i, j, &a, true));
}
