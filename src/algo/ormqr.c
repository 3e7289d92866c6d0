/* What the reflectors of QR are for: products with Q = Q1 Q2 .. , and Q itself. Reflectors are taken a block at a time, as many as make
 * products of a good width: Qi = I - Y T Y^H. */
#include "algo/qr.h"
#include "core/values.h"

typedef struct block {
    tsl_view Y, T;
} block;

/* Reflectors k..k+b of A, of which only what is below the diagonal is read, written out in Y, and their triangle */
static block take(tsl_context *x, tsl_view A, tsl_view tau, int64_t k, int64_t b, const block *with)
{
    int64_t m = tsl_rows(A) - k;
    block s = {tsl_sub(with->Y, k, 0, m, b), tsl_sub(with->T, 0, 0, b, b)};
    tsl_strips V = tsl_block_rows(tsl_sub(A, k, k, m, b), 0, b), Y = tsl_block_rows(s.Y, 0, b); /* A1 above A2 */
    /* Y1 := its unit lower triangle */         tsl_expand(x, TSL_TRIANGULAR, tsl_unit(tsl_lower(V.A1)), Y.A1);
    /* Y2 := V2 */                              tsl_copy(x, V.A2, Y.A2);
    /* T := Y^H Y */                            tsl_gemm(x, 1, tsl_herm(s.Y), s.Y, 0, s.T);
    /* T := the triangle of Y and tau */        tsl_execute(x, &(tsl_call){.op = TSL_OP_LARFT, .v = {s.T, tsl_block_rows(tau, k, b).A1}});
    s.T = tsl_upper(s.T);
    return s;
}

/* C := Q C from the last block on, or Q^H C from the first */
tsl_status tsl_ormqr_blocks(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0], tau = c->v[1], C = c->v[2];
    bool inverse = c->trans != TSL_NOTRANS;
    int64_t m = tsl_rows(C), n = tsl_cols(C), count = tsl_rows(tau), nb = tsl_min(tsl_panel(x, c), count);
    block with = {tsl_temp_rows(x, A, C, nb), tsl_temp_whole(x, A, C, nb, nb)};
    tsl_view W = tsl_temp_cols(x, C, C, nb);
    if (!with.Y.mat || !with.T.mat || !W.mat) return TSL_OK; /* there was no memory, and x knows */
    for (int64_t at = 0; at < count; at += nb) {
        int64_t k = inverse ? at : (count - 1 - at) / nb * nb, b = tsl_min(nb, count - k);
        block s = take(x, A, tau, k, b, &with);
        /* C := Qi C, or Qi^H C */              tsl_reflect(x, s.Y, inverse ? tsl_herm(s.T) : s.T, tsl_block_rows(C, k, m - k).A1, tsl_sub(W, 0, 0, b, n));
    }
    return TSL_OK;
}

/* Columns from..to of A := those of the identity, at most nb at a time, cut where blocks of nb are */
static void unit_columns(tsl_context *x, tsl_view A, int64_t from, int64_t to, int64_t nb)
{
    tsl_scale(x, 0, tsl_block_cols(A, from, to - from).A1);
    for (int64_t k = from, next; k < to; k = next) {
        next = tsl_min(to, k / nb * nb + nb);
        tsl_view square = tsl_sub(A, k, k, next - k, next - k);
        tsl_expand(x, TSL_TRIANGULAR, tsl_unit(tsl_lower(square)), square);
    }
}

/* Q's columns in place of the reflectors, from the last block on: columns after those of a block are multiplied by it, its own are those
 * of the identity times it, [I; 0] - Y T Y1^H. */
tsl_status tsl_orgqr_blocks(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0], tau = c->v[1];
    int64_t m = tsl_rows(A), n = tsl_cols(A), count = tsl_rows(tau), nb = tsl_panel(x, c), w = tsl_min(nb, tsl_max(1, count));
    block with = {tsl_temp_rows(x, A, A, w), tsl_temp_whole(x, A, A, w, w)};
    tsl_view W = tsl_temp_cols(x, A, A, w);
    if (!with.Y.mat || !with.T.mat || !W.mat) return TSL_OK;
    unit_columns(x, A, count, n, nb);
    for (int64_t at = 0; at < count; at += nb) {
        int64_t k = (count - 1 - at) / nb * nb, b = tsl_min(nb, count - k);
        block s = take(x, A, tau, k, b, &with);
        tsl_view V = tsl_sub(W, 0, k, b, b), own = tsl_sub(A, k, k, m - k, b);
        /* A2 := Qi A2 */                       tsl_reflect(x, s.Y, s.T, tsl_sub(A, k, k + b, m - k, n - k - b), tsl_sub(W, 0, k + b, b, n - k - b));
        /* V := T Y1^H */                       tsl_copy(x, tsl_herm(tsl_block_rows(s.Y, 0, b).A1), V);
                                                tsl_trmm(x, TSL_LEFT, 1, s.T, V);
        /* A1 := [I; 0], and zeros above */     unit_columns(x, A, k, k + b, nb);
        /* A1 := A1 - Y V */                    tsl_gemm(x, -1, s.Y, V, 1, own);
    }
    return TSL_OK;
}
