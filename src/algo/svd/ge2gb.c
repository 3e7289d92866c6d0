/* A matrix to an upper band, A = Q B P^H. A panel of w <= kd columns is QR factored, Q1 = I - Y T Y^H. Its first w rows, from
 * kd columns after the panel's first on, are then LQ factored, P1 = I - V S V^H. What remains becomes
 * Q1^H A P1 = A - Y W^H - X S V^H with W = A^H Y T and X = A V - Y (W^H V): it is read for two products and written once.
 * On one device and on grids w = kd. By tiles, each of which is some columns from top to bottom, a panel ends where its tile
 * does. */
#include "algo/qr/qr.h"
#include "core/values.h"

enum { SUMS = 4 }; /* by tiles X is this many sums, which are computed side by side */

/* Columns that no panel, and no part of a product with V, reaches beyond; the sums of such a product */
typedef struct form {
    int64_t wide;
    int sums;
} form;

/* E has Y and X side by side, F has W^H on top of S V^H; G: what these are made of; T, W: triangles of panels, and with zeros
 * below them; H: a product; S: sums beside the first, which is X; D, V: rows and their reflectors in one piece, where A is in
 * several */
typedef struct space {
    tsl_view E, F, G, T, W, H, D, V, S[SUMS];
} space;

/* Panel k..k+w of an m x n matrix; rows that are LQ factored, from column `at` on */
typedef struct step {
    int64_t m, n, k, w, rows, at;
} step;

static space make_space(tsl_context *x, tsl_view A, int64_t kd, form f)
{
    int64_t m = tsl_rows(A), n = tsl_cols(A), b = tsl_min(kd, f.wide), both = tsl_min(2 * b, n);
    space s = {.E = tsl_temp_of(x, A, TSL_ALONG_ROWS, TSL_OF_TYPE, m, both),
               .F = tsl_temp_of(x, A, TSL_ALONG_COLS, TSL_OF_TYPE, both, n),
               .G = tsl_temp_of(x, A, TSL_ALONG_COLS, TSL_OF_TYPE, b, n), .T = tsl_temp_of(x, A, TSL_IN_ONE, TSL_OF_TYPE, b, b),
               .W = tsl_temp_of(x, A, TSL_IN_ONE, TSL_OF_TYPE, b, b), .H = tsl_temp_of(x, A, TSL_IN_ONE, TSL_OF_TYPE, b, b)};
    if (!tsl_lies_in_one(A)) { /* asks: rows are factored in one piece */
        s.D = tsl_temp_of(x, A, TSL_IN_ONE, TSL_OF_TYPE, b, n);
        s.V = tsl_temp_of(x, A, TSL_IN_ONE, TSL_OF_TYPE, b, n);
    }
    for (int g = 1; g < f.sums; ++g) s.S[g] = tsl_temp_of(x, A, TSL_ALONG_ROWS, TSL_OF_TYPE, m, b);
    return s;
}

/* The panel D = Q R, with its Y and tau; its triangle T with zeros below it */
static tsl_view factor(tsl_context *x, const space *s, tsl_view Y, tsl_view tau, tsl_view D)
{
    int64_t w = tsl_cols(D);
    tsl_view T = tsl_sub(s->T, 0, 0, w, w), W = tsl_sub(s->W, 0, 0, w, w);
    tsl_factor_panel(x, D, tau, T, Y, false);
    tsl_expand(x, TSL_TRIANGULAR, tsl_upper(T), W);
    return W;
}

/* The rows D^H = Q L^H, with V^H and tau, brought together for it if they lie in several pieces */
static tsl_view factor_rows(tsl_context *x, const space *s, tsl_view VH, tsl_view tau, tsl_view D)
{
    int64_t m = tsl_rows(D), n = tsl_cols(D);
    /* asks: the same */
    if (tsl_lies_in_one(D) && tsl_lies_in_one(VH)) return factor(x, s, tsl_herm(VH), tau, tsl_herm(D));
    tsl_view D1 = tsl_sub(s->D, 0, 0, m, n), V1 = tsl_sub(s->V, 0, 0, m, n);
    tsl_copy(x, D, D1);
    tsl_view T = factor(x, s, tsl_herm(V1), tau, tsl_herm(D1));
    tsl_copy(x, D1, D);
    tsl_copy(x, V1, VH);
    return T;
}

/* A1 := Q1 R of the panel, Y, and W^H := T^H Y^H A of what is to its right; columns before `at` become Q1^H A */
static void reduce_columns(tsl_context *x, const tsl_call *c, step p, const space *s)
{
    int64_t next = p.k + p.w, cols = p.n - next, near = tsl_max(0, tsl_min(p.at, p.n) - next);
    tsl_strips A = tsl_block_cols(tsl_block_rows(c->v[0], p.k, p.m - p.k).A1, p.k, p.w); /* the panel A1, A2 to its right */
    tsl_view Y = tsl_sub(s->E, p.k, 0, p.m - p.k, p.w), G = tsl_sub(s->G, 0, next, p.w, cols);
    tsl_view WH = tsl_sub(s->F, 0, next, p.w, cols), A3 = tsl_block_cols(A.A2, 0, near).A1,
             WH3 = tsl_block_cols(WH, 0, near).A1;
    /* A1 = Q1 R */              tsl_view T = factor(x, s, Y, tsl_sub(c->v[2], p.k, 0, p.w, 1), A.A1);
    /* G := Y^H A2 */            tsl_gemm(x, 1, tsl_herm(Y), A.A2, 0, G);
    /* W^H := T^H G */           tsl_gemm(x, 1, tsl_herm(T), G, 0, WH);
    /* A3 := A3 - Y W3^H */      if (near > 0) tsl_gemm(x, -1, Y, WH3, 1, A3);
}

/* X := A V, V^H from column `at` of its matrix on: by columns of A up to multiples of `wide`, in turn to each of the sums */
static void multiply(tsl_context *x, tsl_view A, tsl_view VH, tsl_view X, step p, form f, const space *s)
{
    int64_t m = tsl_rows(A), rows = tsl_rows(VH), end;
    tsl_view sum[SUMS] = {X};
    bool begun[SUMS] = {false};
    for (int g = 1; g < f.sums; ++g) sum[g] = tsl_sub(s->S[g], p.m - m, 0, m, rows);
    for (int64_t j = p.at; j < p.n; j = end) {
        end = tsl_min(p.n, j / f.wide * f.wide + f.wide);
        int g = (int)(j / f.wide % f.sums);
        tsl_view A1 = tsl_block_cols(A, j - p.at, end - j).A1, V1 = tsl_herm(tsl_block_cols(VH, j - p.at, end - j).A1);
        /* sum := A1 V1 + sum */ tsl_gemm(x, 1, A1, V1, begun[g], sum[g]);
        begun[g] = true;
    }
    if (!begun[0]) tsl_scale(x, 0, X);
    for (int g = 1; g < f.sums; ++g)
        if (begun[g]) tsl_geadd(x, 1, sum[g], 1, X);
}

/* A1 := A1 - Y1 W^H of the panel's first rows; A1 = L P1^H; S V^H, and X of the rows below */
static void reduce_rows(tsl_context *x, const tsl_call *c, step p, form f, const space *s)
{
    int64_t cols = p.n - p.at, below = p.m - p.k - p.rows;
    tsl_view A1 = tsl_sub(c->v[0], p.k, p.at, p.rows, cols), A2 = tsl_sub(c->v[0], p.k + p.rows, p.at, below, cols);
    tsl_view VH = tsl_sub(s->G, 0, p.at, p.rows, cols), H = tsl_sub(s->H, 0, 0, p.w, p.rows);
    tsl_view F = tsl_sub(s->F, 0, p.at, p.w + p.rows, cols), WH = tsl_sub(F, 0, 0, p.w, cols);
    tsl_view Y1 = tsl_sub(s->E, p.k, 0, p.rows, p.w), E = tsl_sub(s->E, p.k + p.rows, 0, below, p.w + p.rows);
    tsl_view Y2 = tsl_sub(E, 0, 0, below, p.w), X = tsl_sub(E, 0, p.w, below, p.rows);
    /* A1 := A1 - Y1 W^H */      tsl_gemm(x, -1, Y1, WH, 1, A1);
    /* A1 = L P1^H */            tsl_view S = factor_rows(x, s, VH, tsl_sub(c->v[3], p.k, 0, p.rows, 1), A1);
    /* F2 := S V^H */            tsl_gemm(x, 1, S, VH, 0, tsl_sub(F, p.w, 0, p.rows, cols));
    /* X := A2 V */              multiply(x, A2, VH, X, p, f, s);
    /* X := X - Y2 (W^H V) */    tsl_gemm(x, 1, WH, tsl_herm(VH), 0, H);
    tsl_gemm(x, -1, Y2, H, 1, X);
    /* A2 := A2 - [Y2 X] F */    tsl_gemm(x, -1, E, F, 1, A2);
}

/* Of a narrow A, as where tasks are counted, the columns there are */
static tsl_status reduce(tsl_context *x, const tsl_call *c, form f)
{
    tsl_view A = c->v[0];
    int64_t m = tsl_rows(A), n = tsl_cols(A), kd = tsl_min(tsl_rows(c->v[1]) - 1, n), next;
    space s = make_space(x, A, kd, f);
    tsl_scale(x, 0, c->v[3]);
    for (int64_t k = 0; k < n; k = next) {
        next = tsl_min(n, tsl_min(k + kd, k / f.wide * f.wide + f.wide));
        step p = {m, n, k, next - k, tsl_min(next - k, n - k - kd), k + kd};
        reduce_columns(x, c, p, &s);
        if (p.rows > 0) reduce_rows(x, c, p, f, &s);
        tsl_view BH = tsl_herm(tsl_sub(A, k, k, p.w, tsl_min(p.w + kd, n - k)));
        /* AB := its band */     tsl_band(x, BH, tsl_block_cols(c->v[1], k, p.w).A1);
    }
    return TSL_OK;
}

tsl_status tsl_ge2gb_panels(tsl_context *x, const tsl_call *c)
{
    return reduce(x, c, (form){tsl_max(1, tsl_cols(c->v[0])), 1});
}

/* By block columns, which tiles are */
tsl_status tsl_ge2gb_columns(tsl_context *x, const tsl_call *c) { return reduce(x, c, (form){tsl_panel(x, c), SUMS}); }
