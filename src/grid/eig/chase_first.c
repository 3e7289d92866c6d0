/* From a band to tridiagonal form on grids of accelerators: the first process's chases, some sweeps after the other. The
 * reflectors of these sweeps, a piece, go to the processes that have them while the next ones are made. So the first process
 * has, beside its share, the band with its bulges and two pieces. */
#include "grid/eig/sweeps.h"

/* Sweeps from the s-th on, in rows from the s-th on */
typedef struct piece {
    tsl_dmatrix D[2];
    tsl_view V, tau;
    tsl_transfer home[2];
} piece;

static void make(piece *p, tsl_context *x, const tsl_layout *l, tsl_view V, tsl_view tau, int turn)
{
    tsl_work_fresh(x, l->grid, TSL_SLOT_PRODUCT + turn);
    p->V = tsl_work_matrix(x, &p->D[0], l, V.mat->type, V.m, V.n);
    p->tau = tsl_work_matrix(x, &p->D[1], l, V.mat->type, tau.m, tau.n);
}

static void begin_home(piece *p, tsl_context *x, tsl_view V, tsl_view tau)
{
    tsl_transfer_begin(&p->home[0], x, p->V, V, false);
    tsl_transfer_begin(&p->home[1], x, p->tau, tau, false);
}

static void end_home(piece *p)
{
    for (int i = 0; i < 2; ++i) tsl_transfer_end(&p->home[i]);
}

/* The band with room for its bulges, zero at first */
static tsl_view with_bulges(tsl_context *x, tsl_dmatrix *D, const tsl_layout *l, tsl_view AB, int64_t kd)
{
    tsl_view W = tsl_work_matrix(x, D, l, AB.mat->type, 2 * kd, AB.n);
    int64_t rows = tsl_min(AB.m, kd + 1);
    if (tsl_is_first(l->grid)) tsl_locally(x, l->grid, &(tsl_call){.op = TSL_OP_SCALE, .v = {tsl_local(W)}});
    tsl_transfer_now(x, tsl_sub(AB, 0, 0, rows, AB.n), tsl_sub(W, 0, 0, rows, AB.n), false);
    return W;
}

void tsl_chase_first(tsl_context *x, const tsl_call *given)
{
    tsl_view AB = given->v[0], V = given->v[3], tau = given->v[4];
    tsl_grid *g = tsl_grid_of(AB);
    tsl_work_mark mark = tsl_work_now(g);
    tsl_layout first = tsl_layout_whole(g, 0, 0);
    tsl_dmatrix S[3];
    piece p[2];
    first.scheme = tsl_dist(AB)->layout.scheme;
    int64_t n = AB.n, kd = tsl_max(1, tsl_min(AB.m - 1, n - 1)), wide = tsl_sweeps_together(x, n, kd), count = tsl_pieces(n - 1, wide), before = -1;
    tsl_view W = with_bulges(x, &S[0], &first, AB, kd);
    tsl_view d = tsl_work_on(x, &S[1], first, given->v[1], false), e = tsl_work_on(x, &S[2], first, given->v[2], false);
    for (int64_t i = tsl_next_step(V, -1, count), turn = 0; i < count; i = tsl_next_step(V, i, count), turn = !turn) {
        int64_t s = i * wide, left = n - s, w = tsl_min(wide, left - 1);
        tsl_view to[2] = {tsl_sub(V, s, s, left, w), tsl_sub(tau, 0, s, tau.m, w)};
        if (tsl_is_cancelled(x) && !g->rehearsing) tsl_grid_fail(g, TSL_ERR_CANCELLED);
        make(&p[turn], x, &first, to[0], to[1], (int)turn);
        tsl_work_slot(g, 0);
        if (tsl_is_first(g))
            tsl_locally(x, g, &(tsl_call){.op = TSL_OP_SB2ST_SOME, .k = w,
                                          .v = {tsl_local(tsl_sub(W, 0, s, 2 * kd, left)),
                                                tsl_local(tsl_sub(d, s, 0, left, 1)), tsl_local(tsl_sub(e, s, 0, left - 1, 1)),
                                                tsl_local(p[turn].V), tsl_local(p[turn].tau)}});
        if (before >= 0) end_home(&p[!turn]);
        tsl_work_slot(g, TSL_SLOT_PRODUCT + (int)turn);
        begin_home(&p[turn], x, to[0], to[1]);
        tsl_work_slot(g, 0);
        before = turn;
    }
    if (before >= 0) end_home(&p[before]);
    tsl_work_home(x, d, given->v[1]);
    tsl_work_home(x, e, given->v[2]);
    tsl_work_back(g, mark);
}
