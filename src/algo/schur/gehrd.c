/* A general matrix to Hessenberg form, A = Q H Q^H, by panels of columns. Reflectors of a panel are Q1 = I - V T V^H; A becomes
 * Q1^H A Q1. What the panel makes is its own columns, V, T, and Y = A V T in its rows and those below; the rest of A is then
 * changed once for all of them. A leaf makes a panel of a matrix in one piece. Of others, by tiles and on grids, what is in
 * several pieces is only multiplied by vectors, where it lies; the few columns of the panel are in one. */
#include "algo/qr/column.h"
#include "core/values.h"

/* V, T: the panel's; Y, R: A V T in the rows above the panel, and from there on; W: room for V^H A. By columns, in one piece:
 * P, the panel; u, a reflector written out; w, its products with V; tau. z: A u, along A's rows */
typedef struct space {
    tsl_view V, T, Y, R, W, P, u, w, tau, z;
} space;

/* Columns k..k+b of a block of A that ends before row and column `end` */
typedef struct step {
    int64_t k, b, end;
} step;

/* [A1, tau, T, V, Y] := a panel, of the rows from k + 1 on */
typedef void panel(tsl_context *x, tsl_view A, tsl_view tau, step p, const space *s);

static void by_leaf(tsl_context *x, tsl_view A, tsl_view tau, step p, const space *s)
{
    int64_t top = p.k + 1, below = p.end - top;
    tsl_lahr2(x, tsl_sub(A, top, p.k, below, below + 1), tsl_sub(tau, p.k, 0, p.b, 1), tsl_sub(s->T, 0, 0, p.b, p.b),
              tsl_sub(s->V, 0, 0, below, p.b), tsl_sub(s->R, top, 0, below, p.b));
}

/* Column j of the panel: A2 is all columns of A that its reflectors change, z has A2's rows. */
static void column(tsl_context *x, tsl_view A2, tsl_view z, int64_t j, const space *s)
{
    int64_t m = tsl_rows(A2);
    tsl_view V0 = tsl_sub(s->V, 0, 0, m, j), R0 = tsl_sub(s->R, 0, 0, m, j), T0 = tsl_upper(tsl_sub(s->T, 0, 0, j, j));
    tsl_view p = tsl_sub(s->P, 0, j, m, 1), r = tsl_sub(s->R, 0, j, m, 1), w = tsl_sub(s->w, 0, 0, j, 1);
    tsl_view t = tsl_sub(s->T, 0, j, j, 1), T1 = tsl_sub(s->T, j, j, 1, 1), tau = tsl_sub(s->tau, j, 0, 1, 1);
    tsl_view u = tsl_sub(s->u, j, 0, m - j, 1), v = tsl_sub(s->V, j, j, m - j, 1);
    /* p := p - Y0 v^H, v its row of V */       if (j) tsl_take_off(x, 1, R0, tsl_herm(tsl_sub(s->V, j - 1, 0, 1, j)), p);
    /* w := T0^H V0^H p */                      tsl_inner_products(x, V0, p, w);
                                                tsl_trmm(x, TSL_LEFT, 1, tsl_herm(T0), w);
    /* p := p - V0 w */                         tsl_take_off(x, 1, V0, w, p);
    /* [p, tau, T1, u] := its reflector */      tsl_factor_panel(x, tsl_sub(p, j, 0, m - j, 1), tau, T1, u, false);
    /* v := u */                                tsl_copy(x, u, v);
    /* y := A2 v */                             tsl_product_in_one(x, tsl_block_cols(A2, j, m - j).A1, u, z, r);
    /* t := V0^H v, y := y - Y0 t */            tsl_take_off_products(x, R0, tsl_sub(V0, j, 0, m - j, j), u, t, r);
    /* t := -T0 t tau */                        tsl_trmm(x, TSL_LEFT, -1, T0, t);
                                                tsl_trmm(x, TSL_RIGHT, 1, tsl_upper(T1), t);
    /* y := y tau */                            tsl_trmm(x, TSL_RIGHT, 1, tsl_upper(T1), r);
}

static void by_columns(tsl_context *x, tsl_view A, tsl_view tau, step p, const space *s)
{
    int64_t top = p.k + 1, below = p.end - top;
    space here = *s;
    tsl_view A1 = tsl_sub(A, top, p.k, below, p.b), P = tsl_sub(s->P, 0, 0, below, p.b);
    here.R = tsl_sub(s->R, top, 0, below, p.b);
    /* P := A1 */                               tsl_copy(x, A1, P);
    /* V := 0 above its diagonal */             tsl_laset(x, 0, 0, tsl_sub(s->V, 0, 0, p.b, p.b));
    for (int64_t j = 0; j < p.b; ++j) column(x, tsl_sub(A, top, top, below, below), tsl_sub(s->z, top, 0, below, 1), j, &here);
    /* A1 := P */                               tsl_copy(x, P, A1);
                                                tsl_copy(x, tsl_sub(s->tau, 0, 0, p.b, 1), tsl_sub(tau, p.k, 0, p.b, 1));
}

static tsl_status reduce(tsl_context *x, const tsl_call *c, panel *make, int64_t nb, space s)
{
    tsl_view A = c->v[0], tau = c->v[1];
    int64_t n = tsl_rows(A), order = tsl_min(n, c->schur.order); /* of A there are some tiles where tasks are counted */
    int64_t first = tsl_min(n - order, c->schur.first), end = first + order, last = end - 1;
    /* factors that are not used */             tsl_laset(x, 0, 0, tau);
    for (int64_t k = first, b; k < last; k += b) { /* columns before the last have reflectors */
        b = tsl_min(nb, last - k);
        int64_t top = k + 1, below = end - top, right = end - k - b, all = n - k - b;
        tsl_view T1 = tsl_upper(tsl_sub(s.T, 0, 0, b, b));
        tsl_view V1 = tsl_sub(s.V, 0, 0, below, b), V2 = tsl_sub(V1, b - 1, 0, right, b);
        tsl_view Y0 = tsl_sub(s.Y, 0, 0, top, b), Y1 = tsl_sub(s.R, top, 0, below, b), above = tsl_sub(A, 0, top, top, below);
        /* [A1, tau, T, V, Y] := its panel */   make(x, A, tau, (step){k, b, end}, &s);
        /* Y0 := A0 V T */                      tsl_gemm(x, 1, above, V1, 0, Y0);
                                                tsl_trmm(x, TSL_RIGHT, 1, T1, Y0);
        /* A0 := A0 - Y0 V^H */                 tsl_gemm(x, -1, Y0, tsl_herm(V1), 1, above);
        /* A2 := A2 - Y1 V2^H */                tsl_gemm(x, -1, Y1, tsl_herm(V2), 1, tsl_sub(A, top, k + b, below, right));
        /* A2 := Q1^H A2 */
        if (all > 0) tsl_reflect(x, V1, tsl_herm(T1), tsl_sub(A, top, k + b, below, all), tsl_sub(s.W, 0, k + b, b, all));
    }
    return TSL_OK;
}

tsl_status tsl_gehrd_panels(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0];
    int64_t n = tsl_rows(A), most = tsl_leaf_order(x, &(tsl_call){.op = TSL_OP_LAHR2, .v = {A, c->v[1]}});
    int64_t nb = tsl_min(tsl_max(1, n), tsl_min(most, tsl_panel(x, c)));
    space s = {.V = tsl_temp(x, A, n, nb), .Y = tsl_temp(x, A, n, nb), .T = tsl_temp(x, A, nb, nb), .W = tsl_temp(x, A, nb, n)};
    s.R = s.Y;
    return reduce(x, c, by_leaf, nb, s);
}

/* A panel is as wide as a leaf's: what is in one piece is one task after the other, or done by all processes. */
tsl_status tsl_gehrd_columns(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0];
    tsl_call leaf = {.op = TSL_OP_LAHR2, .v = {A, c->v[1]}};
    int64_t n = tsl_rows(A), nb = tsl_min(tsl_max(1, n), tsl_place_order(x, &leaf, tsl_panel(x, c)));
    space s = {.V = tsl_in_one(x, A, n, nb), .R = tsl_in_one(x, A, n, nb), .P = tsl_in_one(x, A, n, nb),
               .T = tsl_in_one(x, A, nb, nb), .u = tsl_in_one(x, A, n, 1), .w = tsl_in_one(x, A, nb, 1),
               .tau = tsl_in_one(x, A, nb, 1), .Y = tsl_temp_of(x, A, TSL_ALONG_ROWS, TSL_OF_TYPE, n, nb),
               .z = tsl_temp_of(x, A, TSL_ALONG_ROWS, TSL_OF_TYPE, n, 1),
               .W = tsl_temp_of(x, A, TSL_ALONG_COLS, TSL_OF_TYPE, nb, n)};
    return reduce(x, c, by_columns, nb, s);
}
