/* QR factorization of a panel: brought together by the process that has its first element, which makes the reflectors; and the
 * triangle of reflectors, by everybody who needs it. */
#include "grid/grid.h"

/* Y := the reflectors of A, written out: ones on the diagonal, zeros above it */
static void write_out(tsl_context *x, tsl_view A, tsl_view Y)
{
    int64_t n = tsl_cols(A);
    tsl_strips V = tsl_block_rows(A, 0, n), W = tsl_block_rows(Y, 0, n);
    tsl_dist_expand(x, &(tsl_call){.op = TSL_OP_EXPAND, .norm = {.structure = TSL_TRIANGULAR}, .v = {tsl_unit(tsl_lower(V.A1)), W.A1}});
    if (V.A2.m && V.A2.n) tsl_transfer_now(x, V.A2, W.A2, false);
}

void tsl_dist_geqrt(tsl_context *x, const tsl_call *c)
{
    tsl_view T = c->v[0], Y = c->v[1], tau = c->v[2], A = c->v[3], B = A;
    tsl_grid *g = tsl_grid_of(A);
    tsl_work_mark mark = tsl_work_now(g);
    bool single = tsl_axis_single(g, tsl_seen_axis(A, 0), tsl_rows(A)) && tsl_axis_single(g, tsl_seen_axis(A, 1), tsl_cols(A));
    tsl_layout where = tsl_corner_layout(A);
    tsl_dmatrix S[4];
    if (!single) {
        B = tsl_work_like(x, &S[0], where, A, tsl_rows(A), tsl_cols(A));
        tsl_transfer_now(x, A, B, false);
    }
    tsl_view T1 = tsl_work_matrix(x, &S[1], &where, T.mat->type, T.m, T.n), tau1 = tsl_work_matrix(x, &S[2], &where, T.mat->type, tau.m, 1);
    tsl_view Y1 = tsl_work_like(x, &S[3], where, A, tsl_rows(A), tsl_cols(A)), own = tsl_local(B);
    if (own.m > 0 && own.n > 0)
        tsl_locally(x, g, &(tsl_call){.op = TSL_OP_GEQRT, .v = {tsl_local(T1), tsl_local(Y1), tsl_local(tau1), own}});
    if (!single) tsl_transfer_now(x, B, A, false);
    tsl_transfer_now(x, T1, T, false);
    tsl_transfer_now(x, tau1, tau, false);
    write_out(x, A, Y);
    tsl_work_back(g, mark);
}

void tsl_dist_larft(tsl_context *x, const tsl_call *c)
{
    tsl_view T = c->v[0], tau = c->v[1];
    tsl_grid *g = tsl_grid_of(T);
    tsl_work_mark mark = tsl_work_now(g);
    tsl_layout where = tsl_copies_layout(T);
    tsl_dmatrix S;
    tsl_view t = tsl_work_matrix(x, &S, &where, T.mat->type, tau.m, 1), own = tsl_local(T);
    tsl_transfer_now(x, tau, t, false);
    if (own.m > 0) tsl_locally(x, g, &(tsl_call){.op = TSL_OP_LARFT, .v = {own, tsl_local(t)}});
    tsl_work_back(g, mark);
}
