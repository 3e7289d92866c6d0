/* Products with the Q of a band, by all processes, each its share of the columns. And a block of sygst. */
#include "grid/grid.h"

/* Columns in as many shares as there are processes, side by side */
static tsl_layout shares(tsl_grid *g, int64_t columns)
{
    tsl_layout l = tsl_layout_whole(g, TSL_EVERY, TSL_EVERY);
    l.cols = (tsl_axis){TSL_OVER_ALL, tsl_max(1, tsl_pieces(columns, g->size[0] * g->size[1])), 0};
    return l;
}

void tsl_dist_ormtr_sb2st(tsl_context *x, const tsl_call *c)
{
    tsl_view C = c->v[2];
    tsl_grid *g = tsl_grid_of(C);
    tsl_work_mark mark = tsl_work_now(g);
    tsl_dmatrix S[3];
    tsl_view all[2];
    for (int i = 0; i < 2; ++i) {
        const tsl_layout *l = &tsl_dist(c->v[i])->layout;
        bool here = !l->rows.over && !l->cols.over && l->row == TSL_EVERY && l->col == TSL_EVERY;
        all[i] = here ? c->v[i] : tsl_work_on(x, &S[i], tsl_layout_whole(g, TSL_EVERY, TSL_EVERY), c->v[i], true);
    }
    tsl_view Y = tsl_work_on(x, &S[2], shares(g, C.n), C, true), own = tsl_local(Y);
    if (own.n)
        tsl_locally(x, g, &(tsl_call){.op = c->op, .trans = c->trans, .k = c->k,
                                      .v = {tsl_local(all[0]), tsl_local(all[1]), own}});
    tsl_work_home(x, Y, C);
    tsl_work_back(g, mark);
}

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
