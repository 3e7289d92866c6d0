/* The tridiagonal part of eigenproblems: from a band to tridiagonal form, and eigenvalues, by the first process, which sends them to the others; eigenvectors, and
 * products with the band's Q, by all, each its share of the columns. And a block of sygst. */
#include "grid/grid.h"

/* v on the processes that the layout says, in workspace; its contents if they are read */
static tsl_view on(tsl_context *x, tsl_dmatrix *D, tsl_layout l, tsl_view v, bool contents)
{
    l.scheme = tsl_dist(v)->layout.scheme;
    tsl_view w = tsl_work_matrix(x, D, &l, v.mat->type, v.m, v.n);
    if (contents && v.m && v.n) tsl_transfer_now(x, v, w, false);
    return w;
}

static void back(tsl_context *x, tsl_view w, tsl_view v)
{
    if (v.m && v.n) tsl_transfer_now(x, w, v, false);
}

static bool is_first(const tsl_grid *g) { return g->at[0] == 0 && g->at[1] == 0; }

void tsl_dist_first(tsl_context *x, const tsl_call *c)
{
    const tsl_op_info *op = &tsl_ops[c->op];
    tsl_grid *g = tsl_grid_of(c->v[0]);
    tsl_work_mark mark = tsl_work_now(g);
    tsl_layout first = tsl_layout_whole(g, 0, 0);
    tsl_dmatrix S[TSL_MAX_OPERANDS];
    tsl_view there[TSL_MAX_OPERANDS];
    tsl_call own = *c;
    for (int i = 0; i < op->operands; ++i) {
        there[i] = on(x, &S[i], first, c->v[i], op->operand[i].access != TSL_WRITES);
        own.v[i] = tsl_local(there[i]);
    }
    if (is_first(g)) tsl_locally(x, g, &own);
    if (is_first(g) && tsl_trait(c->op, TSL_HAS_INFO)) tsl_note_at(x, g, 0);
    for (int i = 0; i < op->operands; ++i)
        if (!tsl_only_read(c->op, i)) back(x, there[i], c->v[i]);
    tsl_work_back(g, mark);
}

/* Columns in as many shares as there are processes, side by side */
static tsl_layout shares(tsl_grid *g, int64_t columns)
{
    tsl_layout l = tsl_layout_whole(g, TSL_EVERY, TSL_EVERY);
    l.cols = (tsl_axis){TSL_OVER_ALL, tsl_max(1, tsl_pieces(columns, g->size[0] * g->size[1])), 0};
    return l;
}

/* Everybody has the same d and e; eigenvalues are those the first finds. */
void tsl_dist_stedc(tsl_context *x, const tsl_call *c)
{
    tsl_view Z = c->v[0], d = c->v[1], e = c->v[2];
    tsl_grid *g = tsl_grid_of(Z);
    tsl_work_mark mark = tsl_work_now(g);
    tsl_layout everywhere = tsl_layout_whole(g, TSL_EVERY, TSL_EVERY);
    tsl_dmatrix S[4];
    tsl_view Y = on(x, &S[0], shares(g, Z.n), Z, false), d1 = on(x, &S[1], everywhere, d, true), e1 = on(x, &S[2], everywhere, e, true);
    tsl_view w = on(x, &S[3], tsl_layout_whole(g, 0, 0), d, false), own = tsl_local(Y);
    if (own.n) {
        tsl_locally(x, g, &(tsl_call){.op = TSL_OP_STEDC, .first = c->first + tsl_global_col(Y, 0), .v = {own, tsl_local(d1), tsl_local(e1)}});
        tsl_note_at(x, g, 0);
    }
    if (is_first(g)) tsl_locally(x, g, &(tsl_call){.op = TSL_OP_COPY, .v = {tsl_local(d1), tsl_local(w)}});
    back(x, w, d);
    back(x, Y, Z);
    tsl_work_back(g, mark);
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
        all[i] = here ? c->v[i] : on(x, &S[i], tsl_layout_whole(g, TSL_EVERY, TSL_EVERY), c->v[i], true);
    }
    tsl_view Y = on(x, &S[2], shares(g, C.n), C, true), own = tsl_local(Y);
    if (own.n) tsl_locally(x, g, &(tsl_call){.op = c->op, .trans = c->trans, .k = c->k, .v = {tsl_local(all[0]), tsl_local(all[1]), own}});
    back(x, Y, C);
    tsl_work_back(g, mark);
}

/* A block, by the process that has A's first element. As they are stored: an upper triangle is the lower one of the conjugate transpose. */
void tsl_dist_sygst(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0], B = c->v[1];
    tsl_grid *g = tsl_grid_of(A);
    tsl_work_mark mark = tsl_work_now(g);
    tsl_layout where = tsl_corner_layout(A);
    tsl_dmatrix S[2];
    A.op = B.op = TSL_NOTRANS;
    tsl_view F = on(x, &S[0], where, tsl_general(A), true), L = on(x, &S[1], where, tsl_general(B), true);
    F.uplo = A.uplo, L.uplo = B.uplo;
    tsl_view own = tsl_local(F);
    if (own.m) tsl_locally(x, g, &(tsl_call){.op = c->op, .itype = c->itype, .v = {own, tsl_local(L)}});
    tsl_dist_copy(x, &(tsl_call){.op = TSL_OP_COPY, .v = {F, A}});
    tsl_work_back(g, mark);
}
