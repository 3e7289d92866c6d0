/* What the reflectors of QR are for: products with Q = Q1 Q2 .. , and Q itself. Reflectors are taken a block at a time, as many
 * as make products of a good width: Qi = I - Y T Y^H. */
#include "algo/qr/qr.h"
#include "core/values.h"

/* wide: so wide that Y^H Y is better known by its triangle alone */
typedef struct block {
    tsl_view Y, T;
    bool wide;
} block;

/* Reflectors k..k+b of A, written out in Y, and their triangle */
static block take(tsl_context *x, tsl_view A, tsl_view tau, int64_t k, int64_t b, const block *with)
{
    int64_t m = tsl_rows(A) - k;
    block s = {tsl_sub(with->Y, k, 0, m, b), tsl_sub(with->T, 0, 0, b, b), with->wide};
    /* Y := those reflectors */                 tsl_write_out(x, tsl_sub(A, k, k, m, b), s.Y);
    /* T := Y^H Y */
    if (s.wide) tsl_herk(x, 1, tsl_herm(s.Y), 0, tsl_upper(s.T));
    else tsl_gemm(x, 1, tsl_herm(s.Y), s.Y, 0, s.T);
    /* T := the triangle of Y and tau */        tsl_larft(x, s.T, tsl_block_rows(tau, k, b).A1);
    s.T = tsl_upper(s.T);
    return s;
}

/* C := Q C from the last block on, or Q^H C from the first */
static tsl_status apply(tsl_context *x, const tsl_call *c, int64_t most, bool wide)
{
    tsl_view A = c->v[0], tau = c->v[1], C = c->v[2];
    bool inverse = c->trans != TSL_NOTRANS;
    int64_t m = tsl_rows(C), n = tsl_cols(C), count = tsl_rows(tau), nb = tsl_min(most, count);
    block with = {tsl_temp_for_rows(x, A, C, nb), tsl_temp_of(x, C, TSL_IN_ONE, TSL_OF_TYPE, nb, nb), wide};
    tsl_view W = tsl_temp_of(x, C, TSL_ALONG_COLS, TSL_OF_TYPE, nb, tsl_cols(C));
    int64_t blocks = nb ? tsl_pieces(count, nb) : 0;
    for (int64_t i = tsl_next_step(C, -1, blocks); i < blocks; i = tsl_next_step(C, i, blocks)) {
        int64_t k = (inverse ? i : blocks - 1 - i) * nb, b = tsl_min(nb, count - k);
        block s = take(x, A, tau, k, b, &with);
        /* C := Qi C, or Qi^H C */
        tsl_reflect(x, s.Y, inverse ? tsl_herm(s.T) : s.T, tsl_block_rows(C, k, m - k).A1, tsl_sub(W, 0, 0, b, n));
    }
    return TSL_OK;
}

tsl_status tsl_ormqr_blocks(tsl_context *x, const tsl_call *c) { return apply(x, c, tsl_panel(x, c), false); }
tsl_status tsl_ormqr_wide(tsl_context *x, const tsl_call *c) { return apply(x, c, tsl_wide_panel(x, c), true); }

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

/* Q's columns in place of the reflectors, w at a time from the right on, so that those which are needed are still there. From
 * the last block on columns after those of a block are multiplied by it, its own are those of the identity times it, [I; 0] - Y
 * T Y1^H. */
static tsl_status by_columns(tsl_context *x, const tsl_call *c, int64_t w, int64_t nb, bool wide)
{
    tsl_view A = c->v[0], tau = c->v[1];
    int64_t m = tsl_rows(A), n = tsl_cols(A), count = tsl_rows(tau), most = tsl_min(nb, tsl_max(1, count));
    block with = {tsl_temp_of(x, A, TSL_ALONG_ROWS, TSL_OF_TYPE, tsl_rows(A), most),
                  tsl_temp_of(x, A, TSL_IN_ONE, TSL_OF_TYPE, most, most), wide};
    tsl_view W = tsl_temp_of(x, A, TSL_ALONG_COLS, TSL_OF_TYPE, most, tsl_cols(A));
    for (int64_t end = n, from; end > 0; end = from) {
        from = (end - 1) / w * w;
        int64_t past = tsl_max(from, tsl_min(count, end));
        unit_columns(x, A, past, end, nb);
        for (int64_t k = (tsl_min(count, end) - 1) / nb * nb; k >= 0 && count; k -= nb) {
            int64_t b = tsl_min(nb, count - k), next = tsl_max(from, k + b);
            block s = take(x, A, tau, k, b, &with);
            /* A2 := Qi A2 */
            tsl_reflect(x, s.Y, s.T, tsl_sub(A, k, next, m - k, end - next), tsl_sub(W, 0, next, b, end - next));
            if (k < from) continue;
            tsl_view V = tsl_sub(W, 0, k, b, b);
            /* V := T Y1^H */                   tsl_copy(x, tsl_herm(tsl_block_rows(s.Y, 0, b).A1), V);
                                                tsl_trmm(x, TSL_LEFT, 1, s.T, V);
            /* A1 := [I; 0], and zeros above */ unit_columns(x, A, k, k + b, nb);
            /* A1 := A1 - Y V */                tsl_gemm(x, -1, s.Y, V, 1, tsl_sub(A, k, k, m - k, b));
        }
    }
    return TSL_OK;
}

static int64_t all_columns(const tsl_call *c) { return tsl_max(1, tsl_cols(c->v[0])); }

tsl_status tsl_orgqr_blocks(tsl_context *x, const tsl_call *c)
{
    return by_columns(x, c, all_columns(c), tsl_panel(x, c), false);
}

tsl_status tsl_orgqr_wide(tsl_context *x, const tsl_call *c)
{
    return by_columns(x, c, all_columns(c), tsl_wide_panel(x, c), true);
}

/* As many columns as there is room for: they are written once, and what is before them is read once. */
tsl_status tsl_orgqr_late(tsl_context *x, const tsl_call *c)
{
    return by_columns(x, c, tsl_panel_from(x, c, 0), tsl_panel(x, c), false);
}
