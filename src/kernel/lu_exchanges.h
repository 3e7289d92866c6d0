/* Pivots of LU whose rows were chosen beforehand. */
#ifndef TSL_LU_EXCHANGES_H
#define TSL_LU_EXCHANGES_H

#include "core/values.h"

/* The exchanges that bring rows number[0], number[1], .. to the top, in this order, as LAPACK's ipiv says them; `first`: number
 * of row 0. They may take the numbers' place. A row that has left place e is at piv[e], further down, so each is found by a few
 * steps; a row named twice is taken to be where the last of these ends. */
static inline void tsl_lu_exchanges(const int64_t *number, int64_t count, int64_t first, int64_t *piv)
{
    for (int64_t i = 0; i < count; ++i) {
        int64_t at = number[i];
        while (at < i && piv[at] - 1 - first > at) at = piv[at] - 1 - first;
        piv[i] = first + 1 + tsl_max(at, i);
    }
}

#endif
