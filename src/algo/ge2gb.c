/* A matrix to an upper band, A = Q B P^H. A panel of w columns is QR factored, Q1 = I - Y T Y^H, and its rows to the right of it then LQ factored, P1 = I - V S V^H.
 * What remains becomes Q1^H A P1 = A - Y W^H - X S V^H with W = A^H Y T and X = A V - Y (W^H V): it is read for two products and written once. */
#include "algo/algo.h"
#include "core/values.h"

/* E has Y and X side by side, F has W^H on top of S V^H; G: what these are made of; T, W: triangles of panels, and with zeros below them; H: a product */
typedef struct space {
    tsl_view E, F, G, T, W, H;
} space;

/* Panel k..k+w of an m x n matrix; rows that are LQ factored, of n - k - w columns */
typedef struct step {
    int64_t m, n, k, w, rows;
} step;

/* The panel D = Q R, with its Y and tau; its triangle T with zeros below it */
static tsl_view factor(tsl_context *x, const space *s, tsl_view Y, tsl_view tau, tsl_view D)
{
    int64_t w = tsl_cols(D);
    tsl_view T = tsl_sub(s->T, 0, 0, w, w), W = tsl_sub(s->W, 0, 0, w, w);
    tsl_execute(x, &(tsl_call){.op = TSL_OP_GEQRT, .v = {T, Y, tau, D}});
    tsl_expand(x, TSL_TRIANGULAR, tsl_upper(T), W);
    return W;
}

/* A1 := Q1 R of the panel, Y, and W^H := T^H Y^H A of what is to its right */
static void reduce_columns(tsl_context *x, const tsl_call *c, step p, const space *s)
{
    int64_t at = p.k + p.w, cols = p.n - at;
    tsl_view A = c->v[0], Y = tsl_sub(s->E, p.k, 0, p.m - p.k, p.w), G = tsl_sub(s->G, 0, at, p.w, cols);
    /* A1 = Q1 R */              tsl_view T = factor(x, s, Y, tsl_sub(c->v[2], p.k, 0, p.w, 1), tsl_sub(A, p.k, p.k, p.m - p.k, p.w));
    /* G := Y^H A */             tsl_gemm(x, 1, tsl_herm(Y), tsl_sub(A, p.k, at, p.m - p.k, cols), 0, G);
    /* W^H := T^H G */           tsl_gemm(x, 1, tsl_herm(T), G, 0, tsl_sub(s->F, 0, at, p.w, cols));
}

/* A1 := A1 - Y1 W^H of the panel's first rows; A1 = L P1^H; S V^H, and X of the rows below */
static void reduce_rows(tsl_context *x, const tsl_call *c, step p, const space *s)
{
    int64_t at = p.k + p.w, cols = p.n - at, below = p.m - p.k - p.rows;
    tsl_view A1 = tsl_sub(c->v[0], p.k, at, p.rows, cols), A2 = tsl_sub(c->v[0], p.k + p.rows, at, below, cols);
    tsl_view WH = tsl_sub(s->F, 0, at, p.w, cols), VH = tsl_sub(s->G, 0, at, p.rows, cols), H = tsl_sub(s->H, 0, 0, p.w, p.rows);
    tsl_view Y1 = tsl_sub(s->E, p.k, 0, p.rows, p.w), Y2 = tsl_sub(s->E, p.k + p.rows, 0, below, p.w), X = tsl_sub(s->E, p.k + p.rows, p.w, below, p.rows);
    /* A1 := A1 - Y1 W^H */      tsl_gemm(x, -1, Y1, WH, 1, A1);
    /* A1 = L P1^H */            tsl_view S = factor(x, s, tsl_herm(VH), tsl_sub(c->v[3], p.k, 0, p.rows, 1), tsl_herm(A1));
    /* F2 := S V^H */            tsl_gemm(x, 1, S, VH, 0, tsl_sub(s->F, p.w, at, p.rows, cols));
    /* X := A2 V */              tsl_gemm(x, 1, A2, tsl_herm(VH), 0, X);
    /* X := X - Y2 (W^H V) */    tsl_gemm(x, 1, WH, tsl_herm(VH), 0, H);
    tsl_gemm(x, -1, Y2, H, 1, X);
    /* A2 := A2 - [Y2 X] F */    tsl_gemm(x, -1, tsl_sub(s->E, p.k + p.rows, 0, below, p.w + p.rows), tsl_sub(s->F, 0, at, p.w + p.rows, cols), 1, A2);
}

tsl_status tsl_ge2gb_panels(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0], AB = c->v[1];
    int64_t m = tsl_rows(A), n = tsl_cols(A), kd = tsl_min(tsl_rows(AB) - 1, n);
    space s = {tsl_temp(x, A, m, 2 * kd), tsl_temp(x, A, 2 * kd, n), tsl_temp(x, A, kd, n), tsl_temp(x, A, kd, kd), tsl_temp(x, A, kd, kd), tsl_temp(x, A, kd, kd)};
    tsl_scale(x, 0, c->v[3]);
    for (int64_t k = 0; k < n; k += kd) {
        int64_t w = tsl_min(kd, n - k);
        step p = {m, n, k, w, tsl_min(w, n - k - w)};
        reduce_columns(x, c, p, &s);
        if (p.rows > 0) reduce_rows(x, c, p, &s);
    }
    /* AB := the band of B^H */   tsl_execute(x, &(tsl_call){.op = TSL_OP_BAND, .v = {tsl_herm(tsl_sub(A, 0, 0, n, n)), AB}});
    return TSL_OK;
}
