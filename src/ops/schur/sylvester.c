/* Sylvester's equation op(A) X + X op(B) = s C with triangular matrices (trsyl, and the part of its algorithm that a device
 * computes in one go, lasyl), with general ones (sylvester), and with A and its conjugate transpose (lyapunov). */
#include "ops/qr/qr.h"

static tsl_status refuse_sign(tsl_context *x, const tsl_call *c, int64_t isgn)
{
    return isgn == 1 || isgn == -1 ? TSL_OK : tsl_refuse(x, c, TSL_ERR_FLAG, "the sign is %lld, must be 1 or -1", (long long)isgn);
}

tsl_status tsl_trsyl(tsl_context *x, int64_t isgn, tsl_view A, tsl_view B, tsl_view C, tsl_view s, int64_t *info)
{
    tsl_status st = tsl_enter(&x);
    if (st) return st;
    tsl_call c = {.op = TSL_OP_TRSYL, .alpha = (double)isgn, .v = {A, B, C, s}};
    c.refused = refuse_sign(x, &c, isgn);
    return tsl_leave(x, tsl_execute_info(x, &c, info));
}

tsl_status tsl_sylvester(tsl_context *x, tsl_view A, tsl_view B, tsl_view C, tsl_view s, int64_t *info)
{
    return tsl_execute_info(x, &(tsl_call){.op = TSL_OP_SYLVESTER, .v = {A, B, C, s}}, info);
}

tsl_status tsl_lyapunov(tsl_context *x, tsl_view A, tsl_view C, tsl_view s, int64_t *info)
{
    return tsl_execute_info(x, &(tsl_call){.op = TSL_OP_LYAPUNOV, .v = {A, C, s}}, info);
}

static tsl_status need_schur(tsl_context *x, const tsl_call *c, int i, int64_t order)
{
    const tsl_view *v = &c->v[i];
    tsl_status st = tsl_need_general(x, c, i);
    return st || (v->m == order && v->n == order) ? st : tsl_misfit(x, c, "A must have as many rows and columns as C rows, B as C columns");
}

static tsl_status check(tsl_context *x, const tsl_call *c)
{
    tsl_status st = tsl_need_plain(x, c, 2);
    if (!st) st = need_schur(x, c, 0, c->v[2].m);
    if (!st) st = need_schur(x, c, 1, c->v[2].n);
    return st ? st : tsl_need_column_of(x, c, 3, 1);
}

static tsl_status check_general(tsl_context *x, const tsl_call *c)
{
    tsl_status st = tsl_need_stored(x, c, 0);
    if (!st) st = tsl_need_stored(x, c, 1);
    return st ? st : check(x, c);
}

static tsl_status check_one(tsl_context *x, const tsl_call *c)
{
    tsl_status st = tsl_need_plain(x, c, 0);
    if (!st) st = tsl_need_plain(x, c, 1);
    if (!st && (c->v[0].m != c->v[0].n || c->v[1].m != c->v[0].m || c->v[1].n != c->v[0].m)) st = tsl_misfit(x, c, "A and C must be square, and of one size");
    return st ? st : tsl_need_column_of(x, c, 2, 1);
}

/* LAPACK has no letter for a complex matrix that is transposed, or conjugated, alone. */
static tsl_status canon(tsl_context *x, const tsl_call *c, tsl_leaf *l)
{
    tsl_status st = tsl_input(x, &c->v[0], c->v[0].op, TSL_TRANS, &l->A);
    return st ? st : tsl_input(x, &c->v[1], c->v[1].op, TSL_TRANS, &l->B);
}

static int64_t order(const tsl_call *c) { return tsl_max(c->v[2].m, c->v[2].n); }

static double flops(const tsl_call *c)
{
    double m = (double)c->v[2].m, n = (double)c->v[2].n;
    return (tsl_is_complex(c->v[2].mat->type) ? 4 : 1) * m * n * (m + n);
}

const tsl_rules tsl_lasyl_rules = {.check = tsl_unchecked, .order = order, .flops = flops};
const tsl_rules tsl_trsyl_rules = {.check = check, .canon = canon, .order = order, .flops = flops};
const tsl_rules tsl_sylvester_rules = {.check = check_general, .order = order};
const tsl_rules tsl_lyapunov_rules = {.check = check_one};
