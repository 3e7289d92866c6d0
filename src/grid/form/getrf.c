/* LU factorization of a panel: brought together by the process that has its first element, which finds the pivots. */
#include "grid/grid.h"

void tsl_dist_getrf(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0], B = A;
    tsl_grid *g = tsl_grid_of(A);
    tsl_work_mark mark = tsl_work_now(g);
    bool single = tsl_axis_single(g, tsl_seen_axis(A, 0), A.m) && tsl_axis_single(g, tsl_seen_axis(A, 1), A.n);
    tsl_layout where = tsl_corner_layout(A);
    tsl_dmatrix S, T;
    if (!single) {
        B = tsl_work_like(x, &S, where, A, A.m, A.n);
        tsl_transfer_now(x, A, B, false);
    }
    tsl_view p = tsl_work_matrix(x, &T, &where, TSL_INDEX, tsl_min(A.m, A.n), 1), own = tsl_local(B);
    if (own.m > 0 && own.n > 0) {
        tsl_locally(x, g, &(tsl_call){.op = TSL_OP_GETRF, .lu = {.first = c->lu.first}, .v = {own, tsl_local(p)}});
        tsl_note_info(x, A);
    }
    if (!single) tsl_transfer_now(x, B, A, false);
    tsl_transfer_now(x, p, c->v[1], false);
    tsl_work_back(g, mark);
}
