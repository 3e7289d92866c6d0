/* Rows are added to a Cholesky or QR factor and taken from it (uddate), with right-hand sides; and the signs of rows, a part of
 * that (rowsign). */
#include "ops/qr/qr.h"

static tsl_status update(tsl_context *x, tsl_call *c, int64_t *info)
{
    tsl_status st = tsl_enter(&x);
    return st ? st : tsl_leave(x, tsl_execute_info(x, c, info));
}

tsl_status tsl_uddate(tsl_context *x, tsl_view R, tsl_view B, tsl_view C, tsl_view BC, tsl_view D, tsl_view BD, int64_t *info)
{
    return update(x, &(tsl_call){.op = TSL_OP_UDDATE, .v = {R, tsl_or_none(B, R), tsl_or_none(C, R), tsl_or_none(BC, R), tsl_or_none(D, R), tsl_or_none(BD, R)}}, info);
}

/* Here the rows must not be missing. */
tsl_status tsl_chud(tsl_context *x, tsl_view R, tsl_view C)
{
    tsl_view none = tsl_none_of(R);
    return update(x, &(tsl_call){.op = TSL_OP_UDDATE, .v = {R, none, C, none, none, none}}, NULL);
}

tsl_status tsl_chdd(tsl_context *x, tsl_view R, tsl_view D, int64_t *info)
{
    tsl_view none = tsl_none_of(R);
    return update(x, &(tsl_call){.op = TSL_OP_UDDATE, .v = {R, none, none, none, D, none}}, info);
}

/* Rows for R, and as many for B if there is one */
static tsl_status check_rows(tsl_context *x, const tsl_call *c, int i)
{
    const tsl_view *R = &c->v[0], *B = &c->v[1], *X = &c->v[i], *Y = &c->v[i + 1];
    tsl_status st = tsl_need_plain(x, c, i);
    if (!st) st = tsl_need_plain(x, c, i + 1);
    if (st || !X->m) return st;
    if (X->n != R->n) return tsl_misfit(x, c, "rows that are added or taken must have as many columns as R");
    return (Y->n == B->n && (Y->m == X->m || !B->n)) ? TSL_OK : tsl_misfit(x, c, "rows must go with right-hand sides of as many rows, and columns as B");
}

static tsl_status check(tsl_context *x, const tsl_call *c)
{
    const tsl_view *R = &c->v[0], *B = &c->v[1];
    tsl_status st = tsl_need_triangle(x, c, 0);
    if (!st) st = tsl_need_diagonal(x, c, 0);
    if (!st) st = tsl_need_plain(x, c, 1);
    if (!st && B->n && B->m != R->m) st = tsl_misfit(x, c, "B must have as many rows as R");
    if (!st) st = check_rows(x, c, 2);
    return st ? st : check_rows(x, c, 4);
}

static int64_t order(const tsl_call *c) { return c->v[0].m; }

static double flops(const tsl_call *c)
{
    double n = (double)c->v[0].n, wide = n * (n + 2 * (double)c->v[1].n);
    return (tsl_is_complex(c->v[0].mat->type) ? 4 : 1) * wide * (2 * (double)c->v[2].m + 4 * (double)c->v[4].m);
}

const tsl_rules tsl_rowsign_rules = {.check = tsl_unchecked};
const tsl_rules tsl_uddate_rules = {.check = check, .order = order, .flops = flops};
