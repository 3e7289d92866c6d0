/* P, L and U of the factors P A = L U. */
#include "algo/lu/lu.h"

tsl_status tsl_plu_parts(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0], p = c->v[1], P = c->v[2], L = c->v[3], U = c->v[4];
    int64_t d = tsl_cols(L);
    tsl_strips rows = tsl_block_rows(A, 0, d), columns = tsl_block_cols(A, 0, d);
    tsl_strips of_l = tsl_block_rows(L, 0, d), of_u = tsl_block_cols(U, 0, d);
    tsl_view square = tsl_block_cols(rows.A1, 0, d).A1;
    if (tsl_is_there(P)) {
        /* P := I */                            tsl_scale(x, 0, P);
                                                tsl_expand(x, TSL_TRIANGULAR, tsl_unit_lower(P), P);
        /* P := its rows exchanged, back */     tsl_laswp(x, P, p, true);
    }
    /* L1 := L11, units on its diagonal */      tsl_expand(x, TSL_TRIANGULAR, tsl_unit_lower(square), of_l.A1);
    /* L2 := L21 */                             if (tsl_rows(of_l.A2)) tsl_copy(x, rows.A2, of_l.A2);
    /* U1 := U11 */                             tsl_expand(x, TSL_TRIANGULAR, tsl_upper(square), of_u.A1);
    /* U2 := U12 */                             if (tsl_cols(of_u.A2)) tsl_copy(x, columns.A2, of_u.A2);
    return TSL_OK;
}
