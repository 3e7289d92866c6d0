/* Scaling of rows and columns, in pieces of the matrix. */
#include "algo/algo.h"
#include "runtime/pieces.h"

/* A := diag(r) A diag(c), either of which may be empty */
tsl_status tsl_equil_pieces(tsl_context *x, const tsl_call *c)
{
    tsl_view r = c->v[1], s = c->v[2];
    tsl_walk w = tsl_walk_over(c->v[0]);
    if (tsl_is_there(r)) tsl_walk_rows(&w, r);
    if (tsl_is_there(s)) tsl_walk_cols(&w, s);
    while (tsl_walk_on(&w)) {
        tsl_call part = *c;
        part.v[0] = w.part;
        if (tsl_is_there(r)) part.v[1] = tsl_segment(r, w.i, w.m);
        if (tsl_is_there(s)) part.v[2] = tsl_segment(s, w.j, w.n);
        tsl_execute(x, &part);
    }
    return TSL_OK;
}
