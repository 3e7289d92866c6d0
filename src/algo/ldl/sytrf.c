/* A = L D L^T, or L D L^H, with symmetric pivoting, by panels of columns: from the first one on if the lower triangle is given,
 * from the last one back if the upper is. A panel exchanges rows and columns of what is left of A; that is changed once for all
 * of its columns. A block of D of order 2 may reach over the end of a panel: where a panel begins does not depend on numbers.
 *
 * On one device a panel is one leaf, and nothing waits. Where A lies in several pieces a panel has its own columns, and of
 * those after it no more than it looks at: these are brought beside it one by one. What it exchanges there is put off to its
 * end: at most a row and a column of the triangle for each of its columns. The host's cores compute it, and say what it
 * wants. */
#include <complex.h>

#include "algo/algo.h"
#include "core/values.h"

tsl_status tsl_sytrf_panels(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0], p = c->v[1];
    int64_t n = tsl_rows(A), most = tsl_leaf_order(x, &(tsl_call){.op = TSL_OP_LASYF, .k = n, .v = {A, p}});
    int64_t nb = tsl_min(n, tsl_min(most, tsl_panel(x, c)));
    bool lower = tsl_triangle(A) == TSL_LOWER, herm = c->herm && tsl_is_complex(tsl_matrix_type(A.mat));
    tsl_view Y = tsl_temp(x, A, n, nb + 1), W = tsl_temp(x, A, n, nb + 1),
             s = tsl_temp_of(x, A, TSL_IN_ONE, TSL_OF_INDEX, 1, 1);
    for (int64_t done = 0; done < n; done += nb) {
        int64_t left = n - done, b = tsl_min(nb, left), rest = left - b, count = tsl_min(b + 1, left);
        tsl_view R = lower ? tsl_partition2(A, done, done).BR : tsl_partition2(A, left, left).TL;
        tsl_view Y1 = tsl_sub(Y, 0, 0, left, b + 1), W1 = tsl_sub(W, 0, 0, left, b + 1);
        tsl_view p1 = tsl_sub(p, lower ? done : left - count, 0, count, 1);
        /* [R, p, Y, W] := its panel */ tsl_lasyf(x, herm, b, done, R, p1, Y1, W1, s);
        if (rest == 0) break;
        tsl_view R2 = lower ? tsl_partition2(R, b, b).BR : tsl_partition2(R, rest, rest).TL;
        tsl_view Y2 = tsl_sub(Y1, lower ? b : 0, 0, rest, b + 1), W2 = tsl_sub(W1, lower ? b : 0, 0, rest, b + 1);
        /* R2 := R2 - Y2 W2^T, or W2^H */
        tsl_gemmt_of(x, herm, -1, Y2, herm ? tsl_herm(W2) : tsl_trans(W2), 1, R2);
    }
    return TSL_OK;
}

enum { NEXT, WANTED, INFO, FAR, HEAD }; /* of what the cores say; behind these the columns that were exchanged */

/* Rooms of a panel, in one piece each; V: W once more, cut as the columns of A are */
typedef struct room {
    tsl_view P, X, Y, W, V, a, p, s;
} room;

static room make_room(tsl_context *x, tsl_view A, int64_t nb)
{
    int64_t n = tsl_rows(A), w = nb + 1;
    return (room){.P = tsl_temp_of(x, A, TSL_IN_ONE, TSL_OF_TYPE, n, w),
                  .X = tsl_temp_of(x, A, TSL_IN_ONE, TSL_OF_TYPE, n, w),
                  .Y = tsl_temp_of(x, A, TSL_IN_ONE, TSL_OF_TYPE, n, w),
                  .W = tsl_temp_of(x, A, TSL_IN_ONE, TSL_OF_TYPE, n, w),
                  .V = tsl_temp_of(x, A, TSL_PER_COLUMN, TSL_OF_TYPE, n, w),
                  .a = tsl_temp_of(x, A, TSL_IN_ONE, TSL_OF_TYPE, n, 1),
                  .p = tsl_temp_of(x, A, TSL_IN_ONE, TSL_OF_INDEX, n, 1),
                  .s = tsl_temp_of(x, A, TSL_IN_ONE, TSL_OF_INDEX, HEAD + w, 1)};
}

/* What is left of A, and how many columns of it the panel has: one more than it factors, if there is one */
typedef struct panel {
    tsl_view R;
    int64_t left, width;
    bool lower, herm;
} panel;

static void copy(tsl_context *x, tsl_view here, tsl_view there, bool back)
{
    if (back) tsl_copy(x, there, here);
    else tsl_copy(x, here, there);
}

/* P := the panel's columns of the triangle, or back */
static void move_panel(tsl_context *x, const panel *g, tsl_view P, bool back)
{
    int64_t w = g->width, rest = g->left - w, at = g->lower ? w : rest;
    tsl_part2 R = tsl_partition2(g->R, at, at);
    tsl_view P1 = tsl_sub(P, g->lower ? 0 : rest, 0, w, w);
    copy(x, g->lower ? R.TL : R.BR, g->lower ? tsl_lower(P1) : tsl_upper(P1), back);
    copy(x, g->lower ? R.BL : R.TR, tsl_sub(P, g->lower ? w : 0, 0, rest, w), back);
}

/* v := column c of the symmetric matrix, in rows beyond the panel's, or back: part of a row of the triangle, and of a column */
static void move_column(tsl_context *x, const panel *g, int64_t c, tsl_view v, bool back)
{
    int64_t end = g->left - g->width, first = g->lower ? g->width : c + 1, last = g->lower ? c : end;
    tsl_view R = tsl_general(g->R), row = tsl_sub(R, c, first, 1, last - first);
    tsl_view column = g->lower ? tsl_sub(R, c, c, g->left - c, 1) : tsl_sub(R, 0, c, c + 1, 1);
    copy(x, g->herm ? tsl_herm(row) : tsl_trans(row), tsl_sub(v, first, 0, last - first, 1), back);
    copy(x, column, tsl_sub(v, g->lower ? c : 0, 0, tsl_rows(column), 1), back);
}

/* The cores count columns in the order of steps: upper from the last one back. */
static int64_t place(const panel *g, int64_t c) { return g->lower ? c : g->left - 1 - c; }

/* The column beyond the panel that a dry run supposes is looked at, the longest; 0: there is none */
static int64_t supposed(const panel *g) { return g->left > g->width ? g->width : 0; }

static int64_t word(tsl_context *x, tsl_view s, int64_t i, int64_t dry)
{
    return (int64_t)tsl_read_one(x, tsl_sub(s, i, 0, 1, 1), (double)dry);
}

/* Columns `which` beyond the panel := X; some of their numbers are read at a time */
static void put_back(tsl_context *x, const panel *g, tsl_view X, tsl_view which)
{
    enum { SOME = 64 };
    tsl_scalar at[SOME];
    for (int64_t t = 0, count = tsl_rows(which); t < count; ++t) {
        if (t % SOME == 0) tsl_read(x, tsl_sub(which, t, 0, tsl_min(SOME, count - t), 1), at);
        int64_t c = (int64_t)creal(at[t % SOME]); /* 0 in a dry run */
        move_column(x, g, place(g, c ? c : supposed(g)), tsl_sub(X, 0, t, g->left, 1), true);
    }
}

/* The panel's b columns, of which `from`, 0 or 1, is done: how many beyond it are then */
static int64_t factor(tsl_context *x, const panel *g, int64_t b, int64_t before, int64_t from, const room *r, int64_t *info)
{
    tsl_view P = tsl_sub(r->P, 0, 0, g->left, g->width);
    tsl_view p = tsl_sub(r->p, g->lower ? before : g->left - g->width, 0, g->width, 1);
    tsl_view Y = tsl_sub(r->Y, 0, 0, g->left, b + 1), W = tsl_sub(r->W, 0, 0, g->left, b + 1);
    tsl_view X = tsl_sub(r->X, 0, 0, g->left, b + 1), a = tsl_sub(r->a, 0, 0, g->left, 1);
    tsl_scalar said[HEAD];
    for (int64_t wanted = -1, dry; wanted; wanted = word(x, r->s, WANTED, dry)) {
        dry = wanted < 0 ? supposed(g) : 0;
        if (wanted > 0) move_column(x, g, place(g, wanted), a, false);
        tsl_by_host(x, &(tsl_call){.op = TSL_OP_LASYF_COLUMNS, .herm = g->herm, .uplo = g->lower ? TSL_LOWER : TSL_UPPER,
                                   .k = b, .ldl = {before, from, wanted}, .v = {P, p, Y, W, r->s, X, a}});
    }
    put_back(x, g, X, tsl_sub(r->s, HEAD, 0, word(x, r->s, FAR, supposed(g) > 0), 1));
    tsl_read(x, tsl_sub(r->s, 0, 0, HEAD, 1), said);
    if (!*info) *info = (int64_t)creal(said[INFO]);
    return creal(said[NEXT]) > (double)b;
}

/* By tiles and on grids. Panels end where tiles do. Of a tall A, as where tasks are counted, a square */
tsl_status tsl_sytrf_columns(tsl_context *x, const tsl_call *c)
{
    int64_t n = tsl_cols(c->v[0]), nb = tsl_max(1, tsl_min(n, tsl_panel(x, c))), info = 0, done = 0, b;
    tsl_view A = tsl_partition2(c->v[0], n, n).TL;
    bool lower = tsl_triangle(A) == TSL_LOWER, herm = c->herm && tsl_is_complex(tsl_matrix_type(A.mat));
    room r = make_room(x, c->v[0], nb);
    for (int64_t left = n; left > 0; left -= b) {
        b = lower ? tsl_min(nb, left) : (left - 1) % nb + 1;
        int64_t rest = left - b, below = lower ? b : 0;
        panel g = {.R = lower ? tsl_partition2(A, n - left, n - left).BR : tsl_partition2(A, left, left).TL, .left = left,
                   .width = tsl_min(b + 1, left), .lower = lower, .herm = herm};
        tsl_view P = tsl_sub(r.P, 0, 0, left, g.width), Y = tsl_sub(r.Y, below, 0, rest, b + 1),
                 W = tsl_sub(r.W, below, 0, rest, b + 1), V = tsl_sub(r.V, lower ? n - rest : 0, 0, rest, b + 1);
        /* P := its columns */          move_panel(x, &g, P, false);
        /* [P, p, Y, W] := its steps */ done = factor(x, &g, b, n - left, done, &r, &info);
        /* its columns := P */          move_panel(x, &g, P, true);
        if (rest == 0) break;
        tsl_view R2 = lower ? tsl_partition2(g.R, b, b).BR : tsl_partition2(g.R, rest, rest).TL;
        /* V := W */                    tsl_copy(x, W, V);
        /* R2 := R2 - Y V^T, or V^H */  tsl_gemmt_of(x, herm, -1, Y, herm ? tsl_herm(V) : tsl_trans(V), 1, R2);
    }
    /* p := the pivots */               tsl_copy(x, tsl_sub(r.p, 0, 0, n, 1), tsl_sub(c->v[1], 0, 0, n, 1));
    if (info) tsl_tell_outcome(x, c->v[0], info);
    return TSL_OK;
}
