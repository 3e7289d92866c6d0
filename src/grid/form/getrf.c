/* LU factorization of a panel.
 *
 * Its rows stay with the processes that have them. The first d of them, as many as there are pivots, every one of these
 * processes has in a copy, `top`: it takes all that is computed of them itself, so that only pivots have to be found together.
 * For each column that is one exchange, which says where the largest element is and carries that row. Columns are halved down
 * to a few; all else is in products and solves of what is here. A few columns are eliminated by the host's cores one by one,
 * each with a reduction among the processes, or on a device by one leaf (lu_strip.c).
 *
 * Where all rows are on one process, and of short panels on accelerators, where a column takes long beside the work in it, the
 * process that has the first element brings the panel together and factors it. */
#include <string.h>

#include "grid/form/lu_panel.h"
#include "tune/numbers.h"

typedef tsl_lu_panel panel;

/* The place, in the top and after it of those here, of a row of the panel; -1: it is on another process */
static int64_t place_of(const panel *p, int64_t row)
{
    if (row < p->top.m) return row;
    if (tsl_axis_owner(p->g, tsl_seen_axis(p->all, 0), row) != tsl_axis_index(p->g, p->over, p->g->at)) return -1;
    return p->top.m + tsl_local_row(p->all, row) - p->before;
}

/* Column j - 1 is eliminated from those up to `end`, if it is one of these, from k on; j < end: and the pivot of column j is
 * found. One process speaks for the copies of the top. */
static void step(const panel *p, int64_t k, int64_t j, int64_t end, int64_t row)
{
    int64_t d = p->top.m;
    tsl_leaf l = {.op = TSL_OP_LU_COLUMN, .type = tsl_kernel_type(p->top.mat->type), .k = j,
                  .lu_column = {.end = end, .row = row, .takes = j > k, .speaks = tsl_axis_index(p->g, p->over, p->g->at) == 0},
                  .A = tsl_lu_array(p->top), .B = tsl_lu_array(p->here), .C = {.p = p->mine}};
    tsl_lu_candidate *mine = p->mine;
    tsl_leaf_here(p->x, p->g, &l);
    if (j == end) return;
    if (p->g->failed) *mine = (tsl_lu_candidate){0, j};
    else if (mine->size < 0) mine->row = INT64_MAX;
    else if (mine->row >= d) mine->row = tsl_global_row(p->all, p->before + mine->row - d);
}

/* Columns [k, end), a few, by the host's cores */
static void columns(panel *p, int64_t k, int64_t end)
{
    int64_t row = -1;
    for (int64_t j = k; j < end && !p->g->broken; ++j) {
        step(p, k, j, end, row);
        tsl_lu_choose(p, j);
        if (p->g->broken) return;
        row = place_of(p, p->mine->row);
    }
    step(p, k, end, end, row);
}

/* Columns [k, j) are eliminated from [j, end) */
static void eliminate(const panel *p, int64_t k, int64_t j, int64_t end)
{
    int64_t below = p->top.m - j;
    tsl_view L = tsl_unit(tsl_lower(tsl_sub(p->top, k, k, j - k, j - k))), U = tsl_sub(p->top, k, j, j - k, end - j);
    /* U12 := inv(L11) U12 */
    tsl_locally(p->x, p->g, &(tsl_call){.op = TSL_OP_TRSM, .alpha = 1, .v = {L, U}});
    /* A22 := A22 - L21 U12 */
    tsl_product_here(p->x, p->g, -1, tsl_sub(p->top, j, k, below, j - k), U, 1, tsl_sub(p->top, j, j, below, end - j));
    tsl_product_here(p->x, p->g, -1, tsl_sub(p->here, 0, k, p->here.m, j - k), U, 1, tsl_sub(p->here, 0, j, p->here.m, end - j));
}

static void halves(panel *p, int64_t k, int64_t end)
{
    if (end - k <= p->few) {
        int64_t rows = p->top.m - k + p->here.m;
        if (tsl_line_told(p->g, p->over, TSL_OP_GETRF, p->top.mat->type, rows, end - k, p->bytes)) return;
        (p->inbox ? tsl_lu_strip : columns)(p, k, end);
        return;
    }
    int64_t half = k + (end - k + 1) / 2;
    halves(p, k, half);
    if (!p->g->broken) eliminate(p, k, half, end);
    halves(p, half, end);
}

static void factor(panel *p, const tsl_call *c, int64_t *pivots)
{
    int64_t d = p->top.m;
    p->pivots = pivots;
    for (int64_t j = 0; j < d; ++j) p->pivots[j] = c->lu.first;
    memset(p->mine, 0, p->bytes);
    halves(p, 0, d);
    if (p->n > d) eliminate(p, 0, d, p->n);
    if (p->info && !c->passing) tsl_note_column(c->v[0], p->info);
}

/* By all processes that have rows of it; those of several process columns come to the first of these. */
static void in_line(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0];
    tsl_grid *g = tsl_grid_of(A);
    tsl_layout where = tsl_owner_layout(A, 1), rows = where;
    tsl_dmatrix S[3];
    panel p = {.x = x, .g = g, .n = tsl_cols(A), .few = tsl_tuned(x, TSL_TUNED_STRIP_WIDTH)};
    int64_t d = tsl_min(tsl_rows(A), p.n);
    bool device = !x->dev->shares_host, strips = device && !tsl_is_told(g);
    where.scheme = rows.scheme = device ? TSL_ON_DEVICE : TSL_IN_HOST;
    rows.rows = tsl_seen_axis(A, 0);
    p.over = rows.rows.over;
    p.all = tsl_work_matrix(x, &S[0], &rows, A.mat->type, tsl_rows(A), p.n);
    tsl_view top = tsl_work_matrix(x, &S[1], &where, A.mat->type, d, p.n);
    tsl_work_slot(g, tsl_ahead_slot(g)); /* sent from there */
    where.scheme = TSL_IN_HOST;
    tsl_view q = tsl_work_matrix(x, &S[2], &where, TSL_INDEX, d, 1), own = tsl_local(p.all);
    tsl_work_slot(g, 0);
    p.bytes = tsl_lu_told(A.mat->type, p.n);
    p.mine = tsl_work_get(g, false, tsl_lu_bytes(A.mat->type, p.n));
    p.other = tsl_work_get(g, false, p.bytes);
    p.before = tsl_local_row(p.all, d);
    p.here = tsl_sub(own, p.before, 0, own.m - p.before, p.n);
    p.top = tsl_local(top);
    tsl_transfer_now(x, A, p.all, false);
    tsl_transfer_now(x, tsl_block_rows(p.all, 0, d).A1, top, false);
    if (tsl_layout_has(&where, g->at)) {
        if (strips) tsl_lu_strips_room(&p), tsl_lu_strips_open(&p);
        if (!g->rehearsing) factor(&p, c, S[2].local.data);
    }
    tsl_transfer_now(x, top, tsl_block_rows(p.all, 0, d).A1, false);
    tsl_transfer_now(x, p.all, A, false);
    tsl_ahead_send_pivots(x, q, c->v[1]);
}

/* Brought together by the process that has its first element */
static void in_one(tsl_context *x, const tsl_call *c, bool single)
{
    tsl_view A = c->v[0], B = A;
    tsl_grid *g = tsl_grid_of(A);
    tsl_layout where = tsl_corner_layout(A);
    tsl_dmatrix S, Q;
    if (!single) {
        B = tsl_work_like(x, &S, where, A, A.m, A.n);
        tsl_transfer_now(x, A, B, false);
    }
    tsl_work_slot(g, tsl_ahead_slot(g)); /* sent from there */
    tsl_view p = tsl_work_matrix(x, &Q, &where, TSL_INDEX, tsl_min(A.m, A.n), 1), own = tsl_local(B);
    tsl_work_slot(g, 0);
    if (own.m > 0 && own.n > 0) {
        tsl_locally(x, g, &(tsl_call){.op = TSL_OP_GETRF, .lu = {.first = c->lu.first}, .v = {own, tsl_local(p)}});
        tsl_note_info(x, A);
    }
    if (!single) tsl_transfer_now(x, B, A, false);
    tsl_ahead_send_pivots(x, p, c->v[1]);
}

void tsl_dist_getrf(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0];
    tsl_grid *g = tsl_grid_of(A);
    tsl_work_mark mark = tsl_work_now(g);
    bool rows = tsl_axis_single(g, tsl_seen_axis(A, 0), tsl_rows(A));
    bool cols = tsl_axis_single(g, tsl_seen_axis(A, 1), tsl_cols(A));
    if (c->lu.pivoting == TSL_PIVOTS_TOURNAMENT && !rows) tsl_lu_tournament(x, c);
    else if (!tsl_panel_stays(x, g, tsl_rows(A), rows)) in_one(x, c, rows && cols);
    else in_line(x, c);
    tsl_work_back(g, mark);
}
