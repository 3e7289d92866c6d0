/* From a band to tridiagonal form, and products with the Q of that. The first process has the band and chases the bulges, some
 * sweeps at a time; the reflectors of those go to the processes that have them while it makes the next. In a product they pass
 * by every process the same way, and each multiplies its share of the columns. So none has more of Q than its part and two
 * pieces. On accelerators, whose leaves take all sweeps at once, a piece is all of them. */
#include <string.h>

#include "grid/form/form.h"

enum { SWEEPS = 64 }; /* of a piece, at least */

static int64_t width(const tsl_context *x, int64_t n, int64_t kd)
{
    return x->dev->be->accelerator ? n : tsl_min(n, tsl_pieces(SWEEPS, kd) * kd);
}

/* The reflectors of some sweeps from the s-th on, in rows from the s-th on, and their factors, on their way */
typedef struct piece {
    int64_t s;
    tsl_dmatrix D[2];
    tsl_view V, tau;
    tsl_transfer t[2];
} piece;

static tsl_view rows_below(tsl_view V, int64_t s, int64_t w) { return tsl_sub(V, s, s, V.m - s, w); }

/* Room for those of w sweeps, by turns in two places */
static void make(piece *p, tsl_context *x, tsl_layout l, tsl_view V, tsl_view tau, int64_t s, int64_t w, int turn)
{
    p->s = s;
    tsl_work_fresh(x, l.grid, TSL_SLOT_PRODUCT + turn);
    p->V = tsl_work_matrix(x, &p->D[0], &l, V.mat->type, V.m - s, w);
    p->tau = tsl_work_matrix(x, &p->D[1], &l, V.mat->type, tau.m, w);
}

static void begin(piece *p, tsl_context *x, tsl_view V, tsl_view tau, bool home)
{
    tsl_view there[2] = {rows_below(V, p->s, p->V.n), tsl_sub(tau, 0, p->s, tau.m, p->V.n)}, here[2] = {p->V, p->tau};
    for (int i = 0; i < 2; ++i) tsl_transfer_begin(&p->t[i], x, home ? here[i] : there[i], home ? there[i] : here[i], false);
}

static void end(piece *p)
{
    for (int i = 0; i < 2; ++i) tsl_transfer_end(&p->t[i]);
}

/* Real parts of the elements (i,j), j = 0 .. of the band, to v, in host memory */
static void take(tsl_view W, int64_t i, tsl_view v)
{
    for (int64_t j = 0; j < v.m; ++j) memcpy(tsl_here(v, j, 0), tsl_here(W, i, j), tsl_type_size(v.mat->type));
}

void tsl_dist_sb2st(tsl_context *x, const tsl_call *c)
{
    tsl_view AB = c->v[0], d = c->v[1], e = c->v[2], V = c->v[3], tau = c->v[4];
    if (!tsl_cols(V) || x->dev->be->accelerator) return tsl_dist_place(x, c);
    tsl_grid *g = tsl_grid_of(AB);
    tsl_work_mark mark = tsl_work_now(g);
    int64_t n = AB.n, kd = tsl_max(1, tsl_min(AB.m - 1, n - 1)), stored = tsl_min(AB.m, 2 * kd), wide = width(x, n, kd);
    tsl_layout first = tsl_layout_whole(g, 0, 0);
    tsl_dmatrix D[3];
    piece p[2];
    int turn = 0;
    first.scheme = TSL_IN_HOST;
    tsl_view W = tsl_work_matrix(x, &D[0], &first, AB.mat->type, 2 * kd, n),
             d1 = tsl_work_matrix(x, &D[1], &first, d.mat->type, n, 1),
             e1 = tsl_work_matrix(x, &D[2], &first, d.mat->type, n - 1, 1);
    /* W := the band, with room for its bulges */
    if (tsl_is_first(g)) tsl_locally(x, g, &(tsl_call){.op = TSL_OP_SCALE, .v = {tsl_local(W)}});
    tsl_transfer_now(x, tsl_sub(AB, 0, 0, stored, n), tsl_sub(W, 0, 0, stored, n), false);
    for (int64_t s = 0; s < n; s += wide, turn ^= 1) {
        make(&p[turn], x, first, V, tau, s, tsl_min(wide, n - s), turn);
        if (tsl_is_first(g))
            tsl_locally(x, g, &(tsl_call){.op = TSL_OP_SB2ST_PART, .k = s,
                                          .v = {tsl_local(W), tsl_local(p[turn].V), tsl_local(p[turn].tau)}});
        if (s) end(&p[!turn]);
        begin(&p[turn], x, V, tau, true);
    }
    end(&p[!turn]);
    tsl_work_slot(g, 0);
    if (tsl_is_first(g) && !g->rehearsing) take(tsl_local(W), 0, tsl_local(d1)), take(tsl_local(W), 1, tsl_local(e1));
    tsl_work_home(x, d1, d);
    tsl_work_home(x, e1, e);
    tsl_work_back(g, mark);
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
    int64_t n = C.m, wide = width(x, n, tsl_max(1, tsl_min(c->k, n - 1))), count = tsl_pieces(n, wide);
    bool inverse = c->trans != TSL_NOTRANS;
    tsl_dmatrix S;
    piece p[2];
    all.scheme = tsl_dist(V)->layout.scheme;
    tsl_view Y = tsl_work_on(x, &S, shares(g, C.n), C, true), own = tsl_local(Y);
    for (int64_t i = 0; i <= count; ++i) {
        piece *now = &p[(i + 1) % 2];
        if (i > 0) end(now);
        if (i < count) {
            int64_t s = (inverse ? i : count - 1 - i) * wide;
            make(&p[i % 2], x, all, V, tau, s, tsl_min(wide, n - s), (int)(i % 2));
            begin(&p[i % 2], x, V, tau, false);
        }
        if (i == 0 || !own.n) continue;
        tsl_view below = tsl_sub(own, now->s, 0, n - now->s, own.n);
        tsl_locally(x, g, &(tsl_call){.op = c->op, .trans = c->trans, .k = c->k,
                                      .v = {tsl_local(now->V), tsl_local(now->tau), below}});
    }
    tsl_work_slot(g, 0);
    tsl_work_home(x, Y, C);
    tsl_work_back(g, mark);
}
