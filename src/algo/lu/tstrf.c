/* A pair of tiles in LU with incremental pivoting, by operations on one block: the two are copied to a block S in which they
 * are one on top of the other, and back. n columns of the pair are eliminated, in panels of ib; of the upper tile a panel has
 * ib rows, those below are zero in it. The host's leaf of tstrf says what is left where. */
#include "algo/lu/lu.h"
#include "core/values.h"

/* Rows and columns of S that panel k has to do with: rows from k on, and of them its own and those of the lower tile */
typedef struct panel {
    tsl_view below, top, low, L, p1;
} panel;

static panel cut(tsl_view S, tsl_view L, tsl_view p, int64_t k)
{
    int64_t n = tsl_rows(p), ib = tsl_min(tsl_rows(L), n - k);
    tsl_strips R = tsl_block_rows(S, k, ib);
    return (panel){tsl_block_rows(S, k, tsl_rows(S)).A1, R.A1, tsl_block_rows(S, n, tsl_rows(S)).A1, tsl_sub(L, 0, k, ib, ib),
                   tsl_block_rows(p, k, ib).A1};
}

/* C, columns of S that are to the right of the panel or of other tiles, receives it; V: the rows of L that belong to the lower
 * tile. */
static void eliminate(tsl_context *x, tsl_view V, tsl_view L, tsl_view p, int64_t k, tsl_view C)
{
    panel c = cut(C, L, p, k);
    /* C(k:) := P(p1) C(k:) */                  tsl_exchange(x, c.below, c.p1, k);
    /* C1 := inv(L1) C1 */                      tsl_trsm(x, TSL_LEFT, 1, tsl_unit_lower(c.L), c.top);
    /* C2 := C2 - L2 C1 */                      tsl_gemm(x, -1, tsl_block_cols(V, k, tsl_rows(c.L)).A1, c.top, 1, c.low);
}

/* S := [A1; A2] */
static tsl_strips stack(tsl_context *x, tsl_view A1, tsl_view A2, tsl_view *S)
{
    *S = tsl_temp(x, A1, tsl_rows(A1) + tsl_rows(A2), tsl_cols(A1));
    tsl_strips R = tsl_block_rows(*S, tsl_rows(A1), tsl_rows(A2));
    tsl_copy(x, A1, R.A0);
    tsl_copy(x, A2, R.A1);
    return R;
}

tsl_status tsl_tstrf_stack(tsl_context *x, const tsl_call *c)
{
    tsl_view U = c->v[0], L = c->v[1], p = c->v[2], A = c->v[3], S;
    int64_t n = tsl_rows(U), ib = tsl_rows(L);
    tsl_strips R = stack(x, U, A, &S);
    /* zeros below U */                         tsl_expand(x, TSL_TRIANGULAR, tsl_upper(R.A0), R.A0);
    /* and where L has nothing */               tsl_scale(x, 0, L);
    for (int64_t k = 0; k < n; k += ib) {
        tsl_strips C = tsl_block_cols(S, k, ib);
        panel q = cut(C.A1, L, p, k);
        /* S1, p1 := LU of it */                tsl_factor_passing(x, q.below, q.p1, k);
        /* L1 := the rows of U's */             tsl_copy(x, q.top, q.L);
        /* S2 := inv(L) P(p1) S2 */             eliminate(x, R.A1, L, p, k, C.A2);
    }
    /* U := the triangle, A := L2 */            tsl_copy(x, tsl_upper(R.A0), tsl_upper(U));
                                                tsl_copy(x, R.A1, A);
    return TSL_OK;
}

tsl_status tsl_ssssm_stack(tsl_context *x, const tsl_call *c)
{
    tsl_view V = c->v[0], L = c->v[1], p = c->v[2], B1 = c->v[3], B2 = c->v[4], S;
    tsl_strips R = stack(x, B1, B2, &S);
    for (int64_t k = 0; k < tsl_rows(p); k += tsl_rows(L)) eliminate(x, V, L, p, k, S);
    tsl_copy(x, R.A0, B1);
    tsl_copy(x, R.A1, B2);
    return TSL_OK;
}
