/* A symmetric or Hermitian matrix to a band of kd diagonals beside the main one, A = Q B Q^H, from its lower triangle. A panel
 * of w <= kd columns is QR factored from kd rows below its diagonal on: its reflectors are I - Y T Y^H, of the rows after the
 * panel, and with V = Y T what remains of A becomes A - Y Z^H - Z Y^H, Z = A V - 1/2 Y (V^H A V). That is put off until a block
 * of several panels is done: then it is one update, of an inner dimension as wide as the block. Until then only the next
 * panel's columns receive it, and products with A are corrected by it. */
#include "algo/qr/qr.h"
#include "core/values.h"

enum { SUMS = 4 }; /* by tiles a product with A is this many sums, which are computed side by side */

/* How products with A and its updates are computed: with a copy of all of A, written out once a block; or by block columns of
 * `wide`, in so many sums */
typedef struct form {
    bool whole;
    int64_t block, wide;
    int sums;
} form;

/* Y, Z, V: n rows, those of A. Y and Z have the columns of a block, V, and S beside the first sum, which is Z, those of a
 * panel. E: A written out */
typedef struct space {
    tsl_view Y, Z, V, G, T, tau, E, S[SUMS];
} space;

/* Panel j..j+w, after `done` columns of its block */
typedef struct step {
    int64_t n, j, w, done;
} step;

static void make_space(tsl_context *x, tsl_view A, int64_t kd, form f, space *s)
{
    int64_t n = tsl_rows(A), w = tsl_min(kd, f.block);
    *s = (space){.Y = tsl_temp_of(x, A, TSL_ALONG_ROWS, TSL_OF_TYPE, n, f.block),
                 .Z = tsl_temp_of(x, A, TSL_ALONG_ROWS, TSL_OF_TYPE, n, f.block),
                 .V = tsl_temp_of(x, A, TSL_ALONG_ROWS, TSL_OF_TYPE, n, w),
                 .G = tsl_temp_of(x, A, TSL_IN_ONE, TSL_OF_TYPE, f.block, w),
                 .T = tsl_temp_of(x, A, TSL_IN_ONE, TSL_OF_TYPE, w, w),
                 .tau = tsl_temp_of(x, A, TSL_PER_COLUMN, TSL_OF_TYPE, tsl_cols(A), 1)};
    if (f.whole) s->E = tsl_temp(x, A, n, n);
    for (int g = 1; g < f.sums; ++g) s->S[g] = tsl_temp_of(x, A, TSL_ALONG_ROWS, TSL_OF_TYPE, n, w);
}

/* Rows after the panel; of Y or Z the columns of panels before it in its block, or its own */
static tsl_view before(tsl_view Y, step s) { return tsl_sub(Y, s.j + s.w, 0, s.n - s.j - s.w, s.done); }
static tsl_view own(tsl_view Y, step s) { return tsl_sub(Y, s.j + s.w, s.done, s.n - s.j - s.w, s.w); }

/* Columns k.. of A, up to the next multiple of `wide`, or to the last */
static int64_t end_of(tsl_view A, int64_t k, int64_t wide) { return tsl_min(tsl_cols(A), k / wide * wide + wide); }

/* Z := A2 V, A2 being A from row and column k on */
static void multiply(tsl_context *x, tsl_view A, int64_t k, tsl_view V, tsl_view Z, form f, space *s)
{
    int64_t n = tsl_rows(A), r = n - k, w = tsl_cols(V), end;
    if (f.whole) {
        tsl_gemm(x, 1, tsl_sub(s->E, k, k, r, r), V, 0, Z);
        return;
    }
    for (int g = 1; g < f.sums; ++g) tsl_scale(x, 0, tsl_sub(s->S[g], k, 0, r, w));
    if (f.sums > 1) tsl_scale(x, 0, Z);
    for (int64_t at = k; at < tsl_cols(A); at = end) {
        end = end_of(A, at, f.wide);
        int g = (int)(at / f.wide % f.sums);
        tsl_view A1 = tsl_sub(A, at, at, end - at, end - at), A21 = tsl_sub(A, end, at, n - end, end - at);
        tsl_strips W = tsl_block_rows(V, at - k, end - at), U = tsl_block_rows(g ? tsl_sub(s->S[g], k, 0, r, w) : Z, at - k, end - at);
        /* Z1 := A1 V1 + Z1 */                  tsl_hemm(x, TSL_LEFT, 1, tsl_lower(A1), W.A1, f.sums > 1, U.A1);
        /* Z1 := A21^H V2 + Z1 */               tsl_gemm(x, 1, tsl_herm(A21), W.A2, 1, U.A1);
        /* Z2 := A21 V1 + Z2 */                 tsl_gemm(x, 1, A21, W.A1, 1, U.A2);
    }
    for (int g = 1; g < f.sums; ++g) tsl_geadd(x, 1, tsl_sub(s->S[g], k, 0, r, w), 1, Z);
}

/* A2 := A2 - Y Z^H - Z Y^H, A2 being A from row and column k on, in columns up to `to` */
static void update(tsl_context *x, tsl_view A, int64_t k, int64_t to, tsl_view Y, tsl_view Z, form f)
{
    int64_t n = tsl_rows(A), columns = tsl_cols(Y), end;
    for (int64_t at = k; at < to && columns; at = end) {
        end = tsl_min(to, end_of(A, at, f.wide));
        tsl_view A1 = tsl_sub(A, at, at, end - at, end - at), A21 = tsl_sub(A, end, at, n - end, end - at);
        tsl_strips P = tsl_block_rows(tsl_sub(Y, at, 0, n - at, columns), 0, end - at),
                   R = tsl_block_rows(tsl_sub(Z, at, 0, n - at, columns), 0, end - at);
        /* A1 := A1 - Y1 Z1^H - Z1 Y1^H */      tsl_her2k(x, -1, P.A1, R.A1, 1, tsl_lower(A1));
        /* A21 := A21 - Y2 Z1^H - Z2 Y1^H */    tsl_gemm(x, -1, P.A2, tsl_herm(R.A1), 1, A21);
                                                tsl_gemm(x, -1, R.A2, tsl_herm(P.A1), 1, A21);
    }
}

/* The panel's reflectors, Y and T, and its Z, with what is put off. T's last row becomes tau: it is below the triangle but for
 * its last element, which is tau's. */
static void reduce_panel(tsl_context *x, const tsl_call *c, step p, form f, space *s)
{
    tsl_view A = c->v[0], Y = own(s->Y, p), Z = own(s->Z, p), V = tsl_sub(s->V, p.j + p.w, 0, p.n - p.j - p.w, p.w);
    int64_t kd = tsl_rows(c->v[2]), low = kd - p.w;
    tsl_view T = tsl_sub(c->v[2], 0, p.j, p.w, p.w), tau = tsl_sub(s->tau, p.j, 0, p.w, 1),
             G = tsl_sub(s->G, 0, 0, p.done, p.w), H = tsl_sub(s->G, 0, 0, p.w, p.w), T1 = tsl_sub(s->T, 0, 0, p.w, p.w);
    tsl_strips R = tsl_block_rows(Y, 0, low);
    /* Y1 := 0 */                               tsl_scale(x, 0, R.A1);
    /* A1 := Q R, of rows from kd below on */
    tsl_factor_panel(x, tsl_sub(A, p.j + kd, p.j, p.n - p.j - kd, p.w), tau, T1, R.A2, false);
    /* T := its triangle, zeros below it */     tsl_expand(x, TSL_TRIANGULAR, tsl_upper(T1), T);
    /* V := Y T */                              tsl_gemm(x, 1, Y, T, 0, V);
    /* T's last row := tau */                   tsl_copy(x, tsl_trans(tau), tsl_sub(c->v[2], kd - 1, p.j, 1, p.w));
    /* Z := A2 V, as A2 was */                  multiply(x, A, p.j + p.w, V, Z, f, s);
    if (p.done) {
        tsl_view Y0 = before(s->Y, p), Z0 = before(s->Z, p);
        /* Z := Z - Y0 (Z0^H V) */              tsl_gemm(x, 1, tsl_herm(Z0), V, 0, G);
                                                tsl_gemm(x, -1, Y0, G, 1, Z);
        /* Z := Z - Z0 (Y0^H V) */              tsl_gemm(x, 1, tsl_herm(Y0), V, 0, G);
                                                tsl_gemm(x, -1, Z0, G, 1, Z);
    }
    /* Z := Z - 1/2 Y (V^H Z) */                tsl_gemm(x, 1, tsl_herm(V), Z, 0, H);
                                                tsl_gemm(x, -0.5, Y, H, 1, Z);
}

/* Of a tall A, as where tasks are counted, the columns there are */
static tsl_status reduce(tsl_context *x, const tsl_call *c, form f)
{
    tsl_view A = c->v[0], AB = c->v[1];
    int64_t n = tsl_rows(A), cols = tsl_cols(A), kd = tsl_rows(c->v[2]), count = tsl_min(cols, n - kd);
    int64_t blocks = tsl_pieces(cols, f.block);
    space s;
    tsl_scale(x, 0, c->v[2]);
    if (count > 0) make_space(x, A, kd, f, &s);
    for (int64_t b = tsl_next_step(A, -1, blocks); b < blocks; b = tsl_next_step(A, b, blocks)) {
        int64_t k = b * f.block, end = tsl_min(cols, k + f.block), last = tsl_min(end, count);
        int64_t panels = tsl_pieces(tsl_max(0, last - k), kd);
        if (f.whole && k < count) /* E := all of A2 */
            tsl_expand(x, TSL_HERMITIAN, tsl_lower(tsl_sub(A, k, k, n - k, n - k)), tsl_sub(s.E, k, k, n - k, n - k));
        for (int64_t i = tsl_next_step(A, -1, panels); i < panels; i = tsl_next_step(A, i, panels)) {
            int64_t j = k + i * kd, next = tsl_min(last, j + kd);
            step p = {n, j, next - j, j - k};
            /* A1 := A1 - Y0 Z0^H - Z0 Y0^H */
            update(x, A, j, next, tsl_sub(s.Y, 0, 0, n, j - k), tsl_sub(s.Z, 0, 0, n, j - k), f);
            reduce_panel(x, c, p, f, &s);
        }
        int64_t done = last - k;
        /* A2 := A2 - Y Z^H - Z Y^H */
        if (done > 0) update(x, A, last, cols, tsl_sub(s.Y, 0, 0, n, done), tsl_sub(s.Z, 0, 0, n, done), f);
        /* AB := the band of these columns */
        tsl_band(x, tsl_sub(A, k, k, n - k, end - k), tsl_block_cols(AB, k, end - k).A1);
    }
    return TSL_OK;
}

/* Columns of a block: those of whole panels */
static int64_t block_of(tsl_context *x, const tsl_call *c)
{
    int64_t kd = tsl_rows(c->v[2]), most = tsl_min(tsl_panel(x, c), tsl_cols(c->v[0]));
    return most > kd ? most / kd * kd : kd;
}

tsl_status tsl_sy2sb_whole(tsl_context *x, const tsl_call *c)
{
    return reduce(x, c, (form){.whole = true, .block = block_of(x, c), .wide = tsl_max(1, tsl_rows(c->v[0])), .sums = 1});
}

/* By the triangle alone */
tsl_status tsl_sy2sb_half(tsl_context *x, const tsl_call *c)
{
    return reduce(x, c, (form){.block = block_of(x, c), .wide = tsl_max(1, tsl_rows(c->v[0])), .sums = 1});
}

/* The same by block columns, which tiles are */
tsl_status tsl_sy2sb_columns(tsl_context *x, const tsl_call *c)
{
    int64_t nb = tsl_panel(x, c);
    return reduce(x, c, (form){.block = nb, .wide = nb, .sums = SUMS});
}

/* Reflectors of column j begin kd rows below its diagonal: they are QR's, of all rows but the first kd. Their factors are T's
 * last row. */
tsl_status tsl_ormtr_sy2sb_parts(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0], T = c->v[1], C = c->v[2];
    int64_t n = tsl_rows(A), kd = tsl_rows(T), count = tsl_max(0, n - kd);
    if (!count) return TSL_OK;
    tsl_view tau = tsl_temp_of(x, A, TSL_PER_COLUMN, TSL_OF_TYPE, count, 1);
    /* tau := T's last row */                   tsl_copy(x, tsl_trans(tsl_sub(T, kd - 1, 0, 1, count)), tau);
    /* C2 := Q2 C2, or Q2^H C2 */
    tsl_ormqr(x, TSL_LEFT, c->trans, tsl_sub(A, kd, 0, count, count), tau, tsl_block_rows(C, kd, count).A1);
    return TSL_OK;
}
