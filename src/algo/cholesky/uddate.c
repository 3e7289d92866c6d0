/* R^H R + C^H C - D^H D = R'^H R', R upper triangular, with right-hand sides: rows are added to a factor and taken from it, by
 * blocks.
 *
 * Added rows are eliminated by reflectors, as in QR of [R; C], a block of columns after the other. Rows are taken off by
 * unitary matrices too: with E = D1 inv(R11) and K^H K = I - E^H E, K upper triangular, [K; E] has orthonormal columns, and Q
 * that begins with these gives
 *     Q [R11 R12; 0 Z] = [K R11  R12'; D1 D2],    R12' = inv(K)^H (R12 - E^H D2),    [.; Z] = Q^H [R12'; D2],
 * where Z is left to be taken from the rest. R12' is found by the solve, Z from that by reflectors, so that R12^H R12 + Z^H Z =
 * R12'^H R12' + D2^H D2 holds to rounding however small K is. Where I - E^H E is not positive definite there is no R': the info
 * is potrf's, of a block of A, which knows its column. A's diagonal blocks are put back then. */
#include "algo/qr/qr.h"
#include "core/pairs.h"
#include "core/values.h"
#include "tune/numbers.h"

typedef struct factor {
    tsl_view R, B;       /* n x n and right-hand sides */
    tsl_view T, tau, d;  /* reflectors of each block of columns; the diagonal of one */
    int64_t n, nb;
    int64_t tile; /* rows that are added or taken at a time, where they do not lie in one piece: their tiles are as they are,
                     however few columns there are */
} factor;

/* asks: tiles are as they are */
static int64_t height(const factor *f, tsl_view X) { return tsl_lies_in_one(X) ? f->nb : f->tile; }

/* A block of columns from k on and w of them: rows of R and of B, or of what is added or taken, right of it */
typedef struct rest {
    tsl_view R, X;
} rest;

static tsl_view block(tsl_view A, int64_t i, int64_t m, int64_t j, int64_t n) { return tsl_sub(A, i, j, m, n); }

static int rests(const factor *f, tsl_view X, tsl_view Y, int64_t i, int64_t m, int64_t k, int64_t w, rest out[2])
{
    int count = 0;
    int64_t right = f->n - k - w;
    if (right) out[count++] = (rest){block(f->R, k, w, k + w, right), block(X, i, m, k + w, right)};
    if (tsl_cols(f->B)) out[count++] = (rest){block(f->B, k, w, 0, tsl_cols(f->B)), block(Y, i, m, 0, tsl_cols(f->B))};
    return count;
}

static void eliminate(tsl_context *x, const factor *f, int64_t k, tsl_view R, tsl_view V)
{
    int64_t w = tsl_cols(V);
    /* [R; V] = Q R */
    tsl_tsqrt(x, R, block(f->T, 0, tsl_rows(f->T), k, w), block(f->tau, 0, w, k / f->nb, 1), V);
}

static void reflect(tsl_context *x, const factor *f, int64_t k, tsl_view V, tsl_view C1, tsl_view C2)
{
    /* [C1; C2] := Q^H [C1; C2] */
    tsl_tsmqr(x, TSL_HERM, V, block(f->T, 0, tsl_rows(f->T), k, tsl_cols(V)), C1, C2);
}

/* Reflectors leave a diagonal of either sign. */
static void make_positive(tsl_context *x, const factor *f)
{
    for (int64_t k = 0; k < f->n; k += f->nb) {
        int64_t w = tsl_min(f->nb, f->n - k);
        tsl_view d = block(f->d, 0, 1, 0, w), R = block(f->R, k, w, k, w);
        rest r[2];
        int count = rests(f, f->R, f->B, k, w, k, w, r);
        /* d := the diagonal */             tsl_band(x, R, d);
        /* rows times its sign */           tsl_rowsign(x, d, tsl_upper(R));
        for (int i = 0; i < count; ++i)     tsl_rowsign(x, d, r[i].R);
    }
}

static void add(tsl_context *x, const factor *f, tsl_view C, tsl_view Y)
{
    int64_t mb = height(f, C);
    for (int64_t i = 0; i < tsl_rows(C); i += mb)
        for (int64_t k = 0; k < f->n; k += f->nb) {
            int64_t w = tsl_min(f->nb, f->n - k), m = tsl_min(mb, tsl_rows(C) - i);
            tsl_view V = block(C, i, m, k, w);
            rest r[2];
            int count = rests(f, C, Y, i, m, k, w, r);
            eliminate(x, f, k, block(f->R, k, w, k, w), V);
            for (int s = 0; s < count; ++s) reflect(x, f, k, V, r[s].R, r[s].X);
        }
    make_positive(x, f);
}

/* What taking rows off needs: K, the identity, copies of rows of R and of B */
typedef struct room {
    tsl_view K, I, R, B;
} room;

static void take_block(tsl_context *x, const factor *f, const room *o, tsl_view P, tsl_view D, tsl_view Y, int64_t i, int64_t m, int64_t k)
{
    int64_t w = tsl_min(f->nb, f->n - k);
    tsl_view R = block(f->R, k, w, k, w), E = block(D, i, m, k, w), K = block(o->K, 0, w, 0, w);
    rest r[2];
    int count = rests(f, D, Y, i, m, k, w, r);
    /* E := D1 inv(R11) */                  tsl_trsm(x, TSL_RIGHT, 1, tsl_upper(R), E);
    /* P := I - E^H E */                    tsl_copy(x, tsl_upper(block(o->I, 0, w, 0, w)), P);
                                            tsl_herk(x, -1, tsl_herm(E), 1, P);
    /* K^H K := P */                        tsl_potrf(x, P, NULL);
                                            tsl_copy(x, P, tsl_upper(K));
    /* R11 := K R11 */                      tsl_trmm(x, TSL_LEFT, 1, tsl_upper(K), R);
    for (int s = 0; s < count; ++s) {
        /* R12 := inv(K)^H (R12 - E^H D2) */ tsl_gemm(x, -1, tsl_herm(E), r[s].X, 1, r[s].R);
                                            tsl_trsm(x, TSL_LEFT, 1, tsl_herm(tsl_upper(K)), r[s].R);
    }
    eliminate(x, f, k, K, E);
    for (int s = 0; s < count; ++s) {
        tsl_view W = block(s == 0 && k + w < f->n ? o->R : o->B, 0, w, 0, tsl_cols(r[s].R));
        /* D2 := Z */                       tsl_copy(x, r[s].R, W);
                                            reflect(x, f, k, E, W, r[s].X);
    }
}

static bool take(tsl_context *x, const factor *f, tsl_view A, tsl_view D, tsl_view Y)
{
    int64_t n = f->n, nb = f->nb, mb = height(f, D);
    room o = {tsl_temp(x, A, nb, nb), tsl_temp(x, A, nb, nb), tsl_temp(x, A, nb, n), tsl_temp(x, A, nb, tsl_max(1, tsl_cols(f->B)))};
    tsl_view S = tsl_temp(x, A, nb, n); /* diagonal blocks of A */
    tsl_scale(x, 0, o.I);
    tsl_expand(x, TSL_TRIANGULAR, tsl_unit(tsl_lower(o.I)), o.I);
    for (int64_t k = 0; k < n; k += nb) {
        int64_t w = tsl_min(nb, n - k);
        tsl_copy(x, tsl_upper(block(A, k, w, k, w)), tsl_upper(block(S, 0, w, k, w)));
    }
    for (int64_t i = 0; i < tsl_rows(D); i += mb)
        for (int64_t k = 0; k < n; k += nb) {
            int64_t w = tsl_min(nb, n - k);
            take_block(x, f, &o, tsl_upper(block(A, k, w, k, w)), D, Y, i, tsl_min(mb, tsl_rows(D) - i), k);
        }
    bool good = tsl_good_so_far(x);
    for (int64_t k = 0; k < n && !good; k += nb) {
        int64_t w = tsl_min(nb, n - k);
        tsl_copy(x, tsl_upper(block(S, 0, w, k, w)), tsl_upper(block(A, k, w, k, w)));
    }
    return good;
}

/* Rows are taken off by blocks about as wide as there are rows: of solves with K they take as many operations as of products
 * then. Tiles are as they are. */
static int64_t width(tsl_context *x, const tsl_call *c)
{
    int64_t step = tsl_tuned(x, TSL_TUNED_UDDATE_STEP), n = tsl_rows(c->v[0]), q = tsl_rows(c->v[4]);
    int64_t nb = tsl_max(1, tsl_min(n, tsl_panel(x, c)));
    /* asks: the same */
    return q && tsl_lies_in_one(c->v[0]) ? tsl_min(nb, tsl_pieces(q, step) * step) : nb;
}

/* Columns of A at a time, which is general or an upper triangle: of that the rows above the diagonal block, and the block's own
 * triangle */
tsl_status tsl_rowsign_cols(tsl_context *x, const tsl_call *c)
{
    tsl_view d = c->v[0], A = tsl_general(c->v[1]);
    bool upper = tsl_triangle(c->v[1]) == TSL_UPPER;
    int64_t m = tsl_rows(A), n = tsl_cols(A), nb = tsl_panel(x, c);
    for (int64_t k = 0; k < n; k += nb) {
        int64_t w = tsl_min(nb, n - k), above = upper ? tsl_min(k, m) : m, beside = tsl_min(w, m - above);
        if (above)           tsl_rowsign(x, block(d, 0, 1, 0, above), block(A, 0, above, k, w));
        if (upper && beside) tsl_rowsign(x, block(d, 0, 1, k, beside), tsl_upper(block(A, k, beside, k, w)));
    }
    return TSL_OK;
}

tsl_status tsl_uddate_blocks(tsl_context *x, const tsl_call *c)
{
    tsl_view A = tsl_general(tsl_triangle(c->v[0]) == TSL_UPPER ? c->v[0] : tsl_herm(c->v[0])), B = c->v[1], C = c->v[2], D = c->v[4];
    int64_t n = tsl_rows(A), m = tsl_cols(B), nb = width(x, c), ib = tsl_inner_panel(nb);
    bool in_place = tsl_rows(D) == 0 && !(A.op & TSL_TRANS); /* adding rows cannot fail, and is for upper triangles */
    if (n == 0 || (tsl_rows(C) == 0 && tsl_rows(D) == 0)) return TSL_OK;
    factor f = {A,
                B,
                tsl_temp_of(x, A, TSL_IN_PANELS, TSL_OF_TYPE, ib, n),
                tsl_temp_of(x, A, TSL_COLUMNS_APART, TSL_OF_TYPE, nb, tsl_pieces(n, nb)),
                tsl_temp_of(x, A, TSL_IN_ONE, TSL_OF_TYPE, 1, nb),
                n,
                nb,
                tsl_panel(x, c)};
    if (!in_place) f.R = tsl_temp(x, A, n, n), f.B = tsl_temp(x, A, n, m);
    if (!in_place) {
        /* R := A, zeros below it */        tsl_expand(x, TSL_TRIANGULAR, tsl_upper(A), f.R);
                                            tsl_copy(x, B, f.B);
    }
    if (tsl_rows(C))                        add(x, &f, C, c->v[3]);
    if (in_place || (tsl_rows(D) && !take(x, &f, A, D, c->v[5]))) return TSL_OK;
    /* A := R */                            tsl_copy(x, tsl_upper(f.R), tsl_upper(A));
                                            tsl_copy(x, f.B, B);
    return TSL_OK;
}
