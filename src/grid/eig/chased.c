/* Products with the Q of a chase (chase.c, chase_first.c). Reflectors pass by every process, some sweeps at a time, and each
 * multiplies its share of the columns. So none has more of Q than its part and two pieces. */
#include "grid/eig/sweeps.h"

/* The reflectors of some sweeps from the s-th on, in rows from the s-th on, and their factors, on their way */
typedef struct piece {
    int64_t s;
    tsl_dmatrix D[2];
    tsl_view V, tau;
    tsl_transfer t[2];
} piece;

/* Room for those of w sweeps, by turns in two places */
static void make(piece *p, tsl_context *x, tsl_layout l, tsl_view V, tsl_view tau, int64_t s, int64_t w, int turn)
{
    p->s = s;
    tsl_work_fresh(x, l.grid, TSL_SLOT_PRODUCT + turn);
    p->V = tsl_work_matrix(x, &p->D[0], &l, V.mat->type, V.m - s, w);
    p->tau = tsl_work_matrix(x, &p->D[1], &l, V.mat->type, tau.m, w);
}

static void begin(piece *p, tsl_context *x, tsl_view V, tsl_view tau)
{
    tsl_transfer_begin(&p->t[0], x, tsl_sub(V, p->s, p->s, V.m - p->s, p->V.n), p->V, false);
    tsl_transfer_begin(&p->t[1], x, tsl_sub(tau, 0, p->s, tau.m, p->V.n), p->tau, false);
}

static void end(piece *p)
{
    for (int i = 0; i < 2; ++i) tsl_transfer_end(&p->t[i]);
}

/* Columns in as many shares as there are processes, side by side */
static tsl_layout shares(tsl_grid *g, int64_t columns)
{
    tsl_layout l = tsl_layout_whole(g, TSL_EVERY, TSL_EVERY);
    l.cols = (tsl_axis){TSL_OVER_ALL, tsl_max(1, tsl_pieces(columns, g->size[0] * g->size[1])), 0};
    return l;
}

/* Pieces from the last one on, or for the inverse from the first. Those of sweeps from the s-th on are the reflectors of a band
 * that begins there. */
void tsl_dist_ormtr_sb2st(tsl_context *x, const tsl_call *c)
{
    tsl_view V = c->v[0], tau = c->v[1], C = c->v[2];
    tsl_grid *g = tsl_grid_of(C);
    tsl_work_mark mark = tsl_work_now(g);
    tsl_layout all = tsl_layout_whole(g, TSL_EVERY, TSL_EVERY);
    int64_t n = C.m, wide = tsl_sweeps_together(x, n, tsl_max(1, tsl_min(c->k, n - 1))), count = tsl_pieces(n, wide);
    bool inverse = c->trans != TSL_NOTRANS;
    tsl_dmatrix S;
    piece p[2];
    all.scheme = tsl_dist(V)->layout.scheme;
    tsl_view Y = tsl_work_on(x, &S, shares(g, C.n), C, true), own = tsl_local(Y);
    for (int64_t i = -1, turn = 0; i < count; turn = !turn) {
        piece *now = &p[!turn];
        bool first = i < 0;
        if (!first) end(now);
        i = tsl_next_step(C, i, count);
        if (i < count) {
            int64_t s = (inverse ? i : count - 1 - i) * wide;
            make(&p[turn], x, all, V, tau, s, tsl_min(wide, n - s), (int)turn);
            begin(&p[turn], x, V, tau);
        }
        if (first || !own.n) continue;
        tsl_view below = tsl_sub(own, now->s, 0, n - now->s, own.n);
        tsl_locally(x, g, &(tsl_call){.op = c->op, .trans = c->trans, .k = c->k,
                                      .v = {tsl_local(now->V), tsl_local(now->tau), below}});
    }
    tsl_work_slot(g, 0);
    tsl_work_home(x, Y, C);
    tsl_work_back(g, mark);
}
