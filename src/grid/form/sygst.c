/* A block of the reduction of a generalized eigenproblem */
#include "grid/form/form.h"

/* A block, by the process that has A's first element. As they are stored: an upper triangle is the lower one of the conjugate
 * transpose. */
void tsl_dist_sygst(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0], B = c->v[1];
    tsl_grid *g = tsl_grid_of(A);
    tsl_work_mark mark = tsl_work_now(g);
    tsl_layout where = tsl_corner_layout(A);
    tsl_dmatrix S[2];
    A.op = B.op = TSL_NOTRANS;
    tsl_view F = tsl_work_on(x, &S[0], where, tsl_general(A), true), L = tsl_work_on(x, &S[1], where, tsl_general(B), true);
    F.uplo = A.uplo, L.uplo = B.uplo;
    tsl_view own = tsl_local(F);
    if (own.m) tsl_locally(x, g, &(tsl_call){.op = c->op, .eig = c->eig, .v = {own, tsl_local(L)}});
    tsl_dist_copy(x, &(tsl_call){.op = TSL_OP_COPY, .v = {F, A}});
    tsl_work_back(g, mark);
}
