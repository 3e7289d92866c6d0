/* Between precisions: B := A rounded or widened (convert); and how large one matrix is beside another (ratio) */
#include <complex.h>

#include "ops/inner.h"
#include "ops/ops.h"

tsl_status tsl_convert(tsl_context *x, tsl_view A, tsl_view B, int64_t *info)
{
    return tsl_execute_info(x, &(tsl_call){.op = TSL_OP_CONVERT, .alpha = 1, .v = {A, B}}, info);
}

void tsl_add_converted(tsl_context *x, double alpha, tsl_view A, double beta, tsl_view B)
{
    tsl_execute(x, &(tsl_call){.op = TSL_OP_CONVERT, .alpha = alpha, .beta = beta, .v = {A, B}});
}

static tsl_status canon(tsl_context *x, const tsl_call *c, tsl_leaf *l)
{
    const tsl_view *A = &c->v[0], *B = &c->v[1];
    l->uplo = tsl_copied(*A, *B);
    return tsl_plain(x, A, tsl_compose(A->op, B->op), &l->A);
}

const tsl_rules tsl_convert_rules = {.check = tsl_copy_check, .canon = canon};

tsl_status tsl_ratio(tsl_context *x, tsl_view A, tsl_view B, double *ratio, double *largest)
{
    tsl_typed_scalar value;
    tsl_status st = tsl_execute_value(x, &(tsl_call){.op = TSL_OP_RATIO, .v = {A, B}}, &value);
    *ratio = creal(value.z);
    *largest = cimag(value.z);
    return st;
}

static tsl_status check_ratio(tsl_context *x, const tsl_call *c)
{
    tsl_status st = tsl_need_general(x, c, 0);
    if (!st) st = tsl_need_general(x, c, 1);
    if (st) return st;
    bool same = tsl_rows(c->v[0]) == tsl_rows(c->v[1]) && tsl_cols(c->v[0]) == tsl_cols(c->v[1]);
    return same ? TSL_OK : tsl_misfit(x, c, "A and B differ in size");
}

/* Conjugation does not change an element's size. */
static tsl_status canon_ratio(tsl_context *x, const tsl_call *c, tsl_leaf *l)
{
    tsl_status st = tsl_plain(x, &c->v[0], c->v[0].op & TSL_TRANS, &l->A);
    if (!st) st = tsl_plain(x, &c->v[1], c->v[1].op & TSL_TRANS, &l->B);
    l->m = tsl_rows(c->v[0]);
    l->n = tsl_cols(c->v[0]);
    return st;
}

const tsl_rules tsl_ratio_rules = {.check = check_ratio, .canon = canon_ratio};
