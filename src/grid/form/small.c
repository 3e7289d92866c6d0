/* In place on a small triangle, a block or with look-ahead one of several: Cholesky factor, inverse, product with itself, by
 * the process that has its first element, to which the others come. And whether a triangle of any size is singular, by those
 * that have its diagonal. */
#include "grid/form/form.h"

/* A's first column is number `first` of the caller's matrix. */
void tsl_note_at(tsl_context *x, tsl_grid *g, int64_t first)
{
    int64_t info = 0;
    if (g->rehearsing || g->failed) return;
    tsl_channel_watch(x, g); /* the copy waits for all before it */
    tsl_status st = tsl_copy_word(x, &info, x->run->info, sizeof info, TSL_TO_HOST), late = tsl_work_wait(x, g);
    if (st || late) tsl_grid_fail(g, st ? st : late);
    if (info) g->info = tsl_first_info(g->info, first + info);
}

static int64_t place(const tsl_grid *g, tsl_view A) { return A.mat == g->origin ? A.j - g->origin_at : 0; }

void tsl_note_column(tsl_view A, int64_t info)
{
    tsl_grid *g = tsl_grid_of(A);
    g->info = tsl_first_info(g->info, place(g, A) + info);
}

void tsl_note_info(tsl_context *x, tsl_view A) { tsl_note_at(x, tsl_grid_of(A), place(tsl_grid_of(A), A)); }

tsl_layout tsl_corner_layout(tsl_view A)
{
    tsl_layout where = tsl_owner_layout(A, 0), col = tsl_owner_layout(A, 1);
    tsl_over over = tsl_seen_axis(A, 1).over;
    if (over & TSL_OVER_ROWS) where.row = col.row;
    if (over & TSL_OVER_COLS) where.col = col.col;
    return where;
}

void tsl_dist_small(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0], B = A;
    tsl_grid *g = tsl_grid_of(A);
    tsl_work_mark mark = tsl_work_now(g);
    bool single = tsl_axis_single(g, tsl_seen_axis(A, 0), A.n) && tsl_axis_single(g, tsl_seen_axis(A, 1), A.n);
    tsl_dmatrix S;
    if (!single) {
        tsl_layout where = tsl_corner_layout(A);
        B = tsl_work_matrix(x, &S, &where, A.mat->type, A.m, A.n);
        B.op = A.op, B.uplo = A.uplo, B.diag = A.diag;
        tsl_transfer_now(x, tsl_general(A), tsl_general(B), false);
    }
    tsl_view own = tsl_local(B);
    if (own.m > 0 && own.n > 0) {
        tsl_locally(x, g, &(tsl_call){.op = c->op, .passing = c->passing, .v = {own}});
        if (tsl_trait(c->op, TSL_HAS_INFO) && !c->passing) tsl_note_info(x, A);
    }
    if (!single) tsl_dist_copy(x, &(tsl_call){.op = TSL_OP_COPY, .v = {B, A}});
    tsl_work_back(g, mark);
}

typedef struct diagonal {
    tsl_context *x;
    tsl_grid *g;
    tsl_view A, own;
} diagonal;

static void look(void *user, int64_t i, int64_t j, int64_t m, int64_t n, bool on_diagonal)
{
    const diagonal *d = user;
    if (!on_diagonal) return;
    tsl_locally(d->x, d->g, &(tsl_call){.op = TSL_OP_SINGULAR, .v = {tsl_lower(tsl_sub(d->own, i, j, m, n))}});
    tsl_note_at(d->x, d->g, place(d->g, d->A) + tsl_global_col(d->A, j));
}

void tsl_dist_singular(tsl_context *x, const tsl_call *c)
{
    tsl_view A = tsl_seen_lower(c->v[0], false);
    diagonal d = {x, tsl_grid_of(A), tsl_general(A), tsl_general(tsl_local(A))};
    tsl_triangle_walk(d.A, look, &d);
}
