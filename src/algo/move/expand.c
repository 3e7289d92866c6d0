/* B := the matrix that a triangle A stands for, by pieces of the triangle. */
#include "algo/algo.h"
#include "runtime/pieces.h"

tsl_status tsl_expand_pieces(tsl_context *x, const tsl_call *c)
{
    tsl_view B = c->v[1];
    tsl_walk w = tsl_walk_over(c->v[0]);
    tsl_walk_both(&w, B);
    while (tsl_walk_on(&w)) {
        tsl_view Bij = tsl_sub(B, w.i, w.j, w.m, w.n), Bji = tsl_sub(B, w.j, w.i, w.n, w.m);
        if (w.diagonal) {
            /* B_ii := what A_ii stands for */  tsl_expand(x, c->norm.structure, w.part, Bij);
            continue;
        }
        /* B_ij := A_ij */                      tsl_copy(x, w.part, Bij);
        /* B_ji := its mirror image, or 0 */
        if (c->norm.structure == TSL_TRIANGULAR) tsl_scale(x, 0, Bji);
        else tsl_copy(x, c->norm.structure == TSL_HERMITIAN ? tsl_herm(w.part) : tsl_trans(w.part), Bji);
    }
    return TSL_OK;
}
