/* A symmetric or Hermitian matrix to tridiagonal form, A = Q T Q^H, by panels of columns: from the first one on if the lower
 * triangle is given, from the last one back if the upper is. What is left of A, less Y W^H + W Y^H, is Q^H A Q so far; it is
 * multiplied by a vector for each reflector of a panel, and changed once for all of them. When a leaf takes what is left whole,
 * it does. */
#include "algo/qr/column.h"
#include "core/values.h"

/* `left` is the order of what is not reduced yet, b of it the columns of the panel. */
typedef struct step {
    bool lower;
    int64_t n, left, b;
} step;

/* What is not reduced yet, and of that, or of as many rows, what remains after the panel */
static tsl_view all_of(tsl_view A, step s)
{
    return s.lower ? tsl_partition2(A, s.n - s.left, s.n - s.left).BR : tsl_partition2(A, s.left, s.left).TL;
}
static tsl_view rest_of(tsl_view R, step s) { return s.lower ? tsl_partition2(R, s.b, s.b).BR : tsl_partition2(R, s.left - s.b, s.left - s.b).TL; }
static tsl_view rest_rows(tsl_view Y, step s) { return s.lower ? tsl_block_rows(Y, s.b, s.left).A1 : tsl_block_rows(Y, 0, s.left - s.b).A1; }

/* The panel's part of the diagonal; of what is beside that and of the factors, which have an element less */
static tsl_view diagonal(tsl_view d, step s) { return tsl_sub(d, s.lower ? s.n - s.left : s.left - s.b, 0, s.b, 1); }
static tsl_view beside(tsl_view e, step s)
{
    int64_t count = tsl_min(s.b, s.left - 1);
    return tsl_sub(e, s.lower ? s.n - s.left : s.left - 1 - count, 0, count, 1);
}

/* Y, W: of the panel's reflectors. By columns, in one piece: P, the panel; u, a reflector written out; g and h, its column and
 * it from the other end; y, its products; t, its factor; tau, all of the panel; B, T's diagonal above the one beside it. z:
 * A u, along A's rows */
typedef struct space {
    tsl_view Y, W, P, u, g, h, y, t, tau, B, z;
} space;

/* [R, d, e, tau, Y, W] := its panel */
typedef void panel(tsl_context *x, const tsl_call *c, tsl_view R, step s, const space *r);

static void by_leaf(tsl_context *x, const tsl_call *c, tsl_view R, step s, const space *r)
{
    tsl_latrd(x, R, diagonal(c->v[1], s), beside(c->v[2], s), beside(c->v[3], s), tsl_sub(r->Y, 0, 0, s.left, s.b),
              tsl_sub(r->W, 0, 0, s.left, s.b));
}

/* The reflector u of a, and t: its one is first, or of the upper triangle last, where it is found from the other end. */
static void reflector(tsl_context *x, bool lower, tsl_view a, tsl_view tau, tsl_view u, const space *r)
{
    int64_t m = tsl_rows(a), last = m - 1;
    if (lower) {
        tsl_factor_panel(x, a, tau, r->t, u, false);
        return;
    }
    tsl_view g = tsl_sub(r->g, 0, 0, m, 1), h = tsl_sub(r->h, 0, 0, m, 1);
    tsl_strips A = tsl_block_rows(a, last, 1), U = tsl_block_rows(u, last, 1);
    tsl_strips G = tsl_block_rows(g, 0, 1), H = tsl_block_rows(h, 0, 1);
    /* g := a, its last element first */        tsl_copy(x, A.A1, G.A1), tsl_copy(x, A.A0, G.A2);
    /* [g, h] := its reflector */               tsl_factor_panel(x, g, tau, r->t, h, false);
    /* a := g, u := h */                        tsl_copy(x, G.A1, A.A1), tsl_copy(x, G.A2, A.A0);
                                                tsl_copy(x, H.A1, U.A1), tsl_copy(x, H.A2, U.A0);
}

/* Column j of those in the order of their reflection */
static void column(tsl_context *x, tsl_view R, step s, int64_t j, const space *r)
{
    int64_t m = s.left - j, rest = m - 1, at = s.lower ? j : rest, c = s.lower ? j : s.b - 1 - j, done = s.lower ? 0 : c + 1;
    int64_t from = s.lower ? j : 0, next = s.lower ? j + 1 : 0;
    tsl_view p = tsl_sub(r->P, from, c, m, 1), y = tsl_sub(r->y, 0, 0, 1, 1);
    /* p := p - Y0 w^H - W0 y^H, y and w its rows of these */
    tsl_take_off(x, 1, tsl_sub(r->Y, from, done, m, j), tsl_herm(tsl_sub(r->W, at, done, 1, j)), p);
    tsl_take_off(x, 1, tsl_sub(r->W, from, done, m, j), tsl_herm(tsl_sub(r->Y, at, done, 1, j)), p);
    if (!rest) return;
    tsl_view Y0 = tsl_sub(r->Y, next, done, rest, j), W0 = tsl_sub(r->W, next, done, rest, j);
    tsl_view w = tsl_sub(r->W, next, c, rest, 1), t = tsl_upper(r->t);
    tsl_view A2 = tsl_sub(R, next, next, rest, rest), u = tsl_sub(r->u, 0, 0, rest, 1), z = tsl_sub(r->z, next, 0, rest, 1);
    reflector(x, s.lower, tsl_sub(r->P, next, c, rest, 1), tsl_sub(r->tau, c, 0, 1, 1), u, r);
    /* y := u */                                tsl_copy(x, u, tsl_sub(r->Y, next, c, rest, 1));
    /* w := A2 u - Y0 W0^H u - W0 Y0^H u */     tsl_hemv(x, 1, s.lower ? tsl_lower(A2) : tsl_upper(A2), u, 0, z);
                                                tsl_copy(x, z, w);
                                                tsl_take_off_products(x, Y0, W0, u, tsl_sub(r->y, 0, 0, j, 1), w);
                                                tsl_take_off_products(x, W0, Y0, u, tsl_sub(r->y, 0, 0, j, 1), w);
    /* w := w t */                              tsl_trmm(x, TSL_RIGHT, 1, t, w);
    /* w := w - 1/2 u (w^H u) t */              tsl_inner_products(x, w, u, y), tsl_trmm(x, TSL_RIGHT, 1, t, y);
                                                tsl_take_off(x, 0.5, u, y, w);
}

/* The panel's columns in a matrix like R: rows that are only in them, and a triangle */
typedef struct parts {
    tsl_view rest, corner;
} parts;

static parts parts_of(tsl_view R, step s, int64_t first)
{
    int64_t rest = s.left - s.b;
    tsl_view corner = tsl_sub(R, s.lower ? 0 : rest, first, s.b, s.b);
    return (parts){tsl_sub(R, s.lower ? s.b : 0, first, rest, s.b), s.lower ? tsl_lower(corner) : tsl_upper(corner)};
}

static void by_columns(tsl_context *x, const tsl_call *c, tsl_view R, step s, const space *all)
{
    int64_t k = s.lower ? s.n - s.left : 0, rest = s.left - s.b, count = tsl_min(s.b, s.left - 1);
    int64_t skip = s.lower ? 0 : s.b - count; /* columns that nothing is above */
    int64_t first = s.lower ? k : rest, one = s.lower ? 1 : rest + skip - 1, e = s.lower ? k : s.left - 1 - count;
    parts A = parts_of(R, s, s.lower ? 0 : rest), P = parts_of(tsl_sub(all->P, 0, 0, s.left, s.b), s, 0);
    space r = *all;
    r.z = tsl_sub(all->z, k, 0, s.left, 1);
    /* P := the panel */                        tsl_copy(x, A.corner, P.corner), tsl_copy(x, A.rest, P.rest);
    for (int64_t j = 0; j < s.b; ++j) column(x, R, s, j, &r);
    /* its diagonal is real */                  tsl_real_diagonal(x, P.corner);
    /* the panel := P */                        tsl_copy(x, P.corner, A.corner), tsl_copy(x, P.rest, A.rest);
                                                tsl_copy(x, tsl_sub(r.tau, skip, 0, count, 1), beside(c->v[3], s));
    /* B := its diagonals */                    tsl_band(x, tsl_general(P.corner), tsl_sub(r.B, 0, first, 1, s.b));
    if (count) tsl_band(x, tsl_sub(r.P, one, skip, s.lower ? s.left - 1 : count, count), tsl_sub(r.B, 1, e, 1, count));
}

/* R := R - Y W^H - W Y^H */
static tsl_status reduce(tsl_context *x, const tsl_call *c, panel *make, int64_t nb, int64_t whole, const space *r)
{
    tsl_view A = c->v[0];
    int64_t n = tsl_rows(A);
    for (step s = {.lower = tsl_triangle(A) == TSL_LOWER, .n = n, .left = n}; s.left > 0; s.left -= s.b) {
        bool ends = s.left < n && s.left <= whole;
        s.b = ends ? s.left : tsl_min(nb, s.left);
        tsl_view R = all_of(A, s), Y1 = tsl_sub(r->Y, 0, 0, s.left, s.b), W1 = tsl_sub(r->W, 0, 0, s.left, s.b);
        if (ends) {
            /* [R, d, e, tau] := its form */    tsl_sytrd(x, R, diagonal(c->v[1], s), beside(c->v[2], s), beside(c->v[3], s));
            break;
        }
        /* [R, d, e, tau, Y, W] := its panel */ make(x, c, R, s, r);
        /* R2 := R2 - Y2 W2^H - W2 Y2^H */      tsl_her2k(x, -1, rest_rows(Y1, s), rest_rows(W1, s), 1, rest_of(R, s));
    }
    return TSL_OK;
}

tsl_status tsl_sytrd_panels(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0];
    int64_t n = tsl_rows(A), most = tsl_leaf_order(x, &(tsl_call){.op = TSL_OP_LATRD, .v = {A, c->v[1]}});
    int64_t nb = tsl_min(n, tsl_min(most, tsl_panel(x, c)));
    return reduce(x, c, by_leaf, nb, tsl_leaf_whole(x, c), &(space){.Y = tsl_temp(x, A, n, nb), .W = tsl_temp(x, A, n, nb)});
}

/* The same where A is in several pieces: there it is only multiplied by vectors, where it lies, and the panel's few columns are
 * in one piece. A panel is as wide as a leaf's: what is in one piece is one task after the other, or done by all processes. */
tsl_status tsl_sytrd_columns(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0];
    tsl_call leaf = {.op = TSL_OP_LATRD, .v = {A, c->v[1]}};
    int64_t n = tsl_rows(A), nb = tsl_min(n, tsl_place_order(x, &leaf, tsl_panel(x, c)));
    space r = {.Y = tsl_in_one(x, A, n, nb), .W = tsl_in_one(x, A, n, nb), .P = tsl_in_one(x, A, n, nb),
               .u = tsl_in_one(x, A, n, 1), .g = tsl_in_one(x, A, n, 1), .h = tsl_in_one(x, A, n, 1), .y = tsl_in_one(x, A, nb, 1),
               .t = tsl_in_one(x, A, 1, 1), .tau = tsl_in_one(x, A, nb, 1), .B = tsl_in_one(x, A, 2, n),
               .z = tsl_temp_of(x, A, TSL_ALONG_ROWS, TSL_OF_TYPE, n, 1)};
    tsl_view none = tsl_sub(r.B, 0, 0, 0, 0);
    tsl_status st = reduce(x, c, by_columns, nb, 0, &r);
    /* d, e := B, which is real already */      tsl_sb2st(x, r.B, c->v[1], c->v[2], none, none);
    return st;
}
