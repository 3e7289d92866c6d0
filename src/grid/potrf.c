/* Cholesky factorization with look-ahead: A = L L^H. */
#include "grid/grid.h"

/* A panel of L on its way. If several process columns have its columns they were brought together in T, and A21 is to be taken
 * from what is sent; else it is T. */
typedef struct panel {
    tsl_pair pair;
    tsl_dmatrix S;
    tsl_view T, A21;
} panel;

/* The panel that A starts with is factored, by the process column that has the first of its columns, and sent out. */
static void begin(panel *p, tsl_context *x, tsl_part3 P, int slot)
{
    tsl_view L11 = tsl_lower(P.A11), A21 = P.A21;
    tsl_grid *g = tsl_grid_of(A21);
    /* A11 := chol(A11) */
    tsl_dist_small(x, &(tsl_call){.op = TSL_OP_POTRF, .v = {L11}});
    if (A21.m == 0 || A21.n == 0) return;
    tsl_work_fresh(g, slot);
    tsl_work_slot(g, 0);
    p->A21 = A21;
    /* A21 := A21 inv(tril(A11))^H */
    tsl_call solve = {.op = TSL_OP_TRSM, .side = TSL_RIGHT, .alpha = 1, .v = {tsl_herm(L11), A21}};
    p->T = tsl_trxm_together(x, &solve, &p->S, slot);
    tsl_work_slot(g, slot);
    tsl_pair_begin(&p->pair, x, p->T, P.A22);
    tsl_work_slot(g, 0);
}

static void end(panel *p, tsl_context *x)
{
    tsl_pair_end(&p->pair);
    if (p->T.mat != p->A21.mat) tsl_transfer_now(x, p->pair.L, p->A21, false);
}

/* C := C - L R on a lower triangle; `sent` is helped along. */
static void subtract_lower(tsl_context *x, tsl_view L, tsl_view R, tsl_view C, tsl_pair *sent)
{
    tsl_product_triangle(&(tsl_product){.x = x, .diagonal = TSL_OP_HERK, .alpha = -1, .beta = 1, .L = L, .R = R, .C = C,
                                        .meanwhile = sent});
}

/* Each panel of L is sent out as soon as it is there, and the panel after it is updated and factored before all else is: while
 * that goes on the panel travels. At the head of the loop `now` is the panel that A has not received yet. */
tsl_status tsl_dist_potrf(tsl_context *x, const tsl_call *c)
{
    tsl_view A = tsl_general(tsl_as_lower(c->v[0]));
    panel turns[2], *now = NULL;
    for (int turn = 0; A.m; turn ^= 1) {
        panel *next = &turns[turn];
        int64_t w = tsl_panel_width(x, tsl_trans(A), false);
        tsl_part3 P = tsl_partition(A, 0, w);
        tsl_strips L, R;
        if (now) {
            end(now, x);
            L = tsl_block_rows(now->pair.L, 0, w), R = tsl_block_cols(now->pair.R, 0, w);
            /* A11 := A11 - L1 R1 */        subtract_lower(x, L.A1, R.A1, P.A11, NULL);
            /* A21 := A21 - L2 R1 */        tsl_subtract(x, L.A2, R.A1, 1, P.A21);
        }
        begin(next, x, P, 1 + turn);
        if (now && P.A22.m) {
            /* A22 := A22 - L2 R2 */        subtract_lower(x, L.A2, R.A2, P.A22, &next->pair);
        }
        now = next;
        A = P.A22;
    }
    return TSL_OK;
}
