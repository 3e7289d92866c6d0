/* To bidiagonal form, A = Q B P^H (gebrd); products with Q and P (ormbr, unmbr), and Q and P^H themselves (orgbr, ungbr). P's
 * reflectors are columns of A's conjugate transpose, as Q's are of A. Parts of the way by a band, which algorithms call: orhr,
 * bdsign. */
#include "ops/qr/qr.h"

tsl_status tsl_gebrd(tsl_context *x, tsl_view A, tsl_view d, tsl_view e, tsl_view tauq, tsl_view taup)
{
    return tsl_execute(x, &(tsl_call){.op = TSL_OP_GEBRD, .v = {A, d, e, tauq, taup}});
}

static tsl_status refuse_which(tsl_context *x, const char *routine, tsl_side which)
{
    return (unsigned)which <= TSL_RIGHT ? TSL_OK : tsl_fail(x, TSL_ERR_FLAG, "%s: neither Q nor P is number %d", routine, (int)which);
}

/* All of the operands, of which blocks are taken */
static tsl_status check_whole(tsl_context *x, tsl_call *c)
{
    tsl_matrix picked[TSL_MAX_OPERANDS];
    tsl_call one = *c;
    if (x->run->level > 0) return TSL_OK; /* an algorithm's */
    tsl_status st = tsl_need_problems(x, &one, picked);
    if (!st) st = tsl_check_operands(x, &one);
    for (int i = 0; i < 3 && !st; ++i) st = tsl_need_general(x, &one, i);
    if (!st) st = tsl_check_apart(x, &one, tsl_locate_for(x, &one));
    if (st && tsl_remote_of(x, c)) { /* other processes must hear of it */
        c->refused = st;
        st = tsl_execute(x, c);
    }
    return st;
}

/* Those reflectors whose ones are beside the diagonal leave the first row of C as it is, or the first column: of Q if A is
 * wide, of P if it is not. */
tsl_status tsl_ormbr(tsl_context *x, tsl_side which, tsl_side side, tsl_op trans, tsl_view A, tsl_view tau, tsl_view C)
{
    tsl_status st = tsl_enter(&x);
    if (st) return st;
    bool p = which == TSL_RIGHT, wide = A.m < A.n;
    tsl_view V = p ? tsl_herm(A) : A;
    int64_t order = tsl_rows(V), less = order - 1, count = tsl_cols(V);
    tsl_args name = {.x = x, .routine = "ormbr", .type = -1};
    tsl_call whole = tsl_product_with_q(x, TSL_OP_ORMQR, &name, side, trans, V, tau, C);
    if (!whole.refused) whole.refused = refuse_which(x, "ormbr", which);
    st = check_whole(x, &whole);
    if (!st && p != wide && order > 0 && order == (side == TSL_RIGHT ? tsl_cols(C) : tsl_rows(C)) && tau.m == tsl_min(A.m, A.n)) {
        V = tsl_sub(V, 1, 0, less, tsl_min(less, count));
        tau = tsl_sub(tau, 0, 0, tsl_min(less, count), 1);
        C = side == TSL_RIGHT ? tsl_sub(C, 0, 1, tsl_rows(C), less) : tsl_sub(C, 1, 0, less, tsl_cols(C));
    }
    return tsl_leave(x, st ? st : tsl_ormqr(x, side, trans, V, tau, C));
}

tsl_status tsl_orgbr(tsl_context *x, tsl_side which, int64_t k, tsl_view A, tsl_view tau)
{
    tsl_status st = tsl_enter(&x);
    if (st) return st;
    tsl_call c = {.op = TSL_OP_ORGBR, .refused = refuse_which(x, "orgbr", which), .k = k, .v = {which == TSL_RIGHT ? tsl_herm(A) : A, tau}};
    return tsl_leave(x, tsl_execute(x, &c));
}

static tsl_status check(tsl_context *x, const tsl_call *c)
{
    int64_t d = tsl_min(c->v[0].m, c->v[0].n);
    tsl_status st = tsl_need_plain(x, c, 0);
    for (int i = 1; i < 5 && !st; ++i) st = tsl_need_column_of(x, c, i, i == 2 ? tsl_max(0, d - 1) : d);
    return st;
}

static int64_t order(const tsl_call *c) { return tsl_min(c->v[0].m, c->v[0].n); }

/* The columns of the panel */
static int64_t columns(const tsl_call *c) { return c->v[1].m; }

static tsl_status canon_panel(tsl_context *x, const tsl_call *c, tsl_leaf *l)
{
    (void)x;
    l->k = columns(c);
    return TSL_OK;
}

static tsl_status check_q(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0];
    int64_t m = tsl_rows(A), n = tsl_cols(A);
    tsl_status st = tsl_need_upright(x, c, 0);
    if (st) return st;
    if (c->k < 0) return tsl_refuse(x, c, TSL_ERR_SHAPE, "k is %lld", (long long)c->k);
    if (n > m || n < tsl_min(m, c->k)) return tsl_misfit(x, c, "Q must not have more columns than rows, nor fewer than there are reflectors; P^H with columns for rows");
    return tsl_need_column_of(x, c, 1, tsl_min(m, c->k));
}

static int64_t block(const tsl_call *c) { return c->v[0].n; }

const tsl_rules tsl_orhr_rules = {.check = tsl_unchecked, .order = block};
const tsl_rules tsl_bdsign_rules = {.check = tsl_unchecked};
const tsl_rules tsl_labrd_rules = {.check = tsl_unchecked, .canon = canon_panel, .order = columns};
const tsl_rules tsl_gebrd_rules = {.check = check, .order = order, .width = order};
const tsl_rules tsl_orgbr_rules = {.check = check_q, .order = columns};
