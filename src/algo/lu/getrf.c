/* LU factorization, P A = L U: the three blocked variants that go with partial pivoting, a recursive one, and those that look
 * ahead; and two that choose pivots otherwise. At step k the panel is [A11; A21], and p1 are the pivots found in it. */
#include "algo/lu/lu.h"
#include "core/values.h"
#include "tune/numbers.h"

typedef struct step {
    tsl_part3 P;
    tsl_view panel, left, right, p1; /* rows from k on: the panel, the columns before and after it */
} step;

static step cut(const tsl_call *c, int64_t k, int64_t nb)
{
    tsl_view A = c->v[0], below = tsl_block_rows(A, k, tsl_rows(A)).A1;
    nb = tsl_min(nb, tsl_min(tsl_rows(A), tsl_cols(A)) - k);
    tsl_strips S = tsl_block_cols(below, k, nb);
    return (step){tsl_partition(A, k, nb), S.A1, S.A0, S.A2, tsl_block_rows(c->v[1], k, nb).A1};
}

static int64_t diagonal(const tsl_call *c) { return tsl_min(tsl_rows(c->v[0]), tsl_cols(c->v[0])); }

/* A := P(p) A, where rows are exchanged at all */
static void exchange(tsl_context *x, const tsl_call *c, tsl_view A, tsl_view p, int64_t first)
{
    if (c->lu.pivoting != TSL_PIVOTS_NONE) tsl_exchange(x, A, p, first);
}

/* Left-looking: each block column receives all of L before it, then is factored. Columns past the diagonal only receive. What
 * is before a column is read once, so columns are as wide as there is room for. */
tsl_status tsl_getrf_1(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0], p = c->v[1];
    int64_t n = tsl_cols(A), d = diagonal(c), nb;
    for (int64_t k = 0; k < n; k += nb) {
        nb = k < d ? tsl_min(tsl_panel_from(x, c, k), d - k) : n - k;
        tsl_view A1 = tsl_block_cols(A, k, nb).A1;
        tsl_part2 L = tsl_partition2(A, tsl_min(k, d), tsl_min(k, d));
        tsl_strips C = tsl_block_rows(A1, 0, tsl_min(k, d)); /* A1 above A2 */
        /* A1 := P(p0) A1 */                    exchange(x, c, A1, tsl_block_rows(p, 0, k).A1, c->lu.first);
        /* A01 := inv(L00) A01 */               tsl_trsm(x, TSL_LEFT, 1, tsl_unit_lower(L.TL), C.A1);
        /* [A11; A21] := [A11; A21] - [L10; L20] A01 */
        tsl_gemm(x, -1, L.BL, C.A1, 1, C.A2);
        if (k >= d) break;
        step s = cut(c, k, nb);
        /* [A11; A21], p1 := LU of it */        tsl_factor(x, c, s.panel, s.p1, c->lu.first + k);
        /* [A10; A20] := P(p1) [A10; A20] */    exchange(x, c, s.left, s.p1, c->lu.first + k);
    }
    return TSL_OK;
}

/* Crout: a block column of L and a block row of U at a time; the rest of A waits, its rows exchanged. */
tsl_status tsl_getrf_2(tsl_context *x, const tsl_call *c)
{
    int64_t d = diagonal(c), nb = tsl_panel(x, c);
    for (int64_t k = 0; k < d; k += nb) {
        step s = cut(c, k, nb);
        /* [A11; A21] := [A11; A21] - [L10; L20] A01 */
        tsl_gemm(x, -1, s.left, s.P.A01, 1, s.panel);
        /* [A11; A21], p1 := LU of it */        tsl_factor(x, c, s.panel, s.p1, c->lu.first + k);
        /* [A10; A20] := P(p1) [A10; A20] */    exchange(x, c, s.left, s.p1, c->lu.first + k);
        /* [A12; A22] := P(p1) [A12; A22] */    exchange(x, c, s.right, s.p1, c->lu.first + k);
        /* A12 := A12 - L10 A02 */              tsl_gemm(x, -1, s.P.A10, s.P.A02, 1, s.P.A12);
        /* A12 := inv(L11) A12 */               tsl_trsm(x, TSL_LEFT, 1, tsl_unit_lower(s.P.A11), s.P.A12);
    }
    return TSL_OK;
}

/* [A12; A22] := inv of the panel's part of L applied to it: rows exchanged, A12 solved for, A22 updated. */
static void update(tsl_context *x, const tsl_call *c, tsl_view panel, tsl_view p1, int64_t first, tsl_view right)
{
    int64_t nb = tsl_cols(panel);
    tsl_strips L = tsl_block_rows(panel, 0, nb), R = tsl_block_rows(right, 0, nb); /* A1 above A2 */
    /* [A12; A22] := P(p1) [A12; A22] */        exchange(x, c, right, p1, first);
    /* A12 := inv(L11) A12 */                   tsl_trsm(x, TSL_LEFT, 1, tsl_unit_lower(L.A1), R.A1);
    /* A22 := A22 - L21 A12 */                  tsl_gemm(x, -1, L.A2, R.A1, 1, R.A2);
}

/* Right-looking: each panel is factored, then leaves all of A behind it. */
tsl_status tsl_getrf_3(tsl_context *x, const tsl_call *c)
{
    int64_t d = diagonal(c), nb = tsl_panel(x, c);
    for (int64_t k = 0; k < d; k += nb) {
        step s = cut(c, k, nb);
        /* [A11; A21], p1 := LU of it */        tsl_factor(x, c, s.panel, s.p1, c->lu.first + k);
        /* [A12; A22] := inv(L1) [A12; A22] */  update(x, c, s.panel, s.p1, c->lu.first + k, s.right);
        /* [A10; A20] := P(p1) [A10; A20] */    exchange(x, c, s.left, s.p1, c->lu.first + k);
    }
    return TSL_OK;
}

/* A block column of L, from column k on, receives all exchanges after it: L21 := P(p2) L21 */
static void catch_up(tsl_context *x, const tsl_call *c, int64_t k, int64_t nb)
{
    tsl_view L21 = tsl_block_rows(cut(c, k, nb).panel, 0, nb).A2;
    exchange(x, c, L21, tsl_block_rows(c->v[1], k, nb).A2, c->lu.first + k + nb);
}

/* The steps of the right-looking variant, each on the same operands and so with the same bits, in another order: block columns,
 * as wide as there is room for, receive all panels before them one after the other, then their own are factored. Columns of L
 * wait for the exchanges that come after them until the end. So what is before a column is read once, and a column is written
 * twice. */
tsl_status tsl_getrf_late(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0];
    int64_t n = tsl_cols(A), d = diagonal(c), nb = tsl_panel(x, c), w;
    for (int64_t k = 0; k < n; k += w) {
        w = tsl_panel_from(x, c, k);
        for (int64_t j = 0; j < tsl_min(k + w, d); j += nb) {
            step s = cut(c, j, nb);
            int64_t end = j + tsl_cols(s.panel), from = tsl_max(k, end);
            tsl_view mine = tsl_block_cols(s.right, from - end, tsl_min(k + w, n) - from).A1;
            /* [A11; A21], p1 := LU of it */    if (j >= k) tsl_factor(x, c, s.panel, s.p1, c->lu.first + j);
            /* A2 := inv(L1) A2, of columns k to k + w */
            update(x, c, s.panel, s.p1, c->lu.first + j, mine);
        }
    }
    for (int64_t k = 0; k < d; k += nb) catch_up(x, c, k, nb);
    return TSL_OK;
}

/* Recursive, by halves of the columns: the whole height is worked on at once, nearly all of it in products. */
tsl_status tsl_getrf_rec(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0], p = c->v[1];
    int64_t n = tsl_cols(A), h = tsl_leaf_order(x, c);
    if (h >= n) h = n - n / 2;
    while (2 * h < n) h *= 2;
    h = tsl_min(h, tsl_rows(A)); /* of a wide A the first part has all the pivots */
    tsl_strips C = tsl_block_cols(A, 0, h), q = tsl_block_rows(p, 0, h); /* left A1, right A2 */
    /* A1, p1 := LU of it */                    tsl_factor(x, c, C.A1, q.A1, c->lu.first);
    /* A2 := inv(L1) A2 */                      update(x, c, C.A1, q.A1, c->lu.first, C.A2);
    tsl_strips L = tsl_block_rows(C.A1, 0, h), R = tsl_block_rows(C.A2, 0, h);
    /* R2, p2 := LU of it */                    tsl_factor(x, c, R.A2, q.A2, c->lu.first + h);
    /* L2 := P(p2) L2 */                        exchange(x, c, L.A2, q.A2, c->lu.first + h);
    return TSL_OK;
}

/* Up to which column panels are as wide as the first. For the order that is left then they are narrower, by the tables or
 * because it is one panel: that is a call of its own. */
static int64_t end_of(tsl_context *x, const tsl_call *c)
{
    int64_t d = diagonal(c), nb = tsl_panel(x, c);
    tsl_call rest = *c;
    for (int64_t k = tsl_panel_ahead(x, c, 0); k < d; k += tsl_panel_ahead(x, c, k)) {
        rest.v[0] = tsl_partition2(c->v[0], k, k).BR;
        if (tsl_panel(x, &rest) < nb) return k;
    }
    return d;
}

/* A22, p2 := LU of it, of rows and columns from k on */
static void factor_rest(tsl_context *x, const tsl_call *c, int64_t k)
{
    tsl_factor(x, c, tsl_partition2(c->v[0], k, k).BR, tsl_block_rows(c->v[1], 0, k).A2, c->lu.first + k);
}

/* Right-looking, with the next panel updated and factored on its own lane while the rest is updated on the main one. At each
 * meeting the main lane has applied all panels before k, and the ahead lane has factored panel k. lazy: columns of L are left
 * as they are. */
static void ahead(tsl_context *x, const tsl_call *c, tsl_factors factor, int64_t end, bool lazy)
{
    int64_t nb = tsl_panel_ahead(x, c, 0), next;
    tsl_meet(x, c);
    for (int64_t k = 0; k < end; k += nb, nb = next) {
        step s = cut(c, k, nb);
        tsl_on(x, TSL_ON_AHEAD);
        /* [A11; A21], p1 := LU of it */        factor(x, c, s.panel, s.p1, c->lu.first + k);
        tsl_view L = tsl_for_rows(x, s.panel, s.right);
        tsl_meet(x, c);
        next = tsl_panel_ahead(x, c, k + nb);
        tsl_strips R = tsl_block_cols(s.right, 0, next); /* the next panel A1, the rest A2 */
        /* A1 := inv(L1) A1 */                  update(x, c, L, s.p1, c->lu.first + k, R.A1);
        tsl_on(x, TSL_ON_MAIN);
        int64_t w = tsl_beside(x, R.A2), v = tsl_beside(x, s.left);
        for (int64_t i = 0; i * w < tsl_cols(R.A2) || (!lazy && i * v < tsl_cols(s.left)); ++i) { /* some columns of both */
            /* A2 := inv(L1) A2 */              update(x, c, L, s.p1, c->lu.first + k, tsl_block_cols(R.A2, i * w, w).A1);
            /* [A10; A20] := P(p1) [A10; A20] */
            if (!lazy) exchange(x, c, tsl_block_cols(s.left, i * v, v).A1, s.p1, c->lu.first + k);
        }
    }
    tsl_meet(x, c);
}

tsl_status tsl_getrf_ahead(tsl_context *x, const tsl_call *c)
{
    int64_t k = end_of(x, c);
    ahead(x, c, tsl_factor, k, false);
    if (k == diagonal(c)) return TSL_OK;
    /* A22, p2 := LU of it */                   factor_rest(x, c, k);
    /* A21 := P(p2) A21 */
    exchange(x, c, tsl_partition2(c->v[0], k, k).BL, tsl_block_rows(c->v[1], 0, k).A2, c->lu.first + k);
    return TSL_OK;
}

/* As ahead, but columns of L wait for the exchanges that come after them until the end, as in the late variant: each row of
 * them is moved once. Both lanes are free then, and take block columns in turns. apart: while both lanes are at work the main
 * one leaves room to the other. */
static tsl_status lazily(tsl_context *x, const tsl_call *c, bool apart)
{
    int64_t nb = tsl_panel(x, c), end = end_of(x, c);
    bool room = apart && end > 4 * nb; /* else there is hardly a product to wait for */
    if (room) tsl_leave_room(x, c, (int)tsl_tuned(x, TSL_TUNED_ROOM_FOR_LU));
    ahead(x, c, tsl_factor, end, true);
    if (room) tsl_leave_room(x, c, 0);
    /* A22, p2 := LU of it */                   if (end < diagonal(c)) factor_rest(x, c, end);
    tsl_meet(x, c);
    for (int64_t k = 0; k < end; k += nb) {
        tsl_on(x, k / nb % 2 ? TSL_ON_AHEAD : TSL_ON_MAIN);
        /* L21 := P(p2) L21 */                  catch_up(x, c, k, nb);
    }
    tsl_meet(x, c);
    tsl_on(x, TSL_ON_MAIN);
    return TSL_OK;
}

tsl_status tsl_getrf_lazy(tsl_context *x, const tsl_call *c) { return lazily(x, c, false); }
tsl_status tsl_getrf_apart(tsl_context *x, const tsl_call *c) { return lazily(x, c, true); }

/* Panels by the host's cores, while the device updates. */
tsl_status tsl_getrf_hybrid(tsl_context *x, const tsl_call *c)
{
    tsl_call padded = *c;
    padded.v[0] = tsl_padded_in(x, c->v[0]);
    ahead(x, &padded, tsl_factor_by_host, diagonal(c), false);
    tsl_padded_out(x, padded.v[0], c->v[0]);
    return TSL_OK;
}

/* As by looking ahead, with pivots chosen otherwise in every panel. */
static tsl_status with_pivots(tsl_context *x, const tsl_call *c, tsl_pivoting pivoting)
{
    tsl_call other = *c;
    other.lu.pivoting = pivoting;
    return tsl_getrf_ahead(x, &other);
}

tsl_status tsl_getrf_tournament(tsl_context *x, const tsl_call *c) { return with_pivots(x, c, TSL_PIVOTS_TOURNAMENT); }
tsl_status tsl_getrf_nopiv(tsl_context *x, const tsl_call *c) { return with_pivots(x, c, TSL_PIVOTS_NONE); }
