/* P A = L U with partial pivoting, in place: A := L and U, p := the exchanges that P is made of */
#include <stdio.h>

#include "ops/lu/lu.h"

tsl_status tsl_getrf(tsl_context *x, tsl_view A, tsl_view p, int64_t *info)
{
    return tsl_execute_info(x, &(tsl_call){.op = TSL_OP_GETRF, .v = {A, p}}, info);
}

tsl_status tsl_need_pivots(tsl_context *x, const tsl_call *c, int i, int64_t count)
{
    const tsl_view *p = &c->v[i];
    tsl_status st = tsl_need_general(x, c, i);
    if (st) return st;
    if (p->n == 1 && p->m == count && !(p->op & TSL_TRANS)) return TSL_OK;
    return tsl_refuse(x, c, TSL_ERR_SHAPE, "%s is %lld x %lld, must be a column of %lld pivots", tsl_ops[c->op].operand[i].name,
                      (long long)tsl_rows(*p), (long long)tsl_cols(*p), (long long)count);
}

const int64_t *tsl_pivots_at_hand(const tsl_context *x, const tsl_view *p, int64_t *ld)
{
    const tsl_matrix *a = p->mat;
    if ((a->home && !a->tiles) || (a->tiles && !a->tiles->wraps) || (x->runtime && x->runtime->started)) return NULL;
    const tsl_tile *first = a->tiles ? a->tiles->tile : NULL;
    if (a->tiles && (!first || first->line.home != TSL_HOST_SPACE)) return NULL;
    *ld = first ? first->ld : a->ld;
    return (const int64_t *)(first ? first->data : a->data) + p->i + p->j * *ld;
}

tsl_status tsl_bad_pivot(tsl_context *x, const tsl_call *c, int i, int64_t at, int64_t row, int64_t first, int64_t last)
{
    tsl_args *d = c->args;
    char of[32] = "";
    if (d) snprintf(of, sizeof of, "argument %d (ipiv): ", d->argument = d->array[i].argument);
    return tsl_refuse(x, c, TSL_ERR_PIVOT, "%spivot %lld is row %lld, must be one of %lld..%lld", of, (long long)at, (long long)row, (long long)first,
                      (long long)last);
}

tsl_status tsl_need_rows(tsl_context *x, const tsl_call *c, int i, int64_t rows)
{
    int64_t ld, first = c->lu.first;
    const int64_t *p = tsl_pivots_at_hand(x, &c->v[i], &ld);
    for (int64_t k = 0; p && k < c->v[i].m; ++k)
        if (p[k] <= first || p[k] - first > rows) return tsl_bad_pivot(x, c, i, first + k + 1, p[k], first + 1, first + rows);
    return TSL_OK;
}

static tsl_status check(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0];
    tsl_status st = tsl_need_general(x, c, 0);
    if (!st && tsl_reduced(A.op, A.mat->type) != TSL_NOTRANS)
        st = tsl_refuse(x, c, TSL_ERR_FLAG, "A is seen transposed or conjugated; it can be factored only as it is stored");
    return st ? st : tsl_need_pivots(x, c, 1, tsl_min(A.m, A.n));
}

/* A zero pivot that is no outcome is written where nobody looks. */
static tsl_status canon(tsl_context *x, const tsl_call *c, tsl_leaf *l)
{
    if (c->passing) l->info = x->result;
    return TSL_OK;
}

/* What a leaf's limit speaks of: the columns of a panel of any height */
static int64_t order(const tsl_call *c) { return c->v[0].n; }

const tsl_rules tsl_getrf_rules = {.check = check, .canon = canon, .order = order};
const tsl_rules tsl_lu_column_rules = {.check = tsl_unchecked};
const tsl_rules tsl_lu_strip_rules = {.check = tsl_unchecked};
