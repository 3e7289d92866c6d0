/* Norms by pieces of the matrix. The largest element and the Frobenius norm are made of those of the pieces; sums down columns,
 * or along rows, are added up in a vector of them all, whose largest element is sought. */
#include <complex.h>
#include <math.h>

#include "algo/algo.h"
#include "core/numbers/blue.h"
#include "core/values.h"
#include "runtime/pieces.h"

/* Does what is off the diagonal stand for the other triangle too? */
static bool mirrored(const tsl_call *c) { return c->v[0].uplo != TSL_GENERAL && c->norm.structure != TSL_TRIANGULAR; }

/* Numbers of the pieces in the order of the walk, a column for each column of tiles: these are computed side by side, its own
 * one after the other */
typedef struct table {
    tsl_view N;
    int64_t row, col, from; /* the next number's place; the first column of the tiles it is of */
} table;

static tsl_view next(table *t, const tsl_walk *w)
{
    if (w->j0 != t->from) t->from = w->j0, t->row = 0, ++t->col;
    return tsl_sub(t->N, t->row++, t->col, 1, 1);
}

static table table_of(tsl_context *x, tsl_view A)
{
    table t = {.N = A};
    int64_t most = 0, cols = 1, row = 0;
    tsl_walk w = tsl_walk_over(A);
    for (int64_t from = 0; tsl_walk_on(&w); from = w.j0) {
        if (w.j0 != from) row = 0, ++cols;
        most = tsl_max(most, ++row);
    }
    t.N = tsl_temp_of(x, A, TSL_COLUMNS_APART, TSL_OF_DOUBLE, most, cols);
    return t;
}

/* max, fro */
static double of_pieces(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0];
    table t = table_of(x, A), again = t;
    tsl_blue squares = {0};
    double most = 0;
    for (tsl_walk w = tsl_walk_over(A); tsl_walk_on(&w);)
        /* N_ij := |A_ij| */
        tsl_execute(x, &(tsl_call){.op = TSL_OP_NORM, .norm = c->norm, .numbered = true, .v = {w.part, next(&t, &w)}});
    for (tsl_walk w = tsl_walk_over(A); tsl_walk_on(&w);) {
        tsl_scalar part;
        tsl_read(x, next(&again, &w), &part);
        most = tsl_larger(most, creal(part));
        tsl_blue_add(&squares, creal(part));
        if (mirrored(c) && !w.diagonal) tsl_blue_add(&squares, creal(part));
    }
    return c->norm.kind == TSL_NORM_FRO ? tsl_blue_norm(&squares) : most;
}

/* A column of zeros, one for each column of A */
static tsl_view zeros_for(tsl_context *x, tsl_view A)
{
    tsl_view S = tsl_temp_of(x, A, TSL_PER_COLUMN, TSL_OF_DOUBLE, tsl_cols(A), 1);
    tsl_scale(x, 0, S);
    return S;
}

/* one, inf */
static double largest_sum(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->norm.kind == TSL_NORM_INF ? tsl_trans(c->v[0]) : c->v[0], S = zeros_for(x, A);
    /* s := the sums of A's columns */          tsl_colnorm(x, TSL_NORM_ONE, c->norm.structure, A, S);
    return of_pieces(x, &(tsl_call){.norm = {.kind = TSL_NORM_MAX, .structure = TSL_TRIANGULAR}, .v = {S}});
}

tsl_status tsl_norm_pieces(tsl_context *x, const tsl_call *c)
{
    double norm = c->norm.kind == TSL_NORM_ONE || c->norm.kind == TSL_NORM_INF ? largest_sum(x, c) : of_pieces(x, c);
    tsl_leave_number(x, &norm, sizeof norm);
    return TSL_OK;
}

/* s_j := the norm of A's column j, together with what s_j has */
tsl_status tsl_colnorm_pieces(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0], S = c->v[1];
    bool both = mirrored(c);
    if (both && tsl_triangle(A) == TSL_UPPER) A = tsl_trans(A);
    tsl_walk w = tsl_walk_over(A);
    tsl_walk_cols(&w, S);
    if (both) tsl_walk_rows(&w, S);
    while (tsl_walk_on(&w)) {
        tsl_call part = {.op = TSL_OP_COLNORM, .norm = c->norm, .v = {w.part, tsl_segment(S, w.j, w.n)}};
        /* s_j := |A_ij| and s_j */             tsl_execute(x, &part);
        if (!both || w.diagonal) continue;
        part.v[0] = tsl_trans(w.part);
        part.v[1] = tsl_segment(S, w.i, w.m);
        /* s_i := |A_ji| and s_i */             tsl_execute(x, &part);
    }
    return TSL_OK;
}

enum { FEW = 64 }; /* numbers read at a time */

/* Over the columns the largest |a_j| / |b_j|, and the largest |a_j| */
tsl_status tsl_ratio_pieces(tsl_context *x, const tsl_call *c)
{
    double value[2] = {0, 0};
    tsl_view a = zeros_for(x, c->v[0]), b = zeros_for(x, c->v[0]);
    /* a_j := the largest of A's column j */    tsl_colnorm(x, TSL_NORM_MAX, TSL_TRIANGULAR, c->v[0], a);
    /* b_j := the largest of B's */             tsl_colnorm(x, TSL_NORM_MAX, TSL_TRIANGULAR, c->v[1], b);
    for (int64_t j = 0, n; j < tsl_rows(a); j += n) {
        tsl_scalar of_a[FEW], of_b[FEW];
        n = tsl_min(FEW, tsl_rows(a) - j);
        tsl_read(x, tsl_sub(a, j, 0, n, 1), of_a);
        tsl_read(x, tsl_sub(b, j, 0, n, 1), of_b);
        for (int64_t k = 0; k < n; ++k) {
            double p = creal(of_a[k]), q = creal(of_b[k]);
            value[0] = tsl_larger(value[0], p == 0 && q == q ? 0 : p / q);
            value[1] = tsl_larger(value[1], p);
        }
    }
    tsl_leave_number(x, value, sizeof value);
    return TSL_OK;
}
