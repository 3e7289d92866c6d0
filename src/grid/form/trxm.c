/* Triangular product and solve with a small triangle, a block or with look-ahead a panel of several: B := alpha A B or
 * alpha inv(A) B, by the processes that have the first row of B, each on its columns. A comes to them, and the other rows of
 * B. */
#include "grid/form/form.h"

tsl_view tsl_trxm_together(tsl_context *x, const tsl_call *c, tsl_dmatrix *D, int slot)
{
    tsl_tri o = tsl_from_left(c);
    tsl_grid *g = tsl_grid_of(o.B);
    tsl_layout where = tsl_owner_layout(o.B, 0), panel = where;
    tsl_dmatrix S;
    tsl_view B = o.B;
    if (!tsl_axis_single(g, tsl_seen_axis(o.B, 0), tsl_rows(o.B))) { /* the rows of B together on one row of processes */
        panel.cols = tsl_seen_axis(o.B, 1);
        tsl_work_slot(g, slot);
        B = tsl_work_like(x, D, panel, o.B, tsl_rows(o.B), tsl_cols(o.B));
        tsl_work_slot(g, 0);
        tsl_transfer_now(x, o.B, B, false);
    }
    tsl_work_mark mark = tsl_work_now(g);
    tsl_view A = tsl_work_like(x, &S, where, o.A, tsl_rows(o.A), tsl_cols(o.A));
    tsl_transfer_now(x, tsl_general(o.A), A, false);
    tsl_view own = tsl_local(A);
    own.uplo = o.A.uplo, own.diag = o.A.diag;
    tsl_locally(x, g, &(tsl_call){.op = c->op, .side = TSL_LEFT, .alpha = c->alpha, .v = {own, tsl_local(B)}});
    tsl_work_back(g, mark);
    return c->side == TSL_RIGHT ? tsl_trans(B) : B;
}

void tsl_dist_trxm(tsl_context *x, const tsl_call *c)
{
    tsl_grid *g = tsl_grid_of(c->v[1]);
    tsl_work_mark mark = tsl_work_now(g);
    tsl_dmatrix D;
    if (g->ahead.on && !g->ahead.together[g->ahead.turn]) {
        tsl_ahead_trxm(x, c);
        return;
    }
    tsl_view B = tsl_trxm_together(x, c, &D, 0);
    if (B.mat != c->v[1].mat) tsl_transfer_now(x, B, c->v[1], false);
    tsl_work_back(g, mark);
}
