/* A symmetric or Hermitian matrix to tridiagonal form, A = Q T Q^H, by panels of columns: from the first one on if the lower
 * triangle is given, from the last one back if the upper is. What is left of A, less Y W^H + W Y^H, is Q^H A Q so far; it is
 * multiplied by a vector for each reflector of a panel, and changed once for all of them. When a leaf takes what is left whole,
 * it does. */
#include "algo/algo.h"
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

tsl_status tsl_sytrd_panels(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0], d = c->v[1], e = c->v[2], tau = c->v[3];
    int64_t n = tsl_rows(A), most = tsl_leaf_order(x, &(tsl_call){.op = TSL_OP_LATRD, .v = {A, d}}), nb = tsl_min(n, tsl_min(most, tsl_panel(x, c)));
    int64_t whole = tsl_leaf_whole(x, c);
    tsl_view Y = tsl_temp(x, A, n, nb), W = tsl_temp(x, A, n, nb);
    for (step s = {.lower = tsl_triangle(A) == TSL_LOWER, .n = n, .left = n}; s.left > 0; s.left -= s.b) {
        bool ends = s.left < n && s.left <= whole;
        s.b = ends ? s.left : tsl_min(nb, s.left);
        tsl_view R = all_of(A, s);
        if (ends) {
            /* [R, d, e, tau] := its form */    tsl_sytrd(x, R, diagonal(d, s), beside(e, s), beside(tau, s));
            break;
        }
        tsl_view Y1 = tsl_sub(Y, 0, 0, s.left, s.b), W1 = tsl_sub(W, 0, 0, s.left, s.b);
        /* [R, d, e, tau, Y, W] := its panel */ tsl_latrd(x, R, diagonal(d, s), beside(e, s), beside(tau, s), Y1, W1);
        /* R2 := R2 - Y2 W2^H - W2 Y2^H */      tsl_her2k(x, -1, rest_rows(Y1, s), rest_rows(W1, s), 1, rest_of(R, s));
    }
    return TSL_OK;
}
