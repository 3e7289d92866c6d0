/* LU with incremental pivoting: a pivot is looked for in two tiles at a time. Column k of tiles is factored from its diagonal
 * down: the diagonal tile, P A_kk = L U; then U on top of A_k+1,k, whose U goes on top of A_k+2,k, and so on. So no task needs
 * more than two tiles of a column, and the columns to the right follow pair by pair, one behind the other.
 *
 * What a pair i >= k leaves beside the tiles it has been computed in (core/pairs.h) is in column k of p, nb pivots, and in ib x
 * nb elements of L (tstrf). Of pairs i = k there are pivots only. nb is the number of p's rows, ib that of L's. */
#include "algo/lu/lu.h"
#include "core/pairs.h"

typedef struct factors {
    tsl_view A, L, p;
    int64_t n, nb, t; /* order, of a tile, tiles along a side */
} factors;

static factors factors_of(const tsl_call *c)
{
    factors f = {.A = c->v[0], .L = c->v[1], .p = c->v[2], .n = tsl_rows(c->v[0]), .nb = tsl_rows(c->v[2])};
    f.t = f.n ? tsl_pieces(f.n, f.nb) : 0; /* of order 0 nothing is said of p */
    return f;
}

/* Tile i of block column C; rows of it */
static tsl_view tile(const factors *f, tsl_view C, int64_t i) { return tsl_block_rows(C, i * f->nb, f->nb).A1; }
static tsl_view column(const factors *f, int64_t k) { return tsl_block_cols(f->A, k * f->nb, f->nb).A1; }

static tsl_view pivots(const factors *f, int64_t i, int64_t k)
{
    return tsl_sub(f->p, 0, tsl_pair(f->t, i, k), i == k ? tsl_min(f->nb, f->n - k * f->nb) : f->nb, 1);
}
static tsl_view triangles(const factors *f, int64_t i, int64_t k) { return tsl_block_cols(f->L, tsl_pair(f->t, i, k) * f->nb, f->nb).A1; }

/* C, some block columns, receives what has been eliminated in column k, which is factored meanwhile if `now`. Pairs go one
 * after the other: each changes row k of tiles. */
static void step(tsl_context *x, const factors *f, int64_t k, tsl_view C, bool now)
{
    tsl_view A1 = column(f, k), A11 = tile(f, A1, k), C1 = tile(f, C, k), p = pivots(f, k, k);
    /* A11, p := LU of it */                    if (now) tsl_factor_passing(x, A11, p, 0);
    /* C1 := P(p) C1 */                         tsl_exchange(x, C1, p, 0);
    /* C1 := inv(L11) C1 */                     tsl_trsm(x, TSL_LEFT, 1, tsl_unit_lower(A11), C1);
    for (int64_t i = k + 1; i < f->t; ++i) {
        tsl_view A21 = tile(f, A1, i), L = triangles(f, i, k), q = pivots(f, i, k);
        /* [U11; A21], L, q := LU of it */      if (now) tsl_tstrf(x, A11, L, q, A21);
        /* [C1; C2] := inv(L) P(q) [C1; C2] */  tsl_ssssm(x, A21, L, q, C1, tile(f, C, i));
    }
}

/* Panels of w columns receive all steps before them, one after the other, then their own columns are factored. A tile is
 * written in the same order whatever w is. The outcome is that of the whole U: a zero pivot of a pair may find another one in
 * the next. */
static void factor(tsl_context *x, const tsl_call *c, int64_t w)
{
    factors f = factors_of(c);
    for (int64_t j = 0; j < f.n; j += w)
        for (int64_t k = 0; k < tsl_pieces(tsl_min(j + w, f.n), f.nb); ++k) {
            int64_t from = tsl_max(j, (k + 1) * f.nb);
            step(x, &f, k, tsl_block_cols(f.A, from, j + w - from).A1, k * f.nb >= j);
        }
    tsl_singular(x, tsl_upper(f.A));
}

/* Each column of tiles is factored, and leaves all of A behind it. */
tsl_status tsl_getrf_incpiv_right(tsl_context *x, const tsl_call *c)
{
    factor(x, c, tsl_rows(c->v[0]));
    return TSL_OK;
}

/* What is before a panel is read once, and it is written once; panels are as wide as there is room for. */
tsl_status tsl_getrf_incpiv_late(tsl_context *x, const tsl_call *c)
{
    int64_t nb = tsl_rows(c->v[2]);
    factor(x, c, tsl_max(nb, tsl_panel_from(x, c, 0) / nb * nb));
    return TSL_OK;
}

tsl_status tsl_getrs_incpiv_parts(tsl_context *x, const tsl_call *c)
{
    factors f = factors_of(c);
    tsl_view B = c->v[3];
    /* B := inv(L) P B, pair by pair */         for (int64_t k = 0; k < f.t; ++k) step(x, &f, k, B, false);
    /* B := inv(U) B */                         tsl_trsm(x, TSL_LEFT, 1, tsl_upper(f.A), B);
    return TSL_OK;
}

/* B is touched only if U has no zero on its diagonal. */
tsl_status tsl_gesv_incpiv_parts(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0], B = c->v[1];
    int64_t n = tsl_rows(A), nb = tsl_min(n, tsl_panel(x, c)), ib = tsl_inner_panel(nb), pairs = tsl_pairs(n, n, nb);
    tsl_view L = tsl_temp_of(x, A, TSL_IN_PANELS, TSL_OF_TYPE, ib, pairs * nb),
             p = tsl_temp_of(x, A, TSL_COLUMNS_APART, TSL_OF_INDEX, nb, pairs);
    /* A, L, p := LU of A */                    tsl_getrf_incpiv(x, A, L, p, NULL);
    if (!tsl_good_so_far(x)) return TSL_OK;
    /* B := inv(A) B */                         tsl_getrs_incpiv(x, A, L, p, B);
    return TSL_OK;
}
