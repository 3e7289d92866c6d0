/* A chase's reflectors, some sweeps together: what its files share. */
#ifndef TSL_GRID_SWEEPS_H
#define TSL_GRID_SWEEPS_H

#include "core/values.h"
#include "grid/form/form.h"

/* Sweeps of a piece, of order n with kd diagonals beside the main one. An accelerator goes through w sweeps in 2 w + n / kd
 * rounds, so w is to be much more than n / kd; but a piece is w n elements. */
static inline int64_t tsl_sweeps_together(const tsl_context *x, int64_t n, int64_t kd)
{
    const int64_t least = 64, most = 4096;
    int64_t w = x->dev->be->accelerator ? tsl_min(most, tsl_max(least, n / 8)) : least;
    return tsl_min(n, tsl_pieces(w, kd) * kd);
}

/* chase_tiles.c: from a band to tridiagonal form by accelerators */
void tsl_chase_tiles(tsl_context *x, const tsl_call *given);

#endif
