/* What algorithms by pairs of tiles have in common: LU with incremental pivoting, incremental QR. A column of tiles is
 * eliminated from its diagonal down, the tile there with each one below it, pair (i,k). What a pair leaves beside the two tiles
 * is in ib x nb elements and in a column of nb, both counted by columns of pairs: (0,0), (1,0), ..., (1,1), (2,1), ... */
#ifndef TSL_PAIRS_H
#define TSL_PAIRS_H

#include "core/values.h"

/* The number of pair (i,k), of a matrix `rows` tiles high */
static inline int64_t tsl_pair(int64_t rows, int64_t i, int64_t k) { return k * rows - k * (k - 1) / 2 + i - k; }

/* With triangles of order ib a pair takes ib / 2 nb more operations than a triangle on top of a tile would need, and its
 * products have an inner dimension of ib. */
static inline int64_t tsl_inner_panel(int64_t nb)
{
    enum { LEAST = 32, PARTS = 8 };
    return tsl_min(nb, tsl_max(LEAST, nb / PARTS));
}

#endif
