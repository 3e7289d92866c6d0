/* To bidiagonal form, A = Q B P^H, by panels of columns and rows. What is left of A, less V Y^H + X U^H, is Q^H A P so far; it
 * is multiplied by two vectors for each column of a panel, and changed once for all of them. A wide A is the conjugate
 * transpose of a tall one. */
#include <math.h>

#include "algo/qr/column.h"
#include "algo/svd/bidiagonal.h"
#include "core/values.h"

/* Where the bidiagonal matrix and the reflectors' factors go */
typedef struct result {
    tsl_view d, e, tauq, taup;
} result;

/* L, R: [V X] and [Y U]. By columns, in one piece: P, the panel's columns, and Q, its rows, as the columns they are of A^H; u,
 * a reflector written out; w, products with it; t, its factor; tq, tp, all of the panel; B, the diagonal of the result above
 * the one beside it. y, z: products with A, along its columns and its rows */
typedef struct space {
    tsl_view L, R, P, Q, u, w, t, tq, tp, B, y, z;
} space;

/* Columns and rows k..k+b of A = 2^at times what is given */
typedef struct step {
    int64_t k, b;
    int at;
} step;

/* [A1, d, e, tauq, taup, L, R] := a panel, its first columns and rows; of L and R what is after them holds */
typedef void panel(tsl_context *x, tsl_view A1, step p, const result *to, const space *s);

static void by_leaf(tsl_context *x, tsl_view A1, step p, const result *to, const space *s)
{
    int64_t m = tsl_rows(A1), n = tsl_cols(A1);
    tsl_labrd(x, ldexp(1, p.at), A1, tsl_sub(to->d, p.k, 0, p.b, 1), tsl_sub(to->e, p.k, 0, tsl_min(p.b, n - 1), 1),
              tsl_sub(to->tauq, p.k, 0, p.b, 1), tsl_sub(to->taup, p.k, 0, p.b, 1), tsl_sub(s->L, 0, 0, m, 2 * p.b),
              tsl_sub(s->R, 0, 0, n, 2 * p.b));
}

/* a := a - F G^H, G a row; its reflector, u and tau */
static void reflector(tsl_context *x, tsl_view a, tsl_view F, tsl_view G, tsl_view tau, const space *s, tsl_view u)
{
    tsl_take_off(x, 1, F, tsl_herm(G), a);
    tsl_factor_panel(x, a, tau, s->t, u, false);
}

/* f := (f - F G^H u) t, with room w */
static void correct(tsl_context *x, tsl_view F, tsl_view G, tsl_view u, tsl_view f, const space *s)
{
    /* f := f - F G^H u */                      tsl_take_off_products(x, F, G, u, tsl_sub(s->w, 0, 0, tsl_cols(F), 1), f);
    /* f := f t */                              tsl_trmm(x, TSL_RIGHT, 1, tsl_upper(s->t), f);
}

/* Column and row i. Of L and R columns are v, x and y, u by turns: so those that are made already are the first ones. */
static void column(tsl_context *x, tsl_view A1, int64_t i, const space *s)
{
    int64_t m = tsl_rows(A1), n = tsl_cols(A1), below = m - i, right = n - i - 1, j = 2 * i;
    tsl_view L0 = tsl_sub(s->L, i, 0, below, j), u = tsl_sub(s->u, 0, 0, below, 1), tp = tsl_sub(s->tp, i, 0, 1, 1);
    /* p := p - L r^H; [p, u] := its reflector */
    reflector(x, tsl_sub(s->P, i, i, below, 1), L0, tsl_sub(s->R, i, 0, 1, j), tsl_sub(s->tq, i, 0, 1, 1), s, u);
    /* v := u */                                tsl_copy(x, u, tsl_sub(s->L, i, j, below, 1));
    if (!right) {
        tsl_laset(x, 0, 0, tp);
        return;
    }
    tsl_view A2 = tsl_sub(A1, i, i + 1, below, right), A3 = tsl_sub(A1, i + 1, i + 1, below - 1, right);
    tsl_view R0 = tsl_sub(s->R, i + 1, 0, right, j), R1 = tsl_sub(s->R, i + 1, 0, right, j + 1);
    tsl_view y = tsl_sub(s->R, i + 1, j, right, 1), yt = tsl_trans(tsl_sub(s->y, 0, i + 1, 1, right));
    tsl_view l = tsl_sub(s->L, i + 1, j + 1, below - 1, 1), z = tsl_sub(s->z, i + 1, 0, below - 1, 1);
    tsl_view L1 = tsl_sub(s->L, i + 1, 0, below - 1, j + 1), g = tsl_sub(s->u, 0, 0, right, 1);
    /* y := A2^H v */                           tsl_product_in_one(x, tsl_herm(A2), u, yt, y);
    /* y := (y - R L^H v) tauq */               correct(x, R0, L0, u, y, s);
    /* q := q - R l^H; [q, g] := its reflector */
    reflector(x, tsl_sub(s->Q, i + 1, i, right, 1), R1, tsl_sub(s->L, i, 0, 1, j + 1), tp, s, g);
    /* u := g */                                tsl_copy(x, g, tsl_sub(s->R, i + 1, j + 1, right, 1));
    /* x := A3 u */                             tsl_product_in_one(x, A3, g, z, l);
    /* x := (x - L R^H u) taup */               correct(x, L1, R1, g, l, s);
}

/* Diagonal j of the result, which the panel's columns (j = 0) or rows (1) have, from row j on: multiplied by 2^at, and row j
 * of B. */
static void diagonal(tsl_context *x, tsl_view P, int64_t j, step p, const space *s)
{
    int64_t count = tsl_min(p.b, tsl_rows(P) - j);
    for (int64_t i = 0; i < count && p.at; ++i) tsl_scale_by(x, p.at, tsl_sub(P, i + j, i, 1, 1));
    if (count > 0) tsl_band(x, tsl_sub(P, j, 0, tsl_rows(P) - j, count), tsl_sub(s->B, j, p.k, 1, count));
}

static void by_columns(tsl_context *x, tsl_view A1, step p, const result *to, const space *all)
{
    int64_t m = tsl_rows(A1), n = tsl_cols(A1), b = p.b;
    tsl_view columns = tsl_block_cols(A1, 0, b).A1, rows = tsl_block_rows(A1, 0, b).A1;
    space s = *all;
    s.P = tsl_sub(all->P, 0, 0, m, b), s.Q = tsl_sub(all->Q, 0, 0, n, b);
    s.y = tsl_sub(all->y, 0, p.k, 1, n), s.z = tsl_sub(all->z, p.k, 0, m, 1);
    /* P, Q := the panel */                     tsl_copy(x, columns, s.P), tsl_copy(x, tsl_herm(rows), s.Q);
    for (int64_t i = 0; i < b; ++i) column(x, A1, i, &s);
    /* the diagonal, and the one above it */    diagonal(x, s.P, 0, p, &s), diagonal(x, s.Q, 1, p, &s);
    /* the panel := Q, and from its diagonal on down P */
    tsl_copy(x, tsl_herm(s.Q), rows);
    tsl_copy(x, tsl_lower(tsl_sub(s.P, 0, 0, b, b)), tsl_lower(tsl_sub(columns, 0, 0, b, b)));
    tsl_copy(x, tsl_sub(s.P, b, 0, m - b, b), tsl_sub(columns, b, 0, m - b, b));
    tsl_copy(x, tsl_sub(s.tq, 0, 0, b, 1), tsl_sub(to->tauq, p.k, 0, b, 1));
    tsl_copy(x, tsl_sub(s.tp, 0, 0, b, 1), tsl_sub(to->taup, p.k, 0, b, 1));
}

/* A tall A */
static void reduce(tsl_context *x, tsl_view A, const result *to, panel *make, int64_t nb, const space *s)
{
    int64_t m = tsl_rows(A), n = tsl_cols(A);
    int at = tsl_exponent_of(tsl_largest(x, TSL_TRIANGULAR, A));
    /* A := A / 2^at */     tsl_scale_by(x, -at, A);
    for (int64_t k = 0, b; k < n; k += b) {
        b = tsl_min(nb, n - k);
        tsl_view A1 = tsl_partition2(A, k, k).BR, L1 = tsl_sub(s->L, 0, 0, m - k, 2 * b);
        tsl_view R1 = tsl_sub(s->R, 0, 0, n - k, 2 * b);
        /* [A1, d, e, tauq, taup, L, R] := its panel */ make(x, A1, (step){k, b, at}, to, s);
        /* A2 := A2 - [V X] [Y U]^H */
        if (k + b < n)
            tsl_gemm(x, -1, tsl_block_rows(L1, b, m - k - b).A1, tsl_herm(tsl_block_rows(R1, b, n - k - b).A1), 1,
                     tsl_partition2(A1, b, b).BR);
    }
}

static void by_panels(tsl_context *x, const tsl_call *c, tsl_view A, tsl_view d, tsl_view e, tsl_view tauq, tsl_view taup)
{
    int64_t m = tsl_rows(A), n = tsl_cols(A), most = tsl_leaf_order(x, &(tsl_call){.op = TSL_OP_LABRD, .v = {A, d}});
    int64_t nb = tsl_min(n, tsl_min(most, tsl_panel(x, c)));
    space s = {.L = tsl_temp(x, A, m, 2 * nb), .R = tsl_temp(x, A, n, 2 * nb)};
    reduce(x, A, &(result){d, e, tauq, taup}, by_leaf, nb, &s);
}

/* The same where A is in several pieces: there it is only multiplied by vectors, where it lies, and the panel's few columns and
 * rows are in one piece. A panel is as wide as a leaf's: what is in one piece is one task after the other, or done by all
 * processes. */
static void in_pieces(tsl_context *x, const tsl_call *c, tsl_view A, tsl_view d, tsl_view e, tsl_view tauq, tsl_view taup)
{
    tsl_call leaf = {.op = TSL_OP_LABRD, .v = {A, d}};
    int64_t m = tsl_rows(A), n = tsl_cols(A), nb = tsl_min(n, tsl_place_order(x, &leaf, tsl_panel(x, c)));
    space s = {.L = tsl_in_one(x, A, m, 2 * nb), .R = tsl_in_one(x, A, n, 2 * nb), .P = tsl_in_one(x, A, m, nb),
               .Q = tsl_in_one(x, A, n, nb), .u = tsl_in_one(x, A, m, 1), .w = tsl_in_one(x, A, 2 * nb, 1),
               .t = tsl_in_one(x, A, 1, 1), .tq = tsl_in_one(x, A, nb, 1), .tp = tsl_in_one(x, A, nb, 1),
               .B = tsl_in_one(x, A, 2, n), .y = tsl_temp_of(x, A, TSL_ALONG_COLS, TSL_OF_TYPE, 1, n),
               .z = tsl_temp_of(x, A, TSL_ALONG_ROWS, TSL_OF_TYPE, m, 1)};
    tsl_view none = tsl_sub(s.B, 0, 0, 0, 0);
    reduce(x, A, &(result){d, e, tauq, taup}, by_columns, nb, &s);
    /* d, e := B, which is real already */      tsl_sb2st(x, s.B, d, e, none, none);
}

tsl_status tsl_bidiagonal_by(tsl_context *x, const tsl_call *c, tsl_bidiagonal_method *by)
{
    tsl_view A = c->v[0], d = c->v[1], e = c->v[2], tauq = c->v[3], taup = c->v[4];
    int64_t m = tsl_rows(A), n = tsl_cols(A);
    if (m >= n) return by(x, c, A, d, e, tauq, taup), TSL_OK;
    tsl_view W = tsl_temp(x, A, n, m);
    /* W := A^H */      tsl_copy(x, tsl_herm(A), W);
    by(x, c, W, d, e, taup, tauq);
    /* A := W^H */      tsl_copy(x, tsl_herm(W), A);
    return TSL_OK;
}

tsl_status tsl_gebrd_panels(tsl_context *x, const tsl_call *c) { return tsl_bidiagonal_by(x, c, by_panels); }
tsl_status tsl_gebrd_columns(tsl_context *x, const tsl_call *c) { return tsl_bidiagonal_by(x, c, in_pieces); }
