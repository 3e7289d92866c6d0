/* LU whose pivots come from a window: a panel's from the rows of its diagonal block and as many below it, of which L has small
 * multipliers. Those of the rows further down are bounded by nothing: it is for matrices of which these rows are no others than
 * those of the window, as random butterflies make them, and where the solution is refined.
 *
 * So the next window depends on its own rows and columns alone: it is brought up to date and factored on the lane ahead, while
 * the rest receives the step before. At each meeting the main lane has applied all steps before k, and the ahead lane has
 * factored window k. Meanwhile the main lane leaves room for the windows: few processors, since all but these are at work on
 * the rest of A. */
#include "algo/lu/lu.h"
#include "core/values.h"
#include "tune/numbers.h"

/* The window of a panel of nb columns; one that a leaf takes whole, and has the workspace for, is its. */
static tsl_status factor(tsl_context *x, const tsl_call *c, tsl_view W, tsl_view p, int64_t first)
{
    bool whole = tsl_rows(W) <= tsl_leaf_whole(x, c);
    if (tsl_cols(W) == 0) return TSL_OK;
    tsl_status st = whole ? tsl_leaf_of(x, &(tsl_call){.op = TSL_OP_GETRF, .lu = {.first = first}, .v = {W, p}}) : TSL_ERR_DEVICE_MEMORY;
    if (st != TSL_ERR_DEVICE_MEMORY) return st;
    tsl_factor(x, c, W, p, first);
    return TSL_OK;
}

tsl_status tsl_getrf_window(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0], p = c->v[1];
    int64_t d = tsl_min(tsl_rows(A), tsl_cols(A)), nb = tsl_panel(x, c), w = tsl_min(nb, d), next;
    bool room = d > 4 * nb; /* else there is hardly a product to wait for */
    if (room) tsl_leave_room(x, c, (int)tsl_tuned(x, TSL_TUNED_ROOM_FOR_WINDOW));
    tsl_meet(x, c);
    tsl_on(x, TSL_ON_AHEAD);
    /* W, p1 := LU of the first window */
    tsl_status st = factor(x, c, tsl_block_cols(tsl_block_rows(A, 0, 2 * w).A1, 0, w).A1, tsl_block_rows(p, 0, w).A1, c->lu.first);
    for (int64_t k = 0; k < d && !st; k += w, w = next) {
        next = tsl_min(nb, d - k - w);
        tsl_part3 P = tsl_partition(A, k, w);
        tsl_strips rows = tsl_block_rows(A, k, 2 * w), q = tsl_block_rows(p, k, w); /* of the window, and below it */
        /* the window, what is before and after it */
        tsl_strips S = tsl_block_cols(rows.A1, k, w);
        tsl_strips L = tsl_block_rows(P.A21, 0, 2 * next), U = tsl_block_cols(P.A12, 0, next), N = tsl_block_cols(P.A22, 0, next);
        tsl_strips B = tsl_block_rows(N.A1, 0, 2 * next); /* the next window, and below it */
        tsl_meet(x, c);
        tsl_on(x, TSL_ON_AHEAD);
        /* A31 := A31 inv(U11), below the window */
        tsl_trsm(x, TSL_RIGHT, 1, tsl_upper(P.A11), tsl_block_cols(rows.A2, k, w).A1);
        tsl_on(x, TSL_ON_MAIN);
        /* [A12; A22] := P(p1) [A12; A22] */    tsl_exchange(x, S.A2, q.A1, c->lu.first + k);
        /* A12 := inv(L11) A12 */               tsl_trsm(x, TSL_LEFT, 1, tsl_unit_lower(P.A11), P.A12);
        tsl_meet(x, c);
        tsl_on(x, TSL_ON_AHEAD);
        /* B1 := B1 - L1 U1, the next window */ tsl_gemm(x, -1, L.A1, U.A1, 1, B.A1);
        /* B1, p2 := LU of it */                st = factor(x, c, B.A1, tsl_block_rows(q.A2, 0, next).A1, c->lu.first + k + w);
        tsl_on(x, TSL_ON_MAIN);
        /* N2 := N2 - L U2 */                   tsl_gemm(x, -1, P.A21, U.A2, 1, N.A2);
        /* B2 := B2 - L2 U1 */                  tsl_gemm(x, -1, L.A2, U.A1, 1, B.A2);
        /* [A10; A20] := P(p1) [A10; A20] */    tsl_exchange(x, S.A0, q.A1, c->lu.first + k);
    }
    if (room) tsl_leave_room(x, c, 0);
    tsl_meet(x, c);
    tsl_on(x, TSL_ON_MAIN);
    return st;
}
