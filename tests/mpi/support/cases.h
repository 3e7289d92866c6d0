/* What tests of factorizations on grids are given: layouts of a matrix, and of the vector that goes with its factors. */
#ifndef TEST_CASES_H
#define TEST_CASES_H

#include "grid.h"

#define COUNT(a) ((unsigned)(sizeof(a) / sizeof *(a)))

/* Square blocks, from the first on or not; ones of different sizes; those of the transpose; rows or columns not distributed. */
enum { LAYOUTS = 6, DISTRIBUTED = 4 }; /* the first four distribute rows and columns */
static inline tsl_layout layout(const team *t, unsigned kind, int64_t nb, tsl_scheme scheme)
{
    tsl_layout l = tsl_layout_matrix(t->grid, nb);
    if (kind == 1) l.rows.offset = nb + 2, l.cols.offset = 4 * nb + 2;
    if (kind == 2) l.rows.offset = 1, l.cols = (tsl_axis){TSL_OVER_COLS, nb + 4, 3};
    if (kind == 3) l.rows.over = TSL_OVER_COLS, l.cols.over = TSL_OVER_ROWS;
    if (kind == 4) l = tsl_layout_vector(t->grid, nb);
    if (kind == 5) l = tsl_layout_whole(t->grid, TSL_EVERY, 0), l.cols = (tsl_axis){TSL_OVER_ROWS, nb, 1};
    l.scheme = scheme;
    return l;
}

/* Of pivots (`over` the rows of processes) and scalar factors of reflectors (over the columns): distributed as A's rows or
 * columns are, with a copy in every other place, as ScaLAPACK has them; over all; whole on one; whole everywhere. */
enum { BESIDE = 4 };
static inline tsl_layout layout_beside(const team *t, unsigned kind, tsl_layout of, tsl_over over)
{
    tsl_layout l = tsl_layout_whole(t->grid, TSL_EVERY, TSL_EVERY);
    tsl_axis axis = over == TSL_OVER_ROWS ? of.rows : of.cols;
    if (kind == 0) l.rows = (tsl_axis){over, axis.nb, axis.offset};
    if (kind == 1) l = tsl_layout_vector(t->grid, 3);
    if (kind == 2) l = tsl_layout_whole(t->grid, t->rows - 1, 0);
    l.scheme = of.scheme;
    return l;
}

#endif
