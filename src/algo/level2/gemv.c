/* Products of a matrix with a vector, and updates of it by vectors, by pieces of the matrix. What is written to a segment of a
 * vector comes in the order of the pieces. */
#include <complex.h>

#include "algo/algo.h"
#include "runtime/pieces.h"

/* y := alpha A x + beta y */
tsl_status tsl_gemv_pieces(tsl_context *x, const tsl_call *c)
{
    tsl_walk w = tsl_walk_over(c->v[0]);
    tsl_walk_cols(&w, c->v[1]);
    tsl_walk_rows(&w, c->v[2]);
    while (tsl_walk_on(&w)) {
        tsl_view X = tsl_segment(c->v[1], w.j, w.n), Y = tsl_segment(c->v[2], w.i, w.m);
        /* y_i := alpha A_ij x_j + y_i, and beta y_i the first time */
        tsl_gemv(x, c->alpha, w.part, X, w.j == 0 ? c->beta : 1, Y);
    }
    return TSL_OK;
}

/* The mirror image of a block of a symmetric or Hermitian matrix */
static tsl_view mirror(const tsl_call *c, tsl_view A) { return tsl_is_hermitian(c->op) ? tsl_herm(A) : tsl_trans(A); }

/* y := alpha A x + beta y with a symmetric or Hermitian A, whose lower triangle is given, or becomes it: A is its own mirror
 * image. The first block that writes y_i is in the first column. */
tsl_status tsl_symv_pieces(tsl_context *x, const tsl_call *c)
{
    tsl_view A = tsl_triangle(c->v[0]) == TSL_LOWER ? c->v[0] : mirror(c, c->v[0]);
    tsl_walk w = tsl_walk_over(A);
    tsl_walk_cols(&w, c->v[1]);
    tsl_walk_rows(&w, c->v[2]);
    while (tsl_walk_on(&w)) {
        tsl_scalar beta = w.j == 0 ? c->beta : 1;
        tsl_view Xi = tsl_segment(c->v[1], w.i, w.m), Yi = tsl_segment(c->v[2], w.i, w.m);
        tsl_view Xj = tsl_segment(c->v[1], w.j, w.n), Yj = tsl_segment(c->v[2], w.j, w.n);
        if (w.diagonal) {
            /* y_i := alpha A_ii x_i + beta y_i */
            tsl_execute(x, &(tsl_call){.op = c->op, .alpha = c->alpha, .beta = beta, .v = {w.part, Xi, Yi}});
            continue;
        }
        /* y_i := alpha A_ij x_j + beta y_i */  tsl_gemv(x, c->alpha, w.part, Xj, beta, Yi);
        /* y_j := alpha A_ji x_i + y_j */       tsl_gemv(x, c->alpha, mirror(c, w.part), Xi, 1, Yj);
    }
    return TSL_OK;
}

/* A := alpha x y^T + A */
tsl_status tsl_ger_pieces(tsl_context *x, const tsl_call *c)
{
    tsl_walk w = tsl_walk_over(c->v[2]);
    tsl_walk_rows(&w, c->v[0]);
    tsl_walk_cols(&w, c->v[1]);
    while (tsl_walk_on(&w))
        /* A_ij := alpha x_i y_j^T + A_ij */
        tsl_ger(x, c->alpha, tsl_segment(c->v[0], w.i, w.m), tsl_segment(c->v[1], w.j, w.n), w.part);
    return TSL_OK;
}

/* On a triangle A := alpha x x^T + A, or with y, alpha x y^T + alpha y x^T + A; of Hermitian ones the second vector is
 * conjugated, and so is the second alpha. */
tsl_status tsl_rank_1_pieces(tsl_context *x, const tsl_call *c)
{
    bool two = tsl_ops[c->op].operands == 3, herm = tsl_is_hermitian(c->op);
    tsl_view X = c->v[0], Y = two ? c->v[1] : X, A = c->v[two ? 2 : 1];
    tsl_walk w = tsl_walk_over(A);
    tsl_walk_rows(&w, X);
    tsl_walk_rows(&w, Y);
    while (tsl_walk_on(&w)) {
        tsl_view Xi = tsl_segment(X, w.i, w.m), Xj = tsl_segment(X, w.j, w.n), Yi = tsl_segment(Y, w.i, w.m), Yj = tsl_segment(Y, w.j, w.n);
        if (w.diagonal) {
            tsl_call own = {.op = c->op, .alpha = c->alpha, .beta = 1, .v = {Xi, two ? Yi : w.part, w.part}};
            /* A_ii := alpha x_i x_i^T + A_ii */    tsl_execute(x, &own);
            continue;
        }
        /* A_ij := alpha x_i y_j^T + A_ij */        tsl_ger(x, c->alpha, Xi, herm ? tsl_conj(Yj) : Yj, w.part);
        /* A_ij := alpha y_i x_j^T + A_ij */
        if (two) tsl_ger(x, herm ? conj(c->alpha) : c->alpha, Yi, herm ? tsl_conj(Xj) : Xj, w.part);
    }
    return TSL_OK;
}
