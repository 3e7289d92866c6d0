/* Incremental QR: reflectors reach over two tiles at a time. Column k of tiles is factored from its diagonal down: the diagonal
 * tile, A_kk = Q R; then R on top of A_k+1,k, whose R goes on top of A_k+2,k, and so on. So no task needs more than two tiles
 * of a column, and the columns to the right follow pair by pair, one behind the other. Q is the product of all, in the order
 * they were found.
 *
 * What a pair i >= k leaves beside the tiles it has been computed in (core/pairs.h) is in column k of tau, its factors, and in
 * T, of panels of ib columns the triangles (tsqrt). Of pairs i = k there are factors only, as geqrf leaves them. nb is the
 * number of tau's rows, ib that of T's. */
#include "algo/qr/qr.h"
#include "core/pairs.h"

typedef struct factors {
    tsl_view A, T, tau;
    int64_t m, n, nb, rows, cols; /* of a tile, tiles */
} factors;

static factors factors_of(const tsl_call *c)
{
    factors f = {.A = c->v[0], .T = c->v[1], .tau = c->v[2], .m = tsl_rows(c->v[0]), .n = tsl_cols(c->v[0]), .nb = tsl_rows(c->v[2])};
    if (f.n) f.rows = tsl_pieces(f.m, f.nb), f.cols = tsl_pieces(f.n, f.nb); /* without columns nothing is said of tau */
    return f;
}

/* Tile i of block column C */
static tsl_view tile(const factors *f, tsl_view C, int64_t i) { return tsl_block_rows(C, i * f->nb, f->nb).A1; }

/* Pair (i,k): the tile below, T and tau; i = k: the diagonal tile and tau */
typedef struct pair {
    tsl_view A, T, tau;
} pair;

static pair pair_of(const factors *f, int64_t i, int64_t k)
{
    tsl_view A = tile(f, tsl_block_cols(f->A, k * f->nb, f->nb).A1, i);
    int64_t at = tsl_pair(f->rows, i, k), w = tsl_cols(A);
    return (pair){A, tsl_sub(f->T, 0, at * f->nb, tsl_rows(f->T), w), tsl_sub(f->tau, 0, at, w, 1)};
}

/* C, some block columns, := Q C or, of the conjugate transpose, Q^H C, Q that of pair (i,k) */
static void apply(tsl_context *x, const factors *f, int64_t i, int64_t k, tsl_op trans, tsl_view C)
{
    pair p = pair_of(f, i, k);
    tsl_view C1 = tile(f, C, k);
    if (i == k) tsl_ormqr(x, TSL_LEFT, trans, p.A, p.tau, C1);
    else tsl_tsmqr(x, trans, p.A, p.T, tsl_block_rows(C1, 0, tsl_cols(p.A)).A1, tile(f, C, i));
}

/* Panels of w columns receive all steps before them, one after the other, then their own columns are factored. A tile is
 * written in the same order whatever w is. */
static void factor(tsl_context *x, const tsl_call *c, int64_t w)
{
    factors f = factors_of(c);
    for (int64_t j = 0; j < f.n; j += w)
        for (int64_t k = 0; k < tsl_pieces(tsl_min(j + w, f.n), f.nb); ++k) {
            int64_t from = tsl_max(j, (k + 1) * f.nb);
            tsl_view C = tsl_block_cols(f.A, from, j + w - from).A1;
            pair top = pair_of(&f, k, k);
            tsl_view R = tsl_block_rows(top.A, 0, tsl_cols(top.A)).A1;
            for (int64_t i = k; i < f.rows; ++i) {
                pair p = pair_of(&f, i, k);
                if (k * f.nb >= j) {
                    /* A11 = Q R */             if (i == k) tsl_geqrf(x, p.A, p.tau);
                    /* [R; A21] = Q R */        else tsl_tsqrt(x, R, p.T, p.tau, p.A);
                }
                /* [C1; C2] := Q^H [C1; C2] */  apply(x, &f, i, k, TSL_HERM, C);
            }
        }
}

/* Each column of tiles is factored, and leaves all of A behind it. */
tsl_status tsl_geqrf_inc_right(tsl_context *x, const tsl_call *c)
{
    factor(x, c, tsl_max(1, tsl_cols(c->v[0])));
    return TSL_OK;
}

/* What is before a panel is read once, and it is written once; panels are as wide as there is room for. */
tsl_status tsl_geqrf_inc_late(tsl_context *x, const tsl_call *c)
{
    int64_t nb = tsl_max(1, tsl_rows(c->v[2]));
    factor(x, c, tsl_max(nb, tsl_panel_from(x, c, 0) / nb * nb));
    return TSL_OK;
}

/* C := Q^H C in the order in which pairs were eliminated, or Q C from the last on */
tsl_status tsl_ormqr_inc_pairs(tsl_context *x, const tsl_call *c)
{
    factors f = factors_of(c);
    bool inverse = c->trans != TSL_NOTRANS;
    for (int64_t s = 0; s < f.cols; ++s) {
        int64_t k = inverse ? s : f.cols - 1 - s;
        for (int64_t r = k; r < f.rows; ++r) apply(x, &f, inverse ? r : f.rows - 1 - (r - k), k, c->trans, c->v[3]);
    }
    return TSL_OK;
}
