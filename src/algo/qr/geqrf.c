/* QR factorization A = Q R by blocks of reflectors in the compact WY form: panels by halves, the rest from the left to the
 * right, the same with the next panel ahead of it, and block columns one after the other. */
#include "algo/qr/qr.h"
#include "core/values.h"

/* T1 and T2 of some reflectors and those after them make that of all: T = [T1, -T1 (Y1^H Y2) T2; 0, T2]. */
static void join(tsl_context *x, tsl_part2 T)
{
    /* T12 := -T11 T12 */                       tsl_trmm(x, TSL_LEFT, -1, tsl_upper(T.TL), T.TR);
    /* T12 := T12 T22 */                        tsl_trmm(x, TSL_RIGHT, 1, tsl_upper(T.BR), T.TR);
}

/* Where the columns of a panel are cut: the leaf's width times a power of two */
static int64_t half(tsl_context *x, const tsl_call *c, int64_t n)
{
    int64_t h = tsl_leaf_order(x, c);
    if (h >= n) return n - n / 2;
    while (2 * h < n) h *= 2;
    return h;
}

/* T, which holds Y^H Y above its diagonal, becomes the triangle of the reflectors Y and tau. */
tsl_status tsl_larft_rec(tsl_context *x, const tsl_call *c)
{
    int64_t h = half(x, c, tsl_cols(c->v[0]));
    tsl_part2 T = tsl_partition2(c->v[0], h, h);
    tsl_strips tau = tsl_block_rows(c->v[1], 0, h);
    tsl_larft(x, T.TL, tau.A1);
    tsl_larft(x, T.BR, tau.A2);
    join(x, T);
    return TSL_OK;
}

/* A panel, by halves of its columns. T12, which comes last, is the workspace until then. */
tsl_status tsl_geqrt_rec(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[3];
    int64_t n = tsl_cols(A), h = half(x, c, n);
    tsl_part2 T = tsl_partition2(c->v[0], h, h);
    tsl_strips C = tsl_block_cols(A, 0, h), Y = tsl_block_cols(c->v[1], 0, h), tau = tsl_block_rows(c->v[2], 0, h); /* left A1, right A2 */
    tsl_strips below = tsl_block_rows(C.A2, 0, h), Y1 = tsl_block_rows(Y.A1, 0, h), Y2 = tsl_block_rows(Y.A2, 0, h);
    /* A1 := Q1 R1 */                           tsl_factor_panel(x, C.A1, tau.A1, T.TL, Y.A1, false);
    /* A2 := Q1^H A2 */                         tsl_reflect(x, Y.A1, tsl_herm(tsl_upper(T.TL)), C.A2, T.TR);
    /* A2 := Q2 R2, without R's first rows */   tsl_factor_panel(x, below.A2, tau.A2, T.BR, Y2.A2, false);
    /* Y2 := zeros above it */                  tsl_scale(x, 0, Y2.A1);
    /* T12 := Y1^H Y2 */                        tsl_gemm(x, 1, tsl_herm(Y1.A2), Y2.A2, 0, T.TR);
    join(x, T);
    return TSL_OK;
}

/* What a step needs beside A: reflectors written out and their triangle, two of each, since the next ones are made while these
 * are used */
typedef struct space {
    tsl_view Y[2], T[2];
} space;

static space make_space(tsl_context *x, tsl_view A, int64_t nb)
{
    space s;
    for (int i = 0; i < 2; ++i) {
        s.Y[i] = tsl_temp_of(x, A, TSL_ALONG_ROWS, TSL_OF_TYPE, tsl_rows(A), nb);
        s.T[i] = tsl_temp_of(x, A, TSL_IN_ONE, TSL_OF_TYPE, nb, nb);
    }
    return s;
}

typedef struct step {
    tsl_view panel, right, tau, Y, T; /* rows from k on: the panel, and the columns after it */
} step;

static int64_t diagonal(const tsl_call *c) { return tsl_min(tsl_rows(c->v[0]), tsl_cols(c->v[0])); }

static step cut(const tsl_call *c, const space *s, int64_t k, int64_t nb)
{
    tsl_view A = c->v[0];
    int64_t m = tsl_rows(A) - k, b = tsl_min(nb, diagonal(c) - k);
    tsl_strips S = tsl_block_cols(tsl_block_rows(A, k, m).A1, k, b);
    return (step){S.A1, S.A2, tsl_block_rows(c->v[1], k, b).A1, tsl_sub(s->Y[k / nb % 2], k, 0, m, b), tsl_sub(s->T[k / nb % 2], 0, 0, b, b)};
}

/* Does the step have no columns to reflect? */
static bool is_last(const step *s) { return tsl_cols(s->right) == 0; }

/* C := Q^H C, of the step's reflectors. W is used from column `at` on, which by tiles is where C begins in its own. */
static void update(tsl_context *x, const step *s, tsl_view C, tsl_view W, int64_t at)
{
    tsl_reflect(x, s->Y, tsl_herm(tsl_upper(s->T)), C, tsl_sub(W, 0, at, tsl_cols(s->Y), tsl_cols(C)));
}

/* Right-looking: each panel is factored, and its reflectors applied to all columns after it. */
tsl_status tsl_geqrf_right(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0];
    int64_t d = diagonal(c), nb = tsl_min(tsl_panel(x, c), d);
    space with = make_space(x, A, nb);
    tsl_view W = tsl_temp_of(x, A, TSL_ALONG_COLS, TSL_OF_TYPE, nb, tsl_cols(A));
    for (int64_t k = 0; k < d; k += nb) {
        step s = cut(c, &with, k, nb);
        /* A1 := Q1 R1 */                       tsl_factor_panel(x, s.panel, s.tau, s.T, s.Y, is_last(&s));
        /* A2 := Q1^H A2 */                     update(x, &s, s.right, W, tsl_cols(A) - tsl_cols(s.right));
    }
    return TSL_OK;
}

/* The same for a batch: the triangle, zeros below it, is a factor of products like others. A panel of one problem writes no
 * more than the triangle, so the zeros are set before. */
tsl_status tsl_geqrf_batch(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0];
    int64_t d = diagonal(c), nb = tsl_min(tsl_panel(x, c), d), n = tsl_cols(A);
    space with = make_space(x, A, nb);
    tsl_view W = tsl_temp_of(x, A, TSL_ALONG_COLS, TSL_OF_TYPE, nb, tsl_cols(A)),
             V = tsl_temp_of(x, A, TSL_ALONG_COLS, TSL_OF_TYPE, nb, tsl_cols(A));
    for (int i = 0; i < 2; ++i) tsl_scale(x, 0, with.T[i]);
    for (int64_t k = 0; k < d; k += nb) {
        step s = cut(c, &with, k, nb);
        int64_t b = tsl_cols(s.Y), r = tsl_cols(s.right);
        tsl_view W1 = tsl_sub(W, 0, n - r, b, r), V1 = tsl_sub(V, 0, n - r, b, r);
        /* A1 := Q1 R1 */                       tsl_factor_panel(x, s.panel, s.tau, s.T, s.Y, false);
        /* W := Y^H A2 */                       tsl_gemm(x, 1, tsl_herm(s.Y), s.right, 0, W1);
        /* V := T^H W */                        tsl_gemm(x, 1, tsl_herm(s.T), W1, 0, V1);
        /* A2 := A2 - Y V */                    tsl_gemm(x, -1, s.Y, V1, 1, s.right);
    }
    return TSL_OK;
}

/* The same steps, by tiles on the same operands and so with the same bits, in another order: block columns, as wide as there is
 * room for, receive all panels before them one after the other, then their own are factored. So what is before a column is read
 * once, and a column is written once. The triangles of all panels stay; reflectors are written out again. */
tsl_status tsl_geqrf_late(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0];
    int64_t n = tsl_cols(A), d = diagonal(c), nb = tsl_min(tsl_panel(x, c), d), w;
    tsl_view W = tsl_temp_of(x, A, TSL_ALONG_COLS, TSL_OF_TYPE, nb, tsl_cols(A)),
             T = tsl_temp_of(x, A, TSL_IN_PANELS, TSL_OF_TYPE, nb, d);
    space with = {{tsl_temp_of(x, A, TSL_ALONG_ROWS, TSL_OF_TYPE, tsl_rows(A), nb),
                   tsl_temp_of(x, A, TSL_ALONG_ROWS, TSL_OF_TYPE, tsl_rows(A), nb)},
                  {T, T}};
    for (int64_t k = 0; k < n; k += w) {
        w = tsl_panel_from(x, c, k);
        for (int64_t j = 0; j < tsl_min(k + w, d); j += nb) {
            step s = cut(c, &with, j, nb);
            int64_t b = tsl_cols(s.panel), from = tsl_max(k, j + b);
            s.T = tsl_sub(T, 0, j, b, b);
            /* A1 := Q1 R1 */                   if (j >= k) tsl_factor_panel(x, s.panel, s.tau, s.T, s.Y, is_last(&s));
            /* or Y := its reflectors */        else tsl_write_out(x, s.panel, s.Y);
            /* A2 := Q1^H A2, of columns k to k + w */
            update(x, &s, tsl_block_cols(s.right, from - j - b, tsl_min(k + w, n) - from).A1, W, from);
        }
    }
    return TSL_OK;
}

/* The right-looking one with the next panel updated and factored on its own lane while the rest is updated on the main one. At
 * each meeting the main lane has applied all panels before k, and the ahead lane has factored panel k. */
static tsl_status ahead(tsl_context *x, const tsl_call *c, tsl_panels factor)
{
    tsl_view A = c->v[0];
    int64_t n = tsl_cols(A), d = diagonal(c), nb = tsl_min(tsl_panel(x, c), d);
    space with = make_space(x, A, nb);
    tsl_view W = tsl_temp_of(x, A, TSL_ALONG_COLS, TSL_OF_TYPE, nb, n);
    tsl_meet(x, c);
    for (int64_t k = 0; k < d; k += nb) {
        step s = cut(c, &with, k, nb);
        tsl_on(x, TSL_ON_AHEAD);
        /* A1 := Q1 R1 */                       factor(x, s.panel, s.tau, s.T, s.Y, is_last(&s));
        tsl_meet(x, c);
        tsl_strips R = tsl_block_cols(s.right, 0, nb); /* the next panel A1, the rest A2: in W each where it is in A */
        /* A1 := Q1^H A1 */                     update(x, &s, R.A1, W, n - tsl_cols(s.right));
        tsl_on(x, TSL_ON_MAIN);
        /* A2 := Q1^H A2 */                     update(x, &s, R.A2, W, n - tsl_cols(R.A2));
    }
    tsl_meet(x, c);
    return TSL_OK;
}

tsl_status tsl_geqrf_ahead(tsl_context *x, const tsl_call *c) { return ahead(x, c, tsl_factor_panel); }

/* Panels by the host's cores, while the device updates. */
tsl_status tsl_geqrf_hybrid(tsl_context *x, const tsl_call *c)
{
    tsl_call padded = *c;
    padded.v[0] = tsl_padded_in(x, c->v[0]);
    tsl_status st = ahead(x, &padded, tsl_panel_by_host);
    tsl_padded_out(x, padded.v[0], c->v[0]);
    return st;
}
