/* Singular values and vectors of a real bidiagonal matrix, given by its diagonal d and e beside it: by divide and conquer
 * (bdsdc); times matrices, by implicit QR (bdsqr). */
#include "ops/qr/qr.h"

static bool is_wanted(const tsl_view *v) { return v->m > 0 && v->n > 0; }

/* The type is that of vectors where there are some, and d's where there are none. */
static void set_vectors(tsl_call *c, int count, const int place[], const tsl_view given[])
{
    tsl_view like = c->v[1];
    for (int i = count - 1; i >= 0; --i)
        if (given[i].mat) like = given[i];
    for (int i = 0; i < count; ++i) c->v[place[i]] = given[i].mat ? given[i] : tsl_none_of(like);
}

tsl_status tsl_bdsdc(tsl_context *x, tsl_uplo uplo, tsl_view d, tsl_view e, tsl_view U, tsl_view VT, int64_t *info)
{
    tsl_status st = tsl_enter(&x);
    if (st) return st;
    tsl_call c = {.op = TSL_OP_BDSDC, .uplo = uplo, .v = {[1] = d, [2] = e}};
    set_vectors(&c, 2, (const int[]){0, 3}, (const tsl_view[]){U, VT});
    return tsl_leave(x, tsl_execute_info(x, &c, info));
}

tsl_status tsl_bdsqr(tsl_context *x, tsl_uplo uplo, tsl_view d, tsl_view e, tsl_view U, tsl_view VT, tsl_view C, int64_t *info)
{
    tsl_status st = tsl_enter(&x);
    if (st) return st;
    tsl_call c = {.op = TSL_OP_BDSQR, .uplo = uplo, .v = {[1] = d, [2] = e}};
    set_vectors(&c, 3, (const int[]){0, 3, 4}, (const tsl_view[]){U, VT, C});
    return tsl_leave(x, tsl_execute_info(x, &c, info));
}

static tsl_status check(tsl_context *x, const tsl_call *c)
{
    int64_t n = c->v[1].m;
    tsl_status st = c->uplo == TSL_UPPER || c->uplo == TSL_LOWER ? TSL_OK : tsl_refuse(x, c, c->uplo == TSL_GENERAL ? TSL_ERR_UPLO : TSL_ERR_FLAG,
                                                                                        "e must be above the diagonal (TSL_UPPER) or below it (TSL_LOWER)");
    if (!st) st = tsl_need_column_of(x, c, 1, n);
    if (!st) st = tsl_need_column_of(x, c, 2, tsl_max(0, n - 1));
    for (int i = 0; i < tsl_ops[c->op].operands && !st; i = i ? i + 1 : 3) st = tsl_need_plain(x, c, i);
    return st;
}

static tsl_status check_bdsdc(tsl_context *x, const tsl_call *c)
{
    const tsl_view *U = &c->v[0], *VT = &c->v[3];
    int64_t n = c->v[1].m;
    tsl_status st = check(x, c);
    if (!st && is_wanted(U) && (U->m != n || U->n != n)) st = tsl_misfit(x, c, "U must have as many rows and columns as d has elements");
    return st || !is_wanted(VT) || (VT->m == n && VT->n == n) ? st : tsl_misfit(x, c, "VT must have as many rows and columns as d has elements");
}

static tsl_status check_bdsqr(tsl_context *x, const tsl_call *c)
{
    int64_t n = c->v[1].m;
    tsl_status st = check(x, c);
    if (!st && is_wanted(&c->v[0]) && c->v[0].n != n) st = tsl_misfit(x, c, "U must have as many columns as d has elements");
    for (int i = 3; i < 5 && !st; ++i)
        if (is_wanted(&c->v[i]) && c->v[i].m != n) st = tsl_misfit(x, c, "VT and C must have as many rows as d has elements");
    return st;
}

static int64_t order(const tsl_call *c) { return c->v[1].m; }

const tsl_rules tsl_bdsdc_rules = {.check = check_bdsdc, .order = order};
const tsl_rules tsl_bdsqr_rules = {.check = check_bdsqr, .order = order};
