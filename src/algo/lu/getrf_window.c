/* LU whose pivots come from windows: those of nb columns from the 2 nb rows from the diagonal on, of which L has small
 * multipliers. No bound holds for the rows below. It is safe only where all rows are statistically alike, as after random
 * butterflies, and where the solution is refined.
 *
 * A window needs its own rows and columns alone. So the critical path is a chain of windows on the lane ahead, each brought up
 * to date just before it is factored, while the main lane brings up to date the rest of A.
 *
 * A step takes a tower: the columns of one window or of two, from the diagonal to the end of the last one's rows. Two make
 * products twice as thick, which is what the main lane gains; the chain becomes longer by what the first does to the rows and
 * columns of the second. So two are taken while so much of A is left that the main lane is the later one. After that the chain
 * is: the main lane waits until the next tower is up to date, and leaves a few of a GPU's processors to its windows. */
#include "algo/lu/lu.h"
#include "core/values.h"
#include "tune/numbers.h"

/* The tower at column k, w columns wide, and the one after it, `next` wide */
typedef struct step {
    tsl_part3 P;
    tsl_view p1;
    tsl_view left, tower;  /* the tower's rows: in columns before it, in its own */
    tsl_strips right;      /* and in those after it: the next tower's, the others */
    tsl_strips U;          /* A12: the same columns */
    tsl_strips below;      /* A31, rows below the tower: those of the next tower, the others */
    tsl_view B, B_below;   /* the next tower, and below it in its columns */
    tsl_view L, L_below;   /* A21, the same rows */
    tsl_view rest;         /* A22, columns after the next tower's */
} step;

static step step_at(const tsl_call *c, int64_t k, int64_t w, int64_t next, int64_t nb)
{
    tsl_view A = c->v[0];
    step s = {.P = tsl_partition(A, k, w), .p1 = tsl_block_rows(c->v[1], k, w).A1};
    tsl_strips rows = tsl_block_rows(A, k, w + nb), N = tsl_block_cols(s.P.A22, 0, next);
    tsl_strips L = tsl_block_rows(s.P.A21, 0, next + nb), B = tsl_block_rows(N.A1, 0, next + nb);
    tsl_strips T = tsl_block_cols(rows.A1, k, w);
    s.left = T.A0, s.tower = T.A1, s.right = tsl_block_cols(T.A2, 0, next);
    s.U = tsl_block_cols(s.P.A12, 0, next);
    s.below = tsl_block_rows(tsl_block_cols(rows.A2, k, w).A1, 0, next);
    s.B = B.A1, s.B_below = B.A2, s.L = L.A1, s.L_below = L.A2, s.rest = N.A2;
    return s;
}

/* A window is one leaf where it may have the workspace for that, else a factorization like any other. */
static tsl_status factor(tsl_context *x, const tsl_call *c, tsl_view W, tsl_view p, int64_t first)
{
    bool whole = tsl_rows(W) <= tsl_leaf_whole(x, c);
    tsl_status st = whole ? tsl_leaf_of(x, &(tsl_call){.op = TSL_OP_GETRF, .lu = {.first = first}, .v = {W, p}}) : TSL_ERR_DEVICE_MEMORY;
    if (st != TSL_ERR_DEVICE_MEMORY) return st;
    tsl_factor(x, c, W, p, first);
    return TSL_OK;
}

/* W, p := the factors of a tower, window by window: c is the call that it is a part of */
static tsl_status climb(tsl_context *x, const tsl_call *c, tsl_view W, tsl_view p, int64_t first)
{
    int64_t nb = tsl_panel(x, c), w;
    tsl_status st = TSL_OK;
    for (int64_t k = 0; k < tsl_cols(W) && !st; k += w) {
        w = tsl_min(nb, tsl_cols(W) - k);
        step s = step_at(&(tsl_call){.v = {W, p}}, k, w, tsl_cols(W) - k - w, nb);
        /* A1, p1 := LU of the window */        st = factor(x, c, s.tower, s.p1, first + k);
        /* [A10; A20] := P(p1) [A10; A20] */    tsl_exchange(x, s.left, s.p1, first + k);
        /* [A12; A22] := P(p1) [A12; A22] */    tsl_exchange(x, s.right.A1, s.p1, first + k);
        /* A12 := inv(L11) A12 */               tsl_trsm(x, TSL_LEFT, 1, tsl_unit_lower(s.P.A11), s.U.A1);
        /* A31 := A31 inv(U11) */               tsl_trsm(x, TSL_RIGHT, 1, tsl_upper(s.P.A11), s.below.A1);
        /* A22 := A22 - A21 A12 */              tsl_gemm(x, -1, s.L, s.U.A1, 1, s.B);
    }
    return st;
}

/* How many columns the next tower has, of `left` */
static int64_t width(tsl_context *x, const tsl_call *c, int64_t left)
{
    int64_t nb = tsl_panel(x, c);
    return tsl_min(left, left > tsl_tuned(x, TSL_TUNED_WINDOWS_IN_PAIRS) ? 2 * nb : nb);
}

/* B := B - L1 U1, on the lane ahead */
static void bring_up_to_date(tsl_context *x, const step *s)
{
    tsl_on(x, TSL_ON_AHEAD);
    tsl_gemm(x, -1, s->L, s->U.A1, 1, s->B);
    tsl_on(x, TSL_ON_MAIN);
}

tsl_status tsl_getrf_window(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0], p = c->v[1];
    int64_t d = tsl_min(tsl_rows(A), tsl_cols(A)), nb = tsl_panel(x, c), w = width(x, c, d), next;
    int spare = d > 4 * nb ? (int)tsl_tuned(x, TSL_TUNED_ROOM_FOR_WINDOW) : 0; /* else there is hardly a product to wait for */
    tsl_meet(x, c);
    tsl_on(x, TSL_ON_AHEAD);
    /* A1, p1 := LU of the first tower */
    tsl_view T = tsl_block_cols(tsl_block_rows(A, 0, w + nb).A1, 0, w).A1;
    tsl_status st = climb(x, c, T, tsl_block_rows(p, 0, w).A1, c->lu.first);
    for (int64_t k = 0; k < d && !st; k += w, w = next) {
        next = width(x, c, d - k - w);
        step s = step_at(c, k, w, next, nb);
        tsl_view U11 = tsl_upper(s.P.A11), L11 = tsl_unit_lower(s.P.A11);
        bool chain_is_later = w <= nb;
        tsl_leave_room(x, c, chain_is_later ? spare : 0);
        /* the main lane has applied all towers before this one, which is factored */
        tsl_meet(x, c);
        tsl_on(x, TSL_ON_MAIN);
        /* L1 := L1 inv(U11) */                 tsl_trsm(x, TSL_RIGHT, 1, U11, s.below.A1);
        tsl_on(x, TSL_ON_AHEAD);
        /* [U1; N1] := P(p1) [U1; N1] */        tsl_exchange(x, s.right.A1, s.p1, c->lu.first + k);
        /* U1 := inv(L11) U1 */                 tsl_trsm(x, TSL_LEFT, 1, L11, s.U.A1);
        tsl_after_other(x, c);
        tsl_on(x, TSL_ON_MAIN);
        /* [U2; N2] := P(p1) [U2; N2] */        tsl_exchange(x, s.right.A2, s.p1, c->lu.first + k);
        if (chain_is_later) {
            /* B := B - L1 U1 */                bring_up_to_date(x, &s);
            tsl_after_other(x, c);
        }
        /* L2 := L2 inv(U11) */                 tsl_trsm(x, TSL_RIGHT, 1, U11, s.below.A2);
        /* U2 := inv(L11) U2 */                 tsl_trsm(x, TSL_LEFT, 1, L11, s.U.A2);
        if (!chain_is_later) {
            tsl_after_other(x, c);
            /* B := B - L1 U1 */                bring_up_to_date(x, &s);
        }
        tsl_on(x, TSL_ON_AHEAD);
        /* B, p2 := LU of the next tower */     st = climb(x, c, s.B, tsl_block_rows(p, k + w, next).A1, c->lu.first + k + w);
        tsl_on(x, TSL_ON_MAIN);
        /* N2 := N2 - L U2 */                   tsl_gemm(x, -1, s.P.A21, s.U.A2, 1, s.rest);
        /* B2 := B2 - L2 U1 */                  tsl_gemm(x, -1, s.L_below, s.U.A1, 1, s.B_below);
        /* [A10; A20] := P(p1) [A10; A20] */    tsl_exchange(x, s.left, s.p1, c->lu.first + k);
    }
    tsl_leave_room(x, c, 0);
    tsl_meet(x, c);
    tsl_on(x, TSL_ON_MAIN);
    return st;
}
