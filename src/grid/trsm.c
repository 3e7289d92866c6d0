/* Triangular solve with look-ahead: B := alpha inv(A) B. */
#include "grid/grid.h"

/* A solved panel of rows of B on its way to all rows of processes, and the columns of A that go with it to where the rows after it
 * are. If several rows of processes have the panel it was solved in T, and B1 is to be taken from what is sent; else it is T. */
typedef struct panel {
    tsl_dmatrix S, SL, SR;
    tsl_view B1, T, L, R;
    tsl_transfer left, right;
} panel;

static void begin(panel *p, tsl_context *x, tsl_step s, tsl_scalar alpha, int slot)
{
    tsl_grid *g = tsl_grid_of(s.B1);
    tsl_call solve = {.op = TSL_OP_TRSM, .alpha = alpha, .v = {s.A11, s.B1}};
    if (s.B_after.m == 0 || s.B_after.n == 0) { /* the last: nobody waits for it */
        tsl_dist_trxm(x, &solve);
        return;
    }
    tsl_work_fresh(g, slot);
    tsl_work_slot(g, 0);
    p->B1 = s.B1;
    /* B1 := alpha inv(A11) B1 */
    p->T = tsl_trxm_together(x, &solve, &p->S, slot);
    tsl_work_slot(g, slot);
    p->L = tsl_work_like(x, &p->SL, tsl_panel_layout(s.B_after, 0), s.col_after, tsl_rows(s.B_after), tsl_rows(s.B1));
    p->R = tsl_work_like(x, &p->SR, tsl_panel_layout(s.B1, 1), s.B1, tsl_rows(s.B1), tsl_cols(s.B1));
    tsl_transfer_begin(&p->right, x, p->T, p->R, false); /* first: it waits until nothing here uses the slot any more */
    tsl_transfer_begin(&p->left, x, s.col_after, p->L, false);
    tsl_work_slot(g, 0);
}

static void end(panel *p, tsl_context *x)
{
    tsl_transfer_end(&p->left);
    tsl_transfer_end(&p->right);
    if (p->T.mat != p->B1.mat) tsl_transfer_now(x, p->R, p->B1, false);
}

/* Panel-panel, the next panel being updated, solved and sent out before the rows after it are updated. At the head of the loop `now`
 * is the panel that B has not received yet. The plain text is better where one row of processes has all of B, so none waits for
 * another to solve, and where B is narrower than a panel, so it is A that should stay. */
tsl_status tsl_dist_trsm(tsl_context *x, const tsl_call *c)
{
    tsl_tri o = tsl_from_left(c);
    bool up = tsl_triangle(o.A) == TSL_UPPER;
    panel turns[2], *now = NULL;
    tsl_scalar alpha = c->alpha, beta = c->alpha;
    bool waits = tsl_axis_size(tsl_grid_of(o.B), tsl_seen_axis(o.B, 0).over) > 1;
    if (!waits || tsl_cols(o.B) < tsl_panel_width(x, o.B, up)) return tsl_text_of(TSL_VARIANT_TRSM_pp)(x, c);
    for (int turn = 0; o.B.m && o.B.n; turn ^= 1) {
        panel *next = &turns[turn];
        int64_t w = tsl_panel_width(x, o.B, up);
        tsl_step s = tsl_sweep(o, up, 0, w);
        tsl_strips L;
        if (now) {
            end(now, x);
            L = up ? tsl_block_rows_back(now->L, 0, w) : tsl_block_rows(now->L, 0, w);
            /* B1 := beta B1 - L1 R */              tsl_subtract(x, L.A1, now->R, beta, s.B1);
        }
        begin(next, x, s, alpha, 1 + turn);
        if (now) {
            /* B(after) := beta B(after) - L(after) R */
            tsl_subtract(x, up ? L.A0 : L.A2, now->R, beta, s.B_after);
            beta = 1;
        }
        alpha = 1;
        now = next;
        o = (tsl_tri){up ? tsl_partition_back(o.A, 0, w).A00 : tsl_partition(o.A, 0, w).A22, s.B_after};
    }
    return TSL_OK;
}
