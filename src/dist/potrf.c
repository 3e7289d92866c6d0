/* Cholesky factorization of a matrix no larger than a block, by the process that has its first element. */
#include "dist/dist.h"

void tsl_dist_potrf(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0];
    tsl_grid *g = tsl_grid_of(A);
    tsl_work_mark mark = tsl_work_now(g);
    bool single = tsl_axis_single(g, tsl_seen_axis(A, 0), A.n) && tsl_axis_single(g, tsl_seen_axis(A, 1), A.n);
    tsl_dmatrix S;
    tsl_view B = A;
    if (!single) {
        tsl_layout where = tsl_owner_layout(A, 0), col = tsl_owner_layout(A, 1);
        where.col = tsl_seen_axis(A, 1).over & TSL_OVER_COLS ? col.col : where.col;
        where.row = tsl_seen_axis(A, 1).over & TSL_OVER_ROWS ? col.row : where.row;
        B = tsl_work_matrix(x, &S, &where, A.mat->type, A.m, A.n);
        B.op = A.op, B.uplo = A.uplo;
        tsl_transfer_now(x, tsl_general(A), tsl_general(B), false);
    }
    tsl_view own = tsl_local(B);
    if (own.m > 0 && own.n > 0) {
        tsl_locally(x, g, &(tsl_call){.op = TSL_OP_POTRF, .v = {own}});
        int64_t info = 0;
        if (!g->rehearsing && !g->failed) {
            tsl_status st = tsl_info(x, &info);
            if (st) tsl_blame(g, st);
            if (info && !g->info) g->info = info + (A.mat == g->origin ? A.j - g->origin_at : 0);
        }
    }
    if (!single) tsl_dist_copy(x, &(tsl_call){.op = TSL_OP_COPY, .v = {B, A}});
    tsl_work_back(g, mark);
}
