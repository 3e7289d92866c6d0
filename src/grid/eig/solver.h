/* Divide and conquer on a grid, in rows: what its files share. */
#ifndef TSL_GRID_SOLVER_H
#define TSL_GRID_SOLVER_H

#include "grid/eig/merge.h"
#include "grid/form/form.h"

typedef struct tsl_solver {
    tsl_context *x;
    tsl_grid *g;
    int64_t n, nb, blocks;     /* order, rows of a block, blocks */
    int64_t processes, me;     /* the first ones have a block each */
    int64_t first, count;      /* columns that are wanted */
    double *d, *e;
    tsl_view Q, W, S, C;       /* what is here of Q, its copy, some vectors of a merge, and their product with Q */
    tsl_view roots, slots;     /* origins and distances of a merge's roots; its poles and weights by slot, in `mine` */
    tsl_view values, beside;   /* d and e in T's type, for leaves */
    double *mine, *other;      /* to be shared */
    tsl_merge m;
} tsl_solver;

/* Real parts of elements of what is here, in host memory */
static inline double tsl_get_real(tsl_view v, int64_t i, int64_t j)
{
    const void *p = tsl_here(v, i, j);
    return tsl_real_type(v.mat->type) == TSL_S ? (double)*(const float *)p : *(const double *)p;
}

static inline void tsl_put_real(tsl_view v, int64_t i, int64_t j, double value)
{
    void *p = tsl_here(v, i, j);
    if (tsl_real_type(v.mat->type) == TSL_S) *(float *)p = (float)value;
    else *(double *)p = value;
}

/* product.c: `count` columns of Q from `from` on := those from `first` on of diag(Q1, Q2) times the vectors of the merge;
 * second: the rows here are Q2's */
void tsl_solver_multiply(tsl_solver *s, int64_t from, bool second, int64_t first, int64_t count);

#endif
