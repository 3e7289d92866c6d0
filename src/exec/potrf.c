/* Cholesky: A = L L^H or U^H U, in place */
#include "exec/exec.h"

tsl_status tsl_potrf(tsl_context *x, tsl_view A, int64_t *info)
{
    tsl_status st = tsl_enter(&x);
    if (st) return st;
    st = tsl_execute(x, &(tsl_call){.op = TSL_OP_POTRF, .v = {A}});
    if (!st && info) st = tsl_info(x, info);
    return tsl_leave(x, st);
}

static tsl_status check(tsl_context *x, const tsl_call *c) { return tsl_need_triangle(x, c, 0); }

/* The factor of conj(A) is the conjugate of the factor of A, so the op of A does not matter: only the stored triangle. */
static tsl_status canon(tsl_context *x, const tsl_call *c, tsl_leaf *l)
{
    const tsl_view *A = &c->v[0];
    l->uplo = A->uplo;
    l->n = A->n;
    l->A = tsl_at(A), l->lda = A->mat->ld;
    l->info = x->info;
    l->info_base = A->mat == x->origin ? A->j - x->origin_at : 0;
    return TSL_OK;
}

static int64_t order(const tsl_call *c) { return c->v[0].m; }

const tsl_rules tsl_potrf_rules = {.check = check, .canon = canon, .order = order, .has_info = true};
