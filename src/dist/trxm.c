/* Triangular product and solve with a triangle no larger than a block: B := alpha A B or alpha inv(A) B, by the processes that have
 * the rows of B, each on its columns. A comes to them. */
#include "algo/trxm.h"
#include "dist/dist.h"

void tsl_dist_trxm(tsl_context *x, const tsl_call *c)
{
    tsl_tri o = tsl_from_left(c);
    tsl_grid *g = tsl_grid_of(o.B);
    tsl_type type = o.B.mat->type;
    tsl_work_mark mark = tsl_work_now(g);
    tsl_layout where = tsl_owner_layout(o.B, 0);
    tsl_dmatrix S, T;
    tsl_view A = tsl_work_matrix(x, &S, &where, type, o.A.m, o.A.n), B = o.B;
    A.op = o.A.op;
    tsl_transfer_now(x, tsl_general(o.A), A, false);
    bool single = tsl_axis_single(g, tsl_seen_axis(o.B, 0), tsl_rows(o.B));
    if (!single) { /* the rows of B together on one row of processes */
        tsl_layout panel = where;
        panel.cols = tsl_seen_axis(o.B, 1);
        B = tsl_work_matrix(x, &T, &panel, type, tsl_rows(o.B), tsl_cols(o.B));
        tsl_transfer_now(x, o.B, B, false);
    }
    tsl_view own = tsl_local(A);
    own.uplo = o.A.uplo, own.diag = o.A.diag;
    tsl_locally(x, g, &(tsl_call){.op = c->op, .side = TSL_LEFT, .alpha = c->alpha, .v = {own, tsl_local(B)}});
    if (!single) tsl_transfer_now(x, B, o.B, false);
    tsl_work_back(g, mark);
}
