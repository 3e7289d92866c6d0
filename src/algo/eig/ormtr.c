/* What the reflectors of a reduction to tridiagonal form are for: products with Q, and Q itself. Those of the lower triangle
 * are QR's, of the columns but the last and the rows but the first. Those of the upper one are QL's: Q = H(k) .. H(1), H(i)
 * with its one in row i and the rest above it, in column i + 1. A block of these is H(i+b-1) .. H(i) = I - Y T^H Y^H, T being
 * the triangle that QR's algorithm makes of Y and conj(tau). */
#include "algo/qr/qr.h"
#include "core/values.h"

typedef struct block {
    tsl_view Y, T;
} block;

/* Reflectors k..k+b of the upper triangle, V all columns but A's first, written out in Y, and their triangle; tau are
 * conjugates */
static block take(tsl_context *x, tsl_view V, tsl_view tau, int64_t k, int64_t b, const block *with)
{
    block s = {tsl_sub(with->Y, 0, 0, k + b, b), tsl_sub(with->T, 0, 0, b, b)};
    tsl_strips P = tsl_block_rows(tsl_sub(V, 0, k, k + b, b), k, b), Z = tsl_block_rows(s.Y, k, b); /* A0 above A1 */
    /* Y0 := V0 */                              tsl_copy(x, P.A0, Z.A0);
    /* Y1 := V1's unit upper triangle */        tsl_expand(x, TSL_TRIANGULAR, tsl_unit(tsl_upper(P.A1)), Z.A1);
    /* T := Y^H Y */                            tsl_gemm(x, 1, tsl_herm(s.Y), s.Y, 0, s.T);
    /* T := the triangle of Y and tau */        tsl_larft(x, s.T, tsl_block_rows(tau, k, b).A1);
    s.T = tsl_upper(s.T);
    return s;
}

/* Room for a block, and conj(tau) */
static void make_room(tsl_context *x, tsl_view A, tsl_view tau, int64_t nb, block *with, tsl_view *conjugate)
{
    *with = (block){tsl_temp_of(x, A, TSL_ALONG_ROWS, TSL_OF_TYPE, tsl_rows(A), nb), tsl_in_one(x, A, nb, nb)};
    *conjugate = tsl_temp_of(x, A, TSL_PER_COLUMN, TSL_OF_TYPE, tsl_rows(tau), 1);
    tsl_copy(x, tsl_conj(tau), *conjugate);
}

tsl_status tsl_ormtr_blocks(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0], tau = c->v[1], C = c->v[2], conjugate;
    bool inverse = c->trans != TSL_NOTRANS;
    int64_t count = tsl_rows(tau), n = tsl_cols(C), nb = tsl_min(tsl_panel(x, c), count);
    if (tsl_triangle(A) == TSL_LOWER) /* C2 := Q2 C2, or Q2^H C2 */
        return tsl_ormqr(x, TSL_LEFT, c->trans, tsl_sub(A, 1, 0, count, count), tau, tsl_block_rows(C, 1, count).A1);
    block with;
    tsl_view W = tsl_temp_of(x, C, TSL_ALONG_COLS, TSL_OF_TYPE, nb, tsl_cols(C)), V = tsl_sub(A, 0, 1, count, count);
    make_room(x, A, tau, nb, &with, &conjugate);
    for (int64_t at = 0; at < count; at += nb) {
        int64_t k = inverse ? (count - 1 - at) / nb * nb : at, b = tsl_min(nb, count - k);
        block s = take(x, V, conjugate, k, b, &with);
        /* C1 := Qi C1, or Qi^H C1 */
        tsl_reflect(x, s.Y, inverse ? s.T : tsl_herm(s.T), tsl_block_rows(C, 0, k + b).A1, tsl_sub(W, 0, 0, b, n));
    }
    return TSL_OK;
}

/* `count` columns of A := those of the identity */
static void unit_columns(tsl_context *x, tsl_view A, int64_t from, int64_t count)
{
    tsl_laset(x, 0, 0, tsl_block_cols(A, from, count).A1);
    tsl_laset(x, 0, 1, tsl_sub(A, from, from, count, count));
}

static void unit_row_and_column(tsl_context *x, tsl_view A, int64_t one)
{
    tsl_laset(x, 0, 0, tsl_block_rows(A, one, 1).A1);
    unit_columns(x, A, one, 1);
}

/* `count` columns of A move from column `from` on to column `to` on, as many as W has at a time, first those whose places are
 * free */
static void shift(tsl_context *x, tsl_view A, tsl_view W, int64_t from, int64_t to, int64_t count)
{
    int64_t nb = tsl_cols(W);
    for (int64_t at = 0, b; at < count; at += b) {
        b = tsl_min(nb, count - at);
        int64_t k = to > from ? count - at - b : at;
        tsl_view T = tsl_sub(W, 0, 0, tsl_rows(A), b);
        /* W := A1 */                           tsl_copy(x, tsl_block_cols(A, from + k, b).A1, T);
        /* A2 := W */                           tsl_copy(x, T, tsl_block_cols(A, to + k, b).A1);
    }
}

/* Q of the upper triangle's reflectors in their place, V, square. Blocks from the first to the last: a block multiplies the
 * columns before it, and its own are those of the identity times it, [0; I] - Y T^H Y1^H. */
static void form_upper(tsl_context *x, tsl_view V, tsl_view tau, int64_t nb)
{
    int64_t count = tsl_rows(V);
    block with;
    tsl_view conjugate, W = tsl_temp_of(x, V, TSL_ALONG_COLS, TSL_OF_TYPE, nb, count);
    make_room(x, V, tau, nb, &with, &conjugate);
    for (int64_t k = 0; k < count; k += nb) {
        int64_t b = tsl_min(nb, count - k);
        block s = take(x, V, conjugate, k, b, &with);
        tsl_view T = tsl_herm(s.T), U = tsl_sub(W, 0, k, b, b);
        /* V0 := Qi V0 */                       tsl_reflect(x, s.Y, T, tsl_sub(V, 0, 0, k + b, k), tsl_sub(W, 0, 0, b, k));
        /* U := T^H Y1^H */                     tsl_copy(x, tsl_herm(tsl_block_rows(s.Y, k, b).A1), U);
                                                tsl_trmm(x, TSL_LEFT, 1, T, U);
        /* V1 := [0; I; 0] */                   unit_columns(x, V, k, b);
        /* V1 := V1 - Y U */                    tsl_gemm(x, -1, s.Y, U, 1, tsl_sub(V, 0, k, k + b, b));
    }
}

/* Q is [1, 0; 0, Q2], upper [Q1, 0; 0, 1]: reflectors move a column to where their Q is to be, and it is made there. */
tsl_status tsl_orgtr_blocks(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0], tau = c->v[1];
    bool lower = c->uplo == TSL_LOWER;
    int64_t n = tsl_rows(A), count = n - 1, nb = tsl_min(n, tsl_panel(x, c)), one = lower ? 0 : count;
    tsl_view W = tsl_temp(x, A, n, nb), Q = lower ? tsl_sub(A, 1, 1, count, count) : tsl_sub(A, 0, 0, count, count);
    shift(x, A, W, lower ? 0 : 1, lower ? 1 : 0, count);
    /* Q := its reflectors */                   if (lower) tsl_orgqr(x, Q, tau);
                                                else form_upper(x, Q, tau, nb);
    unit_row_and_column(x, A, one);
    return TSL_OK;
}

/* Of a reduction to bidiagonal form: Q as of QR; or, where reflectors have their ones below the diagonal, as of the lower
 * triangle above */
tsl_status tsl_orgbr_blocks(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0], tau = c->v[1];
    int64_t n = tsl_rows(A), count = n - 1;
    bool is_p = A.op != TSL_NOTRANS;
    if (c->k < n || (c->k == n && !is_p)) return tsl_orgqr(x, A, tau);
    tsl_view W = tsl_temp(x, A, n, tsl_min(n, tsl_panel(x, c)));
    shift(x, A, W, 0, 1, count);
    /* Q2 := its reflectors */                  tsl_orgqr(x, tsl_sub(A, 1, 1, count, count), tsl_sub(tau, 0, 0, count, 1));
    unit_row_and_column(x, A, 0);
    return TSL_OK;
}
